"""Every map scenario, one test each."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
NAME = "tactical_cases_run"
if NAME not in sys.modules:
    SPEC = importlib.util.spec_from_file_location(NAME, HERE / "run.py")
    assert SPEC is not None
    assert SPEC.loader is not None
    sys.modules[NAME] = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(sys.modules[NAME])
run: Any = sys.modules[NAME]

DOCUMENT: dict[str, Any] = yaml.safe_load((HERE / "scenarios.yaml").read_text(encoding="utf-8"))
SCENARIOS: list[dict[str, Any]] = DOCUMENT["scenarios"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["id"] for scenario in SCENARIOS])
def test_scenario(scenario: dict[str, Any]) -> None:
    result = run.check(scenario, run.answer_scenario)
    assert result.passed, result.problem


def test_nothing_is_pending() -> None:
    assert not (HERE / "pending.txt").exists()


def test_ids_are_unique_and_every_topic_is_there() -> None:
    assert len({scenario["id"] for scenario in SCENARIOS}) == len(SCENARIOS)
    assert {scenario["topic"] for scenario in SCENARIOS} == set(DOCUMENT["topics"])


@pytest.mark.parametrize("system", ["plain", "operator", "d6-reup", "d6-revised", "twelve-second", "shapers"])
def test_every_option_of_the_table_is_known(system: str) -> None:
    from tactical.rules.ruleset import get_ruleset

    options = get_ruleset(system).options_with()
    for name, facts in DOCUMENT["options"].items():
        belongs = {"operator": "OPR", "d6-reup": "REUP", "d6-revised": "REV", "twelve-second": "TWS", "shapers": "SHP"}
        own = any(prefix in facts["from"] for prefix in belongs.values())
        if not own or name in options:
            default = facts.get("by_ruleset", {}).get(system, facts["default"])
            if name in options:
                assert options.spec(name).parse(default) == options[name], name
            else:
                assert not facts["from"].startswith("engine") or name in get_ruleset(system).inert, name
