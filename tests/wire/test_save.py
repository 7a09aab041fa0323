"""Saved games: a crash at any byte loses at most the last command; what is damaged is said with its line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tactical import Cell, Refusal
from tactical.errors import SaveError
from tactical.play import commands as do
from tactical.play.session import Session
from tactical.wire import save
from tactical.wire.lines import Chain, ends_whole, whole_lines
from tactical.wire.writing import dumps
from tests.play.boards import yard
from tests.wire.games import game, now, saved


def test_killed_at_every_byte_a_game_reloads_to_its_last_whole_command() -> None:
    session = game()
    texts = [line.encode() for line in save.lines(session)]
    data = b"".join(texts)
    states = [now(save.load(data, n)) for n in range(len(texts))]
    assert states[-1] == now(session)
    ends = [sum(map(len, texts[: n + 1])) for n in range(len(texts))]
    for size in range(len(data) + 1):
        whole = sum(end <= size for end in ends)
        if whole == 0:
            # the first line is moved into place whole; a file cut in it was never written by us
            with pytest.raises(SaveError, match="no whole line"):
                save.load(data[:size])
            continue
        cut, rest = whole_lines(data[:size])
        assert [line + b"\n" for line in cut] == texts[:whole]
        assert not ends_whole(rest)
    for whole in range(1, len(texts) + 1):
        assert now(save.load(data[: ends[whole - 1] + 3])) == states[whole - 1]


def test_a_process_killed_while_it_plays_loses_at_most_the_last_command(tmp_path: Path) -> None:
    target = tmp_path / "game.jsonl"
    script = (
        "import os, sys\n"
        "from tactical.play import commands as do\n"
        "from tactical.play.session import Session\n"
        "from tests.play.boards import hall\n"
        "session = Session.new(hall(), seed=2)\n"
        "session.keep(sys.argv[1])\n"
        "for n in range(5):\n"
        "    session.execute(do.Roll('', '2D', str(n)))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", script, str(target)], cwd=root, check=False, timeout=120)
    assert len(save.load(target).log) == 5
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


def test_keeping_a_game_writes_what_saving_writes(tmp_path: Path) -> None:
    kept, written = tmp_path / "kept.jsonl", tmp_path / "written.jsonl"
    session = game()
    end = session.keep(kept)
    session.execute(do.Move("ada", Cell(1, 3)))
    session.undo()
    end()
    session.save(written)
    assert kept.read_bytes() == written.read_bytes()
    session.execute(do.EndTurn("bo"))
    assert kept.read_bytes() == written.read_bytes()
    # a game that was cut off goes on
    kept.write_bytes(kept.read_bytes()[:-9])
    again = Session.load(kept)
    assert len(again.log) == len(session.log) - 2
    again.keep(kept)()
    assert len(Session.load(kept).log) == len(again.log)


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "game.jsonl"
    session = game()
    session.save(target)
    before = target.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    session.execute(do.EndTurn("bo"))
    with pytest.raises(OSError, match="no space"):
        session.save(target)
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["game.jsonl"]


def test_bytes_are_the_same_in_another_process() -> None:
    script = (
        "import sys\n"
        "from tactical.wire import save\n"
        "from tests.wire.games import game\n"
        "sys.stdout.write(''.join(save.lines(game())))\n"
    )
    root = Path(__file__).parents[2]
    for hashing in ("1", "4711"):
        made = subprocess.run(
            [sys.executable, "-c", script], cwd=root, check=True, capture_output=True, text=True, timeout=120,
            env={**os.environ, "PYTHONHASHSEED": hashing},
        )  # fmt: skip
        assert made.stdout == "".join(save.lines(game()))


def test_replay_goes_to_any_point() -> None:
    session = game()
    data = saved(session)
    for check in (False, True):
        assert save.load(data, 0, check=check).position == session.start
        paused = save.load(data, 2, check=check)
        assert paused.position.pending is not None
        assert len(paused.log) == 2
        with pytest.raises(SaveError, match="no entry 99"):
            save.load(data, 99, check=check)


def damaged(number: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The game with one line changed by somebody who puts the digests right."""
    chain, out = Chain(), b""
    for n, line in enumerate(save.lines(game())):
        found = json.loads(line)
        del found["digest"]
        out += chain.line(dumps(change(found) if n == number else found).encode())
    return out


