"""Every sample map in every format that can be written, through the command: what comes back is equal or was told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tactical
from tactical.formats import format_for, load
from tactical.registry import FORMATS
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, Kind, snapped
from tactical.world.mover import Mover
from tests.cli.conftest import Run, run

__all__ = ["run"]

MAPS = Path(__file__).parents[2] / "maps"
SAMPLES = sorted(MAPS.rglob("*.yaml")) + sorted(MAPS.rglob("*.dd2vtt"))
WRITABLE = {known.name: known.suffixes[0] for _, known in FORMATS if known.can_dump and known.can_load}
PORTALS = (Kind.DOOR, Kind.WINDOW)
FACTS = ("impassable", "gap")


def some_open(battlemap: Battlemap) -> list[Cell]:
    """A few cells to start from."""
    cells = [Cell(col, row) for row in range(battlemap.rows) for col in range(battlemap.cols)]
    cells = [cell for cell in cells if not battlemap.terrain(cell).impassable]
    return cells[:: max(1, len(cells) // 5)]


def walked(battlemap: Battlemap, starts: list[Cell]) -> list[frozenset[Cell]]:
    """Where a walker who pays the same everywhere gets to."""
    options = {"diagonal": "none"}
    plain = Battlemap(battlemap.levels[:1], battlemap.palette, battlemap.grid, barriers=battlemap.barriers)
    return [
        frozenset(tactical.reach(plain, Mover("x", at=at), rules="plain", options=options, turns=40).cells())
        for at in starts
    ]


def without_what_is_told(battlemap: Battlemap, form: str, *, doors: bool) -> Battlemap:
    """The map as the format can say it, made by hand: blocked and open cells, and walls and doors for UVTT."""
    rows = []
    for row in range(battlemap.rows):
        line = ""
        for col in range(battlemap.cols):
            ground = battlemap.terrain((col, row))
            out = ground.impassable or (form == "movingai" and (ground.gap or ground.swum))
            line += "#" if out else "."
        rows.append(line)
    barriers: list[Barrier] = []
    for barrier in battlemap.barriers if form == "uvtt" else ():
        if barrier.level == 0 and (not barrier.stops or "walk" in barrier.stops):
            if barrier.kind in (Kind.DOOR, Kind.WINDOW):
                open_ = doors and barrier.state == "open"
                barriers.append(Barrier(barrier.line, Kind.DOOR, state="open") if open_ else Barrier(barrier.line))
            elif barrier.kind in (Kind.WALL, Kind.INVISIBLE):
                barriers.append(Barrier(barrier.line))
    return Battlemap.from_rows(rows, barriers=tuple(barriers))


def kept_by_tiled(battlemap: Battlemap) -> object:
    """What a TMX file can say of a map: all facts of the first level's ground but two, and where barriers are."""
    ground = battlemap.levels[0].ground
    kinds = [replace(kind, level_numbers=(), check=None) for kind in battlemap.palette]
    square = battlemap.grid.name == "square"
    lines = {(snapped(one.line), one.kind, one.state) for one in battlemap.barriers if one.level == 0 and square}
    return battlemap.grid.name, [[kinds[n] for n in row] for row in ground.tolist()], lines


@pytest.mark.parametrize("form", sorted(WRITABLE))
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_map_is_converted_and_read_back(run: Run, tmp_path: Path, sample: Path, form: str) -> None:
    before = load(sample)
    target = tmp_path / f"copy{WRITABLE[form]}"
    answer = run("convert", str(sample), "-o", str(target), "--json")
    if before.grid.name != "square" and form not in ("native", "tiled"):
        assert answer.status == 2
        assert "square" in answer.err
        assert not target.exists()
        return
    assert answer.status == 0, answer.err
    told = [line["text"] for line in answer.json["losses"]["lines"]]
    after = load(target)
    assert run("check", str(target)).status == 0
    if form == "native":
        assert after == before
        assert told == []
        return
    for count, word in ((len(before.movers), "mover"), (len(before.links), "link"), (len(before.zones), "zone")):
        assert bool(count) == any(f" {word}" in text for text in told), (word, told)
    ground = [barrier for barrier in before.barriers if barrier.level == 0]
    if form == "tiled":
        assert kept_by_tiled(after) == kept_by_tiled(before)
        if before.grid.name == "square":
            named = {one.id for one in ground if one.id and one.kind in PORTALS}
            assert named <= {one.id for one in after.barriers}
        assert any("left out" in text for text in told) == (bool(ground) and before.grid.name != "square")
        return
    if form == "uvtt":
        assert any(barrier.stops for barrier in ground) == any("modes of moving" in text for text in told)
        assert any(barrier.state == "open" for barrier in ground) == any("an open door" in text for text in told)
    for doors in (False, True):
        if doors and not _only_doors_are_open(before, form):
            continue
        after = load(target, options={"open_portals": "open_door"} if doors else {})
        # a door that was shut is shut still, and no wall became a way
        shut = after.with_(barriers=[_still(barrier) for barrier in after.barriers])
        expected = without_what_is_told(before, form, doors=doors)
        starts = some_open(expected)
        assert walked(shut, starts) == walked(expected, starts)


def _only_doors_are_open(battlemap: Battlemap, form: str) -> bool:
    open_ = [barrier for barrier in battlemap.barriers if barrier.kind is Kind.DOOR and barrier.state == "open"]
    return form == "uvtt" and bool(open_) and not any(barrier.kind is Kind.WINDOW for barrier in battlemap.barriers)


def _still(barrier: Barrier) -> Barrier:
    closed = barrier.kind is Kind.DOOR and barrier.state != "open"
    return Barrier(barrier.line) if closed or barrier.kind is Kind.WINDOW else barrier


def test_every_writable_format_knows_its_ending() -> None:
    for name, suffix in WRITABLE.items():
        found = format_for(f"map{suffix}")
        assert found is not None
        assert found.name == name


def test_a_barrier_that_stops_some_modes_only_is_told(run: Run, tmp_path: Path) -> None:
    text = "schema: 1\nrules: plain\nrows: |\n  ...\nbarriers:\n  - {line: [[1, 0], [1, 1]], stops: [%s]}\n"
    for modes, cells, words in (
        ("drive", 2, "and no walker, left out"),
        ("walk, crawl, drive", 0, "written as one for all"),
    ):
        (tmp_path / "gate.yaml").write_text(text % modes, encoding="utf-8")
        answer = run("convert", str(tmp_path / "gate.yaml"), "-o", str(tmp_path / "gate.dd2vtt"))
        assert words in answer.err
        for name in ("gate.yaml", "gate.dd2vtt"):
            found = run("reach", str(tmp_path / name), "--at", "A1", "--json").json
            assert len(found["cells"]) == cells, (name, modes)


IMPORTS = [
    path
    for path in sorted(Path(__file__).parent.glob("*/*/input.*"))
    if path.parent.parent.name in FORMATS.names() and not (path.parent / "faults.txt").exists()
]


@pytest.mark.parametrize("file", IMPORTS, ids=lambda file: f"{file.parent.parent.name}-{file.parent.name}")
def test_an_import_written_as_a_native_map_is_the_same(run: Run, tmp_path: Path, file: Path) -> None:
    answer = run("convert", str(file), "-o", str(tmp_path / "out.yaml"))
    assert answer.status == 0, answer.err
    assert load(tmp_path / "out.yaml") == load(file)
    for name in WRITABLE:
        answer = run("convert", str(file), "-o", str(tmp_path / f"out.{name}"), "--to", name)
        assert answer.status == 0 or answer.err, name
        assert "Traceback" not in answer.err
