"""What the words of a Tiled file mean for the ground: classes, properties, names of layers, in the map or beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactical import files
from tactical.errors import MapError
from tactical.formats import _json, decode
from tactical.formats._reading import Reading
from tactical.formats.tiled import markup
from tactical.formats.tiled.mapping import Mappings, mappings
from tactical.formats.tiled.words import BLOCKING, OPEN
from tactical.values import replaced

TILESET = 20_000_000


class Meanings(Reading):
    """The words of one file on its way to a map."""

    format = "tiled"

    def __init__(self, source: str, options: Mapping[str, Any]) -> None:
        super().__init__(source, options)
        self.blocked, self.open = (
            {word.strip().lower() for word in options[key].split(",") if word.strip()} for key in ("blocked", "open")
        )
        self.strange: Counter[str] = Counter()
        self.meanings = Mappings()
        self.tiles: dict[int, dict[str, object]] = {}
        """The facts of each tile that states any, by its number in the map."""

    def read_mappings(self) -> None:
        name = str(self.options["mapping"])
        if not name:
            return
        found = self._beside(name, (".yaml", ".yml", ".json"), "mapping file")
        if isinstance(found, str):
            self.fault(f"option mapping: {found}", "mapping")
            return
        data, shown = found
        try:
            self.meanings, document = mappings(decode(data, shown), shown)
        except MapError as error:
            self.faults += error.faults
            return
        self.faults += document.faults

    def _beside(self, name: str, suffixes: tuple[str, ...], what: str) -> tuple[bytes, str] | str:
        """The content of a file in the map's folder or below it, and its name; or why there is none, in words."""
        shown = replaced(name[-80:])
        folder = Path(self.source).parent
        try:
            file = (folder / name.replace("\\", "/")).resolve()
            inside = bool(self.source) and file.is_relative_to(folder.resolve())
            if not inside or file.suffix.lower() not in suffixes:
                return f"the {what} {shown} is not in the map's folder"
            data = files.read(file, TILESET)
        except (OSError, ValueError) as error:
            words = (error.strerror if isinstance(error, OSError) else str(error)) or "not readable"
            return f"the {what} {shown} cannot be read ({words})"
        self.files.append(str(folder / name.replace("\\", "/")))
        return data, shown

    # -- tile sets --------------------------------------------------------------------------------------------------

    def read_sets(self, given: Any) -> None:
        for n, one in enumerate(given if isinstance(given, list) else ()):
            first = whole(one.get("firstgid")) if isinstance(one, dict) else None
            if first is None or first < 1:
                self.fault("expected a tile set with a firstgid", f"tilesets[{n}]")
                continue
            found = self._outside(str(one["source"])) if "source" in one else one
            tiles = found.get("tiles") if found else None
            for tile in tiles if isinstance(tiles, list) else ():
                number = whole(tile.get("id")) if isinstance(tile, dict) else None
                if number is not None and number >= 0:
                    self.tiles[first + number] = self.facts(tile)

    def _outside(self, name: str) -> dict[str, Any] | None:
        """A tile set of another file; only one in the map's folder or below it is opened."""
        found = self._beside(name, (".tsx", ".tsj", ".json"), "tile set")
        if not isinstance(found, str):
            data, shown = found
            try:
                content = markup.read(data, shown, "tileset") if is_xml(data) else _json.read(data, shown)
            except MapError as error:
                found = f"the tile set {shown} cannot be read ({error})"
            else:
                return content if isinstance(content, dict) else None
        self.tell("warning", f"{found}: its properties are unknown")
        return None

    def facts(self, entry: Mapping[str, Any], *, quiet: bool = False) -> dict[str, object]:
        """What an entry's class and properties say of the ground; words that nobody knows are told unless `quiet`."""
        facts: dict[str, object] = {}
        for key in ("class", "type"):
            word = entry.get(key)
            if not isinstance(word, str) or not word or word in ("tilelayer", "objectgroup", "group"):
                continue
            known = self.meanings.of_class(word)
            if known is None and not quiet:
                self.strange[f"class {replaced(word[:40])}"] += 1
            facts.update(known or {})
        properties = entry.get("properties")
        if isinstance(properties, dict):
            pairs: list[tuple[Any, Any]] = list(properties.items())
        else:
            listed = properties if isinstance(properties, list) else []
            pairs = [(one.get("name"), one.get("value")) for one in listed if isinstance(one, dict)]
        for name, value in pairs:
            stated = self.meanings.of_property(str(name), value)
            if stated is None:
                self.strange[f"property {replaced(str(name)[:40])}"] += 1
            facts.update(stated or {})
        return facts

    def layer_facts(self, layer: Mapping[str, Any]) -> dict[str, object]:
        """What a layer means wherever it has a tile or an object, by its name, class and properties."""
        name = str(layer.get("name", "")).strip().lower()
        mapped = self.meanings.of_layer(name)
        own = {**self.facts({**layer, "type": ""}), **(mapped or {})}
        if name in self.blocked or (mapped is None and name in BLOCKING and name not in self.open):
            own["impassable"] = True
            self.counts["blocking"] += 1
            if name not in self.blocked:
                words = f"layer {replaced(name)!r} is read as stopping movement where it has a tile (option open)"
                self.tell("ambiguous", words)
        elif mapped is None and name in OPEN and not own:
            words = f"layer {replaced(name)!r} left open: name it by the option blocked if a tile of it stops movement"
            self.tell("warning", words)
        return own


def is_xml(data: bytes) -> bool:
    """Whether a file is the XML form."""
    return data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")


def wholes(value: Any, *keys: str) -> list[int]:
    """The whole numbers under some keys; fewer where one is none."""
    found = [whole(value.get(key)) for key in keys] if isinstance(value, dict) else []
    return [one for one in found if one is not None]


def whole(value: Any) -> int | None:
    """A whole number, which XML gives as text."""
    if isinstance(value, str) and len(value) < 10 and value.lstrip("-").isascii() and value.lstrip("-").isdigit():
        value = int(value) if value.count("-") < 2 else None
    if isinstance(value, float) and abs(value) < 1e9 and value == int(value):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9 else None
