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


@pytest.fixture(autouse=True)
def _settings(tmp_path_factory, monkeypatch):
    """What a window remembers and keeps goes into a folder of the test's own."""
    folder = str(tmp_path_factory.mktemp("settings"))
    for name in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(name, folder)
    # what is asked is what comes of an order, not when: a busy machine is no reason to wait for it in slices
    monkeypatch.setattr("tactical.viewer.plan.AT_ONCE", 30.0)
