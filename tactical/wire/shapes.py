"""How values look as JSON: which keys an object has, which attribute stands under each, which may be left out.

Most types are written field by field, under their own names.  A `Shape` says where a type is written otherwise: the
states at both ends of a step are keys of the step (``from``, ``to``, ``posture`` …), its source is ``clause`` and
``ruling``.  The same table is walked by whoever writes, by whoever reads, and for the published schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, get_type_hints

from tactical.errors import Refusal
from tactical.movement.reach import Reach
from tactical.movement.route import Charge, Line, Provocation, Route, State, Step
from tactical.play.commands import COMMANDS, Command
from tactical.play.events import EVENT_TYPES, Accepted, Event
from tactical.play.position import Position
from tactical.rules.checks import Check
from tactical.rules.profile import Attacked
from tactical.rules.turnstate import TurnState
from tactical.units import wire
from tactical.wire.views import Reached, ReachedCell, ReachedGait
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys of a type where they are not its fields.

    `paths` are attributes by key (``to``: ``end.cell``); fields that no path begins with keep their names.  `told` is
    written and never read, for what follows from the rest; `heard` may stand there and is not read either: what the
    command line says besides.  `rare` keys are left out at their default even where every key is written, `always`
    ones are never left out.
    """

    paths: Mapping[str, str] = field(default_factory=dict)
    told: Mapping[str, Callable[[Any], object]] = field(default_factory=dict)
    heard: tuple[str, ...] = ()
    rare: frozenset[str] = frozenset()
    always: frozenset[str] = frozenset()


class Key(NamedTuple):
    """One key of a type: the attributes that lead to its value, the type of that, and its default or `MISSING`."""

    path: tuple[str, ...]
    hint: Any
    default: Any
    read: Callable[[Any], Any]


KINDS: Mapping[str, Any] = {
    "map": Battlemap,
    "mover": Mover,
    "state": State,
    "reach": Reached,
    "route": Route,
    "path": Route,
    "refusal": Refusal,
    "turn": TurnState,
    "position": Position,
    "accepted": Accepted,
    "command": Command,
    "event": Event,
}
"""What `from_json` reads, by the word under ``kind``; `to_json` writes the first word of a type."""


def kind_of(value: object) -> str | None:
    """The word for a value, or None where it has no JSON form of its own."""
    if type(value) in COMMANDS:
        return "command"
    if type(value) in EVENT_TYPES:
        return "event"
    if isinstance(value, Reach):
        return "reach"
    return next((word for word, known in KINDS.items() if type(value) is known), None)


SOURCE = {"clause": "source.clause", "ruling": "source.ruling"}
_REST = tuple(name for name in State._fields if name != "cell")
_COUNTERS = frozenset(_REST) - {"posture"}


def _state(state: str, cell: str, before: str = "") -> dict[str, str]:
    """The keys of a state: its cell under a name of its own, the rest under theirs (with something before them)."""
    return {cell: f"{state}.cell", **{before + name: f"{state}.{name}" for name in _REST}}


def _rest_of(before: str) -> frozenset[str]:
    return frozenset(before + name for name in _REST)


def _chance(check: Check) -> object:
    chance = check.chance()
    return None if chance is None else wire(chance)


SHAPES: Mapping[type, Shape] = {
    Step: Shape(
        {**_state("start", "from", "from_"), **_state("end", "to"), **SOURCE},
        rare=_rest_of("from_") | _COUNTERS | {"door", "full"},
    ),
    Route: Shape(
        {**_state("start", "start", "start_"), **_state("end", "to"), "ledger": "lines"},
        heard=("map", "session", "mover", "rules", "options", "odds", "resolved", "later"),
        rare=_rest_of("start_") | _COUNTERS,
        always=frozenset({"steps", "ledger", "stops", "rounds", "attacked"}),
    ),
    Attacked: Shape(SOURCE),
    Charge: Shape(SOURCE, rare=frozenset({"what", "also"})),
    Line: Shape(SOURCE, rare=frozenset({"full", "rulings"})),
    Provocation: Shape(SOURCE),
    Check: Shape(told={"chance": _chance}),
    Reached: Shape(
        {**_state("start", "start"), "cells": "reached"},
        heard=("map", "session"),
        rare=_COUNTERS,
        always=frozenset({"cells"}),
    ),
    ReachedCell: Shape(heard=("chance", "chance_gait", "own_chance", "ends", "result")),
    ReachedGait: Shape(SOURCE),
    Refusal: Shape(told={"text": lambda refusal: refusal.text}, always=frozenset({"params"})),
}
_PLAIN = Shape()


def shape_of(kind: Any) -> Shape:
    """How a type is written."""
    return SHAPES.get(kind, _PLAIN)


@cache
def keys_of(kind: Any) -> Mapping[str, Key]:
    """Every key of a dataclass or named tuple that is read, in the order in which they are written."""
    paths, hints, known = shape_of(kind).paths, hints_of(kind), fields_of(kind)
    taken: dict[str, list[str]] = {path.split(".")[0]: [] for path in paths.values()}
    for key, path in paths.items():
        taken[path.split(".")[0]].append(key)
    found: dict[str, Key] = {}
    for name in known:
        for key in taken.get(name, [name]):
            path = paths.get(key, key)
            names = tuple(path.split("."))
            found[key] = Key(names, *_inner(hints, known, names), attrgetter(path))
    return found


def _inner(hints: Mapping[str, Any], known: Mapping[str, Any], path: tuple[str, ...]) -> tuple[Any, Any]:
    """Type and default of what a path leads to."""
    hint, default = hints[path[0]], known[path[0]]
    for name in path[1:]:
        default = fields_of(hint)[name] if default is MISSING else getattr(default, name)
        hint = hints_of(hint)[name]
    return hint, default


@cache
def tag_of(kind: Any) -> tuple[str, str] | None:
    """The key and word that tell a command (``do``) or an event (``code``) from the others: a constant of its class."""
    for name, key in (("kind", "do"), ("code", "code")):
        if getattr(kind, "__annotations__", {}).get(name) == "ClassVar[str]":
            return key, getattr(kind, name)
    return None


@cache
def hints_of(kind: Any) -> Mapping[str, Any]:
    """The types of the fields of a dataclass or named tuple."""
    return get_type_hints(kind)


@cache
def fields_of(kind: Any) -> Mapping[str, Any]:
    """The fields of a dataclass or named tuple with their defaults (`MISSING` where there is none)."""
    if not is_dataclass(kind):
        return {name: kind._field_defaults.get(name, MISSING) for name in kind._fields}
    return {field.name: _default(field) for field in fields(kind) if not field.name.startswith("_")}


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def free(hint: Any) -> bool:
    """Whether a field takes anything."""
    return hint in (Any, object)
