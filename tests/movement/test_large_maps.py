"""Refusals on maps too large to be searched as a whole name what is in the way, as they do on small ones."""

from __future__ import annotations

import random
import re

import pytest

from tactical import Barrier, Battlemap, Cell, Link, Mover, Refusal, plan, reach
from tactical.movement.why import whynot
from tactical.world.edges.barriers import DoorState, Kind

WIDE, HIGH = 420, 260
LEGEND = {
    "#": {"terrain": "granite", "impassable": True},
    "~": {"terrain": "chasm", "gap": True},
}


def plain() -> list[str]:
    return ["." * WIDE for _ in range(HIGH)]


def band(first: int, last: int, glyph: str) -> list[str]:
    """A plain with a band of some ground across it, from one column to another."""
    return ["." * first + glyph * (last - first) + "." * (WIDE - last) for _ in range(HIGH)]


def refused(rows: list[str], to: str, **on_map: object) -> Refusal:
    battlemap = Battlemap.from_rows(rows, LEGEND, unit="ft", cell=5, rules="operator", **on_map)  # type: ignore[arg-type]
    assert battlemap.cols * battlemap.rows > 100_000
    mover = Mover("a", "operator", {"speed": 30, "strength": 10}, Cell(4, 130), "heroes")
    found = plan(battlemap, mover, to, gait="move", turns=3)
    assert isinstance(found, Refusal), found
    return found


def test_a_cliff_across_the_map() -> None:
    found = refused(band(200, 203, "#"), "ML100")
    assert (found.code, found.params["code"]) == ("move.barred", "move.impassable"), found
    # of the whole cliff the cell that lies on the way
    assert re.fullmatch(r"no way to ML100: GS1[01]\d is impassable \(granite\)", found.text), found.text


def test_a_band_too_broad_to_look_across() -> None:
    found = refused(band(100, 220, "#"), "ML100")
    assert found.code == "move.barred"
    assert "granite" in found.text


def test_a_chasm_too_broad_to_jump() -> None:
    found = refused(band(200, 212, "~"), "ML100")
    assert found.code == "move.barred"
    assert (found.params["code"], found.params["try"]) == ("move.jump_length", "gaps"), found


def test_a_wall_and_the_locked_door_in_it() -> None:
    wall = [Barrier(((150, 0), (150, 90)), Kind.WALL), Barrier(((150, 91), (150, HIGH)), Kind.WALL)]
    gate = Barrier(((150, 90), (150, 91)), Kind.DOOR, "north gate", state=DoorState.LOCKED)
    found = refused(plain(), "ML100", barriers=(*wall, gate))
    assert (found.code, found.params["try"]) == ("move.barred", "doors"), found
    assert "north gate" in found.text
    bricked = refused(plain(), "ML100", barriers=(*wall, Barrier(((150, 90), (150, 91)), Kind.WALL)))
    assert (bricked.code, bricked.params["try"]) == ("move.barred", "barriers"), bricked


def test_a_closed_chamber_far_away() -> None:
    sides = [((300, 60), (304, 60)), ((304, 60), (304, 64)), ((300, 64), (304, 64)), ((300, 60), (300, 64))]
    found = refused(plain(), "KP62", barriers=tuple(Barrier(side, Kind.WALL) for side in sides))
    assert (found.code, found.params["try"]) == ("move.barred", "barriers"), found


def test_another_level() -> None:
    rows = {"ground": plain(), "loft": plain()}
    stairs = Link(Cell(390, 10, 0), Cell(390, 10, 1), kind="stairs")
    cliff = {"ground": band(200, 203, "#"), "loft": plain()}
    assert refused(rows, "loft/C3").code == "move.barred"  # type: ignore[arg-type]
    assert "granite" in refused(cliff, "loft/C3", links=(stairs,)).text  # type: ignore[arg-type]


def crowded(seed: int) -> Battlemap:
    """A small board full of rock, chasms, mud, walls and locked doors."""
    some = random.Random(seed)
    rows = ["".join(some.choices("..~#.", k=9)) for _ in range(8)]
    rows[0] = "." + rows[0][1:]
    barriers = []
    for n in range(8):
        x, y, kind = some.randrange(1, 8), some.randrange(1, 7), some.choice(["wall", "door", "fence"])
        line = ((x, y), (x + 1, y)) if some.random() < 0.5 else ((x, y), (x, y + 1))
        barriers.append(
            Barrier(line, kind, f"b{n}", state=some.choice(["locked", "closed"]) if kind == "door" else None)
        )
    return Battlemap.from_rows(rows, LEGEND, unit="ft", cell=5, rules="operator", barriers=barriers)


@pytest.mark.parametrize("seed", range(8))
def test_the_part_that_is_looked_at_gives_the_reason_of_the_whole(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    board, mover = crowded(seed), Mover("a", "operator", {"speed": 30}, Cell(0, 0), "heroes")

    def reasons() -> dict[Cell, tuple[str, str]]:
        found = reach(board, mover)
        every = {Cell(col, row): found.why_not(Cell(col, row)) for col in range(9) for row in range(8)}
        return {at: (why.code, why.params.get("code", "")) for at, why in every.items() if why is not None}

    whole = reasons()
    assert any(code == "move.barred" for code, _ in whole.values())
    monkeypatch.setattr(whynot, "LARGE", 0)
    assert reasons() == whole
