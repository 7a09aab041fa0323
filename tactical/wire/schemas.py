"""The JSON schema of everything `tactical.wire.writing` writes, made from the very types that are read and written."""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping
from dataclasses import MISSING
from enum import Enum
from fractions import Fraction
from inspect import cleandoc
from typing import Any, Union, get_args, get_origin

from tactical.play.commands import COMMANDS
from tactical.play.events import EVENT_TYPES
from tactical.units import Cell
from tactical.wire.maps import FlatMap
from tactical.wire.shapes import KINDS, keys_of, shape_of, tag_of
from tactical.wire.writing import SCHEMA
from tactical.world.battlemap import Battlemap

Json = dict[str, Any]

_SIMPLE: Mapping[Any, Json] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    Any: {},
    object: {},
    Fraction: {"$ref": "#/$defs/number"},
    Cell: {"$ref": "#/$defs/cell"},
}

_DEFS: Mapping[str, Json] = {
    "number": {
        "description": "An exact number: whole, or numerator and denominator.",
        "oneOf": [{"type": "integer"}, {"type": "string", "pattern": "^-?[0-9]+/[1-9][0-9]*$"}],
    },
    "cell": {
        "description": "Column and row from 0 at the top left, and the level where it is not 0; its name is read too.",
        "oneOf": [
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3},
            {"type": "string"},
        ],
    },
}


def schema() -> Json:
    """The schema of any value that `to_json` writes."""
    defs: Json = dict(_DEFS)
    tops = []
    for word, kind in KINDS.items():
        tops.append({"title": word, **_headed(word, _shape(kind, defs), defs)})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Values of tactical as JSON",
        "oneOf": tops,
        "$defs": dict(sorted(defs.items())),
    }


def _headed(word: str, shape: Json, defs: Json) -> Json:
    """The shape of a value that stands alone: the same, with ``schema`` and ``kind`` before it."""
    if "$ref" in shape:
        return _headed(word, defs[shape["$ref"].rpartition("/")[2]], defs)
    if "oneOf" in shape:
        return {"oneOf": [_headed(word, one, defs) for one in shape["oneOf"]]}
    heading = {"schema": {"const": SCHEMA}, "kind": {"const": word}}
    required = [*heading, *shape.get("required", ())]
    return {**shape, "properties": {**heading, **shape["properties"]}, "required": required}


def _shape(hint: Any, defs: Json) -> Json:
    if hint in _SIMPLE:
        return dict(_SIMPLE[hint])
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _union(inner, defs)
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return {"type": "array", "items": _shape(inner[0], defs)}
    if origin is tuple:
        shapes = [_shape(part, defs) for part in inner]
        return {"type": "array", "prefixItems": shapes, "minItems": len(inner), "maxItems": len(inner)}
    if origin in (frozenset, Collection):
        return {"type": "array", "items": _shape(inner[0], defs), "uniqueItems": True}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _shape(inner[1], defs)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    return _object(FlatMap if hint is Battlemap else hint, defs)


def _union(members: tuple[Any, ...], defs: Json) -> Json:
    rest = [member for member in members if member is not type(None)]
    if Fraction in rest:
        rest = [Fraction]
    elif Cell in rest:
        rest = [Cell]
    shapes = [_shape(member, defs) for member in rest]
    for name, every in (("command", COMMANDS), ("event", EVENT_TYPES)):
        if set(rest) == set(every):
            defs.setdefault(name, {"oneOf": shapes})
            shapes = [{"$ref": f"#/$defs/{name}"}]
    if type(None) in members:
        shapes.append({"type": "null"})
    return shapes[0] if len(shapes) == 1 else {"oneOf": shapes}


def _object(kind: Any, defs: Json) -> Json:
    name = "map" if kind is FlatMap else kind.__name__
    if name not in defs:
        defs[name] = {}  # a type may hold itself
        keys, shape, tag = keys_of(kind), shape_of(kind), tag_of(kind)
        properties = {name: _shape(key.hint, defs) for name, key in keys.items()}
        # what follows from the rest, and what the command line says besides, is not read
        properties |= {name: {} for name in (*shape.told, *shape.heard)}
        required = [name for name, key in keys.items() if key.default is MISSING]
        if tag is not None:
            properties, required = {tag[0]: {"const": tag[1]}, **properties}, [tag[0], *required]
        # the interpreter may have taken the indentation away, or not
        about = cleandoc(kind.__doc__ or "").split("\n\n")[0].replace("\n", " ")
        defs[name] = {"description": about, "type": "object", "properties": properties, "required": required}
        defs[name]["additionalProperties"] = False
    return {"$ref": f"#/$defs/{name}"}
