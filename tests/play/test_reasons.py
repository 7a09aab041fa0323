"""What is closed says by which rule and is refused for it; what is said to be lacking is enough where it is given."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tactical
from tactical import Act, Battlemap, Cell, Dash, EndTurn, Move, Mover, Refusal, Session
from tactical.play.commands import Gait, Roll
from tactical.rules.clauses import all_clauses
from tactical.rules.ruleset import get_ruleset
from tests.play.boards import SYSTEMS

LEGEND: Mapping[str, Mapping[str, object]] = {
    ".": {"terrain": "floor", "level": "VE", "number": 3},
    "d": {"terrain": "scree", "level": "D", "number": 18, "rough": True, "difficult": True},
    "W": {"terrain": "lake", "water": "deep", "level": "M", "number": 12},
    "1": {"terrain": "shallows", "water": "shallow", "level": "E", "number": 8},
    "_": {"terrain": "pit", "gap": True},
    "^": {"terrain": "shelf", "elevation": 1, "level": "VE", "number": 3},
}
DICE: Mapping[str, list[tuple[str, object]]] = {
    # what makes gaits close, of each system
    "plain": [("speed", 0), ("speed", 30)],
    "operator": [("bonus_dash", True), ("action_surge", True), ("slowed", True)],
    "d6-reup": [("previous", "high"), ("previous", "all_out"), ("previous", "stop"), ("actions", 2)],
    "d6-revised": [("lost_moves", n) for n in (1, 2, 3, 4, 5)] + [("previous", "all_out"), ("kind", "vehicle")],
    "twelve-second": [("endurance", 0), ("endurance", 1), ("load", "heavy"), ("strength", 3), ("dexterity", 1)],
    "shapers": [("pf", 0), ("pf", 1), ("swimming", 2), ("pa", 0)],
}
PLAYED = 7


def begun(dice: random.Random, rules: str) -> Session:
    """A game in which anything has happened to kit."""
    rows = ["".join(dice.choices("....dW1_^", k=10)) for _ in range(3)]
    stats = {**SYSTEMS[rules], **dict(dice.sample(DICE[rules], dice.randint(0, 2)))}
    unit, cell = ("ft", 5) if rules in ("plain", "operator") else ("m", 1)
    kit = Mover("kit", rules, stats, Cell(0, 0))
    battlemap = Battlemap.from_rows(["." + rows[0][1:], *rows[1:]], LEGEND, cell=cell, unit=unit, movers=(kit,))
    session = Session.new(battlemap, seed=dice.randint(0, 99))
    for _ in range(dice.randint(0, PLAYED)):
        cells = sorted(session.reach("kit").cells())
        if session.position.pending is not None:
            session.execute(Roll())
            continue
        anywhere = Move("kit", dice.choice(cells or [Cell(1, 1)]))
        session.execute(dice.choice([anywhere, anywhere, EndTurn("kit"), EndTurn("kit"), Dash("kit"), Act("kit")]))
    while session.position.pending is not None:
        session.execute(Roll())
    return session


@pytest.mark.parametrize("rules", SYSTEMS)
@settings(max_examples=8)
@given(dice=st.randoms(use_true_random=False))
def test_a_closed_gait_names_its_clause_and_is_refused_for_it(rules: str, dice: random.Random) -> None:
    session = begun(dice, rules)
    known = all_clauses(get_ruleset(rules))
    cell = dice.choice([Cell(col, row) for col in range(10) for row in range(3)])
    for name, why in session.reach("kit").refused.items():
        named = [str(why.params[word]) for word in ("clause", "ruling") if why.params.get(word)]
        assert named, why
        assert all(clause in known for clause in named), why
        assert all(clause in why.text for clause in named), why
        alone = session.reach("kit", gait=name)
        assert not alone.cells()
        assert session.execute(Gait("kit", name)) == why
        if cell != session.position.mover("kit").at:
            assert alone.why_not(cell) == why
            assert session.execute(Move("kit", cell, gait=name)) == why


@pytest.mark.parametrize("rules", SYSTEMS)
@settings(max_examples=6)
@given(dice=st.randoms(use_true_random=False))
def test_the_start_costs_what_the_way_to_it_does(rules: str, dice: random.Random) -> None:
    session = begun(dice, rules)
    for turns in (1, 2, 3):
        found = session.reach("kit", turns=turns)
        here = found.start.cell
        way = found.route(here)
        if isinstance(way, Refusal):
            assert way.code == "move.speed_change"
            assert found.cost(here) is None
            assert here not in found.costs
            continue
        assert (found.cost(here), found.costs[here], found.turn(here)) == (way.cost, way.cost, way.turn)
        assert found.arrivals[here].cost == way.cost
        assert (way.cost == 0) == (not way.steps)
        assert found.posture(here) == way.end.posture
        assert here not in found
        assert here not in found.cells()


JUMPERS: Mapping[str, Mapping[str, object]] = {
    "operator": {"speed": 90, "strength": 14},
    "twelve-second": {"strength": 13, "dexterity": 12, "endurance": 12},
    "shapers": {"pa": 5, "ps": 6, "pf": 3, "athletics": 1},
}
ROOM = 12


def corridor(rules: str, stats: Mapping[str, object], gap: int, room: int, start: int, cell: Fraction) -> Battlemap:
    """A corridor of so many cells before a gap, the mover so many cells before it."""
    row = "#" * (ROOM - room) + "." * (room + 1) + "_" * gap + "..."
    legend = {**LEGEND, "#": {"impassable": True}}
    unit = "ft" if rules == "operator" else "m"
    kit = Mover("kit", rules, stats, Cell(ROOM - start, 0))
    return Battlemap.from_rows([row], legend, cell=cell, unit=unit, movers=(kit,))


@pytest.mark.parametrize("rules", JUMPERS)
@settings(max_examples=8)
@given(dice=st.randoms(use_true_random=False))
def test_a_run_up_that_is_asked_for_is_enough_and_no_other_reason_goes_away_with_one(
    rules: str, dice: random.Random
) -> None:
    stats = {name: dice.randint(1, 16) if name != "speed" else dice.choice([30, 60, 200]) for name in JUMPERS[rules]}
    gap, cell = dice.randint(1, 4), Fraction(5) if rules == "operator" else dice.choice([Fraction(1), Fraction(3, 2)])
    goal, chance = (
        Cell(ROOM + gap + 1, 0),
        {} if rules == "operator" else {"jump_chance": dice.choice(["1", "1/10", "0"])},
    )

    def asked(room: int, start: int) -> tactical.Route | Refusal:
        return tactical.reach(corridor(rules, stats, gap, room, start, cell), "kit", options=chance).route(goal)

    found = asked(0, 0)
    if not isinstance(found, Refusal):
        return
    if found.params.get("code", found.code) != "move.run_up":
        assert not asked(ROOM, 0), found
        return
    need = Fraction(str(found.params["need"]))
    assert found.params["has"] == "0"
    assert f"needs {tactical.units.show(need)} {found.params['unit']} of run-up" in found.text
    made = asked(int(need / cell), int(need / cell))
    assert isinstance(made, tactical.Route), (found, made)
    assert "jump" in [step.way for step in made.steps]
