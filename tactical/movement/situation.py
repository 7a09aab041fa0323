"""A situation: one mover on one map in one moment of its turn, and what the rules say of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self

from tactical.errors import Refusal
from tactical.movement.asked import Terms, terms_of
from tactical.movement.route import State
from tactical.options import Options
from tactical.registry import WAYS
from tactical.rules.profile import Gait, Pace, Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.sight import Sight
from tactical.world.site import Site
from tactical.world.terrain import Terrain
from tactical.world.window import Window


@dataclass(eq=False, repr=False)
class Situation:
    """One mover on one map, as `sight` shows it, in one moment of its turn, and what the rules say of it."""

    battlemap: Battlemap
    mover: Mover
    ruleset: Ruleset
    stats: Any
    options: Options
    turn: TurnState
    others: tuple[Mover, ...]
    sight: Sight
    goals: frozenset[Cell] = frozenset()
    opened: frozenset[int] = frozenset()
    squeezed: bool = False
    extra: tuple[int, ...] = ()

    @cached_property
    def terms(self) -> Terms:
        """The question without its place: what the rule system is asked."""
        return terms_of(self.ruleset, self.stats, self.turn, self.options, self.mover.posture)

    @cached_property
    def known(self) -> dict[object, Any]:
        """What was worked out for questions of the same terms on the same ground, kept with the map."""
        # terms are equal to themselves alone
        key, store = ("known", self.terms), self.battlemap.store
        found: dict[object, Any] | None = store.get(key)
        return store.put(key, {}) if found is None else found

    @property
    def profile(self) -> Profile:
        """What the rule system says about the mover this turn.  Raises `RulesetError` for falls it has no rule for."""
        return self.terms.profile

    @property
    def strikes(self) -> bool:
        """Whether enemies may strike at who leaves their reach, by the option of that name."""
        return bool(self.options["strikes"] != "none")

    @cached_property
    def start(self) -> State:
        """Where the mover is, with the counters of its turn."""
        assert self.mover.at is not None
        cell = self.battlemap.cell
        postures = self.profile.postures
        posture = self.mover.posture if self.mover.posture in postures else postures[0]
        run_up = int(self.turn.run_up // cell)
        done = self.turn
        return State(self.mover.at, posture, done.diagonals % 2, run_up, done.doors, self.squeezed, extra=self.extra)

    @cached_property
    def fresh_profile(self) -> Profile:
        """The profile of a turn in which nothing has been done yet."""
        found: Terms | None = self.terms.kept.get("fresh")
        if found is None:
            fresh = fresh_turn(self.ruleset, self.turn, self.options)
            found = terms_of(self.ruleset, self.stats, fresh, self.options, self.mover.posture)
            self.terms.kept["fresh"] = found
        return found.profile

    @cached_property
    def site_everywhere(self) -> Site:
        """The mover's view of the whole map."""
        return self.site(Window.whole(self.battlemap))

    def hazard_at(self, cell: Cell) -> bool:
        """Whether a cell holds a hazard that plans avoid."""
        if not self.hazardous:
            return False
        zones = any(cell in zone.cells and zone.facts.get("hazard") for zone in self.battlemap.zones)
        return bool(self.battlemap.terrain(cell).hazard) or zones

    @cached_property
    def open_gaits(self) -> tuple[Gait, ...]:
        """The gaits that are not refused this turn."""
        if self.afloat is not None:
            return tuple(gait for gait in self.profile.gaits if self.refused(gait) is None)
        found: tuple[Gait, ...] | None = self.terms.kept.get("open")
        if found is None:
            found = self.terms.kept["open"] = tuple(gait for gait in self.profile.gaits if gait.refused is None)
        return found

    @property
    def gait_order(self) -> tuple[str, ...]:
        """The names of all gaits of a turn, open or not: those of a fresh turn, then what this one has besides."""
        return tuple(dict.fromkeys(gait.name for gait in (*self.fresh_profile.gaits, *self.profile.gaits)))

    @property
    def pool(self) -> str:
        """The pool that a question which names no gait is asked in: that of the first open gait, else of the first."""
        every = self.open_gaits or self.profile.gaits
        return every[0].pool if every else ""

    def refused(self, gait: Gait) -> Refusal | None:
        """Why a gait is not open this turn, or None: the rule system's reason, or deep water that it cannot leave."""
        ground = self.afloat
        if gait.refused is not None or ground is None:
            return gait.refused
        return stuck(self.profile, gait.pool, self.start.posture, ground)

    @cached_property
    def afloat(self) -> Terrain | None:
        """The water that it stands in; None elsewhere."""
        if not self.watery or self.start.cell not in self.battlemap:
            return None
        ground = self.battlemap.terrain(self.start.cell)
        return ground if ground.swum_by_some else None

    @property
    def hazardous(self) -> bool:
        """Whether there is any hazard on the map, as it is known."""
        found: bool | None = self.known.get("hazardous")
        if found is None:
            grounds, zones = self.battlemap.palette, self.battlemap.zones
            found = any(ground.hazard for ground in grounds) or any(zone.facts.get("hazard") for zone in zones)
            self.known["hazardous"] = found
        return found

    @property
    def watery(self) -> bool:
        """Whether there is water on the map that some movers must swim."""
        found: bool | None = self.known.get("watery")
        if found is None:
            found = self.known["watery"] = any(ground.swum_by_some for ground in self.battlemap.palette)
        return found

    def on(self, terms: Terms) -> Self:
        """This question, of which the terms are known already."""
        self.__dict__["terms"] = terms
        return self

    @property
    def diagonals(self) -> str:
        """How steps across a corner are counted (option diagonal); empty on a grid that has none."""
        some = any(direction.diagonal for direction in self.battlemap.grid.directions)
        return str(self.options["diagonal"]) if some else ""

    @property
    def keeps_parity(self) -> bool:
        """Whether the count of alternate diagonals goes on in the next turn (option parity_reset)."""
        return bool(self.options["parity_reset"] == "never")

    @property
    def rounding(self) -> str:
        """What a step does that the rest cannot pay (option grid_rounding)."""
        return str(self.options["grid_rounding"])

    @property
    def door_limit(self) -> int | None:
        """How many closed doors may be opened in a turn (option door_limit); None: any number."""
        limit = self.options["door_limit"]
        return None if limit is None else int(limit)

    def portion(self, pool: str) -> Fraction:
        """What one move buys where every move of a turn is a pool of its own (option dash_pool); else 0."""
        if self.options["dash_pool"] != "separate":
            return Fraction(0)
        return min((gait.budget for gait in self.fresh_profile.gaits if gait.pool == pool), default=Fraction(0))

    @cached_property
    def ways(self) -> tuple[Any, ...]:
        """All ways of moving that are installed, each a `tactical.movement.ways.Way`, as their rack has them."""
        return WAYS.together("ways", tuple)

    def site(self, window: Window) -> Site:
        """The mover's view of a window."""
        if "body" not in self.known:
            arm = 1 if self.profile.arm is None else int(self.profile.arm // self.battlemap.cell)
            self.known["body"] = self.profile.vehicle, arm, self.profile.neck
        return Site(
            self.battlemap,
            self.mover,
            self.options,
            window,
            self.sight,
            self.others,
            self.goals,
            self.opened,
            *self.known["body"],
        )


def fresh_turn(ruleset: Ruleset, turn: TurnState, options: Options) -> TurnState:
    """The state that the next turn starts in: what a rule system carries over, all counters of the turn at 0."""
    if ruleset.next_turn is not None:
        return ruleset.next_turn(turn, options)
    return TurnState(turn=turn.turn + 1, previous=turn.previous, memory=turn.memory)


def too_fast(situation: Situation) -> Refusal | None:
    """Why a mover may not stay where it is, at the speed of the turn before (REUP-A16), or None."""
    facts = situation.profile.facts
    done = situation.turn.memory.get("moved") or all(gait.refused is not None for gait in situation.profile.gaits)
    if facts.get("may_stop", True) or done:
        return None
    by = situation.profile.sources.get("change", Source())
    before = str(facts.get("previous", "")).replace("_", "-")
    words = {"gait": "stop", "previous": before, "after": f" after {before}", "why": "it is too fast to stop"}
    return Refusal("move.speed_change", {**words, "clause": by.clause, "ruling": by.ruling})


def stuck(profile: Profile, pool: str, posture: str, ground: Terrain) -> Refusal | None:
    """Why nobody leaves a ground in a pool of gaits, or None where one of its gaits can be there.

    Who cannot swim where it is does not come out by itself either (TWS-A12, SHP-32).
    """
    pools = dict.fromkeys((pool, *(gait.pool for gait in profile.gaits if gait.refused is None)))
    paces = [profile.pace(one, posture, ground, False) for one in pools]
    return None if any(isinstance(pace, Pace) for pace in paces) else paces[0]  # type: ignore[return-value]


def without_least(profile: Profile, gait: str) -> str:
    """What to say of an option that lets a gait be used for less than its minimum, where the rules have one."""
    option = dict(profile.facts.get("no_least", {})).get(gait)  # type: ignore[call-overload]
    return f" (unless {option})" if option else ""


def covered(situation: Situation) -> Refusal | None:
    """Why no gait at all is open to the mover, or None."""
    refusals = [reason for gait in situation.profile.gaits if (reason := situation.refused(gait)) is not None]
    return refusals[0] if refusals and not situation.open_gaits else None
