"""What every key of a native map means, in the words that editors show beside it."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from enum import Enum
from fractions import Fraction
from inspect import cleandoc
from typing import Any

from tactical.formats.native.shape import NEEDED, Part

FACTS = {
    "impassable": "Nobody can enter it: rock, a tree, a pillar.",
    "difficult": "Slow going: mud, brush, rubble. The rules say how slow.",
    "rough": "Rough ground, for rules that ask for it apart from difficult (twelve-second turns).",
    "climb": "It is climbed: a rock face, stacked crates.",
    "swim": "It is swum, whatever the depth.",
    "water": "How deep: shallow is below the waist, wading from waist to neck, deep over the neck.",
    "depth": "Depth of the water in metres, against the waist and neck of who wades (twelve-second turns); water wins.",
    "current": "How the water moves; rules may ask for a roll.",
    "slick": "Slippery: a bad place to jump from or to, and reason for a roll.",
    "uneven": "Uneven: a bad place to jump from or to.",
    "unstable": "It gives way: a bad place to jump from or to.",
    "level": "Difficulty of the ground for the D6 systems, Very Easy to Heroic. Not a floor: floors are in levels. "
    "Left out, a terrain of the level guide says it (thick_forest, minefield ...).",
    "number": "The number to roll on this ground, inside the band of its level: VE 1-5, E 6-10, M 11-15, D 16-20, "
    "VD 21-30, H 31 and up.",
    "level_numbers": "The number to roll when the speed shifts the level of the ground: one for each level.",
    "elevation": "Height of the ground in the map's unit; steps of more than a cell's side are ledges.",
    "uphill": "Whether a step in here counts as uphill; left out, the elevation tells.",
    "gap": "Nothing to stand on: it can only be jumped or flown over.",
    "headroom": "How low one must be to fit: crouched, or prone.",
    "no_stop": "It can be passed, but no turn may end here.",
    "hazard": "What hurts here (fire, lava, acid); plans go round it unless it is asked for.",
    "unknown": "Not explored: movers do not know what is here.",
    "arduous": "Hard country on a long march.",
    "factor": "A referee's own price: a foot here costs this many. For the plain rules.",
    "check": "A referee's own roll, [dice, number to meet]: [2, 7] is 2D against 7.",
}

BARRIER = {
    "id": "Its name, for opening and knowing it: doors should have one.",
    "cell": "With side: the cell it stands at a side of.",
    "side": "With cell: north, east, south, west (hex grids also northeast ...).",
    "line": "Instead of cell and side: from one point to another in cells, [0, 0] being the map's top left corner.",
    "kind": "What it is. A window stops walking and not sight, a low wall and a fence can be climbed over.",
    "state": "For doors: open, closed, locked, or secret (a wall to those who do not know it).",
    "one_way": "The way that is free: left or right across the line as drawn, or a direction such as north. The other "
    "way it is a wall.",
    "cost": "What getting through or over costs on top, in the map's unit.",
    "bottom": "It begins at this height; whoever is lower passes below.",
    "top": "It ends at this height; whoever is higher passes above.",
    "level": "The floor it stands on, by name. Left out: the first, or the one it is written in.",
    "truth": "What it really is, where movers believe what kind and state say: an illusion, a false wall.",
    "stops": "It stops only these modes of moving, e.g. [drive]; all others pass.",
    "gone": "Over a base: its barrier of this id, or at this place, is taken away.",
}

WORDS: dict[str, dict[str, str]] = {
    "": {
        "schema": "Version of this format; 1.",
        "name": "What the map is called.",
        "base": "Another map file to lay this one over, in any format: its name, or its name and import options.",
        "grid": "The grid: square or hex, the side of a cell, its unit.",
        "rules": "The rule system movers use that name none themselves.",
        "options": "Rulings of the table, by name; `tactical rulesets NAME` lists them.",
        "legend": "What each glyph of the rows means: a terrain and its facts. '.' is plain ground.",
        "level": "The name of the floor that rows draw; only needed with several floors.",
        "height": "How high that floor lies, in the map's unit.",
        "rows": "The ground, a glyph a cell and a line a row. Over a base, '.' keeps what is there.",
        "barriers": "Walls, doors, windows, fences: thin things between cells.",
        "links": "Stairs, ladders, portals: ways between cells that do not touch.",
        "zones": "Facts laid over cells: fog, a spell, an aura, a closed-off area.",
        "levels": "Further floors.",
        "movers": "Creatures and vehicles.",
        "picture": "A picture file beside the map, shown under it.",
    },
    "GridPart": {
        "type": "square, or by how they are laid out a hex grid or staggered squares.",
        "cell": "The side of a cell in unit: 5 for five feet, 1.5 for a metre and a half.",
        "unit": "ft or m.",
    },
    "GroundPart": {"terrain": "What players call it; ledgers name it.", **FACTS},
    "ZonePart": {
        "cells": 'Which cells: C4, a rectangle "A1:B3", or [2, 3] from 0.',
        "terrain": "What players call the ground there; ledgers name it.",
        "source": "The mover the zone comes from; it is not affected itself.",
        **FACTS,
    },
    "BarrierPart": BARRIER,
    "LinkPart": {
        "from": "One end.",
        "to": "The other end.",
        "level": "The floor of to, by name, where to does not say it (upper/C4).",
        "cost": "What taking it costs, in the map's unit.",
        "kind": "stairs, ladder, portal, lift ...; ledgers name it.",
        "two_way": "Whether it can be taken back.",
        "id": "Its name.",
        "gone": "Over a base: the base's link between these cells is taken away.",
    },
    "MoverPart": {
        "id": "Its name for --mover and in answers; no two alike.",
        "at": "The cell it stands on; the top left one of a larger body.",
        "side": "Its party: the same word is a friend, another one an enemy, none a bystander.",
        "size": "The side of its body in cells: 2 covers 2 x 2.",
        "size_class": "Its size as a word; by default it follows from size.",
        "posture": "How it starts.",
        "reach": "How far it strikes, in cells (not feet): 1 is the cells around it.",
        "rules": "Its rule system, instead of the map's.",
        "stats": "What its rule system asks for; `tactical rulesets NAME` lists the stats.",
        "name": "What players call it; by default the id.",
        "hidden": "Other sides do not know of it.",
        "knows": "Ids of the secret doors it knows.",
        "gone": "Over a base: the base's mover of this id is taken away.",
    },
    "LevelPart": {
        "name": "The floor's name; its cells are written name/C4.",
        "height": "How high it lies, in the map's unit.",
        "rows": "Its ground, as large as the first floor's.",
        "barriers": "What stands on it.",
    },
    "PicturePart": {
        "file": "Its file, in the map's folder or below.",
        "pixels": "The width of a cell in the picture.",
        "offset": "Where in the picture the grid begins.",
    },
    "BasePart": {
        "file": "Its file, in the map's folder or below.",
        "format": "Its format, if its content does not tell.",
        "options": "Import options of that format; `tactical formats` lists them.",
    },
}
"""Part of a map (the whole: an empty name), key, meaning."""


def described(whole: type[Part], choices: Iterable[type[Enum]] = ()) -> dict[str, Any]:
    """The JSON schema of a part and all inside it, with a description at every key; `choices` are named ones."""
    inner: dict[str, type[Part]] = {}
    _gather(whole, inner)
    named = {part.__name__: _part(part) for part in inner.values()}
    for kind in choices:
        values = [member.value for member in kind]
        named[kind.__name__] = {"description": kind.__doc__, "enum": values, "title": kind.__name__, "type": "string"}
    schema = deepcopy({**_part(whole), "$defs": named})
    for name, words in WORDS.items():
        if name == "BasePart":
            place = schema["properties"]["base"]["anyOf"][1]
        else:
            place = schema["$defs"][name] if name else schema
        for key, text in words.items():
            place["properties"][key]["description"] = text
    return schema


def _gather(part: type[Part], into: dict[str, type[Part]]) -> None:
    for key in part.keys.values():
        for inner in key.kind.parts():
            into[inner.__name__] = inner
            _gather(inner, into)


def _part(part: type[Part]) -> dict[str, Any]:
    properties = {}
    for spelt, key in part.keys.items():
        schema = {**key.kind.schema, "title": spelt.replace("_", " ").title()}
        if key.default is not NEEDED and not callable(key.default):
            schema["default"] = str(key.default) if isinstance(key.default, Fraction) else key.default
        properties[spelt] = schema
    whole = {"additionalProperties": False, "description": cleandoc(part.__doc__ or ""), "properties": properties}
    if part.needed:
        whole["required"] = list(part.needed)
    return {**whole, "title": part.__name__, "type": "object"}
