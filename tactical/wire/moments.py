"""A position in few words: what is otherwise than at the start of its game.

A map may be large and a game long; what changes in it are movers, doors, turns and what is known.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import is_
from typing import Any

from tactical.errors import SaveError
from tactical.play.position import Pending, Position, Status
from tactical.units import Cell
from tactical.wire.maps import FlatMap
from tactical.wire.reading import decode
from tactical.wire.writing import dumps, encode
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover

LASTING = tuple(one.name for one in fields(FlatMap) if one.name not in ("levels", "movers", "barriers"))
"""What is the same on a map from the start of a game to its end, beside its levels."""
CHANGING = ("battlemap", "statuses", "known")
PRESENT = tuple(one.name for one in fields(Position) if one.compare and one.name not in CHANGING)
"""What is written of a position as it is, whatever it was at the start."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A position against the start: `movers` and `barriers` by their place in the map, `statuses` and `known` cells
    that changed or came to it; the rest as it is now.  `whole` is all of it, where the map itself is another.
    """

    movers: Mapping[str, Mover] = field(default_factory=dict)
    barriers: Mapping[str, Barrier] = field(default_factory=dict)
    statuses: Mapping[str, Status] = field(default_factory=dict)
    known: Mapping[str, frozenset[Cell]] = field(default_factory=dict)
    rules: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    active: str = ""
    round: int = 1
    seed: int = 0
    drawn: int = 0
    pending: Pending | None = None
    whole: Position | None = None


def note(start: Position, position: Position) -> bytes:
    """A position as it is written against the start of its game."""
    changes = _changes(start, position)
    noted = Noted(whole=position)
    if changes is not None:
        noted = Noted(**changes, **{name: getattr(position, name) for name in PRESENT})
    return dumps(encode(noted)).encode("ascii")


def position(start: Position, noted: bytes) -> Position:
    """The position that `note` wrote.  Raises `SaveError`."""
    try:
        found: Noted = decode(Noted, json.loads(noted), "position", start.battlemap)
        return found.whole or _made(start, found)
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise SaveError(f"damaged: {error}") from error


def _made(start: Position, noted: Noted) -> Position:
    battlemap = start.battlemap
    if noted.movers:
        battlemap = battlemap.with_(movers=_replaced(battlemap.movers, noted.movers))
    if noted.barriers:
        battlemap = battlemap.with_(barriers=_replaced(battlemap.barriers, noted.barriers))
    known = {**start.known, **{name: cells | start.known.get(name, frozenset()) for name, cells in noted.known.items()}}
    present = {name: getattr(noted, name) for name in PRESENT}
    statuses = {**start.statuses, **noted.statuses}
    return start.changed(battlemap=battlemap, statuses=statuses, known=known, **present)


def _replaced(parts: Sequence[Any], changed: Mapping[str, Any]) -> list[Any]:
    found = list(parts)
    for index, part in changed.items():
        found[int(index)] = part
    return found


def _changes(start: Position, now: Position) -> dict[str, Any] | None:
    """The changed parts, or None where they are not changes of that start."""
    here, there = start.battlemap, now.battlemap
    known = {name: cells - start.known.get(name, frozenset()) for name, cells in now.known.items()}
    fits = (
        _same_land(here, there)
        and len(here.movers) == len(there.movers)
        and len(here.barriers) == len(there.barriers)
        # those who come to the map stand behind those who began on it
        and list(now.statuses)[: len(start.statuses)] == list(start.statuses)
        and list(now.known)[: len(start.known)] == list(start.known)
        and all(cells <= now.known[name] for name, cells in start.known.items())
    )
    if not fits:
        return None
    return {
        "movers": _changed(here.movers, there.movers),
        "barriers": _changed(here.barriers, there.barriers),
        "statuses": {
            name: status for name, status in now.statuses.items() if not _same(start.statuses.get(name), status)
        },
        "known": {name: cells for name, cells in known.items() if cells or name not in start.known},
    }


def _same_land(here: Battlemap, there: Battlemap) -> bool:
    levels = len(here.levels) == len(there.levels) and all(map(is_, here.levels, there.levels))
    return levels and all(_same(getattr(here, name), getattr(there, name)) for name in LASTING)


def _changed(here: Sequence[Any], there: Sequence[Any]) -> dict[str, Any]:
    pairs = enumerate(zip(here, there, strict=True))
    return {str(index): now for index, (before, now) in pairs if not _same(before, now)}


def _same(one: object, other: object) -> bool:
    return one is other or one == other
