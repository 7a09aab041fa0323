"""Closed, full and broken standard streams, and Ctrl-C at any moment: an exit code and plain words, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

TACTICAL = f"{sys.executable} -m tactical"
REACH = f"{TACTICAL} reach village --mover raven --json"
posix = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)


@posix
@full
@pytest.mark.parametrize("command", [REACH, f"{TACTICAL} schema", f"{TACTICAL} reach village --mover raven"])
def test_a_full_output_is_an_error(command: str) -> None:
    done = shell(f"{command} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "error: standard output: No space left on device\n")


@posix
@pytest.mark.parametrize("command", [REACH, f"{TACTICAL} schema"])
def test_a_closed_output_is_an_error(command: str) -> None:
    done = shell(f"{command} >&-")
    assert (done.returncode, done.stderr) == (2, "error: standard output: it is closed\n")


@posix
@full
def test_an_error_keeps_its_exit_code_where_nothing_can_be_said() -> None:
    for streams in (">&-", ">/dev/full", "2>&-", "2>/dev/full", ">&- 2>&-"):
        assert shell(f"{TACTICAL} reach village --mover rven --json {streams}").returncode == 2, streams


@posix
@pytest.mark.parametrize("command", [REACH, f"{TACTICAL} schema"])
def test_a_reader_that_stops_early_is_no_error(command: str) -> None:
    done = shell(f"{{ {command}; echo $? >&2; }} | head -1 >/dev/null")
    assert done.stderr == "0\n"


def test_ctrl_c_while_the_program_is_loaded() -> None:
    program = """
import sys
from tactical.cli import main

class Impatient:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("click", "tactical.cli.program")):
            raise KeyboardInterrupt

sys.meta_path.insert(0, Impatient())
sys.exit(main(["schema"]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_a_missing_folder_is_named(run: Run, tmp_path: Path) -> None:
    for words in (
        ["render", "village", "-o"],
        ["convert", "village", "-o"],
        ["reach", "village", "--mover", "raven", "--png"],
    ):
        target = tmp_path / "nodir" / "x.svg" if words[0] != "convert" else tmp_path / "nodir" / "x.yaml"
        answer = run(*words, str(target))
        assert answer.status == 2
        assert f"there is no folder {tmp_path / 'nodir'}" in answer.err


@full
def test_a_full_disk_names_the_file(run: Run) -> None:
    answer = run("convert", "village", "-o", "/dev/full", "--to", "native", "--json")
    assert answer.status == 2
    assert answer.json["text"] == "/dev/full: No space left on device"
