"""A reach as an overlay for programs that draw with something else than pygame: SVG text, or plain RGBA bytes."""

from __future__ import annotations

from dataclasses import replace

from tactical.errors import Refusal
from tactical.movement.reach import Reach
from tactical.movement.route import Route
from tactical.show.drawers import svg as drawer
from tactical.show.scene.legend import gait_count
from tactical.show.scene.scene import lit_cells, scene
from tactical.show.scene.shapes import Area, Chip, Mark, Stroke, Text
from tactical.show.theme import Theme, load

OVER = ("band", "turn", "passing", "route", "cost", "odds", "leg", "total", "end", "stop", "good", "bad", "refused")
"""Roles that lie over a map; ground, barriers, grid and tokens are the host's own."""


def svg(
    reach: Reach,
    route: Route | Refusal | None = None,
    *,
    cell: float = 32,
    costs: bool = False,
    level: int | None = None,
) -> str:
    """Bands, rims and the route as SVG over nothing: to be laid over the host's picture of the whole map.

    `cell` is the width of a cell in the host's pixels.
    """
    whole = scene(reach.battlemap, reach, route, costs=costs, grid=False, level=level)
    kept = tuple(
        shape
        for shape in whole.shapes
        if isinstance(shape, (Area, Chip, Mark, Stroke, Text)) and shape.role.partition(":")[0].startswith(OVER)
    )
    return drawer.draw(replace(whole, shapes=kept, title=""), cell=cell, legend=False, title=False, back=False)


def rgba(reach: Reach, *, level: int | None = None, theme: Theme | None = None) -> tuple[int, int, bytes]:
    """Columns, rows, and four bytes (red, green, blue, opacity) a cell, row by row from the top left.

    Enlarged by the size of a cell, without smoothing, it is the tint of every cell; cells out of reach are clear.
    """
    battlemap, look = reach.battlemap, theme or load()
    floor = reach.start.cell.level if level is None else level
    out = bytearray(4 * battlemap.cols * battlemap.rows)
    gaits = gait_count(reach.bands)
    for role, cells in lit_cells(battlemap, reach, floor).areas.items():
        style = look.style(role, gaits)
        pixel = bytes((*style.fill, round(255 * style.alpha)))
        for cell in cells:
            at = 4 * (cell.row * battlemap.cols + cell.col)
            out[at : at + 4] = pixel
    return battlemap.cols, battlemap.rows, bytes(out)
