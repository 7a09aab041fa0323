"""Map files: how to know one, read one and write one.

Every file type is one module of this package (or of another one, through the entry-point group ``tactical.formats``)
that defines ``FORMAT``, a `Format`.  Reading gives the map *and* a `Report`: what was read, repaired, left out or could
be meant in two ways.  A file that cannot be used raises `MapError` with everything found wrong in it, never half a map.

This module imports nothing heavy: listing the formats must stay cheap.
"""

from __future__ import annotations

import errno
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Protocol

from tactical import files
from tactical.errors import Fault, MapError, PluginError, RulesetError, UnknownName
from tactical.guard import Guarded, Unfit, Ward, a, any_of, guard
from tactical.options import Option
from tactical.registry import FORMATS
from tactical.world.pictures import kind_of

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap


class UnreadableFile(MapError):
    """A file nothing can be read of: empty, a picture, not text, broken off, or of no known format."""


LIMIT = 100_000_000
"""Largest file read unless the caller says otherwise, in bytes."""

KINDS = ("read", "warning", "ambiguous", "repaired", "ignored", "outside", "dropped")
"""What a report line can tell; `dropped` is for writing: the target format cannot say it."""

MOST_CELLS = 16_000_000
"""Cells that one floor may have: more are refused before they are laid out."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One thing a reader or writer has to tell: its kind (see `KINDS`), words, and how many there were of it.

    `about` is what an overlay may state itself (``cell``), whereby the line is no longer true.
    """

    kind: str
    text: str
    count: int = 1
    about: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"no report line has the kind {self.kind!r}: {', '.join(KINDS)}")

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a file's content, line by line; `files` are all that were read for it."""

    format: str = ""
    source: str = ""
    lines: tuple[ReportLine, ...] = ()
    files: tuple[str, ...] = ()

    def of(self, *kinds: str) -> tuple[ReportLine, ...]:
        """The lines of some kinds."""
        return tuple(line for line in self.lines if line.kind in kinds)

    def count(self, kind: str) -> int:
        """How many things were reported under a kind."""
        return sum(line.count for line in self.lines if line.kind == kind)

    def wire(self) -> dict[str, object]:
        """The report as JSON carries it."""
        lines = [{"kind": line.kind, "count": line.count, "text": line.text} for line in self.lines]
        return {"format": self.format, "source": self.source, "lines": lines}

    def __str__(self) -> str:
        return "\n".join(str(line) for line in self.lines)


def _read(found: Any, by: Guarded) -> tuple[Battlemap, Report]:
    from tactical.world.battlemap import Battlemap

    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], Battlemap):
        raise Unfit(f"{found!r:.60} is not a map and its report")
    a(found[1], Report)
    return found


WARDS = {
    "sniff": Ward(),
    "load": Ward(_read, (MapError, UnknownName)),
    "dump": Ward(any_of(str, bytes), (MapError, ValueError)),
    "losses": Ward(any_of(Report)),
    "lay": Ward(_read, (MapError,)),
}
"""How each function of a format is guarded."""


class Load(Protocol):
    """How a format reads a file: `source` is what it is called, `options` are the import options as given."""

    def __call__(
        self, data: bytes, /, *, source: str, options: Mapping[str, Any] | None
    ) -> tuple[Battlemap, Report]: ...


class Lay(Protocol):
    """How a format reads a file that is laid over the map `base`."""

    def __call__(self, data: bytes, /, *, source: str, base: Battlemap) -> tuple[Battlemap, Report]: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A map file type.

    `sniff(data, name)` says whether these bytes look like one (of two that do the name's ending decides, then who says
    so without the name); `load(data, source=…, options=…)` gives a map and a report or raises `MapError`;
    `dump(battlemap)` gives the file's content and `losses(battlemap)` the report of what
    that content leaves out; `lay(data, source=…, base=battlemap)` reads a file that is laid over another map, for a
    type whose files can be.  `also` are endings and kinds of files that are read too, where the content tells which
    type it is; `suffixes` alone are this type's own.  `options` are the import options; `pass_options` hands unknown
    ones on (for a file that names another file).  `dump` may raise `ValueError` for a map that the type cannot hold.

    A function that raises anything else, or gives back something else, ends in a `PluginError` that names it; a
    `sniff` that does is left out with a warning, so that it stops no other file.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes, str], bool]
    load: Load
    dump: Callable[[Battlemap], str | bytes] | None = None
    losses: Callable[[Battlemap], Report] | None = None
    options: tuple[Option, ...] = field(default_factory=tuple)
    pass_options: bool = False
    can_load: bool = True
    lay: Lay | None = None
    also: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        guard(self, "map format", WARDS, ("dump", "losses", "lay"))
        if not isinstance(self.suffixes, tuple) or not all(isinstance(one, str) for one in self.suffixes):
            raise TypeError(f"Format {self.name!r}: suffixes must be a tuple of texts, not {self.suffixes!r}")

    @property
    def can_dump(self) -> bool:
        """Whether maps can be written in this format."""
        return self.dump is not None

    def read_options(self, given: Mapping[str, object] | None) -> dict[str, Any]:
        """The import options in force.  Raises `UnknownName` for a name, `ValueError` for a value out of place."""
        specs = {option.name: option for option in self.options}
        values: dict[str, Any] = {name: option.default for name, option in specs.items()}
        for name, value in (given or {}).items():
            if name in specs:
                try:
                    values[name] = specs[name].parse(value)
                except RulesetError as error:
                    raise ValueError(f"{self.name}: {error}") from error
            elif self.pass_options:
                values[name] = value
            else:
                raise UnknownName(f"import option of {self.name} files", name, specs)
        return values


