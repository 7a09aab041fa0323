"""Tiled maps: what the folders of cases do not show."""

from __future__ import annotations

import base64
import contextlib
import json
import zlib
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tactical.errors import MapError
from tactical.formats import load, load_with_report

from ._samples import FUZZ
from .test_fuzz import spoilt, twisted, used

HERE = Path(__file__).parent
TMX = (HERE / "tiled/tmx" / "input.tmx").read_bytes()
TMJ = (HERE / "tiled/infinite" / "input.tmj").read_bytes()
STAGGERED = (HERE / "tiled/staggered" / "input.tmj").read_bytes()
OBJECTS = (HERE / "tiled/objects" / "input.tmx").read_bytes()
MAPPING = (HERE / "tiled/mapping" / "words.yaml").read_bytes()
REAL = Path(__file__).parents[3] / "shared" / "realmaps" / "tiled"


def tmj(**changes: Any) -> bytes:
    layer = {"type": "tilelayer", "name": "a", "width": 2, "height": 1, "data": [1, 0], **changes}
    return json.dumps({"tilewidth": 8, "width": 2, "height": 1, "layers": [layer]}).encode()


def test_b35_an_element_in_upper_case_is_named() -> None:
    data = b'<map width="1" height="1"><layer width="1" height="1"><Data encoding="csv">1</Data></layer></map>'
    with pytest.raises(MapError, match="expected <data>, found <Data>"):
        load(data, name="a.tmx")


TYPED = b'<!DOCTYPE map SYSTEM "http://elsewhere.invalid/map.dtd">'


def test_a_document_type_kept_elsewhere_is_passed_over() -> None:
    head, rest = TMX.split(b"?>", 1)
    assert load(head + b"?>" + TYPED + rest, name="a.tmx") == load(TMX, name="a.tmx")


def test_what_such_a_type_would_declare_is_refused() -> None:
    with pytest.raises(MapError, match="entities of a document type are not read"):
        load(TYPED + TMX.split(b"?>", 1)[1].replace(b"</data>", b"&more;</data>", 1), name="a.tmx")


def zstd_is_here() -> bool:
    return any(find_spec(name) for name in ("zstandard", "compression"))


# a frame of one block that is not packed: eight bytes, a layer of two tiles
FRAME = b"\x28\xb5\x2f\xfd\x20\x08\x41\x00\x00" + (1).to_bytes(4, "little") + bytes(4)


@pytest.mark.skipif(not zstd_is_here(), reason="nothing here unpacks zstd")
def test_zstd_is_read_where_something_unpacks_it() -> None:
    packed = base64.b64encode(FRAME).decode()
    found = load(tmj(name="walls", data=packed, encoding="base64", compression="zstd"), name="a.tmj")
    assert [found.terrain(cell).impassable for cell in ("A1", "B1")] == [True, False]
    # one block that stands for two hundred thousand bytes
    bomb = b"\x28\xb5\x2f\xfd\xa0" + (200_000).to_bytes(4, "little")
    bomb += b"".join((100_000 << 3 | 2 | last).to_bytes(3, "little") + b"\0" for last in (0, 1))
    for data, words in ((bomb, "expected 2 tiles, found more"), (FRAME[:6], "tiles"), (b"\x28\xb5\x2f\xfd", "tiles")):
        packed = base64.b64encode(data).decode()
        with pytest.raises(MapError, match=f"{words}|zstd"):
            load(tmj(name="walls", data=packed, encoding="base64", compression="zstd"), name="a.tmj")


@pytest.mark.skipif(zstd_is_here(), reason="something here unpacks zstd")
def test_b33_zstd_says_what_to_do() -> None:
    with pytest.raises(MapError, match="zstd is not read without the extra: pip install"):
        load(tmj(data="AAAA", encoding="base64", compression="zstd"), name="a.tmj")


def test_b38_what_unpacks_to_more_than_the_layer_is_refused() -> None:
    bomb = base64.b64encode(zlib.compress(bytes(200_000_000))).decode()
    with pytest.raises(MapError, match="expected 2 tiles, found more"):
        load(tmj(data=bomb, encoding="base64", compression="zlib"), name="a.tmj")


