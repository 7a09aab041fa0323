"""Values as JSON and back: what a save file holds and what goes over a wire.

    to_json(route)    {"schema": 1, "kind": "route", ...}      from_json(...)  an equal route

Fields at their default are left out.  Numbers are integers or ``"10/3"``, a cell is ``[col, row]`` (and its level, if
not 0; ``"C4"`` is read too), a set is a sorted list.  Reading is strict: an unknown key or a value out of place is a
`ValueError` that names its path.  The shapes are published as a JSON schema (`tactical.play.schemas`).

Where a field takes anything (stats, options, a rule system's own memory) a value that JSON has no word for is written
``{"$fraction": "10/3"}``, ``{"$tuple": [...]}``, ``{"$set": [...]}`` or ``{"$cell": [...]}``; a dataclass there becomes
the mapping of its fields.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, Union, get_args, get_origin, get_type_hints

from tactical import values
from tactical.errors import Refusal, nearest
from tactical.movement.reach import Reach
from tactical.movement.route import Route, State
from tactical.play.answer import Reached
from tactical.play.commands import COMMANDS, Command, Leg
from tactical.play.events import EVENT_TYPES, Accepted, Event
from tactical.play.position import Position
from tactical.play.wire_map import FlatMap
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, exact, wire
from tactical.values import coordinate, word
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.mover import Mover

SCHEMA = 1
Json = dict[str, Any]

COMMAND_NAMES: Mapping[str, type] = {kind.kind: kind for kind in COMMANDS}  # type: ignore[attr-defined]
EVENT_CODES: Mapping[str, type] = {kind.code: kind for kind in EVENT_TYPES}  # type: ignore[attr-defined]

KINDS: Mapping[str, Any] = {
    "map": Battlemap,
    "mover": Mover,
    "state": State,
    "reach": Reached,
    "route": Route,
    "refusal": Refusal,
    "turn": TurnState,
    "position": Position,
    "accepted": Accepted,
    "command": Command,
    "event": Event,
}
"""What `to_json` writes, by the word under ``kind``."""


def to_json(value: Any) -> Json:
    """A value as a JSON object with its ``schema`` and ``kind``.  Raises `TypeError` for what has no JSON form."""
    if isinstance(value, Reach):
        value = Reached.of(value)
    kind = kind_of(value)
    if kind is None:
        raise TypeError(f"a {type(value).__name__} has no JSON form (known: {', '.join(KINDS)})")
    return {"schema": SCHEMA, "kind": kind, **encode(value)}


def from_json(data: Mapping[str, Any]) -> Any:
    """The value that `to_json` wrote.  Raises `ValueError` with the path of what is wrong."""
    if not isinstance(data, Mapping):
        raise ValueError(f"expected an object, found {_short(data)}")
    if data.get("schema") != SCHEMA:
        raise ValueError(f"schema: expected {SCHEMA}, found {_short(data.get('schema'))}")
    kind = str(data.get("kind"))
    if kind not in KINDS:
        near = nearest(kind, KINDS)
        hint = f", did you mean {near!r}?" if near else ""
        raise ValueError(f"kind: {_short(kind)} is not one of {', '.join(KINDS)}{hint}")
    rest = {key: value for key, value in data.items() if key not in ("schema", "kind")}
    try:
        return decode(KINDS[kind], rest, "")
    except RecursionError:
        raise ValueError("nested too deeply") from None


def kind_of(value: object) -> str | None:
    """The word for a value, or None where it has no JSON form of its own."""
    if type(value) in COMMANDS:
        return "command"
    if type(value) in EVENT_TYPES:
        return "event"
    return next((word for word, known in KINDS.items() if type(value) is known), None)


def dumps(value: object) -> str:
    """JSON text, always the same for the same value: no spaces, ASCII, keys in the order of the fields."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


# -- writing ----------------------------------------------------------------------------------------------------------


