"""Native map files: what is read, and that writing loses nothing."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical.errors import MapError
from tactical.formats import dump, dump_with_report, load, load_with_report, native
from tactical.formats.native.models import Facts, MapFile
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Level, Link, Picture, Zone
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.grids import get_grid, grid_names
from tactical.world.mover import CLASSES, Mover
from tactical.world.terrain import FACTS, Terrain

from ._samples import YARD, png

ROOT = Path(__file__).parents[2]


def read(text: str, name: str = "yard.yaml") -> Battlemap:
    return load(text.encode(), name=name, format="native")


def test_everything_in_the_yard() -> None:
    yard = read(YARD)
    hill = Terrain("hill", difficult=True, elevation=Fraction(10))
    assert (yard.name, yard.rules, yard.cell, yard.unit, dict(yard.options)) == (
        "Mill yard",
        "operator",
        5,
        "ft",
        {"diagonal": "equal"},
    )
    assert yard.level_names == ("ground", "upper")
    assert [level.height for level in yard.levels] == [0, 10]
    assert yard.terrain(Cell(0, 0)) == Terrain("grass", level="E", number=8)
    assert yard.terrain(Cell(2, 0)) == Terrain("shallow water", difficult=True, water="shallow")
    assert yard.terrain(Cell(4, 1)) == Terrain("rock", impassable=True)
    assert yard.terrain(Cell(2, 1)) == yard.terrain(Cell(4, 1, 1)) == hill
    assert yard.barriers == (
        Barrier(((2, 0), (2, 1)), Kind.DOOR, "gate", DoorState.CLOSED),
        Barrier(((0.5, 0), (2.25, 1.5)), one_way="left"),
    )
    assert yard.links == (Link(Cell(0, 1), Cell(2, 0, 1), Fraction(10)),)
    cells = {Cell(0, 0), Cell(1, 0), Cell(0, 1), Cell(1, 1), Cell(3, 0)}
    assert yard.zones == (Zone(frozenset(cells), {"hazard": "smoke"}),)
    assert yard.movers == (Mover("raven", at=Cell(0, 0), side="heroes", stats={"agile": True, "strength": 14}),)


def test_the_report_counts() -> None:
    _, report = load_with_report(YARD.encode(), name="yard.yaml")
    assert str(report) == "read: 5 x 2 cells, 2 levels, 2 barriers, 1 link, 1 zone, 1 mover"


def test_json_is_read_too() -> None:
    text = json.dumps({"rows": ["..", ".w"], "legend": {"w": {"water": "deep"}}, "movers": [{"id": "a", "at": [1, 0]}]})
    found = load(text.encode(), name="map.json")
    assert found.terrain(Cell(1, 1)).water == "deep"
    assert found.movers[0].at == Cell(1, 0)


def test_one_way_towards_a_side() -> None:
    text = "rows: ..\nbarriers:\n  - {cell: A1, side: east, one_way: west}\n  - {cell: A1, side: e, one_way: east}\n"
    west, east = read(text).barriers
    assert west.passes(-1, 0)
    assert not west.passes(1, 0)
    assert east.passes(1, 0)
    assert not east.passes(-1, 0)


def test_the_cell_follows_from_unit_and_rules() -> None:
    assert (read("rows: .").cell, read("rows: .").unit) == (5, "ft")
    assert (read("rows: .\ngrid: {unit: m}").cell, read("rows: .\ngrid: {unit: m}").unit) == (1, "m")
    assert (read("rows: .\nrules: d6-reup").cell, read("rows: .\nrules: d6-reup").unit) == (1, "m")


def test_hex_sides() -> None:
    found = read("grid: {type: hex-odd-r}\nrows: |\n  ...\n  ...\nbarriers:\n  - {cell: B2, side: northeast}\n")
    assert found.barriers[0].line == get_grid("hex-odd-r").side(1, 1, "ne")


# -- an overlay -------------------------------------------------------------------------------------------------------

BASE = """\
rows: |
  ....
  ....
barriers:
  - {id: door-1, cell: B1, side: east, kind: door}
movers: [{id: orc, at: D2}]
"""
OVER = """\
base: under.yaml
rules: operator
legend: {"w": {water: deep}}
rows: |
  ..w.
  w...
barriers:
  - {id: door-1, state: secret}
  - {cell: A1, side: south}
zones:
  - {cells: ["C1:D1"], difficult: true}
movers:
  - {id: elf, at: A1}
