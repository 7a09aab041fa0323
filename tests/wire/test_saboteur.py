"""Somebody at the saved games: bytes flipped, lines moved, other versions, other rules, files left behind."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import tactical
from tactical import Battlemap, Cell, Mover, Session, files
from tactical.cli import main
from tactical.errors import SaveError
from tactical.play import commands as do
from tactical.wire import lock, save
from tactical.wire.lines import Chain
from tests.wire.games import game, now, saved, tiny

ROOT = Path(__file__).parents[2]
FIRST_FORM = Path(__file__).parent / "saved" / "first-form.jsonl"


# -- bytes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bit", [0x01, 0x02, 0x08, 0x20, 0x80])
def test_every_changed_byte_is_noticed(bit: int) -> None:
    data = saved(tiny())
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= bit
        with pytest.raises(SaveError):
            save.load(bytes(changed))


def test_every_removed_and_every_doubled_byte_is_noticed(caplog: pytest.LogCaptureFixture) -> None:
    data = saved(tiny())
    for at in range(len(data) - 1):
        for changed in (data[:at] + data[at + 1 :], data[:at] + data[at : at + 1] + data[at:]):
            if changed != data:
                with pytest.raises(SaveError):
                    save.load(changed)
    # behind the last line there may be one that was begun, and that is told
    assert not caplog.records
    assert len(save.load(data[:-1]).log) == 3
    assert "line 5 was begun and not ended" in caplog.text
    assert "all 3 entries before it are whole" in caplog.text


def test_lines_that_are_missing_swapped_doubled_or_of_another_game_are_noticed() -> None:
    lines = saved(tiny()).splitlines(keepends=True)
    other = saved(tiny(5)).splitlines(keepends=True)
    strange = saved(game()).splitlines(keepends=True)
    for changed, line in [
        ([lines[0], *lines[2:]], 2),
        ([lines[0], lines[2], lines[1], *lines[3:]], 2),
        ([*lines[:3], lines[2], *lines[3:]], 4),
        ([*lines[:4], strange[4]], 5),
        ([strange[0], *lines[1:]], 2),
        ([*lines[1:]], 1),
    ]:
        with pytest.raises(SaveError) as caught:
            save.load(b"".join(changed))
        assert caught.value.line == line
    # the very line that the same game came to next is no strange one
    assert len(save.load(b"".join([*lines, other[5]])).log) == 5


def test_what_is_wrong_is_told_with_its_line_and_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(saved(tiny()).replace(b'"n":3', b'"n":7'))
    assert main(["replay", str(path)]) == 2
    told = capsys.readouterr().err
    assert "line 4: entry 3 is missing, found 7" in told
    assert "the 2 entries before it are whole: open the game as far as entry 2" in told
    assert main(["replay", str(path), "--to", "2"]) == 0
    assert main(["replay", str(path), "--to", "3"]) == 2


# -- versions, rules, maps --------------------------------------------------------------------------------------------


def resaved(**head: Any) -> bytes:
    """A short game whose first line says something else of itself, digests put right."""
    chain, out = Chain(), b""
    for n, line in enumerate(saved(tiny()).splitlines()):
        found = json.loads(line)
        del found["digest"]
        if n == 0:
            found.update(head)
        out += chain.line(json.dumps(found, separators=(",", ":")).encode())
    return out


def test_the_first_line_says_who_wrote_it() -> None:
    head = json.loads(saved(game()).splitlines()[0])
    assert head["save"] == 2
    assert head["tactical"] == tactical.__version__
    assert head["rules"] == {"operator": tactical.__version__}


def test_a_form_of_the_future_is_refused_with_what_to_do() -> None:
    with pytest.raises(SaveError, match=r"tactical 9\.1 saved this game in form 3, .* update tactical"):
        save.load(resaved(save=3, tactical="9.1"))


def test_a_newer_product_is_named_where_something_is_not_known() -> None:
    assert len(save.load(resaved(tactical="9.1")).log) == 4
    start = json.loads(saved(tiny()).splitlines()[0])["start"]
    with pytest.raises(SaveError, match=r"unknown key 'moon' \(tactical 9\.1 saved this game, this is .*: update"):
        save.load(resaved(tactical="9.1", start={**start, "moon": 1}))
    with pytest.raises(SaveError, match=r"unknown key 'moon'$"):
        save.load(resaved(start={**start, "moon": 1}))


def test_a_rule_system_that_is_not_here_is_named_with_its_version() -> None:
    with pytest.raises(SaveError, match=r"rule system 'chess' \(2\.0\), which is not installed"):
        save.load(resaved(rules={"chess": "2.0"}))


def test_a_game_of_another_map_does_not_go_on_in_this_one() -> None:
    """The map is in the first line: another map's line there is another game's."""
    wide = Session.new(Battlemap.from_rows(["..."] * 2, movers=[Mover("a", at=Cell(0, 0))], rules="plain"), seed=3)
    lines = saved(wide).splitlines(keepends=True)[:1] + saved(tiny()).splitlines(keepends=True)[1:]
    with pytest.raises(SaveError, match="line 2: damaged"):
        save.load(b"".join(lines))


def test_a_game_saved_before_there_were_digests_loads_and_plays_on(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(FIRST_FORM.read_bytes())
    session = Session.load(path)
    assert len(session.log) == 12
    assert session.log[3].done == do.Roll("", "3D")
    assert len(Session.load(path, 4).log) == 4
    assert session.redo()
    assert session.execute(do.EndTurn("ada"))
    session.keep(path)()
    assert b'"save":2' in path.read_bytes()[:80]
    again = Session.load(path)
    assert again.log == session.log
    assert now(again) == now(session)
    # it is as strict as it was: what it tells must come of its commands
    with pytest.raises(SaveError, match="line 6: the command ends otherwise now"):
        Session.load(FIRST_FORM.read_bytes().replace(b'"posture":"standing","cost"', b'"posture":"crawling","cost"'))


# -- those who keep it ------------------------------------------------------------------------------------------------


KEEPER = """
import sys
from tactical import Session
from tests.wire.games import tiny
session = tiny(0)
kept = session.keep(sys.argv[1])
print("kept", flush=True)
sys.stdin.readline()
"""


def keeper(path: Path) -> subprocess.Popen[str]:
    """Another process that keeps a game in a file until it is killed or told to end."""
    process = subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "kept\n"
    return process


@pytest.mark.parametrize("locks", [True, False])
def test_one_alone_keeps_a_file_and_a_dead_one_keeps_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locks: bool
) -> None:
    """`locks`: the system's own; else a file beside, as where there are none."""
    path, beside = tmp_path / "game.jsonl", tmp_path / ".game.jsonl.lock"
    if not locks:
        monkeypatch.setattr(lock, "_hold", lambda _: None)
        monkeypatch.setattr(
            sys.modules[__name__], "KEEPER", "from tactical.wire import lock\nlock._hold = lambda _: None\n" + KEEPER
        )
    elif sys.platform == "win32":
        pytest.skip("another way to lock")
    with keeper(path) as other:
        with pytest.raises(SaveError) as caught:
            tiny().keep(path)
        assert str(path) in str(caught.value)
        assert "close the program that keeps it, or keep this game under another name" in str(caught.value)
        assert (str(beside) in str(caught.value)) == (not locks)
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert beside.exists() == (not locks)
    session = tiny()
    end = session.keep(path)
    with pytest.raises(SaveError, match="another game is being kept"):
        tiny().keep(path)
    session.undo()
    end()
    assert len(Session.load(path).log) == 5
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.jsonl"]
    tiny().keep(path)()


