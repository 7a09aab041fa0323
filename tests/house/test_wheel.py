"""An installed tactical needs no checkout: the wheel carries maps and assets, and the code finds them there."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


def test_it_carries_every_map_and_asset(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    for room in ("maps", "assets"):
        wanted = [path for path in (ROOT / room).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert wanted
        assert [p for p in wanted if f"tactical/_data/{p.relative_to(ROOT).as_posix()}" not in inside] == []


def test_it_carries_no_tests_and_the_type_marker(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    assert "tactical/py.typed" in inside
    assert [name for name in inside if name.startswith("tests/")] == []


def test_it_runs_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import tactical.assets as a; from tactical.cli import main;"
        "assert str(a.maps()).startswith(sys.argv[1]), a.maps();"
        "sys.exit(main(['reach', 'village', '--mover', 'raven']))"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Raven" in done.stdout
