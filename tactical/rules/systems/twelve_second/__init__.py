"""Twelve-second turns: a movement value picks metres a turn for each way of going (clauses TWS-01 … TWS-38).

The budget is the turn itself: a metre costs 1 / (metres a turn in that mode), so modes share the twelve seconds
(TWS-A04).  Water decides which modes there are, rough ground and slopes leave a quarter of the distance.  Jumps stand
in `jumps.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from tactical.errors import Refusal, counted
from tactical.options import Options, choice, flag, number
from tactical.rules.efforts import Effort
from tactical.rules.profile import Factor, Gait, JumpLimits, LedgePrice, Pace, Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.systems.twelve_second import journey as _twelve_second_journey
from tactical.rules.systems.twelve_second.clauses import GROUND, WORDING
from tactical.rules.systems.twelve_second.jumps import Jumper, base_number
from tactical.rules.systems.twelve_second.turn import (
    COUNTED,
    after,
    endurance_limit,
    exhausted_modes,
    next_turn,
    no_worse,
    rest,
    turns_left,
)
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

TURN_SECONDS = 12  # TWS-04
STOCKY = -2  # TWS-02
RATINGS = ("Weakling", "Average", "Strong", "Super")
COLUMNS = (25, 43, 55)  # TWS-03, TWS-A03: a value below 25, 43, 55; the rest is Super
RATES = {  # metres a turn in each column
    "crawl": (4, 8, 12, 16),  # TWS-05
    "walk": (16, 20, 24, 28),  # TWS-06
    "run": (48, 60, 72, 94),  # TWS-07; the last by option super_run (TWS-A02)
    "run_dodge": (28, 32, 36, 40),  # TWS-08
    "wade": (4, 8, 12, 16),  # TWS-09
    "swim": (8, 12, 16, 20),  # TWS-10
}
CLAUSES = {mode: f"TWS-{number:02}" for number, mode in enumerate(RATES, start=5)}
TITLES = {
    "crawl": "Crawl", "walk": "Walk", "run": "Run", "run_dodge": "Run and dodge", "wade": "Wade", "swim": "Swim"
}  # fmt: skip
BY_DEPTH = {  # which modes a depth allows, TWS-11 … TWS-13
    "": ("crawl", "walk", "run", "run_dodge"),
    "shallow": ("crawl", "walk"),  # below the waist: TWS-12, TWS-13, TWS-A07, TWS-A26
    "wading": ("wade", "swim"),  # waist to neck: TWS-11, TWS-A06, TWS-A08
    "deep": ("swim",),  # over the neck
}
REDUCED = ("crawl", "walk", "run", "run_dodge", "wade")  # TWS-14, TWS-A05: not swimming
RUNNING = ("run", "run_dodge")  # TWS-A07
LOADS = ("none", "light", "heavy")

OPTIONS = (
    choice(
        "rough_reduction", ("by_three_quarters", "to_three_quarters"), "what rough ground or a slope leaves", "TWS-A01"
    ),
    number("super_run", 94, "metres a turn of a Super runner", "TWS-A02"),
    choice("mode_mixing", ("time_share", "single"), "several modes share a turn, or one mode a turn", "TWS-A04"),
    choice("uphill_and_rough", ("once", "twice"), "uphill on rough ground: reduced once or twice", "TWS-A05"),
    number("uphill_min_rise_m", 0, "a rise of more than this between two cells is uphill", "G-A07"),
    flag("swim_in_wade_depth", True, "one may swim where one could wade", "TWS-A08"),
    choice("endurance_count", ("cumulative", "consecutive", "per_mode"), "how hard turns count", "TWS-A09"),
    choice("endurance_recovery", ("rest_event", "per_easy_turn"), "what gives counted turns back", "TWS-A10"),
    choice("jump_below_table", ("refuse", "0.5", "1"), "jump number of a sum below 6", "TWS-A13"),
    choice("jump_modifier_order", ("own_before", "all_before", "all_after"), "modifiers and doubling", "TWS-A14"),
    choice("runup_shortage", ("floor", "pro_rata", "ceil"), "how missing run-up of under 2 m counts", "TWS-A15"),
    choice("jump_difference_gap", ("up", "down"), "a difference between two rows of the table", "TWS-A19"),
    choice("beyond_table", ("fail", "refuse"), "a difference of more than 1", "TWS-A19"),
    choice("jump_recovery", ("on_failure", "always"), "which rolled jumps need recovery", "TWS-A20"),
    choice("recovery_half", ("up", "down", "exact"), "the first half of an odd recovery", "TWS-A21"),
    flag("jump_costs_movement", True, "run-up and flight are paid as metres of the turn", "TWS-A22"),
)

SOURCES: Mapping[str, Source] = {
    **{mode: Source(clause) for mode, clause in CLAUSES.items()},
    "rough": Source("TWS-14", "TWS-A01"),
    "uphill": Source("TWS-14", "G-A07"),
    "mixed": Source("TWS-04", "TWS-A04"),
    "jump": Source("TWS-18", "TWS-A22"),
    "diagonal2": Source("", "G-A05"),
    "climb": Source("", "G-A08"),
    "ledge": Source("", "G-A08"),
    "door": Source("", "engine"),
    "fence": Source("", "engine"),
    "ally": Source("", "engine"),
    "enemy": Source("", "engine"),
    "squeeze": Source("", "engine"),
    "link": Source("", "engine"),
}


@dataclass(frozen=True, slots=True)
class Stats:
    """A character: the movement value, or the scores that make it; `modes` restricts what a plan may use.

    ``str``, ``dex`` and ``end`` are short for the scores; `mv` wins over them.  `load` is none, light or heavy (input:
    the text has no thresholds); `ep` and `held_ep` are Encumbrance Points, carried and in hand, for jumps.  `waist` and
    `neck` are heights in metres, for water whose depth is given in metres (TWS-A06).
    """

    ALIASES: ClassVar[Mapping[str, str]] = {"str": "strength", "dex": "dexterity", "end": "endurance"}

    mv: Fraction | None = None
    strength: Fraction | None = None
    dexterity: Fraction | None = None
    endurance: Fraction | None = None
    stocky: bool = False
    acrobatics: bool = False
    load: str = "none"
    ep: Fraction = Fraction(0)
    held_ep: tuple[Fraction, ...] = ()
    exhausted: bool = False
    modes: tuple[str, ...] = ()
    waist: Fraction | None = None
    neck: Fraction | None = None

    def __post_init__(self) -> None:
        if self.mv is None and None in (self.strength, self.dexterity, self.endurance):
            raise ValueError("give mv, or strength, dexterity and endurance")
        if self.load not in LOADS:
            raise ValueError(f"load {self.load!r} is not one of {', '.join(LOADS)}")
        if (self.waist is None) != (self.neck is None):
            raise ValueError("waist and neck are given together")
        if self.waist is not None and self.neck is not None and not 0 < self.waist < self.neck:
            raise ValueError(f"the waist is above 0 and below the neck, not at {self.waist} and {self.neck}")
        for mode in self.modes:
            if mode not in RATES:
                raise ValueError(f"mode {mode!r} is not one of {', '.join(RATES)}")


def movement_value(stats: Stats) -> Fraction:
    """Strength + Dexterity + Endurance, 2 less for Stocky, never below 0 (TWS-01, TWS-02, TWS-A03)."""
    if stats.mv is not None:
        return max(Fraction(0), stats.mv)
    scores = (stats.strength or 0) + (stats.dexterity or 0) + (stats.endurance or 0)
    return max(Fraction(0), Fraction(scores + (STOCKY if stats.stocky else 0)))


def column(mv: Fraction) -> int:
    """The column of the table, 0 to 3 (TWS-03)."""
    return sum(1 for bound in COLUMNS if mv >= bound)


def rating(mv: Fraction) -> str:
    """The fitness rating: Weakling, Average, Strong or Super (TWS-03)."""
    return RATINGS[column(mv)]


def rate(mode: str, mv: Fraction, options: Options) -> Fraction:
    """Metres a turn in a mode, on good ground (TWS-05 … TWS-10)."""
    if mode == "run" and column(mv) == len(COLUMNS):
        return Fraction(options["super_run"])  # TWS-A02
    return Fraction(RATES[mode][column(mv)])


def hindrances(mode: str, rough: bool, uphill: bool, options: Options) -> tuple[Factor, ...]:
    """What rough ground and slopes multiply a metre with: 4, once for both (TWS-14, TWS-A01, TWS-A05)."""
    if mode not in REDUCED or not (rough or uphill):
        return ()
    factor = Fraction(4) if options["rough_reduction"] == "by_three_quarters" else Fraction(4, 3)
    found = [Factor("rough", factor, SOURCES["rough"])] if rough else []
    if uphill and (not rough or options["uphill_and_rough"] == "twice"):
        found.append(Factor("uphill", factor, SOURCES["uphill"]))
    return tuple(found)


def depth_class(metres: Fraction, waist: Fraction, neck: Fraction) -> str:
    """The depth of water as the rules see it: none, ``shallow``, ``wading`` or ``deep`` (TWS-11, TWS-12, TWS-A06)."""
    if metres <= 0:
        return ""
    return "shallow" if metres < waist else "wading" if metres <= neck else "deep"


def depth_of(ground: Terrain, stats: Stats) -> str | Refusal:
    """The depth class of a cell for this character: the stated one, else its metres against waist and neck."""
    if ground.swum or ground.water or not ground.depth:
        return "deep" if ground.swum else ground.water
    if stats.waist is None or stats.neck is None:
        why = f"water {show(ground.depth)} m deep without the stats waist and neck"
        return Refusal("rules.not_covered", {"why": why})
    return depth_class(ground.depth, stats.waist, stats.neck)


def allowed_modes(depth: str, exhausted: Iterable[str], options: Options) -> tuple[str, ...]:
    """The modes a depth of water allows, those in `exhausted` left out (TWS-11 … TWS-13, TWS-17)."""
    tired = set(exhausted)
    if depth == "wading" and not options["swim_in_wade_depth"]:
        tired.add("swim")
    return tuple(mode for mode in BY_DEPTH[depth] if mode not in tired)


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """Walk, run, run and dodge, crawl or wade, each a pool of its own; with `stats.modes` one pool that mixes those.

    The budget is 1, the turn.  Inside a pool the quickest mode that the depth of water allows is used; a runner walks
    through shallows and swims or wades beyond (TWS-A04), who wades never swims, unless ``mode_mixing: single``.
    `turn.memory["effort"]` holds the counted turns (`after_turn`); spent modes are refused (TWS-17).
    """
    mv = movement_value(stats)
    limit = None if stats.endurance is None else endurance_limit(stats.endurance, stats.load)
    tired = COUNTED if stats.exhausted else exhausted_modes(turn.memory.get("effort", {}), limit, options)
    house = dict(options["house_pace"])
    if options["climb_factor"] is not None:
        house.setdefault("climb", options["climb_factor"])
    pools = _pools(stats, options)

    def pace(pool: str, posture_then: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        depth = depth_of(ground, stats)
        if isinstance(depth, Refusal):
            return depth
        open_modes = allowed_modes(depth, tired, options)
        usable = [mode for mode in pools[pool] if mode in open_modes]
        if not usable:
            return _no_mode(pools[pool], depth, tired)
        mode = max(usable, key=lambda mode: rate(mode, mv, options))
        base = 1 / rate(mode, mv, options)
        if ground.climb:
            if "climb" not in house:
                return Refusal("rules.not_covered", {"why": "climbing", "ruling": "G-A08"})
            own = Source("", "house_pace")
            return Pace("climb", base, (Factor("climb", house["climb"], own),), source=own, on_foot=False)
        up = uphill if ground.uphill is None else ground.uphill
        factors = hindrances(mode, ground.rough, up, options)
        on_foot = mode in RUNNING  # what a running jump needs before it (TWS-19)
        mixed = len(pools[pool]) > 1 and mode != pools[pool][0]
        swum = mode == "swim" and depth == "wading"
        ruling = "TWS-A08" if swum else "TWS-A04" if mixed else "TWS-A02" if _by_ruling(mode, mv) else ""
        source = Source(CLAUSES[mode], ruling)
        return Pace(mode, base, factors, source=source, on_foot=on_foot)

    budget = Fraction(1) if turn.left is None else turn.left + turn.spent
    down = int(turn.memory.get("no_action", 0))
    stunned = turn.memory.get("stunned")
    # who wades walks where it is dry, but the gait's own rate is that of wading
    named = {pool: rate(pool if pool in modes else modes[0], mv, options) for pool, modes in pools.items()}
    gaits = tuple(_gait(pool, modes, budget, tired, down, named[pool]) for pool, modes in pools.items())
    refused = Refusal("rules.not_covered", {"why": "climbing up or down a ledge"})
    climbed = {
        pool: house["climb"] / max(rate(mode, mv, options) for mode in modes if mode not in tired)
        for pool, modes in pools.items()
        if "climb" in house and any(mode not in tired for mode in modes)
    }
    price: Fraction | Refusal = max(climbed.values(), default=refused)
    return Profile(
        "twelve-second",
        "turn",
        gaits,
        pace,
        jump=_jumps(stats, mv, pools, tired, options),
        ledge=LedgePrice(price, price, Source("", "house_pace" if climbed else "G-A08"), climbed),
        uphill_matters=True,
        uphill_min_rise=Fraction(options["uphill_min_rise_m"]),
        summary=f"movement value {show(mv)} ({rating(mv)}): "
        + ", ".join(f"{mode} {show(rate(mode, mv, options))}" for mode in ("walk", "run", "swim"))
        + " m a turn"
        + _counted_words(turn.memory.get("effort", {}), limit, options)
        + (f", stunned for {counted(stunned, 'more turn')}" if stunned and not down else ""),
        sources=SOURCES,
        turn_budget=gaits[0].name if gaits else "",
        neck=stats.neck,
        facts={
            "mv": mv,
            "limit": limit,
            "exhausted": tired,
            "stunned": int(turn.memory.get("stunned", 0)),
            "left": turns_left(turn.memory.get("effort", {}), limit, options),
        },
    )


def _counted_words(used: Mapping[str, int], limit: int | None, options: Options) -> str:
    """How many turns of running and swimming are left of how many (TWS-15, TWS-16), where that is known."""
    left = turns_left(used, limit, options)
    if left and options["endurance_count"] != "per_mode":
        left = {"running or swimming": next(iter(left.values()))}
    told = ((what.replace("_", " and "), counts) for what, counts in left.items())
    return "".join(f", {some} of {whole} turns of {what} left" for what, (some, whole) in told)


def _pools(stats: Stats, options: Options) -> dict[str, tuple[str, ...]]:
    """The pools and the modes each may use, its own mode first."""
    if options["mode_mixing"] == "single":
        return {mode: (mode,) for mode in stats.modes or ("walk", "run", "run_dodge", "crawl", "wade", "swim")}
    if stats.modes:
        return {"mixed": stats.modes}
    water = ("wade", "swim")
    return {
        "walk": ("walk", *water),
        "run": ("run", "walk", *water),
        "run_dodge": ("run_dodge", "walk", *water),
        "crawl": ("crawl", *water),
        "wade": ("walk", "wade"),
    }


def _gait(
    pool: str, modes: tuple[str, ...], budget: Fraction, tired: Sequence[str], down: int, metres: Fraction
) -> Gait:
    spent = pool in tired or all(mode in tired for mode in modes)
    why = "the turns of running and swimming are used up"
    refused = Refusal("move.mode", {"why": why, "clause": "TWS-17"}) if spent else None
    if down:
        why = f"moving: {counted(down, 'more turn')} of recovery from a jump"
        refused = Refusal("move.action", {"what": why, "clause": "TWS-37"})
    title = TITLES.get(pool, "One turn")
    return Gait(pool, budget, pool=pool, title=title, source=SOURCES[pool], refused=refused, metres=metres)


def _jumps(
    stats: Stats, mv: Fraction, pools: Mapping[str, tuple[str, ...]], tired: Sequence[str], options: Options
) -> JumpLimits | None:
    """Jumps over gaps, for whom Strength and Dexterity are known; exhausted, nobody runs up (TWS-18, TWS-A22)."""
    if stats.strength is None or stats.dexterity is None:
        return None
    base = base_number(stats.strength + stats.dexterity, options)
    if isinstance(base, Refusal):
        return None
    running = {
        pool: rate(next(mode for mode in modes if mode in RUNNING and mode not in tired), mv, options)
        for pool, modes in pools.items()
        if any(mode in RUNNING and mode not in tired for mode in modes)
    }
    walking = rate("walk", mv, options)
    return Jumper(base, stats.acrobatics, stats.stocky, stats.ep, stats.held_ep, walking, running).limits(options)


def _no_mode(modes: Sequence[str], depth: str, tired: Sequence[str]) -> Refusal:
    words = {"": "dry ground", "shallow": "water below the waist", "wading": "water from waist to neck"}
    where = words.get(depth, "water over the neck")
    if depth == "deep" and "swim" in tired:
        why = f"stranded: too exhausted to swim in {where}"
        return Refusal("move.mode", {"why": why, "clause": "TWS-17", "ruling": "TWS-A12"})
    # below the waist nobody runs, from there on one wades, over the neck one swims
    clause = {"": "TWS-11", "shallow": "TWS-13"}.get(depth, "TWS-11")
    return Refusal("move.mode", {"why": f"no {' or '.join(modes)} in {where}", "clause": clause})


def _by_ruling(mode: str, mv: Fraction) -> bool:
    return mode == "run" and column(mv) == len(COLUMNS)


def efforts(stats: Stats, options: Options) -> tuple[Effort, ...]:
    """The modes kept up for long; running, dodging and swimming end after END turns (TWS-15 … 17)."""
    mv = movement_value(stats)
    limit = None if stats.endurance is None else endurance_limit(stats.endurance, stats.load)
    rates = {mode: rate(mode, mv, options) for mode in RATES}
    return _twelve_second_journey.efforts(rates, TITLES, COUNTED, limit, TURN_SECONDS, options)


def sheet() -> Mapping[str, object]:
    """The table of metres a turn, for display."""
    return {"ratings": RATINGS, "metres a turn": RATES, "rough or uphill": "a quarter", "turn": f"{TURN_SECONDS} s"}


RULESET = Ruleset(
    "twelve-second",
    "Twelve-second turns",
    "m",
    Stats,
    profile,
    options=OPTIONS,
    defaults={
        "diagonal": "alternate",
        "ledge_up": "refuse",
        "ledge_down": "refuse",
        "climb_factor": None,
        "strikes": "none",
    },
    # no Dash, no prices of postures, swimming has a rate of its own, no least distances
    inert=("dash_pool", "stand_cost", "crouch_stand_cost", "swim_factor", "ring"),
    example={"strength": 12, "dexterity": 12, "endurance": 12},
    summary="a movement value gives metres a turn for walking, running, wading, swimming; modes share the turn",
    sheet=sheet,
    clauses=WORDING,
    ground=GROUND,
    efforts=efforts,
    after=after,
    next_turn=next_turn,
    no_worse=no_worse,
    rest=rest,
)
