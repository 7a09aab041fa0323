"""From plain values to the models of a native file, with every fault of shape at its place in the file.

A value that does not fit is cut out after it was reported, so that the checks of meaning still see all the rest and a
reader gets one complete list of faults instead of one round after another.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError

from tactical.errors import UnknownName, nearest
from tactical.formats._positions import Document, Path
from tactical.formats.native.models import MapFile
from tactical.registry import RULESETS
from tactical.world.mover import CLASSES, POSTURES

MEANT = {"lying": "prone", "down": "prone", "crawling": "prone", "upright": "standing", "up": "standing"}
"""Words for a posture that are like no other word, or like the wrong one."""

KEYS_MEANT = {
    **dict.fromkeys(("creatures", "tokens", "characters", "monsters", "units", "actors", "pieces"), "movers"),
    **dict.fromkeys(("walls", "doors", "fences", "edges"), "barriers"),
    **dict.fromkeys(("stairs", "ladders", "portals"), "links"),
    **dict.fromkeys(("floors", "storeys"), "levels"),
}
"""Other words for the lists of a map."""

LISTS = ("barriers", "links", "zones", "levels", "movers")

EXPECTED = {
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "int_parsing": "expected a whole number",
    "int_type": "expected a whole number",
    "int_from_float": "expected a whole number",
    "string_type": "expected text",
    "dict_type": "expected a mapping of keys to values",
    "model_type": "expected a mapping of keys to values",
    "model_attributes_type": "expected a mapping of keys to values",
    "list_type": "expected a list",
    "tuple_type": "expected a list",
    "enum": "",
    "literal_error": "",
}


@dataclass(slots=True)
class Shaped:
    """The file's content in models; `origins` are the places of the list items kept, `broken` what was cut out."""

    model: MapFile
    origins: dict[str, list[int]] = field(default_factory=dict)
    broken: set[Path] = field(default_factory=set)

    def origin(self, part: str, index: int) -> Path:
        """The path in the file of an item of the model."""
        kept = self.origins.get(part)
        return (part, kept[index] if kept else index)

    def cut(self, path: Path, *keys: str) -> bool:
        """Whether one of some keys was cut out of the thing at `path`."""
        return any((*path, key) in self.broken for key in keys)

    def lost(self, part: str) -> bool:
        """Whether anything of a part was cut out."""
        return any(path[0] == part for path in self.broken)


def validate(document: Document) -> Shaped | None:
    """The content of a file as models; faults are noted in the document.  None if it is no mapping at all."""
    value = document.value
    if not isinstance(value, dict):
        document.fault(f"expected a mapping of keys to values, found {found(value)}")
        return None
    try:
        return Shaped(MapFile.model_validate(value))
    except ValidationError as error:
        problem = error
    for loc, kind, text, given in _errors(problem):
        _note(document, value, loc, kind, text, given)
    value = copy.deepcopy(value)
    origins = {name: list(range(len(value[name]))) for name in LISTS if isinstance(value.get(name), list)}
    broken: set[Path] = set()
    for _ in range(20):
        _cut(value, problem, origins, broken)
        try:
            return Shaped(MapFile.model_validate(value), origins, broken)
        except ValidationError as error:
            problem = error
    return None


def _errors(error: ValidationError) -> Iterator[tuple[Path, str, str, object]]:
    """One (place, kind, words, value) for each value that does not fit."""
    seen: set[Path] = set()
    for entry in error.errors(include_url=False):
        loc: Path = entry["loc"]
        if loc not in seen:
            seen.add(loc)
            yield loc, entry["type"], entry["msg"], {"given": entry["input"], **entry.get("ctx", {})}


def _existing(value: Any, loc: Path) -> Path:
    """The part of a pydantic place that is in the file: union branches and missing keys are not."""
    path: Path = ()
    for part in loc:
        inside = part in value if isinstance(value, dict) else isinstance(value, list) and part in range(len(value))
        if not inside:
            break
        value = value[part]
        path = (*path, part)
    return path


