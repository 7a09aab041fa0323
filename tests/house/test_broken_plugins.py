"""A plug-in that fails when it is called is named and contained: on the command line, over stdio and in a session.

The plug-ins of `broken.py` are offered through entry points, as if a package had been installed: to a process of its
own for one rule system and what is left out with a warning, elsewhere to this one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tactical import load, reach, registry
from tactical.errors import PluginError
from tests.house import broken
from tests.house.broken import SYSTEMS
from tests.house.offered import tactical, write_package

ROOT = Path(__file__).parents[2]

BOARD = """\
schema: 1
grid: {type: square, cell: 5, unit: ft}
legend:
  ".": {terrain: grass}
  "g": {terrain: pit, gap: true}
  "^": {terrain: hill, elevation: 20}
rows: |
  ....
  .g.^
movers:
  - {id: a, at: A1}
"""

# what each surface says about every rule system at its command, its request and its game
COMMAND_LINES = """
import contextlib, io, json
from tactical.cli import main
from tests.house.broken import SYSTEMS
told = {}
for name, (_, words, _) in SYSTEMS.items():
    more = ("--rules", name) if "board.yaml" in words else ()
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main([*words, *more])
    told[name] = [status, out.getvalue(), err.getvalue()]
print(json.dumps(told))
"""

GAMES = """
import json, tactical
from tactical import Cell
from tactical.play import commands as do
from tactical.wire.writing import dumps, to_json
from tests.house.broken import SYSTEMS
told = {}
board = tactical.load("board.yaml")
orders = [do.Gait("a", "move"), do.Move("a", Cell(2, 0)), do.Posture("a", "prone"), do.Act("a"), do.EndTurn("a")]
for name in [*SYSTEMS, "order-raises"]:
    errors, kept = [], True
    try:
        game = tactical.Session.new(board, rules=name)
    except tactical.PluginError as error:
        told[name] = [[str(error)], True]
        continue
    for order in orders:
        before = dumps(to_json(game.position)), len(game.log)
        try:
            game.execute(order)
        except tactical.PluginError as error:
            errors.append(str(error))
            kept = kept and before == (dumps(to_json(game.position)), len(game.log))
    told[name] = [errors, kept]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the board and all the broken rule systems."""
    folder = tmp_path_factory.mktemp("systems")
    systems = [f"{name} = tests.house.broken:{name.replace('-', '_')}" for name in SYSTEMS]
    return offered(folder, rulesets=[*systems, "order-raises = tests.house.broken:ORDERS"])


def offered(folder: Path, **points: list[str]) -> Path:
    write_package(folder, "broken", **points)
    (folder / "board.yaml").write_text(BOARD, encoding="utf-8")
    return folder


def python(folder: Path, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, input=given, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": paths, "SDL_VIDEODRIVER": "dummy"},
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


def process(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own; the only one whose warnings can be seen."""
    return python(folder, "-m", "tactical", *words)


