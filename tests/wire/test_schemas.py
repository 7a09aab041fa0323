"""The published schema is the one of the code, and what the code writes holds to it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import tactical
from tactical import Cell
from tactical.assets import maps, path
from tactical.play import commands as do
from tactical.play.session import Session
from tactical.wire.schemas import schema
from tactical.wire.writing import to_json
from tests.play.boards import SYSTEMS, hall, yard
from tests.wire.test_wire import BAD, COMMANDS

FILE = "wire.schema.json"
KINDS_OF_JSON: dict[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
KNOWN = {
    "$ref", "$defs", "$schema", "title", "description", "type", "properties", "required", "additionalProperties",
    "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "const", "enum", "oneOf", "pattern",
}  # fmt: skip


def wrong(shape: dict[str, Any], data: Any, whole: dict[str, Any], at: str = "") -> str:
    """The first thing at which `data` does not hold to a schema, or nothing.  Knows the words that our schema uses."""
    assert set(shape) <= KNOWN, set(shape) - KNOWN
    if "$ref" in shape:
        return wrong(whole["$defs"][shape["$ref"].rpartition("/")[2]], data, whole, at)
    if "oneOf" in shape:
        faults = [wrong(one, data, whole, at) for one in shape["oneOf"]]
        return "" if faults.count("") == 1 else f"{at}: {faults.count('')} of {faults}"
    kind = KINDS_OF_JSON.get(shape.get("type", ""), object)
    if not isinstance(data, kind) or (isinstance(data, bool) and shape.get("type") in ("integer", "number")):
        return f"{at}: not a {shape['type']}"
    if "const" in shape and data != shape["const"]:
        return f"{at}: not {shape['const']!r}"
    if "enum" in shape and data not in shape["enum"]:
        return f"{at}: not in {shape['enum']}"
    if "pattern" in shape and not re.search(shape["pattern"], str(data)):
        return f"{at}: not like {shape['pattern']}"
    if isinstance(data, list):
        return _wrong_list(shape, data, whole, at)
    if isinstance(data, dict):
        return _wrong_object(shape, data, whole, at)
    return ""


def _wrong_list(shape: dict[str, Any], data: list[Any], whole: dict[str, Any], at: str) -> str:
    if not shape.get("minItems", 0) <= len(data) <= shape.get("maxItems", len(data)):
        return f"{at}: {len(data)} items"
    shapes = [*shape.get("prefixItems", ()), *[shape.get("items", {})] * len(data)]
    return next((f for n, part in enumerate(data) if (f := wrong(shapes[n], part, whole, f"{at}[{n}]"))), "")


def _wrong_object(shape: dict[str, Any], data: dict[str, Any], whole: dict[str, Any], at: str) -> str:
    missing = [name for name in shape.get("required", ()) if name not in data]
    if missing:
        return f"{at}: missing {missing}"
    more, properties = shape.get("additionalProperties", {}), shape.get("properties", {})
    for name, part in data.items():
        inner = properties.get(name, more)
        if inner is False:
            return f"{at}: unknown {name}"
        fault = wrong(inner, part, whole, f"{at}.{name}")
        if fault:
            return fault
    return ""


@pytest.fixture(scope="module")
def published() -> dict[str, Any]:
    """The schema as it is shipped."""
    found: dict[str, Any] = json.loads(path(FILE).read_text())
    return found


def test_the_published_schema_is_that_of_the_code(published: dict[str, Any]) -> None:
    assert published == schema(), f"write json.dumps(schema(), indent=1) into assets/{FILE}"


def test_everything_written_holds_to_it(published: dict[str, Any]) -> None:
    village = tactical.load(maps("village"))
    reach = tactical.reach(village, "raven", turns=2)
    values: list[Any] = [village, *village.movers, reach, *COMMANDS]
    values += [reach.route(cell) for cell in sorted(reach.cells())[::30]] + [reach.route(Cell(0, 99))]
    for rules in SYSTEMS:
        session = Session.new(yard(rules), order=["ada", "orc"], known={"heroes": [(0, 0), (0, 1), (0, 2), (0, 3)]})
        values.append(session.position)
        for command in (do.Move("ada", Cell(0, 2)), do.Move("ada", Cell(0, 1)), do.EndTurn("ada")):
            answer = session.execute(command)
            values += [answer, *answer] if answer else [answer]
        values += [session.position, session.position.status("ada").turn, session.position.status("ada").state]
    paused = Session.new(hall())
    paused.execute(do.Place("ada", Cell(3, 1)))
    paused.execute(do.Move("ada", Cell(3, 3)))
    values.append(paused.position)
    for value in values:
        assert not wrong(published, json.loads(json.dumps(to_json(value))), published), value


# wrong in their meaning, not in their shape
MEANING = ("posture", "1/0", "at least one", "equally", "no terrain")
SHAPES = [data for data, words in BAD if not any(word in words for word in MEANING)]


@pytest.mark.parametrize("data", SHAPES, ids=[str(n) for n in range(len(SHAPES))])
def test_what_is_refused_for_its_shape_does_not_hold_to_it(data: Any, published: dict[str, Any]) -> None:
    assert wrong(published, data, published)
