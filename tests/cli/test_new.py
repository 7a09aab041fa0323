"""From a drawn map, a scene or a picture to a reach: `tactical new`, one line filled in, and `--overlay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tactical
from tactical.formats._reading import between
from tactical.registry import RULESETS
from tests.cli.conftest import Run
from tests.formats._samples import line, png, point, portal, uvtt


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fill_in(file: Path) -> None:
    """What a user does: take the # away before the line of a figure."""
    text = file.read_text(encoding="utf-8")
    assert text.count("  # - {id: hero") == 1
    file.write_text(text.replace("  # - {id: hero", "  - {id: hero"), encoding="utf-8")


def test_from_a_drawn_map_to_a_reach(run: Run, here: Path) -> None:
    portals = [portal((3, 1), (3, 2)), portal((1, 1), (2, 1), closed=False)]
    (here / "cave.dd2vtt").write_bytes(uvtt(portals=portals))
    assert "unknown mover 'hero'" in (refused := run("reach", "cave.dd2vtt", "--mover", "hero").err)
    assert "`tactical new FILE`" in refused
    made = run("new", "cave.dd2vtt")
    assert (made.status, made.out.split(":")[0]) == (0, "wrote cave.yaml")
    assert "cave.dd2vtt: ambiguous: 1 ambiguous portal" in made.err
    text = (here / "cave.yaml").read_text(encoding="utf-8")
    assert "base: cave.dd2vtt" in text
    assert "  # - {id: door-1, kind: door, state: closed}  # closed, between C2 and D2" in text
    assert "  # - {id: window-1, kind: door, state: closed}  # window, between B1 and B2" in text
    clean = run("check", "cave.yaml")
    assert (clean.status, clean.out) == (0, "no faults in 1 file\n")
    assert "a cell is taken as 5 ft" not in clean.err
    fill_in(here / "cave.yaml")
    answer = run("reach", "cave.yaml", "--mover", "hero")
    assert (answer.status, "Hero at" in answer.out) == (0, True)
    # every other line may be taken in too
    (here / "cave.yaml").write_text((here / "cave.yaml").read_text().replace("  # - {", "  - {"))
    assert run("check", "cave.yaml").out == "no faults in 1 file\n"


@pytest.mark.parametrize("name", RULESETS.names())
def test_the_line_of_a_figure_is_sound_under_every_rule_system(run: Run, here: Path, name: str) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    assert run("new", "cave.dd2vtt", "--rules", name, "-o", "own.yaml").status == 0
    fill_in(here / "own.yaml")
    assert run("check", "own.yaml").out == "no faults in 1 file\n"
    found = run("reach", "own.yaml", "--mover", "hero", "--json").json
    assert found["rules"] == name
    assert (tactical.load("own.yaml").cell, tactical.load("own.yaml").unit) == (
        RULESETS.get(name).cell, RULESETS.get(name).unit)  # fmt: skip


@pytest.mark.parametrize("name", RULESETS.names())
def test_only_ground_that_the_rules_read_is_offered(run: Run, here: Path, name: str) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    (here / "hall.png").write_bytes(picture("hall.png"))
    assert run("new", "cave.dd2vtt", "--rules", name, "-o", "own.yaml").status == 0
    assert run("new", "hall.png", "--grid", "10", "--rules", name, "-o", "hall.yaml").status == 0
    own = here / "own.yaml"
    own.write_text(own.read_text(encoding="utf-8").replace("  # - {cells", "  - {cells"), encoding="utf-8")
    offered = [{k: v for k, v in zone.facts.items() if k != "terrain"} for zone in tactical.load(own).zones]
    drawn = [kind.facts() for kind in tactical.load(here / "hall.yaml").palette if kind.name not in ("ground", "rock")]
    known = RULESETS.get(name).ground
    assert offered
    assert all(facts.keys() <= known.keys() for facts in (*offered, *drawn))


def test_a_figure_that_stands_at_once(run: Run, here: Path) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    made = run("new", "cave.dd2vtt", "--rules", "operator", "--mover", "ann=B2", "--mover", "bo=E4", "--cell", "10")
    assert made.status == 0
    found = tactical.load("cave.yaml")
    assert [(one.id, found.name_of(one.at)) for one in found.movers if one.at] == [("ann", "B2"), ("bo", "E4")]
    assert found.cell == 10
    assert run("new", "cave.dd2vtt", "--mover", "ann=Z9", "-o", "other.yaml").status == 2
    assert not (here / "other.yaml").exists()


@pytest.mark.parametrize("name", ["hall.png", "hall.jpg", "hall.webp"])
def test_from_a_picture_to_a_reach(run: Run, here: Path, name: str) -> None:
    (here / name).write_bytes(picture(name))
    refused = run("new", name)
    assert (refused.status, f"`tactical new {name} --grid 70`" in refused.err) == (2, True)
    assert run("new", name, "--grid", "7", "--offset", "3,2").status == 0
    assert run("check", "hall.yaml").out == "no faults in 1 file\n"
    fill_in(here / "hall.yaml")
    assert run("reach", "hall.yaml", "--mover", "hero").status == 0
    found = tactical.load("hall.yaml")
    assert (found.cols, found.rows) == (5, 4)
    assert found.picture is not None
    assert (found.picture.pixels, found.picture.offset) == (7, (3, 2))
    # a cell is where the picture has it
    assert found.name_of(found.cell_at(3 + 7 * 2 + 1, 2 + 7 + 1)) == "C2"  # type: ignore[arg-type]


