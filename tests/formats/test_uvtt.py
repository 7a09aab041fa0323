"""Universal VTT files: geometry, portals, objects, pictures, what is repaired and told; and writing."""

from __future__ import annotations

import base64
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical.errors import MapError
from tactical.formats import Report, dump, dump_with_report, load, load_with_report
from tactical.formats._segments import merged, without
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Link, Picture
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.edges.segments import clip

from ._samples import line, png, point, portal, uvtt

SIZE = {"map_origin": point(0, 0), "map_size": point(6, 4), "pixels_per_grid": 2}


def read(options: dict[str, object] | None = None, **changes: Any) -> tuple[Battlemap, Report]:
    return load_with_report(uvtt(**changes), name="cave.dd2vtt", options=options)


def walls(battlemap: Battlemap) -> list[Any]:
    return [barrier.line for barrier in battlemap.barriers if barrier.kind is Kind.WALL]


def faults(**changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(MapError) as caught:
        read(**changes)
    return [(fault.path, fault.text) for fault in caught.value.faults]


def told(report: Report, kind: str) -> list[tuple[int, str]]:
    return [(entry.count, entry.text) for entry in report.of(kind)]


def test_walls_and_a_door() -> None:
    found, report = read()
    assert (found.cols, found.rows, found.cell, found.unit, found.name, found.rules) == (6, 4, 5, "ft", "cave", "")
    assert found.barriers == (
        Barrier(((3, 0), (3, 1))),
        Barrier(((3, 2), (3, 4))),
        Barrier(((3, 1), (3, 2)), Kind.DOOR, "door-1", DoorState.CLOSED),
    )
    assert not found.faults()
    assert [text for _, text in told(report, "read")] == [
        "6 x 4 cells",
        "a cell is taken as 5 ft: the file states no unit (option cell)",
        "2 walls (joined from 2 pieces of 2 polylines)",
        "1 door",
    ]


@pytest.mark.parametrize("version", [None, 1, 1.0, "1.0", "0.3"])
def test_b06_any_format_number_is_read_with_a_warning(version: object) -> None:
    _, report = read(format=version)
    assert any("read like 0.3" in text for _, text in told(report, "warning"))


@pytest.mark.parametrize("version", [0.2, 0.3])
def test_b06_the_common_format_numbers_need_none(version: float) -> None:
    _, report = read(format=version)
    assert not any("read like" in text for _, text in told(report, "warning"))


@pytest.mark.parametrize("key", ["portals", "objects_line_of_sight", "lights", "environment"])
def test_b07_a_missing_or_null_list_is_empty(key: str) -> None:
    missing, _ = read(**{key: None})
    content = json.loads(uvtt())
    content[key] = None
    null = load(json.dumps(content).encode(), name="cave.dd2vtt")
    assert missing == null
    assert walls(missing) == [((3, 0), (3, 1)), ((3, 2), (3, 4))]


def test_b08_a_malformed_coordinate_costs_its_pieces_only() -> None:
    bad: list[Any] = [point(0, 1), {"x": 1}, point(2, 1), {"x": "3", "y": 1}, point(4, 1), point(5, 1)]
    found, report = read(line_of_sight=[bad], portals=[{**portal((1, 1), (1, 2)), "bounds": [point(1, 1), {"x": 1}]}])
    assert walls(found) == [((4, 1), (5, 1))]
    assert len(found.barriers) == 1
    assert told(report, "repaired") == [(5, "5 pieces with a coordinate that is no number left out")]


def test_b08_a_number_too_large_for_a_float() -> None:
    data = uvtt(line_of_sight=[[point(1, 1), {"x": 777, "y": 1}, point(2, 1), point(2, 2)]]).replace(b"777", b"1e999")
    found, report = load_with_report(data, name="cave.dd2vtt")
    assert walls(found) == [((2, 1), (2, 2))]
    assert report.count("repaired") == 2


def test_b09_one_point_and_no_length() -> None:
    found, report = read(line_of_sight=[line((1, 1)), line((2, 2), (2, 2), (3, 2))], portals=[portal((1, 1), (1, 1))])
    assert walls(found) == [((2, 2), (3, 2))]
    assert told(report, "repaired") == [(3, "3 pieces without length left out")]


def test_b10_shapes_of_home_made_exporters_are_named_all_at_once() -> None:
    bad = portal((1, 1), (1, 2))
    found = faults(
        line_of_sight={"x": 0, "y": 0, "w": 1, "h": 1},
        portals=[{**bad, "position": [1, 1.5]}, {**bad, "bounds": [[1, 1], [1, 2]]}, {**bad, "closed": "yes"}, 7],
        objects_line_of_sight=[{"x": 1}],
        resolution={"map_size": {"x": 6}},
    )
    assert found == [
        ("resolution.map_size.y", "expected a number of squares, found nothing"),
        ("line_of_sight", "expected a list, found an object"),
        ("portals[0].position", 'expected {"x": …, "y": …}, found a list'),
        ("portals[1].bounds[0]", 'expected {"x": …, "y": …}, found a list'),
        ("portals[1].bounds[1]", 'expected {"x": …, "y": …}, found a list'),
        ("portals[2].closed", "expected true or false, found text"),
        ("portals[3]", "expected an object, found 7"),
        ("objects_line_of_sight[0]", "expected a list of points, found an object"),
    ]


def test_b11_a_crop_is_shifted_and_clipped() -> None:
    crop = {"map_origin": point(10, 20), "map_size": point(6, 4), "pixels_per_grid": 2}
    inside = [line((13, 20), (13, 21)), line((13, 22), (13, 24))]
    beyond = [line((0, 0), (0, 50)), line((12, 10), (12, 12)), line((30, 21), (31, 21))]
    found, report = read(
        resolution=crop, line_of_sight=[*inside, *beyond], portals=[portal((13, 21), (13, 22)), portal((1, 1), (2, 1))]
    )
    assert found == read()[0]
    assert told(report, "outside") == [(4, "3 wall pieces and 1 portal outside the map left out")]
    assert (1, "the file is a crop: its origin (10, 20) was subtracted") in told(report, "repaired")
    assert not any("seems cropped" in text for _, text in told(report, "warning"))


def test_b11_clipping_looks_at_both_axes() -> None:
    found, _ = read(line_of_sight=[line((-5, 1), (9, 1)), line((1, -5), (1, 9)), line((-5, -1), (9, 13))], portals=[])
    # the third, a slant, runs off the left side and off the bottom without touching the map
    assert walls(found) == [((0, 1), (6, 1)), ((1, 0), (1, 4))]


def test_b12_a_cropped_picture_is_a_warning_with_counts() -> None:
    _, report = read(
        line_of_sight=[line((3, 0), (3, 4)), line((20, 0), (20, 4)), line((30, 0), (30, 4))],
        portals=[portal((20, 1), (20, 2))],
    )
    words = "the picture seems cropped, not the walls: 2 wall pieces and 1 portal are outside"
    assert (1, words) in told(report, "warning")


def test_b13_a_small_overhang_is_clipped() -> None:
    found, report = read(line_of_sight=[line((3, -0.19), (3, 4.18)), line((-0.5, -0.5), (6.5, -0.5))], portals=[])
    assert walls(found) == [((3, 0), (3, 4))]
    assert told(report, "repaired") == [
        (1, "1 piece overhanging the map by up to a cell clipped"),
        (1, "1 wall piece up to a cell beside the map left out"),
    ]
    assert not report.of("outside")


def test_b14_geometry_does_not_depend_on_the_pictures_scale() -> None:
    image = base64.b64encode(png(414, 276)).decode()
    found, report = read(resolution={**SIZE, "pixels_per_grid": 70}, image=image)
    assert found == read()[0]
    assert told(report, "warning") == [(1, "the picture has 414 x 276 pixels, not 6 x 4 cells of 70")]
    assert found.picture is not None
    assert found.picture.pixels == 69


def test_b15_thousands_of_pieces_are_joined() -> None:
    steps = [(n / 1000, 1.0) for n in range(6001)]
    found, report = read(line_of_sight=[line(*steps), line((2, 1), (4, 1)), line((0, 1), (6, 1))], portals=[])
    assert walls(found) == [((0, 1), (6, 1))]
    assert (1, "1 wall (joined from 1538 pieces of 3 polylines)") in told(report, "read")


@pytest.mark.parametrize("prefix", ["", "data:image/png;base64,"])
def test_b16_a_picture_is_kept_undecoded(prefix: str) -> None:
    data = png(12, 8)
    found, report = read(image=prefix + base64.b64encode(data).decode())
    assert found.picture is not None
    assert (found.picture.kind, found.picture.pixels) == ("png", 2)
    assert "image" not in str(report)
    assert found.picture.read() == data


def test_b16_a_webp_under_any_name() -> None:
    data = b"RIFF\x10\x00\x00\x00WEBPVP8 " + bytes(40)
    found, _ = read(image=base64.b64encode(data).decode())
    assert found.picture is not None
    assert found.picture.kind == "webp"


@pytest.mark.parametrize("image", ["maps/cave.png", "C:\\maps\\cave.png", "aGVsbG8gd29ybGQ=", 7])
def test_b16_what_is_no_picture_is_told_and_geometry_kept(image: object) -> None:
    found, report = read(image=image)
    assert found.picture is None
    assert found.barriers == read()[0].barriers
    assert "is not picture data" in told(report, "warning")[0][1]


def test_b16_no_picture() -> None:
    found, report = read()
    assert found.picture is None
    assert told(report, "warning") == [(1, "no picture in the file")]


def test_b17_a_size_may_be_written_as_a_float() -> None:
    found, _ = read(resolution={**SIZE, "map_size": point(6.0, 4.0)})
    assert found == read()[0]


@pytest.mark.parametrize("size", [0, -3, 2.5])
def test_b17_other_sizes_are_faults(size: float) -> None:
    assert faults(resolution={**SIZE, "map_size": point(size, 4)}) == [
        ("resolution.map_size.x", f"expected a whole number of squares above 0, found {size:g}")
    ]


def test_b17_a_size_beyond_all_bounds() -> None:
    assert faults(resolution={**SIZE, "map_size": point(10**6, 10**6)})[0][0] == "resolution.map_size"


def test_b18_open_portals_are_ambiguous() -> None:
    portals = [portal((3, 1), (3, 2), closed=False), portal((1, 1), (2, 1)), portal((4, 1), (5, 1), closed=False)]
    found, report = read(portals=portals)
    named = [(barrier.id, barrier.kind, barrier.state) for barrier in found.barriers if barrier.id]
    assert named == [
        ("window-1", Kind.WINDOW, None),
        ("door-1", Kind.DOOR, DoorState.CLOSED),
        ("window-2", Kind.WINDOW, None),
    ]
    words = "2 ambiguous portals, read as a window (option open_portals), or one by one (option portals)"
    assert told(report, "ambiguous") == [(2, f"{words}: window-1 between C2 and D2; window-2 between E1 and E2")]


def test_b18_the_other_reading() -> None:
    found, report = read({"open_portals": "open_door"}, portals=[portal((3, 1), (3, 2), closed=False)])
    assert found.barriers[-1] == Barrier(((3, 1), (3, 2)), Kind.DOOR, "door-1", DoorState.OPEN)
    words = "1 ambiguous portal, read as an open door (option open_portals), or one by one (option portals)"
    assert told(report, "ambiguous") == [(1, f"{words}: door-1 between C2 and D2")]


def test_b18_one_portal_settled_and_the_others_left() -> None:
    portals = [portal((3, 1), (3, 2), closed=False), portal((1, 1), (2, 1)), portal((4, 1), (5, 1), closed=False)]
    found, report = read({"portals": "window-2:closed, door-1:window"}, portals=portals)
    named = [(barrier.id, barrier.kind, barrier.state) for barrier in found.barriers if barrier.id]
    assert named == [
        ("window-1", Kind.WINDOW, None),
        ("door-1", Kind.WINDOW, None),
        ("window-2", Kind.DOOR, DoorState.CLOSED),
    ]
    assert [count for count, _ in told(report, "ambiguous")] == [1]
    assert "window-1 between C2 and D2" in told(report, "ambiguous")[0][1]
    assert (2, "2 portals read as the option portals has them") in told(report, "read")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("window-2:shut", "write window-1:closed (or window, open, closed, locked, secret), not 'window-2:shut'"),
        ("window-2", "not 'window-2'"),
        ("windw-1:open", "no portal is called 'windw-1', did you mean 'window-1'?"),
    ],
)
def test_a_portal_wrongly_settled(said: str, words: str) -> None:
    with pytest.raises(MapError) as caught:
        read({"portals": said}, portals=[portal((3, 1), (3, 2), closed=False)])
    assert words in str(caught.value)