def encode(value: Any) -> Any:
    """A value of a known shape."""
    if isinstance(value, Battlemap):
        return encode(FlatMap.of(value))
    if isinstance(value, Cell):
        return [value.col, value.row] if value.level == 0 else list(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if value is None or isinstance(value, (bool, int, str, float)):
        return value
    if is_dataclass(value) or hasattr(value, "_fields"):
        return _encode_fields(value)
    if isinstance(value, Mapping):
        return {str(key): encode(part) for key, part in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted((encode(part) for part in value), key=dumps)
    if isinstance(value, Sequence):
        return [encode(part) for part in value]
    raise TypeError(f"a {type(value).__name__} has no JSON form")


def _encode_fields(value: Any) -> Json:
    kind: Any = type(value)
    out: Json = {}
    if kind in COMMANDS:
        out["do"] = value.kind
    elif kind in EVENT_TYPES:
        out["code"] = value.code
    hints = hints_of(kind)
    for name, default in fields_of(kind).items():
        found = getattr(value, name)
        if default is MISSING or found != default or type(found) is not type(default):
            out[name] = _encode_by(hints[name], found)
    return out


def _encode_by(hint: Any, value: Any) -> Any:
    """A field's value; `hint` tells where anything goes."""
    if _free(hint):
        return _encode_free(value)
    inner = get_args(hint)
    if isinstance(value, Mapping) and get_origin(hint) is Mapping and _free(inner[1]):
        return {str(key): _encode_free(part) for key, part in value.items()}
    return encode(value)


def _encode_free(value: Any) -> Any:
    """A value of any shape, such that reading gives an equal one."""
    if value is None or isinstance(value, (bool, int, str, float)):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else {"$fraction": wire(value)}
    if isinstance(value, Cell):
        return {"$cell": list(value)}
    if isinstance(value, Mapping):
        if any(not isinstance(key, str) or key.startswith("$") for key in value):
            return {"$map": [[_encode_free(key), _encode_free(part)] for key, part in value.items()]}
        return {key: _encode_free(value[key]) for key in value}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: _encode_free(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, (set, frozenset)):
        return {"$set": sorted((_encode_free(part) for part in value), key=dumps)}
    if isinstance(value, tuple):
        return {"$tuple": [_encode_free(part) for part in value]}
    if isinstance(value, list):
        return [_encode_free(part) for part in value]
    raise TypeError(f"a {type(value).__name__} has no JSON form")


# -- reading ----------------------------------------------------------------------------------------------------------


def decode(hint: Any, data: Any, path: str = "") -> Any:
    """The value of a known shape."""
    if _free(hint):
        return _decode_free(data, path)
    simple = _SIMPLE.get(hint)
    if simple is not None:
        return simple(data, path)
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _decode_union(inner, data, path)
    if origin is tuple:
        return _decode_tuple(inner, data, path)
    if origin in (frozenset, Collection):
        return frozenset(_decode_all(inner[0], data, path))
    if origin is Mapping:
        _expect(isinstance(data, dict), "an object", data, path)
        return {_word(key, path): decode(inner[1], part, f"{path}.{key}") for key, part in data.items()}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _checked(lambda: hint(data), path)
    return _decode_fields(hint, data, path)


def _decode_fields(kind: Any, data: Any, path: str) -> Any:
    _expect(isinstance(data, dict), "an object", data, path)
    known, hints = fields_of(kind), _hints_to_read(kind)
    tags = {"do"} if kind in COMMANDS else {"code"} if kind in EVENT_TYPES else set()
    values = {}
    for name, part in data.items():
        if name in tags:
            continue
        if name not in known:
            near = nearest(name, known)
            raise ValueError(f"{_at(path)}unknown key {name!r}" + (f", did you mean {near!r}?" if near else ""))
        values[name] = decode(hints[name], part, f"{path}.{name}" if path else name)
    missing = [name for name, default in known.items() if default is MISSING and name not in values]
    if missing:
        raise ValueError(f"{_at(path)}missing {', '.join(missing)}")
    return _checked(lambda: kind(**values), path)


def _decode_union(members: tuple[Any, ...], data: Any, path: str) -> Any:
    if data is None and type(None) in members:
        return None
    rest = [member for member in members if member is not type(None)]
    for names, tag in ((COMMAND_NAMES, "do"), (EVENT_CODES, "code")):
        if set(rest) == set(names.values()):
            _expect(isinstance(data, dict), "an object", data, path)
            word = data.get(tag)
            if not isinstance(word, str) or word not in names:
                near = nearest(str(word), names)
                hint = f", did you mean {near!r}?" if near else f" (known: {', '.join(names)})"
                raise ValueError(f"{_at(path)}{tag}: {_short(word)} is not known{hint}")
            return _decode_fields(names[word], data, path)
    if Fraction in rest:
        return decode(Fraction, data, path)
    for cell in (Cell, _Waiting):
        if cell in rest and isinstance(data, (list, str)):
            return decode(cell, data, path)
    return decode(rest[0], data, path)


def _decode_tuple(inner: tuple[Any, ...], data: Any, path: str) -> tuple[Any, ...]:
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_decode_all(inner[0], data, path))
    _expect(isinstance(data, list) and len(data) == len(inner), f"a list of {len(inner)}", data, path)
    return tuple(decode(hint, part, f"{path}[{n}]") for n, (hint, part) in enumerate(zip(inner, data, strict=True)))


def _decode_all(hint: Any, data: Any, path: str) -> Iterable[Any]:
    _expect(isinstance(data, list), "a list", data, path)
    return [decode(hint, part, f"{path}[{n}]") for n, part in enumerate(data)]


def _decode_free(data: Any, path: str) -> Any:
    if isinstance(data, list):
        return [_decode_free(part, f"{path}[{n}]") for n, part in enumerate(data)]
    if isinstance(data, str):
        return _word(data, path)
    if isinstance(data, float):
        _expect(isfinite(data), "a finite number", data, path)
    if not isinstance(data, dict):
        return data
    tag = next(iter(data), "")
    if len(data) == 1 and tag in _TAGS:
        return _checked(lambda: _TAGS[tag](data[tag], path), path)
    return {_word(key, path): _decode_free(part, f"{path}.{key}") for key, part in data.items()}


# -- the simple shapes ------------------------------------------------------------------------------------------------


class _Waiting:
    """Stands for a cell of something that comes to a map later: ``"upper/C4"`` waits for it as it is."""


_COME_TO_A_MAP = (*COMMANDS, Leg, Mover, Link, Zone)


@cache
def _hints_to_read(kind: Any) -> Mapping[str, Any]:
    hints = hints_of(kind)
    return {name: _waiting(hint) for name, hint in hints.items()} if kind in _COME_TO_A_MAP else hints


def _waiting(hint: Any) -> Any:
    inner = tuple(_Waiting if part is Cell else part for part in get_args(hint))
    if hint is Cell or _Waiting not in inner:
        return _Waiting if hint is Cell else hint
    origin = get_origin(hint)
    return Union[inner] if origin in (Union, types.UnionType) else origin[inner]  # noqa: UP007


def _named(data: Any, path: str) -> Any:
    return _checked(lambda: values.cell_or_name(data), path) if isinstance(data, str) else _cell(data, path)


def _cell(data: Any, path: str) -> Cell:
    if isinstance(data, str):
        named: Cell = _checked(lambda: values.cell(data), path)
        return named
    whole = isinstance(data, list) and all(isinstance(part, int) and not isinstance(part, bool) for part in data)
    _expect(whole and len(data) in (2, 3), "a cell [col, row], [col, row, level] or \"C4\"", data, path)
    return Cell(*data)


def _number(data: Any, path: str) -> Fraction:
    _expect(isinstance(data, (int, str)) and not isinstance(data, bool), "a whole number or \"10/3\"", data, path)
    number: Fraction = _checked(lambda: exact(data), path)
    return number


def _of(kind: type, words: str) -> Callable[[Any, str], Any]:
    def read(data: Any, path: str) -> Any:
        _expect(isinstance(data, kind) and (kind is bool or not isinstance(data, bool)), words, data, path)
        return data

    return read


def _word(data: Any, path: str) -> str:
    _expect(isinstance(data, str), "a text", data, path)
    found: str = _checked(lambda: word(data, "a text"), path)
    return found


def _float(data: Any, path: str) -> float:
    _expect(isinstance(data, (int, float)) and not isinstance(data, bool), "a number", data, path)
    return float(_checked(lambda: coordinate(data, "a number"), path))


def _map(data: Any, path: str) -> Battlemap:
    flat: FlatMap = _decode_fields(FlatMap, data, path)
    found: Battlemap = _checked(flat.battlemap, path)
    return found


_TAGS: Mapping[str, Callable[[Any, str], Any]] = {
    "$fraction": lambda data, path: exact(data),
    "$cell": _cell,
    "$tuple": lambda data, path: tuple(_decode_free(part, path) for part in data),
    "$set": lambda data, path: frozenset(_decode_free(part, path) for part in data),
    "$map": lambda data, path: {_decode_free(key, path): _decode_free(part, path) for key, part in data},
}

_SIMPLE: Mapping[Any, Callable[[Any, str], Any]] = {
    Cell: _cell,
    _Waiting: _named,
    Fraction: _number,
    bool: _of(bool, "true or false"),
    int: _of(int, "a whole number"),
    str: _word,
    float: _float,
    Battlemap: _map,
}


def _checked(make: Callable[[], Any], path: str) -> Any:
    """The value that `make` gives, its complaint with the path before it."""
    try:
        return make()
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise ValueError(f"{_at(path)}{error}") from error


def _expect(holds: bool, wanted: str, data: Any, path: str) -> None:
    if not holds:
        raise ValueError(f"{_at(path)}expected {wanted}, found {_short(data)}")


def _at(path: str) -> str:
    return f"{path.lstrip('.')}: " if path else ""


def _short(data: Any) -> str:
    text = repr(data)
    return text if len(text) <= 60 else f"{text[:57]}..."


# -- looking at types -------------------------------------------------------------------------------------------------


def _free(hint: Any) -> bool:
    return hint in (Any, object)


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


@cache
def fields_of(kind: Any) -> Mapping[str, Any]:
    """The fields of a dataclass or named tuple with their defaults (`MISSING` where there is none)."""
    if not is_dataclass(kind):
        return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    return {field.name: _default(field) for field in fields(kind) if not field.name.startswith("_")}


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