def test_what_the_killed_left_beside_a_file_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    script = (
        "import os, sys\n"
        "from tactical import files\n"
        "from pathlib import Path\n"
        "def parts():\n"
        "    yield b'{'\n"
        "    os.kill(os.getpid(), 9)\n"
        "files.put(Path(sys.argv[1]), parts())\n"
    )
    for _ in range(2):
        subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT, check=False, timeout=120)
    # the second took away what the first had left
    assert len(list(tmp_path.iterdir())) == 1
    strange = [tmp_path / name for name in (".game.jsonl-notes", ".game.jsonl-1-2", "game.jsonl-abcdefgh")]
    mine = tmp_path / f".game.jsonl-{files._me()}-abcdefgh{files.ENDING}"
    elsewhere = tmp_path / f".game.jsonl-1-00000000-abcdefgh{files.ENDING}"
    before, long_before = tmp_path / ".game.jsonl-abcdefgh", tmp_path / ".game.jsonl-abcdefg_"
    for left in (*strange, mine, elsewhere, before, long_before):
        left.write_bytes(b"")
    os.utime(long_before, (time.time() - 4000,) * 2)
    tiny().save(path)
    # others' files, and what somebody may still be writing, stay
    assert set(tmp_path.iterdir()) == {path, *strange, mine, elsewhere, before}


