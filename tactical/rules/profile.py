"""What a rule system says about one mover in one turn, as data.

A `Profile` never sees a map.  The movement engine asks it once for every distinct (pool, posture, kind of ground) what
a unit of distance costs there (`pace`) and turns the exact answers into whole ticks itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from tactical.errors import Refusal
from tactical.rules.checks import Check, Demand
from tactical.units import show
from tactical.world.terrain import HEADROOM, PLAIN, Terrain

ALONE = ("free", "exclusive")
"""Prices of a gait in actions that stand alone."""
ACTIONS = (*ALONE, "action", "bonus")
"""All of them; several of the last two are joined by ``+``: ``action+bonus``."""
SHARES = ("turn", "round")
"""Units of cost that are shares of a turn: there a budget is 1, and lengths have the map's unit."""


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
    if stacking == "add":
        return 1 + sum((value - 1 for value in values), start=Fraction(0))
    if stacking == "max":
        return max(values, default=Fraction(1))
    return prod(values, start=Fraction(1))


@dataclass(frozen=True, slots=True)
class Gait:
    """A named way to spend a turn: a band of the reach.

    `budget` is what it buys in all, `minimum` what it must use at least.  Gaits of the same `pool` share their paces
    (one search serves them all); `action` is ``free``, ``action``, ``bonus``, several of the two (``action+bonus``) or
    ``exclusive``; `refused` says why the gait is not open this turn.  Where the budget is a share of a turn, `metres`
    is what a whole turn of this gait covers at its own rate; where it is rolled for, `rolled` is (what is sure, faces
    of the die added) and `budget` the most.
    """

    name: str
    budget: Fraction
    minimum: Fraction = Fraction(0)
    pool: str = ""
    action: str = "free"
    title: str = ""
    source: Source = Source()
    refused: Refusal | None = None
    metres: Fraction | None = None
    rolled: tuple[Fraction, int] | None = None


@dataclass(frozen=True, slots=True)
class PostureChange:
    """A change of posture in place, at a flat price."""

    start: str
    end: str
    cost: Fraction
    name: str
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class Attacked:
    """What a posture does to attacks on who is in it: ``melee`` or ``ranged`` ones, from `beyond` that far in the
    map's unit (0: from anywhere), by a number (`modifier`) or by ``advantage`` or ``disadvantage`` (else ``none``)."""

    attack: str
    beyond: Fraction = Fraction(0)
    modifier: int = 0
    advantage: str = "none"
    source: Source = Source()


@dataclass(frozen=True, slots=True)
class Approach:
    """A jump about to be made: its `length` (the width of the gap), what was run directly before, and both ends.

    `rise` is how much higher the landing is (negative: lower); all lengths are in the map's unit.  `kind` asks for one
    kind of jump (``standing``, ``running``, ``high``, ``backward``) instead of the best.
    """

    pool: str
    length: Fraction
    run_up: Fraction = Fraction(0)
    rise: Fraction = Fraction(0)
    start: Terrain = PLAIN
    end: Terrain = PLAIN
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Flight:
    """A jump that the rules allow: what it costs, its `chance`, the roll it needs (None: it is sure), and its kind.

    `words` are what else there is to say of it (``3.2 m down``), `number` the longest without a roll, if there is one.
    """

    cost: Fraction
    chance: Fraction = Fraction(1)
    check: Check | None = None
    kind: str = ""
    source: Source = Source()
    words: str = ""
    number: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Leap:
    """How a jump went: ``auto``, ``success``, ``fail`` or ``impossible``, and what the rule system says about it.

    `number` is the longest sure jump (or the target number), `difference` what the jump asks beyond it; `recovery`,
    `no_action` and `stunned` are turns, `reached` the length and `height` the metres up where the roll decides them,
    whose margin to `tn` has `added` so much to `number`.
    """

    result: str
    number: Fraction
    difference: Fraction = Fraction(0)
    chance: int = 0
    recovery: Fraction = Fraction(0)
    no_action: Fraction = Fraction(0)
    stunned: Fraction = Fraction(0)
    reached: Fraction | None = None
    height: Fraction | None = None
    tn: Fraction | None = None
    added: Fraction | None = None