def picture(name: str) -> bytes:
    """A picture of 40 x 30 pixels; of the last two kinds only what tells its size."""
    if name.endswith("png"):
        return png(40, 30)
    if name.endswith("jpg"):
        return b"\xff\xd8\xff\xc0\x00\x11\x08\x00\x1e\x00\x28\x03" + bytes(20) + b"\xff\xd9"
    body = b"WEBPVP8L" + (8).to_bytes(4, "little") + b"\x2f" + (39 | 29 << 14).to_bytes(4, "little") + bytes(10)
    return b"RIFF" + len(body).to_bytes(4, "little") + body


def test_a_picture_is_read_without_a_map_over_it(run: Run, here: Path) -> None:
    (here / "hall.png").write_bytes(png(40, 30))
    answer = run("reach", "hall.png", "--import", "grid=10", "--at", "B2", "--json")
    assert answer.json["start"] == "B2"
    assert tactical.load("hall.png", options={"grid": 10, "type": "hex-odd-r"}).grid.name == "hex-odd-r"
    for option, words in (("grid=0.5", "less than one"), ("grid=99", "hold no whole cell"), ("offset=x", "write 12,8")):
        refused = run("check", "hall.png", "--import", "grid=10", "--import", option)
        assert (refused.status, words in refused.err) == (1, True), option


def test_a_file_that_is_there_is_not_written_over(run: Run, here: Path) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    (here / "cave.yaml").write_text("mine")
    refused = run("new", "cave.dd2vtt")
    assert (refused.status, "there is a file cave.yaml already: say -o OUT" in refused.err) == (2, True)
    assert (here / "cave.yaml").read_text() == "mine"
    assert run("new", "cave.dd2vtt", "-o", "-").out.startswith("schema: 1\n")


def test_what_cannot_be_laid_over_is_refused(run: Run, here: Path) -> None:
    (here / "maps").mkdir()
    (here / "mine").mkdir()
    (here / "maps" / "cave.dd2vtt").write_bytes(uvtt())
    assert run("new", "maps/cave.dd2vtt", "-o", "over.yaml").status == 0
    assert tactical.load("over.yaml").cols == 6
    assert "must name a file" in run("new", "-").err
    assert "is a sample map: copy it" in run("new", "village").err


def test_a_file_elsewhere_is_copied_beside_the_new_map(run: Run, here: Path) -> None:
    (here / "downloads").mkdir()
    (here / "mine").mkdir()
    (here / "downloads" / "cave.dd2vtt").write_bytes(uvtt())
    made = run("new", "downloads/cave.dd2vtt", "-o", "mine/cave.yaml")
    assert (made.status, "copied cave.dd2vtt to mine" in made.err) == (0, True), made
    assert (here / "mine" / "cave.dd2vtt").read_bytes() == uvtt()
    assert tactical.load("mine/cave.yaml").cols == 6
    # the same file may be there already, another one is left alone
    assert run("new", "downloads/cave.dd2vtt", "-o", "mine/again.yaml").status == 0
    (here / "mine" / "cave.dd2vtt").write_bytes(b"another")
    refused = run("new", "downloads/cave.dd2vtt", "-o", "mine/third.yaml")
    assert (refused.status, "is not the file read" in refused.err) == (2, True), refused
    assert (here / "mine" / "cave.dd2vtt").read_bytes() == b"another"
    assert not (here / "mine" / "third.yaml").exists()
    assert "there is no folder none" in run("new", "downloads/cave.dd2vtt", "-o", "none/cave.yaml").err


def test_a_scene_with_its_import_options(run: Run, here: Path) -> None:
    scene = {"name": "Yard", "width": 200, "height": 100, "padding": 0, "grid": {"type": 1, "size": 50, "distance": 5,
             "units": "ft"}, "tokens": [], "walls": [{"c": [50, 0, 50, 50], "move": 20, "door": 1}]}  # fmt: skip
    (here / "yard.json").write_text(json.dumps({"scenes": [{**scene, "name": "Other"}, scene]}))
    assert run("new", "yard.json", "--import", "scene=2").status == 0
    assert 'base: {file: yard.json, options: {scene: "2"}}' in (here / "yard.yaml").read_text()
    fill_in(here / "yard.yaml")
    assert run("reach", "yard.yaml", "--mover", "hero").status == 0
    assert tactical.load("yard.yaml").name == "Yard"


OVERLAY = """\
grid: {cell: 10}
zones:
  - {cells: ["A1:B4"], terrain: brush, difficult: true}
barriers:
  - {id: door-1, state: open}
movers:
  - {id: ann, at: A1, stats: {speed: 30}}
"""


