"""How a native file is read by its shape: kinds of value, and parts, which say what their keys hold.

Everything arrives as text (see `_positions`); a kind gives it its type.  A value that does not fit is noted at its
place and left out, so that the checks of meaning still see all the rest and a reader gets one complete list of faults
instead of one round after another.  A part that then lacks a key it needs is left out whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from tactical.errors import nearest
from tactical.formats._positions import Document, Path

BROKEN: Any = object()
"""Stands for a value that was noted and is left out."""
NEEDED: Any = object()
"""Stands for the default of a key that has none."""

KEYS_MEANT = {
    **dict.fromkeys(("creatures", "tokens", "characters", "monsters", "units", "actors", "pieces"), "movers"),
    **dict.fromkeys(("walls", "doors", "fences", "edges"), "barriers"),
    **dict.fromkeys(("stairs", "ladders", "portals"), "links"),
    **dict.fromkeys(("floors", "storeys"), "levels"),
}
"""Other words for the lists of a map."""
MAPPING = "expected a mapping of keys to values"


class Unfit(ValueError):
    """A value is not what is expected, with a hint for whoever wrote it."""

    def __init__(self, words: str, hint: str = "") -> None:
        super().__init__(words)
        self.hint = hint


@dataclass(slots=True)
class Notes:
    """What came up while a file was read: the places left out, and which items of its lists were kept."""

    document: Document
    broken: set[Path] = field(default_factory=set)
    origins: dict[str, list[int]] = field(default_factory=dict)

    def unfit(self, error: ValueError, value: object, path: Path) -> Any:
        """Note a value that does not fit; gives `BROKEN`."""
        ending = "" if "is not known" in str(error) else f", found {found(value)}"
        self.document.fault(str(error) + ending, path, hint=getattr(error, "hint", ""))
        return BROKEN

    def origin(self, part: str, index: int) -> Path:
        """The path in the file of an item that was kept."""
        kept = self.origins.get(part)
        return (part, index if kept is None else kept[index])

    def cut(self, path: Path, *keys: str) -> bool:
        """Whether one of some keys was left out of the thing at `path`."""
        return any((*path, key) in self.broken for key in keys)

    def lost(self, part: str) -> bool:
        """Whether anything of a part was left out."""
        return any(path[0] == part for path in self.broken)


class Kind:
    """A kind of value: `check` gives it its type, or raises `ValueError`; `schema` is what JSON schema says of it."""

    def __init__(self, check: Callable[[Any], Any], schema: Mapping[str, Any]) -> None:
        self.check, self.schema = check, schema

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        """The value as what it means, or `BROKEN` where that was noted."""
        try:
            return self.check(value)
        except ValueError as error:
            return notes.unfit(error, value, path)

    def parts(self) -> Iterable[type[Part]]:
        """The parts that its schema refers to."""
        return ()


class Maybe(Kind):
    """A kind, or nothing."""

    def __init__(self, kind: Kind) -> None:
        branches = kind.schema.get("anyOf", [kind.schema])
        super().__init__(kind.check, {"anyOf": [*branches, {"type": "null"}]})
        self.kind = kind

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        return None if value is None else self.kind.read(value, notes, path)

    def parts(self) -> Iterable[type[Part]]:
        return self.kind.parts()


class Each(Kind):
    """A list of one kind; an item of a list of the whole map is left out alone, of another one with its list."""

    def __init__(self, kind: Kind, *, empty: bool = False) -> None:
        super().__init__(self._listed, {"items": kind.schema, "type": "array"})
        self.kind, self.empty = kind, empty

    def _listed(self, value: object) -> Sequence[object]:
        if value is None and self.empty:
            return []
        if not isinstance(value, list):
            raise Unfit("expected a list")
        return value

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        items = super().read(value, notes, path)
        if items is BROKEN:
            return BROKEN
        read = [self.kind.read(item, notes, (*path, n)) for n, item in enumerate(items)]
        broken = [n for n, item in enumerate(read) if item is BROKEN]
        if not broken:
            return read
        if len(path) > 1 or not isinstance(self.kind, Inner):
            return BROKEN
        notes.broken.update((*path, n) for n in broken)
        notes.origins[str(path[0])] = [n for n, item in enumerate(read) if item is not BROKEN]
        return [item for item in read if item is not BROKEN]

    def parts(self) -> Iterable[type[Part]]:
        return self.kind.parts()


class Pair(Kind):
    """Two of one kind; `of` are the words for both, `expected` those for a value that is no list."""

    def __init__(self, kind: Kind, of: str = "two numbers", expected: str = "a list", hint: str = "") -> None:
        schema = {"maxItems": 2, "minItems": 2, "prefixItems": [kind.schema, kind.schema], "type": "array"}
        super().__init__(lambda value: value, schema)
        self.kind, self.of, self.unlisted = kind, of, Unfit(f"expected {expected}", hint)

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        if not isinstance(value, list):
            return notes.unfit(self.unlisted, value, path)
        few = value if len(value) <= 2 else ()
        read = tuple(self.kind.read(item, notes, (*path, n)) for n, item in enumerate(few))
        if len(read) != 2:
            return notes.unfit(Unfit(f"expected {self.of}"), len(value), path)
        return BROKEN if BROKEN in read else read


class Table(Kind):
    """A mapping of one kind, by any key or by one of `keys`; an entry that does not fit is left out alone."""

    def __init__(self, kind: Kind | None = None, *, keys: Collection[str] = ()) -> None:
        names = {"propertyNames": {"enum": list(keys)}} if keys else {}
        super().__init__(mapping, {"additionalProperties": kind.schema if kind else True, "type": "object", **names})
        self.kind, self.keys = kind, keys

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        given = super().read({} if value is None and not self.keys else value, notes, path)
        if given is BROKEN or self.kind is None:
            return given
        read = {}
        for name, item in given.items():
            place = (*path, name)
            strange = self.keys and name not in self.keys
            if strange:
                notes.unfit(unknown(name, self.keys), name, place)
            value = self.kind.read(item, notes, place)
            if value is BROKEN or strange:
                notes.broken.add(place)
            else:
                read[name] = value
        return read

    def parts(self) -> Iterable[type[Part]]:
        return self.kind.parts() if self.kind else ()


class Inner(Kind):
    """A part inside another; `empty` ones may be left blank, and a `short` one written as the value of that key."""

    def __init__(
        self, part: type[Part], *, empty: bool = False, short: str = "", published: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(mapping, published or {"$ref": f"#/$defs/{part.__name__}"})
        self.part, self.empty, self.short, self.published = part, empty, short, published

    def read(self, value: object, notes: Notes, path: Path) -> Any:
        if value is None and self.empty:
            value = {}
        if self.short and isinstance(value, str):
            value = {self.short: value}
        given = super().read(value, notes, path)
        return BROKEN if given is BROKEN else self.part.read(given, notes, path)

    def parts(self) -> Iterable[type[Part]]:
        return () if self.published else (self.part,)


class Key:
    """What a key of a part holds, its default (or what makes it), and the attribute that it fills."""

    def __init__(self, kind: Kind, default: Any, spelt: str) -> None:
        self.kind, self.default, self.spelt, self.name = kind, default, spelt, ""

    def __set_name__(self, owner: type[Part], name: str) -> None:
        self.name, self.spelt = name, self.spelt or name


def key(kind: Kind, default: Any = NEEDED, *, spelt: str = "") -> Any:
    """A key of a `Part`; one without a default must be there."""
    return Key(kind, default, spelt)


class Part:
    """What all parts share: attributes given by `key`; a key nobody knows is a fault.  `stated` are those of a file."""

    keys: ClassVar[dict[str, Key]] = {}
    """As files spell them, in order, those of its bases first."""
    needed: ClassVar[tuple[str, ...]] = ()
    """Those that must be there, as files spell them."""
    _made: ClassVar[dict[str, Callable[[], Any]]] = {}

    def __init_subclass__(cls) -> None:
        own = [found for found in vars(cls).values() if isinstance(found, Key)]
        cls.keys = {**cls.keys, **{found.spelt: found for found in own}}
        cls.needed = tuple(spelt for spelt, found in cls.keys.items() if found.default is NEEDED)
        cls._made = {found.name: found.default for found in cls.keys.values() if callable(found.default)}
        for found in own:
            # what a file leaves out is found at the class
            setattr(cls, found.name, found.default)

    def __init__(self) -> None:
        self.stated: set[str] = set()
        for name, make in self._made.items():
            setattr(self, name, make())

    @classmethod
    def read(cls, value: Mapping[str, object], notes: Notes, path: Path) -> Self:
        """The part that a mapping of the file means, or `BROKEN`."""
        made = cls()
        for spelt, item in value.items():
            place, known = (*path, spelt), cls.keys.get(spelt)
            if known is None:
                notes.document.fault(f"unknown key {spelt!r}", place, key=True, hint=_known(spelt, cls.keys))
                notes.broken.add(place)
                continue
            read = known.kind.read(item, notes, place)
            if read is BROKEN:
                notes.broken.add(place)
            else:
                setattr(made, known.name, read)
                made.stated.add(known.name)
        for spelt in cls.needed:
            if spelt not in value:
                notes.document.fault(f"key {spelt!r} is missing", path)
                notes.broken.add((*path, spelt))
        return made if all(cls.keys[spelt].name in made.stated for spelt in cls.needed) else BROKEN


def mapping(value: Any) -> Mapping[str, Any]:
    """A mapping as it is.  Raises `Unfit`."""
    if isinstance(value, dict):
        return value
    raise Unfit(MAPPING, unspaced(value) if isinstance(value, str) else "")


def choice(words: Collection[str], make: Callable[[str], Any] = str) -> Callable[[object], Any]:
    """A check for one of some words."""

    def check(value: object) -> Any:
        if isinstance(value, str) and value in words:
            return make(value)
        raise unknown(value, words)

    return check


def unknown(value: object, known: Collection[str], meant: Mapping[str, str] | None = None) -> Unfit:
    """What to say of a word that is none of those known; `meant` are words for some of them."""
    near = (meant or {}).get(str(value).lower(), "") or nearest(str(value), known)
    return Unfit(f"expected one of {', '.join(known)}", f"did you mean {near!r}?" if near in known else "")


def _known(key: str, keys: Collection[str]) -> str:
    """A hint for a key that nobody knows: what may be meant, or all that there are."""
    meant = KEYS_MEANT.get(key.lower(), "")
    near = meant if meant in keys else nearest(key, keys, alike=0.7)
    return unspaced(key, keys) or (f"did you mean {near!r}?" if near else f"(known: {', '.join(keys)})")


def unspaced(text: str, keys: Collection[str] = ()) -> str:
    """What to say of ``climb:true``, which YAML takes for a single word; nothing where it is something else."""
    key, colon, value = text.strip().partition(":")
    if not colon or not value or value[0] in " /" or not key.isidentifier() or (keys and key not in keys):
        return ""
    return f"(a space after the colon: {key}: {value})"


def found(value: object) -> str:
    """What a file has instead of what was expected, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "…")
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)
