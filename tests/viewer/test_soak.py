"""Random real inputs leave no traceback, and no memory behind (`python -m tests.viewer.soak 20000` for a long one)."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.library import Library  # noqa: E402
from tests.viewer.soak import soak  # noqa: E402


@pytest.mark.parametrize("seed", [7, 8])
def test_nothing_breaks_under_random_inputs(battlemap, seed, tmp_path):
    app = App(battlemap, "raven", size=(800, 600), text=1.0, library=Library(tmp_path))
    app.draw()
    soak(app, 150, seed)
    assert len(app.screen.hits) < 400
    assert len(app.hand.pins) <= 3
    pygame.display.quit()
