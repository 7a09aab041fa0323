"""Reading Tiled maps: decode the layers within bounds, lay what their tiles mean over one another, tell the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tactical.formats import MOST_CELLS, Report, _json, many
from tactical.formats.tiled import markup
from tactical.formats.tiled.ground import Facts, lay_shapes, lay_tiles
from tactical.formats.tiled.layers import GID, Undecoded, decoded
from tactical.formats.tiled.meaning import Meanings, is_xml, whole, wholes
from tactical.formats.tiled.objects import Objects
from tactical.values import replaced
from tactical.world.battlemap import Battlemap, Level
from tactical.world.edges.barriers import Barrier
from tactical.world.grids import get_grid
from tactical.world.parts import MOST_TERRAINS
from tactical.world.terrain import PLAIN, Terrain

ALL_LAYERS = 4 * MOST_CELLS
MOST_LAYERS = 1000
DEEPEST = 32
ORIENTATIONS = ("orthogonal", "isometric", "oblique", "hexagonal", "staggered")


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read a map."""
    reader = Reader(source, options)
    content = markup.read(data, source, "map") if is_xml(data) else _json.read(data, source)
    return reader.done(reader.read(content))


class Reader(Meanings):
    """One file on its way to a map."""

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        super().__init__(source, options)
        self.drawn: list[dict[str, Any]] = []
        """The layers of objects."""
        self.left = ALL_LAYERS

    def read(self, content: Any) -> Battlemap | None:
        """The map, or None if the file has faults."""
        if not self.object(content):
            return None
        orientation = str(content.get("orientation", "orthogonal"))[:40]
        if orientation not in ORIENTATIONS:
            known = ", ".join(ORIENTATIONS)
            self.fault(f"{replaced(orientation)} maps are not read, only {known} ones", "orientation")
            return None
        self.read_mappings()
        self.read_sets(content.get("tilesets"))
        layers = self._flat(content.get("layers"), "layers", 0)
        left, top, cols, rows = self._bounds(content, layers)
        if self.faults:
            return None
        self.tell("read", f"{cols} x {rows} cells")
        if (left, top) != (0, 0):
            self.tell("read", f"cell A1 is the file's ({left}, {top})")
        cell = self.cell()
        grid = _grid(orientation, content, left, top)
        if orientation in ("isometric", "oblique"):
            self.tell("read", f"an {orientation} map, read as the squares it is drawn of")
        elif grid != "square":
            self.tell("read", f"a {orientation} map, the grid {grid}")
        index = np.zeros((rows, cols), dtype=np.uint32)
        kinds: list[Facts] = [()]
        for path, layer in layers:
            gids = self._gids(layer, path, (left, top, cols, rows))
            if gids is None or self.faults:
                continue
            self.counts["layers"] += 1
            self._lay(layer, gids, index, kinds)
            if len(kinds) > MOST_TERRAINS:
                self.fault(f"more than {MOST_TERRAINS} kinds of ground", path)
                return None
        if self.faults:
            return None
        objects = self._objects(content, grid, (left, top), (cols, rows), index, kinds)
        palette = [Terrain.of(dict(facts)) if facts else PLAIN for facts in kinds]
        ground = index.astype(np.uint16)
        self._rest(content, palette, ground, [layer for _, layer in layers])
        return Battlemap(
            (Level("ground", ground),),
            tuple(palette),
            get_grid(grid),
            barriers=tuple(objects),
            name=self.stem(),
            source=self.source,
            **cell,
        )

    def _objects(
        self,
        content: Mapping[str, Any],
        grid: str,
        origin: tuple[int, int],
        size: tuple[int, int],
        index: Any,
        kinds: list[Facts],
    ) -> list[Barrier]:
        """Lay what objects mean over the ground; their walls and doors."""
        high = content.get("tileheight")
        wide = high if content.get("orientation") == "isometric" else content.get("tilewidth")
        scale = [whole(value) for value in (wide, high)]
        if grid != "square" or not scale[0] or not scale[1] or min(scale[0], scale[1]) < 1:
            for layer in self.drawn:
                entries = layer.get("objects")
                self.counts["object"] += len(entries) if isinstance(entries, list) else 0
            return []
        objects = Objects(self, (scale[0], scale[1]), origin, size)
        for layer in self.drawn:
            objects.read(layer)
        lay_shapes(objects.grounds, index, kinds)
        objects.tell()
        return objects.barriers

    # -- layers -----------------------------------------------------------------------------------------------------

    def _flat(self, given: Any, path: str, depth: int) -> list[tuple[str, dict[str, Any]]]:
        """The layers of tiles, groups opened, lowest first; the others are counted."""
        out: list[tuple[str, dict[str, Any]]] = []
        if depth > DEEPEST or not isinstance(given, list) or len(given) > MOST_LAYERS:
            self.fault(f"expected a list of at most {MOST_LAYERS} layers, not nested deeply", path)
            return out
        for n, layer in enumerate(given):
            here = f"{path}[{n}]"
            kind = layer.get("type") if isinstance(layer, dict) else None
            if kind == "group":
                out += self._flat(layer.get("layers", []), f"{here}.layers", depth + 1)
            elif kind == "tilelayer":
                out.append((here, layer))
            elif kind == "objectgroup":
                self.drawn.append(layer)
            elif kind == "imagelayer":
                self.counts["image layer"] += 1
            else:
                self.fault("expected a layer of a known type", here)
        if len(out) > MOST_LAYERS:
            self.fault(f"more than {MOST_LAYERS} layers", path)
        return out

    def _bounds(self, content: Mapping[str, Any], layers: list[tuple[str, dict[str, Any]]]) -> tuple[int, ...]:
        boxes: list[list[int]] = []
        for path, layer in layers:
            chunks = layer.get("chunks")
            for n, chunk in enumerate(chunks if isinstance(chunks, list) else ()):
                box = wholes(chunk, "x", "y", "width", "height")
                if len(box) < 4 or min(box[2:]) < 1:
                    self.fault("expected whole numbers x, y, width and height", f"{path}.chunks[{n}]")
                else:
                    boxes.append(box)
        size = wholes(content, "width", "height")
        if boxes:
            left, top = (min(box[axis] for box in boxes) for axis in (0, 1))
            right, bottom = (max(box[axis] + box[axis + 2] for box in boxes) for axis in (0, 1))
            found = (left, top, right - left, bottom - top)
        elif len(size) < 2 or min(size) < 1:
            self.fault("expected a width and height above 0", "width")
            return 0, 0, 1, 1
        else:
            found = (0, 0, size[0], size[1])
        self.fits(found[2], found[3], "width")
        return found

    def _gids(self, layer: dict[str, Any], path: str, bounds: tuple[int, ...]) -> Any:
        left, top, cols, rows = bounds
        self.left -= cols * rows
        if self.left < 0:
            self.fault("all layers together have too many cells", path)
            return None
        out = np.zeros((rows, cols), dtype=np.uint32)
        chunks = layer.get("chunks")
        if isinstance(chunks, list):
            for n, chunk in enumerate(chunks):
                x, y, w, h = (int(chunk[key]) for key in ("x", "y", "width", "height"))
                self.left -= w * h
                part = self._decoded(layer, chunk.get("data"), w * h, f"{path}.chunks[{n}]") if self.left > 0 else None
                if part is not None:
                    out[y - top : y - top + h, x - left : x - left + w] = part.reshape(h, w)
            return out & GID
        if (whole(layer.get("width", cols)), whole(layer.get("height", rows))) != (cols, rows):
            self.fault(f"the layer has another size than the map of {cols} x {rows}", path)
            return None
        part = self._decoded(layer, layer.get("data"), cols * rows, path)
        return None if part is None else part.reshape(rows, cols) & GID

    def _decoded(self, layer: Mapping[str, Any], data: Any, count: int, path: str) -> Any:
        """The numbers of a layer's tiles; None, and a fault, for anything else."""
        try:
            return decoded(layer, data, count)
        except Undecoded as error:
            self.fault(str(error), f"{path}.data")
            return None

    def _lay(self, layer: Mapping[str, Any], gids: Any, index: Any, kinds: list[Facts]) -> None:
        """Lay a layer's facts over the ground: `index` numbers the kinds of ground, which are added to."""
        own = self.layer_facts(layer)
        if not own and not self.tiles:
            return
        lay_tiles(own, self.tiles, gids, index, kinds)

    # -- the report -------------------------------------------------------------------------------------------------

    def _rest(self, content: Mapping[str, Any], palette: list[Terrain], ground: Any, layers: list[Any]) -> None:
        self.tell("read", many(self.counts["layers"], "layer of tiles", "layers of tiles"), self.counts["layers"])
        numbers, sizes = np.unique(ground, return_counts=True)
        told = {int(n): int(size) for n, size in zip(numbers, sizes, strict=True)}
        blocked = sum(size for n, size in told.items() if palette[n].impassable)
        other = sum(size for n, size in told.items() if not palette[n].impassable and palette[n] != PLAIN)
        if blocked or other:
            self.tell("read", f"{many(blocked, 'cell')} impassable, {other} of other terrain", blocked + other)
        else:
            names = ", ".join(replaced(str(layer.get("name", ""))[:40]) for layer in layers[:20]) or "none"
            words = f"map imported as open ground: no word of it says what stops or hinders ({names})"
            self.tell("warning", f"{words}, and no file of your own either (option mapping)")
        if self.strange:
            shown = ", ".join(f"{word} ({count})" for word, count in list(self.strange.items())[:20])
            self.tell("warning", f"words that say nothing of the ground here: {shown}", sum(self.strange.values()))
        for what in ("object", "image layer"):
            if self.counts[what]:
                self.tell("ignored", many(self.counts[what], what), self.counts[what])
        if content.get("tilesets"):
            self.tell("ignored", "the pictures of the tiles")


def _grid(orientation: str, content: Mapping[str, Any], left: int, top: int) -> str:
    """The grid of a map by name; a map that does not begin at line 0 may begin with the other kind of line."""
    if orientation not in ("hexagonal", "staggered"):
        return "square"
    upright = content.get("staggeraxis", "y") == "x"
    odd = (content.get("staggerindex", "odd") != "even") != bool((left if upright else top) & 1)
    shape = "hex" if orientation == "hexagonal" else orientation
    return f"{shape}-{'odd' if odd else 'even'}-{'q' if upright else 'r'}"
