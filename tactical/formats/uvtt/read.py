"""Reading Universal VTT files: subtract the crop's origin, clip, join walls, read portals by policy, tell the rest."""

from __future__ import annotations

import base64
import binascii
import errno
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from tactical.formats import MOST_CELLS, Report, _json, many
from tactical.formats._reading import Reading, finite, what
from tactical.formats._segments import cells_inside, merged
from tactical.formats.uvtt.portals import Portals
from tactical.world.battlemap import Battlemap, Picture
from tactical.world.edges.barriers import Barrier, Kind, snapped
from tactical.world.edges.segments import Segment, clip
from tactical.world.grids import Point
from tactical.world.pictures import kind_of, size_of

KEYS = (
    "format",
    "resolution",
    "line_of_sight",
    "objects_line_of_sight",
    "portals",
    "environment",
    "lights",
    "image",
    "software",
    "creator",
)
CROPPED = 10
"""One wall piece in so many outside the map makes a cropped picture likely."""
HEADER = 400_000
"""Letters of a picture's text that are decoded for its header: some cameras write much before the size."""
OBJECT = {"terrain": "object", "impassable": True}


@dataclass(frozen=True, slots=True)
class EmbeddedPicture:
    """Decodes the picture inside a file, when asked to.  Raises `OSError` where the text is no base64."""

    text: str

    def __call__(self) -> bytes:
        try:
            return base64.b64decode(self.text)
        except (binascii.Error, ValueError) as error:
            raise OSError(errno.EINVAL, f"its text in the file is broken ({error})") from error


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read a file under a door and object policy."""
    twice: list[str] = []
    content = _json.read(data, source, twice)
    reader = _Reader(source, options)
    for key, count in Counter(twice).items():
        reader.tell("warning", f"key {key[:40]!r} is written twice: the last one counts", count)
    return reader.done(reader.read(content))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "uvtt"

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        super().__init__(source, options)
        self.origin: Point = (0.0, 0.0)
        self.cols = self.rows = 1

    def read(self, content: Any) -> Battlemap | None:
        """The map, or None if the file has faults."""
        if not self.object(content):
            return None
        pixels = self._resolution(content.get("resolution"))
        if self.faults and self.cols * self.rows > MOST_CELLS:
            return None
        walls = self._walls(self.listed(content, "line_of_sight"), "line_of_sight")
        objects = self.listed(content, "objects_line_of_sight")
        portals = self._portals(self.listed(content, "portals"))
        blocked, outlines = self._objects(objects)
        self._rest(content)
        if self.faults:
            return None
        joined = merged(walls)
        self.tell("read", f"{self.cols} x {self.rows} cells")
        cell = self.cell()
        self._tell_geometry(len(walls), len(joined), portals.made)
        barriers = (*(Barrier(line) for line in joined), *(Barrier(line) for line in merged(outlines)), *portals.made)
        battlemap = Battlemap.from_cells(
            self.cols,
            self.rows,
            terrain=dict.fromkeys(blocked, OBJECT),
            barriers=barriers,
            name=self.stem(),
            picture=self._picture(content.get("image"), pixels),
            source=self.source,
            **cell,
        )
        portals.tell(battlemap)
        return battlemap

    # -- size -------------------------------------------------------------------------------------------------------

    def _resolution(self, given: Any) -> float:
        if not isinstance(given, dict):
            self.fault(f"expected an object with map_size, found {what(given)}", "resolution")
            return 0.0
        size = given.get("map_size")
        for name, axis in (("cols", "x"), ("rows", "y")):
            path = f"resolution.map_size.{axis}"
            value = size.get(axis) if isinstance(size, dict) else None
            if not finite(value):
                self.fault(f"expected a number of squares, found {what(value)}", path)
            elif value <= 0 or value != int(value):
                self.fault(f"expected a whole number of squares above 0, found {value:g}", path)
            else:
                setattr(self, name, int(value))
        self.fits(self.cols, self.rows, "resolution.map_size", "squares")
        origin = given.get("map_origin")
        if origin is not None:
            point = self._point(origin, "resolution.map_origin")
            if point is None:
                self.fault("expected a finite x and y", "resolution.map_origin")
            else:
                self.origin = point
        pixels = given.get("pixels_per_grid")
        return float(pixels) if finite(pixels) and pixels > 0 else 0.0

    # -- shapes of the file -----------------------------------------------------------------------------------------

    def _point(self, value: Any, path: str) -> Point | None:
        """A point of the file as it stands; None (not a fault) for a coordinate that is no finite number."""
        if not isinstance(value, dict):
            self.fault(f'expected {{"x": …, "y": …}}, found {what(value)}', path)
            return None
        x, y = value.get("x"), value.get("y")
        return (float(x), float(y)) if finite(x) and finite(y) else None

    def _polyline(self, value: Any, path: str) -> list[Point | None]:
        if not isinstance(value, list):
            self.fault(f"expected a list of points, found {what(value)}", path)
            return []
        found = [self._point(point, f"{path}[{n}]") for n, point in enumerate(value)]
        if self.origin == (0, 0):
            return found
        ox, oy = self.origin
        # the files carry six decimals: what a subtraction leaves behind them is dust
        return [None if point is None else (round(point[0] - ox, 6), round(point[1] - oy, 6)) for point in found]

    # -- walls, objects, portals ------------------------------------------------------------------------------------

    def _walls(self, polylines: list[Any], key: str) -> list[Segment]:
        segments = []
        for n, polyline in enumerate(polylines):
            points = self._polyline(polyline, f"{key}[{n}]")
            if len(points) == 1:
                self.counts["short"] += 1
            segments.extend(self._pieces(points))
        self.counts["polylines"] += len(polylines)
        return segments

    def _pieces(self, points: list[Point | None]) -> list[Segment]:
        """The pieces of a polyline that are on the map; the others are counted."""
        pieces = []
        for first, last in pairwise(points):
            if first is None or last is None:
                self.counts["malformed"] += 1
            elif snapped((first, last)) is None:
                self.counts["short"] += 1
            else:
                inside = self._clip((first, last), "wall")
                if inside is not None and snapped(inside) is not None:
                    pieces.append(inside)
        return pieces

    def _clip(self, segment: Segment, part: str) -> Segment | None:
        inside = clip(segment, self.cols, self.rows)
        if inside == segment:
            return segment
        far = clip(segment, self.cols, self.rows, margin=1.0) != segment
        if inside is None or snapped(inside) is None:
            self.counts[f"{part} {'outside' if far else 'margin'}"] += 1
            return None
        self.counts["cut far" if far else "cut"] += 1
        return inside

    def _objects(self, polygons: list[Any]) -> tuple[set[tuple[int, int]], list[Segment]]:
        blocked: set[tuple[int, int]] = set()
        outlines: list[Segment] = []
        read = 0
        for n, polygon in enumerate(polygons):
            points = self._polyline(polygon, f"objects_line_of_sight[{n}]")
            if self.options["objects"] == "ignore":
                continue
            if None in points:
                self.counts["malformed"] += 1
            ring = [point for point in points if point is not None]
            if len(ring) < 2:
                self.counts["short"] += 1
                continue
            read += 1
            blocked.update(cells_inside(ring, self.cols, self.rows) if len(ring) > 2 else ())
            closing = ring if len(ring) < 3 or ring[0] == ring[-1] else [*ring, ring[0]]
            outlines.extend(self._pieces(list(closing)))
        if polygons and self.options["objects"] == "ignore":
            self.tell("ignored", f"{many(len(polygons), 'object')} (option objects: ignore)", len(polygons))
        elif read:
            self.tell("read", f"{many(read, 'object')} as obstacles, {many(len(blocked), 'cell')} inside", read)
        return blocked, outlines

    def _portals(self, portals: list[Any]) -> Portals:
        found = Portals(self, self.options)
        for n, portal in enumerate(portals):
            path = f"portals[{n}]"
            if not isinstance(portal, dict):
                self.fault(f"expected an object, found {what(portal)}", path)
                continue
            if portal.get("position") is not None:
                self._point(portal["position"], f"{path}.position")
            bounds = self._polyline(portal.get("bounds"), f"{path}.bounds")
            closed = portal.get("closed")
            if closed is not None and not isinstance(closed, bool):
                self.fault(f"expected true or false, found {what(closed)}", f"{path}.closed")
            if len(bounds) != 2:
                if isinstance(portal.get("bounds"), list):
                    self.fault(f"expected two points, found {len(bounds)}", f"{path}.bounds")
                continue
            if bounds[0] is None or bounds[1] is None:
                self.counts["malformed"] += 1
                continue
            if snapped((bounds[0], bounds[1])) is None:
                self.counts["short"] += 1
                continue
            line = self._clip((bounds[0], bounds[1]), "portal")
            if line is None:
                continue
            self.counts["freestanding"] += portal.get("freestanding") is True
            found.add(line, closed)
        found.finish()
        return found

    # -- the report -------------------------------------------------------------------------------------------------

    def _tell_geometry(self, pieces: int, joined: int, portals: list[Barrier]) -> None:
        counts = self.counts
        if pieces:
            source = many(counts["polylines"], "polyline")
            self.tell("read", f"{many(joined, 'wall')} (joined from {many(pieces, 'piece')} of {source})", joined)
        else:
            self.tell("warning", "no walls: every cell is open")
        doors = sum(portal.kind is Kind.DOOR for portal in portals)
        if portals:
            windows = len(portals) - doors
            found = [many(count, word) for count, word in ((doors, "door"), (windows, "window")) if count]
            words = " and ".join(found)
            free = f", {counts['freestanding']} of them standing free" if counts["freestanding"] else ""
            self.tell("read", words + free, len(portals))
        self.tell_counts(
            ("glazed", "read", "closed portal read as window (option closed_portals)",
             "closed portals read as windows (option closed_portals)"),
            ("unstated", "ambiguous", "portal not saying whether closed, read as a closed one",
             "portals not saying whether closed, read as closed ones"),
            ("malformed", "repaired", "piece with a coordinate that is no number left out",
             "pieces with a coordinate that is no number left out"),
            ("short", "repaired", "piece without length left out", "pieces without length left out"),
        )  # fmt: skip
        self._tell_crop(pieces)

    def _tell_crop(self, pieces: int) -> None:
        counts = self.counts
        if self.origin != (0, 0):
            words = f"the file is a crop: its origin ({self.origin[0]:g}, {self.origin[1]:g}) was subtracted"
            self.tell("repaired", words)
        self.tell_counts(
            ("cut", "repaired", "piece overhanging the map by up to a cell clipped",
             "pieces overhanging the map by up to a cell clipped"),
            ("wall margin", "repaired", "wall piece up to a cell beside the map left out",
             "wall pieces up to a cell beside the map left out"),
            ("cut far", "repaired", "piece running off the map cut at its edge",
             "pieces running off the map cut at its edge"),
        )  # fmt: skip
        walls, doors = counts["wall outside"], counts["portal outside"] + counts["portal margin"]
        if walls or doors:
            both = f"{many(walls, 'wall piece')} and {many(doors, 'portal')}"
            self.tell("outside", f"{both} outside the map left out", walls + doors)
            # an outline may be drawn round the picture on purpose, a few pieces of it beyond
            if self.origin == (0, 0) and (counts["portal outside"] or walls * CROPPED > pieces + walls):
                verb = "is" if walls + doors == 1 else "are"
                self.tell("warning", f"the picture seems cropped, not the walls: {both} {verb} outside")

    def _rest(self, content: Mapping[str, Any]) -> None:
        version = content.get("format")
        if isinstance(version, str) or version not in (0.2, 0.3):
            shown = f"format {version!r:.40}{' (a text)' if isinstance(version, str) else ''}"
            self.tell("warning", f"{'no format number' if version is None else shown}: read like 0.3")
        lights = content.get("lights")
        if isinstance(lights, list) and lights:
            self.tell("ignored", many(len(lights), "light"), len(lights))
        if content.get("environment"):
            self.tell("ignored", "the ambient light")
        self.tell_unknown(key for key in content if key not in KEYS)

    # -- the picture ------------------------------------------------------------------------------------------------

    def _picture(self, image: Any, pixels: float) -> Picture | None:
        if image is None or image == "":
            self.tell("warning", "no picture in the file")
            return None
        text = image if isinstance(image, str) else ""
        if text.startswith("data:"):
            text = text.partition(",")[2]
        head = _decoded(text[:HEADER]) or _decoded(text[:64])
        kind = kind_of(head)
        if not kind:
            shown = what(image) if not isinstance(image, str) else repr(text if len(text) <= 40 else text[:37] + "…")
            self.tell("warning", f"no picture: {shown} is not picture data")
            return None
        wide, high = size_of(head) or (0, 0)
        if wide and (wide, high) != (round(pixels * self.cols), round(pixels * self.rows)):
            words = f"the picture has {wide} x {high} pixels, not {self.cols} x {self.rows} cells of {pixels:g}"
            self.tell("warning", words)
            pixels = wide / self.cols
        if pixels <= 0:
            self.tell("warning", "the picture's scale (pixels_per_grid) is missing: taken as 70 pixels a cell")
            pixels = 70.0
        return Picture(EmbeddedPicture(text), pixels, kind=kind.lower())


def _decoded(text: str) -> bytes:
    try:
        joined = "".join(text.split())
        return base64.b64decode(joined[: len(joined) // 4 * 4], validate=True)
    except (binascii.Error, ValueError):
        return b""
