"""Checks of what a caller hands in, and a mapping that stays as it is.

Values of the library are checked where they are made, so that a wrong number is refused with its name and not met as a
strange answer far away.  `ValueError` says that a value is out of place, `TypeError` that it is of another kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from enum import Enum
from fractions import Fraction
from operator import index
from typing import Any, NoReturn, TypeVar

from tactical.errors import CONTROLS
from tactical.units import Cell, exact, parse_cell, quoted, show

Number = Fraction | int | float | str
"""What a number may be given as; see `tactical.units.exact`."""

Place = Cell | tuple[int, int] | tuple[int, int, int] | str
"""What a cell may be given as: its name (``"N9"``, ``"upper/C4"``) too."""

LARGEST = 10**9
"""Largest number, and largest denominator, of a price, height or factor; larger ones do not fit whole-number search."""

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


def measure(value: object, what: str, *, least: int | None = None) -> Fraction:
    """A price, length, height or factor, exactly.

    Raises `ValueError`, naming `what` it is, for what is no finite number, is less than `least`, or has more than nine
    digits before the point or a denominator of more than nine digits.
    """
    try:
        found = value if type(value) is Fraction else exact(value)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    if abs(found.numerator) > LARGEST * found.denominator:
        raise ValueError(f"{what}: {quoted(value)} is too large, the largest is {LARGEST}")
    if found.denominator > LARGEST:
        raise ValueError(
            f"{what}: {quoted(value)} is too fine, the smallest part is 1/{LARGEST}; write a broken number as '10/3'"
        )
    if least is not None and found < least:
        raise ValueError(f"{what} must be {least} or more, not {show(found)}")
    return found


def length(value: object, what: str) -> Fraction:
    """A length greater than 0.  Raises `ValueError`."""
    found = measure(value, what)
    if found <= 0:
        raise ValueError(f"{what} must have a positive size, not {show(found)}")
    return found


def whole(value: object, what: str, *, least: int = 0, most: int = LARGEST) -> int:
    """A whole number within limits.  Raises `TypeError` or `ValueError`."""
    if type(value) is int and least <= value <= most:
        return value
    try:
        found = _counted(value)
    except TypeError:
        raise TypeError(f"{what} must be a whole number, not {quoted(value)}") from None
    if not least <= found <= most:
        raise ValueError(f"{what} must be {least} to {most}, not {quoted(found)}")
    return found


def _counted(value: Any) -> int:
    """A whole number of any make, numpy's too.  Raises `TypeError`; yes and no are none."""
    if isinstance(value, bool):
        raise TypeError
    return index(value)


def flag(value: object, what: str) -> bool:
    """True or False, of numpy's make too.  Raises `TypeError`; 0, 1 and None are neither."""
    # what a comparison of numpy's numbers gives is no bool
    found = unwrapped(value)
    if not isinstance(found, bool):
        raise TypeError(f"{what} must be True or False, not {quoted(value)}")
    return found


def coordinate(value: object, what: str) -> float:
    """A finite coordinate.  Raises `TypeError` or `ValueError`."""
    if isinstance(value, (str, bytes, bool)):
        raise TypeError(f"{what} must be a number, not {quoted(value)}")
    try:
        # whole numbers stay whole, so that files keep their looks
        found = value if isinstance(value, int) else float(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} must be a number, not {quoted(value)}") from None
    if not -LARGEST <= found <= LARGEST:
        raise ValueError(f"{what} must be a finite number, and no larger than {LARGEST}, not {quoted(value)}")
    return found


def point(value: object, what: str) -> tuple[float, float]:
    """A point (x, y).  Raises `TypeError` or `ValueError`."""
    try:
        parts: tuple[object, ...] = tuple(value)  # type: ignore[arg-type]
    except TypeError:
        parts = ()
    if len(parts) != 2:
        raise TypeError(f"{what} must be a point (x, y), not {quoted(value)}")
    return coordinate(parts[0], what), coordinate(parts[1], what)


def cell(value: object, what: str = "a cell", levels: tuple[str, ...] = ()) -> Cell:
    """A cell of whole numbers, on a map or off it.

    ``(col, row)``, ``(col, row, level)`` and a name (``"N9"``, with the names of `levels` ``"upper/C4"``) will do.
    Raises `TypeError` for what is none of these, `ValueError` for a text that names no cell.
    """
    if type(value) is Cell:
        # asked of every cell of every way
        col, row, level = value
        if type(col) is type(row) is type(level) is int:
            return value
    if isinstance(value, str):
        try:
            return parse_cell(value, levels)
        except ValueError as error:
            raise ValueError(str(error) if what == "a cell" else f"{what}: {error}") from None
    parts = tuple(value) if isinstance(value, Iterable) and not isinstance(value, bytes) else ()
    try:
        if 2 <= len(parts) <= 3:
            return Cell(*map(_counted, parts))
    except TypeError:
        pass
    words = f"{what} must be a Cell, (column, row) or (column, row, level) in whole numbers, or a name such as 'N9'"
    raise TypeError(f"{words}, not {quoted(value)}")


def cell_or_name(value: object, what: str = "a cell") -> Any:
    """A cell for a value that knows no map: like `cell`, but ``"upper/C4"`` stays the text that only the map can read.

    `Battlemap` (for movers, links and zones) and `Session` (for commands) put the cell in its place.
    """
    if isinstance(value, str) and "/" in value:
        cell(value, what, (value.strip().rsplit("/", 1)[0],))
        return value
    return cell(value, what)


