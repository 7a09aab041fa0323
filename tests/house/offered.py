"""The files that strangers write, offered to this process as if their packages were installed."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import chdir, contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from tactical import registry
from tactical.cli import main
from tactical.registry import FORMATS, GRIDS, RULESETS, SECTIONS, WAYS, Rack
from tactical.world.grids import _known

STRANGERS: dict[str, tuple[Rack, str]] = {
    "blink": (WAYS, "WAY"),
    "fly": (WAYS, "WAY"),
    "burrow": (WAYS, "WAY"),
    "soar": (WAYS, "WAY"),
    "mire": (WAYS, "WAY"),
    "bricks": (GRIDS, "GRIDS"),
    "delvers": (RULESETS, "RULESET"),
    "levels": (FORMATS, "FORMAT"),
    "watch": (SECTIONS, "SECTION"),
}
"""The exercises, each with its rack and the name of what it offers."""


def write_package(folder: Path, package: str, **points: Iterable[str]) -> None:
    """Make a folder tell of a package, as pip would, with lines such as ``name = module:THING`` for each rack."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [line for rack, said in points.items() for line in (f"[tactical.{rack}]", *said)]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@contextmanager
def offered(name: str) -> Iterator[None]:
    """One exercise in its rack; nothing happens for a name that none has."""
    if name not in STRANGERS:
        yield
        return
    rack, attribute = STRANGERS[name]
    point = EntryPoint(name, f"tests.house.exercises.{name}:{attribute}", rack.group)
    before = rack._plugins()
    rack._found, rack._every = {**before, name: point}, ()
    _known.cache_clear()
    try:
        yield
    finally:
        rack._found, rack._every = before, ()
        rack._loaded.pop(name, None)
        _known.cache_clear()


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """The packages whose metadata lie in a folder, as if they had been installed before this process began."""
    racks = [rack for rack in vars(registry).values() if isinstance(rack, Rack)]
    before = [(rack, rack._found, rack._loaded, rack._broken, rack._every) for rack in racks]
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    for rack in racks:
        rack._found, rack._loaded, rack._broken, rack._every = None, dict(rack._loaded), {}, ()
    _known.cache_clear()
    others = set(sys.modules)
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - others:
            if str(getattr(sys.modules[name], "__file__", None)).startswith(str(folder)):
                del sys.modules[name]
        for rack, *kept in before:
            rack._found, rack._loaded, rack._broken, rack._every = kept
        _known.cache_clear()


def tactical(folder: Path, *words: str, given: str = "") -> CompletedProcess[str]:
    """The command line in a folder whose packages are installed, in this process: its status and what it says."""
    stdin, out, err = (io.TextIOWrapper(io.BytesIO(data), encoding="utf-8") for data in (given.encode(), b"", b""))
    streams = patch.multiple(sys, stdin=stdin, stdout=out, stderr=err)
    with installed(folder), chdir(folder), streams, patch.dict(os.environ, SDL_VIDEODRIVER="dummy"):
        status = main(list(words))
    said = []
    for stream in (out, err):
        stream.seek(0)
        said.append(stream.read())
    assert "Traceback" not in said[1], said[1]
    return CompletedProcess(words, status, *said)
