"""The shape of a native map file: which parts and keys there are, what they hold, what has a default.

Only shape is checked here: what a value means on this map (is the cell on it, is the glyph known) is the reader's
business, so that all faults come at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from tactical.errors import UnknownName
from tactical.formats._positions import Document, Path
from tactical.formats.native.shape import (
    Each,
    Inner,
    Kind,
    Maybe,
    Notes,
    Pair,
    Part,
    Table,
    Unfit,
    choice,
    found,
    key,
    unknown,
)
from tactical.registry import RULESETS
from tactical.values import measure
from tactical.world.edges import barriers as edges
from tactical.world.mover import CLASSES, EVERY_POSTURE, is_posture

SCHEMA = 1

# Eighteen digits are plenty for a map; an exponent would let a short text ask for a number of a million digits.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18}|/[0-9]{1,18})?")
_WHOLE = re.compile(r"([+-]?[0-9]{1,60})(\.0+)?")
_TRUTHS = [kind.value for kind in edges.Kind if kind is not edges.Kind.DOOR]
_TRUTHS += [f"door-{state.value}" for state in edges.DoorState]
_YES, _NO = ("true", "yes", "on", "y", "t", "1"), ("false", "no", "off", "n", "f", "0")
_MEANT = {"lying": "prone", "down": "prone", "crawling": "prone", "upright": "standing", "up": "standing"}
"""Words for a posture that are like no other word, or like the wrong one."""


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise Unfit("expected text")
    return value


def _rules(value: object) -> str:
    if isinstance(value, dict):
        raise Unfit("expected the name of a rule system", "(its rulings stand in `options:` at the top of the file)")
    return _text(value)


def _some_text(value: object) -> str:
    if not _text(value):
        raise Unfit("expected text of one character at least")
    return str(value)


def _truth(value: object) -> bool:
    word = str(value).lower()
    if word not in (*_YES, *_NO):
        raise Unfit("expected true or false")
    return word in _YES


def _whole(value: object) -> int:
    match = _WHOLE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise Unfit("expected a whole number")
    return int(match[1])


def _from(least: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        number = _whole(value)
        if number < least:
            raise Unfit(f"expected a value greater than or equal to {least}")
        if number > 100:
            raise Unfit("expected a value less than or equal to 100")
        return number

    return check


def _size(value: object) -> int:
    if isinstance(value, str) and value.strip().lower() in CLASSES:
        raise Unfit("expected a number of cells", f"(size_class: {value})")
    return _from(1)(value)


def _number(value: object) -> Fraction:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        try:
            return measure(Fraction(value.strip()), "the number")
        except ZeroDivisionError:
            pass
    raise Unfit("expected a number such as 5, 2.5 or 10/3")


def _not_negative(what: str) -> Callable[[object], Fraction]:
    def check(value: object) -> Fraction:
        number = _number(value)
        if number < 0:
            raise Unfit(f"{what} cannot be negative")
        return number

    return check


def _side_of_cell(value: object) -> Fraction:
    number = _number(value)
    if number <= 0:
        raise Unfit("a cell must have a positive size")
    return number


def _coordinate(value: object) -> float:
    try:
        number = float(value) if isinstance(value, str) else float(_number(value))
    except ValueError:
        number = float(_number(value))
    if not math.isfinite(number):
        raise Unfit("expected a finite number")
    return number


def _place(value: object) -> str:
    if isinstance(value, list) and 2 <= len(value) <= 3 and all(isinstance(part, str) for part in value):
        value = ",".join(value)
    if isinstance(value, str) and value.strip() and len(value) <= 200:
        return value.strip()
    raise Unfit("expected a cell: C4 (column letter, row from 1 at the top) or [2, 3] (from 0)")


def _rows(value: object) -> list[str]:
    if isinstance(value, str):
        return value.rstrip("\n").split("\n")
    if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
        return value
    raise Unfit('expected rows of glyphs: "rows: |" and one line a row below it')


def _schema(value: object) -> int:
    if value != str(SCHEMA):
        raise Unfit(f"schema {value} is not known, this version reads {SCHEMA}")
    return SCHEMA


class _Posture(Kind):
    """A posture; a wrong one is told those of the rules that the mover follows, or of all rules where it names none."""

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        # a way of moving may bring a medium to be in
        if isinstance(value, str) and (value in EVERY_POSTURE or is_posture(value)):
            return value
        file = notes.document.value
        try:
            known = list(RULESETS.get(str(file["movers"][path[1]].get("rules") or file.get("rules"))).postures)
        except UnknownName:
            known = list(EVERY_POSTURE)
        return notes.unfit(unknown(value, known, _MEANT), value, path)


def _one_of(words: Iterable[str]) -> Kind:
    known = tuple(words)
    return Kind(choice(known), {"enum": list(known), "type": "string"})


_NUMBERS = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9]+(\.[0-9]+|/[0-9]+)?$"}]}
_PLACES = {
    "anyOf": [
        {"type": "string", "description": "C4, or upper/C4 on a level"},
        {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 3},
    ]
}
_BASES = {
    "type": "object",
    "additionalProperties": False,
    "required": ["file"],
    "properties": {"file": {"type": "string"}, "format": {"type": "string"}, "options": {"type": "object"}},
}
_LEVELS = ("VE", "E", "M", "D", "VD", "H")

TEXT = Kind(_text, {"type": "string"})
RULES = Kind(_rules, {"type": "string"})
NAME = Kind(_some_text, {"type": "string", "minLength": 1})
TRUTH = Kind(_truth, {"type": "boolean"})
WHOLE = Kind(_whole, {"type": "integer"})
NUMBER = Kind(_number, _NUMBERS)
PLACE = Kind(_place, _PLACES)
ROWS = Kind(_rows, {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]})
COORDINATE = Kind(_coordinate, {"type": "number"})
POINT = Pair(COORDINATE)
_CORNERS = "(corners are counted from 0 at the top left of the map: A1 lies between [0, 0] and [1, 1])"
LINE = Pair(
    Pair(COORDINATE, expected="a corner [column, row]", hint=_CORNERS),
    "two points",
    "two corners such as [[1, 1], [4, 1]]",
    _CORNERS,
)
ANY = Table()
KIND = Kind(choice([kind.value for kind in edges.Kind], edges.Kind), {"$ref": "#/$defs/Kind"})
STATE = Kind(choice([state.value for state in edges.DoorState], edges.DoorState), {"$ref": "#/$defs/DoorState"})
STRIKES = Kind(_from(0), {"type": "integer", "minimum": 0, "maximum": 100})
SIZE = Kind(_size, {"type": "integer", "minimum": 1, "maximum": 100})
DEPTH = Kind(_not_negative("a depth"), _NUMBERS)
FACTOR = Kind(_not_negative("a factor"), _NUMBERS)
LINK_COST = Kind(_not_negative("a link's cost"), _NUMBERS)
BARRIER_COST = Kind(_not_negative("a barrier's cost"), _NUMBERS)
CELL_SIDE = Kind(_side_of_cell, _NUMBERS)


class GridPart(Part):
    """The grid: topology, the side of a cell and its unit."""

    type: str = key(TEXT, "square")
    cell: Fraction | None = key(Maybe(CELL_SIDE), None)
    unit: str | None = key(Maybe(TEXT), None)


class Facts(Part):
    """The facts of a terrain; absent means false, none or 0."""

    impassable: bool = key(TRUTH, False)
    difficult: bool = key(TRUTH, False)
    rough: bool = key(TRUTH, False)
    climb: bool = key(TRUTH, False)
    swim: bool = key(TRUTH, False)
    water: str = key(_one_of(("shallow", "wading", "deep", "none")), "none")
    depth: Fraction | None = key(Maybe(DEPTH), None)
    current: str = key(_one_of(("calm", "choppy", "strong", "none")), "none")
    slick: bool = key(TRUTH, False)
    uneven: bool = key(TRUTH, False)
    unstable: bool = key(TRUTH, False)
    level: str | None = key(Maybe(_one_of(_LEVELS)), None)
    number: int | None = key(Maybe(WHOLE), None)
    level_numbers: dict[str, int] = key(Table(WHOLE, keys=_LEVELS), dict)
    elevation: Fraction = key(NUMBER, Fraction(0))
    uphill: bool | None = key(Maybe(TRUTH), None)
    gap: bool = key(TRUTH, False)
    headroom: str = key(_one_of(("crouched", "prone", "none")), "none")
    no_stop: bool = key(TRUTH, False)
    hazard: str = key(TEXT, "")
    unknown: bool = key(TRUTH, False)
    arduous: bool = key(TRUTH, False)
    factor: Fraction = key(FACTOR, Fraction(1))
    check: tuple[int, int] | None = key(Maybe(Pair(WHOLE)), None)

    def facts(self) -> dict[str, Any]:
        """The facts the file states."""
        return {name: getattr(self, name) for name in Facts.keys if name in self.stated}


class GroundPart(Facts):
    """An entry of the legend: a named terrain and its facts."""

    terrain: str = key(TEXT, "")


class BarrierPart(Part):
    """A wall, door, window, fence, low wall or invisible wall: on a side of a cell, or a free segment in cell units.

    Over a base, one without a place changes the base's of that id, and one that is `gone` takes the base's away.
    """

    id: str = key(TEXT, "")
    cell: str | None = key(Maybe(PLACE), None)
    side: str | None = key(Maybe(TEXT), None)
    line: tuple[tuple[float, float], tuple[float, float]] | None = key(Maybe(LINE), None)
    kind: edges.Kind | None = key(Maybe(KIND), None)
    state: edges.DoorState | None = key(Maybe(STATE), None)
    one_way: str | None = key(Maybe(TEXT), None)
    cost: Fraction | None = key(Maybe(BARRIER_COST), None)
    bottom: Fraction | None = key(Maybe(NUMBER), None)
    top: Fraction | None = key(Maybe(NUMBER), None)
    level: str | None = key(Maybe(TEXT), None)
    truth: str | None = key(Maybe(Kind(_text, {"type": "string", "enum": _TRUTHS})), None)
    stops: list[str] | None = key(Maybe(Each(Kind(_text, {"type": "string", "enum": list(edges.MODES)}))), None)
    gone: bool = key(TRUTH, False)


class LinkPart(Part):
    """Stairs, a ladder, a lift, a teleporter: a connection between far cells at a flat price."""

    start: str = key(PLACE, spelt="from")
    end: str = key(PLACE, spelt="to")
    level: str | None = key(Maybe(TEXT), None)
    cost: Fraction = key(LINK_COST, Fraction(0))
    kind: str = key(TEXT, "stairs")
    two_way: bool = key(TRUTH, True)
    id: str = key(TEXT, "")
    gone: bool = key(TRUTH, False)


class ZonePart(Facts):
    """Facts laid over some cells; a zone whose source is a mover does not affect that mover."""

    cells: list[str] = key(Each(PLACE))
    source: str = key(TEXT, "")
    terrain: str = key(TEXT, "")

    def facts(self) -> dict[str, Any]:
        """The facts the file states; a name of its own (``terrain``) is one of them."""
        return {**super().facts(), **({"terrain": self.terrain} if self.terrain else {})}


class MoverPart(Part):
    """A creature or vehicle on the map; its stats are checked by its rule system.

    Over a base, one of an id that the base has changes what it states of the base's, or takes it away (`gone`).
    """

    id: str = key(NAME)
    at: str | None = key(Maybe(PLACE), None)
    side: str = key(TEXT, "")
    size: int | None = key(Maybe(SIZE), None)
    size_class: str | None = key(Maybe(_one_of(CLASSES)), None)
    posture: str = key(_Posture(_text, {"enum": list(EVERY_POSTURE), "type": "string"}), "standing")
    reach: int | None = key(Maybe(STRIKES), None)
    rules: str = key(RULES, "")
    stats: dict[str, Any] = key(ANY, dict)
    name: str = key(TEXT, "")
    hidden: bool = key(TRUTH, False)
    knows: list[str] = key(Each(TEXT, empty=True), list)
    gone: bool = key(TRUTH, False)


class LevelPart(Part):
    """A further floor, drawn with the same legend."""

    name: str = key(NAME)
    height: Fraction = key(NUMBER, Fraction(0))
    rows: list[str] = key(ROWS)
    barriers: list[BarrierPart] = key(Each(Inner(BarrierPart), empty=True), list)


class PicturePart(Part):
    """The map's own picture, beside the file: the width of a cell in it, and where the grid begins."""

    file: str = key(NAME)
    pixels: float = key(Kind(_coordinate, {"type": "number", "exclusiveMinimum": 0}))
    offset: tuple[float, float] = key(POINT, (0.0, 0.0))


