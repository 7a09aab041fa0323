"""What is wanted of a reach: how far it looks ahead, in which gaits, and what it keeps back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property

from tactical import values
from tactical.errors import UnknownName
from tactical.movement.query import Query
from tactical.movement.route import State
from tactical.movement.turns.bands import Band, bands_of
from tactical.movement.turns.memoryless import FOREVER
from tactical.options import Options
from tactical.rules.profile import Gait, Profile
from tactical.units import Cell


@dataclass(eq=False, repr=False)
class Wanted:
    """A question with all that is wanted of its answer; `tactical.movement.reach.reach` says what each means.

    With `narrow` states in postures that cannot help are not searched: that changes no answer.  With a `goal` only that
    cell's answer counts: what is farther may be missing.  Refuses what `reach` refuses.
    """

    query: Query
    turns: int = 1
    gait: str = ""
    reserve: Fraction = Fraction(0)
    arrive: str = ""
    limited: bool = True
    narrow: bool = True
    goal: Cell | None = None

    def __post_init__(self) -> None:
        if self.gait and self.gait not in (known := [known.name for known in self.profile.gaits]):
            raise UnknownName("gait", self.gait, known)
        if self.arrive and self.arrive not in self.profile.postures:
            raise UnknownName("posture", self.arrive, self.profile.postures)
        turns = values.whole(self.turns, "turns", least=-values.LARGEST, most=10**18)
        if turns < 1 or (self.reserve and self.reserve < 0):
            raise ValueError(
                f"a reach looks at one turn or more and keeps back 0 or more, not {turns} and {self.reserve}"
            )
        self.turns = min(turns, FOREVER)

    def alone(self) -> Wanted:
        """What is wanted without any answer that came of it: what a search may keep that the answer keeps."""
        return Wanted(**{each.name: getattr(self, each.name) for each in fields(Wanted)})

    @property
    def start(self) -> State:
        """The state that the mover starts in."""
        return self.query.start

    @property
    def options(self) -> Options:
        """The options in force."""
        return self.query.options

    @property
    def profile(self) -> Profile:
        """What the rule system says about the mover this turn."""
        return self.query.profile

    @cached_property
    def gaits(self) -> tuple[Gait, ...]:
        """The gaits that this reach considers."""
        gaits = self.query.open_gaits
        return tuple(gait for gait in gaits if gait.name == self.gait) if self.gait else gaits

    @cached_property
    def now(self) -> tuple[Band, ...]:
        """The bands of this turn: its gaits, in order."""
        return bands_of(self.query, self.gaits)

    @cached_property
    def later(self) -> Gait | None:
        """The gait whose budget later turns use."""
        wanted = self.gait or self.profile.turn_budget
        named = [gait for gait in self.profile.gaits if gait.name == wanted]
        return named[0] if named else (self.gaits[-1] if self.gaits else None)

    @cached_property
    def later_by_pool(self) -> dict[str, Gait]:
        """The gait in which each pool goes on in later turns, that of `later` first: who sprints may sprint on."""
        found = {} if self.later is None else {self.later.pool: self.later}
        for gait in self.gaits:
            if self.later is not None and gait.pool != self.later.pool:
                known = found.get(gait.pool)
                found[gait.pool] = gait if known is None or gait.budget > known.budget else known
        return found
