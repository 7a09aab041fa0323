"""The fields of requests: what each may hold and what it is for.  This table checks them, and is the help."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass
from enum import Enum
from fractions import Fraction
from inspect import Parameter, getdoc, signature
from typing import Any, Union, get_args, get_origin

from tactical.errors import UnknownName, meant
from tactical.hosts import given as checked
from tactical.hosts.given import Wrong
from tactical.units import MOST_TURNS, Cell
from tactical.wire.reading import COMMAND_NAMES
from tactical.wire.shapes import fields_of, keys_of

Json = dict[str, Any]

TYPES: Mapping[str, Callable[[object, str], object]] = {
    "text": checked.text, "true or false": checked.flag, "number": checked.price, "object": checked.mapping,
    "whole number": lambda value, name: checked.whole(value, name, -(2**63), 2**63), "cell": checked.shaped,
    "list": checked.listed, "list of cells": checked.listed, "id": checked.known_by,
    "handle": lambda value, name: value, "decimal": lambda value, name: value,
}  # fmt: skip
"""How a value of each type is looked at before its request is; handles and seconds are where they are used."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field: a type of `TYPES`, what it is for, the bounds of a number or the words that a text may be."""

    type: str
    does: str
    least: int | None = None
    most: int | None = None
    words: tuple[str, ...] = ()

    def check(self, value: object, name: str) -> None:
        """Raises `Wrong` for a value that this field cannot hold."""
        if self.words:
            checked.word(value, name, self.words)
        elif self.least is not None and self.most is not None:
            checked.whole(value, name, self.least, self.most)
        else:
            TYPES[self.type](value, name)

    def told(self) -> Json:
        """The field as ``help`` tells it."""
        more = {"least": self.least, "most": self.most, "words": list(self.words) or None}
        kept = {name: value for name, value in more.items() if value is not None}
        return {"type": self.type, "does": self.does, **kept}


FIELDS: Mapping[str, Field] = {
    "id": Field("id", "a number or text of the caller's, given back with the answer"),
    "do": Field("text", "which request this is"),
    "cells": Field("text", "how cells are written in the answer: [col, row] or C4", words=("pairs", "names")),
    "seconds": Field("decimal", "work that this is worth, no more than the server allows; then it ends as too-long"),
    "map": Field("handle", "the map, as load named it; or give session"),
    "session": Field("handle", "the game, as begin, open or restore named it"),
    "mover": Field("text", "who is meant, by its id"),
    "to": Field("cell", "where to"),
    "via": Field("list of cells", "cells to pass on the way, in order"),
    "arrive": Field("text", "the posture to arrive in"),
    "gait": Field("text", "the gait or band that is paid from, in every turn"),
    "turns": Field("whole number", "turns to look ahead", least=1, most=MOST_TURNS),
    "options": Field("object", "options of the rule system, other than the map's"),
    "rules": Field("text", "the rule system, other than the mover's or the map's"),
    "odds": Field("true or false", "whether chances are weighed too"),
    "by": Field("text", "which risk; where none is named, the one that the rules mean"),
    "command": Field("object", "a command with its name under do; help about commands lists them"),
    "cost": Field("number", "the price that was shown: a move that costs anything else now is refused"),
    "ram": Field("text", "the mover that is rammed at the end"),
    "stunt": Field("whole number", "how much harder the stunt makes the roll", least=0, most=1000),
    "then": Field("text", "a second skill used at the end with its number: climbing=10"),
    "dcs": Field("list", "the game master's numbers for the stretches on the way, null for no roll"),
    "seed": Field("whole number", "what the dice are thrown from", least=-(2**63), most=2**63),
    "order": Field("list", "the movers in the order of their turns, by their ids"),
    "known": Field("object", "the cells that each mover or side knows at the beginning"),
    "path": Field("text", "the file of a saved game"),
    "lines": Field("text", "a saved game as text"),
    "snapshot": Field("object", "what snapshot answered"),
    "of": Field("id", "the id of another request"),
    "about": Field("text", "one request or command alone, or all commands"),
    "begin.map": Field("handle", "the map, as load named it"),
    "rulesets.name": Field("text", "a rule system"),
    "clause": Field("text", "a clause of it, as ledgers name them: OPR-14"),
    "load.map": Field("text", "a file, or a sample map by its name; or give content or json"),
    "load.content": Field("text", "what stands in a map file"),
    "load.json": Field("object", "a map as JSON"),
    "load.format": Field("text", "the map format, where content and name do not tell it"),
    "load.options": Field("object", "options of the map format"),
    "load.overlay": Field("text", "a file that is laid over the map: cell size, terrain, movers"),
    "open.to": Field("whole number", "entries of its log to play", least=0, most=10**9),
    "draw.pixels": Field("whole number", "how wide a cell is drawn", least=1, most=512),
}
"""Every field by its name; one that means something else in a request by both."""

