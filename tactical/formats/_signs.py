"""Signs by which files of other programs are known that no format here reads, and what to do with each.

One table, asked only about files that no format is sure of.  A format that learns to read one of these is a file of its
own in this package; its sign then goes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tactical.errors import Fault
from tactical.formats import UnreadableFile, _json

PICTURE = "then `tactical new PICTURE --grid 70` makes a map of it (for a cell of 70 pixels)"
EXPORT = "export the map as Universal VTT (.uvtt, .dd2vtt) from the program that drew it"
OVER_PICTURE = "save its picture; `tactical new PICTURE --grid 70` makes a map of that (for a cell of 70 pixels)"

_KEY = re.compile(rb'"([A-Za-z_][A-Za-z0-9_ ]{0,40})"\s*:')
_HEAD = 200_000
# what may stand before the first element; no part of it is tried in two ways, which could take for ever
_BEFORE = rb"(?:(?><\?xml.{0,500}?\?>)|(?><!--.{0,2000}?-->)|(?><!doctype[^>]*>)|\s)*+"


@dataclass(frozen=True)
class Clue:
    """A file to be known: its content and its name."""

    data: bytes
    name: str

    @cached_property
    def head(self) -> bytes:
        """The beginning, without a byte order mark and blanks."""
        return self.data[:_HEAD].lstrip(b"\xef\xbb\xbf \t\r\n")

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of a JSON object; of the first one, in a file of one a line; of one cut off, those near the top."""
        if not self.head.startswith(b"{"):
            return frozenset()
        for text in (self.data, self.head.split(b"\n", 1)[0]):
            try:
                found = json.loads(text)
            except (ValueError, RecursionError):
                continue
            return frozenset(found) if isinstance(found, dict) else frozenset()
        return frozenset(key.decode() for key in _KEY.findall(self.head))

    def ends(self, *suffixes: str) -> bool:
        """Whether the file's name ends so."""
        return self.name.lower().endswith(suffixes)


class Sign(NamedTuple):
    """What a file is, what to do with it, and how it is known."""

    what: str
    todo: str
    known: Callable[[Clue], bool]


def _magic(*beginnings: bytes) -> Callable[[Clue], bool]:
    return lambda clue: clue.data.startswith(beginnings)


def _keys(*wanted: str, any_of: tuple[str, ...] = ()) -> Callable[[Clue], bool]:
    return lambda clue: clue.keys.issuperset(wanted) and (not any_of or not clue.keys.isdisjoint(any_of))


def _text(pattern: bytes) -> Callable[[Clue], bool]:
    found = re.compile(pattern, re.IGNORECASE | re.DOTALL)
    return lambda clue: found.match(clue.head) is not None


def _boxed(*brands: bytes) -> Callable[[Clue], bool]:
    return lambda clue: clue.data[4:8] == b"ftyp" and clue.data[8:12] in brands


def _zip_of(*inside: bytes) -> Callable[[Clue], bool]:
    return lambda clue: clue.data.startswith(b"PK\x03\x04") and all(name in clue.data for name in inside)


