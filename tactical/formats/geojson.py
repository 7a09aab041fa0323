"""GeoJSON, for other programs to work on (written only): ground, barriers, links and movers of a map.

Coordinates are cells, x to the right and y upwards, so that a row further down is a smaller y: a cell is one unit wide,
and the property `cell` says how long that is.  A drawing to a file that ends in ``.geojson`` adds the bands of a reach.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tactical.errors import Fault, MapError
from tactical.formats import Format, Report, ReportLine
from tactical.formats._losses import dropped
from tactical.units import wire

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap
    from tactical.world.grids import Grid, Point

Feature = dict[str, Any]


def sniff(data: bytes, name: str) -> bool:
    """Never: these files are not read."""
    return False


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Raises `MapError`: a GeoJSON file has no cells to read."""
    raise MapError([Fault("GeoJSON files are only written here, not read", source)])


def position(point: Point) -> list[float]:
    """A point of a map as GeoJSON has it."""
    return [round(point[0], 6), round(-point[1], 6) + 0.0]


def feature(kind: str, coordinates: object, properties: Mapping[str, object]) -> Feature:
    """One feature with a geometry of that kind; properties that say nothing are left out."""
    said = {name: value for name, value in properties.items() if value not in (None, "", [], {})}
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": coordinates}, "properties": said}


def area(grid: Grid, cells: Iterable[tuple[int, int]], properties: Mapping[str, object]) -> Feature:
    """The cells (column, row) as one multipolygon, outer rings counterclockwise."""
    from shapely import polygons, unary_union
    from shapely.geometry.polygon import orient

    shapes = polygons([[position(point) for point in grid.polygon(col, row)] for col, row in cells])
    # corners of hexes come from different middles and differ in the last bits
    whole = unary_union(shapes, grid_size=1e-6)
    parts = [orient(part) for part in getattr(whole, "geoms", [whole])]
    rings = [[_ring(ring.coords) for ring in (part.exterior, *part.interiors)] for part in parts]
    return feature("MultiPolygon", rings, properties)


def _ring(points: Iterable[Sequence[float]]) -> list[list[float]]:
    return [[round(x, 6) + 0.0, round(y, 6) + 0.0] for x, y in points]


def collection(features: Iterable[Feature], **members: object) -> str:
    """The features as the text of a file; `members` say what holds for all of them."""
    return json.dumps({"type": "FeatureCollection", **members, "features": list(features)}, allow_nan=False) + "\n"


def dump(battlemap: Battlemap) -> str:
    """All levels of a map; every feature says what it `is` and on which `floor`."""
    return collection(_features(battlemap), cell=wire(battlemap.cell), unit=battlemap.unit, grid=battlemap.grid.name)


def _features(battlemap: Battlemap) -> Iterable[Feature]:
    import numpy as np

    grid, names = battlemap.grid, battlemap.level_names
    for level in battlemap.levels:
        for n in np.unique(level.ground):
            rows, cols = np.nonzero(level.ground == n)
            terrain = battlemap.palette[int(n)]
            cells = list(zip(cols.tolist(), rows.tolist(), strict=True))
            yield area(grid, cells, {"is": "ground", "floor": level.name, "terrain": terrain.name, **terrain.facts()})
    for barrier in battlemap.barriers:
        amounts = {"cost": barrier.cost, "bottom": barrier.bottom, "top": barrier.top}
        about: dict[str, object] = {
            "is": "barrier",
            "floor": names[barrier.level] if barrier.level < len(names) else barrier.level,
            "id": barrier.id,
            "kind": barrier.kind.value,
            "state": barrier.state.value if barrier.state else "",
            "one_way": barrier.one_way,
            **{name: wire(value) for name, value in amounts.items() if value is not None},
            "stops": list(barrier.stops),
        }
        yield feature("LineString", [position(point) for point in barrier.line], about)
    for link in battlemap.links:
        ends = [position(grid.centre(cell.col, cell.row)) for cell in (link.start, link.end)]
        places = {"from": battlemap.name_of(link.start), "to": battlemap.name_of(link.end)}
        yield feature("LineString", ends, {"is": "link", "kind": link.kind, "cost": wire(link.cost), **places})
    for mover in battlemap.movers:
        if mover.at is not None:
            middles = [grid.centre(cell.col, cell.row) for cell in battlemap.body(mover.at, mover.size)]
            x, y = (sum(one[axis] for one in middles) / len(middles) for axis in (0, 1))
            about = {"is": "mover", "at": battlemap.name_of(mover.at), "id": mover.id, "name": mover.name}
            yield feature("Point", position((x, y)), {**about, "side": mover.side, "size": mover.size})


def losses(battlemap: Battlemap) -> Report:
    """What the file leaves out."""
    lines = [ReportLine("dropped", "reading it back: GeoJSON has no cells, and is only written")]
    stats = sum(bool(mover.stats) or bool(mover.rules) for mover in battlemap.movers)
    lines += dropped(
        (len(battlemap.zones), "zone"),
        (stats, "mover's rules and stats", "movers' rules and stats"),
        (sum(mover.at is None for mover in battlemap.movers), "mover without a place", "movers without a place"),
        (sum(bool(barrier.truth) for barrier in battlemap.barriers), "barrier's true nature", "barriers' true nature"),
    )
    if battlemap.rules or battlemap.options:
        lines.append(ReportLine("dropped", "rules and options"))
    if battlemap.picture is not None:
        lines.append(ReportLine("dropped", "the picture"))
    if battlemap.name:
        lines.append(ReportLine("dropped", "the map's name"))
    return Report("geojson", battlemap.source, tuple(lines))


FORMAT = Format("geojson", "GeoJSON", (".geojson",), sniff, load, dump, losses, can_load=False)
