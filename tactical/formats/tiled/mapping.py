"""A mapping file: what the layers, classes and properties of somebody's maps mean, said once for all of them.

YAML or JSON with three keys: ``layers`` (facts of the ground wherever the layer has a tile), ``classes`` (of tiles,
layers and objects) and ``properties`` (facts where the property is true, or facts by each of its values).  Facts are
those of a native map's legend; an empty entry says that the word means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tactical.errors import meant
from tactical.formats._positions import Document, Path, read
from tactical.formats.tiled import words
from tactical.world.terrain import FACTS

KEYS = ("layers", "classes", "properties")
Facts = dict[str, object]


@dataclass
class Mappings:
    """The facts of words, first by a mapping file and then by the table of words that maps use most."""

    layers: dict[str, Facts] = field(default_factory=dict)
    classes: dict[str, Facts] = field(default_factory=dict)
    properties: dict[str, dict[str, Facts]] = field(default_factory=dict)
    """The facts by the value of a property, in small letters."""

    def of_layer(self, name: str) -> Facts | None:
        """What a layer with that name means where it has a tile; None where the file says nothing of it."""
        return self.layers.get(_key(name))

    def of_class(self, name: str) -> Facts | None:
        """The facts of a class; None for one nobody knows."""
        found = self.classes.get(_key(name))
        return words.of_class(name) if found is None else found

    def of_property(self, name: str, value: Any) -> Facts | None:
        """The facts a property states; None for one that says nothing of the ground."""
        by_value = self.properties.get(_key(name))
        if by_value is None:
            return words.of_property(name, value)
        text = str(value).strip().lower()
        return by_value.get(text, by_value.get("*", {}) if text not in ("false", "0", "no", "off", "") else {})


def _key(word: object) -> str:
    return str(word).strip().lower()


def mappings(text: str, source: str) -> tuple[Mappings, Document]:
    """A mapping file and the document it was read from, which holds its faults.  Raises `UnreadableFile`."""
    document = read(text, source)
    made = Mappings()
    value = document.value
    if not isinstance(value, dict):
        document.fault(f"expected the keys {', '.join(KEYS)}")
        return made, document
    for key, entries in value.items():
        if key not in KEYS:
            hint = meant(key, KEYS, before="") or f"(known: {', '.join(KEYS)})"
            document.fault(f"unknown key {key!r}", (key,), hint=hint, key=True)
            continue
        if entries is not None and not isinstance(entries, dict):
            document.fault("expected names and what they mean", (key,))
            continue
        for name, facts in (entries or {}).items():
            _enter(made, document, key, name, facts)
    return made, document


def _enter(made: Mappings, document: Document, key: str, name: str, given: object) -> None:
    path: Path = (key, name)
    if key != "properties":
        table = made.layers if key == "layers" else made.classes
        table[_key(name)] = _facts(document, path, given)
        return
    by_value = isinstance(given, Mapping) and bool(given) and not any(one in FACTS or one == "terrain" for one in given)
    if by_value and isinstance(given, Mapping):
        facts = {_key(value): _facts(document, (*path, value), part) for value, part in given.items()}
    else:
        facts = {"*": _facts(document, path, given)}
    made.properties[_key(name)] = facts


def _facts(document: Document, path: Path, given: object) -> Facts:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        document.fault("expected facts of the ground such as {difficult: true}", path)
        return {}
    found: Facts = {}
    for fact, value in given.items():
        stated = words.of_property(str(fact), value) if fact in FACTS or fact == "terrain" else None
        if stated is None:
            hint = "" if fact in FACTS else meant(str(fact), FACTS, before="")
            document.fault(f"{fact}: {value} is no fact of the ground", (*path, str(fact)), hint=hint)
        found.update(stated or {})
    return found
