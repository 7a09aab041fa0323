"""Checking what a native map says to a rule system: names, options and stats, each fault at its place in the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

from tactical.errors import RulesetError, UnknownName, hinted, meant
from tactical.formats._positions import Document, Path
from tactical.formats.native.models import Shaped
from tactical.options import ENGINE, Option
from tactical.registry import RULESETS
from tactical.world.battlemap import Battlemap


class RulesCheck:
    """The rule systems a map names.  `unit` and `cell` are those of the map's own system, if it names one."""

    def __init__(self, document: Document, shaped: Shaped) -> None:
        self.document, self.shaped = document, shaped
        self.systems: dict[str, Any] = {}
        self.unit = ""
        self.cell = Fraction(1)
        self._stats: dict[str, RulesetError | None] = {}

    def check(self, base: Battlemap | None) -> None:
        """Note everything wrong in `rules`, `options` and the movers' `rules` and `stats`."""
        model = self.shaped.model
        own = model.rules or (base.rules if base else "")
        if own:
            system = self._system(own, ("rules",))
            if system is not None:
                self.unit, self.cell = system.unit, system.cell
        # a mover of the base that is changed keeps the rules it had
        theirs = {mover.id: mover.rules for mover in base.movers} if base else {}
        follows = [mover.rules or theirs.get(mover.id) or own for mover in model.movers]
        used = {own, *follows}
        for n, (mover, name) in enumerate(zip(model.movers, follows, strict=True)):
            path = self.shaped.origin("movers", n)
            system = self._system(name, (*path, "rules")) if name else None
            if system is not None and mover.stats:
                self._check_stats(system, mover.stats, (*path, "stats"))
        self._check_options(model.options, used - {""})

    def _system(self, name: str, path: Path) -> Any:
        if name in self.systems:
            return self.systems[name]
        try:
            found: Any = RULESETS.get(name)
        except UnknownName as error:
            found = None
            hint = hinted(error.nearest, "")
            self.document.fault(f"unknown rule system {name!r} (known: {', '.join(error.known)})", path, hint=hint)
        self.systems[name] = found
        return found

    def _check_options(self, given: Mapping[str, object], used: set[str]) -> None:
        known: dict[str, Option] = {option.name: option for option in ENGINE}
        if any(self.systems.get(name) is None for name in used):
            used = set()
        systems = [RULESETS.get(name) for name in used]
        if not used and set(given) - set(known):
            # a map that names no system may still carry options for those it will be played with
            systems = [system for _, system in RULESETS]
        for system in systems:
            known.update({option.name: option for option in system.options})
        for name, value in given.items():
            path = ("options", name)
            if name not in known:
                hint = meant(name, known, before="")
                self.document.fault(f"unknown option {name!r}", path, key=True, hint=hint)
                continue
            try:
                known[name].parse(value)
            except RulesetError as error:
                self.document.fault(str(error), path)

    def _check_stats(self, system: Any, given: Mapping[str, object], path: Path) -> None:
        whole = self._read(system, given)
        if whole is None:
            return
        before, bare = len(self.document.faults), str(self._read(system, {}))
        for name, value in given.items():
            # the system names its first fault only, so each stat is asked about alone
            error = self._read(system, {name: value})
            text = str(error)
            if error is None or "missing stat" in text or text == bare:
                continue
            if "unknown stat" in text:
                hint = (
                    meant(name, known := [field.name for field in fields(system.stats)], before="")
                    or f"(known: {', '.join(known)})"
                )
                self.document.fault(f"{system.name} knows no stat {name!r}", (*path, name), key=True, hint=hint)
            elif f"stat {name}" in text or "stat" not in text:
                self.document.fault(text, (*path, name))
        if len(self.document.faults) == before:
            self.document.fault(str(whole), path)

    def _read(self, system: Any, given: Mapping[str, object]) -> RulesetError | None:
        # hundreds of movers share a few sets of stats
        key = f"{system.name} {sorted(given.items(), key=lambda item: item[0])!r}"
        if key not in self._stats:
            self._stats[key] = None
            try:
                system.read_stats(given)
            except RulesetError as error:
                self._stats[key] = error
        return self._stats[key]
