"""Shapers: four gaits by Physical Agility, metres a round, with tests for long efforts (clauses SHP-01 … SHP-34).

The budget is the round itself: a metre costs 1 / (metres a round of the gait), so gaits share a round (SHP-A19).  The
text knows no hindering ground and no climbing; falls hurt.  How long a gait lasts stands in `_shapers_effort.py`,
jumps, falls and the tests of swimming in `_shapers_acts.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options, choice, flag, number
from tactical.rules import efforts as long
from tactical.rules.checks import Check, Demand
from tactical.rules.profile import Factor, Gait, LedgePrice, Pace, Profile, Source
from tactical.rules.ruleset import Ruleset
from tactical.rules.systems.shapers import journey as _shapers_journey
from tactical.rules.systems.shapers import turn as _shapers_turn
from tactical.rules.systems.shapers.acts import Jumper, swim
from tactical.rules.systems.shapers.clauses import GROUND, WORDING
from tactical.rules.systems.shapers.effort import CLOCKS, Effort, Stamina, due_test, read_effort, rounds_left
from tactical.rules.systems.shapers.falls import Faller
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

MULTIPLES = {  # metres a round for each point of Physical Agility
    "walk": Fraction(1, 2),  # SHP-01, example SHP-02
    "jog": Fraction(1),  # SHP-03
    "run": Fraction(2),  # SHP-06
    "sprint": Fraction(4),  # SHP-10
}
CLAUSES = {"walk": "SHP-01", "jog": "SHP-03", "run": "SHP-06", "sprint": "SHP-10", "swim": "SHP-30"}

OPTIONS = (
    number("round_seconds", 3, "seconds in a round", "G-A06", least=Fraction(1, 1000)),
    number("effort_base_tn", 50, "target number of the tests of endurance", "SHP-A03"),
    choice("effort_test_timing", ("before", "after"), "a test before or after the period it pays for", "SHP-A05"),
    choice("effort_failure", ("gait_lost", "walk_only"), "what a failed test of endurance leaves", "SHP-A06"),
    choice("effort_recovery", ("rest_event", "walk_equal_time"), "what clears the clocks of effort", "SHP-A06"),
    choice("effort_counters", ("separate", "shared"), "a clock for each gait, or one for all", "SHP-A07"),
    choice("running_jump_gait", ("run", "jog"), "the slowest gait before a running jump", "SHP-A11"),
    flag("jump_costs_movement", True, "the flight of a jump takes its share of the round", "SHP-A11"),
    choice("fall_metres", ("whole", "exact"), "whole or exact metres count for damage", "SHP-A12"),
    flag("flounder_adds_stats", True, "Physical Strength raises the target number of a flounderer", "SHP-A17"),
    choice("mode_mixing", ("time_share", "single"), "several gaits share a round, or one gait a round", "SHP-A19"),
    choice("difficult_terrain_cap", ("off", "jog"), "difficult ground allows jogging at most", "SHP-A21"),
)

SOURCES: Mapping[str, Source] = {
    **{gait: Source(clause) for gait, clause in CLAUSES.items()},
    "mixed": Source("", "SHP-A19"),
    "difficult": Source("", "SHP-A21"),
    "fall": Source("SHP-25", "SHP-A12"),
    "drop": Source("SHP-23", "SHP-A13"),
    "ledge": Source("", "G-A08"),
    "climb": Source("", "G-A08"),
    "jump": Source("SHP-14", "SHP-A11"),
    "diagonal2": Source("", "G-A05"),
    "door": Source("", "engine"),
    "fence": Source("", "engine"),
    "ally": Source("", "engine"),
    "enemy": Source("", "engine"),
    "squeeze": Source("", "engine"),
    "link": Source("", "engine"),
}


@dataclass(frozen=True, slots=True)
class Stats:
    """A character: Physical Agility, Strength and Fortitude, aptitudes, and the creature size for falls.

    `gait` restricts a plan to one gait; a plan never takes a fall of more than `accept_damage`.
    """

    pa: int
    ps: int = 0
    pf: int = 0
    swimming: int = 0
    athletics: int = 0
    endurance: int = 0
    size_m: Fraction = Fraction(10)
    gait: str = ""
    accept_damage: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        for name in ("pa", "size_m", "accept_damage"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} {getattr(self, name)} is below 0")
        if self.gait and self.gait not in MULTIPLES:
            raise ValueError(f"gait {self.gait!r} is not one of {', '.join(MULTIPLES)}")

    @property
    def stamina(self) -> Stamina:
        """What the clocks of effort need to know."""
        return Stamina(self.pf, self.endurance, self.swimming)


def rate(gait: str, agility: int) -> Fraction:
    """Metres a round in a gait (SHP-01, SHP-03, SHP-06, SHP-10); half metres are kept (SHP-A20)."""
    return MULTIPLES[gait] * agility


def profile(stats: Stats, turn: TurnState, options: Options, posture: str) -> Profile:
    """Walk, jog, run and sprint, each a pool of its own; swimming is paid inside each of them (SHP-A19).

    The budget is 1, the round.  `turn.memory["effort"]` may hold an `Effort` (or its fields): lost gaits are refused
    (SHP-A06), and `facts["tests"]` names the test that the next round of each gait needs.
    """
    effort = read_effort(turn.memory.get("effort"))
    house = dict(options["house_pace"])
    if options["climb_factor"] is not None:
        house.setdefault("climb", options["climb_factor"])
    single = options["mode_mixing"] == "single"
    names = (stats.gait,) if stats.gait else (*MULTIPLES, "swim") if single else tuple(MULTIPLES)

    def pace(pool: str, posture_then: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        if ground.swum:
            if single and pool != "swim":
                why = "swimming is a gait of its own (option mode_mixing: single)"
                return Refusal("move.mode", {"why": why, "ruling": "SHP-A19"})
            return _swim_pace(stats, ground, options, "swim" in effort.lost)
        if pool == "swim":
            return Refusal("move.mode", {"why": "no swimming on dry ground", "clause": "SHP-30"})
        metres = rate(pool, stats.pa)
        capped = ground.difficult and options["difficult_terrain_cap"] == "jog" and metres > rate("jog", stats.pa)
        if capped:
            metres = rate("jog", stats.pa)
        if metres == 0:
            return Refusal("move.mode", {"why": "Physical Agility 0 does not move", "ruling": "SHP-A20"})
        if ground.climb:
            if "climb" not in house:
                return Refusal("rules.not_covered", {"why": "climbing", "ruling": "SHP-A21"})
            own = Source("", "house_pace")
            return Pace("climb", 1 / metres, (Factor("climb", house["climb"], own),), source=own, on_foot=False)
        return Pace(pool, 1 / metres, source=Source(CLAUSES[pool], "SHP-A21" if capped else ""))

    budget = Fraction(1) if turn.left is None else turn.left + turn.spent
    begun = next((name for name in turn.memory.get("went", ()) if single and name in names), "")
    gaits = tuple(_gait(name, budget, effort, _metres(name, stats, options), begun) for name in names)
    tests = {name: due for name in names if (due := due_test(effort, name, stats.stamina, options)) is not None}
    refused = Refusal("rules.not_covered", {"why": "climbing up or down a ledge"})
    climbed = {
        name: house["climb"] / rate(name, stats.pa)
        for name in names
        if "climb" in house and name in MULTIPLES and stats.pa
    }
    price: Fraction | Refusal = max(climbed.values(), default=refused)
    return Profile(
        "shapers",
        "round",
        gaits,
        pace,
        ledge=LedgePrice(price, price, Source("", "house_pace" if climbed else "G-A08"), climbed),
        jump=Jumper(stats.ps, stats.pa, stats.athletics, {name: rate(name, stats.pa) for name in MULTIPLES}).limits(
            options
        ),
        fall=Faller(stats.size_m, stats.pf, stats.pa, stats.athletics, stats.accept_damage).limits(options),
        summary=f"Physical Agility {stats.pa}: "
        + ", ".join(f"{gait} {show(rate(gait, stats.pa))}" for gait in MULTIPLES)
        + " m a round",
        sources=SOURCES,
        turn_budget=gaits[0].name,
        facts={"tests": tests, "effort": effort, "left": rounds_left(effort, names, stats.stamina, options)},
        demand=lambda gait, grounds: demand(stats, effort, gait, grounds, options),
        stay=lambda ground: flounder(stats, ground, options),
    )


def demand(stats: Stats, effort: Effort, gait: str, grounds: Sequence[Terrain], options: Options) -> Demand:
    """The tests of endurance due before this round: of the gait, and of swimming where somebody swims (SHP-05 … 34)."""
    gaits = dict.fromkeys((gait, *(["swim"] if any(ground.swum for ground in grounds) else [])))
    due = {name: due_test(effort, name, stats.stamina, options) for name in gaits}
    checks = tuple(
        Check(
            "Physical Fortitude + Endurance",
            int(test.tn // 1),
            kind="effort",
            source=CLOCKS[name].clause,
            note=f"to go on at a {name}" if name != "swim" else "to go on swimming",
            effects={"failed": f"no more {name} until a rest"},  # SHP-A06
            dice="d100",
            under=True,
            per="move",
            about=name,
            spends=name == "swim",  # SHP-A18: who treads water gets nowhere
        )
        for name, test in due.items()
        if test is not None
    )
    return Demand("free", checks)


def flounder(stats: Stats, ground: Terrain, options: Options) -> Check | None:
    """The roll of each round in deep water without Swimming (SHP-32, SHP-A17); None for everybody else."""
    found = swim(stats.ps, stats.swimming, False, options)
    if not ground.swum or stats.swimming >= 1 or found.tn is None:
        return None
    effects = {"failed": "starts to drown, the game master says how (SHP-32)"}
    skill, note = "Physical Strength + Swimming", "to keep afloat without Swimming"
    return Check(skill, found.tn, kind="stay", source="SHP-32", note=note, effects=effects, dice="d100", under=True)


def _swim_pace(stats: Stats, ground: Terrain, options: Options, lost: bool) -> Pace | Refusal:
    rough_water = ground.current in ("choppy", "strong")
    found = swim(stats.ps, stats.swimming, rough_water, options)
    if found.metres == 0:
        why = f"without Swimming one only flounders, with a test against {found.tn} each round"
        return Refusal("move.mode", {"why": why, "clause": "SHP-32"})
    if lost:
        why = "too tired to swim: tread water or rest ashore"
        return Refusal("move.mode", {"why": why, "clause": "SHP-34", "ruling": "SHP-A18"})
    check = None
    if found.tn is not None:
        note = "the GM may ask for it, and says what a failure brings (SHP-A16)"
        skill = "Physical Strength + Swimming"
        check = Check(skill, found.tn, "", "swim", "SHP-31", note, dice="d100", under=True, per="round")
    return Pace("swim", 1 / found.metres, source=Source("SHP-30"), on_foot=False, check=check)


def _metres(name: str, stats: Stats, options: Options) -> Fraction:
    return swim(stats.ps, stats.swimming, False, options).metres if name == "swim" else rate(name, stats.pa)


def _gait(name: str, budget: Fraction, effort: Effort, metres: Fraction, begun: str) -> Gait:
    """A gait of the round; where each round is of one gait, the one that it was `begun` in closes the others."""
    lost = None
    if begun not in ("", name):
        why = f"this round is a {begun} already (option mode_mixing: single)"
        lost = Refusal("move.mode", {"why": why, "ruling": "SHP-A19"})
    elif name in effort.lost and name in CLOCKS:
        why = f"a failed test ended the {name}"
        lost = Refusal("move.mode", {"why": why, "clause": CLOCKS[name].clause, "ruling": "SHP-A06"})
    return Gait(name, budget, pool=name, title=name.capitalize(), source=SOURCES[name], refused=lost, metres=metres)


def efforts(stats: Stats, options: Options) -> tuple[long.Effort, ...]:
    """The gaits kept up for long, with their tests, swimming included where it is known (SHP-04 … 13, 33, 34)."""
    rates = {gait: rate(gait, stats.pa) for gait in reversed(MULTIPLES)}
    water = swim(stats.ps, stats.swimming, False, options).metres
    return _shapers_journey.efforts({**rates, **({"swim": water} if water else {})}, stats.stamina, options)


def sheet() -> Mapping[str, object]:
    """The gaits and how long they last, for display."""
    return {
        "metres a round for each point of Physical Agility": MULTIPLES,
        "free time": {"jog": "PF minutes", "run": "PF x 30 s", "sprint": "PF rounds", "swim": "PF + Swimming rounds"},
        "swimming": "half the Physical Strength in metres a round",
        "falls": "harmless up to a quarter of the size in metres, else 2 a metre + size - PF",
    }


RULESET = Ruleset(
    "shapers",
    "Shapers",
    "m",
    Stats,
    profile,
    options=OPTIONS,
    defaults={
        "diagonal": "alternate",
        "ledge_up": "refuse",
        "ledge_down": "drop",
        "climb_factor": None,
        "strikes": "none",
    },
    # no Dash, no prices of postures, swimming has a rate of its own, no least distances
    inert=("dash_pool", "stand_cost", "crouch_stand_cost", "swim_factor", "ring"),
    example={"pa": 4, "ps": 4, "pf": 3, "swimming": 1, "athletics": 4},
    turn_word="round",
    summary="walk, jog, run, sprint by Physical Agility; tests for long efforts; falls that hurt",
    sheet=sheet,
    clauses=WORDING,
    ground=GROUND,
    efforts=efforts,
    after=_shapers_turn.after,
    next_turn=_shapers_turn.next_turn,
    no_worse=_shapers_turn.no_worse,
    rest=_shapers_turn.rest,
)
