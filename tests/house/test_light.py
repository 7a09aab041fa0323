"""What does not need a heavy library does not import one: each command runs in an interpreter of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

from tactical.cli import main
from tactical.registry import any_plugins

ROOT = Path(__file__).parents[2]
HEAVY = ("networkx", "shapely", "numpy", "pygame", "yaml", "dyce", "numba", "scipy")
DEAR = ("importlib.metadata", "email", "asyncio", "xml.etree.ElementTree", "tactical.world.battlemap")
"""Of Python and of this product: what takes as long to import as a list to print."""
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


@pytest.mark.parametrize("args", ["--help", "reach --help", "schema", "--version"])
def test_help_imports_nothing_dear(args: str) -> None:
    if any_plugins(tuple(sys.path)):
        pytest.skip("a plug-in is installed here")
    assert loaded(*args.split(), heavy=DEAR) == set()


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"tactical {declared}\n"


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_reach_needs_only_numpy_and_yaml(more: list[str]) -> None:
    found = loaded("reach", "village", "--mover", "raven", *more, heavy=(*HEAVY, "numpy.ma", "importlib.metadata"))
    # numpy.ma takes as long to import as the answer to find; `np.unique` brings it, shapely too, and so did numpy 1
    always = {"numpy.ma"} if version("numpy").startswith("1.") else set()
    assert found - {"importlib.metadata"} - always == {"numpy", "yaml"}
    assert "importlib.metadata" not in found or any_plugins(tuple(sys.path))


@pytest.mark.parametrize(("set_to", "expected"), [(None, "1"), ("3", "3")])
def test_no_threads_are_started_for_linear_algebra_unless_they_are_wished_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], set_to: str | None, expected: str
) -> None:
    # set for good first, so that it is as before once the test is over
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", set_to or "")
    if set_to is None:
        monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("tactical ")
    assert os.environ["OPENBLAS_NUM_THREADS"] == expected


def test_importing_the_package_is_light() -> None:
    command = "import sys, tactical; print(*[name for name in sys.argv[1].split(',') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", command, ",".join(HEAVY)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


COMMAND_FILES = tuple(f"tactical.cli.commands.{name}" for name in ("check", "lists", "odds", "reach", "view"))


def test_a_command_imports_no_other_command() -> None:
    assert loaded("check", "village", heavy=COMMAND_FILES) == {"tactical.cli.commands.check"}
    assert loaded("--help", heavy=COMMAND_FILES) == set(COMMAND_FILES)


def test_installed_packages_are_searched_only_where_one_offers_something() -> None:
    if any_plugins(tuple(sys.path)):
        pytest.skip("a plug-in is installed here")
    assert loaded("formats", heavy=("importlib.metadata", "json")) == {"json"}


@pytest.mark.parametrize(
    ("place", "content", "expected"),
    [
        ("other-1.dist-info/entry_points.txt", "[console_scripts]\ntactical = tactical.cli:main\n", False),
        ("hops-1.dist-info/entry_points.txt", "[tactical.rulesets]\nhops = hops:RULESET\n", True),
        ("hops.egg-info/entry_points.txt", "[tactical.formats]\nhops = hops:FORMAT\n", True),
        ("hops.egg/EGG-INFO/entry_points.txt", "", True),
        ("hops/entry_points.txt", "[tactical.rulesets]\n", False),
    ],
)
def test_a_package_that_may_offer_something_is_seen(tmp_path: Path, place: str, content: str, expected: bool) -> None:
    file = tmp_path / place
    file.parent.mkdir(parents=True)
    file.write_text(content, encoding="utf-8")
    assert any_plugins((str(tmp_path / "missing"), str(tmp_path))) is expected


def test_a_path_that_is_no_folder_may_hold_packages(tmp_path: Path) -> None:
    (tmp_path / "some.zip").write_bytes(b"PK")
    assert any_plugins((str(tmp_path / "some.zip"),))
