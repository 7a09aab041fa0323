"""Reading native maps: from the models of a file to a `Battlemap`, with every fault of meaning at its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path as FilePath
from typing import Any

from tactical.errors import MapError, UnknownName
from tactical.formats import Report, ReportLine, decode, load_with_report
from tactical.formats._native_doubts import doubts
from tactical.formats._native_ground import GroundReader
from tactical.formats._native_rules import RulesCheck
from tactical.formats._native_things import ThingReader
from tactical.formats._positions import Document, Path, plain, read
from tactical.formats._validate import Shaped, validate
from tactical.world.battlemap import Battlemap, Picture

_PART = re.compile(r"(\w+)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """Reads a picture that lies beside a map file, when asked to."""

    file: str
    folder: str = ""

    def __call__(self) -> bytes:
        return (FilePath(self.folder) / self.file).read_bytes()


def load(data: bytes, source: str, options: Mapping[str, Any]) -> tuple[Battlemap, Report]:
    """Read a native file.  Raises `MapError` with all its faults in the order of the file."""
    document = read(decode(data, source), source)
    shaped = validate(document)
    battlemap, report = None, Report()
    if shaped is not None:
        battlemap, report = _Reader(document, shaped, options).read()
    if document.faults or battlemap is None:
        unique = dict.fromkeys(document.faults)
        raise MapError(sorted(unique, key=lambda fault: (fault.file != source, fault.line, fault.column)))
    return battlemap, report


class _Reader:
    """One file on its way to a map."""

    def __init__(self, document: Document, shaped: Shaped, options: Mapping[str, Any]) -> None:
        self.document, self.shaped, self.model, self.given = document, shaped, shaped.model, options
        self.base: Battlemap | None = None
        self.report: list[ReportLine] = []

    def read(self) -> tuple[Battlemap | None, Report]:
        """The map, or None where there is nothing to build one from."""
        model = self.model
        self._read_base()
        base = self.base
        rules = RulesCheck(self.document, self.shaped)
        rules.check(base)
        ground = GroundReader(self.document, self.shaped, base)
        grid, cell, unit = ground.grid(rules)
        if model.base and base is None:
            return None, Report()
        ground.legend()
        ground.floors()
        if not ground.levels:
            return None, Report()
        things = ThingReader(self.document, self.shaped, base, grid, ground.levels)
        battlemap = Battlemap(
            tuple(ground.levels),
            tuple(ground.palette),
            grid,
            cell,
            unit,
            things.barriers(),
            things.links(),
            things.zones(),
            things.movers(),
            model.rules or (base.rules if base else ""),
            {**(base.options if base else {}), **{name: plain(value) for name, value in model.options.items()}},
            model.name or (base.name if base else ""),
            dict(ground.glyphs),
            self._picture() or (base.picture if base else None),
            self.document.source,
        )
        self._meaning(battlemap, things.paths)
        if not self.document.faults:
            self.report.extend(doubts(self.document, battlemap, things.paths))
        self.report.append(ReportLine("read", _counts(battlemap)))
        return battlemap, Report("native", self.document.source, tuple(self.report))

    # -- what it lies over ------------------------------------------------------------------------------------------

    def _beside(self, file: str, path: Path) -> FilePath | None:
        """The place of a file named in the map; only files in the map's folder or below it are read."""
        wanted = FilePath(file)
        if wanted.is_absolute() or ".." in wanted.parts or "\\" in file or ":" in file:
            self.document.fault(f"{file!r} must be a file in the map's own folder, or below it", path)
            return None
        return FilePath(self.document.source).parent / wanted

    def _read_base(self) -> None:
        part = self.model.base
        if part is None:
            if self.given:
                raise UnknownName("import option of native files", next(iter(self.given)), ())
            return
        path: Path = ("base", "file") if self.document.known(("base", "file")) else ("base",)
        file = self._beside(part.file, path)
        if file is None:
            return
        if file.resolve() == FilePath(self.document.source).resolve():
            self.document.fault("a map cannot be its own base", path)
            return
        try:
            self.base, report = load_with_report(file, format=part.format, options={**part.options, **self.given})
        except MapError as error:
            self.document.fault(f"the base {part.file!r} cannot be used", path)
            self.document.faults.extend(error.faults)
        except OSError as error:
            self.document.fault(f"the base {part.file!r} cannot be read: {error.strerror or error}", path)
        except (LookupError, ValueError) as error:
            self.document.fault(f"the base {part.file!r}: {error}", ("base",))
        except RecursionError:
            self.document.fault("bases lead round in a circle", path)
        else:
            self.report.extend(replace(line, text=f"{part.file}: {line.text}") for line in report.lines)

    def _picture(self) -> Picture | None:
        part = self.model.picture
        if part is None:
            return None
        if part.pixels <= 0:
            self.document.fault("a cell must have a positive width in the picture", ("picture", "pixels"))
            return None
        if self._beside(part.file, ("picture", "file")) is None:
            return None
        folder = str(FilePath(self.document.source).parent)
        return Picture(PictureFile(part.file, folder), part.pixels, part.offset, FilePath(part.file).suffix[1:].lower())

    # -- the whole --------------------------------------------------------------------------------------------------

    def _meaning(self, battlemap: Battlemap, paths: Mapping[str, list[Path]]) -> None:
        """Put the map's own faults at their places in the file."""
        for fault in battlemap.faults():
            match = _PART.match(fault.path)
            if match and match[1] in paths:
                path = paths[match[1]][int(match[2])]
                self.document.fault(fault.text, (*path, match[3]) if match[3] else path)
            elif match is None and fault.path:
                self.document.fault(fault.text, tuple(fault.path.split(".")))
            elif not fault.text.startswith(("terrain ", "level ", "two levels")):
                # those three were found, with their place, while reading the ground
                self.document.fault(fault.text)


def _counts(battlemap: Battlemap) -> str:
    counts = {
        "level": len(battlemap.levels), "barrier": len(battlemap.barriers), "link": len(battlemap.links),
        "zone": len(battlemap.zones), "mover": len(battlemap.movers),
    }
    if counts["level"] == 1:
        del counts["level"]
    words = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in counts.items() if n]
    return ", ".join([f"{battlemap.cols} x {battlemap.rows} cells", *words])
