"""Racks: rooms where a file may be added and nothing else needs to change.

A rack is a package whose modules each offer one object under a fixed name, plus whatever other installed packages
offer under the rack's entry-point group.  Names are known without importing anything, so ``tactical --help`` stays
light; a module is imported when its object is asked for.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING, Any, TypeVar

from tactical.errors import PluginError, UnknownName
from tactical.guard import said

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from pkgutil import ModuleInfo

T = TypeVar("T")

__version__ = "0.1.0"
"""The version of this product, as everything that it writes says it."""
MANY = "…"
"""Ends the name of a class of which a rack wants a tuple."""


@dataclass(slots=True)
class Rack:
    """One rack: `package` holds the modules, `attribute` is what each must offer, `group` the entry-point group.

    `wants` says of which class that must be, as ``module:Class`` (looked up when something is loaded); where it ends in
    ``…`` a tuple of such objects.

    Iterating gives every name with its object.  A plug-in that cannot be loaded, or offers something else, is left out
    with a `RuntimeWarning`, so that one broken package does not stop every question.
    """

    kind: str
    package: str
    attribute: str
    group: str
    wants: str = ""
    _loaded: dict[str, Any] = field(default_factory=dict)
    _found: dict[str, EntryPoint] | None = None
    _files: dict[str, str] | None = None
    _broken: dict[str, PluginError] = field(default_factory=dict)
    _every: tuple[tuple[str, Any], ...] = ()
    _made: dict[str, tuple[object, Any]] = field(default_factory=dict)

    def _modules(self) -> dict[str, str]:
        # the files of a package do not change under a running program, and every question asks for some
        if self._files is None:
            self._files = self._looked_up()
        return self._files

    def _looked_up(self) -> dict[str, str]:
        import pkgutil

        out: dict[str, str] = {}
        for module in pkgutil.iter_modules(importlib.import_module(self.package).__path__):
            if not module.name.startswith("_"):
                # a folder is one entry, or holds several: the files that begin with its name
                several = self._inside(module) if module.ispkg else []
                for name in several or [module.name]:
                    inner = f"{module.name}.{name}" if several else name
                    out[name.replace("_", "-")] = f"{self.package}.{inner}"
        return out

    @staticmethod
    def _inside(module: ModuleInfo) -> list[str]:
        folder = os.path.join(getattr(module.module_finder, "path", ""), module.name)
        import pkgutil

        return [found.name for found in pkgutil.iter_modules([folder]) if found.name.startswith(f"{module.name}_")]

    def _plugins(self) -> dict[str, EntryPoint]:
        # what is installed does not change under a running program, and looking takes a millisecond
        if self._found is None:
            self._found = {}
            if any_plugins(tuple(sys.path)):
                from importlib.metadata import entry_points

                own = self._modules()
                for point in entry_points(group=self.group):
                    if point.name in own:
                        self._warn(f"{self._called(point)} is not used: tactical has its own {point.name!r}")
                    elif (first := self._found.setdefault(point.name, point)).value != point.value:
                        # which of the two is meant nobody knows, so that neither is taken
                        both = f"{self._called(first)} and {self._called(point)}"
                        self._broken[point.name] = PluginError(f"{both} have one name: uninstall one of them")
                        self._warn(f"left out: {self._broken[point.name]}")
        return self._found

    def _called(self, point: EntryPoint) -> str:
        package = f" of {point.dist.name}" if point.dist is not None else ""
        return f"the {self.kind} {point.name!r} (entry point {self.group}: {point.name} = {point.value}{package})"

    def _warn(self, text: str) -> None:
        warnings.warn(text, RuntimeWarning, stacklevel=3)

    def names(self) -> tuple[str, ...]:
        """All known names, sorted; imports none of them."""
        return tuple(sorted({*self._modules(), *self._plugins()}))

    def has(self, name: str) -> bool:
        """Whether a file of this rack, or of an installed package, has that name."""
        return name in self._modules() or name in self._plugins()

    def ships(self, name: str) -> bool:
        """Whether a file of this rack has that name, and not another package's plug-in."""
        return name in self._modules()

    def version(self, name: str) -> str:
        """The version of what has that name: of this product for its own, of the package that offers it for others."""
        if self.ships(name) or name not in self._plugins():
            return __version__
        package = self._plugins()[name].dist
        return "" if package is None else package.version

    def get(self, name: str) -> Any:
        """The object of that name.

        Raises `UnknownName`, or `PluginError` for a file or entry point that cannot be loaded or is not what its rack
        asks for.
        """
        if name in self._loaded:
            return self._loaded[name]
        modules = self._modules()
        # what is installed is searched only for a name that no file has
        plugins = {} if name in modules else self._plugins()
        if name not in modules and name not in plugins:
            raise UnknownName(self.kind, name, {*modules, *plugins})
        if name not in self._broken:
            try:
                self._loaded[name] = self._file(modules[name]) if name in modules else self._plugin(plugins[name])
                return self._loaded[name]
            except PluginError as error:
                self._broken[name] = error
        # a broken one stays broken: it is not tried again at every question
        raise self._broken[name]

    def _file(self, path: str) -> Any:
        try:
            module = importlib.import_module(path)
        except Exception as error:
            raise PluginError(f"the {self.kind} file {path} cannot be loaded: {said(error)}") from error
        if not hasattr(module, self.attribute):
            raise PluginError(f"{module.__file__}: a {self.kind} file must define {self.attribute}")
        found = getattr(module, self.attribute)
        wrong = self._wrong(found)
        if wrong:
            raise PluginError(f"{module.__file__}: {self.attribute} is {wrong}")
        return found

    def _plugin(self, point: EntryPoint) -> Any:
        try:
            found = point.load()
        except Exception as error:
            raise PluginError(f"{self._called(point)} cannot be loaded: {said(error)}") from error
        wrong = self._wrong(found)
        if wrong:
            raise PluginError(f"{self._called(point)} is {wrong}")
        name = getattr(found, "name", point.name)
        whose = "" if name == point.name else self._whose(name, found)
        if whose:
            raise PluginError(f"{self._called(point)} is called {name!r}, as {whose} is")
        return found

    def _whose(self, name: str, found: object) -> str:
        """What else is called `name`, in words."""
        if name in self._modules():
            return f"the {self.kind} of tactical itself"
        others = {getattr(other, "name", ""): one for one, other in self._loaded.items() if other is not found}
        point = self._plugins().get(name) or self._plugins().get(others.get(name, ""))
        return "" if point is None else self._called(point)

    def _wrong(self, found: object) -> str:
        """What an object is and should be, in words; empty if it is what the rack asks for."""
        if not self.wants:
            return ""
        wanted = named(self.wants.removesuffix(MANY))
        several = self.wants.endswith(MANY)
        parts = found if several and isinstance(found, tuple) else (found,)
        if isinstance(found, tuple) == several and all(isinstance(part, wanted) for part in parts):
            return ""
        is_ = f"the class {found.__name__}" if isinstance(found, type) else f"a {type(found).__name__}"
        if several and isinstance(found, tuple):
            other = next(part for part in found if not isinstance(part, wanted))
            lacking = ", ".join(name for name in _asked(wanted) if not hasattr(other, name))
            is_ += f" with a {type(other).__name__}" + (f" that has no {lacking}" if lacking else "")
        return f"{is_}, not {'a tuple of ' if several else 'a '}{wanted.__name__}{' objects' if several else ''}"

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        return iter(self._every) if self._every else self._each()

    def _each(self) -> Iterator[tuple[str, Any]]:
        files, every = self._modules(), []
        for name in sorted({*files, *self._plugins()}):
            known = name in self._broken
            try:
                found = self.get(name)
            except PluginError as error:
                if name in files:
                    raise
                if not known:
                    self._warn(f"left out: {error}")
                continue
            every.append((name, found))
            yield name, found
        if not self._broken:
            # what is installed does not change under a running program, and every question asks for all ways
            self._every = tuple(every)

    def together(self, name: str, make: Callable[[tuple[Any, ...]], T]) -> T:
        """What `make` makes of all objects, made once for a `name`: every question asks for some of it."""
        known: tuple[object, T] | None = self._made.get(name)
        if known is not None and known[0] is self._every:
            return known[1]
        made = make(tuple([found for _, found in self]))
        if self._every:
            self._made[name] = self._every, made
        return made


