"""The pictures of the README and of `assets/` are what the program draws today.

SVG must be the same to the letter.  The window's words come out differently in the two pygame libraries, so PNG
pictures are compared with their words left out of account: nearly all pixels must be nearly the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pygame = pytest.importorskip("pygame")

from tests.house.pictures import ASSETS, SHOTS, SVG, draw, window  # noqa: E402

STALE = "the pictures have changed: look at them, then run python -m tests.house.pictures"
FAR = 40
"""A pixel differs where a colour is further away than this: less is the palette."""
MOST, MOST_CE = 0.005, 0.02
"""The share that may differ: of pixels, and of blocks of 16 by 16 where pygame-ce draws what pygame has drawn."""
BLOCK = 16
LARGEST = 250 * 1024


def difference(a: Any, b: Any, block: int) -> float:
    """The share of pixels (of blocks) that are not nearly the same."""
    pair = [np.asarray(pygame.surfarray.array3d(one), dtype=int) for one in (a, b)]
    width, height = (side // block * block for side in pair[0].shape[:2])
    means = [
        one[:width, :height].reshape(width // block, block, height // block, block, 3).mean(axis=(1, 3)) for one in pair
    ]
    return float((np.abs(means[0] - means[1]).max(axis=2) > FAR).mean())


@pytest.mark.parametrize("name", sorted(SVG))
def test_the_picture_is_what_is_drawn(name: str, tmp_path: Path) -> None:
    drawn = draw(name, tmp_path).read_text(encoding="utf-8")
    kept = (ASSETS / name).read_text(encoding="utf-8")
    same = drawn == kept  # compared here: pytest would print both pictures
    assert same, STALE


@pytest.mark.parametrize("name", sorted(SHOTS))
def test_the_window_is_what_is_drawn(name: str) -> None:
    kept = pygame.image.load(str(ASSETS / name))
    drawn = window(SHOTS[name])
    assert kept.get_size() == drawn.get_size()
    other = getattr(pygame, "IS_CE", False)
    wrong = difference(kept, drawn, BLOCK if other else 1)
    assert wrong <= (MOST_CE if other else MOST), f"{wrong:.1%} differ: {STALE}"


@pytest.mark.parametrize("name", sorted(SHOTS))
def test_pictures_stay_small(name: str) -> None:
    assert (ASSETS / name).stat().st_size <= LARGEST


def test_a_picture_that_has_changed_is_noticed() -> None:
    one, other = (pygame.image.load(str(ASSETS / name)) for name in ("window-roll.png", "window-failure.png"))
    assert difference(one, other, 1) > 10 * MOST
    assert difference(one, other, BLOCK) > 2 * MOST_CE
