"""Bands: the parts of a reach that a player sees as one colour; and how a cell of one is arrived at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tactical.movement.graph.writer import Edge
from tactical.movement.query import Query
from tactical.rules.profile import Gait


@dataclass(frozen=True, slots=True)
class Band:
    """A gait of the present turn, or a later turn.

    `name` is the key (``move``, ``dash``, ``turn-2`` …), `title` what players read; cells of the band cost more than
    the band before and at most `budget`, and at least `minimum` where the gait has one (D6: a ring).  Where the budget
    is a share of a turn, `metres` is what a whole turn of the gait covers at its own rate.  `order` names all gaits
    of a turn: what a band is painted in does not change while gaits are used up.
    """

    index: int
    name: str
    title: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    turn: int = 1
    gait: str = ""
    action: str = "free"
    metres: Fraction | None = None
    _order: tuple[str, ...] = field(default=(), repr=False, compare=False)
    _word: str = field(default="turn", repr=False, compare=False)

    @property
    def order(self) -> tuple[str, ...]:
        """The names of all gaits of a turn, open or not; empty for a band that was read from JSON."""
        return self._order

    @property
    def word(self) -> str:
        """What the rules call a turn: ``turn``, or ``round``."""
        return self._word


def bands_of(
    query: Query, now: Iterable[Gait], later: Mapping[int, Iterable[Gait]] = {}, steady: str = ""
) -> tuple[Band, ...]:
    """The gaits of this turn in order, then those of `later` turns; the key of the `steady` one is the turn alone."""
    order, word = query.gait_order, query.ruleset.turn_word
    out = [
        Band(n, g.name, g.title or g.name, g.budget, g.minimum, 1, g.name, g.action, g.metres, order, word)
        for n, g in enumerate(now)
    ]
    for turn, gaits in ((turn, tuple(gaits)) for turn, gaits in later.items()):
        for gait in gaits:
            plain = gait.name == steady
            name = f"turn-{turn}" if plain else f"turn-{turn}-{gait.name}"
            called = f"{word.capitalize()} {turn}"
            # beside others it is named too
            title = called if plain and len(gaits) == 1 else f"{called}, {gait.title or gait.name}"
            least, metres = gait.minimum, gait.metres
            out.append(Band(len(out), name, title, gait.budget, least, turn, gait.name, "free", metres, order, word))
    return tuple(out)


def whole_turn(query: Query, gait: Gait) -> Gait:
    """A gait as a whole later turn has it, where turns have no memory: the present one's may be cut by what was done.

    Its least is that of the gentlest gait of the same pool.
    """
    fresh = query.fresh_profile.gaits
    budget = next((known.budget for known in fresh if known.name == gait.name), gait.budget)
    least = min((known.minimum for known in fresh if known.pool == gait.pool), default=Fraction(0))
    return replace(gait, budget=budget, minimum=least)


@dataclass(frozen=True, slots=True)
class Arrival:
    """The cheapest way to end on a cell: the pool and turn of the search, the node, and what that turn has used."""

    band: Band
    pool: int
    turn: int
    node: int
    spent: Fraction
    cost: Fraction
    trail: tuple[Edge, ...] = ()
    """The edges of a walk that turns back on its way (option ``ring: walk``); empty for a shortest way."""
    plan: Any = field(default=None, repr=False, compare=False)
    """Where the rules remember what turns were like, the plan that ends here; None within the first turn."""


def searched_by(gaits: Sequence[Gait], alone: bool) -> Iterator[tuple[str, Fraction, str, bool]]:
    """What is searched: pools with their largest budgets, or every gait of each `alone`, by its name; which is last."""
    for pool in dict.fromkeys(gait.pool for gait in gaits):
        own = sorted((gait for gait in gaits if gait.pool == pool), key=lambda gait: gait.budget)
        if alone:
            yield from ((pool, gait.budget, gait.name, gait is own[-1]) for gait in own)
        else:
            yield pool, own[-1].budget, "", True
