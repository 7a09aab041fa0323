"""The shape of a native map file, as pydantic models: which keys there are, what they hold, what has a default.

Everything arrives as text (see `_positions`); the models give it its type.  Only shape is checked here: what a value
means on this map (is the cell on it, is the glyph known) is the reader's business, so that all faults come at once.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainValidator,
    WithJsonSchema,
    WrapValidator,
)

from tactical.values import measure
from tactical.world.edges.barriers import MODES, DoorState, Kind
from tactical.world.mover import is_posture

SCHEMA = 1

# Eighteen digits are plenty for a map; an exponent would let a short text ask for a number of a million digits.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18}|/[0-9]{1,18})?")
_TRUTHS = [kind.value for kind in Kind if kind is not Kind.DOOR] + [f"door-{state.value}" for state in DoorState]


def _held(value: object, known: Callable[[object], str]) -> str:
    # a way of moving may bring a medium to be in
    return value if isinstance(value, str) and is_posture(value) else known(value)


Held = Annotated[Literal["standing", "crouched", "prone", "kneeling"], WrapValidator(_held)]


def _number(value: object) -> Fraction:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        try:
            return measure(Fraction(value.strip()), "the number")
        except ZeroDivisionError:
            pass
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        return measure(value, "the number")
    raise ValueError("expected a number such as 5, 2.5 or 10/3")


def _not_negative(what: str) -> AfterValidator:
    def check(value: Fraction) -> Fraction:
        if value < 0:
            raise ValueError(f"{what} cannot be negative")
        return value

    return AfterValidator(check)


def _side_of_cell(value: Fraction) -> Fraction:
    if value <= 0:
        raise ValueError("a cell must have a positive size")
    return value


def _coordinate(value: object) -> float:
    try:
        found = float(value) if isinstance(value, str) else float(_number(value))
    except ValueError:
        found = float(_number(value))
    if not math.isfinite(found):
        raise ValueError("expected a finite number")
    return found


def _place(value: object) -> str:
    if isinstance(value, list) and 2 <= len(value) <= 3 and all(isinstance(part, str) for part in value):
        value = ",".join(value)
    if isinstance(value, str) and value.strip() and len(value) <= 200:
        return value.strip()
    raise ValueError("expected a cell: C4 (column letter, row from 1 at the top) or [2, 3] (from 0)")


def _rows(value: object) -> list[str]:
    if isinstance(value, str):
        return value.rstrip("\n").split("\n")
    if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
        return value
    raise ValueError('expected rows of glyphs: "rows: |" and one line a row below it')


def _empty_list(value: object) -> object:
    return [] if value is None else value


def _empty_map(value: object) -> object:
    return {} if value is None else value


def _base(value: object) -> object:
    return {"file": value} if isinstance(value, str) else value


def _schema(value: object) -> int:
    if value != str(SCHEMA):
        raise ValueError(f"schema {value} is not known, this version reads {SCHEMA}")
    return SCHEMA


_NUMBER_SCHEMA = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^[+-]?[0-9]+(\.[0-9]+|/[0-9]+)?$"}]}
_PLACE_SCHEMA = {
    "anyOf": [
        {"type": "string", "description": "C4, or upper/C4 on a level"},
        {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 3},
    ]
}
_ROWS_SCHEMA = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}, "minItems": 1}]}

_BASE_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["file"],
    "properties": {"file": {"type": "string"}, "format": {"type": "string"}, "options": {"type": "object"}},
}

Number = Annotated[Fraction, PlainValidator(_number), WithJsonSchema(_NUMBER_SCHEMA)]
CellSide = Annotated[Number, AfterValidator(_side_of_cell)]
LinkCost = Annotated[Number, _not_negative("a link's cost")]
BarrierCost = Annotated[Number, _not_negative("a barrier's cost")]
Factor = Annotated[Number, _not_negative("a factor")]
Depth = Annotated[Number, _not_negative("a depth")]
Coordinate = Annotated[float, PlainValidator(_coordinate), WithJsonSchema({"type": "number"})]
Place = Annotated[str, PlainValidator(_place), WithJsonSchema(_PLACE_SCHEMA)]
Rows = Annotated[list[str], PlainValidator(_rows), WithJsonSchema(_ROWS_SCHEMA)]
Point = tuple[Coordinate, Coordinate]
Size = Annotated[int, Field(ge=1, le=100)]
DifficultyLevel = Literal["VE", "E", "M", "D", "VD", "H"]


class Shape(BaseModel):
    """What all parts share: a key nobody knows is a fault."""

    # a part is only ever read as part of a whole file: what would check it alone need not be made
    model_config = ConfigDict(extra="forbid", defer_build=True)


class GridPart(Shape):
    """The grid: topology, the side of a cell and its unit."""

    type: str = "square"
    cell: CellSide | None = None
    unit: str | None = None


class Facts(Shape):
    """The facts of a terrain; absent means false, none or 0."""

    impassable: bool = False
    difficult: bool = False
    rough: bool = False
    climb: bool = False
    swim: bool = False
    water: Literal["shallow", "wading", "deep", "none"] = "none"
    depth: Depth | None = None
    current: Literal["calm", "choppy", "strong", "none"] = "none"
    slick: bool = False
    uneven: bool = False
    unstable: bool = False
    level: DifficultyLevel | None = None
    number: int | None = None
    # stated because not every version of pydantic writes the keys of a mapping into the schema
    level_numbers: dict[DifficultyLevel, int] = Field(
        default_factory=dict, json_schema_extra={"propertyNames": {"enum": list(get_args(DifficultyLevel))}}
    )
    elevation: Number = Fraction(0)
    uphill: bool | None = None
    gap: bool = False
    headroom: Literal["crouched", "prone", "none"] = "none"
    no_stop: bool = False
    hazard: str = ""
    unknown: bool = False
    arduous: bool = False
    factor: Factor = Fraction(1)
    check: tuple[int, int] | None = None

    def facts(self) -> dict[str, Any]:
        """The facts the file states."""
        stated = self.model_fields_set
        return {name: getattr(self, name) for name in Facts.model_fields if name in stated}


class GroundPart(Facts):
    """An entry of the legend: a named terrain and its facts."""

    terrain: str = ""


Ground = Annotated[GroundPart, BeforeValidator(_empty_map)]


class BarrierPart(Shape):
    """A wall, door, window, fence, low wall or invisible wall: on a side of a cell, or a free segment in cell units.

    Over a base, one without a place changes the base's of that id, and one that is `gone` takes the base's away.
    """

    id: str = ""
    cell: Place | None = None
    side: str | None = None
    line: tuple[Point, Point] | None = None
    kind: Kind | None = None
    state: DoorState | None = None
    one_way: str | None = None
    cost: BarrierCost | None = None
    bottom: Number | None = None
    top: Number | None = None
    level: str | None = None
    truth: Annotated[str, WithJsonSchema({"enum": _TRUTHS})] | None = None
    stops: tuple[Annotated[str, WithJsonSchema({"enum": list(MODES)})], ...] | None = None
    gone: bool = False


class LinkPart(Shape):
    """Stairs, a ladder, a lift, a teleporter: a connection between far cells at a flat price."""

    start: Place = Field(alias="from")
    end: Place = Field(alias="to")
    level: str | None = None
    cost: LinkCost = Fraction(0)
    kind: str = "stairs"
    two_way: bool = True
    id: str = ""
    gone: bool = False


class ZonePart(Facts):
    """Facts laid over some cells; a zone whose source is a mover does not affect that mover."""

    cells: list[Place]
    source: str = ""
    terrain: str = ""

    def facts(self) -> dict[str, Any]:
        """The facts the file states; a name of its own (``terrain``) is one of them."""
        return {**super().facts(), **({"terrain": self.terrain} if self.terrain else {})}


class MoverPart(Shape):
    """A creature or vehicle on the map; its stats are checked by its rule system.

    Over a base, one of an id that the base has changes what it states of the base's, or takes it away (`gone`).
    """

    id: str = Field(min_length=1)
    at: Place | None = None
    side: str = ""
    size: Size | None = None
    size_class: Literal["tiny", "small", "medium", "large", "huge", "gargantuan"] | None = None
    posture: Held = "standing"
    reach: Annotated[int, Field(ge=0, le=100)] | None = None
    rules: str = ""
    stats: Annotated[dict[str, Any], BeforeValidator(_empty_map)] = Field(default_factory=dict)
    name: str = ""
    hidden: bool = False
    knows: Annotated[list[str], BeforeValidator(_empty_list)] = Field(default_factory=list)
    gone: bool = False


class LevelPart(Shape):
    """A further floor, drawn with the same legend."""

    name: str = Field(min_length=1)
    height: Number = Fraction(0)
    rows: Rows
    barriers: Annotated[list[BarrierPart], BeforeValidator(_empty_list)] = Field(default_factory=list)


class PicturePart(Shape):
    """The map's own picture, beside the file: the width of a cell in it, and where the grid begins."""

    file: str = Field(min_length=1)
    pixels: Annotated[Coordinate, WithJsonSchema({"type": "number", "exclusiveMinimum": 0})]
    offset: Point = (0.0, 0.0)


