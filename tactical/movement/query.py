"""A question about one mover: the rule system, its options and profile, and the lattices that answer it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from typing import Any, TypedDict, TypeVar, Unpack

from tactical import values
from tactical.errors import meant
from tactical.movement import extent
from tactical.movement.asked import AT_FIRST, asked_for, ruled
from tactical.movement.graph.kept import lattice_drawn
from tactical.movement.graph.lattice import Lattice
from tactical.movement.graph.pricing import upright as upright_profile
from tactical.movement.route import State
from tactical.movement.situation import Situation
from tactical.rules.profile import Profile
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.rules.turnstate import TurnState
from tactical.search.slices import Slices, at_once
from tactical.units import Cell, quoted
from tactical.values import Place
from tactical.world.adapters import in_unit
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.sight import Sight
from tactical.world.window import Window

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(eq=False, repr=False)
class Query(Situation):
    """A situation, and the graphs that answer what is asked about it.  Make it with `ask`."""

    _lattices: dict[object, Lattice] = field(default_factory=dict, repr=False)
    kept: dict[object, Any] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"<Query of {self.mover.id!r} under {self.ruleset.name} on {self.battlemap.name or 'a map'!r}>"

    def changed(self, **changes: Any) -> Query:
        """The same question with something else in it."""
        return replace(self, _lattices={}, kept={}, **changes)

    def under(self, profile: Profile) -> Query:
        """This question, the rule system having said something else about the mover."""
        return self.changed().on(replace(self.terms, said=profile, kept={}))

    def in_truth(self) -> Query:
        """The same question about the map as it is, whatever the mover knows of it."""
        return self.changed(battlemap=self.sight.truth, sight=Sight(self.sight.truth))

    def least(self, pool: str) -> Fraction:
        """The least that one cell can cost anywhere on the map: what bounds a search."""
        return extent.least(self, pool)

    @property
    def far(self) -> tuple[tuple[Cell, Cell], ...]:
        """From where to where one may get in a single step, however far: links, and what other ways offer."""
        return extent.far(self)

    def window(self, pool: str, budget: Fraction | None, turns: int = 1) -> Window:
        """The part of the map that `budget`, spent in so many turns, can reach; with None the whole of it."""
        return extent.window(self, pool, budget, turns)

    def drawing(
        self,
        pool: str,
        budget: Fraction | None,
        *,
        limited: bool = True,
        exact: Iterable[Fraction] = (),
        turns: int = 1,
        upright: bool = False,
    ) -> Slices[Lattice]:
        """In slices: the compiled state graph of a pool of gaits, as far as `budget` in so many turns reaches.

        With `upright` postures that cannot help whoever stands are left out (`tactical.movement.graph.pricing`).
        """
        asked = (pool, budget, limited, exact := tuple(exact), turns, upright)
        if (found := self._lattices.get(asked)) is not None:
            return found
        near = self.window(pool, budget, turns)
        profile = self.profile
        if upright and self.start.posture == profile.postures[0]:
            if "upright" not in self.known:
                found_upright = upright_profile(self.battlemap, profile, self.options, profile.pools())
                self.known["upright"] = found_upright or profile
            profile = self.known["upright"]
        found = yield from self._drawn(pool, extent.wide(self, near), near, profile, limited, exact)
        self._lattices[asked] = found
        return found

    lattice = at_once(drawing)

    def drawing_of(self, pool: str, window: Window, *, limited: bool = True) -> Slices[Lattice]:
        """In slices: the compiled state graph of a pool of gaits on one window."""
        return self._drawn(pool, window, window, self.profile, limited, ())

    def _drawn(
        self, pool: str, window: Window, near: Window, profile: Profile, limited: bool, exact: Iterable[Fraction]
    ) -> Slices[Lattice]:
        more = (self.turn.spent, *exact)
        key = (pool, window, near, limited, frozenset(more), len(profile.postures))
        if key not in self._lattices:
            self._lattices[key] = yield from lattice_drawn(
                self.site(window), near, profile, self.options, pool, limited=limited, exact=more, numbers=self.known
            )
        return self._lattices[key]


class Question(TypedDict, total=False):
    """What may be said with a question about movers: the keywords that `reach`, `reach_many` and all others share."""

    rules: str | Ruleset | None
    """The rule system (None: the mover's own, else the map's)."""
    options: Mapping[str, object] | None
    """Options of the rules, over those of the map."""
    turn: TurnState | None
    """What a mover has done this turn (None: nothing)."""
    others: Iterable[Mover] | None
    """The bodies in the way (None: the map's movers); nobody is in its own."""
    known: Collection[Place] | None
    """The cells that are explored (None: all)."""
    truth: bool
    """Whether what is hidden counts."""
    goals: Iterable[Place]
    """Hazards that are meant to be entered, whatever the option `hazard_policy` says."""


class Placed(Question, total=False):
    """What may be said with a question about one mover."""

    start: State | Place | None
    """Its place instead of its own; as a `State` also posture and counters."""


UNSAID: Placed = {
    "start": None, "rules": None, "options": None, "turn": None, "others": None, "known": None, "truth": False,
    "goals": (),
}  # fmt: skip
"""What holds where nothing is said."""


def spelled_out(function: F) -> F:
    """The function with its ``**question`` spelled out: each keyword in its signature, `TypeError` for any other."""
    seen = signature(function)
    own = [one for one in seen.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    asked = Placed if "Placed" in str(seen.parameters["question"].annotation) else Question
    said = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=value, annotation=asked.__annotations__[name].__forward_arg__)
        for name, value in UNSAID.items()
        if name in asked.__annotations__
    ]
    spelled = seen.replace(parameters=[*own, *said])
    called, known = function.__qualname__.removesuffix(".__init__"), frozenset(spelled.parameters)

    @wraps(function)
    def asking(*given: Any, **question: Any) -> Any:
        for name in question:
            if name not in known:
                raise TypeError(f"{called} takes no {name!r}{meant(name, known)}")
        return function(*given, **question)

    asking.__signature__ = spelled  # type: ignore[attr-defined]
    return asking  # type: ignore[return-value]