def test_the_size_of_a_cell_and_its_unit_at_import() -> None:
    found, report = read({"cell": "10"})
    assert (found.cell, found.unit) == (10, "ft")
    assert (1, "a cell is 10 ft (option cell)") in told(report, "read")
    assert (read({"unit": "m"})[0].cell, read({"cell": "3/2", "unit": "m"})[0].cell) == (1, Fraction(3, 2))
    with pytest.raises(ValueError, match="not one of ft, m"):
        read({"unit": "ell"})
    with pytest.raises(MapError, match="a cell must have a positive size, not 0"):
        read({"cell": 0})


def test_b19_doors_beside_a_wall_and_doors_that_meet() -> None:
    portals = [
        portal((3.0208, 1), (3.0208, 2), freestanding=True),
        portal((3, 2), (3, 2.5)),
        portal((3, 2.5), (3, 3)),
    ]
    found, report = read(line_of_sight=[line((3, 0), (3, 1)), line((3, 3), (3, 4))], portals=portals)
    assert [barrier.id for barrier in found.barriers if barrier.id] == ["door-1", "door-2", "door-3"]
    assert any("3 doors, 1 of them standing free" in text for _, text in told(report, "read"))
    assert not report.of("repaired", "ambiguous", "outside")


def test_b20_no_walls_at_all() -> None:
    found, report = read(line_of_sight=[], portals=[])
    assert found.barriers == ()
    assert (1, "no walls: every cell is open") in told(report, "warning")


