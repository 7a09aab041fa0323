"""What both D6 systems share: levels, speeds, rolls, skills and the options of the table.

A move has one of four speeds.  The speed fixes how far one goes, the ground never does: it sets the one roll that the
move needs, or none.  Swum and climbed metres alone cost more.  Everything here is a table and a few pure functions; the
two editions (`systems/d6_reup.py`, `systems/d6_revised.py`) say what they share and where they differ through an
`Edition`, and the clauses in comments are REUP's and REV's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from tactical.errors import Refusal, counted
from tactical.options import Option, Options, choice, flag, number
from tactical.rules.dice import Pool
from tactical.world.terrain import LEVEL_BANDS, LEVELS

SPEEDS = ("stop", "cautious", "cruising", "high", "all_out")  # the ladder, REUP-10, REUP-30, REV-02
TITLES = {"cautious": "Cautious", "cruising": "Cruising", "high": "High speed", "all_out": "All-out"}

# How much of Move a speed covers: REUP-11, 15, 20, 24; REV-03, 07, 10, 13.
SHARE = {"cautious": Fraction(1, 2), "cruising": Fraction(1), "high": Fraction(2), "all_out": Fraction(4)}
LEAST = Fraction(1, 2)  # of the speed's distance, both ends included: REUP-29, REV-17
TYPICAL_MOVE = 10  # REUP-01
MAX_CHANGE = {"character": 2, "creature": 2, "vehicle": 1}  # REUP-30; REV-18, REV-A25; REV-19
LOST_CAP = ("all_out", "high", "cruising", "cautious", "stop")  # by lost Moves: REV-47, 48, 49, 50
DESTROYED = 5  # REV-51

# The lower and upper three levels make two kinds of ground: speed -> (action, rolled, steps of level).
EASY = ("VE", "E", "M")
ON_EASY: dict[str, tuple[str, bool, int]] = {
    "cautious": ("free", False, 0),  # REUP-12; REV-04
    "cruising": ("action", False, 0),  # REUP-16, 17; REV-07, 08
    "high": ("action", True, 0),  # REUP-21, REUP-A07; REV-11
    "all_out": ("exclusive", True, 1),  # REUP-25, 26; REV-14, 15
}
ON_HARD: dict[str, tuple[str, bool, int]] = {
    "cautious": ("action", True, -1),  # REUP-13, REUP-A06, example REUP-14; REV-05, 06
    "cruising": ("action", True, 0),  # REUP-18, example REUP-19; REV-09
    "high": ("action", True, 1),  # REUP-22, example REUP-23; REV-12
    "all_out": ("exclusive", True, 2),  # REUP-27, example REUP-28; REV-16
}

MID = {"VE": 3, "E": 8, "M": 13, "D": 18, "VD": 25, "H": 35}  # REUP-A04
HEROIC_TOP = 40  # nominal only, REUP-A03

# What is rolled for a way of moving, and the attribute that stands in for a skill never improved.
SKILLS = {
    "walk": ("running", "dexterity"),  # REUP-04
    "swim": ("swimming", "strength"),  # REUP-05
    "climb": ("climbing/jumping", "strength"),  # REUP-06
    "drive": ("vehicle operation", "mechanical"),  # REV-04, REV-A20
}
MANEUVERS = (("minor", 1), ("moderate", 6), ("high", 11), ("extreme", 16))  # REUP-49; REV-29


@dataclass(frozen=True, slots=True)
class Edition:
    """One of the two D6 texts: the clause behind each word, and the few places where the texts themselves differ."""

    name: str
    clauses: Mapping[str, str] = field(hash=False)
    tumble_damage: Callable[[str, Pool], Pool] = field(hash=False, default=lambda speed, collision: collision.less(3))

    def clause(self, word: str) -> str:
        """The clause that `word` stands on, or an empty string."""
        return self.clauses.get(word, "")


OPTIONS: tuple[Option, ...] = (
    number(
        "round_seconds",
        5,
        "seconds a round lasts, to turn minutes and km/h into rounds",
        "G-A06",
        least=Fraction(1, 1000),
    ),
    flag("wild_die", False, "one die of a pool is wild: a 6 adds another die", "G-A02", decides="wild"),
    choice("number_shift", ("floor_offset", "explicit_only", "proportional"), "numbers after level shifts", "REUP-A01"),
    number("heroic_step", 10, "what each step beyond Heroic adds", "REUP-A02"),
    choice("default_number", ("require", "low", "mid", "high"), "the number where only a level is given", "REUP-A04"),
    choice("default_level", (*LEVELS, "refuse"), "the level of ground that has none", "REUP-A38", decides="level"),
    flag("map_on_movement", True, "the multi-action penalty also burdens the movement roll", "REUP-A08"),
    choice("failure_fraction_of", ("declared", "full"), "what half and a quarter are taken of", "REUP-A09"),
    flag("tumble_inherits_minor", True, "a tumble does all that a minor tumble does, and its own damage", "REUP-A10"),
    flag("stand_up_is_action", False, "getting up counts as an action", "REUP-A11"),
    flag("free_move_when_no_actions", False, "who may not act may still move cautiously", "REUP-A13"),
    choice("speed_after_fall", ("stop", "kept"), "the speed counted for the next round after a fall", "REUP-A14"),
    choice("initial_speed", SPEEDS, "the speed before the first round", "REUP-A15"),
    Option(
        "forced_continuation",
        "enforce",
        "whether somebody fast must go on in the next round",
        ("enforce", "warn", "off", False),
        clause="REUP-A16",
    ),
    choice("cautious_minimum", ("half", "zero"), "the shortest cautious move", "REUP-A17"),
    choice("mixed_terrain", ("hardest", "segments", "first"), "which of several grounds the roll is for", "REUP-A18"),
    choice("d6_rounding", ("exact", "down", "nearest"), "halves of odd Moves, and thirds", "REUP-A19"),
    number(
        "unusual_move_divisor",
        3,
        "Move is divided by this when swimming and climbing",
        "REUP-A37",
        least=Fraction(1, 1000),
    ),
    flag("maneuver_forces_roll", True, "a stunt is rolled for even where the plain move is not", "REUP-A21"),
    flag("second_skill_is_action", True, "a second skill within a move counts as an action", "REUP-A23"),
    choice("stamina_reset", ("after_equal_rest", "on_slower", "never"), "when the rolls start easy again", "REUP-A28"),
    choice("pool_floor", ("zero", "one_die"), "what is left of a pool when penalties take all its dice", "REUP-A32"),
)
INERT = ("dash_pool", "stand_cost", "crouch_stand_cost", "jump_chance")
"""No Dash, no price of getting up, no jumps on the map."""

DEFAULTS: dict[str, object] = {
    "diagonal": "alternate",
    "climb_factor": 3,
    "swim_factor": 3,
    "strikes": "none",
}  # G-A05, REUP-07


# --- distances -------------------------------------------------------------------------------------------------------


def plain(metres: Fraction, options: Options) -> Fraction:
    """A half or a third of a Move as the table rounds it (REUP-A19)."""
    match options["d6_rounding"]:
        case "down":
            return Fraction(floor(metres))
        case "nearest":
            return Fraction(floor(metres + Fraction(1, 2)))
    return metres


def unusual(mode: str, options: Options) -> Fraction | None:
    """What a metre swum or climbed uses up (REUP-07, REUP-A37); None where the table allows none.

    The engine's ``swim_factor`` and ``climb_factor``, where somebody changed them, win over ``unusual_move_divisor``.
    """
    factor: Fraction | None = options[f"{mode}_factor"]
    divisor: Fraction = options["unusual_move_divisor"]
    return divisor if factor == DEFAULTS[f"{mode}_factor"] else factor


def distances(move: Fraction, speed: str, options: Options, mode: str = "walk") -> tuple[Fraction, Fraction]:
    """Shortest and longest legal distance at `speed`, in metres of `mode` (REUP-11, 15, 20, 24, 29; REV-03 … 17)."""
    if move < 0:
        raise ValueError(f"Move is at least 0, found {move}")  # REUP-A35
    if speed == "stop":
        return Fraction(0), Fraction(0)
    divisor = unusual(mode, options) if mode in ("swim", "climb") else Fraction(1)
    full = plain(move * SHARE[speed] / divisor, options) if divisor else Fraction(0)
    if speed == "cautious" and options["cautious_minimum"] == "zero":
        return Fraction(0), full
    return plain(full * LEAST, options), full


def move_of_kmh(kmh: Fraction, options: Options) -> Fraction:
    """Move of a vehicle listed with km/h, its all-out speed (REV-52, REV-A16)."""
    seconds: Fraction = options["round_seconds"]
    return kmh * Fraction(1000, 3600) * seconds / SHARE["all_out"]


def allowed_speeds(previous: str, kind: str, lost_moves: int, options: Options) -> tuple[str, ...]:
    """The speeds open in a round after `previous`, slowest first (REUP-30, 31; REV-18, 19, 47 … 50).

    Lost Moves cap the speed at once: the drop to the cap is always legal (REV-A15).
    """
    before = SPEEDS.index(previous or options["initial_speed"])
    cap = SPEEDS.index(LOST_CAP[min(max(lost_moves, 0), len(LOST_CAP) - 1)])
    lowest = before - MAX_CHANGE[kind]
    rungs = {rung for rung in range(len(SPEEDS)) if lowest <= rung <= min(before + MAX_CHANGE[kind], cap)}
    if lowest > cap:
        rungs = {cap} if options.get("cap_overrides_deceleration", True) else {lowest}
    if options["forced_continuation"] != "enforce":
        rungs.add(0)
    return tuple(SPEEDS[rung] for rung in sorted(rungs))


def speed_change(speed: str, before: str, kind: str, lost_moves: int, edition: Edition) -> Refusal:
    """Why a speed is not among the `allowed_speeds`: Moves lost, or a change by too many levels."""
    cap = LOST_CAP[min(max(lost_moves, 0), len(LOST_CAP) - 1)]
    words = {"gait": speed.replace("_", "-"), "previous": before.replace("_", "-")}
    if SPEEDS.index(speed) > SPEEDS.index(cap):
        most = "does not move" if cap == SPEEDS[0] else f"goes at {cap.replace('_', '-')} at most"
        why, word = f"with {counted(lost_moves, 'lost Move')} it {most}", f"lost_{cap}"
    else:
        words["after"] = f" after {words['previous']}"
        why = f"a {kind} changes speed by at most {counted(MAX_CHANGE[kind], 'level')} a round"
        word = "change_vehicle" if kind == "vehicle" else "change"
    return Refusal("move.speed_change", {**words, "why": why, "clause": edition.clause(word)})


def no_mode(mode: str, vehicle: bool) -> dict[str, object]:
    """What is not covered of a way of moving: vehicles neither swim nor climb (REV-A27)."""
    why = f"{'swimming' if mode == 'swim' else 'climbing'}{' by a vehicle' * vehicle}"
    return {"why": why, "ruling": "REV-A27" if vehicle else "G-A08"}


# --- levels and numbers ----------------------------------------------------------------------------------------------


def rank(level: str) -> int:
    """Where a level stands, Very Easy 0; the steps beyond Heroic go on from it (REUP-A02)."""
    return LEVELS.index(level) if level in LEVELS else len(LEVELS)


def shift_level(level: str, steps: int, options: Options) -> str:
    """A level some steps harder or easier; beyond Heroic ``H+10``, ``H+20`` … (REUP-22, REUP-A02)."""
    index = max(LEVELS.index(level) + steps, 0)
    if index < len(LEVELS):
        return LEVELS[index]
    return f"H+{(index - len(LEVELS) + 1) * int(options['heroic_step'])}"


def band(level: str) -> tuple[int, int | None]:
    """Lowest and highest number of a level; Heroic and beyond have no highest (REUP-08, REUP-A03)."""
    if level in LEVEL_BANDS:
        return LEVEL_BANDS[level]
    return LEVEL_BANDS["H"][0] + int(level.removeprefix("H+")), None


def number_of(level: str, value: int | None, options: Options) -> int | None:
    """The number of ground, inside its level: its own, or what option ``default_number`` takes (REUP-47, REUP-A04).

    Raises `ValueError` for a number outside its level (REUP-A35).
    """
    low, high = band(level)
    if value is not None:
        if value < low or (high is not None and value > high):
            raise ValueError(f"number {value} is not in level {level} ({low} to {high or 'any'})")
        return value
    choices = {"low": low, "mid": MID.get(level, low), "high": high or HEROIC_TOP}
    return choices.get(options["default_number"])


def shift_number(value: int | None, old: str, new: str, options: Options) -> int | None:
    """The number after a change of level, for want of the game master's own (REUP-A01)."""
    if value is None or old == new:
        return value
    (old_low, old_high), (low, high) = band(old), band(new)
    match options["number_shift"]:
        case "explicit_only":
            return None
        case "proportional":
            spans = [(top or bottom + HEROIC_TOP - 31) - bottom for bottom, top in ((old_low, old_high), (low, high))]
            shifted = low + ceil(Fraction((value - old_low) * spans[1], spans[0]))
        case _:
            shifted = low + value - old_low
    return shifted if high is None else min(shifted, high)


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a move at some speed over some ground asks for: its price in actions and, where `roll`, level and number.

    `number` is None where the game master has given none (REUP-A04).  `clause` says where it stands, `kind` what the
    roll is for.
    """

    action: str
    roll: bool
    level: str = ""
    number: int | None = None
    clause: str = ""
    kind: str = "move"

    @property
    def hardness(self) -> tuple[bool, int, int, int]:
        """What "harder" means: a roll, then the level, then the number (REUP-A04, REUP-A18)."""
        beyond = 0 if self.level in LEVELS or not self.level else int(self.level.removeprefix("H+"))
        return self.roll, rank(self.level) if self.level else -1, beyond, -1 if self.number is None else self.number


def requirement(
    speed: str, level: str, value: int | None, options: Options, *, edition: Edition,
    own_numbers: Mapping[str, int] | None = None, maneuver: int = 0, kind: str = "character",
) -> Requirement:  # fmt: skip
    """What moving at `speed` over ground of `level` needs: actions, a roll or none, its level and number.

    `own_numbers` are the game master's numbers for shifted levels, and for its own where the ground has none;
    `maneuver` is added after the shift (REUP-A22).
    Raises `ValueError` for a number outside its level.
    """
    hard = level not in EASY
    action, rolled, steps = (ON_HARD if hard else ON_EASY)[speed]
    clause = edition.clause(f"{speed}_{'hard' if hard else 'easy'}")
    value = number_of(level, value, options)
    if speed == "cautious" and hard and not options.get("hard_cautious_is_action", True):
        action = "free"
    if speed == "high" and not hard and kind == "vehicle" and not options.get("vehicle_must_roll_high", True):
        rolled = False  # REV-A04
    if not rolled:
        if not maneuver or not options["maneuver_forces_roll"]:
            return Requirement(action, False, clause=clause)
        steps = 0  # a stunt on an unrolled move is rolled against the ground itself, and is an action (REUP-A21)
        action = "action" if action == "free" else action
    shifted = shift_level(level, steps, options)
    given = (own_numbers or {}).get(shifted)
    stated = given is not None and (shifted != level or value is None)
    target = given if stated else shift_number(value, level, shifted, options)
    return Requirement(action, True, shifted, None if target is None else target + maneuver, clause)


def maneuver_class(modifier: int) -> str:
    """The name of a stunt's difficulty (REUP-49, REV-29); empty below +1."""
    return next((name for name, least in reversed(MANEUVERS) if modifier >= least), "")


# --- pools -----------------------------------------------------------------------------------------------------------


def pool_in_force(code: Pool, actions: int, extra: int, options: Options, *, movement: bool = False) -> Pool:
    """A pool after the multi-action penalty and `extra` dice (negative: a penalty) (REUP-A08, REUP-A32)."""
    counts = options["map_on_movement"] or not movement
    lost = (max(actions - 1, 0) if counts else 0) - extra
    return code.less(lost, floor=1 if options["pool_floor"] == "one_die" else 0)


def skill_for(mode: str, skills: Mapping[str, str], attributes: Mapping[str, str]) -> tuple[str, Pool | None]:
    """The skill rolled for `mode` and its pool; an unimproved skill rolls its attribute (REUP-04 … 06)."""
    skill, attribute = SKILLS[mode]
    code = skills.get(skill) or attributes.get(attribute)
    return skill, Pool.parse(code) if code else None