def get_format(name: str) -> Format:
    """The format called `name`.  Raises `UnknownName`, `PluginError`."""
    found: Format = FORMATS.get(name)
    return found


def format_for(name: str) -> Format | None:
    """The format whose file ending `name` has, be it before another one (``cave.dd2vtt.png``); None without one."""
    return _by_name(name, [known for _, known in FORMATS])


def _by_name(name: str, formats: list[Format]) -> Format | None:
    lower = name.lower()
    last = [found for found in formats if lower.endswith(found.suffixes)]
    inner = [found for found in formats if any(f"{suffix}." in lower for suffix in found.suffixes)]
    return next(iter(last + inner), None)


def sniff(data: bytes, name: str = "") -> Format:
    """The format these bytes are in; `name` (the file's) decides where the content does not.  Raises `MapError`."""
    from tactical.formats import _signs

    formats: list[Format] = [known for _, known in FORMATS]
    if picture_kind(data):
        # a map's name before the picture's (cave.dd2vtt.png) says what was meant
        by_name = _by_name(name, [known for known in formats if known.name != "picture"])
        _refuse_pictures(data, name, by_name)
        return get_format("picture")
    by_name = _by_name(name, formats)
    found = [known for known in formats if known.can_load and _sniffed(known, data, name)]
    if not found or found[0].name == "native":
        # a native map is known by a few ordinary words, which other programs' files have too
        _signs.refuse_others(data, name)
    if name.lower().endswith(".json"):
        # an ending of many programs' files: the content decides, and the native words are in others' files too
        surer = [known for known in found if known.name != "native"]
        by_name = next(iter(surer), None)
    if by_name and (by_name in found or (not found and name.lower().endswith(by_name.suffixes))):
        return by_name
    if not found:
        _signs.refuse_broken(data, name)
        known = ", ".join(f"{known.name} ({' '.join(known.suffixes)})" for known in formats)
        raise UnreadableFile([Fault(f"no known map format; known are {known}", file=name)])
    # one that knows it by its content alone goes before one that needed the name to be sure
    return next((known for known in found if _sniffed(known, data, "")), found[0])


def _sniffed(known: Format, data: bytes, name: str) -> bool:
    try:
        return bool(known.sniff(data, name))
    except PluginError as error:
        warnings.warn(f"left out: {error}", RuntimeWarning, stacklevel=4)
        return False


def _refuse_pictures(data: bytes, name: str, wanted: Format | None) -> None:
    kind = picture_kind(data)
    if kind and wanted is not None and wanted.name != "picture":
        way_on = f"(`tactical new {PurePath(name).name or 'FILE'} --grid 70 --from picture` makes a map of it)"
        raise UnreadableFile([Fault(f"this is a {kind}, not a {wanted.title} file", file=name, hint=way_on)])


def picture_kind(data: bytes) -> str:
    """``PNG picture`` and so on by the first bytes, or an empty string for anything that is no picture."""
    found = kind_of(data)
    return f"{found} picture" if found else ""


def load(
    source: str | Path | bytes,
    *,
    format: str | None = None,
    name: str = "",
    options: Mapping[str, object] | None = None,
    limit: int = LIMIT,
) -> Battlemap:
    """Read a map: a file, or a sample by its name (``tactical.load("village")``); a file of that name wins.

    See `load_with_report`, which also tells what became of the content.
    """
    return load_with_report(source, format=format, name=name, options=options, limit=limit)[0]