def test_b39_open_ground_is_a_warning_and_an_option_mends_it() -> None:
    _, report = load_with_report(tmj(), name="a.tmj")
    assert "map imported as open ground" in str(report)
    found, report = load_with_report(tmj(), name="a.tmj", options={"blocked": "a"})
    assert found.terrain("A1").impassable
    assert not found.terrain("B1").impassable
    assert not report.of("warning")


def test_a_layer_of_a_blocking_name_may_be_said_to_be_open() -> None:
    assert load(tmj(name="Walls"), name="a.tmj").terrain("A1").impassable
    assert not load(tmj(name="Walls"), name="a.tmj", options={"open": "walls"}).terrain("A1").impassable


def test_nothing_outside_the_maps_folder_is_opened(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out.tsx").write_text('<tileset><tile id="0" class="wall"/></tileset>')
    (tmp_path / "in" / "link.tsx").symlink_to(tmp_path / "out.tsx")
    for name in ("../out.tsx", str(tmp_path / "out.tsx"), "link.tsx", "..\\out.tsx", "gone.tsx"):
        content = json.loads(tmj())
        content["tilesets"] = [{"firstgid": 1, "source": name}]
        (tmp_path / "in" / "a.tmj").write_text(json.dumps(content))
        found, report = load_with_report(tmp_path / "in" / "a.tmj")
        assert not found.terrain("A1").impassable, name
        assert "its properties are unknown" in str(report)


def test_many_layers_and_deep_groups_end_soon() -> None:
    group: dict[str, Any] = {"type": "tilelayer", "name": "a", "data": []}
    for _ in range(200):
        group = {"type": "group", "layers": [group]}
    deep = json.dumps({"tilewidth": 8, "width": 2, "height": 1, "layers": [group]}).encode()
    xml = b'<map width="1" height="1">' + b"<group>" * 10_000
    for data in (deep, xml):
        with pytest.raises(MapError, match="nested"):
            load(data, format="tiled", name="a")


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_spoilt_files(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "tiled/tmx")
    chance = Random(1000 + number)
    for n in range(90):
        if n % 3 == 0:
            data = spoilt(chance.choice([TMX, OBJECTS]), chance)
        elif n % 3 == 1:
            data = spoilt(chance.choice([TMJ, STAGGERED]), chance)
        else:
            value = json.loads(chance.choice([TMJ, STAGGERED]))
            for _ in range(chance.randint(1, 3)):
                value = twisted(value, chance)
            data = json.dumps(value).encode()
        with contextlib.suppress(MapError):
            used(load(data, format="tiled", name="input.tmx"))


@pytest.mark.parametrize("number", range(3 * FUZZ))
def test_spoilt_mapping_files(number: int, tmp_path: Path) -> None:
    chance = Random(1100 + number)
    wood = (HERE / "tiled/mapping" / "wood.tmj").read_bytes()
    (tmp_path / "wood.tmj").write_bytes(wood)
    for _ in range(40):
        (tmp_path / "words.yaml").write_bytes(spoilt(MAPPING, chance))
        with contextlib.suppress(MapError):
            used(load(tmp_path / "wood.tmj", options={"mapping": "words.yaml"}))


@pytest.mark.parametrize("name", ["../words.yaml", "gone.yaml", "wood.tmj"])
def test_a_mapping_file_is_in_the_maps_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "words.yaml").write_text("layers: {a: {difficult: true}}")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "wood.tmj").write_bytes(tmj())
    with pytest.raises(MapError, match="option mapping: the mapping file"):
        load(tmp_path / "in" / "wood.tmj", options={"mapping": name})


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not here")
def test_both_forms_of_a_real_map_are_the_same() -> None:
    files = sorted(REAL.rglob("map.tmx"))
    assert files
    for file in files:
        assert load(file) == load(file.with_suffix(".json")), file
