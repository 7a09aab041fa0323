"""The interface of a rule system: one value that says what the game knows about movement.

A rule system is one file in `tactical/rules/systems/` (or another package's, through the entry-point group
``tactical.rulesets``) that defines ``RULESET``: tables and small pure functions, each number naming its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from fractions import Fraction
from functools import cache
from typing import Any, get_args, get_type_hints

from tactical.errors import Refusal, RulesetError, nearest
from tactical.options import Option, Options
from tactical.registry import RULESETS
from tactical.rules.profile import Profile
from tactical.units import exact


@dataclass(frozen=True, slots=True)
class TurnState:
    """What a mover has done this turn, and what earlier turns left behind; a value, never hidden in the mover.

    `spent` is movement paid this turn, `left` (if given) replaces the rest of the present turn, `diagonals` counts
    diagonal steps of this turn, `run_up` the distance run directly before, `doors` the closed doors opened.  `dashes`
    are the extra moves bought (action, bonus); `actions` and `bonus_actions` what is left to spend; `struck` the
    enemies that have had their opportunity attack this turn.  `previous` is the speed of the last round.  `memory`
    carries a rule system's own counters (efforts, penalties, recovery) from turn to turn.
    """

    turn: int = 1
    spent: Fraction = Fraction(0)
    left: Fraction | None = None
    diagonals: int = 0
    run_up: Fraction = Fraction(0)
    doors: int = 0
    dashes: tuple[str, ...] = ()
    actions: int | None = None
    bonus_actions: int | None = None
    disengaged: bool = False
    struck: frozenset[str] = frozenset()
    previous: str = ""
    memory: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A rule system.

    `stats` is a frozen dataclass of what the system needs to know about a mover;
    `profile(stats, turn, options, posture)` says what such a mover may do this turn; `defaults` are the system's
    defaults for options of the engine.

    Where moves are rolled for: `resolve(stats, turn, options, gait, metres, grounds, rolls)` gives the outcome of a
    declared move or a Refusal, `odds(stats, turn, options, gait, metres, grounds)` every outcome with its exact chance.
    `after(stats, turn, options, gait, outcome)` is the turn with that move in it (outcome None: all went well),
    `next_turn(turn, options)` the one that follows.
    `efforts(stats, options)` are the long journeys it knows (see `tactical.rules.efforts`).
    """

    name: str
    title: str
    unit: str
    stats: type
    profile: Callable[[Any, TurnState, Options, str], Profile]
    options: tuple[Option, ...] = ()
    defaults: Mapping[str, object] = field(default_factory=dict)
    cell: Fraction = Fraction(1)
    summary: str = ""
    postures: tuple[str, ...] = ("standing",)
    speeds: tuple[str, ...] = ()
    """Where the speed of the last round matters, its possible values, slowest first."""
    example: Mapping[str, object] = field(default_factory=dict)
    """Stats of an ordinary mover, for trying the system out."""
    sheet: Callable[[], Mapping[str, object]] | None = None
    clauses: Mapping[str, str] = field(default_factory=dict)
    """What its clauses and rulings say, by id, each in a sentence of our own."""
    resolve: Callable[..., Any] | None = None
    order: Callable[[Any, TurnState, str, Options], TurnState | Refusal] | None = None
    """Take an action of the turn (``act``, ``dash``, ``bonus_dash``, ``disengage`` …); None: it counts no actions."""
    odds: Callable[..., Any] | None = None
    after: Callable[..., TurnState] | None = None
    next_turn: Callable[..., TurnState] | None = None
    efforts: Callable[..., Any] | None = None

    def options_with(self, *given: Mapping[str, object]) -> Options:
        """The options in force: engine and system defaults, then each mapping over the one before."""
        options = Options.build(self.options, self.defaults)
        for values in given:
            options = options.set(values)
        return options

    def read_stats(self, given: Mapping[str, object]) -> Any:
        """The system's stats from plain values.  Raises `RulesetError` naming the field and what it takes."""
        return read_stats(self.stats, given, self.name)


def get_ruleset(name: str) -> Ruleset:
    """The rule system called `name`.  Raises `UnknownName`."""
    found = RULESETS.get(name)
    if not isinstance(found, Ruleset):
        raise RulesetError(f"rule system {name!r}: RULESET is a {type(found).__name__}, not a Ruleset")
    return found


@cache
def _hints(model: type) -> dict[str, Any]:
    # looked up once: a map may hold hundreds of movers
    return get_type_hints(model)


def read_stats(model: type, given: Mapping[str, object], ruleset: str) -> Any:
    """Fill the dataclass `model` from plain values (numbers, words, yes/no as text or typed)."""
    hints = _hints(model)
    known = {f.name: f for f in fields(model)}
    values: dict[str, Any] = {}
    for name, value in _plain_names(model, given).items():
        if name not in known:
            near = nearest(name, known)
            raise RulesetError(
                f"{ruleset}: unknown stat {name!r}" + (f", did you mean {near!r}?" if near else "")
                + f" (known: {', '.join(known)})"
            )
        try:
            values[name] = _typed(hints[name], value)
        except (ValueError, TypeError) as error:
            raise RulesetError(f"{ruleset}: stat {name}: {error}") from error
    missing = [n for n, f in known.items() if n not in values and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise RulesetError(f"{ruleset}: missing stat(s) {', '.join(missing)}")
    try:
        return model(**values)
    except ValueError as error:
        raise RulesetError(f"{ruleset}: {error}") from error


def _plain_names(model: type, given: Mapping[str, object]) -> dict[str, object]:
    # other spellings a model names in ALIASES (``str`` for ``strength``); ``vehicle: {multiple: 4}``: vehicle_multiple
    aliases: Mapping[str, str] = getattr(model, "ALIASES", {})
    names: dict[str, object] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            names |= {f"{name}_{key}": inner for key, inner in value.items()}
        else:
            names[aliases.get(name, name)] = value
    return names


def _typed(hint: Any, value: object) -> Any:
    options = get_args(hint)
    if type(None) in options:
        if value is None or value == "":
            return None
        return _typed(next(option for option in options if option is not type(None)), value)
    if hint is bool:
        if isinstance(value, bool):
            return value
        text = str(value).strip().lower()
        if text in ("true", "yes", "on", "1"):
            return True
        if text in ("false", "no", "off", "0"):
            return False
        raise ValueError(f"expected true or false, found {value!r}")
    if hint is int:
        number = exact(value)
        if number.denominator != 1:
            raise ValueError(f"expected a whole number, found {value!r}")
        return int(number)
    if hint is Fraction:
        return exact(value)
    if hint is str:
        return str(value)
    if getattr(hint, "__origin__", None) is tuple:
        parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else list(value)  # type: ignore[call-overload]
        return tuple(_typed(options[0], part) for part in parts if part != "")
    return value