class BasePart(Shape):
    """Another map file this one is laid over, with its import options."""

    file: str = Field(min_length=1)
    format: str | None = None
    options: Annotated[dict[str, Any], BeforeValidator(_empty_map)] = Field(default_factory=dict)


class MapFile(Shape):
    """A battle map."""

    schema_: Annotated[int, PlainValidator(_schema), WithJsonSchema({"const": SCHEMA})] = Field(SCHEMA, alias="schema")
    name: str = ""
    base: Annotated[
        BasePart | None,
        BeforeValidator(_base),
        WithJsonSchema({"anyOf": [{"type": "string"}, _BASE_SCHEMA]}),
    ] = None
    grid: Annotated[GridPart, BeforeValidator(_empty_map)] = Field(default_factory=GridPart)
    rules: str = ""
    options: Annotated[dict[str, Any], BeforeValidator(_empty_map)] = Field(default_factory=dict)
    legend: Annotated[dict[str, Ground], BeforeValidator(_empty_map)] = Field(default_factory=dict)
    level: str | None = None
    height: Number | None = None
    rows: Rows | None = None
    barriers: Annotated[list[BarrierPart], BeforeValidator(_empty_list)] = Field(default_factory=list)
    links: Annotated[list[LinkPart], BeforeValidator(_empty_list)] = Field(default_factory=list)
    zones: Annotated[list[ZonePart], BeforeValidator(_empty_list)] = Field(default_factory=list)
    levels: Annotated[list[LevelPart], BeforeValidator(_empty_list)] = Field(default_factory=list)
    movers: Annotated[list[MoverPart], BeforeValidator(_empty_list)] = Field(default_factory=list)
    picture: PicturePart | None = None