# -- objects -----------------------------------------------------------------------------------------------------------

PILLAR = line((1.2, 1.2), (2.8, 1.2), (2.8, 1.8), (1.2, 1.8))


def test_objects_block_by_default() -> None:
    found, report = read(objects_line_of_sight=[PILLAR])
    assert [cell for cell in (Cell(c, r) for c in range(6) for r in range(4)) if found.terrain(cell).impassable] == [
        Cell(1, 1),
        Cell(2, 1),
    ]
    assert len(walls(found)) == 2 + 4
    assert (1, "1 object as obstacles, 2 cells inside") in told(report, "read")


def test_objects_may_be_ignored() -> None:
    found, report = read({"objects": "ignore"}, objects_line_of_sight=[PILLAR])
    assert found == read()[0]
    assert (1, "1 object (option objects: ignore)") in told(report, "ignored")


# -- what is told ------------------------------------------------------------------------------------------------------


def test_lights_and_unknown_keys_are_told() -> None:
    _, report = read(lights=[{}, {}], environment={"baked_lighting": True}, grid={"type": "hex"})
    assert told(report, "ignored") == [(2, "2 lights"), (1, "the ambient light"), (1, "unknown keys: grid")]


# -- writing -----------------------------------------------------------------------------------------------------------


def test_the_written_file_has_the_customary_shape() -> None:
    drawn = Battlemap.from_rows(
        ["......"] * 4,
        barriers=(
            Barrier(((3, 0), (3, 4))),
            Barrier(((3, 1), (3, 2)), Kind.DOOR, "gate", DoorState.OPEN),
            Barrier(((3, 2), (3, 2.5)), Kind.WINDOW),
            Barrier(((5, 1), (5, 2)), Kind.DOOR, state=DoorState.LOCKED),
        ),
    )
    content = json.loads(dump(drawn, "uvtt"))
    assert list(content) == [
        "format", "resolution", "line_of_sight", "objects_line_of_sight", "portals", "environment", "lights",
    ]  # fmt: skip
    assert content["format"] == 0.3
    assert content["resolution"]["map_size"] == {"x": 6, "y": 4}
    assert content["line_of_sight"] == [line((3, 0), (3, 1)), line((3, 2.5), (3, 4))]
    assert [(p["closed"], p["freestanding"]) for p in content["portals"]] == [
        (False, False),
        (False, False),
        (True, True),
    ]
    assert content["portals"][0]["bounds"] == line((3, 1), (3, 2))


