"""The interface of a rule system: one value that says what the game knows about movement.

A rule system is one file in `tactical/rules/systems/` (or another package's, through the entry-point group
``tactical.rulesets``) that defines ``RULESET``: tables and small pure functions, each number naming its clause.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from tactical import values
from tactical.errors import PluginError, Refusal, RulesetError, bring, meant
from tactical.guard import Guarded, Ward, guard, said
from tactical.options import NO, YES, Option, Options
from tactical.registry import RULESETS
from tactical.rules.answered import OPTIONAL, WARDS, Whole
from tactical.rules.checks import Check
from tactical.rules.efforts import Effort
from tactical.rules.measured import measured
from tactical.rules.outcomes import Outcome, Ram, VehicleDamage, Worn
from tactical.rules.profile import Profile
from tactical.rules.turnstate import TurnState
from tactical.units import METRES, exact
from tactical.values import Same
from tactical.world.terrain import FACTS, Terrain

Grounds = tuple[Terrain, ...]
"""What a move goes over, in the order in which it is met."""
Rolls = tuple[int, ...]
"""Totals thrown, one for each check."""
Chances = Iterable[tuple[Outcome, Fraction]]
"""Every outcome with its chance."""


_PLAIN: Mapping[str, tuple[type | tuple[type, ...], str]] = {
    **dict.fromkeys(("name", "title", "unit", "summary", "turn_word"), (str, "a text")), "stats": (type, "a class"),
    **dict.fromkeys(("options", "postures", "speeds", "inert"), (tuple, "a tuple")), "cell": (Fraction, "a Fraction"),
    **dict.fromkeys(("defaults", "example", "refusals", "clauses"), (Mapping, "a mapping")),
}  # fmt: skip
"""What the fields of a system that are no functions must be; one given in the place of another is named."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A rule system.

    Only the first five fields must be given.  Functions are pure: they change nothing, roll nothing, and say the same
    for the same arguments.  Lengths, heights and budgets they get and give are Fractions in `unit`.

    One that raises, or gives back what it should not (a price of -1, no gaits, an inexact number), ends in a
    `PluginError` that names the system, its file and the call.
    """

    name: str
    """What maps and commands call it: ``operator``; that of its file, with ``-`` for ``_``, or of its entry point."""
    title: str
    """What people call it."""
    unit: str
    """What its distances are in, ``ft`` or ``m``.  A map in the other unit is converted before it is priced, or, with
    `lengths`, the system is: see `measured_in`."""
    stats: type
    """A frozen dataclass of what it needs to know about a mover: fields of bool, int, Fraction, str or a tuple of one
    of these, each perhaps ``| None``.  Its `__post_init__` may raise `ValueError`; ``ALIASES`` are other names."""
    profile: Callable[[Any, TurnState, Options, str], Profile]
    """``profile(stats, turn, options, posture)``: what such a mover may do this turn, as data."""
    options: tuple[Option, ...] = ()
    """Its own rulings that a table may decide otherwise."""
    defaults: Mapping[str, object] = field(default_factory=dict)
    """Its own defaults for options of the engine."""
    cell: Fraction = Fraction(1)
    """The side of a cell in `unit`, where a map of its own does not say."""
    summary: str = ""
    """One sentence for the list of rule systems."""
    postures: tuple[str, ...] = ("standing",)
    """All postures it knows, the one a mover starts in first.  `Profile.postures` are those of one mover's turn."""
    speeds: tuple[str, ...] = ()
    """Where the speed of the last round matters, its possible values, slowest first."""
    turn_word: str = "turn"
    """What its players call the turn of one mover: a turn, or a round."""
    example: Mapping[str, object] = field(default_factory=dict)
    """Stats of an ordinary mover, for trying the system out."""
    ground: Mapping[str, str] | None = None
    """Facts of ground that it reads, and what each does in a few words, besides those that count everywhere
    (`tactical.world.terrain.EVERYWHERE`); None: it does not say."""
    refusals: Mapping[str, str] = field(default_factory=dict)
    """The words of refusals of its own, by their code ``name.code``."""
    sheet: Callable[[], Mapping[str, object]] | None = None
    """``sheet()``: its tables by title, to be shown: each a word, or a mapping of rows."""
    clauses: Mapping[str, str] = field(default_factory=dict)
    """What its clauses and rulings say, by id, each in a sentence of our own."""
    resolve: Callable[[Any, TurnState, Options, str, Fraction, Grounds, Rolls], Outcome | Refusal] | None = None
    """``resolve(stats, turn, options, gait, metres, grounds, rolls)``: the outcome of a declared move over `grounds`
    (the terrains in the order they are met) with these totals rolled, or a Refusal; None: it never rolls for a whole
    move.  An outcome (`tactical.rules.outcomes.Went` will do) has at least `result`, a word
    (``ok``), `moved` (None: for the game master to say), `posture` and `failed`."""
    order: Callable[[Any, TurnState, str, Options], TurnState | Refusal] | None = None
    """``order(stats, turn, action, options)``: take an action of the turn (``act``, ``dash``, ``bonus_dash``,
    ``disengage`` …), giving the turn with it taken; None: it counts no actions.  A gait with the price ``action`` is
    paid for by ordering ``dash``; the first gait of its pool then has what was bought as its budget."""
    odds: Callable[[Any, TurnState, Options, str, Fraction, Grounds], Chances | Refusal] | None = None
    """``odds(stats, turn, options, gait, metres, grounds)``: pairs of every outcome and its exact chance, adding up to
    1, or a Refusal where a number is missing; wanted wherever `resolve` is given."""
    after: Callable[[Any, TurnState, Options, str, Any], TurnState] | None = None
    """``after(stats, turn, options, gait, outcome)``: the turn with that move in it; an outcome of None says that all
    went well.  None: a move leaves nothing behind but what was spent."""
    next_turn: Callable[[TurnState, Options], TurnState] | None = None
    """``next_turn(turn, options)``: the turn that follows, with `spent` at 0; None: `previous` and `memory` stay."""
    no_worse: Callable[[TurnState, TurnState], bool] | None = None
    """``no_worse(one, other)``: whether who begins a turn as `one` may do all that `other` may, in it and ever after;
    it keeps plans over many turns few.  None: only where both have the same `previous`, `left` and `memory`."""
    act: Callable[[Any, TurnState, Options], tuple[TurnState, int] | Refusal] | None = None
    """``act(stats, turn, options)``: an action that is no move, where actions cost dice and not a budget: the turn with
    it taken and the dice it loses (0 or less).  Only asked where there is no `order`; None: nothing is counted."""
    due: Callable[[Any, TurnState, Options], tuple[Check, ...]] | None = None
    """``due(stats, turn, options)``: the rolls that fall due as this turn ends; None: there are none."""
    tire: Callable[[Any, TurnState, Options, tuple[Check, ...], Rolls], Worn] | None = None
    """``tire(stats, turn, options, checks, rolls)``: what those rolls (fewer than checks where one failed) leave;
    wanted wherever `due` is given."""
    harm: Callable[[Any, TurnState, Options, str, int, int | None], VehicleDamage | Refusal] | None = None
    """``harm(stats, turn, options, state, die, countdown)``: what a damage state and its die do to a vehicle, the
    further die of a countdown perhaps None; None: it has no damage to vehicles."""
    ramming: Callable[[Any, TurnState, Options, str], TurnState | Refusal] | None = None
    """``ramming(stats, turn, options, target)``: the turn whose move is to end in ramming `target`; None: there is no
    ramming."""
    stunt: Callable[[Any, TurnState, Options, int], TurnState | Refusal] | None = None
    """``stunt(stats, turn, options, harder)``: the turn whose move is to be a stunt, so much harder; None: there are no
    stunts."""
    second: Callable[[Any, TurnState, Options, str, str, int], tuple[TurnState, Check] | Refusal] | None = None
    """``second(stats, turn, options, gait, skill, number)``: the turn whose move is to end in the use of another skill,
    named by its stat, and the roll of that; None: there is none."""
    ram: Callable[[Any, TurnState, Options, str, Grounds, int | None], Ram | Refusal] | None = None
    """``ram(stats, turn, options, gait, grounds, roll)``: what a ram declared in the turn needs and, unless `roll` is
    None, how it ends; wanted wherever `ramming` is given."""
    carry: Callable[[TurnState], Hashable] | None = None
    """``carry(turn)``: what of a turn a plan over several turns depends on; None: all that it leaves."""
    rest: Callable[[Any, TurnState, Options], TurnState] | None = None
    """``rest(stats, turn, options)``: the turn of who has rested: its counters begin anew; None: it has none."""
    lengths: tuple[str, ...] | None = None
    """Stats that are lengths.  Where it says (also that there are none), it is asked and answers in the map's unit."""
    inert: tuple[str, ...] = ()
    """Options of the engine that decide nothing in this system, so that nobody can set them."""
    describe: Callable[[Any, Options, Fraction, str], str] | None = None
    """``describe(stats, options, scale, unit)``: its `Profile.summary` in a unit of which one of its own is `scale`."""
    scale: Fraction = Fraction(1)
    """How many of the map's units one of its own is; 1 but for what `measured_in` makes."""
    efforts: Callable[..., tuple[Effort, ...]] | None = None
    """``efforts(stats, options)``: the long journeys it knows, each an `Effort` (see `tactical.rules.efforts`).  May
    also take ``numbers`` (level to number) and ``harder``, which a game master states; None: no long journeys."""

    def __post_init__(self) -> None:
        for name, (kind, words) in _PLAIN.items():
            if not isinstance(getattr(self, name), kind):
                raise TypeError(f"Ruleset {self.name!r}: {name}: expected {words}, not {getattr(self, name)!r}")
        if not is_dataclass(self.stats):
            raise TypeError(f"Ruleset {self.name!r}: stats: expected a frozen dataclass, not {self.stats!r}")
        guard(self, "rule system", {**WARDS, "profile": Ward(Whole(self.postures))}, OPTIONAL)
        bring(self.name, self.refusals)
        for fact in self.ground or ():
            if fact not in FACTS:
                raise TypeError(f"Ruleset {self.name!r}: ground: {fact!r} is no fact of ground{meant(fact, FACTS)}")

    def __reduce_ex__(self, protocol: Any) -> Any:
        # functions do not all pickle: one that is installed is found again by its name
        known = RULESETS.has(self.name) and RULESETS.get(self.name) is self
        return (get_ruleset, (self.name,)) if known else object.__reduce_ex__(self, protocol)

    def options_with(self, *given: Mapping[str, object]) -> Options:
        """The options in force: engine and system defaults, then each mapping over the one before."""
        try:
            options = Options.build(self.options, self.defaults, inert=self.inert)
        except Exception as error:
            # nobody has said anything yet: it is the system that states what does not exist
            whose = self.profile.whose if isinstance(self.profile, Guarded) else self.name
            raise PluginError(f"{whose}: its options or defaults: {said(error)}") from error
        for stated in given:
            options = options.set(stated)
        return options

    def measured_in(self, unit: str) -> Ruleset:
        """The system for a map in `unit`: stats, options, budgets and prices in it, a 5-foot square being 1.5 metres.

        Itself where that is its own unit, where nobody knows how long the unit is, and where it does not name its
        `lengths` (then the map is converted).
        """
        if self.lengths is None or self.unit == unit or not {self.unit, unit} <= METRES.keys():
            return self
        key = (Same(self), unit)
        if key not in _MEASURED:
            scale = METRES[self.unit] / METRES[unit]
            _MEASURED[key] = (
                self,
                replace(
                    self,
                    unit=unit,
                    scale=scale,
                    profile=measured(self.profile, self.describe, scale, unit),
                    defaults={**self.defaults, **self.options_with().scaled(scale).lengths()},
                    cell=self.cell * scale,
                ),
            )
        return _MEASURED[key][1]

    def read_stats(self, given: Mapping[str, object]) -> Any:
        """The system's stats from plain values.  Raises `RulesetError` naming the field and what it takes."""
        if self.scale != 1:
            given = {name: self._own(name, value) for name, value in given.items()}
        return read_stats(self.stats, given, self.name)

    def _own(self, name: str, value: object) -> object:
        """A stat as the system counts it; what is no number is left to be refused with its name."""
        try:
            return exact(value) / self.scale if name in (self.lengths or ()) else value
        except ValueError:
            return value


