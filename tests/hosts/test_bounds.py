"""What a caller of a server may have: so many maps and games, so large, and files of its folder alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tactical.assets import maps
from tactical.hosts.bounds import Bounds
from tactical.hosts.desk import Desk

SMALL = json.dumps({"schema": 1, "grid": {"type": "square", "cell": 5, "unit": "ft"}, "rows": "....\n....\n"})


def ask(desk: Desk, do: str, **more: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.answer(json.dumps({"id": 1, "do": do, **more}).encode()))
    return found


def code(desk: Desk, do: str, **more: object) -> str:
    answer = ask(desk, do, **more)
    assert answer["ok"] is False, answer
    return str(answer["error"]["code"])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "below").mkdir()
    shutil.copy(maps("village"), tmp_path / "below" / "mine.yaml")
    shutil.copy(maps("village"), tmp_path / "secret.yaml")
    (tmp_path / "below" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    return tmp_path


def test_files_below_the_folder_are_read_and_written_and_no_others(folder: Path) -> None:
    desk = Desk(Bounds(root=folder / "below"))
    assert ask(desk, "load", map="mine.yaml")["ok"]
    assert ask(desk, "load", map="village")["ok"]
    assert ask(desk, "begin", map="m1")["ok"]
    assert ask(desk, "save", session="s3", path="game.jsonl")["ok"]
    assert (folder / "below" / "game.jsonl").is_file()
    assert ask(desk, "open", path="game.jsonl")["ok"]
    for name in ("../secret.yaml", str(folder / "secret.yaml"), "link.yaml", "/etc/hosts"):
        assert code(desk, "load", map=name) == "file"
        assert code(desk, "load", map="mine.yaml", overlay=name) == "file"
        assert code(desk, "open", path=name) == "file"
        assert code(desk, "save", session="s3", path=name) == "file"


@pytest.mark.parametrize("rooted", [True, False])
def test_a_path_that_leads_nowhere_is_said_to(folder: Path, rooted: bool, capsys: pytest.CaptureFixture[str]) -> None:
    below = folder / "below"
    (below / "loop").symlink_to(below / "loop")
    (below / "one").symlink_to(below / "two")
    (below / "two").symlink_to(below / "one")
    desk = Desk(Bounds(root=below) if rooted else Bounds())
    assert ask(desk, "load", map="village")["ok"]
    assert ask(desk, "begin", map="m1")["ok"]
    for name in ("loop", "one", "loop/x.yaml", "a\0b", "x" * 5000, "sub/\ud800"):
        asked = name if rooted else str(below / name)
        for request in (
            {"do": "load", "map": asked}, {"do": "load", "content": SMALL, "overlay": asked},
            {"do": "save", "session": "s2", "path": asked}, {"do": "open", "path": asked},
        ):  # fmt: skip
            if request["do"] == "save" and not rooted and name in ("loop", "one"):
                # a link that leads nowhere is replaced, as by any program that moves a whole file into place
                continue
            told = code(desk, str(request.pop("do")), **request)
            assert told == "file" or (told == "name" and "map" in request), (name, request, told)
    assert capsys.readouterr().err == ""
    assert sorted(path.name for path in below.iterdir()) == ["link.yaml", "loop", "mine.yaml", "one", "two"]


def test_without_files_there_are_samples_and_text(folder: Path) -> None:
    desk = Desk(Bounds(files=False))
    assert ask(desk, "load", map="village")["ok"]
    assert ask(desk, "load", map="small/ford.yaml")["ok"]
    assert ask(desk, "load", content=SMALL)["ok"]
    assert ask(desk, "begin", map="m1")["ok"]
    lines = ask(desk, "save", session="s4")["result"]["lines"]
    assert ask(desk, "open", lines=lines)["ok"]
    for name in (str(folder / "secret.yaml"), "../README.md", "small/../../README.md"):
        assert code(desk, "load", map=name) == "file"
    assert code(desk, "save", session="s4", path="game.jsonl") == "file"
    assert code(desk, "open", path="game.jsonl") == "file"


@pytest.mark.parametrize("do", ["begin", "open", "restore"])
def test_one_game_more_than_may_be_open_is_refused(do: str) -> None:
    desk = Desk(Bounds(sessions=2))
    assert ask(desk, "load", map="small/ford.yaml")["ok"]
    assert ask(desk, "begin", map="m1")["ok"]
    more: dict[str, dict[str, object]] = {
        "begin": {"map": "m1"},
        "open": {"lines": ask(desk, "save", session="s2")["result"]["lines"]},
        "restore": {"snapshot": ask(desk, "snapshot", session="s2")["result"]},
    }
    assert ask(desk, do, **more[do])["ok"]
    assert code(desk, do, **more[do]) == "too-many"
    assert ask(desk, "close", session="s2")["ok"]
    assert ask(desk, do, **more[do])["ok"]


def test_one_map_more_and_one_cell_more_are_refused() -> None:
    desk = Desk(Bounds(maps=1, cells=8))
    assert ask(desk, "load", content=SMALL)["ok"]
    assert code(desk, "load", content=SMALL) == "too-many"
    assert code(Desk(Bounds(cells=7)), "load", content=SMALL) == "too-large"


def test_one_waypoint_more_is_refused() -> None:
    desk = Desk(Bounds(via=1))
    assert ask(desk, "load", map="village")["ok"]
    mover = {"map": "m1", "mover": "raven", "to": "N9"}
    assert ask(desk, "route", via=["M9"], **mover)["ok"]
    assert code(desk, "route", via=["M9", "M8"], **mover) == "too-many"
    assert ask(desk, "begin", map="m1")["ok"]
    assert code(desk, "move", session="s2", mover="raven", to="N9", via=["M9", "M8"]) == "too-many"


def test_a_caller_is_told_what_it_holds() -> None:
    desk = Desk(Bounds(maps=3))
    assert ask(desk, "load", content=SMALL)["ok"]
    told = ask(desk, "usage")["result"]
    assert (told["maps"], told["sessions"], told["requests"], told["bounds"]["maps"]) == (1, 0, 2, 3)
    assert told["ms"] > 0


def test_serve_is_told_its_folder_and_its_bounds(folder: Path) -> None:
    asked = [{"id": 1, "do": "load", "map": "mine.yaml"}, {"id": 2, "do": "load", "map": "../secret.yaml"}]
    asked += [
        {"id": 3, "do": "close", "map": "m1"},
        {"id": 4, "do": "load", "map": "../secret.yaml"},
        {"id": 5, "do": "usage"},
    ]
    command = [sys.executable, "-m", "tactical", "serve", "--stdio", "--root", str(folder / "below"), "--maps", "1"]
    text = "".join(json.dumps(one) + "\n" for one in asked)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["ok"] for one in answers] == [True, False, True, False, True]
    assert [answers[n]["error"]["code"] for n in (1, 3)] == ["too-many", "file"]
    assert answers[4]["result"]["bounds"]["maps"] == 1
