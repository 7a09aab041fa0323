"""Files of other programs, which no format reads: each is named, with what to do, and never taken for a native map."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.formats._samples import png

__all__ = ["run"]


def packed(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "content")
    return out.getvalue()


FOREIGN: list[tuple[str, object, str, str]] = [
    ("tiles.tsx", b'<?xml version="1.0"?>\n<tileset name="x">', "a Tiled tile set", "the map that uses it"),
    ("chest.json", {"object": {"gid": 1}, "tileset": {}, "type": "template"}, "a Tiled template", "the map"),
    ("tiles.json", {"tilewidth": 16, "tilecount": 4, "columns": 2}, "a Tiled tile set", "the map that uses it"),
    ("town.json", {"type": "FeatureCollection", "features": []}, "a GeoJSON file", "picture"),
    ("campaign.json", {"schema_version": 3, "campaign_title": "x", "pages": []}, "a Roll20 campaign", "Universal VTT"),
    ("alchemist.json", {"pixelsPerTile": 100, "walls": []}, "a Dungeon Alchemist map", "export it as Universal VTT"),
    ("plan.svg", b'<?xml version="1.0"?>\n<!-- by hand -->\n<svg xmlns="x">', "an SVG picture", "PNG"),
    ("plan.avif", b"\0\0\0\x1cftypavif" + bytes(20), "an AVIF picture", "PNG"),
    ("plan.heic", b"\0\0\0\x1cftypheic" + bytes(20), "a HEIC picture", "PNG"),
    ("plan.tif", b"II*\0" + bytes(20), "a TIFF picture", "PNG"),
    ("plan.psd", b"8BPS\0\1" + bytes(20), "a Photoshop picture", "PNG"),
    ("plan.mp4", b"\0\0\0\x1cftypisom" + bytes(20), "a video", "PNG"),
    ("plan.webm", b"\x1aE\xdf\xa3" + bytes(20), "a video", "PNG"),
    ("maps.7z", b"7z\xbc\xaf\x27\x1c" + bytes(20), "a 7z archive", "unpack"),
    ("maps.rar", b"Rar!\x1a\x07\x01" + bytes(20), "a RAR archive", "unpack"),
    ("maps.gz", b"\x1f\x8b\x08" + bytes(20), "a packed file", "unpack"),
    ("maps.zip", packed("a.png"), "a ZIP archive", "unpack"),
    ("cave.rpmap", packed("content.xml", "properties.xml"), "a MapTool file", "Universal VTT"),
    ("bob.rptok", packed("content.xml", "thumbnail"), "a MapTool file", "Universal VTT"),
    ("export.zip", packed("campaign.json"), "a Roll20 campaign", "Universal VTT"),
    ("rules.pdf", b"%PDF-1.7\n", "a PDF document", "picture"),
    ("world.sqlite", b"SQLite format 3\0" + bytes(80), "an SQLite database", "Universal VTT"),
    ("page.html", b"<!DOCTYPE html>\n<html><head>", "a web page", "links to"),
    ("what.xml", b'<?xml version="1.0"?><dungeon/>', "an XML file", ""),
    ("arena.map.scen", b"version 1\n0\tarena.map\t49\t49\t1\t1\t2\t2\t1.0\n", "a list of MovingAI problems",
     ".map file"),
]  # fmt: skip


def content(given: object) -> bytes:
    return given if isinstance(given, bytes) else json.dumps(given).encode()


@pytest.mark.parametrize(("name", "given", "what", "todo"), FOREIGN, ids=[f"{row[2]}-{row[0]}" for row in FOREIGN])
def test_it_is_named_with_what_to_do(run: Run, tmp_path: Path, name: str, given: object, what: str, todo: str) -> None:
    (tmp_path / name).write_bytes(content(given))
    answer = run("check", str(tmp_path / name), "--json")
    assert answer.status == 2
    (fault,) = answer.json["faults"]
    assert fault["text"].startswith(f"this is {what}")
    assert todo in fault["text"].split(": ", 1)[1]
    assert len(fault["text"]) < 300
    # under another name, and cut off, it is the same
    if name.endswith(".json"):
        cut = content(given)[:-1]
        (tmp_path / "other.yaml").write_bytes(cut)
        assert f"this is {what}" in run("check", str(tmp_path / "other.yaml")).err


@pytest.mark.parametrize("ending", ["png", "jpg", "webp", "gif", "bmp"])
def test_a_plain_picture_is_named_with_what_to_do(run: Run, tmp_path: Path, ending: str) -> None:
    heads = {
        "png": png(5, 5),
        "jpg": b"\xff\xd8\xff\xe0",
        "webp": b"RIFF\0\0\0\0WEBP",
        "gif": b"GIF89a",
        "bmp": b"BM\0\0",
    }
    (tmp_path / f"cave.{ending}").write_bytes(heads[ending] + bytes(30))
    answer = run("check", str(tmp_path / f"cave.{ending}"))
    assert answer.status == 2
    assert "picture, not a map file" in answer.err
    assert f"`tactical new cave.{ending} --grid 70`" in answer.err


def test_what_this_program_writes_is_named_too(run: Run, tmp_path: Path) -> None:
    import tactical

    battlemap = tactical.Battlemap.from_rows(["..."], movers=(tactical.Mover("a", at=(0, 0)),), rules="plain")
    session = tactical.Session.new(battlemap)
    session.save(tmp_path / "game.json")
    assert "tactical replay" in run("check", str(tmp_path / "game.json")).err
    (tmp_path / "wire.json").write_text(json.dumps(tactical.to_json(battlemap)), encoding="utf-8")
    assert "tactical serve" in run("check", str(tmp_path / "wire.json")).err


NATIVE = {"schema": 1, "grid": {"type": "square"}, "rows": ["..."], "levels": [], "legend": {}, "barriers": []}


def test_a_file_made_to_keep_the_signs_busy_is_refused(run: Run, tmp_path: Path) -> None:
    for data in (b"<!---->" * 20_000, b"<?xml?>" * 20_000 + b"<", b"Gg, " * 40_000 + b"!", b'{"a":' * 40_000):
        (tmp_path / "busy.xml").write_bytes(data)
        assert run("check", str(tmp_path / "busy.xml")).status == 2


def test_native_maps_in_json_are_none_of_them(run: Run, tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text(json.dumps(NATIVE), encoding="utf-8")
    assert run("check", str(tmp_path / "map.json")).status == 0
    strange = {**NATIVE, "walls": 1}
    (tmp_path / "map.json").write_text(json.dumps(strange), encoding="utf-8")
    assert "unknown key 'walls'" in run("check", str(tmp_path / "map.json")).err


def test_a_fault_of_a_file_on_one_line_shows_no_line_of_kilobytes(run: Run, tmp_path: Path) -> None:
    content = {**NATIVE, **{f"strange{n}": "x" * 200 for n in range(40)}}
    (tmp_path / "map.json").write_text(json.dumps(content), encoding="utf-8")
    answer = run("check", str(tmp_path / "map.json"))
    assert max(map(len, answer.err.splitlines())) < 400
