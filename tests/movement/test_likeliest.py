"""The chance shown for a cell is the best of all ways there, whichever steps are rolled for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tactical import Battlemap, Cell, Mover, reach
from tactical.movement.rolls.chances import lattice_of, ways

LEGEND: dict[str, dict[str, object]] = {
    ".": {"level": "VE", "number": 3}, "o": {"gap": True}, "b": {"elevation": 1, "level": "E", "number": 7},
    "w": {"water": "wading", "level": "M", "number": 12}, "r": {"rough": True, "uneven": True, "slick": True},
    "W": {"water": "deep", "current": "choppy", "level": "D", "number": 17},
}  # fmt: skip
MOVERS: list[Mover] = [
    Mover("m", "operator", {"speed": 20}),
    Mover("m", "twelve-second", {"strength": 13, "dexterity": 12, "endurance": 11, "acrobatics": True}),
    Mover("m", "twelve-second", {"strength": 8, "dexterity": 9, "endurance": 10}, size=2),
]


def by_all_ways(found: object) -> dict[Cell, Fraction]:
    """The best chance of every cell, weighed way by way with none left out."""
    best: dict[Cell, Fraction] = {}
    for gait in found.gaits:  # type: ignore[attr-defined]
        lattice = lattice_of(found, gait)  # type: ignore[arg-type]
        for way in ways(found, gait, lattice):  # type: ignore[arg-type]
            cell = lattice.cell(way.node)
            best[cell] = max(best.get(cell, Fraction(0)), way.there)
    return best


@settings(max_examples=12, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.text("...oowWWrb", min_size=6, max_size=6), min_size=3, max_size=3), st.sampled_from(MOVERS),
    st.integers(0, 4), st.integers(0, 1),
)  # fmt: skip
def test_the_chance_of_a_cell_is_the_best_of_all_ways_there(rows: list[str], mover: Mover, col: int, row: int) -> None:
    metres = mover.rules != "operator"
    place = Battlemap.from_rows(rows, LEGEND, cell=1 if metres else 5, unit="m" if metres else "ft")
    found = reach(place, replace(mover, at=Cell(col, row)))
    best = by_all_ways(found)
    best.pop(found.start.cell, None)
    assert {cell: one.chance for cell, one in found.chances.items()} == best
