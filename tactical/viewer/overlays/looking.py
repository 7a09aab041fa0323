"""What the window looks at and how: camera, toggles, text size, pages that are open, and what lies where.

Paints nothing: `tactical.viewer.overlays.screen.Screen` does.
"""

from __future__ import annotations

from dataclasses import replace

import pygame

from tactical.show.drawers.raster.canvas import Kit
from tactical.show.scene.shapes import Scene
from tactical.show.sheet import Sheet
from tactical.show.theme import Theme
from tactical.units import Cell
from tactical.viewer.files.browser import Browser, Rows
from tactical.viewer.files.previews import Previews
from tactical.viewer.helping import Help
from tactical.viewer.picture.camera import Camera
from tactical.viewer.picture.frame import Frame
from tactical.viewer.picture.layer import MapLayer, Shown
from tactical.viewer.picture.look import Editing
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.menu import Menu
from tactical.viewer.playing.playback import Playback
from tactical.viewer.playing.setup import Setup
from tactical.viewer.sounds import Sounds
from tactical.world.grids import Point

READABLE = 12
"""Pixels a cell below which a whole map is not worth showing at the start."""


class Looking:
    """How the map is looked at.

    `shown` are the toggles of the map; `legend`, `explain`, `help`, `measure`, `log`, `drawer`, `menu`, `setup` what is
    open; `tip` whether the pointer has rested, `cursor` whether it is moved by keys, `timed` whether the time of a
    search is told, `greeting` whether the hints of the first start are shown; `hits` the boxes that can be clicked,
    with their commands, `hints` those that have something to say; `onward` what the button of Space said when it was
    painted.  `text` is the text size that was wished for, `size` the one there is room for: everything in the frame
    is so many times as large.
    """

    def __init__(self, surface: pygame.Surface, hand: Hand, theme: Theme, size: float = 1.0) -> None:
        self.surface, self.hand, self.theme, self.text = surface, hand, theme, size
        self.kit = Kit()
        self.layer = MapLayer(theme, self.kit)
        self.shown = Shown(odds=hand.rolled_for)
        self.timed = self.rulers = True
        self.help: Help | None = None
        self.greeting = False
        self.legend = self.explain = self.tip = self.measure = self.log = self.drawer = False
        self.reckoning = False
        self.log_first, self.log_area = 0, pygame.Rect(0, 0, 0, 0)
        self.budget: float | None = None
        self.hits: list[tuple[pygame.Rect, str]] = []
        self.hints: list[tuple[pygame.Rect, str]] = []
        self.pointer = (0, 0)
        self.cursor = False
        self.sounds = Sounds()
        self.menu: Menu | None = None
        self.setup: Setup | None = None
        self.scroll = 0
        self.rows: tuple[str, str, Rows, bool] | None = None
        self.browser: Browser | None = None
        self.previews = Previews()
        self.playback: Playback | None = None
        self.editing: Editing | None = None
        self.now = 0.0
        self.scene: Scene | None = None
        self.onward: str | None = None
        self._page: tuple[tuple[object, ...], Sheet, pygame.Surface] | None = None
        self.camera = self._fitted = Camera(self.map_area.size)
        self.fit()

    @property
    def browsing(self) -> Browser | None:
        """The page of maps and games, while that is the list that is open."""
        page = self.browser
        return page if page is not None and self.rows is not None and self.rows[2] is page.rows else None

    # -- geometry -----------------------------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """Which part of the window shows what; a question opens the drawer."""
        drawer = self.drawer or self.hand.table.pending is not None
        return Frame(self.surface.get_size(), self.text, drawer)

    @property
    def size(self) -> float:
        """How many times as large as usual everything in the frame is."""
        return Frame(self.surface.get_size(), self.text).k

    @property
    def map_area(self) -> pygame.Rect:
        """The part of the window that shows the map."""
        return self.frame.map

    @property
    def panel_area(self) -> pygame.Rect:
        """The part of the window that shows the panel."""
        return self.frame.panel

    def fit(self, *, whole: bool = False) -> None:
        """The whole map in the window; one too large to be read only where the `whole` is asked for.

        Asked for again, it is the selected mover.
        """
        battlemap = self.hand.battlemap
        before, mover = self.camera, self.hand.mover
        size = battlemap.grid.size(battlemap.cols, battlemap.rows)
        self.camera = Camera(self.map_area.size).fitted(*size)
        if self.rulers and self.camera.scale >= READABLE:
            self.camera = Camera(self.map_area.size).fitted(*size, 52 * self.size / self.camera.scale)
        self._fitted = self.camera
        small = self.camera == before if whole else self.camera.scale < READABLE
        if small and mover is not None and mover.at is not None:
            # too large to read as a whole: begin where the mover stands
            middle = battlemap.grid.centre(mover.at.col, mover.at.row)
            self.camera = replace(self.camera, scale=max(24.0, self.camera.scale)).centred(middle)

    def refit(self) -> None:
        """After the window has another size: a map that filled it fills it again, else it keeps its place."""
        if self.camera == self._fitted:
            self.fit(whole=True)
        else:
            self.camera = self.camera.resized(self.map_area.size)

    def resize_text(self, size: float) -> None:
        """Another text size; the map keeps its place."""
        self.text, self._page = size, None
        self.refit()

    def on_map(self, pixel: tuple[int, int]) -> bool:
        """Whether a pixel shows the map, and nothing that lies over it."""
        covered = self.panel_area.collidepoint(pixel) or (self.log and self.log_area.collidepoint(pixel))
        return self.map_area.collidepoint(pixel) and not covered

    def cell_at(self, pixel: tuple[int, int]) -> Cell | None:
        """The cell of the map under a pixel of the window."""
        area = self.map_area
        if not self.on_map(pixel):
            return None
        cell = self.camera.cell(self.hand.battlemap.grid, (pixel[0] - area.x, pixel[1] - area.y), self.hand.level)
        return cell if cell in self.hand.battlemap else None

    def point_at(self, pixel: tuple[int, int]) -> tuple[float, float]:
        """The point of the map under a pixel of the window."""
        area = self.map_area
        return self.camera.point((pixel[0] - area.x, pixel[1] - area.y))

    def pixel_of(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell in pixels of the window."""
        x, y = self.camera.pixel(self.hand.battlemap.grid.centre(cell.col, cell.row))
        area = self.map_area
        return round(x + area.x), round(y + area.y)

    def show_selected(self) -> None:
        """Bring the selected mover into sight."""
        mover = self.hand.mover
        if mover is not None and mover.at is not None:
            middle = self.hand.battlemap.grid.centre(mover.at.col, mover.at.row)
            if not self.camera.sees(middle):
                self.camera = self.camera.centred(middle)

    def follow(self, point: Point, edge: float = 1.5) -> None:
        """Shift the map no further than brings a point into sight, with some cells of the map to spare."""
        free, area, k = self.frame.free, self.map_area, self.camera.scale
        x, y = self.camera.pixel(point)
        battlemap = self.hand.battlemap
        wide, high = battlemap.grid.size(battlemap.cols, battlemap.rows)
        most = min(edge * k, free.width / 3, free.height / 3)
        # beyond the map's edge there is nothing to see
        left, top, right, bottom = (
            min(most, (room + 0.25) * k) for room in (point[0], point[1], wide - point[0], high - point[1])
        )
        dx = max(0.0, left - x) + min(0.0, free.width - right - x)
        dy = max(0.0, top - y) + min(0.0, area.height - bottom - y)
        self.camera = self.camera.moved(dx, dy)

    def look_at(self, cell: Cell) -> None:
        """Bring a cell into the middle, on its floor."""
        self.hand.level = cell.level
        self.camera = self.camera.centred(self.hand.battlemap.grid.centre(cell.col, cell.row))

    def command_at(self, pixel: tuple[int, int]) -> str:
        """The command of the button under a pixel, or an empty string."""
        return next((command for box, command in reversed(self.hits) if box.collidepoint(pixel)), "")

    def hint_at(self, pixel: tuple[int, int]) -> str:
        """What a button under a pixel has to say."""
        return next((words for box, words in reversed(self.hints) if box.collidepoint(pixel)), "")

    def scrolled(self, by: int) -> None:
        """Move the panel up or down."""
        if self._page is not None:
            room = self._page[2].get_height() - self.panel_area.height
            self.scroll = max(0, min(room, self.scroll + by))
