"""What inputs cost in the window: processor time of handling each, and of the slices of work between them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from tactical import load
from tests.bench.public import MAPS, SAMPLES, Row, race

INPUTS, MOST = 150, 50


def inputs(name: str, count: int = INPUTS) -> Iterator[Row]:
    """Random inputs in a window on a sample map, given twice: of each the cheaper time, and of all the dearest."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
    from tactical.viewer.app import App
    from tactical.viewer.files.library import Library
    from tests.viewer.soak import soak

    runs: list[list[tuple[float, str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            app = App(load(MAPS / f"{name}.yaml"), text=1.0, library=Library(Path(folder)))
            app.open()
            runs.append(soak(app, count))
    handled = [[ms for ms, what in run if what.split()[0] not in ("tick", "draw")] for run in runs]
    ticks = [sorted(ms for ms, what in run if what.startswith("tick")) for run in runs]
    beat = race("", {}).beat
    for title, found in (("an input", list(map(min, *handled))), ("a slice of work", list(map(min, *ticks)))):
        low, _, high = quantiles(found)
        over = sum(ms > MOST for ms in found)
        dearest = (
            f"{title} in the window, dearest of {len(found)}, {name} (median {median(found):.1f}, {over} over {MOST})"
        )
        yield Row(dearest, {"tactical": max(found)}, {"tactical": (low, high)}, most=MOST, beat=beat)


def rows() -> Iterator[Row]:
    """A pair of rows for every sample map; none where there is no pygame."""
    try:
        import pygame  # noqa: F401
    except ImportError:
        return
    for name in SAMPLES:
        yield from inputs(name)