def _asked(wanted: type) -> list[str]:
    """What a protocol asks for; nothing of a class."""
    names = (*wanted.__annotations__, *vars(wanted)) if getattr(wanted, "_is_protocol", False) else ()
    return [name for name in dict.fromkeys(names) if not name.startswith("_")]


def named(where: str) -> Any:
    """What stands at ``module:NAME``; the module is imported now."""
    module, _, name = where.partition(":")
    return getattr(importlib.import_module(module), name)


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


RULESETS = Rack(
    "rule system", "tactical.rules.systems", "RULESET", "tactical.rulesets", "tactical.rules.ruleset:Ruleset"
)
FORMATS = Rack("map format", "tactical.formats", "FORMAT", "tactical.formats", "tactical.formats:Format")
GRIDS = Rack("grid", "tactical.world.grids", "GRIDS", "tactical.grids", f"tactical.world.grids:Grid{MANY}")
WAYS = Rack("way of moving", "tactical.movement.ways", "WAY", "tactical.ways", "tactical.movement.ways:Way")
SECTIONS = Rack("panel section", "tactical.show.panel", "SECTION", "tactical.sections", "tactical.show.panel:Section")
DRAWERS = Rack("drawer", "tactical.show.drawers", "DRAWER", "tactical.drawers", "tactical.show.drawers:Drawer")
SAVES = "tactical.wire.form:FORM"
"""The form that games are saved in: they stand below it in the house, so they ask for it by name."""
