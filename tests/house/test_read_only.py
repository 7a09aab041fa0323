"""An installation that nothing can be written into, for a user without a home: all of it works, compiled code too."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tactical
from tactical.search.kernel import available

VILLAGE = Path(__file__).parents[2] / "maps" / "village.yaml"
COMPILED = """
import tactical
from tactical.search.workspace import _loop
assert tactical.__file__.startswith({folder!r}), tactical.__file__
print([str(_loop("numba", queue)) for queue in ("dial", "heap", "many")])
"""
"""The loops are made ready but not run: compiling them anew takes seconds."""


@pytest.fixture
def installed(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A copy of the package in which no byte code can be kept, and an environment without any folder to write into."""
    folder = tmp_path / "site"
    shutil.copytree(Path(tactical.__file__).parent, folder / "tactical", ignore=shutil.ignore_patterns("__pycache__"))
    for package in (folder / "tactical").rglob("__init__.py"):
        # a file in the place of the folder: not even a superuser writes there
        (package.parent / "__pycache__").write_bytes(b"")
    nowhere = os.devnull + "/nowhere"
    environment = {name: text for name, text in os.environ.items() if not name.startswith(("NUMBA", "XDG", "PYTHON"))}
    more = {"HOME": nowhere, "XDG_CACHE_HOME": nowhere, "LOCALAPPDATA": nowhere, "PYTHONPATH": str(folder)}
    return folder, environment | more


def ask(installed: tuple[Path, dict[str, str]], *words: str) -> str:
    folder, environment = installed
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert not done.returncode, done.stderr
    return done.stdout


def test_the_command_answers_from_a_read_only_installation(installed: tuple[Path, dict[str, str]]) -> None:
    told = ask(installed, "-m", "tactical", "reach", str(VILLAGE), "--mover", "raven")
    assert "raven" in told.lower()


@pytest.mark.skipif(not available(), reason="numba is not installed")
def test_compiled_code_needs_no_folder_to_be_kept_in(installed: tuple[Path, dict[str, str]]) -> None:
    told = ask(installed, "-c", COMPILED.format(folder=str(installed[0])))
    assert told.count("CPUDispatcher") == 3
