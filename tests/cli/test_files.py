"""`check`, `convert`, `rulesets`, `formats`, `schema`: the commands that move nobody."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tactical.formats import load
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "maps").rglob("*.yaml"))

BAD = """schema: 1
rules: operater
grid: {type: square, cel: 5}
rows: |
  ....
  ...
  ..x.
movers:
  - {id: bob, at: Z99, spede: 30}
"""


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_sample_maps_are_sound(run: Run, monkeypatch: pytest.MonkeyPatch, sample: str) -> None:
    monkeypatch.chdir(ROOT)
    answer = run("check", sample, "--json")
    assert (answer.status, answer.json["faults"]) == (0, [])


def test_check_finds_every_fault_with_its_place(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD, encoding="utf-8")
    answer = run("check", str(path), "--json")
    assert answer.status == 1
    faults = answer.json["faults"]
    assert [(fault["line"], fault["column"]) for fault in faults] == [(2, 8), (3, 22), (6, 6), (7, 5), (9, 19), (9, 24)]
    assert {"file", "line", "column", "path", "text", "hint"} <= set(faults[0])
    assert "operator" in faults[0]["hint"]
    words = run("check", str(path))
    assert words.status == 1
    assert f"{path}:3:22" in words.err
    assert "6 faults in 1 file" in words.out


def test_check_goes_on_after_a_bad_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD, encoding="utf-8")
    answer = run("check", str(path), "village", "--json")
    assert [bool(one["faults"]) for one in answer.json["files"]] == [True, False]
    assert [line["file"] for line in answer.json["report"]] == ["village"]


def test_check_of_a_file_that_is_not_there(run: Run) -> None:
    answer = run("check", "nowhere.yaml", "--json")
    assert answer.status == 2
    assert answer.json["faults"][0]["file"] == "nowhere.yaml"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.yaml", b"\x89PNG\r\n\x1a\n picture"),
        ("a.yaml", b""),
        ("a.yaml", b"\x7fELF\x02\x01\x01\x00\xff\xfe\x00"),
        ("a.yaml", b"schema: 1\nrows: [a, b"),
        ("a.dd2vtt", b'{"format": 0.3, "resolution": {"pixels_per_grid": 10, "map_'),
        ("a.txt", b"a letter to somebody"),
    ],
)
def test_check_of_a_file_of_which_nothing_can_be_read(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    answer = run("check", str(tmp_path / name), "village", "--json")
    assert answer.status == 2
    assert [len(one["faults"]) for one in answer.json["files"]] == [1, 0]


HALL = Path(__file__).parents[1] / "formats" / "native" / "over_uvtt"


def test_check_lists_the_doors_of_an_import(run: Run) -> None:
    answer = run("check", str(HALL / "hall.dd2vtt"))
    assert answer.status == 0
    assert answer.out.splitlines() == [
        "door-1: closed, between B2 and C2",
        "window-1: window, between B1 and outside",
        "no faults in 1 file",
    ]
    as_door = run("check", str(HALL / "hall.dd2vtt"), "--import", "open_portals=open_door", "--json").json
    assert [(door["id"], door["state"]) for door in as_door["files"][0]["doors"]] == [
        ("door-1", "closed"),
        ("door-2", "open"),
    ]
    windows = run("check", str(HALL / "hall.dd2vtt"), "--import", "closed_portals=window", "--json").json
    assert {door["kind"] for door in windows["files"][0]["doors"]} == {"window"}
    assert any("closed_portals" in line["text"] for line in windows["report"])


def test_the_report_of_an_overlay_names_its_base(run: Run) -> None:
    told = run("check", str(HALL / "input.yaml")).err
    assert "input.yaml: ambiguous: hall.dd2vtt: 1 ambiguous portal" in told


def test_convert_puts_the_picture_of_an_import_beside_the_map(run: Run, tmp_path: Path) -> None:
    content = json.loads((HALL / "hall.dd2vtt").read_text(encoding="utf-8"))
    drawn = b"\x89PNG\r\n\x1a\n" + b"\0" * 40
    content["image"] = base64.b64encode(drawn).decode()
    (tmp_path / "hall.dd2vtt").write_text(json.dumps(content), encoding="utf-8")
    target = tmp_path / "native.yaml"
    answer = run("convert", str(tmp_path / "hall.dd2vtt"), "-o", str(target))
    assert answer.status == 0
    assert f"wrote {tmp_path / 'native.png'}" in answer.out
    assert "dropped" not in answer.err
    picture = load(target).picture
    assert picture is not None
    assert picture.read() == drawn
    # a picture that is another one is not written over
    (tmp_path / "native.png").write_bytes(b"mine")
    again = run("convert", str(tmp_path / "hall.dd2vtt"), "-o", str(target), "--json")
    assert (again.status, again.json["picture"]) == (0, "")
    assert "another picture" in again.err
    assert (tmp_path / "native.png").read_bytes() == b"mine"


def test_convert_writes_what_reads_back_the_same(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "copy.yaml"
    answer = run("convert", "dungeon", "-o", str(target), "--json")
    assert answer.status == 0
    assert answer.json["kind"] == "convert"
    assert load(target) == load(ROOT / "maps" / "dungeon.yaml")


def test_convert_says_what_is_lost(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "village.dd2vtt"
    answer = run("convert", "village", "-o", str(target), "--json")
    assert answer.status == 0
    assert any("kinds of ground" in line["text"] for line in answer.json["losses"]["lines"])
    assert json.loads(target.read_text(encoding="utf-8"))["resolution"]["map_size"] == {"x": 32, "y": 23}


def test_convert_reads_stdin_and_writes_stdout() -> None:
    data = (ROOT / "maps" / "small" / "ford.yaml").read_bytes()
    command = [sys.executable, "-m", "tactical", "convert", "-", "-o", "-", "--to", "native"]
    done = subprocess.run(command, input=data, capture_output=True, check=True)
    assert load(done.stdout, format="native") == load(data, format="native")


def test_json_and_content_cannot_share_stdout(run: Run) -> None:
    assert run("convert", "village", "-o", "-", "--json").status == 2


def test_rulesets_are_listed_and_described(run: Run) -> None:
    names = [one["name"] for one in run("rulesets", "--json").json["rulesets"]]
    assert {"operator", "plain"} <= set(names)
    (one,) = run("rulesets", "operator", "--json").json["rulesets"]
    assert "agile" in [stat["name"] for stat in one["stats"]]
    assert "diagonal" in [option["name"] for option in one["options"]]
    words = run("rulesets", "operator").out
    assert "agile: true or false, default false" in words
    assert "diagonal = equal" in words


def test_a_clause_is_explained(run: Run) -> None:
    answer = run("rulesets", "operator", "opr-14")
    assert (answer.status, answer.out) == (0, "OPR-14: Difficult ground (mud, snow, rubble, brush) costs 2 a foot.\n")
    told = run("rulesets", "operator", "OPR-A03", "--json").json
    assert (told["kind"], told["clause"], [one["name"] for one in told["options"]]) == (
        "clause",
        "OPR-A03",
        ["crouch_model"],
    )
    unknown = run("rulesets", "operator", "OPR-99")
    assert (unknown.status, unknown.out) == (2, "")
    assert "no clause 'OPR-99'" in unknown.err


def test_every_clause_of_a_ledger_can_be_asked_for(run: Run) -> None:
    ways = (("village", "magpie", "N9"), ("small/stairs", "ace", "upper/F2"), ("crossroads", "rhen", "I3"))
    for sample, mover, goal in ways:
        told = run("path", sample, "--mover", mover, "--to", goal, "--json").json
        named = {line[key] for line in told["ledger"] for key in ("clause", "ruling")} - {""}
        assert named
        for clause in named:
            answer = run("rulesets", told["rules"], clause)
            assert (answer.status, answer.out[: len(clause) + 2]) == (0, f"{clause}: ")


def test_formats_are_listed(run: Run) -> None:
    known = {one["name"]: one for one in run("formats", "--json").json["formats"]}
    assert {"native", "uvtt", "movingai"} <= set(known)
    assert known["native"]["read"]
    assert known["native"]["write"]
    assert ".dd2vtt" in run("formats").out


def test_the_schema_is_json(run: Run) -> None:
    assert "properties" in json.loads(run("schema").out)


def test_the_players_svg_does_not_carry_the_unexplored_part_of_a_picture(run: Run, tmp_path: Path) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    (tmp_path / "yard.png").write_bytes(base64.b64decode(pixel))
    text = "schema: 1\nrules: plain\nrows: |\n  ...{}\npicture: {{file: yard.png, pixels: 1}}\n"
    legend = "legend: {'?': {unknown: true}}\n"
    drawn = {}
    for name, glyph in (("known", "."), ("dark", "?")):
        (tmp_path / "yard.yaml").write_text(legend + text.format(glyph), encoding="utf-8")
        done = run("render", str(tmp_path / "yard.yaml"), "-o", str(tmp_path / f"{name}.svg"))
        assert done.status == 0, done.err
        drawn[name] = (tmp_path / f"{name}.svg").read_text(encoding="utf-8"), done.err
    assert pixel in drawn["known"][0]
    assert pixel not in drawn["dark"][0]
    assert "unexplored" in drawn["dark"][1]