class BasePart(Part):
    """Another map file this one is laid over, with its import options."""

    file: str = key(NAME)
    format: str | None = key(Maybe(TEXT), None)
    options: dict[str, Any] = key(ANY, dict)


class MapFile(Part):
    """A battle map."""

    schema_: int = key(Kind(_schema, {"const": SCHEMA}), SCHEMA, spelt="schema")
    name: str = key(TEXT, "")
    base: BasePart | None = key(
        Maybe(Inner(BasePart, short="file", published={"anyOf": [{"type": "string"}, _BASES]})), None
    )
    grid: GridPart = key(Inner(GridPart, empty=True), GridPart)
    rules: str = key(RULES, "")
    options: dict[str, Any] = key(ANY, dict)
    legend: dict[str, GroundPart] = key(Table(Inner(GroundPart, empty=True)), dict)
    level: str | None = key(Maybe(TEXT), None)
    height: Fraction | None = key(Maybe(NUMBER), None)
    rows: list[str] | None = key(Maybe(ROWS), None)
    barriers: list[BarrierPart] = key(Each(Inner(BarrierPart), empty=True), list)
    links: list[LinkPart] = key(Each(Inner(LinkPart), empty=True), list)
    zones: list[ZonePart] = key(Each(Inner(ZonePart), empty=True), list)
    levels: list[LevelPart] = key(Each(Inner(LevelPart), empty=True), list)
    movers: list[MoverPart] = key(Each(Inner(MoverPart), empty=True), list)
    picture: PicturePart | None = key(Maybe(Inner(PicturePart)), None)


@dataclass(slots=True)
class Shaped(Notes):
    """The content of a file in parts, beside the notes of what was left out."""

    model: MapFile = field(default_factory=MapFile)


def validate(document: Document) -> Shaped | None:
    """The content of a file as parts; faults are noted in the document.  None if it is no mapping at all."""
    if not isinstance(document.value, dict):
        document.fault(f"expected a mapping of keys to values, found {found(document.value)}")
        return None
    shaped = Shaped(document)
    shaped.model = MapFile.read(document.value, shaped, ())
    return shaped
