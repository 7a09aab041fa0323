"""Reading native maps: from the models of a file to a `Battlemap`, with every fault of meaning at its place."""

from __future__ import annotations

import errno
import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path as FilePath
from typing import Any

from tactical import files
from tactical.errors import MapError, UnknownName
from tactical.formats import LIMIT, Report, ReportLine, decode, load_with_report
from tactical.formats._positions import Document, Path, dotted, plain, read
from tactical.formats.native.doubts import doubts
from tactical.formats.native.ground import GroundReader
from tactical.formats.native.models import Shaped, validate
from tactical.formats.native.rules import RulesCheck
from tactical.formats.native.things import ThingReader
from tactical.world.battlemap import Battlemap, Picture
from tactical.world.pictures import kind_of

MOST_BASES = 8
"""How many files may lie one over the other."""
_open: ContextVar[tuple[FilePath, ...]] = ContextVar("files being read, each the base of the one before", default=())

_PART = re.compile(r"(\w+)\[(\d+)\](?:\.(\w+))?")


@dataclass(frozen=True, slots=True)
class PictureFile:
    """Reads a picture that lies beside a map file, when asked to; `line` is where the map file names it.

    Raises `OSError` for one that is not there, and for a file that is no picture or not in the map's folder.
    """

    file: str
    folder: str = ""
    line: int = field(default=0, compare=False)

    @property
    def path(self) -> FilePath:
        """Where the picture is."""
        return FilePath(self.folder) / self.file

    def __call__(self) -> bytes:
        if not inside(FilePath(self.folder), self.path):
            raise OSError(errno.EACCES, "it leads out of the map's folder", str(self.path))
        data = files.read(self.path, LIMIT)
        if not kind_of(data):
            raise OSError(errno.EINVAL, "it is no picture that can be drawn", str(self.path))
        return data


def inside(folder: FilePath, path: FilePath) -> bool:
    """Whether a path is in a folder or below it, links followed."""
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        # a link that leads to itself
        return False


def load(
    data: bytes, source: str, options: Mapping[str, Any], base: Battlemap | None = None
) -> tuple[Battlemap, Report]:
    """Read a native file, laid over `base` where one is given.  Raises `MapError` with all faults in file order."""
    document = read(decode(data, source), source)
    shaped = validate(document)
    battlemap, report = None, Report()
    if shaped is not None:
        before = _open.set((*_open.get(), FilePath(source)))
        try:
            with document.placing(()):
                battlemap, report = _Reader(document, shaped, options, base).read()
        finally:
            _open.reset(before)
    if document.faults or battlemap is None:
        unique = dict.fromkeys(document.faults)
        raise MapError(sorted(unique, key=lambda fault: (fault.file != source, fault.line, fault.column)))
    return battlemap, report


@dataclass(frozen=True, slots=True)
class Placed:
    """What a native file gives, and where in it: the document, its map, the map it lies over, the path of each thing
    of the map by kind, and of each entry that changes things of the base, by kind and their place there.
    """

    document: Document
    battlemap: Battlemap
    base: Battlemap | None
    paths: Mapping[str, list[Path]]
    said: Mapping[str, Mapping[int, list[Path]]]


def placed(data: bytes, source: str) -> Placed:
    """Read a native file for changing it.  Raises `MapError` for one with faults."""
    document = read(decode(data, source), source)
    shaped = validate(document)
    if shaped is not None:
        before = _open.set((*_open.get(), FilePath(source)))
        try:
            with document.placing(()):
                reader = _Reader(document, shaped, {}, None)
                battlemap, _ = reader.read()
                if battlemap is not None and reader.things is not None and not document.faults:
                    return Placed(document, battlemap, reader.base, reader.things.paths, reader.things.said)
        finally:
            _open.reset(before)
    raise MapError(document.faults)


