"""Values as plain JSON values: a walk over the keys of their types.

How a cell is written is the caller's choice (a pair of numbers, a name), and so is whether keys at their default are
written.  Numbers are integers or ``"10/3"``, sets are sorted lists.  Where a field takes anything (stats, options, a
rule system's own memory) a value that JSON has no word for is written ``{"$fraction": "10/3"}``, ``{"$tuple": [...]}``,
``{"$set": [...]}`` or ``{"$cell": [...]}``; a dataclass there becomes the mapping of its fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, get_args, get_origin

from tactical.movement.reach import Reach
from tactical.units import Cell, wire
from tactical.wire.maps import FlatMap
from tactical.wire.shapes import KINDS, free, keys_of, kind_of, shape_of, tag_of
from tactical.wire.views import Reached
from tactical.world.battlemap import Battlemap

Json = dict[str, Any]
SCHEMA = 1
ANSWERS = ("reach", "route")
"""What is written with every key, also one at its default, as the command line writes it."""


def pair(cell: Cell) -> object:
    """A cell as numbers: ``[col, row]``, and its level where that is not 0."""
    return [cell.col, cell.row] if cell.level == 0 else list(cell)


def namer(cells: str, on: Battlemap | None = None) -> Callable[[Cell], object]:
    """How cells are written: as ``pairs``, or by their ``names`` (on a map).  Raises `ValueError` for another word."""
    if cells not in ("pairs", "names"):
        raise ValueError(f"cells are written as pairs or names, not {cells!r}")
    return pair if cells == "pairs" else str if on is None else on.name_of


def to_json(value: Any, *, cells: str = "pairs", on: Battlemap | None = None) -> Json:
    """A value as a JSON object with its ``schema`` and ``kind``.

    `cells` is how cells are written: ``pairs`` (``[col, row]`` or ``[col, row, level]``) or ``names`` (``C4``,
    ``upper/C4`` where the value has a map or one is given with `on`, else ``1/C4``).  Raises `TypeError` for what has
    no JSON form, `ValueError` for another word.
    """
    kind = kind_of(value)
    if kind is None:
        raise TypeError(f"a {type(value).__name__} has no JSON form (known: {', '.join(KINDS)})")
    own = value if isinstance(value, Battlemap) else getattr(value, "battlemap", None)
    # answers have every key on every surface; what is kept leaves out what is ordinary
    written: Json = Writer(namer(cells, on if own is None else own), whole=kind in ANSWERS).value(value)
    return {"schema": SCHEMA, "kind": kind, **written}


def dumps(value: object) -> str:
    """JSON text, always the same for the same value: no spaces, ASCII, keys in the order of the fields."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes values; `cell` says how cells are, `whole` that every key is there (but the rare ones)."""

    cell: Callable[[Cell], object] = pair
    whole: bool = False

    def value(self, value: Any) -> Any:
        """A value of a known shape.  Raises `TypeError` for what has none."""
        if value is None or isinstance(value, (bool, int, str)):
            return value.value if isinstance(value, Enum) else value
        if isinstance(value, Cell):
            return self.cell(value)
        if isinstance(value, Fraction):
            return wire(value)
        if isinstance(value, float):
            return int(value) if value.is_integer() else value
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, Battlemap):
            return self.value(FlatMap.of(value))
        if isinstance(value, Reach):
            return self.value(Reached.of(value))
        if is_dataclass(value) or hasattr(value, "_fields"):
            return self._object(value)
        if isinstance(value, Mapping):
            return {str(key): self.value(part) for key, part in value.items()}
        if isinstance(value, (set, frozenset)):
            return sorted((self.value(part) for part in value), key=dumps)
        if isinstance(value, Sequence):
            return [self.value(part) for part in value]
        raise TypeError(f"a {type(value).__name__} has no JSON form")

    def _object(self, value: Any) -> Json:
        kind: Any = type(value)
        shape, tag = shape_of(kind), tag_of(kind)
        out: Json = {} if tag is None else {tag[0]: tag[1]}
        for name, key in keys_of(kind).items():
            found = key.read(value)
            needed = name in shape.always or (self.whole and name not in shape.rare)
            if needed or key.default is MISSING or found != key.default or type(found) is not type(key.default):
                out[name] = self._by(key.hint, found)
        out.update({name: tell(value) for name, tell in shape.told.items()})
        return out

    def _by(self, hint: Any, value: Any) -> Any:
        """A field's value; `hint` tells where anything goes."""
        if free(hint):
            return self._free(value)
        inner = get_args(hint)
        if isinstance(value, Mapping) and get_origin(hint) is Mapping and free(inner[1]):
            return {str(key): self._free(part) for key, part in value.items()}
        return self.value(value)

    def _free(self, value: Any) -> Any:
        """A value of any shape, such that reading gives an equal one."""
        if value is None or isinstance(value, (bool, int, str, float)):
            return value.value if isinstance(value, Enum) else value
        if isinstance(value, Fraction):
            return value.numerator if value.denominator == 1 else {"$fraction": wire(value)}
        if isinstance(value, Cell):
            return {"$cell": list(value) if self.cell is pair else self.cell(value)}
        if isinstance(value, Mapping):
            if any(not isinstance(key, str) or key.startswith("$") for key in value):
                return {"$map": [[self._free(key), self._free(part)] for key, part in value.items()]}
            return {key: self._free(value[key]) for key in value}
        if is_dataclass(value) and not isinstance(value, type):
            return {field.name: self._free(getattr(value, field.name)) for field in fields(value)}
        if isinstance(value, (set, frozenset)):
            return {"$set": sorted((self._free(part) for part in value), key=dumps)}
        if isinstance(value, tuple):
            return {"$tuple": [self._free(part) for part in value]}
        if isinstance(value, list):
            return [self._free(part) for part in value]
        raise TypeError(f"a {type(value).__name__} has no JSON form")


PLAIN = Writer()
encode = PLAIN.value
"""A value as saves and other programs get it: cells as numbers, keys at their default left out."""