def test_what_it_cannot_say_is_told() -> None:
    drawn = Battlemap.from_rows(
        {"ground": [".~#"], "upper": ["..."]},
        {"~": {"terrain": "ford", "water": "shallow"}},
        barriers=(
            Barrier(((1, 0), (1, 1)), Kind.DOOR, state=DoorState.SECRET),
            Barrier(((2, 0), (2, 1)), Kind.FENCE),
            Barrier(((0, 0), (0, 1)), Kind.INVISIBLE, one_way="left"),
        ),
        links=(Link(Cell(0, 0), Cell(0, 0, 1)),),
        rules="operator",
    )
    _, report = dump_with_report(drawn, "uvtt")
    assert [entry.text for entry in report.lines] == [
        "1 impassable cell: its outline is written as walls",
        "the facts of 1 kind of ground: ford",
        "1 x a secret door is written as a closed one",
        "1 x fence left out",
        "1 x an invisible wall is written as a wall",
        "1 x a one-way barrier is written as one for both ways",
        "1 further level: a file holds one floor",
        "1 link",
        "rules and options",
        "the size of a cell (5 ft) and the map's name",
    ]
    assert {entry.kind for entry in report.lines} == {"dropped"}


def test_rock_is_written_as_its_outline() -> None:
    content = json.loads(dump(Battlemap.from_rows([".##.", "...."]), "uvtt"))
    assert content["line_of_sight"] == [line((1, 0), (1, 1)), line((1, 1), (3, 1)), line((3, 0), (3, 1))]


