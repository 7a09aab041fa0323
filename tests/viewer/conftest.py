"""A window without a display, on a small map."""

from __future__ import annotations

import os

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

ROWS = [
    "............",
    "............",
    "....####....",
    "....#..#....",
    "....#..#..~.",
    "....##.#..~.",
    "............",
    "............",
]
LEGEND = {"~": {"terrain": "mud", "difficult": True}}


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is pointed at is answered at once, however busy the machine is; slices have tests of their own."""
    monkeypatch.setattr("tactical.viewer.playing.asking.AT_ONCE", 1e9)


@pytest.fixture
def battlemap() -> Battlemap:
    return Battlemap.from_rows(
        ROWS,
        LEGEND,
        name="Yard",
        rules="operator",
        movers=(
            Mover("raven", at=Cell(1, 6), side="heroes"),
            Mover("magpie", at=Cell(0, 0), side="heroes", posture="prone"),
            Mover("guard", at=Cell(9, 1), side="watch"),
            Mover("ghoul", at=Cell(11, 7), side="watch", hidden=True),
        ),
    )


@pytest.fixture
def opened(tmp_path):
    """Opens a window on a map and paints it; no window is left when the test is over."""
    pygame = pytest.importorskip("pygame")
    from tactical.viewer.app import App
    from tactical.viewer.files.library import Library

    def go(board, mover=None, **more):
        app = App(board, mover, **{"size": (1280, 800), "text": 1.0, "library": Library(tmp_path / "settings"), **more})
        pygame.event.clear()
        app.draw()
        return app

    yield go
    pygame.display.quit()


@pytest.fixture
def editing(opened):
    """Opens a window on a map and goes over to the edit mode."""
    pygame = pytest.importorskip("pygame")
    from tests.viewer.test_app import press

    def go(board, mover=None, **more):
        app = opened(board, mover, **more)
        press(app, pygame.K_F2)
        app.draw()
        return app

    return go


@pytest.fixture
def app(opened, battlemap):
    """A window on the small map, with Raven selected."""
    return opened(battlemap, "raven")


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory, monkeypatch):
    """What a window remembers and keeps goes into a folder of the test's own."""
    folder = str(tmp_path_factory.mktemp("settings"))
    for name in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(name, folder)
