"""Small pictures of maps and games on disk, made in a thread of their own: reading one may take long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import pygame

from tactical.play.session import Session
from tactical.rules.ruleset import get_ruleset
from tactical.show.drawers.raster.canvas import Canvas, Kit
from tactical.show.drawers.raster.ground import COARSE, paint_coarse
from tactical.show.drawers.raster.picture import paint
from tactical.show.labels import say
from tactical.show.scene.scene import scene
from tactical.show.theme import Theme
from tactical.units import spoken
from tactical.viewer.files.library import read, read_game
from tactical.wire.save import is_game
from tactical.world.battlemap import Battlemap
from tactical.world.grids import squares

SIDE = 420
"""Pixels of the longer side of a preview; it is scaled to where it is shown."""
KEPT = 24
"""How many are kept."""


@dataclass(frozen=True, slots=True)
class Preview:
    """A picture, None where there is none, and what there is to say about it."""

    picture: pygame.Surface | None
    words: tuple[str, ...]

    def fitted(self, room: tuple[int, int]) -> pygame.Surface:
        """The picture, as large as there is room for."""
        assert self.picture is not None
        width, height = self.picture.get_size()
        share = min(room[0] / width, room[1] / height)
        return pygame.transform.smoothscale(self.picture, (max(1, int(width * share)), max(1, int(height * share))))


class Previews:
    """Those made before, and the one that is being made."""

    def __init__(self) -> None:
        self._kept: dict[tuple[Path, int], Preview] = {}
        self._thread: Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether one is being made, or has come since `of` was asked last."""
        return self._thread is not None

    @property
    def come(self) -> bool:
        """Whether the one that was being made is there."""
        return self._thread is not None and not self._thread.is_alive()

    def of(self, path: Path, theme: Theme) -> Preview | None:
        """The preview of a file; None while it is made."""
        if self.come:
            self._thread = None
        try:
            key = path, path.stat().st_mtime_ns
        except OSError:
            return Preview(None, (path.name,))
        found = self._kept.get(key)
        if found is None and self._thread is None:
            self._thread = Thread(target=self._make, args=(key, theme), daemon=True)
            self._thread.start()
        return found

    def _make(self, key: tuple[Path, int], theme: Theme) -> None:
        try:
            made = _preview(key[0], theme)
        except Exception as error:  # whatever a file or a plug-in does, the page stays open
            made = Preview(None, (key[0].name, str(error)))
        self._kept[key] = made
        while len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]


def _preview(path: Path, theme: Theme) -> Preview:
    found = read_game(path) if is_game(path) else read(path)
    if isinstance(found, tuple):
        return Preview(None, (path.name, say("faults.none", name=path.name), found[0].text if found else ""))
    battlemap = found.battlemap if isinstance(found, Session) else found
    shape = say(battlemap.grid.title)
    size = say("maps.size", cols=battlemap.cols, rows=battlemap.rows, shape=shape,
               cell=f"{spoken(battlemap.cell)} {battlemap.unit}")  # fmt: skip
    who = [mover.label for mover in battlemap.movers if not mover.hidden]
    rules = get_ruleset(battlemap.rules).title if battlemap.rules else ""
    last = say("maps.round", n=found.position.round) if isinstance(found, Session) else ""
    words = "  ".join(part for part in (rules, last, ", ".join(who)) if part)
    return Preview(_picture(battlemap, theme), (battlemap.name or path.stem, size, words))


def _picture(battlemap: Battlemap, theme: Theme) -> pygame.Surface:
    wide, high = battlemap.grid.size(battlemap.cols, battlemap.rows)
    scale = SIDE / max(wide, high)
    surface = pygame.Surface((max(1, round(wide * scale)), max(1, round(high * scale))))
    surface.fill(theme.colour("window", "back"))
    canvas = Canvas(surface, theme, scale, (0.0, 0.0), 2, Kit())
    if scale < COARSE and squares(battlemap.grid) and battlemap.picture is None:
        paint_coarse(canvas, battlemap, 0, (0, 0, battlemap.cols, battlemap.rows))
    else:
        paint(canvas, scene(battlemap, grid=False))
    return surface
