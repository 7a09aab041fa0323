"""A D6 mover's round: its stats, what it may do and what a move needs.

The two editions share all of this; each passes its own `Edition`.  Between rounds a `TurnState` carries the speed
(`previous`) and in its `memory` the words ``dice`` (penalty in force), ``no_actions``, ``moved`` (the speed used this
round), ``move_acts`` (that move was an action), ``others`` (other actions taken this round), ``blocked`` (how
far there is a way, if too near for any speed) and, for the round to come, ``next_dice``, ``next_no_actions`` and
``next_speed``; over the rounds ``kept_up``, ``rested`` and ``owed`` (see `stamina.py`), and of a vehicle ``countdown``
(rounds until it explodes) and ``destroyed``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from tactical import values
from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check, Demand
from tactical.rules.dice import Pool
from tactical.rules.profile import Factor, Gait, LedgePrice, Pace, PostureChange, Profile, Source
from tactical.rules.systems.d6 import ramming
from tactical.rules.systems.d6.failures import COLLISION, EFFECTS, effects_of
from tactical.rules.systems.d6.stamina import owed
from tactical.rules.systems.d6.tables import (
    DEFAULTS,
    DESTROYED,
    MAX_CHANGE,
    OPTIONS,
    SHARE,
    SPEEDS,
    TITLES,
    TYPICAL_MOVE,
    Edition,
    Requirement,
    allowed_speeds,
    distances,
    maneuver_class,
    no_mode,
    number_of,
    pool_in_force,
    requirement,
    skill_for,
    speed_change,
    unusual,
)
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import LEVEL_BANDS, LEVELS, Terrain

KINDS = tuple(MAX_CHANGE)
POOL = "move"
HEIGHTS = ("standing", "kneeling", "prone")  # REUP-54, REUP-A11
CODES = (
    "code", "dexterity", "strength", "mechanical", "running", "swimming", "climbing", "stamina", "vehicle_operation",
    "maneuverability", "body_strength", "repair",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stats:
    """A D6 character or creature; what a text has besides, its own stats say.

    `move` is in metres a round.  Codes are written ``4D+1``; `code` is the pool rolled for moving where the single
    skills are not given.  `previous` is the speed of the last round, `lost_moves` the Moves lost to damage, `actions`
    how many actions this round has, the move included; who is `destroyed` moves no more.
    """

    kind: str = "character"
    move: Fraction | None = None
    previous: str = ""
    lost_moves: int = 0
    actions: int = 1
    code: str = ""
    dexterity: str = ""
    strength: str = ""
    mechanical: str = ""
    running: str = ""
    swimming: str = ""
    climbing: str = ""
    stamina: str = ""
    vehicle_operation: str = ""
    repair: str = ""
    destroyed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "previous", self.previous.replace("-", "_"))
        if self.kind not in KINDS:
            raise ValueError(f"kind {self.kind!r} is not one of {', '.join(KINDS)}")
        if self.previous and self.previous not in SPEEDS:
            raise ValueError(f"previous {self.previous!r} is not one of {', '.join(SPEEDS)}")
        if (self.move or 0) < 0:
            raise ValueError("Move is at least 0")  # REUP-A35
        if min(self.lost_moves, self.actions) < 0:
            raise ValueError("lost_moves and actions are at least 0")
        for name in CODES:
            if code := getattr(self, name, ""):
                Pool.parse(code)

    def enduring(self) -> tuple[str, str]:
        """What is rolled for keeping a speed up, and its code (REUP-A24)."""
        return "stamina", self.stamina or self.strength

    def metres(self, options: Options) -> Fraction:
        """Move, the typical one where none is stated (REUP-01)."""
        return Fraction(TYPICAL_MOVE) if self.move is None else self.move

    def skill(self, mode: str) -> tuple[str, Pool | None]:
        """The skill rolled for `mode` and its pool (REUP-04 … 06)."""
        own = {"running": self.running, "swimming": self.swimming, "climbing/jumping": self.climbing}
        named = {skill: code for skill, code in own.items() if code}
        name, pool = skill_for(mode, named, {"dexterity": self.dexterity, "strength": self.strength})
        return name, pool if named.get(name) or not self.code else Pool.parse(self.code)


# --- what a move needs -----------------------------------------------------------------------------------------------


def mode_of(ground: Terrain) -> str:
    """How a cell is crossed: climbed, swum (marked so, or deep water) or walked (REUP-A20)."""
    return "climb" if ground.climb else "swim" if ground.swum else "walk"


def needed(
    stats: Stats, speed: str, ground: Terrain, options: Options, edition: Edition, maneuver: int = 0
) -> Requirement:
    """What one kind of ground asks of a move at `speed` (REUP-09; a cell without a level: REUP-A38)."""
    return requirement(
        speed, ground.difficulty or options["default_level"], ground.number, options, edition=edition,
        own_numbers=dict(ground.level_numbers), maneuver=maneuver, kind=stats.kind,
    )  # fmt: skip


def demand(
    stats: Stats, turn: TurnState, options: Options, speed: str, grounds: Sequence[Terrain], maneuver: int = 0, *,
    edition: Edition,
) -> Demand:  # fmt: skip
    """The actions and rolls of a whole move over the grounds of the cells entered, in order.

    One roll against the hardest ground (REUP-A18), one per skill where walking, swimming and climbing each need one
    (REUP-A36); by option ``mixed_terrain`` one per stretch, or only for the first ground.
    """
    maneuver = maneuver or values.whole(turn.memory.get("stunt", 0), "stunt", most=1000)
    # a way enters few kinds of ground, each many times
    known: list[tuple[Terrain, tuple[str, Requirement]]] = []
    asked = []
    for ground in grounds:
        pair = next((pair for kind, pair in known if kind is ground), None)
        if pair is None:
            pair = mode_of(ground), needed(stats, speed, ground, options, edition, maneuver)
            known.append((ground, pair))
        asked.append(pair)
    if ramming.is_declared(turn):
        asked = [(mode, _for_a_ram(need, ground, options)) for (mode, need), ground in zip(asked, grounds, strict=True)]
    if not asked:
        return Demand("free" if speed in ("stop", "cautious") else "action")
    if options["mixed_terrain"] == "first":
        asked = asked[:1]
    unsaid = [ground.name or "plain ground" for ground in grounds if not ground.difficulty]
    action = max((need.action for _, need in asked), key=("free", "action", "exclusive").index)
    rolled = [pair for index, pair in enumerate(asked) if pair[1].roll and (index == 0 or pair != asked[index - 1])]
    if options["mixed_terrain"] != "segments":
        modes = dict.fromkeys(mode for mode, _ in rolled)
        rolled = [(mode, max((n for m, n in rolled if m == mode), key=lambda need: need.hardness)) for mode in modes]
    assumed = f"no level stated for {', '.join(dict.fromkeys(unsaid))}: taken as {options['default_level']} (REUP-A38)"
    checks = tuple(_check(stats, turn, options, mode, need, maneuver) for mode, need in rolled)
    return Demand(action, checks, (assumed,) if unsaid else ())


def _for_a_ram(need: Requirement, ground: Terrain, options: Options) -> Requirement:
    """A move that ends in a ram is rolled whatever the ground asks for, and is an action (REV-36, REV-A11)."""
    if need.roll:
        return need
    level = ground.difficulty or options["default_level"]
    number = number_of(level, ground.number, options)
    number = dict(ground.level_numbers).get(level) if number is None else number
    if not options.get("ram_roll_always", True) and number is not None:
        number += ramming.RAM_NUMBER
    action = "action" if need.action == "free" else need.action
    kind = "move" if options.get("ram_roll_always", True) else ramming.RAM
    return replace(need, action=action, roll=True, level=level, number=number, kind=kind)


MOST_DICE = 100
"""That a table may add or take, and other actions that it may count, at once: chances of more take minutes."""


def _check(stats: Stats, turn: TurnState, options: Options, mode: str, need: Requirement, stunt: int) -> Check:
    skill, pool = stats.skill(mode)
    others = values.whole(turn.memory.get("others", 0), "others", most=MOST_DICE)
    if pool is not None:
        penalty = values.whole(turn.memory.get("dice", 0), "dice", least=-MOST_DICE, most=MOST_DICE)
        actions = max(stats.actions, 1 + others + ramming.is_declared(turn))
        pool = pool_in_force(pool, actions, penalty, options, movement=True)
    kind = maneuver_class(stunt)
    notes = [f"{kind} stunt, {stunt} harder"] if kind else []
    notes += [] if need.number is not None else ["the game master has given no number"]
    return Check(
        skill,
        need.number,
        need.level,
        need.kind,
        source=need.clause,
        note="; ".join(notes),
        effects=effects_of(stats.kind, options),
        dice="" if pool is None else str(pool),
        wild=bool(options["wild_die"]),
        per="move",
        option="" if need.number is not None else "default_number",
    )


# --- the profile -----------------------------------------------------------------------------------------------------


def profile(stats: Stats, turn: TurnState, options: Options, posture: str, edition: Edition) -> Profile:
    """Four gaits on one budget of walked metres, each with its shortest distance (REUP-10 … 31, REV-02 … 19)."""
    if posture != "standing" and options["stand_up_is_action"]:
        stats = replace(stats, actions=stats.actions + 1)  # REUP-A11
    move = stats.metres(options)
    before = turn.previous or stats.previous or options["initial_speed"]
    allowed = allowed_speeds(before, stats.kind, stats.lost_moves, options)
    closed = {speed: _refusal(stats, turn, options, speed, before, allowed, edition) for speed in SPEEDS[1:]}
    gaits = tuple(_gait(stats, turn, options, speed, move, closed[speed], edition) for speed in closed)
    open_gaits = [gait.name for gait in gaits if gait.refused is None]
    steady = [name for name in open_gaits if SPEEDS.index(name) <= SPEEDS.index("cruising")]
    rise = PostureChange(posture, "standing", Fraction(0), "stand", Source("", "REUP-A11"))
    no_climb = Refusal("rules.not_covered", no_mode("climb", stats.kind == "vehicle"))
    climbs = {gait.pool: _divisor(move, gait.pool, "climb", options) for gait in gaits}
    climbed = {} if stats.kind == "vehicle" else {pool: by for pool, by in climbs.items() if by is not None}
    house: dict[str, Fraction] = dict(options["house_pace"])

    def pace(pool: str, posture: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
        mode = mode_of(ground)
        if not ground.difficulty and options["default_level"] == "refuse":
            return Refusal("rules.not_covered", {"why": "ground without a level (default_level)", "ruling": "REUP-A38"})
        if posture != "standing" and mode == "walk":
            if "crawl" not in house:
                return Refusal("rules.not_covered", {"why": f"moving while {posture}", "ruling": "G-A08"})
            return Pace("crawl", final=(Factor("crawl", house["crawl"], HOUSE),), source=HOUSE, on_foot=False)
        if mode == "walk":
            return Pace("walk", source=Source(edition.clause("move")))
        factor = _divisor(move, pool, mode, options)
        if mode in house:
            return Pace(mode, factors=(Factor(mode, house[mode], HOUSE),), source=HOUSE, on_foot=False)
        if stats.kind == "vehicle" or factor is None:
            return Refusal("rules.not_covered", no_mode(mode, stats.kind == "vehicle"))
        source = Source(edition.clause("unusual"), "REUP-A36")
        return Pace(mode, factors=(Factor(mode, factor, source),), source=source, on_foot=False)

    return Profile(
        edition.name,
        "m",
        gaits,
        pace,
        postures=("standing",) if posture == "standing" else ("standing", posture),
        low={"kneeling": "crouched"},
        changes=() if posture == "standing" else (rise,),
        ledge=LedgePrice(no_climb, no_climb, Source(edition.clause("unusual"), "REUP-A37"), climbed),
        summary=f"Move {show(move)} m, last round {before.replace('_', '-')}",
        sources=_sources(edition, stats.kind),
        turn_budget=(steady or open_gaits or ["cautious"])[-1],
        facts={
            "previous": before,
            "lost": stats.lost_moves,
            "allowed": allowed,
            "may_stop": "stop" in allowed,
            "no_least": {"cautious": "cautious_minimum=zero"},
            "must_go_on": "stop" not in allowed_speeds(before, stats.kind, stats.lost_moves, _strict(options)),
        },
        demand=lambda gait, grounds: demand(stats, turn, options, gait, grounds, edition=edition),
        vehicle=stats.kind == "vehicle",
    )


HOUSE = Source("G-A08", "house_pace")
ENGINE_WORDS = ("door", "fence", "ally", "enemy", "squeeze", "link")


def _sources(edition: Edition, kind: str) -> dict[str, Source]:
    """Where the words of a ledger come from."""
    unusual_move = Source(edition.clause("unusual"), "REUP-A36")
    return {
        **{speed: Source(edition.clause(speed)) for speed in SPEEDS[1:]},
        **dict.fromkeys(("swim", "climb", "ledge"), unusual_move),
        **dict.fromkeys(ENGINE_WORDS, Source("", "engine")),
        "walk": Source(edition.clause("move"), "G-A04"),
        "least": Source(edition.clause("least")),
        "change": Source(edition.clause("change_vehicle" if kind == "vehicle" else "change"), "REUP-A16"),
        "diagonal2": Source("", "G-A05"),
        "stand": Source("", "REUP-A11"),
    }


def sheet(edition: Edition) -> dict[str, object]:
    """The speeds, the requirement table and the failure table, for display."""

    def words(speed: str, level: str, options: Options) -> str:
        need = requirement(speed, level, None, options, edition=edition)
        return f"roll {need.level}" if need.roll else need.action

    options = Options.build(OPTIONS, DEFAULTS)
    return {
        "share of Move": {speed: show(share) for speed, share in SHARE.items()},
        "numbers of a level": {
            level: f"{least}+" if most is None else f"{least} to {most}" for level, (least, most) in LEVEL_BANDS.items()
        },
        "what a move needs": {level: {speed: words(speed, level, options) for speed in SHARE} for level in LEVELS},
        "failures by margin": EFFECTS,
        "collision damage": {speed: str(dice) for speed, dice in COLLISION.items()},
    }


def _pool(speed: str, options: Options) -> str:
    """The pool of a speed: one for all, unless a third of each is rounded by itself (REUP-A19)."""
    return POOL if options["d6_rounding"] == "exact" else speed


def _divisor(move: Fraction, pool: str, mode: str, options: Options) -> Fraction | None:
    """What a metre swum or climbed takes of the walked metres of a speed; None where it cannot be (REUP-07, A19)."""
    plain = unusual(mode, options)
    if pool == POOL or plain is None:
        return plain
    walked, made = (distances(move, pool, options, way)[1] for way in ("walk", mode))
    return walked / made if made else None


def _strict(options: Options) -> Options:
    return options.set({"forced_continuation": "enforce"})


def _gait(
    stats: Stats,
    turn: TurnState,
    options: Options,
    speed: str,
    move: Fraction,
    refused: Refusal | None,
    edition: Edition,
) -> Gait:
    shortest, longest = distances(move, speed, options)
    if refused is None:
        shortest = least_of(turn, shortest)
    if turn.left is not None:
        longest = turn.left + turn.spent
        shortest = min(shortest, longest)
    action = needed(stats, speed, Terrain(level="VE"), options, edition).action
    title, source = TITLES[speed], Source(edition.clause(speed))
    return Gait(speed, longest, shortest, _pool(speed, options), action, title, source, refused)


def least_of(turn: TurnState, shortest: Fraction) -> Fraction:
    """The least of a gait this round: no more than there is a way (REUP-A16, A17)."""
    way = turn.memory.get("blocked")
    # games that were saved before it was noted how far it goes have True
    return shortest if way is None else min(shortest, values.measure(0 if way is True else way, "blocked", least=0))


def _wrecked(stats: Stats, turn: TurnState) -> Refusal | None:
    """Why a wreck moves no more: five lost Moves, or an explosion (REV-45, 51; for others REV-A14); None for others."""
    gone = stats.destroyed or turn.memory.get("destroyed")
    if not gone and stats.lost_moves < DESTROYED:
        return None
    if stats.kind == "vehicle":
        return Refusal("move.mode", {"why": "the vehicle is destroyed", "clause": "REV-51"})
    return Refusal("move.mode", {"why": "it is out of action", "ruling": "REV-A14"})


def _refusal(
    stats: Stats, turn: TurnState, options: Options, speed: str, before: str, allowed: tuple[str, ...], edition: Edition
) -> Refusal | None:
    """Why a speed is not open this round, or None."""
    clause = edition.clause
    for reason in (_wrecked(stats, turn), owed(turn), ramming.refused(turn, speed, options)):
        if reason is not None:
            return reason
    if turn.memory.get("moved"):
        return Refusal("move.action", {"what": "a second move this round", "clause": clause("once")})
    if turn.memory.get("no_actions") and not (speed == "cautious" and options["free_move_when_no_actions"]):
        words = {"what": "moving: no actions this round after the fall", "clause": clause("minor_tumble")}
        return Refusal("move.action", {**words, "ruling": "REUP-A13"})
    if speed not in allowed:
        return speed_change(speed, before, stats.kind, stats.lost_moves, edition)
    if speed == "all_out" and (stats.actions > 1 or turn.memory.get("others")):
        words = {"what": "all-out movement: it excludes every other action", "clause": clause("exclusive")}
        return Refusal("move.action", words)
    return None
