"""Steps that a turn does not charge as they are: the ledger gives the price they have, and what the turn pays."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.cli.conftest import Run

MAP = """schema: 1
grid: {type: square, cell: 5, unit: ft}
rules: operator
legend:
  ".": {terrain: floor}
  "d": {terrain: mud, difficult: true}
  "H": {terrain: top, elevation: 15}
  "#": {terrain: rock, impassable: true}
rows: |
  .dddddddd
  .H#######
movers:
  - {id: a, at: A1, side: h, stats: {speed: 25}}
"""


@pytest.fixture
def mud(tmp_path: Path) -> str:
    """Mud beside a ledge."""
    path = tmp_path / "mud.yaml"
    path.write_text(MAP)
    return str(path)


@pytest.mark.parametrize("rounding", ["first_cell", "enter_if_any_left"])
def test_a_capped_step_keeps_its_factors_and_says_what_the_turn_has(run: Run, mud: str, rounding: str) -> None:
    option = f"grid_rounding={rounding}"
    words = ("path", mud, "--mover", "a", "--to", "B1", "--gait", "move", "--stat", "speed=5", "--option", option)
    answer = run(*words, "--why")
    assert "mud  1 x 5 ft x 2 = 10, the turn has 5" in answer.out
    assert "x 1 " not in answer.out
    line = run(*words, "--json").json["ledger"][0]
    assert (line["price"], line["full"]) == (5, 10)


def test_a_climb_is_told_whole_too(run: Run, mud: str) -> None:
    words = ("path", mud, "--mover", "a", "--to", "B2", "--gait", "move", "--option", "grid_rounding=enter_if_any_left")
    found = run(*words, "--json").json
    assert sum(Fraction(str(line["price"])) for line in found["ledger"]) == found["cost"] == 25
    capped = found["ledger"][-1]
    assert capped["full"] == 35
    assert capped["text"] == "climb the ledge 30 + top (climb)  1 x 5 ft = 35, the turn has 20"


def test_what_is_lost_between_two_moves_is_no_factor(run: Run, mud: str) -> None:
    words = ("path", mud, "--mover", "a", "--to", "D1", "--option", "dash_pool=separate")
    lines = run(*words, "--json").json["ledger"]
    assert [line["price"] for line in lines] == [20, 15]
    assert lines[-1]["text"] == "mud  1 x 5 ft x 2 + 5 ft of the move before, lost"
    assert all("full" not in line for line in lines)