def test_killed_in_the_middle_of_a_line_the_game_opens_and_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "game.jsonl"
    script = (
        "import os, sys\n"
        "from tactical.play import commands as do\n"
        "from tests.wire.games import tiny\n"
        "session = tiny(2)\n"
        "kept = session.keep(sys.argv[1])\n"
        "class Torn:\n"
        "    def __getattr__(self, name): return getattr(file, name)\n"
        "    def write(self, part):\n"
        "        file.write(part[:len(part) // 2])\n"
        "        os.kill(os.getpid(), 9)\n"
        "file, kept._file = kept._file, Torn()\n"
        "session.execute(do.Posture('a', 'prone'))\n"
    )
    assert subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT, check=False, timeout=120).returncode
    assert not path.read_bytes().endswith(b"\n")
    assert main(["replay", str(path)]) == 0
    assert "line 4 was begun and not ended" in caplog.text
    session = Session.load(path)
    session.keep(path)
    assert session.execute(do.Posture("a", "prone"))
    assert now(Session.load(path)) == now(session)


def test_a_full_disk_costs_nothing_that_was_done(tmp_path: Path) -> None:
    path, session, told = tmp_path / "game.jsonl", tiny(2), list[Exception]()
    kept: Any = session.keep(path, told.append)

    class Full:
        def __init__(self, file: Any) -> None:
            self.file = file

        def __getattr__(self, name: str) -> Any:
            return getattr(self.file, name)

        def write(self, part: bytes) -> int:
            self.file.write(part[:10])
            raise OSError(errno.ENOSPC, "No space left on device")

    kept._file = Full(kept._file)
    assert session.execute(do.Posture("a", "prone"))
    assert kept.behind == 1
    assert "No space left on device (the game goes on and can be saved elsewhere)" in str(told[-1])
    assert len(Session.load(path).log) == 2
    assert session.undo()
    assert (kept.behind, kept.error) == (0, None)
    assert Session.load(path).log == session.log


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is closed to the superuser")
def test_a_folder_that_may_not_be_written_in_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        for way in (tiny().save, tiny().keep):
            with pytest.raises(PermissionError) as caught:
                way(tmp_path / "game.jsonl")
            assert caught.value.filename == str(tmp_path / "game.jsonl")
    finally:
        tmp_path.chmod(0o700)


def test_a_folder_that_refuses_a_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system", "somewhere")

    monkeypatch.setattr("tempfile.mkstemp", refused)
    for way in (tiny().save, tiny().keep):
        with pytest.raises(OSError, match="Read-only file system") as caught:
            way(tmp_path / "game.jsonl")
        assert caught.value.filename == str(tmp_path / "game.jsonl")
