"""The pictures of the README are what the program draws today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.pictures import ASSETS, PICTURES, draw


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_the_picture_is_what_is_drawn(name: str, tmp_path: Path) -> None:
    drawn = draw(name, tmp_path).read_text(encoding="utf-8")
    kept = (ASSETS / name).read_text(encoding="utf-8")
    same = drawn == kept  # compared here: pytest would print both pictures
    assert same, "the pictures have changed: look at them, then run python tests/house/pictures.py"