def test_who_puts_the_digests_right_changes_nothing() -> None:
    assert damaged(0, lambda line: line) == saved(game())


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"", 0, "no whole line"),
        (b"hello\n", 1, "not a saved game"),
        (b"[]\n", 1, "must be an object"),
        (b"\xff\xfe\n", 1, "no ASCII text"),
        (b'{"schema":1,"kind":"map"}\n', 1, "not a saved game"),
        (b'{"schema":1,"kind":"session","start":{}}\n', 1, "start: missing battlemap"),
        (b'{"schema":1,"kind":"session","start":{},"digest":"0123456789abcdef"}\n', 1, "does not say what wrote it"),
        (damaged(2, lambda line: {**line, "n": 7}), 3, "entry 2 is missing, found 7"),
        (damaged(2, lambda line: {**line, "do": {"do": "fly"}}), 3, "'fly' is not known"),
        (damaged(2, lambda line: {**line, "do": {"do": "dash", "mover": "zed"}}), 3, "unknown mover 'zed'"),
        (damaged(2, lambda line: {**line, "do": {"do": "go-on", "mover": "ada"}}), 3, "refused now"),
        (damaged(4, lambda line: {**line, "events": []}), 5, "ends otherwise"),
        (b"[" * 100_000 + b"\n", 1, "not a saved game"),
    ],
)
def test_damage_is_said_with_its_line(data: bytes, line: int, words: str) -> None:
    with pytest.raises(SaveError) as caught:
        save.load(data)
    assert words in str(caught.value)
    assert caught.value.line == line


def test_snapshots_hold_what_can_be_undone_and_no_more() -> None:
    session = game()
    session.undo()
    again = Session.restore(json.loads(json.dumps(session.snapshot())))
    assert now(again) == now(session)
    assert again.redo()
    assert session.redo()
    assert now(again) == now(session)
    for _ in range(3):
        here, there = session.undo(), again.undo()
        assert (here == there) if isinstance(here, Refusal) else bool(there)
        assert now(again) == now(session)
    # nor is the seal lost on the way through a second snapshot
    for restored in (again, Session.restore(again.snapshot())):
        sealed = restored.undo()
        assert isinstance(sealed, Refusal)
        assert sealed.code == "play.sealed"


@pytest.mark.parametrize("change", [{"kind": "map"}, {"past": [{"do": "fly"}]}, {"position": 3}, {"past": 7}])
def test_a_damaged_snapshot_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(SaveError):
        Session.restore({**game().snapshot(), **change})


def test_long_games_of_every_system_are_saved() -> None:
    for rules in ("plain", "twelve-second"):
        session = Session.new(yard(rules))
        session.execute(do.Move("ada", Cell(0, 2)))
        session.execute(do.EndTurn("ada"))
        assert now(save.load(saved(session))) == now(session)
        assert now(save.load(saved(session), check=True)) == now(session)


def test_a_reset_of_an_earlier_version_takes_back_what_it_took_then(tmp_path: Path) -> None:
    session = Session.new(yard("operator"), seed=3)
    for command in (do.Place("ada", Cell(3, 1)), do.Act("ada", "shoot"), do.Place("ada", Cell(2, 1))):
        assert session.execute(command)
    # today a reset stops at the action; it went to the turn's beginning once
    assert session._take_back(3)
    session.save(tmp_path / "game.jsonl")
    again = Session.load(tmp_path / "game.jsonl", check=True)
    assert again.position == session.position
    assert [entry.events for entry in again.log] == [entry.events for entry in session.log]
