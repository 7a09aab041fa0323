"""Racks: rooms where a file may be added and nothing else needs to change.

A rack is a package whose modules each offer one object under a fixed name, plus whatever other installed packages
offer under the rack's entry-point group.  Names are known without importing anything, so ``tactical --help`` stays
light; a module is imported when its object is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any

from tactical.errors import PluginError, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(slots=True)
class Rack:
    """One rack: `package` holds the modules, `attribute` is what each must offer, `group` the entry-point group."""

    kind: str
    package: str
    attribute: str
    group: str
    _loaded: dict[str, Any] = field(default_factory=dict)
    _found: dict[str, EntryPoint] | None = None

    def _modules(self) -> dict[str, str]:
        import pkgutil

        path = importlib.import_module(self.package).__path__
        return {
            module.name.replace("_", "-"): f"{self.package}.{module.name}"
            for module in pkgutil.iter_modules(path)
            if not module.name.startswith("_")
        }

    def _plugins(self) -> dict[str, EntryPoint]:
        # what is installed does not change under a running program, and looking takes a millisecond
        if self._found is None:
            self._found = {}
            if any_plugins(tuple(sys.path)):
                from importlib.metadata import entry_points

                self._found = {point.name: point for point in entry_points(group=self.group)}
        return self._found

    def names(self) -> tuple[str, ...]:
        """All known names, sorted; imports none of them."""
        return tuple(sorted({*self._modules(), *self._plugins()}))

    def has(self, name: str) -> bool:
        """Whether a file of this rack, or of an installed package, has that name."""
        return name in self._modules() or name in self._plugins()

    def get(self, name: str) -> Any:
        """The object of that name.

        Raises `UnknownName`, or `PluginError` for a module that is not what its rack asks for.
        """
        if name in self._loaded:
            return self._loaded[name]
        modules = self._modules()
        if name in modules:
            module = importlib.import_module(modules[name])
            if not hasattr(module, self.attribute):
                raise PluginError(f"{module.__file__}: a {self.kind} file must define {self.attribute}")
            found = getattr(module, self.attribute)
        else:
            plugins = self._plugins()
            if name not in plugins:
                raise UnknownName(self.kind, name, {*modules, *plugins})
            try:
                found = plugins[name].load()
            except Exception as error:
                raise PluginError(f"{self.kind} {name!r} ({plugins[name].value}) cannot be loaded: {error}") from error
        self._loaded[name] = found
        return found

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return ((name, self.get(name)) for name in self.names())


@cache
def any_plugins(path: tuple[str, ...]) -> bool:
    """Whether a package installed along `path` may offer something to a rack.

    Usually none does, and finding that out by `importlib.metadata` alone costs more than a whole small query.  Where
    packages are kept otherwise than in folders the answer is yes, so that the full search decides.
    """
    if any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder):
        return True
    for folder in path:
        try:
            names = os.listdir(folder or ".")
        except NotADirectoryError:
            return True
        except OSError:
            continue
        for name in names:
            if name.lower().endswith(".egg"):
                return True
            if name.lower().endswith(("dist-info", "egg-info")):
                try:
                    with open(os.path.join(folder, name, "entry_points.txt"), "rb") as file:
                        if b"[tactical." in file.read():
                            return True
                except OSError:
                    continue
    return False


RULESETS = Rack("rule system", "tactical.rules.systems", "RULESET", "tactical.rulesets")
FORMATS = Rack("map format", "tactical.formats", "FORMAT", "tactical.formats")
GRIDS = Rack("grid", "tactical.world.grids", "GRIDS", "tactical.grids")
WAYS = Rack("way of moving", "tactical.movement.ways", "WAY", "tactical.ways")
DRAWERS = Rack("drawer", "tactical.show.drawers", "DRAWER", "tactical.drawers")
