"""Every clause of the five texts is found in code and in a test; and the few that no worked case covers."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.dice import Pool
from tactical.rules.ruleset import get_ruleset
from tactical.rules.systems.d6 import d6_reup
from tactical.rules.systems.d6 import efforts as d6_efforts
from tactical.rules.systems.d6 import failures as d6_failures
from tactical.rules.turnstate import TurnState

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CLAUSES = (HERE / "clauses.txt").read_text(encoding="utf-8").split()

DESCRIPTIVE = {
    "OPR-44": "smoke: concealment, no movement",
    "OPR-45": "covering fire: no movement",
    "OPR-49": "detailed vehicle combat: the game master's",
    "REV-01": "where the text comes from",
}

# ``REUP-16, 17`` names two clauses; a range (``OPR-02 … OPR-33``) names its ends only
NAMED = re.compile(r"\b(REUP|REV|TWS|OPR|SHP)-(\d\d)((?:\s*(?:,|and|…)\s*(?:(?:REUP|REV|TWS|OPR|SHP)-)?\d\d\b)*)")
NEXT = re.compile(r"((?:REUP|REV|TWS|OPR|SHP)-)?(\d\d)")


def named_in(text: str) -> set[str]:
    """The clauses a text names."""
    found = set()
    for match in NAMED.finditer(text):
        prefix = match[1]
        found.add(f"{prefix}-{match[2]}")
        for other, number in NEXT.findall(match[3]):
            prefix = other.rstrip("-") or prefix
            found.add(f"{prefix}-{number}")
    return found


def named_under(folder: str, *suffixes: str) -> set[str]:
    """The clauses that the files under a folder name, this one left out."""
    paths = (path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes and path != Path(__file__))
    return set().union(*(named_in(path.read_text(encoding="utf-8")) for path in paths))


def test_the_list_is_whole() -> None:
    counts = {prefix: sum(1 for clause in CLAUSES if clause.startswith(prefix + "-")) for prefix in
              ("REUP", "REV", "TWS", "OPR", "SHP")}  # fmt: skip
    assert counts == {"REUP": 60, "REV": 53, "TWS": 38, "OPR": 50, "SHP": 34}
    assert len(set(CLAUSES)) == len(CLAUSES) == 235


def test_every_clause_is_in_the_code() -> None:
    found = named_under("tactical", ".py")
    assert [clause for clause in CLAUSES if clause not in found and clause not in DESCRIPTIVE] == []


def test_every_clause_is_in_a_case_or_a_test() -> None:
    found = named_under("tests", ".py", ".yaml") | set(COVERED_HERE)
    assert [clause for clause in CLAUSES if clause not in found and clause not in DESCRIPTIVE] == []


def test_nothing_invents_a_clause() -> None:
    found = named_under("tactical", ".py") | named_under("tests/cases", ".py", ".yaml")
    assert sorted(found - set(CLAUSES)) == []


def test_what_is_only_described_is_really_only_that() -> None:
    assert set(DESCRIPTIVE) <= set(CLAUSES)


COVERED_HERE = ("OPR-43", "REUP-34", "REUP-35", "REUP-44", "REUP-59")


def options_of(name: str) -> Options:
    return get_ruleset(name).options_with()


def test_hard_country_raises_every_roll() -> None:
    # REUP-44
    stats = d6_reup.RULESET.read_stats({"stamina": "4D"})
    for harder, levels in ((0, ["VE", "E", "M"]), (2, ["M", "D", "VD"])):
        march = d6_efforts.efforts(stats, options_of("d6-reup"), d6_reup.LONG, harder=harder)[2]
        assert march.trial is not None
        assert [march.trial(n).level for n in (1, 2, 3)] == levels


def test_damage_is_dice_to_be_resisted() -> None:
    # REUP-59: what comes out is a pool for the table's own damage roll against Strength, never a number
    rules = get_ruleset("d6-reup")
    stats = rules.read_stats({"move": 10, "previous": "cruising"})
    from tactical.world.terrain import Terrain

    assert rules.resolve is not None
    done = rules.resolve(
        stats, TurnState(), rules.options_with(), "high", Fraction(20), (Terrain(level="M", number=15),), (1,)
    )
    assert isinstance(done, d6_failures.Outcome)
    assert done.damage == Pool(0)
    worse = rules.resolve(
        stats, TurnState(), rules.options_with(), "high", Fraction(20), (Terrain(level="VD", number=24),), (4,)
    )
    assert isinstance(worse, d6_failures.Outcome)
    assert worse.damage == Pool(5)


def test_an_operators_jump_within_the_limit_does_not_fail() -> None:
    # OPR-43 leaves the landing of a failed jump to the GM; the text gives no roll, so a jump is made or refused
    from tactical.rules.profile import Approach

    rules = get_ruleset("operator")
    jump = rules.profile(rules.read_stats({"strength": 14}), TurnState(), rules.options_with(), "standing").jump
    assert jump is not None
    made = jump.flight(Approach("", Fraction(10), Fraction(10)))
    assert not isinstance(made, Refusal)
    assert (made.chance, made.check) == (1, None)
    far = jump.flight(Approach("", Fraction(20), Fraction(10)))
    assert isinstance(far, Refusal)
    assert far.code == "move.jump_length"
