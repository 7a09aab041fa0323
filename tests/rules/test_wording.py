"""Every clause id that code or a ledger names is explained in a sentence of our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tactical.errors import UnknownName
from tactical.registry import RULESETS
from tactical.rules.clauses import all_clauses, explain
from tactical.rules.ruleset import get_ruleset

CODE = Path(__file__).parents[2] / "tactical"
FAMILIES = {
    "operator": {"OPR"},
    "d6-reup": {"REUP"},
    "d6-revised": {"REUP", "REV"},
    "twelve-second": {"TWS"},
    "shapers": {"SHP"},
}
CITED = {
    clause
    for file in CODE.rglob("*.py")
    if not file.stem.endswith("clauses")
    for clause in re.findall(r"\b(?:OPR|REUP|REV|TWS|SHP|G)-A?\d\d\b", file.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("system", FAMILIES)
def test_every_clause_cited_has_a_sentence(system: str) -> None:
    known = all_clauses(get_ruleset(system))
    cited = {clause for clause in CITED if clause.split("-")[0] in {*FAMILIES[system], "G"}}
    assert len(cited) > 40
    assert {clause for clause in cited if not known.get(clause)} == set()


@pytest.mark.parametrize("system", FAMILIES)
def test_sentences_are_sentences_and_none_is_said_twice(system: str) -> None:
    told = get_ruleset(system).clauses
    assert all(text[0].isupper() and text.endswith(".") and len(text) < 120 for text in told.values())
    own = {clause: text for clause, text in told.items() if clause.split("-")[0] != "REUP" or system == "d6-reup"}
    assert len(set(own.values())) == len(own)


def test_an_id_is_found_however_it_is_written() -> None:
    operator = get_ruleset("operator")
    assert explain(operator, "OPR-14") == explain(operator, " opr-14")
    assert explain(operator, "*OPR-A03")[2] == ["crouch_model"]
    assert explain(operator, "house_pace")[2] == ["house_pace"]
    with pytest.raises(UnknownName):
        explain(operator, "TWS-14")


def test_a_system_without_a_table_knows_the_common_rulings() -> None:
    for name in RULESETS.names():
        assert explain(get_ruleset(name), "engine")[1]