def asked(folder: Path, code: str) -> dict[str, Any]:
    done = python(folder, "-c", code)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def said_by_desk(folder: Path, *requests: dict[str, object]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = tactical(folder, "serve", "--stdio", given=lines)
    return [json.loads(line) for line in done.stdout.splitlines()]


# -- rule systems -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def command_lines(folder: Path) -> dict[str, Any]:
    return asked(folder, COMMAND_LINES)


@pytest.fixture(scope="module")
def games(folder: Path) -> dict[str, Any]:
    return asked(folder, GAMES)


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_broken_rule_system_is_named_on_the_command_line(name: str, command_lines: dict[str, Any]) -> None:
    status, out, err = command_lines[name]
    assert status == 2, out + err
    assert out == ""
    assert f"the rule system '{name}'" in err
    assert SYSTEMS[name][2] in err
    assert len(err.splitlines()) == 1
    if "options or defaults" not in err and "its stats" not in err:
        assert "broken.py" in err


ELSEWHERE = ("efforts-raise", "sheet-raises", "resolve-", "turn-budget", "odds-", "fall-", "jump-", "next-")
"""Broken where a session's moves here do not ask."""


@pytest.mark.parametrize("name", [*SYSTEMS, "order-raises"])
def test_a_broken_rule_system_changes_nothing_in_a_session(name: str, games: dict[str, Any]) -> None:
    errors, kept = games[name]
    assert kept
    assert errors or name.startswith(ELSEWHERE)
    assert all(f"the rule system '{name}'" in error for error in errors)


def test_one_of_them_in_a_process_of_its_own(folder: Path) -> None:
    done = process(folder, "reach", "board.yaml", "--mover", "a", "--rules", "budget-negative", "--spent", "0")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: the rule system 'budget-negative' (")
    assert done.stderr.endswith("broken.py): profile: gait 'move': budget is -5, less than 0\n")


def test_a_broken_rule_system_is_an_error_over_stdio_and_the_desk_goes_on(folder: Path) -> None:
    names = [name for name, (_, words, _) in SYSTEMS.items() if words[0] == "reach" and len(words) == 4]
    requests = [{"id": name, "do": "reach", "map": "m1", "mover": "a", "rules": name} for name in names]
    asked_last = {"id": "last", "do": "reach", "map": "m1", "mover": "a", "rules": "plain"}
    _, *answers, last = said_by_desk(folder, {"do": "load", "map": "board.yaml"}, *requests, asked_last)
    assert last["ok"]
    for name, answer in zip(names, answers, strict=True):
        assert answer["ok"] is False
        assert answer["error"]["code"] == "plugin", answer
        assert f"the rule system '{name}'" in answer["error"]["text"]
        assert SYSTEMS[name][2] in answer["error"]["text"]


def test_a_session_over_stdio_stays_as_it_was(folder: Path) -> None:
    same = {"do": "position", "session": "s2"}
    _, begun, before, failed, after = said_by_desk(
        folder, {"do": "load", "map": "board.yaml"}, {"do": "begin", "map": "m1", "rules": "after-none"}, same,
        {"do": "move", "session": "s2", "mover": "a", "to": "C1"}, same,
    )  # fmt: skip
    assert begun["ok"]
    assert failed["error"]["code"] == "plugin"
    assert "the rule system 'after-none'" in failed["error"]["text"]
    assert before == after


def test_what_is_the_user_s_fault_stays_the_user_s(folder: Path) -> None:
    short = tactical(folder, "reach", "board.yaml", "--mover", "a", "--spent", "99")
    assert (short.returncode, "--spent" in short.stderr) == (2, True)
    unknown = tactical(folder, "reach", "board.yaml", "--mover", "a", "--option", "typo=1")
    assert "unknown option 'typo'" in unknown.stderr
    assert "rule system" not in unknown.stderr


# -- what stands in every question's way ------------------------------------------------------------------------------

WAYS = {
    "COSTING": "the way of moving 'costing' (BROKEN): costs failed: KeyError: 'boom' (line ",
    "LATE": "the way of moving 'late' (BROKEN): costs failed: KeyError: 'boom'",
    "NEGATIVE": "the way of moving 'negative' (BROKEN): costs: a cost is -1, less than 0",
    "SHAPING": "the way of moving 'shaping' (BROKEN): shape failed: KeyError: 'boom' (line ",
    "WRITING": "the way of moving 'writing' (BROKEN): write failed: KeyError: 'boom' (line ",
    "UNFIT": "the way of moving 'unfit' (BROKEN): write failed: ValueError: a unfit edge from node 0 to 1000000000",
    "UNNOTED": "the way of moving 'unnoted' (BROKEN): write failed: RuntimeError: a way charges 1/7",
    "FAR": "the way of moving 'far' (BROKEN): far failed: KeyError: 'boom' (line ",
    "NOWHERE": "the way of moving 'nowhere' (BROKEN): far: ('A1', 'B1') is not a pair of cells",
}


@pytest.mark.parametrize("way", WAYS)
def test_a_broken_way_is_named_by_whatever_it_stops(way: str, tmp_path: Path) -> None:
    offered(tmp_path, ways=[f"{way.lower()} = tests.house.broken:{way}"])
    words = WAYS[way].replace("BROKEN", str(ROOT / "tests/house/broken.py"))
    done = tactical(tmp_path, "reach", "board.yaml", "--mover", "a", "--rules", "operator")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    same = {"do": "position", "session": "s2"}
    *_, before, moved, position = said_by_desk(
        tmp_path, {"do": "load", "map": "board.yaml"}, {"do": "begin", "map": "m1", "rules": "operator"}, same,
        {"do": "move", "session": "s2", "mover": "a", "to": "C1"}, same,
    )  # fmt: skip
    assert before["ok"]
    assert moved["error"]["code"] == "plugin"
    assert words in moved["error"]["text"]
    assert position == before


MEDIA = {
    "OPEN_TO": "the medium 'aloft' (BROKEN): who failed: KeyError: 'boom' (line ",
    "PRICED": "the medium 'aloft' (BROKEN): pace: None is not a Pace or Refusal",
    "TAKEN_OFF": "the medium 'aloft' (BROKEN): changes: 'rise' is not a PostureChange",
    "ROCK": "the medium 'aloft' (BROKEN): solid: it is no array of yes and no",
    "WALLS": "the medium 'aloft' (BROKEN): meets: True is not a Barrier or None",
    "SIZED": "the counter 'heat' (BROKEN): size: it has 0 values, not 1 to 64",
    "COUNTED": "the counter 'heat' (BROKEN): after: 'hot' is not a whole number or None",
}


@pytest.mark.parametrize("name", MEDIA)
def test_a_broken_medium_or_counter_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "schema: 1\nrules: operator\nrows: |\n  ...\nbarriers: [{cell: A1, side: e, kind: wall}]\n"
    board = load((text + "movers: [{id: a, at: A1, stats: {speed: 30}}]\n").encode(), name="board.yaml")
    every = [*registry.WAYS, (name, getattr(broken, name))]
    monkeypatch.setattr(registry.WAYS, "_every", tuple(every))
    with pytest.raises(PluginError) as said:
        reach(board, "a")
    assert MEDIA[name].replace("BROKEN", str(ROOT / "tests/house/broken.py")) in str(said.value)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("strange", "write failed: ValueError: an edge of the way 'strange' cannot bear the name 'jump'"),
        ("mistaken", "the way of moving 'mistaken': its step A1 to C1 is explained as another"),
    ],
)
def test_a_step_that_is_not_what_its_way_says_is_named(way: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, ways=[f"{way} = tests.house.broken:{way.upper()}"])
    done = tactical(tmp_path, "path", "board.yaml", "--mover", "a", "--to", "C1", "--rules", "operator")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_format_that_fails_to_sniff_stops_no_other_file(tmp_path: Path) -> None:
    offered(tmp_path, formats=["sniffing = tests.house.broken:SNIFFING"])
    done = process(tmp_path, "check", "board.yaml")
    assert (done.returncode, done.stdout) == (0, "no faults in 1 file\n")
    assert "RuntimeWarning: left out: the map format 'sniffing' (" in done.stderr
    assert "sniff failed: KeyError: 'boom' (line " in done.stderr
    # asked for by name it reads as ever
    (tmp_path / "any.map").write_text("any", encoding="utf-8")
    assert tactical(tmp_path, "render", "any.map", "--from", "sniffing", "-o", "any.svg").returncode == 0


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ("LOADING", "the map format 'loading' (BROKEN): load failed: KeyError: 'boom' (line "),
        ("EMPTY", "the map format 'empty' (BROKEN): load: None is not a map and its report"),
    ],
)
def test_a_format_that_fails_to_load_is_named(point: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, formats=[f"{point.lower()} = tests.house.broken:{point}"])
    (tmp_path / f"one.{point.lower()}").write_text("one", encoding="utf-8")
    words = words.replace("BROKEN", str(ROOT / "tests/house/broken.py"))
    done = tactical(tmp_path, "render", f"one.{point.lower()}", "-o", "one.svg")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    # of several files only that one is lost
    both = tactical(tmp_path, "check", f"one.{point.lower()}", "board.yaml", "--json")
    assert both.returncode == 2
    first, second = json.loads(both.stdout)["files"]
    assert words in first["faults"][0]["text"]
    assert (second["format"], second["faults"]) == ("native", [])
    (answer,) = said_by_desk(tmp_path, {"do": "load", "map": f"one.{point.lower()}"})
    assert (answer["error"]["code"], words in answer["error"]["text"]) == ("plugin", True)


