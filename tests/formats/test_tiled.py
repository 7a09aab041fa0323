"""Tiled maps: what the folders of cases do not show."""

from __future__ import annotations

import base64
import contextlib
import json
import time
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tactical.errors import MapError
from tactical.formats import load, load_with_report

from .test_fuzz import spoilt, twisted, used

HERE = Path(__file__).parent
TMX = (HERE / "tiled_tmx" / "input.tmx").read_bytes()
TMJ = (HERE / "tiled_infinite" / "input.tmj").read_bytes()
REAL = Path(__file__).parents[3] / "shared" / "realmaps" / "tiled"


def tmj(**changes: Any) -> bytes:
    layer = {"type": "tilelayer", "name": "a", "width": 2, "height": 1, "data": [1, 0], **changes}
    return json.dumps({"tilewidth": 8, "width": 2, "height": 1, "layers": [layer]}).encode()


def test_b35_an_element_in_upper_case_is_named() -> None:
    data = b'<map width="1" height="1"><layer width="1" height="1"><Data encoding="csv">1</Data></layer></map>'
    with pytest.raises(MapError, match="expected <data>, found <Data>"):
        load(data, name="a.tmx")


def test_b33_zstd_says_what_to_do() -> None:
    with pytest.raises(MapError, match="zstd is not read: save the map with zlib"):
        load(tmj(data="AAAA", encoding="base64", compression="zstd"), name="a.tmj")


def test_b38_what_unpacks_to_more_than_the_layer_is_refused_soon() -> None:
    bomb = base64.b64encode(zlib.compress(bytes(200_000_000))).decode()
    start = time.monotonic()
    with pytest.raises(MapError, match="expected 2 tiles, found more"):
        load(tmj(data=bomb, encoding="base64", compression="zlib"), name="a.tmj")
    assert time.monotonic() - start < 2


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


@pytest.mark.parametrize("number", range(4))
def test_spoilt_files(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "tiled_tmx")
    chance = Random(1000 + number)
    for n in range(90):
        if n % 3 == 0:
            data = spoilt(TMX, chance)
        elif n % 3 == 1:
            data = spoilt(TMJ, chance)
        else:
            value = json.loads(TMJ)
            for _ in range(chance.randint(1, 3)):
                value = twisted(value, chance)
            data = json.dumps(value).encode()
        with contextlib.suppress(MapError):
            used(load(data, format="tiled", name="input.tmx"))


@pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not here")
def test_both_forms_of_a_real_map_are_the_same() -> None:
    files = sorted(REAL.rglob("map.tmx"))
    assert files
    for file in files:
        assert load(file) == load(file.with_suffix(".json")), file
