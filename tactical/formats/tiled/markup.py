"""The XML form of a Tiled file as the value that its JSON form is; nothing that a document type could do is done.

Older editors name a document type elsewhere: it is passed over unread.  One with declarations of its own is refused.
"""

from __future__ import annotations

from typing import Any
from xml.parsers import expat

from tactical.errors import Fault
from tactical.formats import UnreadableFile

DEEPEST = 64
MOST_ELEMENTS = 4_000_000
LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}


class _Refused(Exception):
    pass


class _Element:
    __slots__ = ("children", "name", "text", "values")

    def __init__(self, name: str, values: dict[str, str]) -> None:
        self.name, self.values = name, values
        self.children: list[_Element] = []
        self.text: list[str] = []

    def all(self, *names: str) -> list[_Element]:
        return [child for child in self.children if child.name in names]


def read(data: bytes, source: str, wanted: str) -> dict[str, Any]:
    """The map (or tile set) of an XML file.  Raises `UnreadableFile` with line and column."""
    root = _parsed(data, source)
    if root.name != wanted:
        raise UnreadableFile([Fault(f"expected <{wanted}>, found <{root.name[:40]}>", source, 1, 1)])
    return _set(root) if wanted == "tileset" else _map(root)


def _parsed(data: bytes, source: str) -> _Element:
    parser = expat.ParserCreate()
    parser.buffer_text = True
    top = _Element("", {})
    stack = [top]
    count = 0

    def refuse(*_: Any) -> None:
        raise _Refused("entities of a document type are not read")

    def typed(name: str, system: str | None, public: str | None, declares: int) -> None:
        if declares:
            raise _Refused("a document type with declarations (<!DOCTYPE … [ … ]>) is not read")

    def begin(name: str, values: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) > DEEPEST or count > MOST_ELEMENTS:
            raise _Refused("nested too deeply" if len(stack) > DEEPEST else "too many elements")
        if name != name.lower() and name.lower() in ("data", "map", "layer", "tileset"):
            raise _Refused(f"expected <{name.lower()}>, found <{name}>")
        child = _Element(name, values)
        stack[-1].children.append(child)
        stack.append(child)

    def written(text: str) -> None:
        stack[-1].text.append(text)

    parser.StartDoctypeDeclHandler = typed
    parser.EntityDeclHandler = parser.SkippedEntityHandler = refuse
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda name: stack.pop()
    parser.CharacterDataHandler = written
    try:
        parser.Parse(data, True)
    except _Refused as error:
        place = parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        raise UnreadableFile([Fault(str(error), source, *place)]) from None
    except (expat.ExpatError, ValueError, LookupError) as error:
        words = expat.ErrorString(error.code) if isinstance(error, expat.ExpatError) else str(error)
        place = parser.ErrorLineNumber, parser.ErrorColumnNumber + 1
        raise UnreadableFile([Fault(f"not XML: {words}", source, *place)]) from error
    return top.children[0]


def _map(root: _Element) -> dict[str, Any]:
    out: dict[str, Any] = {**root.values, "properties": _properties(root), "layers": _layers(root)}
    out["tilesets"] = [
        {"firstgid": one.values.get("firstgid"), "source": one.values["source"]}
        if "source" in one.values
        else _set(one)
        for one in root.all("tileset")
    ]
    return out


def _set(root: _Element) -> dict[str, Any]:
    tiles = [{**one.values, "properties": _properties(one)} for one in root.all("tile")]
    return {**root.values, "tiles": tiles}


def _properties(element: _Element) -> list[dict[str, Any]]:
    out = []
    for group in element.all("properties"):
        for one in group.all("property"):
            value: Any = one.values.get("value", "".join(one.text))
            if one.all("properties"):
                value = {}
            out.append({**one.values, "value": value})
    return out


def _layers(element: _Element) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for one in element.all(*LAYERS):
        layer: dict[str, Any] = {**one.values, "type": LAYERS[one.name], "properties": _properties(one)}
        # what is a layer's own class, is an attribute of that name or of the older one
        layer["class"] = one.values.get("class", "")
        if one.name == "group":
            layer["layers"] = _layers(one)
        elif one.name == "objectgroup":
            layer["objects"] = [_object(child) for child in one.all("object")]
        for data in one.all("data"):
            layer.update(encoding=data.values.get("encoding", "xml"), compression=data.values.get("compression", ""))
            chunks = data.all("chunk")
            if chunks:
                layer["chunks"] = [{**chunk.values, "data": _tiles(chunk, layer)} for chunk in chunks]
            else:
                layer["data"] = _tiles(data, layer)
        out.append(layer)
    return out


def _object(element: _Element) -> dict[str, Any]:
    found: dict[str, Any] = {**element.values, "properties": _properties(element)}
    for shape in element.all("ellipse", "point", "text", "capsule"):
        found[shape.name] = True
    for line in element.all("polygon", "polyline"):
        found[line.name] = line.values.get("points", "")
    return found


def _tiles(data: _Element, layer: dict[str, Any]) -> Any:
    if layer["encoding"] == "xml":
        return [tile.values.get("gid", "0") for tile in data.all("tile")]
    return "".join(data.text)
