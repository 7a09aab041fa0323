"""High jumps under operator (OPR-39 … 42), and jumps that end in a fall (SHP-23 … 27)."""

from __future__ import annotations

from pathlib import Path

import pytest

import tactical
from tactical import Accepted, Refusal
from tactical.play.commands import GivenRoll, Move
from tactical.play.events import Hurt, RollNeeded
from tactical.play.session import Session
from tests.cli.conftest import Run

HEAD = "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\nrules: operator\n"


def board(rows: str, more: str = "", *, at: str = "A1", strength: int = 16, rise: int = 6) -> str:
    stats = f"stats: {{strength: {strength}}}"
    legend = f"legend: {{h: {{terrain: dock, elevation: {rise}}}}}"
    return f"{HEAD}{legend}\nrows: '{rows}'\nmovers: [{{id: a, at: {at}, {stats}}}]\n{more}"


WALL = "barriers: [{line: [[3, 0], [3, 1]], kind: low-wall, top: 3}]\n"


@pytest.mark.parametrize(
    ("text", "to", "cost", "way"),
    [
        (board("...h."), "D1", 21, "jump"),  # ten feet of run-up, 6 up, 5 for the landing
        (board("...h.", at="C1"), "D1", 17, "climb"),  # a run-up of 10 ft back and forth would be dearer
        (board(".h", at="A1"), "B1", 17, "climb"),  # no room to run, and 3 ft is all from standing
        (board("...h.", rise=7), "D1", 29, "climb"),  # higher than the running jump
        (board("...h.", strength=11, rise=5), "D1", 15, "walk"),  # a step
        (board("....", WALL, at="C1"), "D1", 8, "jump"),  # 3 ft from standing is half of 6
        (board("....", WALL, at="C1", strength=15), "D1", 10, "walk"),  # 5 / 2, down to 2 (OPR-A10): vaulted
        (board("....", WALL.replace(", top: 3", ""), at="C1"), "D1", 10, "walk"),  # of unknown height
    ],
)
def test_a_plan_jumps_where_that_is_cheaper(run: Run, tmp_path: Path, text: str, to: str, cost: int, way: str) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(text, encoding="utf-8")
    answer = run("path", str(file), "--mover", "a", "--to", to, "--json").json
    assert (answer["cost"], answer["steps"][-1]["way"]) == (cost, way)
    charges = [charge["name"] for charge in answer["steps"][-1]["charges"]]
    assert ("high_jump" in charges) == (way == "jump")
    # what is shown is what a game charges
    session = Session.new(tactical.load(file))
    done = session.execute(Move("a", to))
    assert not isinstance(done, Refusal)
    assert session.position.status("a").turn.spent == cost


def test_two_who_jump_differently_do_not_share_their_ways(tmp_path: Path) -> None:
    both = board("...h.", strength=16).replace("movers: [", "movers: [{id: b, at: A1, stats: {strength: 8}}, ")
    battlemap = tactical.load(both.encode())
    costs = [tactical.reach(battlemap, who, others=()).cost("D1") for who in ("a", "b", "a")]
    assert costs == [21, 27, 21]


def test_a_high_jumps_line_names_its_clauses(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(board("...h."), encoding="utf-8")
    line = run("path", str(file), "--mover", "a", "--to", "D1", "--json").json["ledger"][-1]
    assert line["text"] == "high jump 6 + dock  1 x 5 ft"
    assert line["clauses"] == ["OPR-39", "OPR-42", "OPR-13"]


def test_who_states_no_strength_climbs(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(board("...h.").replace(", stats: {strength: 16}", ""), encoding="utf-8")
    assert run("path", str(file), "--mover", "a", "--to", "D1", "--json").json["cost"] == 27


ASK = ("odds", "--rules", "operator", "--stat", "strength=14", "--json")


def test_odds_of_a_high_jump(run: Run) -> None:
    up = run(*ASK, "--jump", "0", "--rise", "5", "--run-up", "10", "--stat", "height=6").json
    assert (up["jump"], up["chance"], up["cost"], up["longest"], up["reach"]) == ("high", 1, 5, 5, 14)
    assert run(*ASK, "--jump", "0", "--rise", "2").json["reach"] is None


@pytest.mark.parametrize(
    ("asked", "longest"),
    [
        (("--jump", "0", "--rise", "50", "--run-up", "10"), "5"),
        (("--jump", "0", "--rise", "3"), "2"),
        (("--jump", "5", "--rise", "50", "--run-up", "10"), "0"),
    ],
)
def test_a_rise_that_was_asked_for_is_not_dropped(run: Run, asked: tuple[str, ...], longest: str) -> None:
    answer = run(*ASK, *asked)
    assert answer.status == 1
    refusal = answer.json["refusal"]
    assert (refusal["code"], refusal["params"]["longest"]) == ("move.jump_length", longest)


# -- a jump to a lower place is a fall --------------------------------------------------------------------------------

ROOFS = """\
schema: 1
grid: {type: square, cell: 2, unit: m}
rules: shapers
legend: {R: {terrain: roof, elevation: HIGH}, o: {terrain: alley, gap: true}}
rows: |
  RRo.
movers: [{id: a, at: A1, stats: {pa: 4, ps: 6, pf: 4, athletics: 8, accept_damage: ACCEPT}}]
"""


def roofs(tmp_path: Path, high: int, accept: int) -> str:
    file = tmp_path / "roofs.yaml"
    file.write_text(ROOFS.replace("HIGH", str(high)).replace("ACCEPT", str(accept)), encoding="utf-8")
    return str(file)


def test_a_gap_does_not_take_a_fall_away(run: Run, tmp_path: Path) -> None:
    answer = run("path", roofs(tmp_path, 8, 21), "--mover", "a", "--to", "D1", "--json")
    assert answer.status == 1
    assert "22 damage" in answer.json["refusal"]["text"]


@pytest.mark.parametrize(("high", "damage"), [(8, 22), (2, 0), (3, 12)])
def test_the_fall_after_a_jump_is_told_and_dealt(run: Run, tmp_path: Path, high: int, damage: int) -> None:
    file = roofs(tmp_path, high, 30)
    answer = run("path", file, "--mover", "a", "--to", "D1", "--json").json
    assert answer["steps"][-1]["way"] == "jump"
    assert answer["steps"][-1]["damage"] == damage
    session = Session.new(tactical.load(file))
    done = session.execute(Move("a", "D1"))
    assert isinstance(done, Accepted)
    if not damage:
        assert not done.of(RollNeeded)
        return
    (asked,) = done.of(RollNeeded)
    assert asked.check.number == 50 - high + 4 + 8
    landed = session.execute(GivenRoll("a", 100))
    assert isinstance(landed, Accepted)
    assert [hurt.damage for hurt in landed.of(Hurt)] == [str(damage)]
    assert session.position.status("a").state.cell == (3, 0, 0)