_MEASURED: dict[tuple[Same, str], tuple[Ruleset, Ruleset]] = {}
"""What `Ruleset.measured_in` made of a system, kept with it: the same every time, as answers are kept by it."""


def with_stunt(ruleset: Ruleset, stats: Any, turn: TurnState, options: Options, harder: int) -> TurnState | Refusal:
    """The turn whose move is to be a stunt, or why there is none."""
    if ruleset.stunt is None:
        return Refusal("rules.not_covered", {"why": f"stunts under {ruleset.title}"})
    return ruleset.stunt(stats, turn, options, harder)


def get_ruleset(name: str) -> Ruleset:
    """The rule system called `name`.  Raises `UnknownName`, or `PluginError` for one that cannot be used."""
    found: Ruleset = RULESETS.get(name)
    return found


@cache
def _hints(model: type) -> dict[str, Any]:
    # looked up once: a map may hold hundreds of movers
    return get_type_hints(model)


def read_stats(model: type, given: Mapping[str, object], ruleset: str) -> Any:
    """Fill the dataclass `model` from plain values (numbers, words, yes/no as text or typed)."""
    hints = _hints(model)
    known = {f.name: f for f in fields(model)}
    read: dict[str, Any] = {}
    for name, value in _plain_names(model, given).items():
        if name not in known:
            raise RulesetError(f"{ruleset}: unknown stat {name!r}{meant(name, known)} (known: {', '.join(known)})")
        try:
            read[name] = _typed(hints[name], value)
        except (ValueError, TypeError) as error:
            raise RulesetError(f"{ruleset}: stat {name}: {error}") from error
    missing = [n for n, f in known.items() if n not in read and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise RulesetError(f"{ruleset}: missing stat(s) {', '.join(missing)}")
    try:
        return model(**read)
    except (ValueError, TypeError) as error:
        raise RulesetError(f"{ruleset}: {error}") from error
    except Exception as error:
        raise PluginError(f"the rule system {ruleset!r}: its stats {model.__name__} failed: {said(error)}") from error


def _plain_names(model: type, given: Mapping[str, object]) -> dict[str, object]:
    # other spellings a model names in ALIASES (``str`` for ``strength``); ``vehicle: {multiple: 4}``: vehicle_multiple
    aliases: Mapping[str, str] = getattr(model, "ALIASES", {})
    names: dict[str, object] = {}
    known = {one.name for one in fields(model)} | set(aliases)
    for name, value in given.items():
        if isinstance(value, Mapping) and name not in known:
            names |= {f"{name}_{key}": inner for key, inner in value.items()}
        else:
            names[aliases.get(name, name)] = value
    return names


def _typed(hint: Any, value: object) -> Any:
    options = get_args(hint)
    if type(None) in options and len(options) == 2:
        if value is None or value == "":
            return None
        return _typed(next(option for option in options if option is not type(None)), value)
    if hint is bool:
        text = str(value).strip().lower()
        if isinstance(value, bool) or text in YES | NO:
            return text in YES
        raise ValueError(f"expected true or false, found {value!r}")
    if hint is int:
        number = values.measure(exact(value), "the number")
        if number.denominator != 1:
            raise ValueError(f"expected a whole number, found {value!r}")
        return int(number)
    if hint is Fraction:
        return values.measure(exact(value), "the number")
    if hint is str:
        return str(value)
    if get_origin(hint) is tuple and len(options) == 2 and options[1] is Ellipsis:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",")]
        if not isinstance(value, Iterable):
            raise ValueError(f"expected several values, found {value!r}")
        return tuple(_typed(options[0], part) for part in value if part != "")
    name = hint.__name__ if isinstance(hint, type) else str(hint)
    raise TypeError(
        f"a stat of type {name} cannot be read from a map; use bool, int, Fraction, str, tuple[…, ...] or … | None"
    )


def second_of(then: str) -> tuple[str, int]:
    """The stat of a second skill and its number.  Raises `ValueError` for what is not written ``climbing=10``."""
    stat, _, number = (part.strip() for part in then.partition("="))
    if not stat or not number.removeprefix("-").isdecimal():
        raise ValueError(f"then: a second skill is a stat of the mover with its number, e.g. climbing=10, not {then!r}")
    return stat, int(number)


def with_second(
    ruleset: Ruleset, stats: Any, turn: TurnState, options: Options, gait: str, stat: str, number: int
) -> tuple[TurnState, Check] | Refusal:
    """The turn whose move ends in the use of another skill, and the roll of that, or why there is none."""
    if ruleset.second is None:
        return Refusal("rules.not_covered", {"why": f"a second skill in a move under {ruleset.title}"})
    return ruleset.second(stats, turn, options, gait, stat, number)
