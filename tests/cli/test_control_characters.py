"""Characters that command a terminal, turn text about or break a picture: refused where names are read, never shown."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tactical
from tactical.hosts.stdio import serve
from tactical.play.session import Session
from tactical.show.rendering import render
from tactical.world.battlemap import Battlemap, Level, Link, Zone
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain
from tests.cli.conftest import Run

# C0, DEL, C1, line separators, what turns text about, what XML cannot hold, half a surrogate pair
SIGNS = [
    "\x00",
    "\x07",
    "\x1b",
    "\n",
    "\r",
    "\x7f",
    "\x85",
    "\x9b",
    "\u2028",
    "\u202e",
    "\u2066",
    "\ufffe",
    "\uffff",
    "\ud800",
]
RAW = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
HEAD = "schema: 1\nrows: |\n  .....\n  .....\n"

PLACES = [
    'name: "{}"', 'movers: [{{id: "{}", at: A1}}]', 'movers: [{{id: a, at: A1, name: "{}"}}]',
    'movers: [{{id: a, at: A1, side: "{}"}}]', 'movers: [{{id: a, at: A1, knows: ["{}"]}}]',
    'movers: [{{id: a, at: A1, stats: {{note: "{}"}}}}]', 'movers: [{{id: a, at: A1, stats: {{"{}": 1}}}}]',
    'barriers: [{{id: "{}", cell: A1, side: east, kind: door}}]', 'links: [{{from: A1, to: B2, kind: "{}"}}]',
    'links: [{{from: A1, to: B2, id: "{}"}}]', 'zones: [{{cells: [A1], terrain: "{}"}}]',
    'zones: [{{cells: [A1], hazard: "{}"}}]', 'zones: [{{cells: [A1], source: "{}"}}]',
    'legend: {{"~": {{terrain: "{}"}}}}', 'legend: {{"{}": {{terrain: mud}}}}', 'level: "{}"',
    'levels: [{{name: "{}", rows: [".....", "....."]}}]', 'rules: "{}"', 'options: {{diagonal: "{}"}}', 'base: "{}"',
    'picture: {{file: "{}", pixels: 10}}', '"{}": 1', 'grid: {{unit: "{}"}}',
]  # fmt: skip


def escaped(sign: str) -> str:
    return f"\\u{ord(sign):04x}"


@pytest.mark.parametrize("place", PLACES)
def test_a_map_file_may_not_hold_them(run: Run, tmp_path: Path, place: str) -> None:
    for sign in SIGNS:
        text = HEAD + place.format(f"a{escaped(sign)}b") + "\n"
        (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
        answer = run("check", str(tmp_path / "map.yaml"), "--json")
        assert answer.status in (1, 2), (sign, place)
        faults = answer.json["faults"]
        assert faults
        assert {fault["line"] for fault in faults} == {5} or answer.status == 2
        assert not RAW.search(json.dumps(faults, ensure_ascii=False)), faults
        words = run("check", str(tmp_path / "map.yaml"))
        assert not RAW.search(words.err + words.out)


@pytest.mark.parametrize("sign", [sign for sign in SIGNS if sign not in "\n\r"])
def test_raw_ones_neither(run: Run, tmp_path: Path, sign: str) -> None:
    for text in (f"{HEAD}name: a{sign}b\n", f"{HEAD}# a{sign}b\nnam: x\n", f"rows: |\n  ..{sign}\n  ..\n"):
        (tmp_path / "map.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
        answer = run("check", str(tmp_path / "map.yaml"))
        assert answer.status in (1, 2)
        assert not RAW.search(answer.err + answer.out)


@pytest.mark.parametrize("sign", SIGNS)
def test_values_of_the_library_refuse_them(sign: str) -> None:
    bad = f"a{sign}b"
    for make in (
        lambda: Mover(bad), lambda: Mover("a", name=bad), lambda: Mover("a", stats={bad: 1}),
        lambda: Mover("a", stats={"x": [bad]}), lambda: Barrier(((0, 0), (1, 0)), id=bad), lambda: Terrain(bad),
        lambda: Terrain(hazard=bad), lambda: Level(bad, [[0]]), lambda: Link((0, 0), (1, 0), kind=bad),
        lambda: Zone([(0, 0)], {"terrain": bad}), lambda: Battlemap.from_rows(["."], name=bad),
        lambda: Battlemap.from_rows(["."], options={"x": bad}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="must not hold a"):
            make()


def lines_of(asked: list[object]) -> list[dict[str, object]]:
    out = io.BytesIO()
    serve(io.BytesIO("".join(json.dumps(one) + "\n" for one in asked).encode()), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("sign", SIGNS)
def test_hosts_and_saved_games_cannot_bring_them_in(tmp_path: Path, sign: str) -> None:
    bad = f"a{sign}b"
    battlemap = Battlemap.from_rows(["...."], movers=(Mover("good", at=(0, 0), name="Good"),), rules="plain")
    whole = json.dumps(tactical.to_json(battlemap))
    session = Session.new(battlemap)
    session.save(tmp_path / "game")
    saved = (tmp_path / "game").read_text(encoding="ascii")
    snapshot = json.dumps(session.snapshot())
    for word in ("Good", "good"):
        inside = json.dumps(bad)[1:-1]
        asked: list[object] = [
            {"do": "load", "json": json.loads(whole.replace(f'"{word}"', f'"{inside}"'))},
            {"do": "open", "lines": saved.replace(f'"{word}"', f'"{inside}"')},
            {"do": "restore", "snapshot": json.loads(snapshot.replace(f'"{word}"', f'"{inside}"'))},
        ]
        for answer in lines_of(asked):
            assert answer["ok"] is False
            assert not RAW.search(str(answer["error"]["text"]))  # type: ignore[index]
    told = lines_of(
        [
            {"do": "load", "map": bad},
            {"do": bad},
            {"do": "load", "content": bad},
            {"do": "reach", bad: 1},
            {"do": "load", "content": HEAD + f'movers: [{{id: "x{escaped(sign)}"}}]'},
        ]
    )
    for answer in told:
        assert answer["ok"] is False
        assert not RAW.search(str(answer["error"]["text"]))  # type: ignore[index]


def test_a_picture_is_well_formed_whatever_stands_in_it() -> None:
    # a scene may be made by hand, from texts that nobody has checked
    from dataclasses import replace

    from tactical.registry import DRAWERS
    from tactical.show.scene.scene import scene

    drawn = scene(Battlemap.from_rows(["...."], movers=(Mover("a", at=(0, 0)),)))
    for sign in [*SIGNS, "<script>", '"', "'", "&", "]]>"]:
        text = DRAWERS.get("svg").draw(replace(drawn, title=f"a{sign}b", subtitle=f"{sign}"))
        assert ElementTree.fromstring(text.encode()).tag.endswith("svg")
    for _ in range(2):
        assert ElementTree.fromstring(str(render(Battlemap.from_rows(["."]))).encode()) is not None


def test_a_file_may_be_called_as_it_likes(run: Run, tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("names are stricter there")
    from tests.formats._samples import uvtt

    file = tmp_path / "ca\x1b]0;pwned\x07ve.dd2vtt"
    file.write_bytes(uvtt())
    out = tmp_path / "out.svg"
    assert run("render", str(file), "-o", str(out)).status == 0
    assert ElementTree.fromstring(out.read_text(encoding="utf-8")) is not None
    for words in (("check", str(file)), ("convert", str(file), "-o", str(tmp_path / "x.yaml")), ("reach", str(file))):
        answer = run(*words)
        assert not RAW.search(answer.err)
    assert tactical.load(file).name == "ca�]0;pwned�ve"
    assert tactical.load(tmp_path / "x.yaml").name == "ca�]0;pwned�ve"
    strange = bytes(tmp_path) + b"/\xff\xfe.dd2vtt"
    Path(strange.decode(sys.getfilesystemencoding(), "surrogateescape")).write_bytes(uvtt())
    command = [sys.executable, "-m", "tactical", "check", strange]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
