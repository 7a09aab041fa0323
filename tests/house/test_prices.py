"""The README's table of one way under five rule systems is what the rules say today."""

from __future__ import annotations

from pathlib import Path

from tests.house.prices import table

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_table_is_true() -> None:
    found = table()
    assert found in README, f"write this into the README:\n{found}"
    assert len(found.splitlines()) == 7