def test_a_picture_goes_along() -> None:
    data = png(12, 8)
    found, _ = read(image=base64.b64encode(data).decode())
    again = load(str(dump(found, "uvtt")).encode(), name="again.uvtt")
    assert again.picture is not None
    assert again.picture.read() == data
    assert again.barriers == found.barriers
    drawn = Battlemap.from_rows(["......"] * 4, picture=Picture(lambda: data, 2))
    assert json.loads(dump(drawn, "uvtt"))["image"] == base64.b64encode(data).decode()


def test_a_hex_map_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="square"):
        dump(Battlemap.from_rows(["."], grid="hex-odd-r"), "uvtt")


# -- work on segments --------------------------------------------------------------------------------------------------

LATTICE = st.integers(-8, 24).map(lambda n: n / 4)
SEGMENTS = st.tuples(st.tuples(LATTICE, LATTICE), st.tuples(LATTICE, LATTICE))


def covered(segments: list[Any], x: float, y: float) -> bool:
    """Whether a point lies on one of the segments, in exact quarters."""
    for (x0, y0), (x1, y1) in segments:
        cross = (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)
        if cross == 0 and min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1):
            return True
    return False


@given(st.lists(SEGMENTS, max_size=8), LATTICE, LATTICE)
def test_joining_changes_no_point(segments: list[Any], x: float, y: float) -> None:
    real = [segment for segment in segments if segment[0] != segment[1]]
    joined = merged(segments)
    assert covered(joined, x, y) == covered(real, x, y)
    assert merged(joined) == joined
    assert len(joined) <= len(real)


@given(SEGMENTS)
def test_clipping_keeps_what_is_inside(segment: Any) -> None:
    inside = clip(segment, 4, 4)
    for n in range(17):
        x = segment[0][0] + (segment[1][0] - segment[0][0]) * n / 16
        y = segment[0][1] + (segment[1][1] - segment[0][1]) * n / 16
        if 0 < x < 4 and 0 < y < 4:
            assert inside is not None
            assert min(inside[0][0], inside[1][0]) - 1e-9 <= x <= max(inside[0][0], inside[1][0]) + 1e-9
    if inside is not None:
        assert all(-1e-9 <= value <= 4 + 1e-9 for end in inside for value in end)


def test_cutting_doors_out_of_a_wall() -> None:
    wall = ((0.0, 0.0), (4.0, 4.0))
    assert without([wall], [((1, 1), (2, 2)), ((3, 3), (5, 5)), ((0, 1), (1, 0))]) == [
        ((0, 0), (1, 1)),
        ((2, 2), (3, 3)),
    ]


def test_objects_are_written_as_objects() -> None:
    square = line((1.1, 1.1), (2.9, 1.1), (2.9, 2.9), (1.1, 2.9))
    found, _ = read(objects_line_of_sight=[square, line((4.2, 0.2), (4.8, 0.2), (4.8, 0.8), (4.2, 0.8))])
    content, report = dump_with_report(found, "uvtt")
    written = json.loads(content)
    assert [len(ring) for ring in written["objects_line_of_sight"]] == [5, 5]
    assert "impassable" not in str(report)
    again = load(content.encode(), name="cave.uvtt")  # type: ignore[union-attr]
    for cell in ("B2", "C2", "B3", "C3", "E1"):
        assert again.terrain(cell) == found.terrain(cell)
        assert again.terrain(cell).impassable
    assert sum(kind.impassable for row in range(4) for col in range(6) for kind in [again.terrain((col, row))]) == 5