@dataclass(frozen=True, slots=True)
class HighJump:
    """Jumps straight up: the highest with and without run-up, how high hands get besides, and by which clauses."""

    running: Fraction
    standing: Fraction
    reach: Fraction | None = None
    source: Source = Source()
    standing_source: Source = Source()


@dataclass(frozen=True, slots=True)
class JumpLimits:
    """Long jumps over gaps: the longest with and without run-up, the run-up needed and what a jumped unit costs.

    `high` are the jumps onto what is higher than a step, and over low walls, of whom the same run-up helps.
    `run_up_how` says how one runs up (``at a run``), `run_up_source` by which clause, `standing_source` stands behind
    jumps without.

    Where it takes more than that, `fly` says for each `Approach` what the jump is (then only `run_up`, the most that
    can matter for a gap of a given width, is read besides) and `attempt` what the dice thrown make of it; with
    `ledges`, rises and falls of more than a step between neighbours are jumped too.  `kinds` may be asked for, `facts`
    are those of the ground that count at both ends.
    """

    running: Fraction
    standing: Fraction
    run_up: Fraction
    base: Fraction = Fraction(1)
    source: Source = Source()
    fly: Callable[[Approach], Flight | Refusal] | None = None
    attempt: Callable[[Approach, Sequence[int]], Leap | Refusal] | None = None
    run_up_for: Callable[[Fraction], Fraction] | None = None
    unit: str = "ft"
    ledges: bool = False
    kinds: tuple[str, ...] = ("standing", "running")
    facts: tuple[str, ...] = ()
    high: HighJump | None = None
    run_up_how: str = ""
    run_up_source: Source = Source()
    standing_source: Source | None = None

    def flight(self, approach: Approach) -> Flight | Refusal:
        """What this jump is: its price without the landing, its chance, the roll it needs; or why it cannot be."""
        found = self._flight(approach)
        if isinstance(found, Flight):
            return found
        lacking = self.lacking(approach)
        if lacking is not None:
            return lacking
        # how long it could be at the most is told of the longest run-up
        need = max(approach.run_up, self.most_run_up(approach.length))
        far = found if approach.kind not in ("", "running") else self._flight(replace(approach, run_up=need))
        return far if isinstance(far, Refusal) else found

    def lacking(self, approach: Approach, least: Fraction = Fraction(0)) -> Refusal | None:
        """The refusal of a jump that a longer run-up makes, with a chance of at least `least`; else None."""
        need = self.most_run_up(approach.length)
        if approach.run_up >= need or approach.kind not in ("", "running"):
            return None
        found = self._flight(replace(approach, run_up=need))
        if isinstance(found, Refusal) or not found.chance or found.chance < least:
            return None
        words = {"unit": self.unit, "need": show(need), "has": show(approach.run_up), "how": self.run_up_how}
        by = self.run_up_source
        return Refusal("move.run_up", {**words, "clause": by.clause, "ruling": by.ruling})

    def _flight(self, approach: Approach) -> Flight | Refusal:
        if self.fly is not None:
            return self.fly(approach)
        far = approach.run_up >= self.run_up and approach.kind != "standing"
        if self.high is not None and not approach.length:
            kind, length, longest = "high", approach.rise, self.highest(approach.run_up)
            source = self.high.source if far else self.high.standing_source
        elif far:
            kind, length, longest, source = "running", approach.length, self.running, self.source
        else:
            source = self.standing_source or self.source
            kind, length, longest = "standing", approach.length, self.standing
        if length <= longest and (kind != "standing" or approach.kind != "running"):
            return Flight(max(length, Fraction(0)) * self.base, kind=kind, source=source)
        words = {"unit": self.unit, "length": show(length), "longest": show(longest)}
        return Refusal("move.jump_length", {**words, "clause": source.clause})

    def highest(self, run_up: Fraction) -> Fraction:
        """The highest jump straight up after such a run-up; 0 where there is none."""
        if self.high is None:
            return Fraction(0)
        return self.high.running if run_up >= self.run_up else self.high.standing

    def most_run_up(self, length: Fraction) -> Fraction:
        """The longest run-up that can matter for a gap of this width."""
        return self.run_up if self.run_up_for is None else self.run_up_for(length)


