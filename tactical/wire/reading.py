"""JSON values read back into what was written (`tactical.wire.writing`).

    to_json(route)    {"schema": 1, "kind": "route", ...}      from_json(...)  an equal route

Keys at their default are left out, but for the lists that are the answer.  Numbers are integers or ``"10/3"``, a cell
is ``[col, row]`` (and its level, if not 0) or, where asked for, its name; both are read everywhere.  Reading is strict:
an unknown key or a value out of place is a `ValueError` that names its path.  What was written under the names of
fields (``reached``, ``lines``, ``end`` …) is still read.  The shapes are published as a JSON schema
(`tactical.wire.schemas`).
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import MISSING, dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from math import isfinite
from typing import Any, Union, get_args, get_origin

from tactical import values
from tactical.errors import meant
from tactical.play.commands import COMMANDS, Leg
from tactical.play.events import EVENT_TYPES
from tactical.units import Cell, exact
from tactical.values import coordinate, word
from tactical.wire.maps import FlatMap
from tactical.wire.shapes import KINDS, fields_of, free, hints_of, keys_of, shape_of, tag_of
from tactical.wire.writing import SCHEMA
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.mover import Mover

COMMAND_NAMES: Mapping[str, type] = {kind.kind: kind for kind in COMMANDS}  # type: ignore[attr-defined]
EVENT_CODES: Mapping[str, type] = {kind.code: kind for kind in EVENT_TYPES}  # type: ignore[attr-defined]


def from_json(data: Mapping[str, Any], *, on: Battlemap | None = None) -> Any:
    """The value that `to_json` wrote; names of cells with the name of a level are of the map `on`.

    A command may be as `execute` takes it, ``{"do": "move", ...}``: its ``schema`` and ``kind`` may be left out.

    Raises `ValueError` with the path of what is wrong.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"expected an object, found {_short(data)}")
    if isinstance(do := data.get("do"), str) and do in COMMAND_NAMES:
        # no other kind has the key
        data = {"schema": SCHEMA, "kind": "command", **data}
    if data.get("schema") != SCHEMA:
        raise ValueError(f"schema: expected {SCHEMA}, found {_short(data.get('schema'))}")
    kind = str(data.get("kind"))
    if kind not in KINDS:
        if kind in COMMAND_NAMES:
            raise ValueError(f"kind: {_short(kind)} is a command: write kind 'command' and do {_short(kind)}")
        hint = meant(kind, KINDS)
        raise ValueError(f"kind: {_short(kind)} is not one of {', '.join(KINDS)}{hint}")
    # the words beside an answer are for people
    rest = {key: value for key, value in data.items() if key not in ("schema", "kind", "text")}
    try:
        return decode(KINDS[kind], rest, on=on)
    except RecursionError:
        raise ValueError("nested too deeply") from None


# -- reading ----------------------------------------------------------------------------------------------------------