def cells_or_names(given: object, what: str) -> tuple[Any, ...]:
    """Several cells, each as `cell_or_name` has it.  Raises `TypeError`; one cell alone is not several."""
    return tuple(cell_or_name(one, what) for one in several(given, what))


def several(given: object, what: str) -> Iterable[Any]:
    """What is several cells.  Raises `TypeError`; one cell alone, or one name, is not."""
    if isinstance(given, (str, bytes, Cell)) or not isinstance(given, Iterable):
        raise TypeError(f"{what} must be several cells such as ['N9', 'N10'], not {quoted(given)}")
    return given


def word(value: object, what: str, *, empty: bool = True) -> str:
    """A name or another short text on one line.

    Raises `TypeError`, or `ValueError` for an empty one where there must be something, and for one with control
    characters: these would reach terminals and pictures.
    """
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text, not {quoted(value)}")
    if not value and not empty:
        raise ValueError(f"{what} must not be empty")
    if not value.isprintable():
        strange = CONTROLS.search(value)
        if strange is not None:
            raise ValueError(f"{what} must not hold a {control(strange[0])}")
    return value


def control(sign: str) -> str:
    """A character that no name may hold, in words: ``control character (U+0007)``."""
    what = "line break" if sign in "\n\r\u2028\u2029" else "control character"
    return f"{what} (U+{ord(sign):04X})"


def replaced(text: str) -> str:
    """A text with every character replaced that no name may hold: for names that nobody can mend, as those of files."""
    return CONTROLS.sub("\ufffd", text)


def words(value: object, what: str) -> tuple[str, ...]:
    """Several texts.  Raises `TypeError`; one text alone is not several."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"{what} must be several texts such as ['a', 'b'], not {quoted(value)}")
    return tuple(word(part, what) for part in value)


def all_of(kind: type[T], values: object, what: str) -> tuple[T, ...]:
    """The values as a tuple, each of that kind.  Raises `TypeError` naming the first that is not."""
    if isinstance(values, (str, bytes, kind)) or not isinstance(values, Iterable):
        raise TypeError(f"{what} must be several of {kind.__name__}, not {quoted(values)}")
    found = tuple(values)
    # large maps are copied often, so all are looked at together first
    if not set(map(type, found)) <= {kind}:
        for n, one in enumerate(found):
            if not isinstance(one, kind):
                raise TypeError(f"{what}[{n}] must be a {kind.__name__}, not {quoted(one)}")
    return found


class Fixed(dict[K, V]):
    """A mapping that cannot be changed, but copied, compared and pickled like any other."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make a new one: {**old, 'name': value}")

    # what a dictionary can do to itself
    __setitem__: Callable[..., None] = _refuse
    __delitem__: Callable[..., None] = _refuse
    __ior__: Callable[..., Any] = _refuse
    clear: Callable[..., None] = _refuse
    pop: Callable[..., Any] = _refuse
    popitem: Callable[..., Any] = _refuse
    setdefault: Callable[..., Any] = _refuse
    update: Callable[..., None] = _refuse

    def __reduce__(self) -> tuple[type[Fixed[K, V]], tuple[dict[K, V]]]:
        return type(self), (dict(self),)

    def __copy__(self) -> Fixed[K, V]:
        return self


def fixed(value: object, what: str) -> Fixed[Any, Any]:
    """A copy of a mapping that cannot be changed, of values that a file can hold (`plain`).

    Raises `TypeError` for what is no mapping, or has keys not texts; `ValueError` for control characters in its texts.
    """
    if type(value) is Fixed:
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"{what} must be a mapping of names to values, not {quoted(value)}")
    return Fixed({word(key, f"a name in {what}"): plain(part, what) for key, part in value.items()})


DEEPEST = 30
"""How deep lists and mappings may lie in each other."""


def plain(value: object, what: str, depth: int = 0) -> Any:
    """A value that files and saved games can hold, numbers of numpy made plain ones.

    These are texts, numbers, True, False, None, cells, and lists, tuples, sets and mappings of them.  Raises
    `TypeError` for anything else, `ValueError` for control characters, numbers that are none or of more than a
    thousand digits, and what is nested too deeply.
    """
    if depth > DEEPEST:
        raise ValueError(f"{what} is nested too deeply")
    if isinstance(value, Mapping):
        return {plain(key, what, depth + 1): plain(part, what, depth + 1) for key, part in value.items()}
    for kind in (list, tuple, frozenset, set):
        if isinstance(value, kind) and not isinstance(value, Cell):
            return kind(plain(part, what, depth + 1) for part in value)
    return _alone(value, what)


def unwrapped(value: Any) -> Any:
    """The plain value of one that numpy wraps, else itself."""
    return value.item() if hasattr(value, "dtype") and not getattr(value, "shape", ()) else value


def _alone(value: Any, what: str) -> object:
    """One value that is no list or mapping, as `plain` has it."""
    value = unwrapped(value)
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, (bool, Fraction)):
        return value
    if isinstance(value, str):
        return str(word(value, what))
    if isinstance(value, Cell):
        return cell(value, what)
    if not isinstance(value, (int, float)):
        raise TypeError(f"{what} must hold texts, numbers, lists and mappings, not a {type(value).__name__}")
    try:
        exact(value)
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None
    return value


class Same:
    """A thing as a key: equal to itself alone, and kept by the key, so that no other thing comes by its number."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return object.__hash__(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.thing is other.thing


def once(kept: MutableMapping[Any, Any], key: object, make: Callable[[], T]) -> T:
    """What is kept under a key, made now where nothing is."""
    if key not in kept:
        kept[key] = make()
    found: T = kept[key]
    return found
