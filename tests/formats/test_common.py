"""What holds for every file type: telling them apart, limits, wrong files, options, conformance."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tactical.errors import MapError, UnknownName
from tactical.formats import (
    Format,
    dump,
    dump_with_report,
    format_for,
    get_format,
    load,
    load_with_report,
    picture_kind,
    sniff,
)
from tactical.registry import FORMATS
from tactical.world.battlemap import Battlemap

from ._samples import YARD, png, uvtt

OCTILE = b"type octile\nheight 1\nwidth 2\nmap\n.@\n"


def fault(data: bytes, name: str, **more: object) -> str:
    with pytest.raises(MapError) as caught:
        load(data, name=name, **more)  # type: ignore[arg-type]
    assert len(caught.value.faults) == 1
    return str(caught.value)


@pytest.mark.parametrize("name", ["map.yaml", "map.dd2vtt", "map.map", "map"])
@pytest.mark.parametrize("data", [b"", b"  \n\n"])
def test_b01_an_empty_file(name: str, data: bytes) -> None:
    assert fault(data, name) == f"{name}: file is empty"


def test_b01_a_file_of_comments_only() -> None:
    assert fault(b"# nothing yet\n", "map.yaml") == "map.yaml: file is empty"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cave.dd2vtt", "cave.dd2vtt: this is a PNG picture, not a Universal VTT file"),
        ("cave.dd2vtt.png", "cave.dd2vtt.png: this is a PNG picture, not a Universal VTT file"),
        ("cave.yaml", "cave.yaml: this is a PNG picture, not a native map file"),
        ("cave", "cave: this is a PNG picture, not a map file"),
    ],
)
def test_b02_a_picture_under_a_maps_name(name: str, words: str) -> None:
    way_on = f" (`tactical new {name} --grid 70 --from picture` makes a map of it)"
    if name == "cave":
        way_on = " (say how wide a cell is in it by the option grid; `tactical new cave --grid 70` makes a map of it)"
    assert fault(png(2, 2), name) == words + way_on
    if "dd2vtt" in name:
        assert fault(png(2, 2), name, format="uvtt") == words + way_on


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\xff\xd8\xff\xe0", "JPEG picture"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "WebP picture"),
        (b"GIF89a", "GIF picture"),
        (b"PK\x03\x04", ""),
        (b"BM\x00\x00", "BMP picture"),
        (b"BMX: not a picture", ""),
        (b"schema: 1", ""),
    ],
)
def test_b02_other_magic_bytes(head: bytes, kind: str) -> None:
    assert picture_kind(head) == kind


def test_b03_json_that_is_cut_off_has_a_place() -> None:
    whole = json.dumps(json.loads(uvtt()), indent=1)
    cut = whole[: whole.index('"portals"') + 12]
    with pytest.raises(MapError) as caught:
        load(cut.encode(), name="cave.dd2vtt")
    found = caught.value.faults[0]
    assert found.text == "the file ends too early"
    assert found.line == cut.count("\n") + 1


def test_b03_not_json() -> None:
    with pytest.raises(MapError) as caught:
        load(b'{"format": 0.3,\n "portals": [oops]}', name="cave.dd2vtt")
    found = caught.value.faults[0]
    assert (found.line, found.column) == (2, 14)
    assert found.text.startswith("not JSON")
    assert found.excerpt == ' "portals": [oops]}'


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity"])
def test_b04_tokens_that_are_no_json(token: str) -> None:
    text = '{"resolution":\n {"pixels_per_grid": TOKEN}}'.replace("TOKEN", token)
    with pytest.raises(MapError) as caught:
        load(text.encode(), name="cave.uvtt")
    found = caught.value.faults[0]
    assert (found.line, found.column, found.text) == (2, 22, f"{token} is not a number")


def test_b05_a_huge_file(tmp_path: Path) -> None:
    file = tmp_path / "big.yaml"
    file.write_text("rows: |\n" + "  ....\n" * 100)
    assert load(file, limit=1000).rows == 100
    with pytest.raises(MapError, match="the file has 708 bytes, more than the limit of 700"):
        load(file, limit=700)
    assert fault(b"rows: ..", "a.yaml", limit=5) == "a.yaml: the file has 8 bytes, more than the limit of 5"


@pytest.mark.parametrize(
    ("data", "name", "format"),
    [
        (YARD.encode(), "yard.yaml", "native"),
        (YARD.encode(), "", "native"),
        (b"rows: ..", "x.yml", "native"),
        (uvtt(), "cave.uvtt", "uvtt"),
        (uvtt(), "cave.json", "uvtt"),
        (uvtt(), "", "uvtt"),
        (b"\xef\xbb\xbf" + uvtt(), "cave.df2vtt", "uvtt"),
        (OCTILE, "arena.map", "movingai"),
        (OCTILE, "", "movingai"),
        (b"{", "cut.dd2vtt", "uvtt"),
        (b'{"rects": [], "doors": []}', "crypt.json", "watabou"),
        (b'{"rects": [], "doors": []}', "", "watabou"),
        (b'{"walls": [], "gridType": 1}', "scene.json", "foundry"),
        (b'{"grid": {"type": 1}, "levels": [], "walls": [], "tokens": []}', "scene.json", "foundry"),
        (b'{"tilewidth": 16, "layers": []}', "map.json", "tiled"),
        (b'<?xml version="1.0"?>\n<!-- by hand -->\n<map version="1.10">', "map.xml", "tiled"),
        (b'{"_id": "a", "name": "x"}\n{"_id": "b"}', "scenes.db", "foundry"),
    ],
)
def test_the_content_tells_the_format(data: bytes, name: str, format: str) -> None:
    assert sniff(data, name).name == format


def test_an_unknown_file_lists_what_is_known() -> None:
    words = fault(b"hello", "letter.txt")
    assert words.startswith("letter.txt: no known map format")
    assert all(name in words for name in FORMATS.names())


def test_a_byte_order_mark_is_no_matter() -> None:
    assert load(b"\xef\xbb\xbfrows: ..", name="a.yaml").cols == 2


def test_an_unknown_format_or_option() -> None:
    with pytest.raises(UnknownName, match="did you mean 'native'"):
        load(b"rows: ..", format="nativ")
    with pytest.raises(UnknownName, match="did you mean 'open_portals'"):
        load(uvtt(), name="a.uvtt", options={"open_portal": "window"})
    with pytest.raises(ValueError, match="did you mean 'window'"):
        load(uvtt(), name="a.uvtt", options={"open_portals": "windows"})
    with pytest.raises(UnknownName):
        load(b"rows: ..", name="a.yaml", options={"objects": "block"})


def test_a_missing_file_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "absent.yaml")


def test_who_knows_a_file_by_its_content_goes_before_who_needs_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    glyphs = get_format("glyphs")
    hall = b"#####\n#...#\n#.}.#\n#####\n"
    mine = Format("mine", "my levels", (".mine",), lambda data, name: b"}" in data, glyphs.load)
    own, shipped = type(FORMATS).__iter__, list(FORMATS)
    for more in ([*shipped, ("mine", mine)], [("mine", mine), *shipped]):
        monkeypatch.setattr(
            type(FORMATS), "__iter__", lambda rack, more=more: iter(more) if rack is FORMATS else own(rack)
        )
        assert sniff(hall, "hall.txt").name == sniff(hall).name == "mine"
        assert sniff(hall.replace(b"}", b"."), "hall.txt").name == "glyphs"
        # an ending of its own says what is meant
        assert sniff(hall, "hall.glyphs").name == "glyphs"


# -- conformance: every registered format ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS.names())
def test_every_format_is_a_format(name: str) -> None:
    found = get_format(name)
    assert isinstance(found, Format)
    assert found.name == name
    assert found.title
    assert all(suffix.startswith(".") for suffix in found.suffixes)
    assert format_for("x" + found.suffixes[0]) is not None


READABLE = [name for name in FORMATS.names() if get_format(name).can_load]


@pytest.mark.parametrize("name", [name for name in READABLE if get_format(name).can_dump])
def test_what_a_format_writes_it_reads(name: str) -> None:
    found = get_format(name)
    drawn = Battlemap.from_rows(["..#.", "...."])
    content, report = dump_with_report(drawn, name)
    data = content.encode() if isinstance(content, str) else content
    assert report.format == name
    assert found.sniff(data, "")
    again, told = load_with_report(data, format=name)
    assert (again.cols, again.rows) == (4, 2)
    assert told.format == name
    assert told.count("read") >= 1
    once_more = dump(again, name)
    assert (once_more.encode() if isinstance(once_more, str) else once_more) == data


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02", b"{}", b"[]", b"null", b"type octile", b"\xff\xfe", b"a: [", b'{"a": 1}']
)
def test_no_format_falls_over_rubbish(name: str, data: bytes) -> None:
    with pytest.raises(MapError):
        load(data, format=name, name="rubbish")


def test_listing_formats_imports_nothing_heavy() -> None:
    code = (
        "import sys; from tactical.formats import FORMATS, get_format; "
        "print([get_format(name).title for name in FORMATS.names()]); "
        "heavy = {'yaml', 'numpy', 'shapely', 'networkx', 'pygame', 'dyce'} & set(sys.modules); "
        "print(heavy); sys.exit(bool(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