def decode(hint: Any, data: Any, path: str = "", on: Battlemap | None = None) -> Any:
    """The value of a known shape.  Raises `ValueError` with the path of what is wrong."""
    return Reader(on).value(hint, data, path)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads values; names of cells are of the map `on`, where they name a level."""

    on: Battlemap | None = None

    def value(self, hint: Any, data: Any, path: str) -> Any:
        if free(hint):
            return self._free(data, path)
        if hint in _CELLS:
            return self._cell(data, path, waits=hint is _Waiting)
        simple = _SIMPLE.get(hint)
        if simple is not None:
            return simple(data, path)
        origin, inner = get_origin(hint), get_args(hint)
        if origin in (Union, types.UnionType):
            return self._union(inner, data, path)
        if origin is tuple:
            return self._tuple(inner, data, path)
        if origin in (frozenset, Collection):
            return frozenset(self._all(inner[0], data, path))
        if origin is Mapping:
            _expect(isinstance(data, dict), "an object", data, path)
            return {_word(key, path): self.value(inner[1], part, f"{path}.{key}") for key, part in data.items()}
        if isinstance(hint, type) and issubclass(hint, Enum):
            return _checked(lambda: hint(data), path)
        if hint is Battlemap:
            flat: FlatMap = self._object(FlatMap, data, path)
            return _checked(flat.battlemap, path)
        return self._object(hint, data, path)

    def _object(self, kind: Any, data: Any, path: str, called: str = "") -> Any:
        """An object of a kind; what has a name (`called`) is told with it, and all the keys that it has."""
        own = fields_of(kind)
        if isinstance(data, list) and hasattr(kind, "_fields"):
            data = dict(zip(own, self._tuple_of(data, len(own), path), strict=True))
        _expect(isinstance(data, dict), "an object", data, path)
        reader, keys, hints, shape = self, keys_of(kind), hints_of(kind), shape_of(kind)
        skipped = {*shape.told, *shape.heard, *(() if (tag := tag_of(kind)) is None else tag[:1])}
        waits = kind in _COME_TO_A_MAP
        parts: dict[str, Any] = {}
        # what has a map of its own names cells of that
        for name in sorted(data, key=lambda name: hints.get(name) is not Battlemap):
            part, at, key = data[name], f"{path}.{name}" if path else name, keys.get(name)
            if key is not None and (len(key.path) == 1 or not _as_before(kind, name, part)):
                value = reader.value(_waiting(key.hint) if waits else key.hint, part, at)
                _put(parts, key.path, value, at)
                reader = Reader(value) if isinstance(value, Battlemap) else reader
            elif name in own:
                parts[name] = reader.value(hints[name], part, at)
            elif name not in skipped:
                hint = meant(name, keys)
                hint += f" (known: {', '.join(keys) or 'none'})" if called else ""
                raise ValueError(f"{_at(path)}{_at(called)}unknown key {name!r}{hint}")
        missing = [name for name, key in keys.items() if key.default is MISSING and not _held(parts, key.path)]
        if missing:
            raise ValueError(f"{_at(path)}{_at(called)}missing {', '.join(missing)}")
        return _checked(lambda: _made(kind, parts), path)

    def _union(self, members: tuple[Any, ...], data: Any, path: str) -> Any:
        if data is None and type(None) in members:
            return None
        rest = [member for member in members if member is not type(None)]
        for names, tag in ((COMMAND_NAMES, "do"), (EVENT_CODES, "code")):
            if set(rest) == set(names.values()):
                _expect(isinstance(data, dict), "an object", data, path)
                word = data.get(tag)
                if not isinstance(word, str) or word not in names:
                    hint = meant(str(word), names) or f" (known: {', '.join(names)})"
                    raise ValueError(f"{_at(path)}{tag}: {_short(word)} is not known{hint}")
                return self._object(names[word], data, path, word)
        if Fraction in rest:
            return self.value(Fraction, data, path)
        for cell in _CELLS:
            if cell in rest and isinstance(data, (list, str)):
                return self.value(cell, data, path)
        return self.value(rest[0], data, path)

    def _tuple(self, inner: tuple[Any, ...], data: Any, path: str) -> tuple[Any, ...]:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return tuple(self._all(inner[0], data, path))
        pairs = zip(inner, self._tuple_of(data, len(inner), path), strict=True)
        return tuple(self.value(hint, part, f"{path}[{n}]") for n, (hint, part) in enumerate(pairs))

    def _tuple_of(self, data: Any, length: int, path: str) -> list[Any]:
        _expect(isinstance(data, list) and len(data) == length, f"a list of {length}", data, path)
        found: list[Any] = data
        return found

    def _all(self, hint: Any, data: Any, path: str) -> Iterable[Any]:
        _expect(isinstance(data, list), "a list", data, path)
        return [self.value(hint, part, f"{path}[{n}]") for n, part in enumerate(data)]

    def _free(self, data: Any, path: str) -> Any:
        if isinstance(data, list):
            return [self._free(part, f"{path}[{n}]") for n, part in enumerate(data)]
        if isinstance(data, str):
            return _word(data, path)
        if isinstance(data, float):
            _expect(isfinite(data), "a finite number", data, path)
        if not isinstance(data, dict):
            return data
        tag = next(iter(data), "")
        if len(data) == 1 and tag in _TAGS:
            return _checked(lambda: self._tagged(tag, data[tag], path), path)
        return {_word(key, path): self._free(part, f"{path}.{key}") for key, part in data.items()}

    def _tagged(self, tag: str, data: Any, path: str) -> Any:
        """What JSON has no word for."""
        if tag == "$fraction":
            return exact(data)
        if tag == "$cell":
            return self._cell(data, path)
        if tag == "$map":
            return {self._free(key, path): self._free(part, path) for key, part in data}
        parts = [self._free(part, path) for part in data]
        return tuple(parts) if tag == "$tuple" else frozenset(parts)

    def _cell(self, data: Any, path: str, *, waits: bool = False) -> Any:
        """A cell by its numbers or name; a name that `waits` for a map stays as it is."""
        if isinstance(data, str):
            if waits and self.on is None:
                return _checked(lambda: values.cell_or_name(data), path)
            levels = () if self.on is None else self.on.level_names
            return _checked(lambda: values.cell(data, "a cell", levels), path)
        whole = isinstance(data, list) and all(isinstance(part, int) and not isinstance(part, bool) for part in data)
        _expect(whole and len(data) in (2, 3), 'a cell [col, row], [col, row, level] or "C4"', data, path)
        return Cell(*data)


# -- objects by their parts -------------------------------------------------------------------------------------------


def _as_before(kind: Any, name: str, data: Any) -> bool:
    """Whether a key holds a field as it was written before its parts became keys: ``start`` a state, not a cell."""
    return name in fields_of(kind) and isinstance(data, dict)


def _put(parts: dict[str, Any], path: tuple[str, ...], value: Any, at: str) -> None:
    for name in path[:-1]:
        parts = parts.setdefault(name, {})
        if not isinstance(parts, dict):
            raise ValueError(f"{_at(at)}{name} is given whole and in parts")
    parts[path[-1]] = value


def _held(parts: dict[str, Any], path: tuple[str, ...]) -> bool:
    found: Any = parts
    for name in path:
        if not isinstance(found, dict):
            # given whole, as a field
            return True
        if name not in found:
            return False
        found = found[name]
    return True


def _made(kind: Any, parts: Mapping[str, Any]) -> Any:
    """A value from its fields, or from the parts of these."""
    taken = {key.path[0] for key in keys_of(kind).values() if len(key.path) > 1}
    hints = hints_of(kind)
    whole = {
        name: _made(hints[name], part) if name in taken and isinstance(part, dict) else part
        for name, part in parts.items()
    }
    return kind(**whole)


# -- the simple shapes ------------------------------------------------------------------------------------------------


class _Waiting:
    """Stands for a cell of something that comes to a map later: ``"upper/C4"`` waits for it as it is."""


_COME_TO_A_MAP = (*COMMANDS, Leg, Mover, Link, Zone)


_CELLS = (Cell, _Waiting)


@cache
def _waiting(hint: Any) -> Any:
    if hint is Cell:
        return _Waiting
    inner = tuple(map(_waiting, get_args(hint)))
    if inner == get_args(hint):
        return hint
    origin = get_origin(hint)
    return Union[inner] if origin in (Union, types.UnionType) else origin[inner]  # noqa: UP007


def _number(data: Any, path: str) -> Fraction:
    _expect(isinstance(data, (int, str)) and not isinstance(data, bool), 'a whole number or "10/3"', data, path)
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


_TAGS = ("$fraction", "$cell", "$tuple", "$set", "$map")

_SIMPLE: Mapping[Any, Callable[[Any, str], Any]] = {
    Fraction: _number,
    bool: _of(bool, "true or false"),
    int: _of(int, "a whole number"),
    str: _word,
    float: _float,
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
    """A value as it stands in JSON."""
    text = (
        json.dumps(data, ensure_ascii=False, default=repr, skipkeys=True) if not isinstance(data, str) else repr(data)
    )
    return text if len(text) <= 60 else f"{text[:57]}..."