def test_an_overlay_for_any_map_of_any_command(run: Run, here: Path) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    (here / "terrain.yaml").write_text(OVERLAY)
    over = ("cave.dd2vtt", "--overlay", "terrain.yaml")
    assert run("reach", *over, "--mover", "ann", "--json").json["mover"] == "ann"
    assert run("path", *over, "--mover", "ann", "--to", "C2", "--json").json["cost"] == 30
    assert run("render", *over, "--mover", "ann", "-o", "a.svg").status == 0
    clean = run("check", *over)
    assert (clean.status, "no faults" in clean.out) == (0, True)
    assert "door-1: open, between C2 and D2" in clean.out
    assert "terrain.yaml: 6 x 4 cells" in clean.err
    assert "taken as 5 ft" not in clean.err
    # merged, it is a map of its own that answers the same
    assert run("convert", *over, "-o", "merged.yaml").status == 0
    assert tactical.load("merged.yaml") == tactical.load_with_report("cave.dd2vtt", overlay="terrain.yaml")[0]
    assert run("path", "merged.yaml", "--mover", "ann", "--to", "C2", "--json").json["cost"] == 30
    assert run("reach", "cave.dd2vtt", "--mover", "ann").status == 2


def test_overlays_that_cannot_be_one(run: Run, here: Path) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    (here / "other.dd2vtt").write_bytes(uvtt(line_of_sight=[line((1, 1), (2, 2))], portals=[], lights=[point(1, 1)]))
    (here / "own.yaml").write_text("base: cave.dd2vtt\nmovers: [{id: ann, at: A1}]\n")
    assert run("reach", "cave.dd2vtt", "--overlay", "own.yaml", "--mover", "ann").status == 0
    for map_, overlay, words in (
        ("other.dd2vtt", "own.yaml", "own.yaml:1:7: base: it is laid over 'cave.dd2vtt', and not over another map"),
        ("cave.dd2vtt", "other.dd2vtt", "cannot be laid over a map"),
        ("cave.dd2vtt", "nope.yaml", "nope.yaml: No such file"),
    ):
        refused = run("reach", map_, "--overlay", overlay, "--at", "A1")
        assert (refused.status, words in refused.err) == (2, True), refused.err
    (here / "bad.yaml").write_text("barriers:\n  - {id: dor-1, state: open}\n")
    refused = run("check", "cave.dd2vtt", "--overlay", "bad.yaml")
    assert (refused.status, "bad.yaml:2:" in refused.err, "door-1" in refused.err) == (1, True, True)


def test_what_was_guessed_and_what_is_missing_is_said(run: Run, here: Path) -> None:
    (here / "cave.dd2vtt").write_bytes(uvtt())
    made = run(
        "new", "cave.dd2vtt", "--rules", "twelve-second", "--mover", "ann=A1", "--mover", "orc=B1", "-o", "m.yaml"
    )
    assert "m.yaml: cells of 1 m, as twelve-second has them" in made.err
    assert "nobody is a foe yet: give ann, orc a side each" in made.err
    stated = run("new", "cave.dd2vtt", "--cell", "5", "--unit", "ft", "--mover", "ann=A1", "-o", "ft.yaml")
    assert "cells of" not in stated.err
    assert "foe" not in stated.err


def test_what_could_not_be_read_again_is_not_written(run: Run, tmp_path: Path) -> None:
    board = tmp_path / "board.map"
    board.write_text("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n")
    for words, told in (
        (("--mover", "kit=B1"), "kit: B1 is"),
        (("--cell", "0"), "positive"),
        (("--cell", "-3"), "positive"),
        (("--mover", "kit=A1", "--mover", "kit=C1"), "kit is given twice"),
    ):
        done = run("new", str(board), *words)
        assert done.status == 2
        assert told in done.err
        assert not board.with_suffix(".yaml").exists()


def test_a_slanting_door_is_between_two_cells() -> None:
    board = tactical.Battlemap.from_cells(5, 5)
    door = tactical.Barrier(((2, 2), (3, 3)), "door")
    assert between(board, door) == "B4 and D2"


def test_a_map_without_a_length_is_told_what_its_cells_are_taken_for(run: Run, here: Path) -> None:
    (here / "den.map").write_text("type octile\nheight 1\nwidth 3\nmap\n...\n")
    made = run("new", "den.map", "--rules", "twelve-second")
    assert "den.map does not say how wide they are (--cell N --unit U)" in made.err
    assert "grid: {cell: 1, unit: m}" in (here / "den.yaml").read_text()


def test_rulings_under_rules_are_shown_their_place(run: Run, here: Path) -> None:
    (here / "a.yaml").write_text("schema: 1\nrules: {name: operator, diagonal: equal}\nrows: |\n  ...\n")
    told = run("check", "a.yaml").err
    assert "expected the name of a rule system, found a mapping (its rulings stand in `options:` at the top" in told