class _Reader:
    """One file on its way to a map; `things` are those that were read last."""

    def __init__(self, document: Document, shaped: Shaped, options: Mapping[str, Any], base: Battlemap | None) -> None:
        self.document, self.shaped, self.model, self.given = document, shaped, shaped.model, options
        self.base = base
        self.report: list[ReportLine] = []
        self.files: tuple[str, ...] = ()
        self.things: ThingReader | None = None

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
        self.things = things = ThingReader(self.document, self.shaped, base, grid, ground.levels)
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
        stated = model.grid.cell is not None
        if self.base and (stated or (battlemap.cell, battlemap.unit) != (self.base.cell, self.base.unit)):
            self.report = [line for line in self.report if line.about != "cell"]
        self.report.append(ReportLine("read", _counts(battlemap)))
        return battlemap, Report("native", self.document.source, tuple(self.report), self.files)

    # -- what it lies over ------------------------------------------------------------------------------------------

    def _beside(self, file: str, path: Path) -> FilePath | None:
        """The place of a file named in the map; only files in the map's folder or below it are read."""
        wanted = FilePath(file)
        folder = FilePath(self.document.source).parent
        outside = wanted.is_absolute() or ".." in wanted.parts or "\\" in file or ":" in file
        if outside or not inside(folder, folder / wanted):
            by_link = "" if outside else ", and this one leads out of it by a link"
            self.document.fault(f"{file!r} must be a file in the map's own folder, or below it{by_link}", path)
            return None
        return folder / wanted

    def _read_base(self) -> None:
        part = self.model.base
        if self.base is not None:
            self._agree()
            return
        if part is None:
            if self.given:
                raise UnknownName("import option of native files", next(iter(self.given)), ())
            return
        path: Path = ("base", "file") if self.document.known(("base", "file")) else ("base",)
        if any(fault.path == dotted(path) for fault in self.document.faults):
            return
        file = self._beside(part.file, path)
        if file is None:
            return
        reading = _open.get()
        if any(_same(file, other) for other in reading):
            circle = "a map cannot be its own base" if len(reading) == 1 else "the bases lead round in a circle"
            self.document.fault(circle, path)
            return
        if len(reading) > MOST_BASES:
            self.document.fault(f"no more than {MOST_BASES} maps may lie one over the other", path)
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
        else:
            self.report.extend(replace(line, text=f"{part.file}: {line.text}") for line in report.lines)
            self.files = report.files

    def _agree(self) -> None:
        """A file that names its base itself is laid over no other one."""
        part, base = self.model.base, self.base
        if part is None or base is None:
            return
        file = FilePath(self.document.source).parent / part.file
        if not (base.source and _same(file, FilePath(base.source))):
            self.document.fault(f"it is laid over {part.file!r}, and not over another map", ("base",))

    def _picture(self) -> Picture | None:
        part = self.model.picture
        if part is None:
            return None
        if part.pixels <= 0:
            self.document.fault("a cell must have a positive width in the picture", ("picture", "pixels"))
            return None
        if self._beside(part.file, ("picture", "file")) is None:
            return None
        source = PictureFile(
            part.file, str(FilePath(self.document.source).parent), self.document.mark(("picture", "file"))[0]
        )
        picture = None
        with self.document.placing(("picture",)):
            picture = Picture(source, part.pixels, part.offset, FilePath(part.file).suffix[1:].lower())
        return picture

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


def _same(file: FilePath, other: FilePath) -> bool:
    try:
        return file.samefile(other)
    except (OSError, ValueError):
        return False


def _counts(battlemap: Battlemap) -> str:
    counts = {
        "level": len(battlemap.levels),
        "barrier": len(battlemap.barriers),
        "link": len(battlemap.links),
        "zone": len(battlemap.zones),
        "mover": len(battlemap.movers),
    }
    if counts["level"] == 1:
        del counts["level"]
    words = [f"{n} {word}{'s' if n > 1 else ''}" for word, n in counts.items() if n]
    return ", ".join([f"{battlemap.cols} x {battlemap.rows} cells", *words])
