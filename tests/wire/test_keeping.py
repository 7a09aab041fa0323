"""A kept game is on the disk before anybody hears of it, and what becomes of its file is noticed and told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tactical
from tactical import Cell, Session
from tactical.cli import main
from tactical.errors import SaveError
from tactical.play import commands as do
from tactical.play.events import Accepted
from tactical.world.edges.barriers import DoorState
from tests.play.boards import hall, yard
from tests.play.random_play import command_for

ROOT = Path(__file__).parents[2]


@pytest.fixture
def session() -> Session:
    """A game in the hall."""
    return Session.new(hall(), seed=3)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a game is kept."""
    return tmp_path / "game.jsonl"


def play(session: Session, count: int = 1) -> None:
    """Do so many things; each of them must be answered as if no file were kept."""
    for _ in range(count):
        open_now = any(
            barrier.id == "gate" and barrier.state is DoorState.OPEN for barrier in session.battlemap.barriers
        )
        answer = session.execute(do.CloseDoor("gate") if open_now else do.OpenDoor("gate"))
        assert isinstance(answer, Accepted)


def whole(path: Path, session: Session) -> bool:
    """Whether a file holds the whole game, and a fresh reader comes to the same position."""
    again = Session.load(path)
    return again.log == session.log and again.position == session.position


