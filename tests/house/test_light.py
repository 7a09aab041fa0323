"""What does not need a heavy library does not import one: each command runs in an interpreter of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("networkx", "shapely", "numpy", "pygame", "pydantic", "yaml", "dyce", "numba", "scipy")
PROGRAM = """
import sys
from tactical.cli import main
status = main(sys.argv[2:])
print("\\nLOADED", *[name for name in sys.argv[1].split(",") if name in sys.modules])
sys.exit(status)
"""


def loaded(*args: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    command = [sys.executable, "-c", PROGRAM, ",".join(heavy), *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rsplit("LOADED", 1)[1].split())


@pytest.mark.parametrize("args", ["--help", "reach --help", "rulesets", "formats", "schema", "--version"])
def test_lists_and_help_import_nothing_heavy(args: str) -> None:
    assert loaded(*args.split()) == set()


def test_reach_needs_no_graph_library_compiler_or_window() -> None:
    found = loaded("reach", "village", "--mover", "raven", "--json")
    assert not found & {"networkx", "numba", "pygame", "scipy", "dyce"}
    assert "numpy" in found, "the test looks at the wrong interpreter"


def test_importing_the_package_is_light() -> None:
    command = "import sys, tactical; print(*[name for name in sys.argv[1].split(',') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", command, ",".join(HEAVY)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
