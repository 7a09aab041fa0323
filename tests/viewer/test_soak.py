"""Random real inputs leave no traceback, and no memory behind (`python -m tests.viewer.soak 20000` for a long one)."""

from __future__ import annotations

import gc

import pytest

pygame = pytest.importorskip("pygame")

from tactical import Cell, Session  # noqa: E402
from tactical.search.workspace import IDLE, MOST_IDLE  # noqa: E402
from tactical.show.drawers.raster.canvas import MOST_SPRITES, MOST_WORDS  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.editing import drawing  # noqa: E402
from tactical.viewer.editing.brushes import brushes_of  # noqa: E402
from tactical.viewer.editing.drawing import Drawing  # noqa: E402
from tactical.viewer.files.library import Library  # noqa: E402
from tactical.viewer.picture import tiles  # noqa: E402
from tactical.viewer.playing.table import MOST_REPLACED  # noqa: E402
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


def alive(kind: type) -> int:
    gc.collect()
    return sum(type(one) is kind for one in gc.get_objects())


def test_games_that_were_replaced_are_not_all_kept(app):
    """Turns in order or in none, other rules: each is a game of its own, that undo leads back to for a while."""
    before = alive(Session)
    for _ in range(MOST_REPLACED + 10):
        app.command("order")
    assert alive(Session) - before <= MOST_REPLACED
    first = app.hand.session
    app.command("undo")
    assert app.hand.session is not first


def test_tiles_are_bounded_by_their_pixels(app, monkeypatch):
    monkeypatch.setattr(tiles, "KEPT", 2 << 20)
    made = app.screen.layer.tiles
    seen = len(made._tiles) * 320**2 * 4
    for n in range(40):
        app.command("zoom_in" if n % 7 else "fit")
        app.screen.camera = app.screen.camera.moved(37 * n % 200, 53 * n % 200)
        app.draw()
        bytes_of = [sum(one[0].get_width() * one[0].get_height() * 4 for one in kept.values())
                    for kept in (made._tiles, made._floors)]  # fmt: skip
        seen = max(seen, len(made._seen) * max(one[0].get_width() for one in made._tiles.values()) ** 2 * 4)
        assert max(bytes_of) <= max(tiles.KEPT, seen)


def test_steps_of_a_drawing_are_bounded(battlemap, monkeypatch):
    monkeypatch.setattr(drawing, "MOST_PAINTED", 100)
    made, brush = Drawing(battlemap), brushes_of(battlemap)[0]
    for n in range(60):
        made.begin()
        made.paint([Cell(n % 12, n // 12)], brush)
        made.end()
    assert len(made._done) == drawing.LEAST_STEPS


def test_what_a_window_begins_with_is_not_looked_through_again(app):
    before = gc.get_freeze_count()
    try:
        app.open()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