"""


def test_an_overlay_adds_to_its_base(tmp_path: Path) -> None:
    (tmp_path / "under.yaml").write_text(BASE)
    (tmp_path / "over.yaml").write_text(OVER)
    found = load(tmp_path / "over.yaml")
    water = [cell for cell in map(Cell._make, np.ndindex(4, 2, 1)) if found.terrain(cell).water == "deep"]
    assert water == [Cell(0, 1), Cell(2, 0)]
    assert [barrier.state for barrier in found.barriers] == [DoorState.SECRET, None]
    assert found.barriers[0].line == ((2, 0), (2, 1))
    assert [mover.id for mover in found.movers] == ["orc", "elf"]
    assert found.zones == (Zone(frozenset({Cell(2, 0), Cell(3, 0)}), {"difficult": True}),)
    assert found.rules == "operator"
    assert load(dump(found).encode(), format="native") == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("base: ../under.yaml", "must be a file in the map's own folder"),
        ("base: /etc/hostname", "must be a file in the map's own folder"),
        ("base: absent.yaml", "cannot be read"),
        ("base: over.yaml", "cannot be its own base"),
        ("base: {file: under.yaml, options: {objekts: block}}", "unknown import option"),
        ("base: under.yaml\nrows: |\n  ....\n  ....\n  ....\n", "there are 3 rows, the base has 2"),
        ("base: under.yaml\nrows: |\n  ...\n  ....\n", "row 1 has 3 cells, expected 4"),
        ('base: under.yaml\nlegend: {".": {water: deep}}', "over a base '.' keeps the ground"),
        ("base: under.yaml\nbarriers: [{id: door-2, state: open}]", "the base has no barrier 'door-2'"),
        ("base: under.yaml\ngrid: {type: hex-odd-r}", "the base has a square grid"),
    ],
)
def test_faults_of_an_overlay(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "under.yaml").write_text(BASE)
    (tmp_path / "over.yaml").write_text(text)
    with pytest.raises(MapError) as caught:
        load(tmp_path / "over.yaml")
    assert words in str(caught.value)
    assert caught.value.faults[0].line > 0


def test_two_bases_in_a_circle(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("base: b.yaml")
    (tmp_path / "b.yaml").write_text("base: a.yaml")
    with pytest.raises(MapError, match="circle"):
        load(tmp_path / "a.yaml")


def test_a_fault_of_the_base_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "under.yaml").write_text("rows: ..x")
    (tmp_path / "over.yaml").write_text("base: under.yaml")
    with pytest.raises(MapError) as caught:
        load(tmp_path / "over.yaml")
    assert [Path(fault.file).name for fault in caught.value.faults] == ["over.yaml", "under.yaml"]


# -- a picture --------------------------------------------------------------------------------------------------------


def test_a_picture_is_read_only_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "map.yaml").write_text("rows: ..\npicture: {file: yard.png, pixels: 64, offset: [3, 4]}\n")
    found = load(tmp_path / "map.yaml")
    assert found.picture is not None
    assert (found.picture.pixels, found.picture.offset, found.picture.kind) == (64, (3, 4), "png")
    with pytest.raises(FileNotFoundError):
        found.picture.read()
    (tmp_path / "yard.png").write_bytes(png(2, 2))
    assert found.picture.read() == png(2, 2)
    assert "picture: {file: yard.png, pixels: 64, offset: [3, 4]}" in str(dump(found))


def test_a_picture_elsewhere_is_refused() -> None:
    with pytest.raises(MapError, match="own folder"):
        read("rows: ..\npicture: {file: ../secret.png, pixels: 64}\n")


def test_a_picture_without_a_file_is_reported() -> None:
    drawn = Battlemap.from_rows(["."], picture=Picture(lambda: b"", 10))
    _, report = dump_with_report(drawn)
    assert [line.kind for line in report.lines] == ["dropped"]


# -- writing ----------------------------------------------------------------------------------------------------------


def test_the_written_file_reads_well() -> None:
    yard = read(YARD)
    written = str(dump(yard))
    assert read(written) == yard
    assert '  ".": {terrain: grass, level: E, number: 8}' in written
    assert "  - {id: gate, cell: B1, side: east, kind: door, state: closed}" in written
    assert "  - {id: raven, at: ground/A1, side: heroes, stats: {agile: true, strength: 14}}" in written


def test_cells_of_a_zone_are_written_as_rectangles() -> None:
    cells = {Cell(col, row) for col in range(1, 4) for row in range(2)} | {Cell(0, 3), Cell(4, 0)}
    drawn = Battlemap.from_rows(["....."] * 4, zones=(Zone(frozenset(cells), {"rough": True}),))
    assert 'cells: ["B1:E1", "B2:D2", A4]' in str(dump(drawn))
    wide = Battlemap.from_rows(["....."] * 4, zones=(Zone(frozenset(cells - {Cell(4, 0)}), {"rough": True}),))
    assert 'cells: ["B1:D2", A4]' in str(dump(wide))


def test_what_no_file_can_hold() -> None:
    with pytest.raises(TypeError, match="stats must hold texts, numbers, lists and mappings"):
        Mover("a", stats={"x": object()})


# names hold no control characters: those are refused wherever a value is made
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Zl", "Zp", "Cn")), max_size=8)
NUMBERS = st.fractions(min_value=-1000, max_value=1000, max_denominator=50)
VALUES = st.recursive(
    st.booleans() | st.integers(-(10**9), 10**9) | NUMBERS | WORDS | st.none(),
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=4,
)
TERRAINS = st.builds(
    Terrain,
    name=WORDS,
    difficult=st.booleans(),
    impassable=st.booleans(),
    water=st.sampled_from(["", "shallow", "deep"]),
    elevation=NUMBERS,
    factor=NUMBERS.map(abs),
    hazard=WORDS,
    uphill=st.sampled_from([None, True, False]),
    check=st.none() | st.tuples(st.integers(1, 9), st.integers(1, 50)),
)
ENDS = st.tuples(st.floats(0, 9, allow_nan=False), st.floats(0, 9, allow_nan=False))


@st.composite
def maps(draw: st.DrawFn) -> Battlemap:
    cols, rows, floors = draw(st.integers(1, 5)), draw(st.integers(1, 5)), draw(st.integers(1, 2))
    palette = tuple(draw(st.lists(TERRAINS, min_size=1, max_size=6, unique=True)))
    cell = st.builds(Cell, st.integers(0, cols - 1), st.integers(0, rows - 1), st.integers(0, floors - 1))
    cells = st.integers(0, len(palette) - 1)
    levels = tuple(
        Level(
            name,
            np.array(draw(st.lists(cells, min_size=cols * rows, max_size=cols * rows)), dtype=np.uint16).reshape(
                rows, cols
            ),
            draw(NUMBERS),
        )
        for name in ["ground", "up stairs"][:floors]
    )
    grid = get_grid(draw(st.sampled_from(grid_names())))
    barriers = tuple(
        Barrier(
            line,
            kind,
            f"barrier {n}" if draw(st.booleans()) else "",
            draw(st.sampled_from(DoorState)) if kind is Kind.DOOR else None,
            draw(st.sampled_from(["", "left", "right"])),
            draw(st.none() | st.fractions(0, 90, max_denominator=9)),
            level=draw(st.integers(0, floors - 1)),
            truth=draw(st.sampled_from(["", "wall", "door-locked"])),
        )
        for n, (line, kind) in enumerate(
            draw(
                st.lists(
                    st.tuples(st.tuples(ENDS, ENDS) | side_of(grid, cols, rows), st.sampled_from(Kind)), max_size=4
                )
            )
        )
    )
    movers = tuple(
        Mover(
            f"{n}{draw(WORDS)}",
            "",
            draw(st.dictionaries(WORDS, VALUES, max_size=3)),
            draw(st.none() | cell),
            draw(WORDS),
            draw(st.integers(0, 4)),
            draw(st.sampled_from(("", *CLASSES))),
            knows=frozenset(draw(st.lists(WORDS, max_size=2))),
            hidden=draw(st.booleans()),
        )
        for n in range(draw(st.integers(0, 3)))
    )
    zone = st.builds(
        Zone,
        st.frozensets(cell, min_size=1),
        st.fixed_dictionaries(
            {}, optional={"difficult": st.booleans(), "water": st.just("deep"), "elevation": NUMBERS, "hazard": WORDS}
        ),
        WORDS,
    )
    return Battlemap(
        levels,
        palette,
        grid,
        draw(st.fractions(1, 30, max_denominator=9)),
        draw(st.sampled_from(["ft", "m"])),
        barriers,
        tuple(draw(st.lists(st.builds(Link, cell, cell, NUMBERS.map(abs), WORDS, st.booleans()), max_size=2))),
        tuple(draw(st.lists(zone, max_size=2))),
        movers,
        name=draw(WORDS),
    )


def side_of(grid: object, cols: int, rows: int) -> st.SearchStrategy[object]:
    names = [direction.name for direction in grid.directions if not direction.diagonal]  # type: ignore[attr-defined]
    return st.builds(grid.side, st.integers(0, cols - 1), st.integers(0, rows - 1), st.sampled_from(names))  # type: ignore[attr-defined]


@given(maps())
@settings(max_examples=60)
def test_writing_loses_nothing(battlemap: Battlemap) -> None:
    text = str(dump(battlemap))
    own = {fault.text for fault in battlemap.faults()}
    if own:
        # a random map may be wrong; then the file's faults must be the map's own
        with pytest.raises(MapError) as caught:
            read(text)
        assert {fault.text for fault in caught.value.faults} <= own
    else:
        assert read(text) == battlemap


def test_all_sample_maps_survive_writing() -> None:
    files = sorted(ROOT.glob("maps/**/*.yaml"))
    assert files
    for file in files:
        found = load(file)
        again = load(str(dump(found)).encode(), name=str(file))
        assert again == found, file


# -- models and schema ------------------------------------------------------------------------------------------------


def test_the_models_know_every_fact() -> None:
    assert set(Facts.keys) == set(FACTS)


def test_the_schema_file_is_what_the_models_say() -> None:
    published = json.loads((ROOT / "assets" / "map.schema.json").read_text())
    assert json.loads(json.dumps(native.schema())) == published


def test_every_key_of_the_models_is_in_the_schema() -> None:
    assert set(native.schema()["properties"]) == set(MapFile.keys)
