"""The README is true: its Python runs, its commands run, and the forge runs the very test command it prints."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
from pathlib import Path

import pytest

from tactical.cli import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", README, re.M | re.S)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
COMMANDS = [
    line.removeprefix("$ ")
    for kind, text in BLOCKS
    if kind == "console"
    for line in text.splitlines()
    if line.startswith("$ tactical ")
]


def test_it_starts_with_two_commands_of_one_line() -> None:
    lines = [text.strip() for kind, text in BLOCKS if kind == "sh"]
    assert len(lines) == 2
    assert all("\n" not in line for line in lines)
    assert lines[0].endswith("tactical demo")
    assert "pytest" in lines[1]


@pytest.mark.parametrize("block", PYTHON)
def test_its_python_runs_and_prints_what_it_says(block: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    if "import pygame" in block:
        _at_the_mouse(monkeypatch)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(block, "README.md", "exec"), {})
    promised = re.findall(r"print\(.*\)  # (.*)", block)
    assert promised, "the block shows no result"
    assert out.getvalue().splitlines() == promised


def _at_the_mouse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window without a display, in which somebody points at the cell L10, clicks it and closes the window."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame")
    place = {"pos": (960 * 11.5 / 32, 720 / 2 + 960 / 32 * (9.5 - 11.5))}
    events = [
        pygame.event.Event(pygame.MOUSEMOTION, place),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, {**place, "button": 1}),
        pygame.event.Event(pygame.QUIT),
    ]
    monkeypatch.setattr(pygame.event, "wait", lambda: events.pop(0))


@pytest.mark.parametrize("command", COMMANDS)
def test_its_commands_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if command.split()[1] == "view":
        assert main(["view", "--help"]) == 0
        return
    monkeypatch.chdir(tmp_path)
    os.symlink(ROOT / "maps", tmp_path / "maps")
    if command.split()[1] == "new":
        # somebody's drawing, and a picture of a hall
        assert main(["convert", "dungeon", "-o", "cave.dd2vtt"]) == 0
        pygame = pytest.importorskip("pygame")
        pygame.image.save(pygame.Surface((720, 502)), "hall.png")
        capsys.readouterr()
    status = main(shlex.split(command)[1:])
    said = capsys.readouterr()
    assert status in (0, 1), said.err
    assert "Traceback" not in said.err
    assert said.out


def test_it_shows_commands_and_python() -> None:
    assert PYTHON
    assert len(COMMANDS) >= 5


def test_every_file_it_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_the_forge_runs_the_test_command_of_the_readme() -> None:
    lines = [text.strip() for kind, text in BLOCKS if kind == "sh"]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert lines[1] in script.splitlines()


def test_from_a_drawing_to_a_reach_works_as_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "dungeon", "-o", "cave.dd2vtt"]) == 0
    assert main(["new", "cave.dd2vtt"]) == 0
    made = (tmp_path / "cave.yaml").read_text(encoding="utf-8")
    assert made.count("# - {id: hero") == 1
    (tmp_path / "cave.yaml").write_text(made.replace("# - {id: hero", "- {id: hero"), encoding="utf-8")
    assert main(["check", "cave.yaml"]) == 0
    capsys.readouterr()
    assert main(["reach", "cave.yaml", "--mover", "hero"]) == 0
    assert "Hero at " in capsys.readouterr().out
