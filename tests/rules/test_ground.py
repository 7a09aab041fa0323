"""The facts of ground that a rule system says it reads are those that change its answers, and no others do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction

import pytest

import tactical
from tactical import Battlemap, Cell, Mover, Refusal
from tactical.cli import main
from tactical.registry import RULESETS
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.world.terrain import EVERYWHERE, FACTS
from tests.house.astray import system

VALUES: Mapping[str, tuple[object, ...]] = {
    "water": ("shallow", "wading", "deep"), "depth": (Fraction(6, 5),), "current": ("choppy", "strong"),
    "level": ("D",), "number": (17,), "level_numbers": ({"M": 15},), "uphill": (True, False), "factor": (3,),
    "check": ((1, 4),), "elevation": (8,), "headroom": ("crouched",), "hazard": ("fire",),
}  # fmt: skip
"""Values of facts that are not merely true."""
AMID: tuple[Mapping[str, object], ...] = (
    {}, {"water": "deep"}, {"climb": True}, {"level": "D"}, {"level": "D", "number": 17}, {"elevation": Fraction(1, 2)},
)  # fmt: skip
"""Ground on which a fact is added: some count only in water, on a wall or on a slope."""
STATS: Mapping[str, Mapping[str, object]] = {
    "d6-reup": {"move": 10, "code": "4D", "previous": "cruising"},
    "d6-revised": {"move": 10, "code": "4D", "previous": "cruising"},
    "operator": {"strength": 12, "athletics": 1},
    "plain": {},
    "shapers": {"pa": 4, "ps": 6, "pf": 4, "swimming": 2},
    "twelve-second": {"strength": 12, "dexterity": 12, "endurance": 12, "waist": 1, "neck": Fraction(8, 5)},
}
OPTIONS: Mapping[str, Mapping[str, object]] = {
    "operator": {"athletics_dc": 11}, "twelve-second": {"jump_chance": 0, "house_pace": {"climb": 3}},
    "shapers": {"difficult_terrain_cap": "jog", "house_pace": {"climb": 3}},
}  # fmt: skip
"""What a table says where a fact asks it: a DC, a pace for climbing, that jumps may fail."""
ASKED = ((".~~~....", 3), ("...__~..", 5))
"""A way over such ground, a jump onto it, and the column where each ends."""


def answers(ruleset: Ruleset, ground: Mapping[str, object]) -> list[object]:
    """What is said of ground: the price and the rolls of a way, or why there is none."""
    said: list[object] = []
    for row, end in ASKED:
        battlemap = Battlemap.from_rows(
            [row], {"~": ground, "_": {"gap": True}, ".": {}}, cell=ruleset.cell, unit=ruleset.unit, grid="square",
            rules=ruleset.name, options=OPTIONS.get(ruleset.name, {}),
            movers=(Mover("kit", rules=ruleset.name, stats=STATS[ruleset.name], at=Cell(0, 0)),),
        )  # fmt: skip
        route = tactical.reach(battlemap, "kit").route(Cell(end, 0))
        if isinstance(route, Refusal):
            said.append((route.code, route.text))
        else:
            said.append((route.cost, [step.way for step in route.steps], route.turns))
    return said


def counts(ruleset: Ruleset, fact: str, amid: list[tuple[Mapping[str, object], list[object]]]) -> bool:
    """Whether a fact changes an answer on some ground."""
    return any(
        answers(ruleset, {**ground, fact: value}) != before
        for ground, before in amid
        # a number is one of a level
        if fact not in ground and (fact != "number" or "level" in ground)
        for value in VALUES.get(fact, (True,))
    )


@pytest.mark.parametrize("name", RULESETS.names())
def test_what_is_said_to_be_read_is_what_counts(name: str) -> None:
    ruleset = get_ruleset(name)
    assert ruleset.ground is not None
    amid = [(ground, answers(ruleset, ground)) for ground in AMID]
    read = [*ruleset.ground, *EVERYWHERE]
    assert [fact for fact in read if not counts(ruleset, fact, amid)] == []
    # all others at once, in each of their values
    for n in range(3):
        others = {fact: values[n % len(values)] for fact in FACTS if (values := VALUES.get(fact, (True,)))}
        unread = {fact: value for fact, value in others.items() if fact not in read}
        for ground, before in amid:
            assert answers(ruleset, {**unread, **ground}) == before, (unread, ground)


@pytest.mark.parametrize("name", RULESETS.names())
def test_the_sheet_says_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    ruleset = get_ruleset(name)
    main(["rulesets", name])
    words = capsys.readouterr().out
    assert ruleset.ground is not None
    assert all(f"  {fact}: {does}\n" in words for fact, does in (*ruleset.ground.items(), *EVERYWHERE.items()))
    main(["rulesets", name, "--json"])
    assert json.loads(capsys.readouterr().out)["rulesets"][0]["ground"] == dict(ruleset.ground)


def test_a_fact_that_does_not_exist_is_named() -> None:
    with pytest.raises(TypeError, match="ground: 'dificult' is no fact of ground, did you mean 'difficult'"):
        system(ground={"dificult": "dear"})
