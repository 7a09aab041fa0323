"""Reading a scene: place its grid, clip its walls to it floor by floor, seat its tokens, tell the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tactical.formats import Report, many
from tactical.formats.foundry.canvas import Canvas
from tactical.formats.foundry.regions import read_regions
from tactical.formats.foundry.scenes import Scene, scene_of
from tactical.formats.foundry.tokens import read_tokens
from tactical.formats.foundry.walls import Walls
from tactical.values import replaced
from tactical.world.battlemap import Battlemap

REST = ("lights", "sounds", "notes", "tiles", "drawings", "templates")


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read the scene that was asked for."""
    twice: list[str] = []
    unread: list[int] = []
    scene, of = scene_of(data, source, options["scene"], twice, unread)
    reader = Reader(source, options)
    if unread:
        lines = ", ".join(map(str, unread[:5])) + (" …" if len(unread) > 5 else "")
        words = f"{many(len(unread), 'line')} of the file cannot be read (line {lines}): what stands there is left out"
        reader.tell("warning", words, len(unread))
    if twice:
        reader.tell("warning", f"{many(len(twice), 'key')} written twice: the last one counts", len(twice))
    if of > 1:
        reader.tell("read", f"1 scene of {of}")
    return reader.done(reader.read(scene))


class Reader(Canvas):
    """One scene on its way to a map."""

    def read(self, scene: Scene) -> Battlemap | None:
        """The map, or None if the scene has faults."""
        self.lay(scene)
        if self.faults:
            return None
        cell, unit = self.cell_of(scene)
        levels = self.read_levels(scene)
        barriers = Walls(self).read(self.listed(scene, "walls"))
        regions = read_regions(self, self.listed(scene, "regions"))
        movers = read_tokens(self, self.listed(scene, "tokens")) if self.options["tokens"] else ()
        self._rest(scene)
        if self.faults:
            return None
        name = scene.get("name")
        return Battlemap(
            levels,
            grid=self.grid,
            cell=cell,
            unit=unit,
            barriers=tuple(barriers),
            links=regions[0],
            zones=regions[1],
            movers=tuple(movers),
            name=replaced(name[:200] if isinstance(name, str) else ""),
            source=self.source,
        )

    def _rest(self, scene: Scene) -> None:
        src = scene.get("img")
        background = scene.get("background")
        if isinstance(background, dict):
            src = background.get("src") or src
        for level in self.listed(scene, "levels"):
            below = level.get("background") if isinstance(level, dict) else None
            src = src or (below.get("src") if isinstance(below, dict) else None)
        if isinstance(src, str) and src:
            file = replaced(src.rsplit("/", 1)[-1][-80:])
            words = "lies in the program's folder: lay it beside this file, and name it under picture: in a map over it"
            self.tell("ignored", f"the picture {file} {words}")
        if not self.options["tokens"] and scene.get("tokens"):
            count = len(self.listed(scene, "tokens"))
            self.tell("ignored", f"{many(count, 'token')} (option tokens: false)", count)
        for key in REST:
            value = scene.get(key)
            if isinstance(value, list) and value:
                self.tell("ignored", many(len(value), key[:-1]), len(value))
