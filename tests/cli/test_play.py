"""`tactical replay` and `tactical serve`: what a person sees of saved games, and of mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tactical
from tactical import Cell, Move, Session
from tactical.assets import maps
from tactical.cli import main


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A saved game of one move."""
    session = Session.new(tactical.load(maps("village")), seed=1)
    assert session.execute(Move("raven", Cell(11, 9)))
    session.save(tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_replay_tells_what_happened(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game)]) == 0
    out = capsys.readouterr().out
    assert "raven is standing (15 ft)" in out
    assert "raven at L10, standing, turn 1" in out
    assert main(["replay", str(game), "--to", "0", "--map"]) == 0
    assert "raven at H14, prone, turn 1" in capsys.readouterr().out


def test_replay_as_json(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(game), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["kind"]) == (1, "replay")
    assert found["entries"][0]["do"]["do"] == "move"
    assert found["position"]["statuses"]["raven"]["state"]["cell"] == [11, 9]


def test_replay_draws(game: Path, tmp_path: Path) -> None:
    assert main(["replay", str(game), "--png", str(tmp_path / "then.svg")]) == 0
    assert (tmp_path / "then.svg").read_text().startswith("<svg")


def test_what_is_no_saved_game_is_wrong_use(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none")]) == 2
    assert main(["replay", str(game), "--to", "9"]) == 2
    assert "no entry 9" in capsys.readouterr().err
    lines = game.read_text().splitlines(keepends=True)
    game.write_text(lines[0] + lines[1].replace('"cost":15', '"cost":10'))
    assert main(["replay", str(game)]) == 2
    assert "line 2: damaged: this line was changed" in capsys.readouterr().err
    assert main(["replay", str(game), "--to", "0"]) == 0


def test_serve_wants_to_know_how(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve"]) == 2
    assert "--stdio" in capsys.readouterr().err
