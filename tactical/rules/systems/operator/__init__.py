"""Operator: 5e-like movement in feet, with crouching between standing and prone (clauses OPR-01 … OPR-50).

A turn is one budget of feet.  Ground, mode and posture multiply what a foot costs, changes of posture have flat
prices, Dash buys the speed again into the same pool.  Everything is a function of plain values.  Jumps, checks and
attacks stand in `acts`, actions and Dashes in `actions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil

from tactical.errors import Refusal
from tactical.options import Options, choice, flag, number
from tactical.rules.profile import (
    Factor,
    Gait,
    HighJump,
    Holds,
    JumpLimits,
    LedgePrice,
    Pace,
    PostureChange,
    Profile,
    Source,
)
from tactical.rules.ruleset import Ruleset
from tactical.rules.systems.operator.actions import gaits_of, order
from tactical.rules.systems.operator.acts import (
    ATTACKED,
    RUN_UP,
    athletics,
    ground_check,
    high_jump,
    jump_reach,
    long_jump,
    stretch_check,
    vehicle_refusal,
)
from tactical.rules.systems.operator.clauses import GROUND, SOURCES, WORDING
from tactical.rules.systems.operator.stats import BASE, Stats
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

# The speed table: what changes the base of 30 ft.
FLAT = {
    "agile": 5,  # OPR-04
    "mobility": 5,  # OPR-05
    "bomb_suit": -10,  # OPR-06
    "shield": -10,  # OPR-07
}
FLAT_WORDS = {"agile": "Agile", "mobility": "Mobility", "bomb_suit": "Bomb Suit", "shield": "Ballistic Shield"}
SLOWED_MINIMUM = 5  # OPR-09
DIFFICULT = Factor("difficult", Fraction(2), Source("OPR-14"))
CRAWL = Factor("crawl", Fraction(2), Source("OPR-17"))
CROUCH = Factor("crouch", Fraction(2), Source("OPR-08", "OPR-A03"))  # half speed is two feet a foot
JUMPS = ("standing", "running", "high")  # OPR-37 … 41
STRETCHES = ("climb", "swim", "crawl")  # OPR-34
POSTURES = ("standing", "crouched", "prone")  # OPR-22, OPR-23, OPR-25

OPTIONS = (
    choice("crouch_model", ("cost", "budget"), "crouched: double cost a foot, or half the feet a turn", "OPR-A03"),
    choice("slowed_minimum_applies", ("slowed", "final"), "Slowed leaves 5 ft before or after crouching", "OPR-A04"),
    choice("stand_rounding", ("down", "up"), "half of an odd speed, as the price of standing up", "OPR-A05"),
    number("double_dash_total", 4, "speeds in a turn with Dash as action and as bonus action", "OPR-A07"),
    choice("jump_half_rounding", ("down", "exact"), "half of an odd jump", "OPR-A10"),
    number("athletics_dc", None, "DC of climbing, swimming and crawling checks; null: the GM's", "OPR-A15", empty=True),
    number("fail_badly_margin", 5, "an Athletics check missed by this much fails badly", "OPR-A15"),
    flag("failed_check_spends", True, "a failed climb or swim uses up the movement declared for it", "OPR-A16"),
    number("reach_ft", 5, "melee reach of those who do not state another", "OPR-A17"),
    flag("encumbrance_halves", False, "everybody is over the safe carry weight: half speed", "OPR-A18"),
    number("round_seconds", 6, "seconds in a turn, used by no clause", "G-A06", least=Fraction(1, 1000)),
)


def foot_speed(stats: Stats, options: Options) -> Fraction:
    """Feet a turn on foot, posture not counted (OPR-01 … OPR-10).

    Flat changes first and never below 0 (OPR-A02, OPR-A20), then Slowed with its minimum of 5, then the GM's overload;
    each half is rounded down.
    """
    feet = max(Fraction(0), stats.speed + sum(feet for name, feet in FLAT.items() if getattr(stats, name)))
    if stats.slowed:
        feet = max(Fraction(SLOWED_MINIMUM), Fraction(feet // 2))  # OPR-09
    if stats.overloaded or options["encumbrance_halves"]:
        feet = Fraction(feet // 2)  # OPR-10, OPR-A18
    return feet


def speed(stats: Stats, options: Options) -> Fraction:
    """Feet a turn, on foot or mounted: a ground vehicle multiplies the speed on foot (OPR-46, OPR-47)."""
    feet = foot_speed(stats, options)
    return feet if stats.vehicle_multiple is None else feet * stats.vehicle_multiple


def whole_turn(stats: Stats, options: Options, posture: str) -> Fraction:
    """Feet covered on open ground in a turn spent wholly in `posture` (OPR-08, OPR-17, OPR-A03, OPR-A04)."""
    feet = speed(stats, options)
    if posture == "standing":
        return feet
    half = Fraction(feet // 2)
    if posture == "crouched" and stats.slowed and options["slowed_minimum_applies"] == "final":
        return max(half, min(feet, Fraction(SLOWED_MINIMUM)))
    return half


def stand_price(feet: Fraction, options: Options) -> Fraction:
    """Feet of movement that standing up from prone costs: half the speed, 15 of 30 (OPR-18, OPR-21, OPR-A05)."""
    if options["stand_cost"] != "half_speed":
        return Fraction(options["stand_cost"])
    return Fraction(ceil(feet / 2)) if options["stand_rounding"] == "up" else Fraction(feet // 2)


def cost_factors(
    ground: Terrain, posture: str, options: Options, crouch: Factor | None = CROUCH
) -> tuple[str, tuple[Factor, ...], tuple[Factor, ...]] | Refusal:
    """The mode, the factors of the table and the factor of crouching for a foot of this ground (OPR-13 … OPR-17).

    Climbing and swimming are what they are in any posture (OPR-A26).
    """
    factors = [DIFFICULT] if ground.difficult else []
    if ground.climb:
        if options["climb_factor"] is None:
            why = "climbing (option climb_factor is null)"
            return Refusal("rules.not_covered", {"why": why, "clause": "OPR-15"})
        factors.append(Factor("climb", options["climb_factor"], Source("OPR-15")))
    if ground.swum:
        factors.append(Factor("swim", options["swim_factor"], Source("OPR-16")))
    if ground.climb or ground.swum:
        return ("swim" if ground.swum else "climb"), tuple(factors), ()
    if posture == "prone":
        return "crawl", (*factors, CRAWL), ()
    if posture == "crouched" and crouch is not None:
        return "walk", tuple(factors), (crouch,)
    return "walk", tuple(factors), ()


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """Move, Dash and (where the feature is there) both Dashes, as one pool that may be spent in pieces around
    an action (OPR-02, OPR-11, OPR-27, OPR-28).

    Under option ``crouch_model: budget`` the present posture sets the turn's feet, so a plan moves in it only: going
    into or out of a crouch is an order of its own, and the next profile has the other budget (OPR-A03, second reading).
    Aircraft have no open gait: the refusal is in the only one, and what every pace answers (OPR-48).
    """
    refused = vehicle_refusal(stats.vehicle_kind)
    feet = speed(stats, options)
    by_budget = options["crouch_model"] == "budget" and not stats.mounted
    if by_budget and posture == "crouched":
        feet = whole_turn(stats, options, "crouched")
    crouched_feet = whole_turn(stats, options, "crouched")
    crouch = CROUCH
    if stats.slowed and options["slowed_minimum_applies"] == "final" and crouched_feet:
        crouch = Factor("crouch", speed(stats, options) / crouched_feet, Source("OPR-09", "OPR-A04"))

    def pace(pool: str, posture_then: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        if refused is not None:
            return refused
        if stats.mounted:
            return _vehicle_pace(ground, options)
        if by_budget and (posture_then == "crouched") != (posture == "crouched"):
            why = f"the feet of the turn are those of a {posture} mover (option crouch_model: budget)"
            return Refusal("move.mode", {"why": why, "ruling": "OPR-A03"})
        found = cost_factors(ground, posture_then, options, None if by_budget else crouch)
        if isinstance(found, Refusal):
            return found
        mode, factors, final = found
        priced = (*factors, *final)
        source = Source("OPR-20", "OPR-A01") if len(priced) > 1 else priced[0].source if priced else Source("OPR-13")
        check = ground_check(ground, mode, stats.holding, options)
        return Pace(mode, factors=factors, final=final, source=source, on_foot=mode == "walk", check=check)

    gaits = gaits_of(stats, turn, options, feet)
    if refused is not None:
        gaits = (Gait("move", Fraction(0), title="Move", source=Source("OPR-48"), refused=refused),)
    names = [gait.name for gait in gaits]
    climb = options["climb_factor"]
    no_climb = Refusal("rules.not_covered", {"why": "climbing" if climb is None else "a climbing vehicle"})
    price: Fraction | Refusal = no_climb if climb is None or stats.mounted else climb
    return Profile(
        "operator",
        "ft",
        gaits,
        pace,
        postures=("standing",) if stats.mounted else POSTURES,
        changes=() if stats.mounted else posture_changes(foot_speed(stats, options), options),
        jump=_jump_limits(stats, options),
        ledge=LedgePrice(price, price, Source("OPR-15")),
        summary=refused.text if refused is not None else summary(stats, options),
        sources=SOURCES,
        turn_budget="dash" if "dash" in names else names[0],
        facts={"speed": feet},
        holds=None if stats.mounted else _holds(stats, options),
        attacked={} if stats.mounted else ATTACKED,
        arm=options["reach_ft"],
        vehicle=bool(stats.vehicle_multiple),
    )


def _holds(stats: Stats, options: Options) -> Holds:
    """The checks a GM may ask for on a stretch (OPR-34 … 36)."""
    return Holds(
        lambda mode, dc: stretch_check(mode, stats.holding, options, dc),
        lambda total, dc, feet, cost: athletics(total, dc, feet, cost, options),
        STRETCHES,
        "dc",
    )


def _vehicle_pace(ground: Terrain, options: Options) -> Pace | Refusal:
    # OPR-A19: open and difficult ground only; what is climbed or swum is not covered for wheels (G-A08)
    factors = (DIFFICULT,) if ground.difficult else ()
    mode = "climb" if ground.climb else "swim" if ground.swum else ""
    if not mode:
        return Pace("drive", factors=factors, source=Source("OPR-13", "OPR-A19"), on_foot=False)
    house = dict(options["house_pace"]).get(mode)
    if house is None:
        return Refusal("rules.not_covered", {"why": f"a vehicle that has to {mode}"})
    own = Factor(mode, house, Source("", "house_pace"))
    return Pace(mode, factors=(*factors, own), source=Source("", "house_pace"), on_foot=False)


def posture_changes(feet: Fraction, options: Options) -> tuple[PostureChange, ...]:
    """The changes between standing, crouched and prone, at flat prices that no ground multiplies (OPR-26, OPR-A22).

    Nobody rises from prone with a speed of 0 (OPR-A25).
    """
    free = Fraction(0)
    changes = (
        PostureChange("standing", "crouched", free, "crouch", Source("OPR-24", "OPR-A06")),
        PostureChange("standing", "prone", free, "prone", Source("OPR-19")),
        PostureChange("crouched", "prone", free, "prone", Source("OPR-19", "OPR-A06")),
        PostureChange("crouched", "standing", options["crouch_stand_cost"], "stand", Source("OPR-24")),
    )
    if feet <= 0:
        return changes
    rise = stand_price(feet, options)
    odd = "OPR-A05" if feet % 2 else ""
    return (
        *changes,
        PostureChange("prone", "standing", rise, "stand", Source("OPR-18", odd)),
        PostureChange("prone", "crouched", rise, "crouch", Source("OPR-18", "OPR-A06")),
    )


def _jump_limits(stats: Stats, options: Options) -> JumpLimits | None:
    if stats.strength is None or stats.mounted:
        return None
    running = long_jump(stats.strength, RUN_UP, options)
    standing = long_jump(stats.strength, Fraction(0), options)
    ruling = "OPR-A10" if stats.strength % 2 else ""
    hands = None if stats.height is None else jump_reach(Fraction(0), stats.height)
    up = [high_jump(stats.strength, run_up, options) for run_up in (RUN_UP, Fraction(0))]
    high = HighJump(up[0], up[1], hands, Source("OPR-39", "OPR-A12"), Source("OPR-41", "OPR-A11"))
    # a foot jumped costs a foot: OPR-42
    source, before = Source("OPR-37", ruling), Source("OPR-37", "OPR-A13")
    return JumpLimits(
        running, standing, RUN_UP, source=source, kinds=JUMPS, high=high, run_up_source=before,
        standing_source=Source("OPR-38", ruling),
    )  # fmt: skip


def summary(stats: Stats, options: Options, scale: Fraction = Fraction(1), unit: str = "ft") -> str:
    """The speed and where it comes from: ``speed 25 ft = 30 base + 5 Agile - 10 Bomb Suit``; a foot is `scale`."""
    parts = [f"{show(stats.speed * scale)} base"]
    worn = [(FLAT[name], word) for name, word in FLAT_WORDS.items() if getattr(stats, name)]
    parts += [f"{'+' if change > 0 else '-'} {show(abs(change) * scale)} {word}" for change, word in worn]
    halves = ["Slowed: half"] if stats.slowed else []
    halves += ["overloaded: half"] if stats.overloaded or options["encumbrance_halves"] else []
    halves += [f"mounted: x {show(stats.vehicle_multiple)}"] if stats.vehicle_multiple is not None else []
    changed = len(parts) > 1 or bool(halves)
    text = f"speed {show(speed(stats, options) * scale)} {unit} = {' '.join(parts)}"
    return ", ".join([text, *halves]) if changed else f"{text}, no modifiers"


def sheet() -> Mapping[str, object]:
    """The tables of the rules, for display: what changes the speed and what a foot costs."""
    return {
        "speed": {"base": BASE, **FLAT},
        "cost per foot": {"open": 1, "difficult": 2, "climb": 2, "swim": 2, "crawl": 2, "crouched": 2},
        "flat prices": {"stand from prone": "half speed", "stand from crouched": 5, "drop prone": 0, "crouch": 0},
        "turn": {"Dash": "x 2", "both Dashes": "x 4", "door or object": "one free"},
    }


RULESET = Ruleset(
    "operator",
    "Operator",
    "ft",
    Stats,
    profile,
    options=OPTIONS,
    defaults={"diagonal": "equal", "door_limit": 1},
    # no least distances, and jumps are sure or not possible
    inert=("ring", "jump_chance"),
    cell=Fraction(5),
    example={"speed": 30, "strength": 14},
    summary="5e-like movement in feet: one pool of speed, Dash, three postures",
    postures=POSTURES,
    sheet=sheet,
    clauses=WORDING,
    ground=GROUND,
    order=order,
    lengths=("speed", "height"),
    describe=summary,
)
