"""Files that were made to hurt: told in a sentence, in bounded time, and in the memory that is there."""

from __future__ import annotations

import base64
import json
import os
import struct
import subprocess
import sys
import zlib
from typing import Any

import pytest

MEGABYTES = 400
"""Memory that a process may take; the engine alone takes half of it, and the bombs unfold to as much."""
CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_DATA, ({limit}, {limit}))
from tactical.errors import MapError
from tactical.formats import load_with_report
for name in sys.argv[1:]:
    try:
        found, _ = load_with_report(name)
        print(name, "read", found.cols, found.rows)
    except MapError as error:
        print(name, "refused", str(error)[:160].replace(chr(10), " "))
    except OSError as error:
        print(name, "no file", error.strerror)
"""
BOMB = b"\0" * (200 << 20)


def tiled(data: str, compression: str) -> str:
    layer = f'<data encoding="base64" compression="{compression}">{data}</data>'
    return (
        '<map orientation="orthogonal" width="4" height="4" tilewidth="8" tileheight="8">'
        f'<layer id="1" name="a" width="4" height="4">{layer}</layer></map>'
    )


def png(side: int) -> bytes:
    """A picture of one colour: a few kilobytes that unfold to a square of so many pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    rows = zlib.compress(b"\0" * ((side // 8 + 1) * side), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def scene(**more: object) -> str:
    return json.dumps({"name": "x", "width": 400, "height": 400, "grid": {"size": 100, "type": 1}, "walls": [], **more})


def uvtt(image: bytes = b"", **more: object) -> str:
    size = {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 5, "y": 5}, "pixels_per_grid": 70}
    picture = base64.b64encode(image).decode()
    return json.dumps({"format": 0.3, "resolution": size, "line_of_sight": [], "portals": [], "image": picture, **more})


def packed(bits: int) -> str:
    """The bomb by zlib (15 bits) or gzip (31)."""
    packer = zlib.compressobj(1, wbits=bits)
    return base64.b64encode(packer.compress(BOMB) + packer.flush()).decode()


ENTITIES = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
FILES = {
    "entities.tmx": f'<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">{ENTITIES}]><map>&j;</map>',
    "outside.tmx": '<?xml version="1.0"?><!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><map>&x;</map>',
    "deep.json": "[" * 200_000,
    "deep.dd2vtt": '{"format":0.3,"resolution":' + '{"a":' * 100_000,
    "deep.yaml": "rows: |\n  ..\nmovers: " + "[{a: " * 5000,
    "alias.yaml": "schema: 1\nlegend: &a {x: &b [*a, *b]}\nmovers: [*a, *a]\n",
    "itself.yaml": "base: itself.yaml\n",
    "there.yaml": "base: back.yaml\n",
    "back.yaml": "base: there.yaml\n",
    "linked.yaml": "base: passwd.dd2vtt\n",
    "device.yaml": "base: zero.dd2vtt\n",
    "far.dd2vtt": uvtt(line_of_sight=[[{"x": -1e12, "y": 0.3}, {"x": 1e12, "y": 4.2}]] * 200),
    "long.dd2vtt": '{"format": ' + "1" * 50_000 + "}",
    "wide.json": scene(width=10**9, height=10**9),
    "fine.json": scene(grid={"size": 1e-9, "type": 1}),
    "far.json": scene(walls=[{"c": [0, 0, 1e308, -1e308], "move": 20}] * 50),
    "far.tmj": json.dumps({
        "orientation": "orthogonal", "infinite": True, "width": 1, "height": 1, "tilewidth": 8, "tileheight": 8,
        "type": "map", "tilesets": [], "layers": [{"type": "tilelayer", "name": "a", "chunks": [
            {"x": far, "y": far, "width": 16, "height": 16, "data": [1] * 256} for far in (-(10**8), 10**8)
        ]}],
    }),
    "rows.map": "type octile\nheight 900000\nwidth 900000\nmap\n" + "." * 1000,
    "rooms.json": json.dumps({"title": "x", "rects": [{"x": 0, "y": 0, "w": 10**9, "h": 10**9}], "doors": []}),
    "house.dungeondraft_map": json.dumps(
        {"header": {"creation_build": "1"}, "world": {"width": 10**9, "height": 10**9, "levels": {"0": {}}}}
    ),
}  # fmt: skip
REFUSED = frozenset(FILES) - {"far.dd2vtt", "far.json"}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a process that may take little memory says of each file."""
    if sys.platform == "win32":
        pytest.skip("no limits of memory, links and pipes to try")
    folder = tmp_path_factory.mktemp("hostile")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, bits in (("zlib", 15), ("gzip", 31)):
        (folder / f"{name}.tmx").write_text(tiled(packed(bits), name), encoding="utf-8")
    (folder / "bomb.dd2vtt").write_text(uvtt(png(30_000)), encoding="utf-8")
    (folder / "heavy.dd2vtt").write_bytes(b"")
    os.truncate(folder / "heavy.dd2vtt", 101_000_000)
    os.symlink("/etc/passwd", folder / "passwd.dd2vtt")
    os.symlink("/dev/zero", folder / "zero.dd2vtt")
    os.symlink("loop-2.yaml", folder / "loop-1.yaml")
    os.symlink("loop-1.yaml", folder / "loop-2.yaml")
    os.mkfifo(folder / "pipe.dd2vtt")
    names = [*FILES, "zlib.tmx", "gzip.tmx", "bomb.dd2vtt", "heavy.dd2vtt", "zero.dd2vtt", "loop-1.yaml", "pipe.dd2vtt"]
    code = CHILD.format(limit=MEGABYTES << 20)
    run: dict[str, Any] = {"cwd": folder, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run([sys.executable, "-c", code, *names], check=False, **run)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", sorted(REFUSED | {"zlib.tmx", "gzip.tmx", "heavy.dd2vtt"}))
def test_it_is_refused_in_words(told: dict[str, str], name: str) -> None:
    assert told[name].startswith(f"refused {name}")


@pytest.mark.parametrize("name", ["zero.dd2vtt", "loop-1.yaml", "pipe.dd2vtt"])
def test_what_is_no_file_is_not_waited_for(told: dict[str, str], name: str) -> None:
    assert told[name].startswith("no file")


@pytest.mark.parametrize("name", ["far.dd2vtt", "bomb.dd2vtt", "far.json"])
def test_what_can_be_read_is(told: dict[str, str], name: str) -> None:
    assert told[name].startswith("read ")


def test_a_file_of_another_folder_is_not_opened_through_a_link(told: dict[str, str]) -> None:
    assert "own folder" in told["linked.yaml"]
    assert "own folder" in told["device.yaml"]


@pytest.mark.parametrize("name", ["there.yaml", "itself.yaml"])
def test_bases_that_lead_round_are_told(told: dict[str, str], name: str) -> None:
    assert "circle" in told[name] or "own base" in told[name] or "cannot be used" in told[name]


def test_a_layer_that_unfolds_to_gigabytes_is_read_as_far_as_it_is_wanted() -> None:
    zstandard = pytest.importorskip("zstandard")
    from tactical.errors import MapError
    from tactical.formats import load

    data = base64.b64encode(zstandard.compress(BOMB, 9)).decode()
    with pytest.raises(MapError, match="expected 16 tiles"):
        load(tiled(data, "zstd").encode(), name="bomb.tmx")
