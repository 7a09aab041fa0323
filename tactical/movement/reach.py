"""Reach: where a mover can get to, at what price, in which band and turn; and the way there, or why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NoReturn, Unpack

from tactical import values
from tactical.errors import Refusal
from tactical.movement.found import Found
from tactical.movement.planning.planner import route_to
from tactical.movement.planning.shut_in import shut_in
from tactical.movement.query import Placed, ask, spelled_out
from tactical.movement.rolls.chances import Chance, chances
from tactical.movement.rolls.risks import RiskyRoute, risky_routes
from tactical.movement.route import Route
from tactical.movement.why.whynot import why_not
from tactical.rules.ruleset import with_stunt as stunted
from tactical.units import Cell, exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@dataclass(eq=False, repr=False)
class Reach(Found):
    """Where one mover can get to.  Make it with `reach`."""

    def __reduce__(self) -> NoReturn:
        words = "pickle its map and its mover and ask again, or the dictionary that to_json makes of it"
        raise TypeError(f"a Reach is not pickled, for it searches on when it is asked: {words}")

    @property
    def ruleset(self) -> str:
        """Name of the rule system."""
        return self.query.ruleset.name

    @property
    def refused(self) -> Mapping[str, Refusal]:
        """The gaits that are not open this turn, and why."""
        reasons = {gait.name: self.query.refused(gait) for gait in self.profile.gaits}
        return {name: reason for name, reason in reasons.items() if reason is not None}

    def route(self, cell: Place, *, via: Iterable[Place] = (), arrive: str | None = None) -> Route | Refusal:
        """The cheapest way to end on `cell`, through the `via` cells in order, or the `Refusal` that says why not.

        `arrive` asks for a posture at the end.  Ties break by fewer diagonals, then straighter, then cell order.
        """
        return route_to(self, self._cell(cell), tuple(map(self._cell, values.several(via, "via"))), arrive)

    def why_not(self, cell: Place) -> Refusal | None:
        """The nearest reason why `cell` cannot be ended on, and what would change it; None where it can.

        A `Refusal` is false, so compare with None: ``if reach.why_not(cell) is not None``.
        """
        return why_not(self, self._cell(cell)) if self.arrival(self._cell(cell)) is None else None

    def risks(self, cell: Place, by: str = "attacks") -> tuple[RiskyRoute, ...]:
        """The ways to `cell` this turn that no other beats in both cost and risk, by rising risk, each with its route.

        `by` is ``attacks`` (opportunity attacks provoked), ``exposures`` (hazard cells entered), ``damage`` (of falls)
        ``number`` (what must be rolled; 0: nothing) or ``chance`` (that something fails; the cheapest way first).
        Empty out of this turn's reach, by ``chance`` also where nobody knows the odds.  Raises `UnknownName`.
        """
        return risky_routes(self, self._cell(cell), by)

    @cached_property
    def chances(self) -> Mapping[Cell, Chance]:
        """Every cell of this turn with its best chance, and the gait that has it; empty where odds are not known."""
        return chances(self)

    def odds(self, cell: Place) -> Fraction | None:
        """The exact chance of ending on `cell` this turn under the gait that has the best; None where unknown."""
        found = self.chances.get(self._cell(cell))
        return None if found is None else found.chance

    def threatened(self) -> Mapping[Cell, tuple[str, ...]]:
        """The cells within reach of the enemies that the mover knows of."""
        return self.query.site_everywhere.threats()


@spelled_out
def reach(
    battlemap: Battlemap,
    mover: Mover | str,
    *,
    turns: int = 1,
    gait: str = "",
    reserve: object = 0,
    arrive: str = "",
    **question: Unpack[Placed],
) -> Reach:
    """Where can this mover get to?

    `mover` is a `Mover` or the id of one on the map; `start` overrides its place (and, as a `State`, posture and
    counters); `turn` is what it has done this turn; `others` are the bodies in the way (None: the map's other
    movers); `turns` how many turns to look ahead; `known` the explored cells (None: all); `gait` restricts the bands
    to one gait and later turns to its budget; `reserve` is movement kept back; `arrive` the posture wanted at the
    end; `truth` counts what is hidden; `goals` are hazards that are meant to be entered.

    Raises `UnknownName` or `RulesetError` for rules, stats, options, gaits or postures that do not exist, `ValueError`
    for a mover off the map and numbers out of range.
    """
    return Reach(shut_in(ask(battlemap, mover, **question)), turns, gait, exact(reserve), arrive).searched()


def with_stunt(found: Reach, stunt: int | None) -> Reach | Refusal:
    """The reach of a mover whose move is a stunt, so much harder (None: it is none), or why there is no stunt."""
    if stunt is None:
        return found
    query = found.query
    turn = stunted(query.ruleset, query.stats, query.turn, query.options, stunt)
    return turn if isinstance(turn, Refusal) else found.again(query.changed(turn=turn))