def _note(document: Document, value: Any, loc: Path, kind: str, text: str, context: Any) -> None:
    path = _existing(value, loc)
    given = context["given"]
    if kind == "extra_forbidden":
        key, keys = str(loc[-1]), _keys(loc[:-1])
        meant = KEYS_MEANT.get(key.lower(), "")
        near = meant if meant in keys else nearest(key, keys, alike=0.7)
        hint = f"did you mean {near!r}?" if near else f"(known: {', '.join(keys)})"
        document.fault(f"unknown key {key!r}", loc, key=True, hint=unspaced(key, keys) or hint)
    elif loc[-1] == "posture" and kind == "literal_error":
        known = _postures(value, loc)
        near = MEANT.get(str(given).lower(), "") or nearest(str(given), known)
        hint = f"did you mean {near!r}?" if near in known else ""
        document.fault(f"expected one of {', '.join(known)}, found {found(given)}", path, hint=hint)
    elif loc[-1] == "size" and str(given).strip().lower() in CLASSES:
        document.fault(f"expected a number of cells, found {found(given)}", path, hint=f"(size_class: {given})")
    elif "line" in loc and kind in ("list_type", "tuple_type"):
        words = "two corners such as [[1, 1], [4, 1]]" if loc[-1] == "line" else "a corner [column, row]"
        hint = "(corners are counted from 0 at the top left of the map: A1 lies between [0, 0] and [1, 1])"
        document.fault(f"expected {words}, found {found(given)}", path, hint=hint)
    elif kind in ("model_type", "dict_type") and isinstance(given, str) and (hint := unspaced(given)):
        document.fault(f"expected a mapping of keys to values, found {found(given)}", path, hint=hint)
    elif kind == "too_long" or (kind == "missing" and isinstance(loc[-1], int)):
        document.fault(f"expected {_how_many(loc, kind)}, found {len(given)}", path)
    elif kind == "missing":
        document.fault(f"key {str(loc[-1])!r} is missing", path)
    elif kind in ("enum", "literal_error"):
        known = re.findall(r"'([^']*)'", str(context.get("expected", text)))
        near = nearest(str(given), known)
        hint = f"did you mean {near!r}?" if near else ""
        document.fault(f"expected one of {', '.join(known)}, found {found(given)}", path, hint=hint)
    else:
        words = EXPECTED.get(kind) or re.sub(r"^(Value error, |Input should be )", "", text)
        if kind not in EXPECTED and not words.startswith("expected") and kind != "value_error":
            words = f"expected a value {words}"
        ending = "" if "is not known" in words else f", found {found(given)}"
        document.fault(words + ending, path)


def unspaced(text: str, keys: Iterable[str] = ()) -> str:
    """What to say of ``climb:true``, which YAML takes for a single word; nothing where it is something else."""
    key, colon, value = text.strip().partition(":")
    if not colon or not value or value[0] in " /" or not key.isidentifier() or (keys and key not in keys):
        return ""
    return f"(a space after the colon: {key}: {value})"


def _postures(value: Any, loc: Path) -> list[str]:
    """The postures of the rules that a mover of the file follows; of all rules where it names none."""
    own = value["movers"][loc[1]] if loc[0] == "movers" and isinstance(loc[1], int) else {}
    try:
        return list(RULESETS.get(str(own.get("rules") or value.get("rules"))).postures)
    except UnknownName:
        return [*POSTURES, "kneeling"]


def _how_many(loc: Path, kind: str) -> str:
    """What a list of fixed length holds: points where it is a line, else numbers."""
    of_points = (loc if kind == "too_long" else loc[:-1])[-1] == "line"
    return "two points" if of_points else "two numbers"


def found(value: object) -> str:
    """What a file has instead of what was expected, in words."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "…")
    if isinstance(value, Mapping):
        return "a mapping"
    return "a list" if isinstance(value, list) else str(value)


def _keys(loc: Path) -> list[str]:
    """The keys known at a place of the models."""
    model: Any = MapFile
    for part in loc:
        if isinstance(part, int) or not (isinstance(model, type) and issubclass(model, BaseModel)):
            continue
        by_alias = {info.alias or name: info for name, info in model.model_fields.items()}
        if part in by_alias:  # else the part is a glyph of the legend
            model = _inner(by_alias[part].annotation) or model
    fields: dict[str, Any] = model.model_fields
    return [info.alias or name for name, info in fields.items()]


def _inner(annotation: Any) -> Any:
    """The model inside an annotation such as ``list[BarrierPart]`` or ``BasePart | None``."""
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation if issubclass(annotation, BaseModel) else None
    if get_origin(annotation) in (list, dict, Union, UnionType) or hasattr(annotation, "__metadata__"):
        return next((inner for part in get_args(annotation) if (inner := _inner(part))), None)
    return None


def _cut(value: dict[str, Any], error: ValidationError, origins: dict[str, list[int]], broken: set[Path]) -> None:
    dropped: dict[str, set[int]] = {}
    for loc, kind, _, _ in _errors(error):
        path = _existing(value, loc)
        while len(path) > 2 and isinstance(path[-1], int):
            path = path[:-1]
        if not path:
            continue
        place = path
        if len(path) > 1 and path[0] in origins:
            place = (path[0], origins[str(path[0])][int(path[1])], *path[2:])
        broken.add((*place, loc[-1]) if kind == "missing" and isinstance(loc[-1], str) else place)
        if len(path) == 2 and path[0] in LISTS:
            dropped.setdefault(str(path[0]), set()).add(int(path[1]))
            continue
        around: Any = value
        for part in path[:-1]:
            around = around[part]
        around.pop(path[-1], None)
    for name, indices in dropped.items():
        kept = [n for n in range(len(value[name])) if n not in indices]
        value[name] = [value[name][n] for n in kept]
        origins[name] = [origins[name][n] for n in kept]