@pytest.mark.parametrize(
    ("point", "words"), [("DUMPING", "dump failed: KeyError: "), ("LOSING", "losses: None is not a ")]
)
def test_a_format_that_fails_to_write_is_named(point: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, formats=[f"{point.lower()} = tests.house.broken:{point}"])
    done = tactical(tmp_path, "convert", "board.yaml", "--to", point.lower(), "-o", "out.map")
    assert done.returncode == 2
    assert f"the map format '{point.lower()}'" in done.stderr
    assert words in done.stderr
    assert not (tmp_path / "out.map").exists()


@pytest.mark.parametrize(
    ("point", "words"),
    [("DRAWING", "draw failed: KeyError: 'boom' (line "), ("BLANK", "draw: None is not a str or bytes")],
)
def test_a_broken_drawer_is_named(point: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, drawers=[f"{point.lower()} = tests.house.broken:{point}"])
    done = tactical(tmp_path, "render", "board.yaml", "-o", f"map.{point.lower()}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the drawer '{point.lower()}' (" in done.stderr
    assert words in done.stderr
    assert not (tmp_path / f"map.{point.lower()}").exists()


@pytest.mark.parametrize(
    ("point", "words"),
    [
        ("BENT", "the grid 'bent' (tests.house.broken): body failed: KeyError: 'boom' (line "),
        ("STORING", "the grid 'storing' (tests.house.broken): store: None is not a pair"),
    ],
)
def test_a_broken_grid_is_named(point: str, words: str, tmp_path: Path) -> None:
    offered(tmp_path, grids=[f"{point.lower()} = tests.house.broken:{point}"])
    assert tactical(tmp_path, "reach", "board.yaml", "--mover", "a").returncode == 0
    bent = BOARD.replace("square", point.lower())
    (tmp_path / "bent.yaml").write_text(bent, encoding="utf-8")
    done = tactical(tmp_path, "reach", "bent.yaml", "--mover", "a")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr


def test_a_grid_that_is_none_is_left_out(tmp_path: Path) -> None:
    offered(tmp_path, grids=["blind = tests.house.broken:BLIND"])
    done = process(tmp_path, "reach", "board.yaml", "--mover", "a")
    assert done.returncode == 0
    assert "left out: the grid 'blind' (tests.house.broken): directions are ()" in done.stderr


def test_a_broken_command_is_named_and_hides_no_other(tmp_path: Path) -> None:
    offered(tmp_path, commands=["crash = tests.house.broken:CRASH", "lost = no_such_module:COMMANDS"])
    done = process(tmp_path, "crash")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the command 'crash' (tests.house.broken) failed: KeyError: 'boom'" in done.stderr
    known = process(tmp_path, "--help")
    assert known.returncode == 0
    assert "crash" in known.stdout
    assert "reach" in known.stdout
    assert "left out: the command 'lost'" in known.stderr
