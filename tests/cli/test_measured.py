"""At a table in metres rules in feet are asked and answer in metres: the same cells, other numbers (5 ft are 1.5 m)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import tactical
from tactical import Accepted, Battlemap, Refusal
from tactical.play import commands as do
from tactical.play.events import Ended
from tactical.play.session import Session
from tactical.rules.turnstate import TurnState
from tactical.world.adapters import in_unit
from tests.cli.conftest import Run

FOOT = Fraction(3, 10)
YARD = """\
schema: 1
grid: {type: square, cell: 5, unit: ft}
legend:
  m: {difficult: true, terrain: mud}
  h: {elevation: 6, terrain: dock}
  w: {water: deep}
  o: {gap: true}
rows: |
  ...h..m.w.
  .mm.o.....
  ....o..ww.
  ..........
barriers:
  - {line: [[5, 0], [5, 2]], kind: low-wall, top: 3}
  - {id: gate, line: [[2, 3], [3, 3]], kind: door, cost: 5}
movers:
  - {id: a, at: A1, side: us, posture: prone, stats: STATS}
  - {id: e, at: F4, side: them}
"""
STATS = {
    "operator": [{}, {"strength": 16}, {"strength": 15, "speed": 25, "slowed": True}],
    "plain": [{}, {"speed": 25}],
}
CASES = [(rules, stats) for rules, known in STATS.items() for stats in known]


def both(rules: str, stats: dict[str, object]) -> tuple[Battlemap, Battlemap]:
    """The yard in feet and in metres, with the same mover."""
    feet = tactical.load(YARD.replace("STATS", str(stats).replace("'", "").replace("True", "true")).encode())
    metres = in_unit(feet, "m")
    own = {name: value * FOOT if name == "speed" else value for name, value in stats.items()}  # type: ignore[operator]
    movers = tuple(replace(one, rules=rules, stats=own if one.id == "a" else {}) for one in metres.movers)
    return feet.with_(movers=[replace(one, rules=rules) for one in feet.movers]), metres.with_(movers=movers)


@pytest.mark.parametrize(("rules", "stats"), CASES)
@pytest.mark.parametrize("spent", [0, 10])
def test_the_same_cells_in_other_numbers(rules: str, stats: dict[str, object], spent: int) -> None:
    feet, metres = both(rules, stats)
    a = tactical.reach(feet, "a", turns=2, turn=TurnState(spent=spent))
    b = tactical.reach(metres, "a", turns=2, turn=TurnState(spent=spent * FOOT))
    assert (a.unit, b.unit) == ("ft", "m")
    assert a.cells() == b.cells()
    assert [band.budget * FOOT for band in a.bands] == [band.budget for band in b.bands]
    for cell in a.cells():
        assert b.cost(cell) == a.cost(cell) * FOOT, cell  # type: ignore[operator]
        ours, theirs = a.route(cell), b.route(cell)
        assert ours
        assert theirs
        assert [step.way for step in theirs.steps] == [step.way for step in ours.steps]
        assert [line.sum for line in theirs.ledger()] == [line.sum * FOOT for line in ours.ledger()]
        assert not any(" ft" in line.text for line in theirs.ledger())
        assert theirs.provokes == ours.provokes
    assert " ft" not in b.profile.summary


@pytest.mark.parametrize(("rules", "stats"), CASES)
def test_a_game_is_played_in_metres(rules: str, stats: dict[str, object]) -> None:
    session = Session.new(both(rules, stats)[1])
    done = session.execute(do.Spend("a", Fraction("1.5"), "a lever"))
    assert isinstance(done, Accepted)
    shown = session.reach("a")
    cell = max(shown.cells(), key=lambda cell: (shown.cost(cell), cell))
    moved = session.execute(do.Move("a", cell))
    assert isinstance(moved, Accepted)
    ends = moved.of(Ended)
    if ends:
        assert ends[-1].cost == shown.cost(cell)
    far = session.execute(do.Move("a", "J4"))
    if isinstance(far, Refusal):
        assert " ft" not in far.text


def test_what_the_rules_print_in_feet_is_taken_in_metres(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "hall.yaml"
    file.write_text(
        "schema: 1\ngrid: {type: square, cell: 1.5, unit: m}\nrules: operator\nrows: '..........'\n"
        "movers: [{id: a, at: A1, posture: prone}]\n",
        encoding="utf-8",
    )
    answer = run("reach", str(file), "--mover", "a", "--json").json
    assert answer["unit"] == "m"
    assert [band["budget"] for band in answer["bands"]] == [9, 18]
    assert answer["options"]["crouch_stand_cost"] == "3/2"
    up = run("path", str(file), "--mover", "a", "--to", "B1", "--arrive", "standing", "--json").json
    assert up["cost"] == 6  # half of 9 to stand up, 1.5 to walk
    low = run("path", str(file), "--mover", "a", "--to", "B1", "--arrive", "crouched", "--json").json
    assert low["attacked"][0]["beyond"] == "3/2"
    no = run("path", str(file), "--mover", "a", "--to", "J1", "--spent", "15")
    assert no.status == 1
    assert "m short" in no.err
    own = run("path", str(file), "--mover", "a", "--to", "B1", "--posture", "crouched", "--arrive", "standing",
              "--option", "crouch_stand_cost=3", "--json").json  # fmt: skip
    assert own["cost"] == Fraction("4.5") or own["cost"] == "9/2"


def test_option_reach_ft_is_the_reach_of_those_who_state_none(run: Run, tmp_path: Path) -> None:
    text = (
        "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\nrules: operator\nrows: |\n  ......\n  ......\n"
        "movers: [{id: a, at: C1, side: us}, {id: e, at: D1, side: them, REACH}]\n"
    )
    file = tmp_path / "row.yaml"

    def provoked(reach: str, *more: str) -> list[str]:
        file.write_text(text.replace("REACH", reach), encoding="utf-8")
        found = run("path", str(file), "--mover", "a", "--to", "A1", *more, "--json").json["provokes"]
        return [one["cell"] for one in found]

    assert provoked("posture: standing") == ["C1"]
    assert provoked("posture: standing", "--option", "reach_ft=10") == ["B1"]
    assert provoked("reach: 1", "--option", "reach_ft=10") == ["C1"]
    assert provoked("posture: standing", "--option", "reach_ft=0") == []
