"""Every worked rule case, one test each."""

from __future__ import annotations

import importlib.util
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("tactical_cases_run", HERE / "run.py")
assert SPEC is not None
assert SPEC.loader is not None
run = importlib.util.module_from_spec(SPEC)
sys.modules["tactical_cases_run"] = run
SPEC.loader.exec_module(run)

CASES: list[dict[str, Any]] = yaml.safe_load((HERE / "rules.yaml").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    result = run.check(case, run.answer_case)
    assert result.passed, result.problem


def test_ids_are_unique() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize(
    ("expected", "found", "same"),
    [
        (2.5, Fraction(5, 2), True),
        ("4/20", Fraction(1, 5), True),
        (1, True, False),
        (None, 0, False),
        ("5+10*sqrt2", Fraction(191421356, 10000000), True),
        ("5+10*sqrt2", Fraction(19), False),
        ("sqrt2", Fraction(141421356, 100000000), True),
        ("3D", "3D", True),
        ("3D", "4D", False),
        ([1, 2], (1, 2), True),
        ([1, 2], (1, 2, 3), False),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {}, False),
    ],
)
def test_comparison_is_exact(expected: Any, found: Any, same: bool) -> None:
    assert (not list(run.differences(expected, found))) is same


def test_an_unknown_kind_fails() -> None:
    case = {"id": "X", "ruleset": "operator", "kind": "no_such_kind", "given": {}, "expect": {}}
    assert "no_such_kind" in run.check(case, run.answer_case).problem
