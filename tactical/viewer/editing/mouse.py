"""What the mouse does in the edit mode, tool by tool; everything between press and release is one step for undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import ceil, hypot

import pygame

from tactical.errors import TacticalError
from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.editing.alike import flooded, walled
from tactical.viewer.editing.bench import PAINTING, Bench
from tactical.viewer.editing.sides import side_at
from tactical.world.edges.barriers import Kind
from tactical.world.grids import Point

Pixel = tuple[int, int]


class Mouse:
    """The mouse over the map; `button` is the one that is down, 0 for none."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.button = 0
        self.wide = False
        self._last: Pixel = (0, 0)
        self._from: tuple[str | int, Point] | None = None
        self._presses: Mapping[str, Callable[[Pixel, Cell | None], None]] = {
            "line": lambda pixel, cell: self._line([pixel]),
            "move": self._take,
            "doors": self._door,
            "link": self._link,
            "figure": self._figure,
        }

    def takes(self, event: pygame.event.Event, mods: int = 0) -> bool:
        """Do what the mouse does on the map with the tool in hand; False for what is not the mode's to take."""
        bench, screen = self.bench, self.bench.screen
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3) and not self.button:
            if screen.help or screen.rows is not None or not screen.map_area.collidepoint(event.pos):
                return False
            self.button, self._last, self.wide = event.button, event.pos, bool(mods & pygame.KMOD_SHIFT)
            bench.drawing.begin()
            self._press(event.pos)
        elif event.type == pygame.MOUSEMOTION and self.button:
            screen.pointer = event.pos
            self._drag(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == self.button:
            if bench.tool == "box":
                bench.lay(list(bench.selection.cells), off=self.button == 3)
                bench.selection.clear()
            self.button, self._from = 0, None
            bench.drawing.end()
        elif event.type == pygame.MOUSEWHEEL and bench.selection.seed is not None:
            bench.selection.turned(event.y)
        else:
            return False
        return True

    def _press(self, pixel: Pixel) -> None:
        bench, cell = self.bench, self.bench.screen.cell_at(pixel)
        if bench.tool in self._presses:
            self._presses[bench.tool](pixel, cell)
        elif bench.tool == "brush":
            self._stroke([pixel])
        elif cell is None or bench.tool not in PAINTING:
            return
        elif bench.tool == "box":
            bench.selection.box(cell)
        elif bench.tool == "fill":
            bench.lay(list(self._pool(cell)), off=self.button == 3)
        elif cell in bench.selection.cells:
            bench.lay(list(bench.selection.cells), off=self.button == 3)
            bench.selection.clear()
        elif bench.tool == "wand":
            bench.selection.like(cell, self.wide)
        elif self.button == 1:
            bench.selection.corner(bench.point(pixel))
        else:
            bench.selection.no_corner()

    def _drag(self, pixel: Pixel) -> None:
        bench = self.bench
        if bench.tool in ("brush", "line"):
            (x0, y0), (x1, y1) = self._last, pixel
            # a fast hand skips cells: what lies between is painted too
            steps = max(1, ceil(hypot(x1 - x0, y1 - y0) / max(1.0, bench.screen.camera.scale / 4)))
            between = [
                (round(x0 + (x1 - x0) * n / steps), round(y0 + (y1 - y0) * n / steps)) for n in range(1, steps + 1)
            ]
            (self._stroke if bench.tool == "brush" else self._line)(between)
        cell = bench.screen.cell_at(pixel)
        if bench.tool == "box" and cell is not None:
            bench.selection.box(cell)
        elif bench.tool in ("move", "figure") and self.button == 1:
            self._carry(pixel, cell)
        self._last = pixel

    def _stroke(self, pixels: list[Pixel]) -> None:
        found = dict.fromkeys(self.bench.screen.cell_at(pixel) for pixel in pixels)
        self.bench.lay([cell for cell in found if cell is not None], off=self.button == 3)

    def _pool(self, cell: Cell) -> set[Cell]:
        """The cells that hang together with one and have its ground, up to the next wall or door."""
        drawing, battlemap = self.bench.drawing, self.bench.hand.battlemap
        ground, cut = drawing.ground(cell), walled(battlemap, cell.level)
        return flooded(
            battlemap, cell, lambda other: drawing.ground(other) == ground,
            between=lambda a, b: (a[:2], b[:2]) not in cut,
        )  # fmt: skip

    # -- barriers -----------------------------------------------------------------------------------------------------

    def _line(self, pixels: list[Pixel]) -> None:
        """Draw barriers on the sides of cells along a stroke; with the right button take away what lies there."""
        bench, changed = self.bench, False
        level = bench.hand.level
        for pixel in pixels:
            cell, point = bench.screen.cell_at(pixel), bench.point(pixel)
            if self.button == 3:
                near = bench.drawing.near(point, level)
                changed |= near is not None and bench.drawing.unwall(near)
            elif cell is not None:
                side = side_at(bench.hand.battlemap.grid, cell, point)
                changed |= side is not None and bench.drawing.wall(side, bench.kind, level)
        if changed:
            bench.follow()

    def _door(self, pixel: Pixel, cell: Cell | None) -> None:
        """Open or shut the door that is nearest; with the right button lock it, hide it, or neither."""
        bench = self.bench
        nearest = bench.drawing.near(bench.point(pixel), bench.hand.level, Kind.DOOR)
        if nearest is None:
            bench.hand.tell(say("edit.no_door"), warn=True)
            return
        turned = bench.drawing.toggle(nearest) if self.button == 1 else bench.drawing.bolt(nearest)
        if turned and bench.follow():
            door = bench.drawing.work.barriers[nearest]
            bench.hand.tell(say("edit.door", name=door.id, state=door.state.value if door.state else ""))

    # -- what is moved ------------------------------------------------------------------------------------------------

    def _take(self, pixel: Pixel, cell: Cell | None) -> None:
        """Take hold of a figure or a barrier; with the right button take it away."""
        bench = self.bench
        someone = bench.hand.mover_at(cell) if cell is not None else None
        near = None if someone is not None else bench.drawing.near(bench.point(pixel), bench.hand.level)
        if someone is None and near is None:
            bench.hand.tell(say("edit.nothing"), warn=True)
        elif self.button == 3:
            if bench.drawing.remove(someone.id) if someone is not None else bench.drawing.unwall(near or 0):
                bench.follow()
        elif cell is not None:
            at = bench.hand.battlemap.grid.centre(cell.col, cell.row)
            self._from = (someone.id if someone is not None else near or 0, at)

    def _carry(self, pixel: Pixel, cell: Cell | None) -> None:
        """Carry what was taken hold of along; a barrier goes from cell to cell as well, with Shift wherever it is."""
        bench = self.bench
        if self._from is None or cell is None:
            return
        what, (x, y) = self._from
        bench.drawing.afresh()
        if isinstance(what, str):
            mover = next((one for one in bench.drawing.work.movers if one.id == what), None)
            if mover is not None:
                bench.drawing.change(what, replace(mover, at=cell))
        else:
            grid = bench.hand.battlemap.grid
            x1, y1 = bench.point(pixel) if self.wide else grid.centre(cell.col, cell.row)
            (ax, ay), (bx, by) = bench.drawing.work.barriers[what].line
            dx, dy = x1 - x, y1 - y
            bench.drawing.move(what, ((ax + dx, ay + dy), (bx + dx, by + dy)))
        if bench.follow() and isinstance(what, str) and what in bench.hand.table.ids:
            bench.hand.select(what)

    # -- figures and links --------------------------------------------------------------------------------------------

    def _figure(self, pixel: Pixel, cell: Cell | None) -> None:
        """Choose the figure on a cell, or put one there; with the right button take it away."""
        bench = self.bench
        if cell is None:
            return
        someone, figures = bench.hand.mover_at(cell), bench.figures
        if self.button == 3:
            if someone is not None and bench.drawing.remove(someone.id):
                figures.let_go()
                bench.follow()
        elif someone is not None:
            mover = next(one for one in bench.drawing.work.movers if one.id == someone.id)
            figures.choose(mover)
            bench.hand.select(mover.id)
            self._from = (mover.id, bench.hand.battlemap.grid.centre(cell.col, cell.row))
        elif figures.chosen and not figures.fresh:
            figures.let_go()
        else:
            if figures.fresh:
                figures.another()
            self._place(cell)

    def _place(self, cell: Cell) -> None:
        bench, figures = self.bench, self.bench.figures
        try:
            mover = figures.made(cell, bench.hand.battlemap, bench.rules)
        except (TacticalError, ValueError) as error:
            bench.hand.tell(str(error), warn=True)
            return
        if bench.drawing.place(mover) and bench.follow() and mover.id in bench.hand.table.ids:
            bench.hand.select(mover.id)
            if bench.hand.selected == mover.id:
                key = "edit.placed" if mover.side else "edit.placed.no_side"
                words = {"name": mover.label, "side": mover.side, "cell": bench.hand.battlemap.name_of(cell)}
                bench.hand.tell(say(key, **words))
                figures.choose(mover)
                figures.fresh = True

    def _link(self, pixel: Pixel, cell: Cell | None) -> None:
        """Begin a link at a cell, end it at another, on whichever floor; with the right button take one away."""
        bench = self.bench
        if cell is None:
            return
        name = bench.hand.battlemap.name_of
        if self.button == 3:
            bench.start = None
            if bench.drawing.unlink(cell):
                bench.follow()
        elif bench.start is None:
            bench.start = cell
            bench.hand.tell(say("edit.link.begun", cell=name(cell)))
        else:
            start, bench.start = bench.start, None
            if bench.drawing.link(start, cell, bench.way) and bench.follow():
                bench.hand.tell(say("edit.link.laid", kind=bench.way, start=name(start), end=name(cell)))
