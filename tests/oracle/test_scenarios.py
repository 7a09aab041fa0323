"""The oracle answers the scenarios too, so that oracle and engine are each held to the same text."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.oracle.answers import answer, answers
from tests.oracle.board import rows_of

CASES = Path(__file__).parent.parent / "cases"
SPEC = importlib.util.spec_from_file_location("tactical_cases_run", CASES / "run.py")
assert SPEC is not None
assert SPEC.loader is not None
run = sys.modules.setdefault("tactical_cases_run", importlib.util.module_from_spec(SPEC))
if not hasattr(run, "check"):
    SPEC.loader.exec_module(run)

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
LARGEST = 1900
"""Cells of the largest map that the oracle is asked about: it is slow."""


def scenarios() -> list[dict[str, Any]]:
    every = yaml.load((CASES / "scenarios.yaml").read_text(encoding="utf-8"), Loader=LOADER)["scenarios"]
    return [case for case in every if answers(case) and area(case["map"]) <= LARGEST]


def area(given: Mapping[str, Any]) -> int:
    return sum(len(row) for rows in rows_of(given).values() for row in rows)


SCENARIOS = scenarios()


@pytest.mark.parametrize("case", SCENARIOS, ids=[case["id"] for case in SCENARIOS])
def test_the_oracle_agrees_with_the_scenario(case: dict[str, Any]) -> None:
    # where the turns of a plan end is told only where all quickest plans agree; the oracle counts, it does not plan
    expected = {key: value for key, value in case["expect"].items() if key != "stops"}
    result = run.check({**case, "expect": expected}, answer)
    assert result.passed, result.problem


def test_most_scenarios_are_asked() -> None:
    assert len(SCENARIOS) >= 190
