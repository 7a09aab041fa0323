"""A saved game finds the picture beneath its map again: where it was, moved together with it, or not at all."""

from __future__ import annotations

import json
import logging
import shutil

import pytest

import tactical
from tactical.play.commands import Move
from tactical.play.session import Session
from tactical.units import Cell
from tests.formats._samples import png

PNG = png(52, 23)
MAP = """schema: 1
rules: plain
rows: |
  .....
  .....
picture: {file: yard.png, pixels: 10, offset: [2, 3]}
movers: [{id: ann, at: A1}]
"""


@pytest.fixture
def yard(tmp_path):
    folder = tmp_path / "maps"
    folder.mkdir()
    (folder / "yard.png").write_bytes(PNG)
    (folder / "yard.yaml").write_text(MAP, encoding="utf-8")
    return folder / "yard.yaml"


def played(yard):
    session = Session.new(tactical.load(yard))
    assert session.execute(Move("ann", Cell(2, 0)))
    return session


def head(path):
    return json.loads(path.read_text("ascii").splitlines()[0])


@pytest.mark.parametrize("kept", [False, True])
def test_the_picture_is_there_again(yard, tmp_path, kept):
    path = tmp_path / "games" / "evening.jsonl"
    path.parent.mkdir()
    (played(yard).keep if kept else played(yard).save)(path)
    noted = head(path)["map"]
    assert noted["file"] == "../maps/yard.yaml"
    assert str(tmp_path) not in path.read_text("ascii"), "no path of this machine"
    found = Session.load(path).battlemap.picture
    assert found.flaw == ""
    assert found.read() == PNG
    assert (found.pixels, found.offset) == (10, (2.0, 3.0))
    # it stays with every later position, and with a copy saved elsewhere
    again = Session.load(path)
    assert again.execute(Move("ann", Cell(3, 0)))
    assert again.battlemap.picture.read() == PNG
    copy = tmp_path / "copy.jsonl"
    again.save(copy)
    assert head(copy)["map"] == {**noted, "file": "maps/yard.yaml"}
    assert Session.load(copy).battlemap.picture.read() == PNG


def test_game_and_map_may_be_moved_together(yard, tmp_path):
    played(yard).save(tmp_path / "evening.jsonl")
    other = tmp_path / "elsewhere"
    other.mkdir()
    shutil.move(tmp_path / "maps", other)
    shutil.move(tmp_path / "evening.jsonl", other)
    assert Session.load(other / "evening.jsonl").battlemap.picture.read() == PNG


def test_an_absent_or_changed_file_is_told_and_the_game_goes_on(yard, tmp_path, caplog):
    path = tmp_path / "evening.jsonl"
    played(yard).save(path)
    yard.write_text(MAP + "name: Yard\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING, "tactical"):
        assert Session.load(path).battlemap.picture.read() == PNG
    assert "was changed since" in caplog.text
    yard.write_text(MAP.replace("picture:", "# picture:"), encoding="utf-8")
    assert Session.load(path).battlemap.picture.flaw == "the map's file maps/yard.yaml has no picture any more"
    yard.write_text("rows: [", encoding="utf-8")
    assert "can no longer be read" in Session.load(path).battlemap.picture.flaw
    yard.unlink()
    session = Session.load(path)
    assert session.battlemap.picture.flaw == "the map's file maps/yard.yaml is not there"
    assert session.execute(Move("ann", Cell(4, 0)))
    session.save(tmp_path / "again.jsonl")
    assert head(tmp_path / "again.jsonl")["map"] == head(path)["map"], "it may come back"


def test_a_game_from_bytes_or_without_a_picture_says_nothing_of_it(yard, tmp_path):
    path = tmp_path / "evening.jsonl"
    played(yard).save(path)
    assert Session.load(path.read_bytes()).battlemap.picture is None
    yard.write_text(MAP.replace("picture:", "# picture:"), encoding="utf-8")
    played(yard).save(path)
    assert "map" not in head(path)
