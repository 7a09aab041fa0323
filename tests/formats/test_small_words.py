"""What readers say: true, in the number it is said of, and about the right thing."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

from ._samples import line, png, portal, uvtt

__all__ = ["run"]


def told(run: Run, file: Path) -> list[str]:
    answer = run("check", str(file))
    return [text.removeprefix(f"{file}: ") for text in answer.err.splitlines()]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"format": "0.3"}, "warning: format '0.3' (a text): read like 0.3"),
        ({"format": 1.0}, "warning: format 1.0: read like 0.3"),
        ({"image": 5}, "warning: no picture: 5 is not picture data"),
        ({"image": "modules/cave.webp"}, "warning: no picture: 'modules/cave.webp' is not picture data"),
    ],
)
def test_of_universal_vtt_files(run: Run, tmp_path: Path, changes: dict[str, object], words: str) -> None:
    (tmp_path / "cave.dd2vtt").write_bytes(uvtt(**changes))
    assert words in told(run, tmp_path / "cave.dd2vtt")
    if "warning" in words:
        drawn = run("render", str(tmp_path / "cave.dd2vtt"), "-o", str(tmp_path / "out.svg"))
        assert words in drawn.err


def test_an_outline_beyond_the_map_is_no_cropped_picture(run: Run, tmp_path: Path) -> None:
    walls = [line((n % 6 + 0.5, 0), (n % 6 + 0.5, 3.5)) for n in range(30)]
    for walls_outside, portals, warned in (
        ([line((-3, -2), (-3, 6))], [], False),
        ([line((-3, -2), (-3, 6))], [portal((9, 1), (9, 2))], True),
        ([line((-3 - n, -2), (-3 - n, 6)) for n in range(9)], [], True),
    ):
        content = uvtt(line_of_sight=walls + walls_outside, portals=portals)
        (tmp_path / "cave.dd2vtt").write_bytes(content)
        assert any("seems cropped" in text for text in told(run, tmp_path / "cave.dd2vtt")) == warned


def test_doors_left_out_are_counted_as_doors(run: Run, tmp_path: Path) -> None:
    doors = [portal((1, 4.5), (2, 4.5)), portal((3, 5), (4, 5)), portal((1, 20), (2, 20))]
    content = uvtt(line_of_sight=[line((0, 4.5), (1, 4.5))], portals=doors)
    (tmp_path / "cave.dd2vtt").write_bytes(content)
    lines = told(run, tmp_path / "cave.dd2vtt")
    assert "outside: 0 wall pieces and 3 portals outside the map left out" in lines
    assert "repaired: 1 wall piece up to a cell beside the map left out" in lines
    assert "warning: the picture seems cropped, not the walls: 0 wall pieces and 3 portals are outside" in lines
    assert not any("clipped" in text for text in lines)


def test_keys_written_twice(run: Run, tmp_path: Path) -> None:
    text = uvtt().decode().rstrip()
    (tmp_path / "cave.dd2vtt").write_text(text[:-1] + ', "portals": []}', encoding="utf-8")
    assert "warning: key 'portals' is written twice: the last one counts" in told(run, tmp_path / "cave.dd2vtt")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"resolution": {"pixels_per_grid": ' + "9" * 5000 + "}}", ":1:36: a number of thousands of digits"),
        ('{"resolution": {"pixels_per_grid": "a\nb"}}', "not JSON: Invalid control character"),
    ],
)
def test_of_broken_json(run: Run, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "cave.dd2vtt").write_text(text, encoding="utf-8")
    answer = run("check", str(tmp_path / "cave.dd2vtt"))
    assert words in answer.err
    assert " at\n" not in answer.err
    assert "set_int_max" not in answer.err
    assert len(answer.err) < 500


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("name", ["map.yaml", "map.dd2vtt", "map.txt"])
def test_text_of_two_bytes_a_letter(run: Run, tmp_path: Path, encoding: str, name: str) -> None:
    (tmp_path / name).write_bytes("schema: 1\nrows: |\n  ...\n".encode(encoding))
    answer = run("check", str(tmp_path / name), "--json")
    (fault,) = answer.json["faults"]
    assert (fault["line"], fault["text"]) == (1, f"this is {encoding[:6].upper()} text: save it as UTF-8")


def test_json_that_breaks_off_is_told_where(run: Run, tmp_path: Path) -> None:
    whole = json.dumps({"height": 6, "width": 8, "layers": [{"data": [0] * 48}]}, indent=1)
    (tmp_path / "map.json").write_text(whole[:60])
    (fault,) = run("check", str(tmp_path / "map.json"), "--json").json["faults"]
    assert (fault["text"], fault["line"]) == ("the file ends too early", whole[:60].count("\n") + 1)


def test_an_overlay_that_states_the_cell_has_the_last_word(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cave.dd2vtt").write_bytes(uvtt())
    for grid, said in (
        ("", True),
        ("grid: {cell: 5}\n", False),
        ("grid: {cell: 10}\n", False),
        ("rules: shapers\n", True),
    ):
        (tmp_path / "over.yaml").write_text(f"base: cave.dd2vtt\n{grid}", encoding="utf-8")
        assert any("taken as 5 ft" in text for text in told(run, tmp_path / "over.yaml")) == said, grid


def test_faults_quote_no_more_than_anybody_reads(run: Run, tmp_path: Path) -> None:
    long = "9" * 5000
    for text in (
        f"name: [{long}]",
        f"rules: x{long}",
        f"movers: [{{id: a, at: A1, size: {long}}}]",
        f"x{long}: 1",
        f"options: {{diagonal: {long}}}",
        f"levels: [{{name: a, height: {long}, rows: [..]}}]",
    ):
        (tmp_path / "map.yaml").write_text(f"rows: [..]\n{text}\n", encoding="utf-8")
        answer = run("check", str(tmp_path / "map.yaml"))
        assert answer.status in (1, 2)
        assert max(map(len, answer.err.splitlines())) < 1500, text
    for words in (("--at", f"A{long}"), ("--at", "A1", "--spent", long), ("--at", "A1", "--stat", f"speed={long}")):
        answer = run("reach", "small/ford", *words)
        assert answer.status == 2
        assert len(answer.err) < 1000


def test_check_names_movers_whose_rules_cannot_use_them(run: Run, tmp_path: Path) -> None:
    for stats in ("{speed: -1}", "{speed: 1e9}", "{swim_factor: -2}"):
        text = f"rules: plain\nrows: [..]\nmovers:\n  - {{id: a, at: A1, stats: {stats}}}\n"
        (tmp_path / "map.yaml").write_text(text, encoding="utf-8")
        answer = run("check", str(tmp_path / "map.yaml"), "--json")
        reached = run("reach", str(tmp_path / "map.yaml"), "--mover", "a")
        assert (answer.status == 0) == (reached.status == 0), (stats, reached.err)
    found = run("reach", "small/ford", "--at", "A1", "--rules", "plain", "--stat", "speed=-30")
    assert "speed -30 is below 0" in found.err
    assert "--spent" not in found.err


def test_pictures_of_every_kind_fit_their_grid(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cave.dd2vtt").write_bytes(uvtt(image=base64.b64encode(png(12, 8)).decode()))
    assert not any("warning" in text for text in told(run, tmp_path / "cave.dd2vtt"))
    assert json.loads((tmp_path / "cave.dd2vtt").read_text())["image"]