def python(script: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own."""
    head = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from tactical import Session\n"
        "from tactical.errors import SaveError\n"
        "from tactical.play import commands as do\n"
        "from tests.play.boards import hall\n"
        "from tests.wire.test_keeping import play\n"
    )
    return subprocess.run(
        [sys.executable, "-c", head + script, *map(str, words)],
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


# -- listeners --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [True, False])
def test_a_listener_that_raises_costs_no_entry(session: Session, path: Path, before: bool) -> None:
    def closed(_: Accepted) -> None:
        raise ConnectionResetError

    told: list[Exception] = []
    off = session.on(closed, told.append) if before else None
    session.keep(path)
    off = off or session.on(closed, told.append)
    play(session, 2)
    off()
    play(session)
    assert len(told) == 2
    assert whole(path, session)
    assert main(["replay", str(path)]) == 0


@pytest.mark.parametrize("before", [True, False])
def test_a_listener_that_answers_costs_no_entry(session: Session, path: Path, before: bool) -> None:
    def answering(_: Accepted) -> None:
        if session.position.pending is not None:
            session.execute(do.GoOn("ada"))

    if before:
        session.on(answering)
    session.keep(path)
    if not before:
        session.on(answering)
    session.execute(do.Place("ada", Cell(3, 1)))
    assert session.execute(do.Move("ada", Cell(3, 3)))
    assert [getattr(entry.done, "kind", "") for entry in session.log] == ["place", "move", "go-on"]
    assert whole(path, session)


def test_what_is_heard_is_on_the_disk_already(session: Session, path: Path) -> None:
    saved: list[int] = []
    session.on(lambda _: saved.append(len(Session.load(path).log)))
    session.keep(path)
    play(session, 2)
    session.undo()
    session.redo()
    session.reset_turn()
    assert saved == [1, 2, 3, 4, 5]
    assert whole(path, session)


def test_killed_while_a_listener_hears_the_game_is_whole(path: Path) -> None:
    script = (
        "session = Session.new(hall(), seed=3)\n"
        "session.on(lambda _: len(session.log) == 7 and os.kill(os.getpid(), 9))\n"
        "session.keep(sys.argv[1])\n"
        "play(session, 5)\n"
        "session.undo()\n"
        "play(session, 5)\n"
    )
    assert python(script, path).returncode != 0
    assert len(Session.load(path).log) == 7
    told = subprocess.run(
        [sys.executable, "-m", "tactical", "replay", str(path)], cwd=ROOT, check=True, capture_output=True, text=True,
        timeout=300,
    )  # fmt: skip
    assert "taken back: 1" in told.stdout


@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(
    numbers=st.lists(st.tuples(*[st.integers(0, 10_000)] * 4), min_size=4, max_size=12),
    rules=st.sampled_from(["operator", "d6-reup", "shapers"]),
)
def test_whatever_listeners_do_a_kept_game_is_whole(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[tuple[int, int, int, int]], rules: str
) -> None:
    path = tmp_path_factory.mktemp("kept") / "game.jsonl"
    session = Session.new(yard(rules), seed=1)
    more: Iterator[tuple[int, int, int, int]] = iter(numbers[::2])
    heard: list[Accepted] = []

    def unruly(_: Accepted) -> None:
        four = next(more, None)
        if four is None:
            return
        if four[0] % 3 == 0:
            raise RuntimeError
        (session.undo, session.redo, lambda: session.execute(command_for(session, four)))[four[1] % 3]()

    session.on(unruly, failed=lambda _: None)
    end = session.keep(path)
    session.on(heard.append)
    for four in numbers:
        session.execute(command_for(session, four))
    assert [entry.events for entry in session.log] == [accepted.events for accepted in heard]
    assert whole(path, session)
    end()


# -- what becomes of the file -----------------------------------------------------------------------------------------


def test_a_deleted_file_is_written_again_and_told_once(session: Session, path: Path) -> None:
    told: list[Exception] = []
    kept = session.keep(path, failed=told.append)
    play(session, 2)
    path.unlink()
    play(session)
    assert [type(error) for error in told] == [SaveError]
    assert str(told[0]) == f"{path} was gone: the whole game has been written there again"
    assert whole(path, session)
    play(session)
    assert len(told) == 1
    assert kept.error is None
    assert whole(path, session)


def other_game(path: Path) -> None:
    """Another game is saved over the file."""
    other = Session.new(hall(), seed=99)
    play(other, 4)
    other.save(path)


def cut(path: Path) -> None:
    """The file loses its end."""
    os.truncate(path, path.stat().st_size - 20)


def emptied(path: Path) -> None:
    """The file is emptied."""
    path.write_bytes(b"")


def longer(path: Path) -> None:
    """Somebody adds a line."""
    with path.open("ab") as file:
        file.write(b"{}\n")


def changed(path: Path) -> None:
    """One byte is changed in place, some time after it was written."""
    data = bytearray(path.read_bytes())
    data[-10] ^= 1
    with path.open("r+b") as file:
        file.write(data)
    later = path.stat().st_mtime_ns + 1_000_000_000
    os.utime(path, ns=(later, later))


@pytest.mark.parametrize("harm", [other_game, cut, emptied, longer, changed])
def test_a_changed_file_is_told_and_left_alone_and_nothing_is_lost(session: Session, path: Path, harm: object) -> None:
    assert callable(harm)
    told: list[Exception] = []
    kept = session.keep(path, failed=told.append)
    play(session, 3)
    good, aside = path.read_bytes(), path.with_name("aside.jsonl")
    harm(path)
    theirs = path.read_bytes()
    play(session, 2)
    # told each time, with what is missing, as long as it lasts
    assert [type(error) for error in told] == [SaveError, SaveError]
    assert f"{path}: 1 entry is not saved" in str(told[0])
    assert f"{path}: 2 entries are not saved" in str(told[1])
    assert "somebody else has written in this file" in str(told[1])
    assert "can be saved elsewhere" in str(told[1])
    assert (kept.error, kept.written, kept.behind) == (told[1], 3, 2)
    assert path.read_bytes() == theirs
    # the ways out: the whole game elsewhere, saved or kept
    session.save(aside)
    assert whole(aside, session)
    second = session.keep(path.with_name("second.jsonl"))
    # or the file put right again
    path.write_bytes(good)
    session.undo()
    assert len(told) == 2
    assert (kept.error, kept.behind) == (None, 0)
    assert whole(path, session)
    assert whole(second.path, session)


def test_the_same_game_written_again_is_no_harm(session: Session, path: Path) -> None:
    told: list[Exception] = []
    kept = session.keep(path, failed=told.append)
    play(session, 2)
    # a backup that comes back, a program that saves where it keeps, a touched file
    copy = path.with_name("copy")
    shutil.copy(path, copy)
    path.unlink()
    copy.rename(path)
    play(session)
    session.save(path)
    play(session)
    os.utime(path)
    play(session)
    assert told == []
    assert kept.behind == 0
    assert whole(path, session)


def test_a_game_is_kept_where_it_was_begun_wherever_the_program_goes(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    session.keep("game.jsonl")
    monkeypatch.chdir(tmp_path / "elsewhere")
    play(session, 2)
    assert whole(tmp_path / "game.jsonl", session)
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_folder_that_vanishes_and_comes_back(session: Session, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    told: list[Exception] = []
    kept = session.keep(folder / "game.jsonl", failed=told.append)
    play(session)
    folder.rename(tmp_path / "away")
    play(session)
    assert "No such file or directory" in str(told[-1])
    assert isinstance(told[-1].__cause__, FileNotFoundError)
    assert kept.behind == 1
    (tmp_path / "away").rename(folder)
    # ending it is the last try
    kept()
    assert kept.error is None
    assert whole(folder / "game.jsonl", session)
    play(session)
    assert len(Session.load(folder / "game.jsonl").log) == 2


def test_what_cannot_be_kept_at_all_is_raised(session: Session, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "game.jsonl"
    with pytest.raises(FileNotFoundError) as caught:
        session.keep(nowhere)
    assert caught.value.filename == str(nowhere)
    with pytest.raises(FileNotFoundError) as caught:
        session.save(nowhere)
    assert caught.value.filename == str(nowhere)
    play(session)


# -- others, and the disk ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="no locks here: the first is told with its next command")
def test_a_second_process_cannot_keep_the_same_file(session: Session, path: Path) -> None:
    told: list[Exception] = []
    kept = session.keep(path, failed=told.append)
    play(session, 2)
    second = (
        "session = Session.load(sys.argv[1])\n"
        "try:\n"
        "    session.keep(sys.argv[1])\n"
        "    play(session)\n"
        "except SaveError as error:\n"
        "    print(error)\n"
    )
    assert python(second, path).stdout == (
        f"{path}: another game is being kept in this file: close the program that keeps it, or keep this game under "
        "another name\n"
    )
    with pytest.raises(SaveError, match="another game is being kept"):
        Session.new(hall()).keep(path)
    play(session)
    assert told == []
    assert whole(path, session)
    kept()
    assert python(second, path).stdout == ""
    assert len(Session.load(path).log) == 4


def test_a_second_process_that_takes_the_file_over_is_told_to_the_first(session: Session, path: Path) -> None:
    told: list[Exception] = []
    session.keep(path, failed=told.append)
    play(session, 2)
    # it saves over the file, and then keeps it as its own
    second = (
        "session = Session.load(sys.argv[1])\nsession.save(sys.argv[1])\nsession.keep(sys.argv[1])\nsession.undo()\n"
    )
    assert python(second, path).returncode == 0
    theirs = path.read_bytes()
    play(session)
    assert "somebody else has written in this file" in str(told[0])
    assert path.read_bytes() == theirs
    assert len(Session.load(path).log) == 3
    session.save(path.with_name("mine.jsonl"))
    assert whole(path.with_name("mine.jsonl"), session)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size can be set here")
def test_a_disk_that_is_full_and_has_room_again(path: Path) -> None:
    script = (
        "import resource\n"
        "told, session, path = [], Session.new(hall(), seed=3), Path(sys.argv[1])\n"
        "heard = []\n"
        "session.on(heard.append)\n"
        "kept = session.keep(path, failed=told.append)\n"
        "play(session, 2)\n"
        "soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)\n"
        # the next line is cut in its middle
        "resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 50, hard))\n"
        "play(session, 3)\n"
        "assert len(told) == 3 and isinstance(told[-1].__cause__, OSError), told\n"
        "assert kept.behind == 3 and '3 entries are not saved' in str(kept.error)\n"
        "assert len(heard) == 5\n"
        "assert len(Session.load(path).log) == 2 and path.read_bytes().endswith(b'\\n')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))\n"
        "play(session)\n"
        "assert kept.behind == 0 and kept.error is None and len(told) == 3\n"
        "assert Session.load(path).log == session.log and len(session.log) == 6\n"
        "session.save(sys.argv[2])\n"
        "assert path.read_bytes() == Path(sys.argv[2]).read_bytes()\n"
    )
    run = python(script, path, path.with_name("elsewhere.jsonl"))
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""


def test_who_names_nobody_reads_it_on_stderr(path: Path) -> None:
    script = (
        "session = Session.new(hall())\n"
        "session.keep(sys.argv[1])\n"
        "Path(sys.argv[1]).write_text('mine now')\n"
        "play(session)\n"
        "print('played on')\n"
    )
    run = python(script, path)
    assert (run.returncode, run.stdout) == (0, "played on\n")
    assert f"{path}: 1 entry is not saved" in run.stderr
    assert "Traceback" not in run.stderr


def test_who_is_told_may_act_at_once(session: Session, path: Path) -> None:
    """A host that changes to another file as soon as it is told keeps every entry."""
    spare = path.with_name("spare.jsonl")

    def change_over(_: Exception) -> None:
        kept()
        session.keep(spare)
        session.execute(do.Roll("", "1D", "saved elsewhere"))

    heard: list[Accepted] = []
    kept = session.keep(path, failed=change_over)
    session.on(heard.append)
    play(session)
    path.write_text("mine now")
    play(session, 2)
    assert whole(spare, session)
    assert [entry.events for entry in session.log] == [accepted.events for accepted in heard]
    assert len(session.log) == 4
    assert path.read_text() == "mine now"


def test_a_game_kept_from_several_threads_is_whole(session: Session, path: Path) -> None:
    session.keep(path)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda n: session.execute(do.Roll("", "1D", str(n))), range(60)))
    assert len(session.log) == 60
    assert whole(path, session)


def test_a_game_that_is_collected_after_its_file_ends_without_a_word(session: Session, path: Path) -> None:
    keeping = session.keep(path)
    play(session)
    # in a circle of garbage the file may be closed first
    assert keeping._file is not None
    keeping._file.close()
    keeping.__del__()
    assert keeping._file is None
    # and the lock is gone with it
    session.keep(path)()
    assert whole(path, session)


@pytest.mark.parametrize("content", [b"schema: 1\nname: mine\n", b'{"kind": "map"}', b"\x89PNG"])
def test_what_is_no_saved_game_is_never_written_over(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_bytes(content)
    session = Session.new(tactical.load("village"))
    for save in (session.save, session.keep):
        with pytest.raises(SaveError, match="no saved game, and is not written over"):
            save(path)
        assert path.read_bytes() == content
    path.write_bytes(b"")
    session.save(path)
    session.save(path)
    assert Session.load(path).position == session.position


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_or_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(OSError, match="this is no file"):
        Session.new(tactical.load("village")).save(path)
    assert path.is_fifo()