@dataclass(frozen=True, slots=True)
class LedgePrice:
    """Moving straight up or down a ledge, per unit of height; the refusal where the rules have no climbing.

    `by_pool` takes the place of both numbers where gaits price a unit differently.
    """

    up: Fraction | Refusal
    down: Fraction | Refusal
    source: Source = Source()
    by_pool: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fall:
    """A fall: its height, the damage, and where it was prepared the target number and what the roll took off."""

    height: Fraction
    damage: Fraction
    tn: Fraction | None = None
    ok: bool = False
    reduction: int = 0


@dataclass(frozen=True, slots=True)
class FallLimits:
    """Dropping off a ledge: the harmless height, and the damage of any height as a function of it.

    `check` is the roll of a prepared jump down (None: none), `land` the fall with that total thrown (None: unprepared).
    """

    harmless: Fraction
    damage: Callable[[Fraction], Fraction]
    accepted: Fraction = Fraction(0)
    source: Source = Source()
    check: Callable[[Fraction], Check | None] | None = None
    land: Callable[[Fraction, int | None], Fall] | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """What a check on a stretch does: how much of it is made, and what of the movement declared for it is used up."""

    ok: bool
    badly: bool
    progress: Fraction
    spent: Fraction


@dataclass(frozen=True, slots=True)
class Holds:
    """The roll a game master may ask for on a stretch climbed, swum or crawled, and what a total does.

    `check(mode, number)` is the roll, `outcome(total, number, distance, cost)` what comes of it, `modes` the ways of
    going in which it may be asked for, `word` what its players call the number (``dc``).
    """

    check: Callable[[str, int | None], Check]
    outcome: Callable[[int, Fraction, Fraction, Fraction], Held]
    modes: tuple[str, ...] = ()
    word: str = ""


PaceOf = Callable[[str, str, Terrain, bool], "Pace | Refusal"]
DemandOf = Callable[[str, tuple[Terrain, ...]], Demand]


@dataclass(frozen=True, slots=True)
class Profile:
    """All a rule system says about one mover this turn.

    `pace(pool, posture, ground, uphill)` prices a unit of distance or refuses; it must be pure.  `postures` lists the
    possible ones, most upright first: in the first one runs up and jumps.  `low` says which of them fit under a low
    ceiling, in the words of a map (``crouched``, ``prone``), where their own names do not.  `sources` explain single
    words of the ledger (``door``, ``ally`` …).  `turn_budget` names the gait whose budget later turns use.
    `demand(gait, grounds)` says what a whole move over the grounds of the cells entered, in order, needs in actions and
    rolls (None: what the paces say is all); `holds` the rolls that a game master may ask for on the way.  `attacked` is
    what a posture does to attacks on the mover; one that is not named does nothing.  `arm` is how far those strike who
    state no reach of their own (None: one cell).  Water over `neck` metres is deep to it (None: a map's depth in metres
    says nothing).  `stay(ground)` is the roll that ending a turn on a ground asks for; what missing it brings is the
    game master's.  A `vehicle` climbs no fence or low wall.  `media` are those of the postures that are media of their
    own: ways of moving bring them, not rule systems.
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
    holds: Holds | None = None
    attacked: Mapping[str, tuple[Attacked, ...]] = field(default_factory=dict)
    arm: Fraction | None = None
    stay: Callable[[Terrain], Check | None] | None = None
    neck: Fraction | None = None
    media: tuple[str, ...] = ()
    vehicle: bool = False
    low: Mapping[str, str] = field(default_factory=dict)

    @property
    def upright(self) -> str:
        """The posture that one runs up and jumps in."""
        return self.postures[0]

    def lowness(self, posture: str) -> int:
        """How low a ceiling a posture bears: 0 needs full height, 1 stoops, 2 lies."""
        word = self.low.get(posture, posture)
        return HEADROOM.index(word) + 1 if word in HEADROOM else 0

    def gait(self, name: str) -> Gait:
        """The gait called `name`.  Raises `KeyError`."""
        return {gait.name: gait for gait in self.gaits}[name]

    def pools(self) -> tuple[str, ...]:
        """The distinct pools, in the order of the gaits."""
        return tuple(dict.fromkeys(gait.pool for gait in self.gaits))
