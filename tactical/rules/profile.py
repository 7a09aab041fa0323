"""What a rule system says about one mover in one turn, as data.

A `Profile` never sees a map.  The movement engine asks it once for every distinct (pool, posture, kind of ground) what a
unit of distance costs there (`pace`) and turns the exact answers into whole ticks itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from tactical.errors import Refusal
from tactical.rules.checks import Check, Demand
from tactical.world.terrain import Terrain


@dataclass(frozen=True, slots=True)
class Source:
    """Where a number comes from: a clause id (``OPR-14``) and, where the text is silent, the ruling used."""

    clause: str = ""
    ruling: str = ""

    def __str__(self) -> str:
        return self.clause + (f" *{self.ruling}" if self.ruling else "")


@dataclass(frozen=True, slots=True)
class Factor:
    """One multiplier of a step's cost; `name` is a word of the ledger (``difficult``, ``crawl`` …)."""

    name: str
    value: Fraction
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class Pace:
    """Cost of moving over one kind of ground in one posture.

    A unit of distance costs `base` (in the budget's unit) times the joined `factors` times each of `final` (which
    multiply whatever the stacking option says).  `mode` is how one moves (``walk``, ``crawl``, ``climb``, ``swim``,
    ``wade`` …); `on_foot` tells whether the distance counts as run-up; `check` is a roll that the ground calls for.
    """

    mode: str = "walk"
    base: Fraction = Fraction(1)
    factors: tuple[Factor, ...] = ()
    final: tuple[Factor, ...] = ()
    source: Source = Source()
    on_foot: bool = True
    check: Check | None = None

    def joined(self, stacking: str, extra: tuple[Factor, ...] = ()) -> Fraction:
        """The whole factor under ``multiply``, ``add`` (1 + the sum of excesses) or ``max``."""
        values = [factor.value for factor in (*self.factors, *extra)]
        return join(values, stacking) * prod((factor.value for factor in self.final), start=Fraction(1))


def join(values: list[Fraction], stacking: str) -> Fraction:
    """Several factors as one: their product, 1 + the sum of what each adds, or the largest (OPR-A01)."""
    if not values:
        return Fraction(1)
    if stacking == "add":
        return 1 + sum((value - 1 for value in values), start=Fraction(0))
    if stacking == "max":
        return max(values)
    return prod(values, start=Fraction(1))


@dataclass(frozen=True, slots=True)
class Gait:
    """A named way to spend a turn: a band of the reach.

    `budget` is what it buys in all, `minimum` what it must use at least.  Gaits of the same `pool` share their paces (one
    search serves them all); `action` is ``free``, ``action``, ``bonus``, ``exclusive`` … ; `refused` says why the gait
    is not open this turn.
    """

    name: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    pool: str = ""
    action: str = "free"
    title: str = ""
    source: Source = Source()
    refused: Refusal | None = None


@dataclass(frozen=True, slots=True)
class PostureChange:
    """A change of posture in place, at a flat price."""

    start: str
    end: str
    cost: Fraction
    name: str
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class JumpLimits:
    """Long jumps over gaps: the longest with and without run-up, the run-up needed and what a jumped unit costs."""

    running: Fraction
    standing: Fraction
    run_up: Fraction
    base: Fraction = Fraction(1)
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class LedgePrice:
    """Moving straight up or down a ledge, per unit of height; the refusal where the rules have no climbing."""

    up: Fraction | Refusal
    down: Fraction | Refusal
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class FallLimits:
    """Dropping off a ledge: the harmless height, and the damage of any height as a function of it."""

    harmless: Fraction
    damage: Callable[[Fraction], Fraction]
    accepted: Fraction = Fraction(0)
    source: Source = Source()


PaceOf = Callable[[str, str, Terrain, bool], "Pace | Refusal"]
DemandOf = Callable[[str, tuple[Terrain, ...]], Demand]


@dataclass(frozen=True, slots=True)
class Profile:
    """All a rule system says about one mover this turn.

    `pace(pool, posture, ground, uphill)` prices a unit of distance or refuses; it must be pure.  `postures` lists the
    possible ones, most upright first.  `sources` explain single words of the ledger (``door``, ``ally`` …).
    `turn_budget` names the gait whose budget later turns use.  `demand(gait, grounds)` says what a whole move over the
    grounds of the cells entered, in order, needs in actions and rolls (None: what the paces say is all).
    """

    ruleset: str
    unit: str
    gaits: tuple[Gait, ...]
    pace: PaceOf
    postures: tuple[str, ...] = ("standing",)
    changes: tuple[PostureChange, ...] = ()
    jump: JumpLimits | None = None
    ledge: LedgePrice | None = None
    fall: FallLimits | None = None
    uphill_matters: bool = False
    uphill_min_rise: Fraction = Fraction(0)
    summary: str = ""
    sources: Mapping[str, Source] = field(default_factory=dict)
    turn_budget: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    demand: DemandOf | None = None

    def gait(self, name: str) -> Gait:
        """The gait called `name`.  Raises `KeyError`."""
        for gait in self.gaits:
            if gait.name == name:
                return gait
        raise KeyError(name)

    def pools(self) -> tuple[str, ...]:
        """The distinct pools, in the order of the gaits."""
        return tuple(dict.fromkeys(gait.pool for gait in self.gaits))
