"""Situations worked out by hand from the rule texts, asked as a user asks; some through processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.surface.asking import differences, faults

SITUATIONS: list[dict[str, Any]] = yaml.safe_load(Path(__file__, "../situations.yaml").resolve().read_text("utf-8"))


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda one: one["id"])
def test_it_is_as_the_rules_have_it(situation: dict[str, Any], tmp_path: Path) -> None:
    assert list(faults(situation, tmp_path)) == [], situation["why"]


@pytest.mark.parametrize("situation", SITUATIONS[::17], ids=lambda one: one["id"])
def test_processes_say_the_same(situation: dict[str, Any], tmp_path: Path) -> None:
    assert list(faults(situation, tmp_path, real=True)) == [], situation["why"]


def test_a_difference_is_seen() -> None:
    answer = {"a": [{"b": 1}, {"b": "1/2"}], "ok": True}
    right = {"a[1].b": 0.5, "len a": 2, "has a[*].b": "0.5", "not a[*].b": 3, "ok": True, "none": None}
    assert list(differences(answer, right)) == []
    for wrong in ({"a[1].b": 1}, {"len a": 1}, {"has a[*].b": 3}, {"not a[*].b": 1}, {"ok": 1}, {"a[2].b": 1}):
        assert len(list(differences(answer, wrong))) == 1
