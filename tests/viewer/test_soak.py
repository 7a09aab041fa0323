"""Random real inputs leave no traceback, and no memory behind (`python -m tests.viewer.soak 20000` for a long one)."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.search.workspace import IDLE, MOST_IDLE  # noqa: E402
from tactical.show.drawers.raster.canvas import MOST_SPRITES, MOST_WORDS  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tests.viewer.soak import soak  # noqa: E402


@pytest.mark.parametrize("seed", [7, 8])
def test_nothing_breaks_under_random_inputs(battlemap, seed, tmp_path):
    app = App(battlemap, "raven", size=(800, 600), text=1.0, library=Library(tmp_path))
    app.draw()
    soak(app, 150, seed)
    assert len(app.screen.hits) < 400
    assert len(app.hand.pins) <= 3
    kit = app.screen.kit
    assert kit.words.bytes <= MOST_WORDS
    assert kit.sprites.bytes <= MOST_SPRITES
    assert sum(space.bytes for space in IDLE) < 2 * MOST_IDLE
    # names and prices of what was asked, and the graphs of it
    assert len(app.hand.table.battlemap.store) < 1000
    pygame.display.quit()
