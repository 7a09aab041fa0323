"""The import contracts leave out no entry, no room and no exception, and each has been seen to break."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.house.mutations import mutations

ROOT = Path(__file__).parents[2]
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
    "importlinter"
]["contracts"]
RACKS = (
    *("movement/ways", "rules/systems", "world/grids", "formats", "show/drawers", "show/panel", "cli/commands"),
    "hosts",
)
BESIDE = {"bounds", "desk", "fields", "given", "mistakes", "overlay", "questions", "running"}
"""The engine beside the hosts, which stands in the same folder."""


def entries(folder: str) -> set[str]:
    """The modules of a rack, as Python names them."""
    found = {
        path.stem
        for path in (ROOT / "tactical" / folder).iterdir()
        if not path.name.startswith("_") and (path.suffix == ".py" or (path / "__init__.py").exists())
    }
    return {f"tactical.{folder.replace('/', '.')}.{name}" for name in found - (BESIDE if folder == "hosts" else set())}


@pytest.mark.parametrize("folder", RACKS)
def test_every_entry_of_a_rack_is_held_apart_from_the_others(folder: str) -> None:
    package = f"tactical.{folder.replace('/', '.')}"
    stated: set[str] = set()
    for contract in CONTRACTS:
        if contract["type"] == "independence":
            for module in contract["modules"]:
                stated |= entries(folder) if module == f"{package}.*" else {module}
    assert len(entries(folder)) > 1
    assert entries(folder) <= stated


def test_no_contract_has_exceptions() -> None:
    assert [one["name"] for one in CONTRACTS if {"ignore_imports", "skip_descendants", "depth"} & one.keys()] == []


def test_whoever_does_not_draw_with_pygame_may_not_import_it() -> None:
    (held,) = [tuple(one["source_modules"]) for one in CONTRACTS if one.get("forbidden_modules") == ["pygame"]]
    loose = set()
    for path in (ROOT / "tactical").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if not any(name == room or name.startswith(f"{room}.") for room in held):
            loose.add(name)
    allowed = ("tactical.viewer", "tactical.show.drawers.raster", "tactical.hosts.pygame_table")
    rest = {name for name in loose if not name.startswith(allowed)}
    # what stands below every room is light: so says tests/house/test_light.py; a package is its parts
    below = {name for name in rest if name.count(".") < 2}
    assert rest - below == {"tactical.show.drawers"}
    for name in rest:
        file = ROOT / name.replace(".", "/")
        text = (file / "__init__.py" if file.is_dir() else file.with_suffix(".py")).read_text(encoding="utf-8")
        named = [node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.Import, ast.ImportFrom))]
        assert "pygame" not in {alias.name for node in named for alias in node.names}, name


def test_every_contract_has_been_seen_to_break() -> None:
    # the run of mutations plants one offence against each
    planted = {one.says for one in mutations() if "-k imports" in " ".join(one.tests)}
    assert {one["name"] for one in CONTRACTS} == {says.partition(": ")[0] for says in planted}
