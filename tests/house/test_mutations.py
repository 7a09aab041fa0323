"""Every fault that the tests are tried with can still be made; whether they notice is asked before a release."""

from __future__ import annotations

import ast

import pytest

from tests.house.mutations import ROOT, Mutation, mutations

FAULTS = mutations()


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.name for fault in FAULTS])
def test_a_fault_still_applies(fault: Mutation) -> None:
    text = fault.applied(ROOT)
    assert text != (ROOT / fault.file).read_text(encoding="utf-8")
    ast.parse(text)
    assert [test for test in fault.tests if test.startswith("tests/") and not (ROOT / test).exists()] == []


def test_there_are_enough_of_them() -> None:
    assert len(FAULTS) >= 30
