"""The camera: which part of a map a window shows, and how large.  Plain numbers; knows no pygame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor

from tactical.units import Cell
from tactical.world.grids import Grid, Point

SMALLEST, LARGEST = 2.0, 128.0
"""Pixels a cell at the least and the most."""
TINIEST = 0.5
"""Pixels a cell where a whole map is asked for."""
FITTED = 64.0
"""Pixels a cell of a small map that is fitted into a window, or a twentieth of a very large window."""
STEP = 1.2
"""One notch of the wheel."""


@dataclass(frozen=True, slots=True)
class Camera:
    """`scale` pixels a cell; `origin` is the map point (in cells) in the corner of a view of `size` pixels."""

    size: tuple[int, int]
    scale: float = 32.0
    origin: Point = (0.0, 0.0)

    def pixel(self, point: Point) -> Point:
        """Where a point of the map is seen, in pixels of the view."""
        return (point[0] - self.origin[0]) * self.scale, (point[1] - self.origin[1]) * self.scale

    def point(self, pixel: Point) -> Point:
        """The point of the map under a pixel."""
        return pixel[0] / self.scale + self.origin[0], pixel[1] / self.scale + self.origin[1]

    def cell(self, grid: Grid, pixel: Point, level: int = 0) -> Cell:
        """The cell under a pixel; may lie off the map."""
        return Cell(*grid.cell_at(*self.point(pixel)), level)

    def zoomed(self, factor: float, about: Point | None = None) -> Camera:
        """Larger or smaller, the point under `about` (the middle by default) staying where it is."""
        about = about or (self.size[0] / 2, self.size[1] / 2)
        scale = min(LARGEST, max(min(SMALLEST, self.scale), self.scale * factor))
        x, y = self.point(about)
        return replace(self, scale=scale, origin=(x - about[0] / scale, y - about[1] / scale))

    def moved(self, dx: float, dy: float) -> Camera:
        """Shifted so that the map moves by so many pixels."""
        return replace(self, origin=(self.origin[0] - dx / self.scale, self.origin[1] - dy / self.scale))

    def resized(self, size: tuple[int, int]) -> Camera:
        """The same place in a window of another size."""
        return replace(self, size=size)

    def fitted(self, width: float, height: float, margin: float = 0.0) -> Camera:
        """A whole map of `width` by `height` cells, in the middle."""
        scale = min(self.size[0] / (width + margin), self.size[1] / (height + margin))
        scale = min(max(FITTED, min(self.size) / 20), LARGEST, max(TINIEST, scale))
        free = self.size[0] / scale - width, self.size[1] / scale - height
        return replace(self, scale=scale, origin=(-free[0] / 2, -free[1] / 2))

    def kept_near(self, width: float, height: float) -> Camera:
        """Pulled back so that some of the map stays in sight."""
        across, down = self.size[0] / self.scale, self.size[1] / self.scale
        edge = 3.0
        x = min(max(self.origin[0], edge - across), width - edge)
        y = min(max(self.origin[1], edge - down), height - edge)
        return replace(self, origin=(x, y))

    def centred(self, point: Point) -> Camera:
        """With a point of the map in the middle."""
        return replace(
            self, origin=(point[0] - self.size[0] / 2 / self.scale, point[1] - self.size[1] / 2 / self.scale)
        )

    def sees(self, point: Point) -> bool:
        """Whether a point lies in the view."""
        x, y = self.pixel(point)
        return 0 <= x < self.size[0] and 0 <= y < self.size[1]

    def view(self, grid: Grid) -> tuple[int, int, int, int]:
        """The columns and rows that are seen, with one to spare on each side."""
        corners = [grid.cell_at(*self.point((x, y))) for x in (0, self.size[0]) for y in (0, self.size[1])]
        cols, rows = [col for col, _ in corners], [row for _, row in corners]
        return floor(min(cols)) - 1, floor(min(rows)) - 1, ceil(max(cols)) + 2, ceil(max(rows)) + 2
