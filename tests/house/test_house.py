"""The house rules that tools can check: style, types, and which room may import which."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(sys.executable).parent
TOP_LEVEL = {"pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE", "tactical", "maps", "assets", "tests"}
LONGEST = 400
ENTRIES = {"tactical/cli/commands", "tactical/formats", "tactical/show/panel"}
FORBIDDEN_NAMES = {"utils.py", "helpers.py", "base.py", "util.py", "common.py"}


def run(*command: str) -> None:
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


def test_the_code_is_tidy() -> None:
    run(sys.executable, "-m", "ruff", "check", "tactical", "tests")
    run(sys.executable, "-m", "ruff", "format", "--check", "tactical", "tests")


@pytest.mark.skipif(version("numpy") < "2", reason="numpy says its types in full from 2 on")
def test_the_types_fit() -> None:
    run(sys.executable, "-m", "mypy")
    # as the author of a plug-in sees them
    run(sys.executable, "-m", "mypy", "tests/house/test_typed_plugins.py")


def test_imports_go_down_only() -> None:
    run(str(SCRIPTS / "lint-imports"), "--no-cache")


def committed() -> list[str]:
    """The files of the repository; of the folder where there is no git (an unpacked archive)."""
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout:
        return [name for name in done.stdout.splitlines() if (ROOT / name).exists()]
    return [str(path.relative_to(ROOT)) for name in TOP_LEVEL for path in [ROOT / name, *(ROOT / name).rglob("*")]]


def test_the_top_level_holds_what_it_should() -> None:
    names = {name.split("/")[0] for name in committed()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_no_file_is_too_long_to_read() -> None:
    lengths = {
        name: len((ROOT / name).read_text(encoding="utf-8").splitlines())
        for name in committed()
        if name.startswith("tactical/") and name.endswith(".py")
    }
    assert lengths, "no code found"
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


def test_a_room_has_no_more_files_than_one_can_look_over() -> None:
    loose: dict[str, int] = {}
    for name in committed():
        if name.startswith("tactical/") and name.endswith(".py") and not name.endswith("__init__.py"):
            room = name.rpartition("/")[0]
            loose[room] = loose.get(room, 0) + 1
    # a rack is as long as it has entries
    assert {room: count for room, count in loose.items() if count > 12 and room not in ENTRIES} == {}


def test_no_file_is_called_after_nothing() -> None:
    assert [name for name in committed() if name.startswith("tactical/") and Path(name).name in FORBIDDEN_NAMES] == []


@pytest.mark.parametrize("word", ["/work/", "/tmp/", "/root/"])
def test_no_file_names_a_folder_of_one_machine(word: str) -> None:
    texts = [name for name in committed() if name.endswith((".py", ".md", ".yaml", ".toml", ".json", "run"))]
    own = str(Path(__file__).relative_to(ROOT))
    texts.remove(own)
    assert [name for name in texts if word in (ROOT / name).read_text(encoding="utf-8", errors="replace")] == []


def test_no_property_has_a_deadline_of_its_own() -> None:
    # one profile for the whole suite, in tests/conftest.py
    assert settings().deadline is None
    stated = "deadline" + "="
    own = [file.name for file in (ROOT / "tests").rglob("*.py") if stated in file.read_text(encoding="utf-8")]
    assert own == ["conftest.py"]
