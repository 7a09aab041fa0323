"""`tactical.load` takes the names of the sample maps, as commands do; a file of that name wins."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

import tactical
from tactical.assets import maps

OWN = "schema: 1\nname: my own\nrows: |\n  ...\n"


def test_samples_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert tactical.load("village") == tactical.load(maps("village"))
    assert tactical.load("small/ford").name == "Ford"
    # one that is laid over another file still finds that
    assert tactical.load_with_report("small/overlay")[1].format == "native"


def test_a_file_of_that_name_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "village").write_text(OWN, encoding="utf-8")
    assert tactical.load("village").name == "my own"
    assert tactical.load("small/ford").name == "Ford"


def test_a_name_of_neither_is_an_error_that_names_the_nearest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="no sample map of that name, did you mean 'village'") as caught:
        tactical.load("vilage")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, "vilage")
    with pytest.raises(FileNotFoundError):
        tactical.load(Path("village"))
