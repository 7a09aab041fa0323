"""Small boards that the tests of play share."""

from __future__ import annotations

from collections.abc import Mapping

from tactical import Barrier, Battlemap, Cell, Mover
from tactical.world.edges.barriers import DoorState, Kind

LEGEND: Mapping[str, Mapping[str, object]] = {
    "m": {"terrain": "mud", "difficult": True},
    "f": {"terrain": "fire", "hazard": "fire"},
    "?": {"terrain": "dark", "unknown": True},
    "r": {"terrain": "ice", "check": [2, 7]},
    "_": {"terrain": "pit", "gap": True},
}


def door(x: int, y: int, name: str, **more: object) -> Barrier:
    """A door on the right side of the cell (x, y)."""
    return Barrier(((x + 1, y), (x + 1, y + 1)), Kind.DOOR, name, **more)  # type: ignore[arg-type]


def wall(x: int, y: int, **more: object) -> Barrier:
    """A wall on the right side of the cell (x, y)."""
    return Barrier(((x + 1, y), (x + 1, y + 1)), **more)  # type: ignore[arg-type]


def hall() -> Battlemap:
    """Ada among foes in a hall with a closed door, a locked one, mud and fire."""
    rows = [
        "............",
        "....m.......",
        "....mm..f...",
        "............",
    ]
    barriers = [wall(9, 0), wall(9, 1), door(9, 2, "gate"), wall(9, 3), door(10, 0, "vault", state=DoorState.LOCKED)]
    movers = [
        Mover("ada", "operator", {"speed": 30, "strength": 14}, Cell(1, 1), "heroes"),
        Mover("bo", "operator", {"speed": 25}, Cell(0, 3), "heroes", posture="prone"),
        Mover("orc", "operator", {"speed": 30}, Cell(3, 0), "horde"),
        Mover("imp", "operator", {"speed": 30}, Cell(11, 3), "horde", hidden=True),
    ]
    return Battlemap.from_rows(rows, LEGEND, barriers=tuple(barriers), movers=tuple(movers), rules="operator")


SYSTEMS: Mapping[str, Mapping[str, object]] = {
    "plain": {"speed": 30},
    "operator": {"speed": 30, "strength": 15, "bonus_dash": True},
    "d6-reup": {"move": 8, "code": "3D+1"},
    "d6-revised": {"move": 8, "code": "3D+1"},
    "twelve-second": {"mv": 3, "strength": 12, "dexterity": 12, "endurance": 4},
    "shapers": {"pa": 6, "ps": 8, "pf": 2, "athletics": 2},
}
"""A body for every rule system."""


def yard(rules: str) -> Battlemap:
    """A yard with everything that can happen on it, for one rule system."""
    legend: Mapping[str, Mapping[str, object]] = {
        ".": {"terrain": "grass", "level": "VE", "number": 3},
        "m": {"terrain": "mud", "difficult": True, "rough": True, "level": "M", "number": 12},
        "f": {"terrain": "fire", "hazard": "fire", "level": "E", "number": 8},
        "?": {"terrain": "dark", "unknown": True, "level": "E", "number": 8},
        "i": {"terrain": "ice", "check": [2, 7], "slick": True, "level": "D", "number": 17},
        "_": {"terrain": "pit", "gap": True},
        "n": {"terrain": "ledge", "no_stop": True, "level": "E", "number": 7},
    }
    rows = [
        "....mm....",
        ".#..mm..?.",
        ".#...f..?.",
        "....n..._.",
        "..ii....m.",
        "..........",
    ]
    unit, cell = ("ft", 5) if rules in ("plain", "operator") else ("m", 1)
    stats = SYSTEMS[rules]
    barriers = (
        door(5, 0, "gate"), wall(5, 1), wall(5, 2), door(5, 3, "trap", state=DoorState.OPEN, truth="wall"), wall(5, 4),
        door(5, 5, "back", state=DoorState.OPEN), door(2, 0, "lost", state=DoorState.SECRET),
    )  # fmt: skip
    movers = (
        Mover("ada", rules, stats, Cell(0, 0), "heroes"),
        Mover("bo", rules, stats, Cell(3, 4), "heroes"),
        Mover("orc", rules, stats, Cell(4, 1), "horde"),
        Mover("spy", rules, stats, Cell(8, 4), "horde", hidden=True),
    )
    return Battlemap.from_rows(
        rows, legend, cell=cell, unit=unit, barriers=barriers, movers=movers, rules=rules, name="yard"
    )
