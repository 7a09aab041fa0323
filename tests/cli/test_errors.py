"""Wrong use: exit code 2, one plain sentence, the nearest known word, and JSON where it was asked for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from tests.cli.conftest import Run

REACH = ["reach", "village", "--mover", "raven"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rech"], "did you mean 'reach'?"),
        (["reach"], "MAP"),
        (["reach", "vilage", "--mover", "raven"], "did you mean 'village'?"),
        (["reach", "village"], "raven, magpie"),
        (["reach", "village", "--mover", "rven"], "did you mean 'raven'?"),
        ([*REACH, "--option", "diagnal=equal"], "did you mean 'diagonal'?"),
        ([*REACH, "--option", "diagonal=euclidd"], "did you mean 'euclid'?"),
        ([*REACH, "--option", "diagonal"], "name=value"),
        ([*REACH, "--stat", "agil=true"], "did you mean 'agile'?"),
        ([*REACH, "--stat", "agile=perhaps"], "true or false"),
        ([*REACH, "--door", "in=open"], "did you mean 'inn'?"),
        ([*REACH, "--door", "inn=opn"], "did you mean 'open'?"),
        ([*REACH, "--at", "Z99"], "A1 to AF23"),
        ([*REACH, "--at", "the inn"], "write C4"),
        ([*REACH, "--posture", "crouchd"], "did you mean 'crouched'?"),
        ([*REACH, "--spent", "some"], "not a number"),
        ([*REACH, "--spent", "-5"], "spent must be 0 or more"),
        ([*REACH, "--spent", "1000"], "1000 ft spent, but a turn has at most 60"),
        ([*REACH, "--turns", "0"], "1<=x<=1000"),
        ([*REACH, "--turns", "100000"], "1<=x<=1000"),
        ([*REACH, "--level", "cellar"], "no level 'cellar'"),
        ([*REACH, "--rules", "d6-reup"], "Raven's stats are written for operator: use --stat, or --at CELL"),
        (["reach", "", "--at", "A1"], "MAP is empty"),
        ([*REACH, "--rules", "operatr"], "did you mean 'operator'?"),
        ([*REACH, "--from", "nativ"], "did you mean 'native'?"),
        ([*REACH, "--png", "out.bmp"], ".png, .svg"),
        (["path", "village", "--mover", "raven"], "--to"),
        (["path", "village", "--mover", "raven", "--to", "H10", "--arrive", "kneling"], "standing, crouched, prone"),
        (["render", "village"], "-o"),
        (["render", "village", "-o", "-", "--level", "cellar"], "no level 'cellar'"),
        (["render", "village", "-o", "-", "--to", "A1"], "--mover"),
        (["convert", "village", "-o", "village.xyz"], "--to FORMAT"),
        (["rulesets", "operatr"], "did you mean 'operator'?"),
    ],
)
def test_wrong_use_is_answered_in_words(run: Run, words: list[str], said: str) -> None:
    plain = run(*words)
    assert plain.status == 2
    assert plain.out == ""
    assert said in plain.err
    assert len(plain.err.splitlines()) <= 3


def test_errors_are_json_where_json_was_asked_for(run: Run) -> None:
    answer = run("reach", "village", "--mover", "rven", "--json")
    assert answer.status == 2
    assert answer.json["kind"] == "error"
    assert answer.json["code"] == "name"
    assert answer.json["exit"] == 2
    assert "raven" in answer.json["text"]
    assert "raven" in answer.err


def test_a_faulty_map_is_an_error_with_all_its_faults(run: Run, tmp_path: object) -> None:
    path = f"{tmp_path}/bad.yaml"
    with open(path, "w", encoding="utf-8") as out:
        out.write("schema: 1\nrows: |\n  ...\n  ..\n  ...\nmovers:\n  - {id: a, at: A1, spede: 3}\n")
    answer = run("reach", path, "--mover", "a", "--json")
    assert answer.status == 2
    assert answer.json["code"] == "map"
    assert {fault["line"] for fault in answer.json["faults"]} == {4, 7}


def test_an_unreadable_file_is_wrong_use(run: Run, tmp_path: object) -> None:
    answer = run("check", str(tmp_path))
    assert answer.status == 2
    assert "folder" in answer.err


def test_colour_is_for_terminals_that_want_it() -> None:
    command = [sys.executable, "-m", "tactical", "reach", "nowhere", "--mover", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    assert done.returncode == 2
    assert "\x1b" not in done.stderr


def test_ctrl_c_exits_with_130(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("tactical.cli.inputs.find_map", interrupt)
    # whoever starts the tests in the background has the signal ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer = run("reach", "village", "--mover", "raven")
    finally:
        signal.signal(signal.SIGINT, before)
    assert answer.status == 130
    assert "interrupted" in answer.err


def test_a_reader_that_stops_early_is_no_error() -> None:
    program = "import sys; from tactical.cli import main; sys.exit(main(['schema']))"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        told = process.stderr.read()
        process.wait()
    assert process.returncode == 0
    assert b"Traceback" not in told