def ask(battlemap: Battlemap, mover: Mover | str, **question: Unpack[Placed]) -> Query:
    """Put a question together: the mover's rule system, its stats checked, the options in force.

    A map in feet is measured in metres for rules in metres, and the other way round (`in_unit`), or the
    rules are measured in the map's unit, where they can be (`Ruleset.measured_in`).
    Options come from the rule system's defaults, then the map, then `options`.  Raises `UnknownName` or `RulesetError`
    for rules, stats or options that do not exist, `ValueError` for a mover that is nowhere on the map, `TypeError` for
    what is something else altogether.
    """
    asked: Placed = {**UNSAID, **question}
    if len(asked) > len(UNSAID):
        raise TypeError(f"a question is asked with {', '.join(UNSAID)}, not with {', '.join(question.keys() - UNSAID)}")
    start, rules, options, turn = asked["start"], asked["rules"], asked["options"], asked["turn"]
    others, known = asked["others"], asked["known"]
    found = battlemap.mover(mover) if isinstance(mover, str) else mover
    _kinds(found, rules, options)
    name = rules or found.rules or battlemap.rules or "plain"
    ruleset = ruled(name if isinstance(name, Ruleset) else get_ruleset(name), found)
    terms = asked_for(ruleset, battlemap, options or {}, found.stats, found.posture)
    battlemap = in_unit(battlemap, terms.ruleset.unit)
    state = turn or AT_FIRST
    if isinstance(start, State):
        found = replace(found, at=battlemap.cell_of(start.cell, "start"), posture=start.posture)
        state = replace(
            state, diagonals=start.diagonals, run_up=start.run_up * battlemap.cell, doors=max(state.doors, start.doors)
        )
    elif start is not None:
        found = replace(found, at=battlemap.cell_of(start, "start"))
    found = _placed(battlemap, found)
    bodies = None if others is None else tuple(map(battlemap.seated, values.all_of(Mover, others, "others")))
    explored = None
    if known is not None:
        explored = frozenset(battlemap.cell_of(cell, "known") for cell in values.several(known, "known"))
    sight = Sight(battlemap) if asked["truth"] else Sight(battlemap, found, explored)
    query = Query(
        sight.map(),
        found,
        terms.ruleset,
        terms.stats,
        terms.options,
        state,
        _beside(battlemap, found, bodies),
        sight,
        frozenset(battlemap.cell_of(cell, "goals") for cell in asked["goals"]) if asked["goals"] else frozenset(),
        squeezed=isinstance(start, State) and start.squeezed,
        extra=start.extra if isinstance(start, State) else (),
    )
    return query.on(terms) if turn is None and not isinstance(start, State) else query


def _kinds(mover: object, rules: object, options: object) -> None:
    """Raise `TypeError` where a question is asked with what is something else altogether."""
    if not isinstance(mover, Mover):
        raise TypeError(f"mover must be a Mover, or the id of one on the map, not {quoted(mover)}")
    if rules is not None and not isinstance(rules, (str, Ruleset)):
        raise TypeError(f"rules must be the name of a rule system, not {quoted(rules)}")
    if options is not None and type(options) is not dict and not isinstance(options, Mapping):
        raise TypeError(f"options must be a mapping of names to values, not {quoted(options)}")


def asked_alike(query: Query, battlemap: Battlemap, mover: Mover, bodies: tuple[Mover, ...] | None) -> Query:
    """The same question about another mover with the same rules and stats; `bodies` are in the way, None: the map's.

    Raises as `ask`.
    """
    found, battlemap = _placed(battlemap, mover), in_unit(battlemap, query.ruleset.unit)
    sight = Sight(battlemap, None if query.sight.viewer is None else found, query.sight.known)
    others = _beside(battlemap, found, bodies)
    alike = Query(sight.map(), found, query.ruleset, query.stats, query.options, query.turn, others, sight, query.goals)
    return alike.on(query.terms) if found.posture == query.mover.posture else alike


def _placed(battlemap: Battlemap, mover: Mover) -> Mover:
    """A mover that stands on the map.  Raises `ValueError`."""
    found = battlemap.seated(mover)
    if found.at is None:
        raise ValueError(f"mover {found.id!r} has no place on the map: give it `at` or a start")
    if found.at not in battlemap:
        raise ValueError(f"mover {found.id!r} is off the map at {found.at} ({battlemap.cols} x {battlemap.rows} cells)")
    return found


def _beside(battlemap: Battlemap, mover: Mover, bodies: tuple[Mover, ...] | None) -> tuple[Mover, ...]:
    """The bodies that stand anywhere, but for the mover's own."""
    if bodies is None:
        return battlemap.company.beside(mover.id)
    return tuple(other for other in bodies if other.id != mover.id and other.at is not None)
