"""Small boards that the tests of play share."""

from __future__ import annotations

from collections.abc import Mapping

from tactical import Barrier, Battlemap, Cell, Mover
from tactical.world.barriers import DoorState, Kind

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
