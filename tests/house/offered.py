"""The files that strangers write, offered to this process as if their packages were installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint

from tactical.registry import FORMATS, GRIDS, RULESETS, SECTIONS, WAYS, Rack
from tactical.world.grids import _known

STRANGERS: dict[str, tuple[Rack, str]] = {
    "blink": (WAYS, "WAY"),
    "fly": (WAYS, "WAY"),
    "bricks": (GRIDS, "GRIDS"),
    "delvers": (RULESETS, "RULESET"),
    "levels": (FORMATS, "FORMAT"),
    "watch": (SECTIONS, "SECTION"),
}
"""The exercises, each with its rack and the name of what it offers."""


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
