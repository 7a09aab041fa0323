"""What a request gives, checked: each value is what it should be, or `Wrong` says which is not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tactical.errors import seen
from tactical.play.commands import GivenRoll
from tactical.play.session import Session
from tactical.units import MOST_TURNS, Cell, exact, gait_name
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


def price(value: object) -> Fraction | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, str))):
        raise Wrong("value", f'cost: expected a whole number or "10/3", found {as_sent(value)}')
    return None if value is None else exact(value)


def cell(battlemap: Battlemap, value: object) -> Cell:
    if isinstance(value, str):
        return battlemap.cell_named(value)
    whole = isinstance(value, list) and all(isinstance(part, int) and not isinstance(part, bool) for part in value)
    if not whole or not isinstance(value, list) or len(value) not in (2, 3):
        raise Wrong("value", f'expected a cell, "C4" or [2, 3], found {as_sent(value)}')
    return Cell(*value)


def cells(battlemap: Battlemap, value: object, name: str) -> list[Cell]:
    if not isinstance(value, list):
        raise Wrong("value", f'{name}: expected a list of cells, ["C4", [2, 3]], found {as_sent(value)}')
    return [cell(battlemap, one) for one in value]


def turns(value: object) -> int:
    """How many turns to look ahead."""
    return whole(value, "turns", 1, MOST_TURNS)


def in_own_words(game: Session, command: Mapping[str, Any]) -> Mapping[str, Any]:
    """A given roll whose number is called as the mover's players call it (a DC), as every other one; gaits likewise."""
    mover = str(command.get("mover"))
    if isinstance(command.get("gait"), str):
        command = {**command, "gait": gait_name(command["gait"])}
    if command.get("do") != GivenRoll.kind or mover not in game.position.statuses:
        return command
    holds = game.position.query(mover).profile.holds
    if holds is None or holds.word not in command:
        return command
    if "number" in command:
        raise Wrong("value", f"command: {holds.word} and number are the same: give one of them")
    return {("number" if key == holds.word else key): value for key, value in command.items()}
