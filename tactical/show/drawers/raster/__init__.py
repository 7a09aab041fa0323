"""The raster drawer: pixels through pygame, without a window or a display; also what the viewer paints with.

`draw` gives the bytes of a PNG.  `paint` puts a scene on any pygame surface through a `Canvas`, which knows where the
map lies on it; the viewer and host programs use it part by part.  pygame is imported only when something is drawn.
"""

from __future__ import annotations

import os

from tactical.show.drawers import Drawer
from tactical.show.scene.shapes import Scene
from tactical.show.theme import Theme

# pygame greets on stdout, where a command's answer goes; it asks this before it is imported
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


def draw(
    scene: Scene,
    *,
    cell: float = 40,
    legend: bool = True,
    title: bool = True,
    theme: Theme | None = None,
    ruler: bool = False,
) -> bytes:
    """The scene as a PNG file; `cell` is the width of a cell in pixels, `ruler` names columns and rows beside the map.

    A map so large that the picture would pass 8000 pixels is drawn with smaller cells.  Raises `ImportError` without
    pygame.
    """
    from tactical.show.drawers.raster.picture import png

    return png(scene, cell, legend, title, theme, ruler)


DRAWER = Drawer("raster", ".png", draw, "a PNG picture (needs pygame, no display)", needs=("pygame",),
                rulers=True)  # fmt: skip
