"""What a request gives, checked: each value is what it should be, or `Wrong` says which is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tactical.errors import seen
from tactical.play.commands import GivenRoll, Roll
from tactical.play.session import Session
from tactical.units import Cell, exact, gait_name
from tactical.world.battlemap import Battlemap


class Wrong(Exception):
    """A request that cannot be answered: its code and words."""

    def __init__(self, code: str, text: str, **more: object) -> None:
        self.error = {"code": code, "text": seen(text), **more}
        super().__init__(text)


def as_sent(value: object) -> str:
    """A value as its caller wrote it, in JSON, the end of a long one left out."""
    return json.dumps(value, ensure_ascii=False, default=str)[:60]


def one_of(**given: object) -> None:
    """Raise `Wrong` where two are given that say the same: one of them would be ignored."""
    names = [name for name, value in given.items() if value not in (None, "")]
    if len(names) > 1:
        raise Wrong("request", f"{names[0]} and {names[1]} say the same: give one of them")


def text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise Wrong("value", f"{name}: expected a text, found {as_sent(value)}")
    return value


def word(value: object, name: str, known: tuple[str, ...]) -> str:
    found = text(value, name)
    if found not in known:
        raise Wrong("value", f"{name}: expected {' or '.join(known)}, found {found[:60]!r}")
    return found


def mapping(value: object, name: str) -> None:
    if value is not None and not isinstance(value, Mapping):
        raise Wrong("value", f"{name}: expected an object, found {as_sent(value)}")


def flag(value: object, name: str) -> None:
    if not isinstance(value, bool):
        raise Wrong("value", f"{name}: expected true or false, found {as_sent(value)}")


def listed(value: object, name: str) -> None:
    if value is not None and not isinstance(value, list):
        raise Wrong("value", f"{name}: expected a list, found {as_sent(value)}")


def whole(value: object, name: str, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise Wrong("value", f"{name}: expected a whole number from {least} to {most}, found {as_sent(value)}")
    return value


def price(value: object, name: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise Wrong("value", f'{name}: expected a whole number or "10/3", found {as_sent(value)}')
    try:
        return exact(value)
    except ValueError as error:
        raise Wrong("value", f"{name}: {error}") from error


def known_by(value: object, name: str) -> None:
    """An id, which is told from another by what it is."""
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise Wrong("value", f"{name}: an id is a whole number or a text, not {as_sent(value)}")


def shaped(value: object, name: str) -> None:
    """A cell of any map."""
    numbers = isinstance(value, list) and all(isinstance(part, int) and not isinstance(part, bool) for part in value)
    if not isinstance(value, str) and not (numbers and isinstance(value, list) and len(value) in (2, 3)):
        raise Wrong("value", f'{name}: expected a cell, "C4" or [2, 3], found {as_sent(value)}')


def cell(battlemap: Battlemap, value: object, name: str = "to") -> Cell:
    shaped(value, name)
    return battlemap.cell_named(value) if isinstance(value, str) else Cell(*value)  # type: ignore[misc]


def cells(battlemap: Battlemap, value: object, name: str) -> list[Cell]:
    if not isinstance(value, list):
        raise Wrong("value", f'{name}: expected a list of cells, ["C4", [2, 3]], found {as_sent(value)}')
    return [cell(battlemap, one, f"{name}[{n}]") for n, one in enumerate(value)]


def in_own_words(game: Session, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """A roll whose number is called as the mover's players call it (a DC), as every other one; gaits likewise."""
    mover = str(command.get("mover"))
    if isinstance(command.get("gait"), str):
        command = {**command, "gait": gait_name(command["gait"])}
    if command.get("do") not in (Roll.kind, GivenRoll.kind) or mover not in game.position.statuses:
        return command
    holds = game.position.query(mover).profile.holds
    if holds is None or holds.word not in command:
        return command
    if "number" in command:
        raise Wrong("value", f"command: {holds.word} and number are the same: give one of them")
    return {("number" if key == holds.word else key): value for key, value in command.items()}
