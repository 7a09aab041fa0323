"""Long work: it tells what it does where somebody sees it, can be stopped, and leaves no part of a file."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from tactical import files
from tactical.cli import INTERRUPTED, answers
from tests.cli.conftest import Run
from tests.formats._samples import uvtt


class Stopped(KeyboardInterrupt):
    """What Ctrl-C raises."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cave.dd2vtt").write_bytes(uvtt())
    return tmp_path


@pytest.mark.parametrize("command", [("convert", "cave.dd2vtt"), ("render", "cave.dd2vtt"), ("new", "cave.dd2vtt")])
@pytest.mark.parametrize("there", [b"", b"what was there"])
def test_interrupted_while_writing(
    run: Run, here: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], there: bytes
) -> None:
    target = here / ("out.svg" if command[0] == "render" else "out.yaml")
    if there and command[0] != "new":
        target.write_bytes(there)

    def stop(handle: int) -> None:
        raise Stopped

    monkeypatch.setattr(os, "fsync", stop)
    answer = run(*command, "-o", target.name)
    assert answer.status == INTERRUPTED
    left = {one.name for one in here.iterdir()}
    assert left == {"cave.dd2vtt", *([target.name] if there and command[0] != "new" else [])}
    if target.exists():
        assert target.read_bytes() == there


def test_a_full_disk_leaves_no_part_and_names_the_file(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    answer = run("convert", "cave.dd2vtt", "-o", "out.yaml")
    assert (answer.status, "error: out.yaml: No space left on device" in answer.err) == (2, True)
    assert {one.name for one in here.iterdir()} == {"cave.dd2vtt"}


@pytest.mark.skipif(sys.platform == "win32", reason="modes and links are another matter there")
def test_what_is_written_is_a_file_as_any_other(here: Path) -> None:
    (here / "plain").write_bytes(b"")
    answers.write_file("out.yaml", b"x")
    mode = stat.S_IMODE((here / "out.yaml").stat().st_mode)
    assert mode == stat.S_IMODE((here / "plain").stat().st_mode)
    (here / "out.yaml").chmod(0o640)
    (here / "link.yaml").symlink_to("out.yaml")
    answers.write_file("link.yaml", b"y")
    assert (here / "link.yaml").is_symlink()
    assert (here / "out.yaml").read_bytes() == b"y"
    assert stat.S_IMODE((here / "out.yaml").stat().st_mode) == 0o640
    with pytest.raises(OSError, match="there is no folder"):
        answers.write_file("gone/out.yaml", b"")
    files.put(here / "other", [b"a", b"b"])
    assert (here / "other").read_bytes() == b"ab"


def test_a_terminal_is_told_what_goes_on_and_others_are_not(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 0.01)
    with answers.waiting("reading a map"):
        time.sleep(0.2)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with answers.waiting("reading \x07a map"):
        time.sleep(0.2)
    told = capsys.readouterr().err
    assert "a map … 0 s (Ctrl-C stops it)" in told
    assert "\x07" not in told
    assert told.endswith("\r\x1b[2K")
    with pytest.raises(Stopped), answers.waiting("reading"):
        raise Stopped
