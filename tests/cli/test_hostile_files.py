"""Files that want to do harm, or are broken: a warning or a refusal with its place, within bounded memory and time."""

from __future__ import annotations

import base64
import json
import os
import resource
import struct
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.formats._samples import png, uvtt

PROGRAM = [sys.executable, "-m", "tactical"]
HEAD = "schema: 1\nrows: |\n  .....\n  .....\n"
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")
CEILING = 2_000_000_000
"""Bytes of memory a process may have: many times what it needs, and little beside what these files ask for."""


def bounded(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own that may not grow without end, nor run for ever."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (CEILING, CEILING))

    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [*PROGRAM, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        preexec_fn=limit,
        env=environment,
        **more,  # type: ignore[call-overload]
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done  # type: ignore[no-any-return]


def vast(width: int, height: int) -> bytes:
    """A picture whose header asks for so many black and white pixels; a few kilobytes in the file."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress(bytes(1_000_000), 9) if width < 100_000 else b""
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def damaged() -> bytes:
    data = bytearray(png(12, 8))
    data[44:52] = bytes(8)
    return bytes(data)


BROKEN = {
    "cut": (png(40, 20)[:-20], "cut off"),
    "head": (png(40, 20)[:20], "cut off"),
    "vast": (vast(30_000, 30_000), "30000 x 30000 pixels, more than the 100 million"),
    "beyond": (vast(2**31 - 1, 2**31 - 1), "more than the 100 million"),
    "empty": (vast(0, 5), "0 x 5 pixels"),
    "jpeg": (b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(20), "cut off"),
    "jpeg-vast": (b"\xff\xd8\xff\xc0\x00\x11\x08\xff\xff\xff\xff" + bytes(30) + b"\xff\xd9", "65535 x 65535"),
    "gif-vast": (b"GIF89a\xff\xff\xff\xff" + bytes(30), "65535 x 65535"),
    "bmp-vast": (b"BM" + bytes(12) + struct.pack("<Iii", 40, 99_999, -99_999) + bytes(30), "99999 x 99999"),
    "webp-vast": (b"RIFF\x20\x00\x00\x00WEBPVP8X\x0a" + bytes(7) + b"\xff\xff\x00\xff\xff\x00" + bytes(20), "65536"),
    "text": (b"just a letter, under the name of a picture", "no picture"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_map_is_drawn_without_a_picture_that_cannot_be(run: Run, tmp_path: Path, name: str) -> None:
    data, words = BROKEN[name]
    (tmp_path / "yard.png").write_bytes(data)
    (tmp_path / "yard.yaml").write_text(HEAD + "picture: {file: yard.png, pixels: 10}\n", encoding="utf-8")
    (tmp_path / "bare.yaml").write_text(HEAD, encoding="utf-8")
    checked = run("check", str(tmp_path / "yard.yaml"), "--json")
    (told,) = [line["text"] for line in checked.json["report"] if line["kind"] == "warning"]
    assert checked.status == 0
    assert told.startswith("line 5: picture.file: yard.png: ")
    assert words in told
    for ending in ("png", "svg"):
        answer = run("render", str(tmp_path / "yard.yaml"), "-o", str(tmp_path / f"out.{ending}"))
        assert answer.status == 0
        assert "warning: drawn without the map's picture" in answer.err
        assert run("render", str(tmp_path / "bare.yaml"), "-o", str(tmp_path / f"bare.{ending}")).status == 0
        assert (tmp_path / f"out.{ending}").read_bytes() == (tmp_path / f"bare.{ending}").read_bytes()


@pytest.mark.parametrize("name", [name for name in BROKEN if name != "text"])
def test_so_is_one_inside_a_file(run: Run, tmp_path: Path, name: str) -> None:
    data, words = BROKEN[name]
    source = tmp_path / "cave.dd2vtt"
    source.write_bytes(uvtt(image=base64.b64encode(data).decode()))
    told = run("check", str(source))
    assert told.status == 0
    assert words in told.err
    answer = run("render", str(source), "-o", str(tmp_path / "cave.png"))
    assert answer.status == 0
    assert "drawn without the map's picture" in answer.err


def test_a_picture_that_shows_its_fault_only_when_decoded(run: Run, tmp_path: Path) -> None:
    (tmp_path / "yard.png").write_bytes(damaged())
    (tmp_path / "yard.yaml").write_text(HEAD + "picture: {file: yard.png, pixels: 10}\n", encoding="utf-8")
    answer = run("render", str(tmp_path / "yard.yaml"), "-o", str(tmp_path / "out.png"))
    assert (answer.status, "drawn without" in answer.err) == (0, True)
    text = tmp_path / "cave.dd2vtt"
    text.write_bytes(uvtt(image=base64.b64encode(png(12, 8)).decode()[:-3]))
    for words in (("check",), ("render", "-o", str(tmp_path / "out.svg")), ("convert", "-o", str(tmp_path / "x.uvtt"))):
        told = run(words[0], str(text), *words[1:])
        assert told.status == 0
        assert "broken" in told.err


@posix
def test_a_vast_picture_costs_little_memory(tmp_path: Path) -> None:
    (tmp_path / "bomb.dd2vtt").write_bytes(uvtt(image=base64.b64encode(vast(30_000, 30_000)).decode()))
    done = bounded("render", str(tmp_path / "bomb.dd2vtt"), "-o", str(tmp_path / "out.png"))
    assert done.returncode == 0
    assert "drawn without the map's picture: it has 30000 x 30000" in done.stderr


@pytest.mark.parametrize("scale", ["0.000000001", "0.5", "900000000"])
@pytest.mark.parametrize("offset", ["[0, 0]", "[900000000, -900000000]"])
def test_scales_at_which_nothing_can_be_seen(run: Run, tmp_path: Path, scale: str, offset: str) -> None:
    (tmp_path / "yard.png").write_bytes(png(50, 20))
    text = HEAD + f"picture: {{file: yard.png, pixels: {scale}, offset: {offset}}}\n"
    (tmp_path / "yard.yaml").write_text(text, encoding="utf-8")
    for ending in ("png", "svg"):
        answer = run("render", str(tmp_path / "yard.yaml"), "-o", str(tmp_path / f"out.{ending}"))
        assert answer.status == 0
        assert ("less than one" in answer.err) == scale.startswith("0")
    (tmp_path / "cave.dd2vtt").write_bytes(
        uvtt(
            resolution={"map_size": {"x": 6, "y": 4}, "pixels_per_grid": float(scale)},
            image=base64.b64encode(png(12, 8)).decode(),
        )
    )
    assert run("render", str(tmp_path / "cave.dd2vtt"), "-o", str(tmp_path / "out.png")).status == 0


# -- walls that have no end -------------------------------------------------------------------------------------------

FAR = [[-(10**9), 1], [10**9, 1.5]]


@posix
def test_a_wall_a_billion_cells_long_is_a_wall(run: Run, tmp_path: Path) -> None:
    near, far = tmp_path / "near.yaml", tmp_path / "far.yaml"
    text = HEAD + "rules: plain\nbarriers:\n  - {line: %s}\n  - {id: d, line: [[2, %s], [2, %s]], kind: door}\n"
    text += "movers: [{id: a, at: A1}]\n"
    near.write_text(text % ([[-2, 1.2], [7, 1.2]], -2, 4), encoding="utf-8")
    far.write_text(text % ([[-(10**9), 1.2], [10**9, 1.2]], -(10**9), 10**9), encoding="utf-8")
    done = bounded("reach", str(far), "--mover", "a", "--json")
    assert done.returncode == 0
    cells = json.loads(done.stdout)["cells"]
    assert cells == run("reach", str(near), "--mover", "a", "--json").json["cells"]
    assert cells
    assert bounded("render", str(far), "-o", str(tmp_path / "out.png")).returncode == 0
    for ending in ("svg", "txt", "dd2vtt", "map", "yaml"):
        command = "convert" if ending in ("dd2vtt", "map", "yaml") else "render"
        assert run(command, str(far), "-o", str(tmp_path / f"out.{ending}")).status == 0
    there = run("reach", str(tmp_path / "out.dd2vtt"), "--at", "A1", "--rules", "plain", "--json").json["cells"]
    assert there == cells


@posix
def test_so_it_is_for_hosts_and_in_saved_games(tmp_path: Path) -> None:
    ground = [[0] * 5] * 2
    battlemap = {
        "schema": 1, "kind": "map", "levels": [{"name": "ground", "ground": ground}], "palette": [{}],
        "barriers": [{"line": FAR}], "rules": "plain", "movers": [{"id": "a", "at": [0, 0]}],
    }  # fmt: skip
    asked = [
        {"do": "load", "json": battlemap},
        {"do": "reach", "map": "m1", "mover": "a"},
        {"do": "begin", "map": "m1"},
        {"do": "move", "session": "s2", "mover": "a", "to": "B1"},
        {"do": "snapshot", "session": "s2"},
        {"do": "save", "session": "s2"},
    ]
    done = bounded("serve", "--stdio", input="".join(json.dumps(one) + "\n" for one in asked))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 6, answers
    (tmp_path / "game.jsonl").write_text(answers[5]["result"]["lines"], encoding="utf-8")
    assert bounded("replay", str(tmp_path / "game.jsonl")).returncode == 0
    again = [{"do": "restore", "snapshot": answers[4]["result"]}, {"do": "reach", "session": "s1", "mover": "a"}]
    done = bounded("serve", "--stdio", input="".join(json.dumps(one) + "\n" for one in again))
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [True, True]


# -- values and names out of place ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("barriers: [{line: [[0, 0], [1e300, 1]]}]", 5, "must be a finite number, and no larger"),
        ("barriers: [{line: [[0, 0], [1e99999999, 1]]}]", 5, "expected a finite number"),
        ('legend: {"~": {level: E, number: 99999999999}}', 5, "is too large"),
        ('legend: {"~": {check: [1, 99999999999]}}', 5, "is too large"),
        ('legend: {"~": {elevation: 1e99999999}}', 5, "expected a number"),
        ("rules: plain\nmovers: [{id: a, at: A1, stats: {speed: -30}}]", 6, "speed -30 is below 0"),
        (f"rules: plain\nmovers: [{{id: a, at: A1, stats: {{speed: {'9' * 59}}}}}]", 6, "is too large"),
        (f"rules: plain\nmovers: [{{id: a, at: A1, stats: {{speed: {'9' * 5000}}}}}]", 6, "is not a number"),
        ("rules: plain\nmovers: [{id: a, at: A1, stats: {speed: {a: 1}}}]", 6, "is not a number"),
        (f"movers: [{{id: a, at: A{'9' * 150}}}]", 5, "is not a cell"),
        ('base: "a\\0b.map"', 5, "control character (U+0000)"),
        ("picture: {file: a.png, pixels: 1e300}", 5, "must be a finite number, and no larger"),
    ],
)
def test_a_value_out_of_place_is_told_with_its_line(run: Run, tmp_path: Path, text: str, line: int, words: str) -> None:
    (tmp_path / "bad.yaml").write_text(HEAD + text + "\n", encoding="utf-8")
    answer = run("check", str(tmp_path / "bad.yaml"), "--json")
    assert answer.status == 1
    (fault,) = answer.json["faults"]
    assert (fault["line"], words in fault["text"]) == (line, True), fault
    assert len(answer.out) < 3000
    assert run("reach", str(tmp_path / "bad.yaml"), "--at", "A1").status == 2


def test_bases_that_lead_round_in_a_circle(run: Run, tmp_path: Path) -> None:
    for name, base in (("a", "b"), ("b", "c"), ("c", "a"), ("self", "self")):
        (tmp_path / f"{name}.yaml").write_text(f"base: {base}.yaml\n", encoding="utf-8")
    answer = run("check", str(tmp_path / "a.yaml"), "--json")
    assert answer.status == 1
    found = {(Path(fault["file"]).name, fault["line"], fault["text"]) for fault in answer.json["faults"]}
    assert ("c.yaml", 1, "the bases lead round in a circle") in found
    assert (
        run("check", str(tmp_path / "self.yaml"), "--json").json["faults"][0]["text"] == "a map cannot be its own base"
    )
    for n in range(30):
        (tmp_path / f"n{n}.yaml").write_text(f"base: n{n + 1}.yaml\n", encoding="utf-8")
    (tmp_path / "n30.yaml").write_text(HEAD, encoding="utf-8")
    assert "may lie one over the other" in run("check", str(tmp_path / "n0.yaml")).err
    assert run("check", str(tmp_path / "n25.yaml")).status == 0


# -- files that are none ----------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_is_no_map(run: Run, tmp_path: Path, device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"there is no {device} here")
    (tmp_path / "theme").symlink_to(device)
    for words in (
        ("check", device),
        ("reach", device, "--at", "A1"),
        ("replay", device),
        ("render", "village", "-o", str(tmp_path / "x.svg"), "--theme", device),
    ):
        answer = run(*words)
        assert answer.status == 2
        assert "it is no file but a device" in answer.err


@posix
def test_hosts_are_told_of_devices_too() -> None:
    asked = [{"do": "load", "map": "/dev/zero"}, {"do": "open", "path": "/dev/zero"}, {"do": "load", "map": "a\x00b"}]
    done = bounded("serve", "--stdio", input="".join(json.dumps(one) + "\n" for one in asked))
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False] * 3


@posix
def test_a_pipe_is_read_and_one_without_a_writer_is_not_waited_for(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    answer = run("check", str(pipe))
    assert answer.status == 2
    assert "a pipe that nobody writes to" in answer.err
    (tmp_path / "over.yaml").write_text("base: pipe\n", encoding="utf-8")
    (tmp_path / "drawn.yaml").write_text(HEAD + "picture: {file: pipe, pixels: 10}\n", encoding="utf-8")
    assert "it is no file but a device or a pipe" in run("check", str(tmp_path / "over.yaml")).err
    assert "it is no file but a device or a pipe" in run("check", str(tmp_path / "drawn.yaml")).err
    writer = threading.Thread(target=lambda: pipe.write_text(HEAD, encoding="utf-8"))
    writer.start()
    answer = run("check", str(pipe))
    writer.join()
    assert answer.status == 0


@posix
def test_a_closed_input_is_said(tmp_path: Path) -> None:
    for command in ("check -", "reach - --at A1", "convert - -o x.yaml", "serve --stdio"):
        line = f"'{sys.executable}' -m tactical {command} <&-"
        done = subprocess.run(
            ["sh", "-c", line], capture_output=True, text=True, check=False, cwd=tmp_path, timeout=300
        )
        assert done.returncode == 2
        assert "closed" in done.stderr
        assert "Traceback" not in done.stderr


@posix
def test_an_input_without_end_is_refused() -> None:
    with open("/dev/zero", "rb") as endless:
        done = bounded("check", "-", stdin=endless)
    assert done.returncode == 2
    assert "more than the limit" in done.stderr


# -- what is not written over, and not read ---------------------------------------------------------------------------


def test_nothing_that_is_read_is_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hall.dd2vtt").write_bytes(uvtt())
    (tmp_path / "yard.png").write_bytes(png(50, 20))
    (tmp_path / "over.yaml").write_text("# mine\nbase: hall.dd2vtt\npicture: {file: yard.png, pixels: 10}\n")
    (tmp_path / "twin.yaml").symlink_to("over.yaml")
    os.link(tmp_path / "over.yaml", tmp_path / "other.yaml")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for target in ("over.yaml", "hall.dd2vtt", "twin.yaml", "other.yaml"):
        answer = run("convert", str(tmp_path / "over.yaml"), "-o", str(tmp_path / target))
        assert answer.status == 2, target
        assert "write to another file" in answer.err
    assert run("render", str(tmp_path / "over.yaml"), "-o", str(tmp_path / "yard.png")).status == 2
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


@posix
def test_a_link_does_not_lead_out_of_the_maps_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "own.png").write_bytes(png(50, 20))
    (tmp_path / "secret" / "own.yaml").write_text(HEAD, encoding="utf-8")
    maps = tmp_path / "maps"
    maps.mkdir()
    (maps / "yard.png").symlink_to(tmp_path / "secret" / "own.png")
    (maps / "below").symlink_to(tmp_path / "secret")
    (maps / "round").symlink_to("round")
    for text in (
        HEAD + "picture: {file: yard.png, pixels: 10}\n",
        HEAD + "picture: {file: below/own.png, pixels: 10}\n",
        "base: below/own.yaml\n",
    ):
        (maps / "map.yaml").write_text(text, encoding="utf-8")
        answer = run("convert", str(maps / "map.yaml"), "-o", str(tmp_path / "out.dd2vtt"))
        assert answer.status == 2
        assert "leads out of it by a link" in answer.err
    (maps / "map.yaml").write_text(HEAD + "picture: {file: round, pixels: 10}\n", encoding="utf-8")
    assert run("check", str(maps / "map.yaml")).status in (0, 1)
    # one within the folder is as good as a file
    (maps / "real.png").write_bytes(png(50, 20))
    (maps / "near.png").symlink_to("real.png")
    (maps / "map.yaml").write_text(HEAD + "picture: {file: near.png, pixels: 10}\n", encoding="utf-8")
    assert "warning" not in run("check", str(maps / "map.yaml")).err


def test_only_a_picture_is_written_as_one(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear diary", encoding="utf-8")
    (tmp_path / "map.yaml").write_text(HEAD + "picture: {file: letter.txt, pixels: 10}\n", encoding="utf-8")
    answer = run("convert", str(tmp_path / "map.yaml"), "-o", str(tmp_path / "out.dd2vtt"))
    assert answer.status == 0
    assert "dropped: the picture" in answer.err
    assert "image" not in json.loads((tmp_path / "out.dd2vtt").read_text(encoding="utf-8"))
    assert run("render", str(tmp_path / "map.yaml"), "-o", str(tmp_path / "out.svg")).status == 0
    drawn = (tmp_path / "out.svg").read_text(encoding="utf-8")
    assert base64.b64encode(b"dear diary").decode() not in drawn
    assert not list(ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}image"))
