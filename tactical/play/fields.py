"""What the fields of a command may hold: each is checked by its type when the command is made.

So a command that exists can be written down and read back; a kept game never holds one that it cannot tell again.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from functools import cache, partial
from typing import Any, Union, get_args, get_origin, get_type_hints

from tactical import values
from tactical.units import Cell, exact, quoted, wire

VAST = 10**20
"""The largest number that a command may hold: what `exact` reads of a text, too."""

Check = Callable[[object, str], Any]


class Checked:
    """A frozen dataclass whose fields are put right, or refused, when it is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Put right, or refuse, every field.

        None where there is a default that is not None means that default.  Raises `TypeError` or `ValueError`, naming
        the field, for a value that its type does not allow.
        """
        kind: Any = type(self)
        for name, default, check, said in _checks(kind):
            given = getattr(self, name)
            if given is default:
                continue
            object.__setattr__(self, name, default if given is None and default is not MISSING else check(given, said))


@cache
def _checks(kind: Any) -> tuple[tuple[str, Any, Check, str], ...]:
    """Each field of a dataclass with its default, or `MISSING`, what checks it, and what it is called then."""
    hints, word = get_type_hints(kind), getattr(kind, "kind", "leg")
    return tuple((one.name, one.default, _check(hints[one.name]), f"{word}: {one.name}") for one in fields(kind))


def _check(hint: Any) -> Check:
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    origin, inner = get_origin(hint), [part for part in get_args(hint) if part is not type(None)]
    if origin in (Union, types.UnionType):
        # a number may be whole or broken; a place may be some other thing too, which is checked by its type alone
        chosen = Fraction if Fraction in inner else Cell if Cell in inner else inner[0]
        others = tuple(part for part in inner if isinstance(part, type) and part not in (chosen, int))
        return partial(_one_of, others, _check(chosen))
    if origin in (tuple, frozenset):
        return partial(_several, origin, inner[0])
    if origin is Mapping:
        return values.fixed
    return partial(_of, hint)


def _one_of(others: tuple[type, ...], check: Check, value: object, said: str) -> Any:
    return value if others and isinstance(value, others) else check(value, said)


def _several(kind: Callable[[Any], Any], inner: Any, value: object, said: str) -> Any:
    if inner is Cell:
        return kind(values.cells_or_names(value, said))
    if isinstance(inner, types.UnionType):
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            raise TypeError(f"{said} must be several numbers such as [12, None], not {quoted(value)}")
        check = _check(inner)
        return kind(None if one is None else check(one, f"{said}[{n}]") for n, one in enumerate(value))
    return kind(values.words(value, said) if inner is str else values.all_of(inner, value, said))


def _of(kind: type, value: object, said: str) -> object:
    if not isinstance(value, kind):
        raise TypeError(f"{said} must be a {kind.__name__}, not {quoted(value)}")
    return value


def _text(value: object, said: str) -> str:
    return str(values.word(value, said))


def _whole(value: object, said: str) -> int:
    return values.whole(value, said, least=-values.LARGEST)


def _number(value: object, said: str) -> Fraction:
    try:
        found = exact(value)
        if abs(found) > VAST:
            raise ValueError(f"{quoted(value)} is too large a number")
        # what is too long to be read back is not taken either
        exact(wire(found))
    except ValueError as error:
        raise ValueError(f"{said}: {error}") from None
    return found


_SIMPLE: Mapping[Any, Check] = {
    str: _text,
    bool: values.flag,
    int: _whole,
    Fraction: _number,
    Cell: values.cell_or_name,
    Mapping: values.fixed,
}