SIGNS = (
    # what is no text
    Sign("an SVG picture", f"save it as PNG; {PICTURE}", _text(_BEFORE + rb"<svg[\s>]")),
    Sign("an AVIF picture", f"save it as PNG; {PICTURE}", _boxed(b"avif", b"avis")),
    Sign("a HEIC picture", f"save it as PNG; {PICTURE}", _boxed(b"heic", b"heix", b"mif1", b"hevc")),
    Sign("a TIFF picture", f"save it as PNG; {PICTURE}", _magic(b"II*\x00", b"MM\x00*")),
    Sign("a Photoshop picture", f"save it as PNG; {PICTURE}", _magic(b"8BPS")),
    Sign(
        "a video",
        f"save one picture of it as PNG; {PICTURE}",
        lambda clue: clue.data[4:8] == b"ftyp" or clue.data.startswith(b"\x1aE\xdf\xa3"),
    ),
    Sign("a MapTool file", EXPORT, _zip_of(b"content.xml", b"properties.xml")),
    Sign("a MapTool file", EXPORT, lambda clue: clue.data[:2] == b"PK" and clue.ends(".rpmap", ".cmpgn", ".rptok")),
    Sign("a Roll20 campaign in a ZIP archive", EXPORT, _zip_of(b"campaign.json")),
    Sign("a ZIP archive", "unpack it, and give the map that is in it", _magic(b"PK\x03\x04", b"PK\x05\x06")),
    Sign("a 7z archive", "unpack it, and give the map that is in it", _magic(b"7z\xbc\xaf\x27\x1c")),
    Sign("a RAR archive", "unpack it, and give the map that is in it", _magic(b"Rar!\x1a\x07")),
    Sign(
        "a packed file",
        "unpack it, and give the map that is in it",
        _magic(b"\x1f\x8b", b"\xfd7zXZ\x00", b"BZh", b"\x28\xb5\x2f\xfd"),
    ),
    Sign("a PDF document", OVER_PICTURE, _magic(b"%PDF")),
    Sign("an SQLite database", EXPORT, _magic(b"SQLite format 3")),
    # programs that save JSON
    Sign("a Dungeon Alchemist map", "in Dungeon Alchemist export it as Universal VTT", _keys("pixelsPerTile", "walls")),
    Sign("a Tiled tile set", "give the map that uses it", _keys("tilewidth", any_of=("tilecount", "columns"))),
    Sign("a Tiled template", "give the map that uses it", _keys("object", "type")),
    Sign("a GeoJSON file (Watabou's cities and villages are)", OVER_PICTURE, _keys("type", "features")),
    Sign(
        "a Roll20 campaign",
        EXPORT,
        _keys("pages", any_of=("characters", "handouts", "campaign_title", "schema_version")),
    ),
    Sign(
        "a Foundry database",
        "in Foundry choose Export Data of the scene, and give that file",
        lambda clue: clue.ends(".ldb") and ("_id" in clue.keys or b"!scenes" in clue.data[:_HEAD]),
    ),
    # programs that save other text
    Sign("a Tiled tile set", "give the map that uses it", _text(_BEFORE + rb"<tileset[\s>]")),
    Sign("a web page", "save the file it links to, not the page", _text(_BEFORE + rb"<html[\s>]")),
    Sign("a web page", "save the file it links to, not the page", _text(rb"<!doctype html")),
    Sign("an XML file", EXPORT, _text(rb"<\?xml\s")),
    Sign(
        "a list of MovingAI problems",
        "give the .map file it was made for",
        lambda clue: clue.ends(".scen") and clue.head.lower().startswith(b"version"),
    ),
    # what this program itself writes, which is no map file
    Sign("a saved game", "see it with `tactical replay`", lambda clue: {"kind", "start"} <= clue.keys),
    Sign(
        "a value for host programs (see `tactical schema --wire`)",
        "hand it to `tactical serve`",
        _keys("schema", "kind"),
    ),
)


def sign_of(data: bytes, name: str) -> Sign | None:
    """The sign a file bears; None for one that bears none."""
    clue = Clue(data, name)
    return next((sign for sign in SIGNS if sign.known(clue)), None)


def refuse_others(data: bytes, name: str) -> None:
    """Raises `UnreadableFile` for a file that bears a sign, with what to do."""
    sign = sign_of(data, name)
    if sign is not None:
        raise UnreadableFile([Fault(f"this is {sign.what}, which is not read here: {sign.todo}", file=name)])


def refuse_broken(data: bytes, name: str) -> None:
    """Raises `UnreadableFile` for JSON that is not whole: where it breaks off says more than what is known."""
    if data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        _json.read(data, name)


def refuse_wide_text(data: bytes, name: str) -> None:
    """Raises `UnreadableFile` for text of several bytes a letter, with or without its mark, as some editors save it."""
    head = data[:400]
    quarters, halves = ([head[n::wide].strip(b"\0") for n in range(wide)] for wide in (4, 2))
    long, kind = len(head) > 8, ""
    if head[:4] in (b"\xff\xfe\0\0", b"\0\0\xfe\xff") or (long and quarters.count(b"") == 3):
        kind = "UTF-32"
    elif head[:2] in (b"\xff\xfe", b"\xfe\xff") or (long and b"" in halves):
        kind = "UTF-16"
    if kind:
        raise UnreadableFile([Fault(f"this is {kind} text: save it as UTF-8", name, 1, 1)])