def load_with_report(
    source: str | Path | bytes,
    *,
    format: str | None = None,
    name: str = "",
    options: Mapping[str, object] | None = None,
    limit: int = LIMIT,
    pipes: bool = False,
    overlay: str | Path | None = None,
) -> tuple[Battlemap, Report]:
    """Read a map file (a path, or its bytes with a `name` for messages) and say what became of its content.

    A text that is the path of no file may be the name of a sample map (``village``, ``small/ford``).  `format` names
    the file type, which is otherwise told from the content; `options` are the type's import options; `overlay` is a
    native file that is laid over the map, as one with a ``base:`` is.  No more than `limit` bytes are read, and nothing
    but files; with `pipes` also a pipe that somebody writes to.  Raises `MapError` with every fault of the file,
    `UnknownName` for a format or option nobody knows, `ValueError` for an option's value, `OSError` for a file that
    cannot be read.
    """
    if isinstance(source, bytes):
        data = source
        if len(data) > limit:
            words = f"the file has {len(data)} bytes, more than the limit of {limit}"
            raise UnreadableFile([Fault(words, file=name)])
        if not data.strip():
            raise UnreadableFile([Fault("file is empty", file=name)])
    else:
        path = _found(source)
        name = name or str(path)
        data = _content(path, name, limit, pipes)
        format = format or ("foundry" if path.is_dir() else None)
    from tactical.formats import _signs

    chosen = get_format(format) if format is not None else None
    if chosen is not None:
        _refuse_pictures(data, name, chosen)
        if b"\0" in data[:4000]:
            _signs.refuse_others(data, name)
    _signs.refuse_wide_text(data, name)
    chosen = chosen or sniff(data, name)
    if not chosen.can_load:
        raise ValueError(f"{chosen.name} files cannot be read, only written")
    given = chosen.read_options(options)
    try:
        battlemap, report = chosen.load(data, source=name, options=given)
    except MapError as error:
        if not name or all(fault.file for fault in error.faults):
            raise
        raise type(error)([replace(fault, file=fault.file or name) for fault in error.faults]) from error
    report = replace(report, files=(*([] if isinstance(source, bytes) else [name]), *report.files))
    return (battlemap, report) if overlay is None else _overlaid(battlemap, report, Path(overlay), limit)


def _content(path: Path, name: str, limit: int, pipes: bool) -> bytes:
    if path.is_dir():
        from tactical.formats import _leveldb

        if _leveldb.is_one(path):
            return _leveldb.content(path, limit)
    try:
        data = files.read(path, limit, pipes=pipes)
    except files.TooLarge as error:
        raise UnreadableFile([Fault(str(error.strerror), file=name)]) from error
    if not data.strip():
        raise UnreadableFile([Fault("file is empty", file=name)])
    return data


def _overlaid(base: Battlemap, report: Report, overlay: Path, limit: int) -> tuple[Battlemap, Report]:
    """The map with a file laid over it, and a report of both."""
    name = str(overlay)
    data = _content(overlay, name, limit, True)
    chosen = sniff(data, name)
    if chosen.lay is None:
        words = f"this is a {chosen.title}, which cannot be laid over a map: only a native file can"
        raise UnreadableFile([Fault(words, file=name)])
    battlemap, told = chosen.lay(data, source=name, base=base)
    sized = (battlemap.cell, battlemap.unit) != (base.cell, base.unit)
    lines = [line for line in report.lines if not (sized and line.about == "cell")]
    lines += [replace(line, text=f"{overlay.name}: {line.text}") for line in told.lines]
    return battlemap, replace(report, lines=tuple(lines), files=(*report.files, name, *told.files))


def _found(source: str | Path) -> Path:
    """The file at a path; where there is none, the sample map of that name.  Raises `FileNotFoundError`."""
    path = Path(source)
    if path.exists() or isinstance(source, Path):
        return path
    from tactical.assets import maps

    try:
        return maps(source)
    except UnknownName as error:
        hint = f", did you mean {error.nearest!r}?" if error.nearest else ""
        words = f"no such file, and no sample map of that name{hint}"
        raise FileNotFoundError(errno.ENOENT, words, source) from None


def dump(battlemap: Battlemap, format: str = "native") -> str | bytes:
    """The map as the content of a file.  Raises `UnknownName`; `ValueError` where that format cannot be written."""
    return dump_with_report(battlemap, format)[0]


def dump_with_report(battlemap: Battlemap, format: str = "native") -> tuple[str | bytes, Report]:
    """The map as the content of a file, and a line for everything that format cannot say."""
    chosen = get_format(format)
    if chosen.dump is None:
        raise ValueError(f"{chosen.name} files cannot be written, only read")
    report = chosen.losses(battlemap) if chosen.losses else Report(chosen.name)
    return chosen.dump(battlemap), report


def many(count: int, word: str, plural: str = "") -> str:
    """``1 wall``, ``2 walls``; `plural` where an s is not enough."""
    return f"{count} {word if count == 1 else plural or word + 's'}"


def decode(data: bytes, source: str) -> str:
    """The text of a UTF-8 file, a byte order mark dropped, lines that end in a return alone ended as all others.

    Raises `MapError` with the line of the first wrong byte.
    """
    try:
        text = data.decode("utf-8-sig")
        return text if "\n" in text else text.replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        column = error.start - (before.rfind(b"\n") + 1) + 1
        words = f"not UTF-8 text: byte {error.start + 1} is {data[error.start]:#04x}"
        fault = Fault(words, source, before.count(b"\n") + 1, column)
        raise UnreadableFile([fault]) from error