IN_COMMANDS: Mapping[str, str] = {
    "mover": "who does it, or to whom it is done, by its id",
    "to": "where to, or a route that was shown",
    "legs": "the way leg by leg: objects with cell, way, posture, squeezed, door",
    "rolls": "the rolls that were shown: a move that asks for others now is refused",
    "posture": "the posture that is taken",
    "gait": "the gait that is chosen or paid from, empty for none",
    "bonus": "whether the bonus action is spent on it",
    "what": "what is done, in a word",
    "door": "the door, by its id",
    "amount": "movement in the unit of the rules, negative where it is given back",
    "note": "words for the log",
    "dice": "dice to throw: 2D+1, d20+3",
    "total": "what the dice showed, with all that is added",
    "passed": "whether the roll passed, where no total is told",
    "number": "what must be reached, where the game master sets it",
    "at": "where it is set down",
    "push.cells": "the cells it is moved over, each a neighbour of the one before",
    "reveal.cells": "cells that are explored",
    "doors": "secret doors that are found, by their ids",
    "movers": "movers that are seen, by their ids",
    "stats": "stats by name, merged with what it has; null takes one away",
    "side": "whose side it is on",
    "size": "cells that it is wide",
    "reach": "cells that it strikes over",
    "hidden": "whether it is hidden",
    "knows": "ids of what it knows of",
    "name": "what it is called",
    "size_class": "its size in the words of the rules",
    "squeezed": "whether it is squeezed",
    "turn": "fields of its turn by name, those of its memory one by one",
    "barred": "cells that are shut to it for the turn",
    "state": "its damage state, in a word of the rules",
    "die": "the die thrown for it; where there is none it is thrown here",
    "countdown": "the further die of a result that takes some rounds",
}
"""The fields of commands that are not those of requests, likewise."""

ALWAYS = ("cells", "seconds")
"""What every request takes besides its own fields and ``id`` and ``do``."""

BEFORE: Mapping[str, Mapping[str, str]] = {"draw": {"cell": "pixels"}}
"""What fields were called before, in the requests that have them: still read."""

OPEN = Parameter.empty


def field_of(request: str, name: str) -> Field:
    """A field of a request."""
    return FIELDS.get(f"{request}.{name}") or FIELDS[name]


def read(request: str, handler: Callable[..., Any], data: Json) -> Json:
    """The fields of a request for its handler, each looked at.  Raises `Wrong` for one that is none, or is missing."""
    takes = signature(handler).parameters
    before = BEFORE.get(request, {})
    for old, new in before.items():
        if old in data:
            checked.one_of(**{old: data[old], new: data.get(new)})
            data = {(new if name == old else name): value for name, value in data.items()}
    strange = [name for name in data if name not in takes]
    if strange:
        known = [*takes, *ALWAYS]
        hint = meant(strange[0], known) or f" (known: {', '.join(known)})"
        raise Wrong("request", f"{request} takes no {strange[0][:60]!r}{hint}")
    missing = [name for name, one in takes.items() if one.default is OPEN and name not in data]
    if missing:
        raise Wrong("request", f"{request} needs {', '.join(missing)}")
    for name, value in data.items():
        if value is not None or takes[name].default is not None:
            field_of(request, name).check(value, name)
    return data


# -- help -------------------------------------------------------------------------------------------------------------


def helped(requests: Mapping[str, Callable[..., Any]], about: str) -> Json:
    """Requests or commands with their fields, all or one.  Raises `UnknownName`."""
    if about == "commands":
        return {name: _command(name, kind) for name, kind in sorted(COMMAND_NAMES.items())}
    if not about:
        return {name: _request(name, one) for name, one in sorted(requests.items())}
    found = {name: _request(name, requests[name]) for name in requests if name == about}
    if about in COMMAND_NAMES:
        # some words are both: a request, and a command that execute takes
        found[f"execute {about}"] = _command(about, COMMAND_NAMES[about])
    if not found:
        raise UnknownName("request or command", about, {"commands", *requests, *COMMAND_NAMES})
    return found


def _request(request: str, handler: Callable[..., Any]) -> Json:
    takes = signature(handler).parameters
    told = {}
    for name, one in takes.items():
        needed = one.default is OPEN
        told[name] = {
            **field_of(request, name).told(),
            "needed": needed,
            **({} if needed else {"default": one.default}),
        }
    for name in ALWAYS:
        default = {"default": "pairs"} if name == "cells" else {}
        told[name] = {**FIELDS[name].told(), "needed": False, **default}
    return {"does": _first(handler), "takes": list(told), "fields": told}


def _command(word: str, kind: type) -> Json:
    told: Json = {}
    for name, key in keys_of(kind).items():
        needed = key.default is MISSING
        default = {} if needed else {"default": list(key.default) if isinstance(key.default, tuple) else key.default}
        does = IN_COMMANDS.get(f"{word}.{name}") or IN_COMMANDS.get(name) or FIELDS[name].does
        told[name] = {"type": " or ".join(dict.fromkeys(_types(key.hint))), "does": does, "needed": needed, **default}
    return {"does": _first(kind), "takes": list(told), "fields": told}


def _first(thing: object) -> str:
    """The sentence that a docstring begins with."""
    return (getdoc(thing) or "").split("\n\n")[0].replace("\n", " ")


_WORDS: Mapping[Any, str] = {
    bool: "true or false", int: "whole number", float: "number", str: "text", Fraction: "number", Cell: "cell",
    Any: "anything", object: "anything",
}  # fmt: skip


def _types(hint: Any) -> Iterator[str]:
    """What may stand for a type, in the words of `TYPES`."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint in _WORDS:
        yield _WORDS[hint]
    elif origin in (Union, types.UnionType):
        # an amount is a whole number or any other: one word is enough
        members = [one for one in inner if one is not type(None) and not (one is int and Fraction in inner)]
        for one in members:
            yield from _types(one)
    elif origin in (tuple, frozenset, Collection):
        yield "list of cells" if inner[0] is Cell else "list"
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield " or ".join(str(member.value) for member in hint)
    elif origin is Mapping or fields_of(hint) is not None:
        yield "object"
