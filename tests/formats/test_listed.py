"""`tactical formats` lists every ending and every kind of file that is read, and reads all that it lists."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tactical.errors import MapError
from tactical.formats import Format, load_with_report
from tactical.registry import FORMATS
from tests.cli.conftest import Run, run

from ._samples import png, uvtt
from .test_foundry import scene

__all__ = ["run"]

HERE = Path(__file__).parent
READ: list[Format] = [one for _, one in FORMATS if one.can_load]
ENDINGS = [(one, ending) for one in READ for ending in (*one.suffixes, *one.also) if ending.startswith(".")]
FOLDERS = {ending for one in READ for ending in one.also if not ending.startswith(".")}


def contents(form: Format) -> list[bytes]:
    """Files of a format, of each kind that there is."""
    cases = HERE.glob(f"{form.name}/*/input.*")
    found = [path.read_bytes() for path in cases if not (path.parent / "faults.txt").exists()]
    return [*found, *{"uvtt": [uvtt()], "picture": [png(140, 140)], "foundry": [scene()]}.get(form.name, [])]


@pytest.mark.parametrize(("form", "ending"), ENDINGS, ids=[f"{one.name}{ending}" for one, ending in ENDINGS])
def test_what_is_listed_is_read(form: Format, ending: str, tmp_path: Path) -> None:
    read = []
    for n, content in enumerate(contents(form)):
        file = tmp_path / f"hall-{n}{ending}"
        file.write_bytes(content)
        options = {"grid": 70} if form.name == "picture" else {}
        try:
            battlemap, report = load_with_report(file, options=options)
        except MapError:
            # a kind of file that does not go by this ending, or names another one beside it
            continue
        assert battlemap.rows
        read.append(report.format)
    assert form.name in read, read


def test_what_is_read_is_listed(run: Run) -> None:
    told = {one["name"]: one for one in json.loads(run("formats", "--json").out)["formats"]}
    words = run("formats").out
    for form in READ:
        assert told[form.name]["also"] == list(form.also)
        (line,) = (line for line in words.splitlines() if line.startswith(f"{form.name} "))
        for ending in (*form.suffixes, *form.also):
            assert ending in line
        for path in HERE.glob(f"{form.name}/*/input.*"):
            # what is laid over a map of another program is a native one
            assert path.suffix in (*form.suffixes, *form.also, ".yaml"), path


def test_a_folder_that_is_listed_is_read(tmp_path: Path) -> None:
    assert sorted(FOLDERS) == ["LevelDB folder"]
    if find_spec("plyvel") is None:
        (tmp_path / "CURRENT").touch()
        (tmp_path / "MANIFEST-000001").touch()
        with pytest.raises(MapError, match="this is a LevelDB folder"):
            load_with_report(tmp_path)
        return
    from .test_bad_input import pack

    assert load_with_report(pack(tmp_path))[1].format == "foundry"


@pytest.mark.parametrize("case", ["movingai/swamp", "glyphs/cellar", "wesnoth/hills", "donjon/table", "watabou/crypt"])
@pytest.mark.parametrize("end", [b"\r", b"\r\n"], ids=["return", "both"])
def test_lines_may_end_as_on_any_system(case: str, end: bytes) -> None:
    (path,) = (HERE / case).glob("input.*")
    data = path.read_bytes().replace(b"\r\n", b"\n")
    assert load_with_report(data.replace(b"\n", end), name=path.name) == load_with_report(data, name=path.name)
