"""Plain: the neutral rules, for maps where no game is named.

One unit of cost a foot; difficult ground, climbing, swimming and crawling count double as in most games, and a
referee's own `factor` on the ground multiplies in.  Everything is an option or a stat.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.profile import Factor, Gait, LedgePrice, Pace, PostureChange, Profile
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

CRAWL = Fraction(2)
CROUCH = Fraction(2)
DIFFICULT = Fraction(2)


@dataclass(frozen=True, slots=True)
class Stats:
    """What plain rules know of a mover; `swim_factor` and `climb_factor` replace the options of that name.

    `speed_roll` (two numbers: what is sure, and the faces of a die added to it) takes the place of `speed`.
    """

    speed: Fraction = Fraction(30)
    swim_factor: Fraction | None = None
    climb_factor: Fraction | None = None
    speed_roll: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.speed_roll) not in (0, 2) or any(part < 0 for part in self.speed_roll):
            raise ValueError("speed_roll is what is sure and the faces of a die, two numbers of at least 0")
        for name in ("speed", "swim_factor", "climb_factor"):
            if (getattr(self, name) or 0) < 0:
                raise ValueError(f"{name} {show(getattr(self, name))} is below 0")

    @property
    def rolled(self) -> tuple[Fraction, int] | None:
        """What is sure of the speed, and the faces of the die added to it."""
        return (Fraction(self.speed_roll[0]), self.speed_roll[1]) if self.speed_roll else None

    @property
    def words(self) -> str:
        """The speed as people write it."""
        return show(self.speed) if self.rolled is None else f"{show(self.rolled[0])} + d{self.rolled[1]}"

    @property
    def most(self) -> Fraction:
        """The speed, or the most that its roll can make."""
        return self.speed if self.rolled is None else self.rolled[0] + self.rolled[1]


def pace_of(
    ground: Terrain, posture: str, climb: Fraction | None, swim: Fraction, *, referee: bool = True
) -> Pace | Refusal:
    """Cost of a foot on `ground`: the factors of difficult ground, climbing, swimming, crawling and crouching."""
    factors = []
    mode = "walk"
    if ground.difficult:
        factors.append(Factor("difficult", DIFFICULT))
    if ground.climb:
        if climb is None:
            return Refusal("rules.not_covered", {"why": "climbing"})
        mode = "climb"
        factors.append(Factor("climb", climb))
    if ground.swum:
        mode = "swim"
        factors.append(Factor("swim", swim))
    if referee and ground.factor != 1:
        factors.append(Factor("factor", ground.factor))
    final = []
    if mode == "walk" and posture == "prone":
        mode = "crawl"
        factors.append(Factor("crawl", CRAWL))
    elif mode == "walk" and posture == "crouched":
        final.append(Factor("crouch", CROUCH))
    check = None
    if referee and ground.check is not None:
        dice, number = ground.check
        check = Check("footing", number, kind="ground", dice=f"{dice}D", note="named by the referee on the map")
    return Pace(mode, factors=tuple(factors), final=tuple(final), on_foot=mode == "walk", check=check)


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """One budget of `speed` feet."""
    climb = stats.climb_factor if stats.climb_factor is not None else options["climb_factor"]
    swim = stats.swim_factor if stats.swim_factor is not None else options["swim_factor"]

    def pace(pool: str, posture: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        return pace_of(ground, posture, climb, swim)

    stand = options["stand_cost"]
    rise = Fraction(stats.most // 2) if stand == "half_speed" else stand
    changes = posture_changes(rise, options["crouch_stand_cost"], able=stats.most > 0)
    refused = Refusal("rules.not_covered", {"why": "climbing"})
    ledge = LedgePrice(up=refused, down=refused) if climb is None else LedgePrice(up=climb, down=climb)
    budget = stats.most if turn.left is None else turn.left + turn.spent
    return Profile(
        "plain",
        "ft",
        (Gait("move", budget, title="Move", rolled=stats.rolled if turn.left is None else None),),
        pace,
        postures=("standing", "crouched", "prone"),
        changes=changes,
        ledge=ledge,
        summary=describe(stats),
        turn_budget="move",
    )


def describe(stats: Stats, options: Options | None = None, scale: Fraction = Fraction(1), unit: str = "ft") -> str:
    """The speed in words, in a unit of which a foot is `scale`."""
    return f"speed {stats.words if stats.rolled else show(stats.speed * scale)} {unit}"


def posture_changes(rise: Fraction, uncrouch: Fraction, *, able: bool = True) -> tuple[PostureChange, ...]:
    """The six changes between standing, crouched and prone; without `able` nobody rises from prone."""
    down = tuple(
        PostureChange(start, end, Fraction(0), "prone" if end == "prone" else "crouch")
        for start, end in (("standing", "crouched"), ("standing", "prone"), ("crouched", "prone"))
    )
    up: tuple[PostureChange, ...] = (PostureChange("crouched", "standing", uncrouch, "stand"),)
    if able:
        up += (PostureChange("prone", "standing", rise, "stand"), PostureChange("prone", "crouched", rise, "crouch"))
    return down + up


GROUND = {
    "difficult": "twice the cost",
    "climb": "climbed, twice the cost (option climb_factor)",
    "swim": "swum, twice the cost (option swim_factor)",
    "water": "deep: swum; shallow and wading count for nothing",
    "factor": "the referee's own price, times all else",
    "check": "the referee's own roll: so many D6, to reach a number",
}
"""The facts of ground that plain rules read."""

RULESET = Ruleset(
    "plain",
    "Plain",
    "ft",
    Stats,
    profile,
    cell=Fraction(5),
    example={"speed": 30},
    summary="neutral rules: one unit of cost a foot, the referee's own factors",
    postures=("standing", "crouched", "prone"),
    # no Dash, no jumps, no least distances, and all ways of going have their price
    inert=("dash_pool", "jump_chance", "ring", "house_pace"),
    lengths=("speed",),
    describe=describe,
    ground=GROUND,
)
