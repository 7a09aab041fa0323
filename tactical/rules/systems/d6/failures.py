"""What a movement roll does: the failure table of the D6 systems and the outcome of a declared move.

The margin of a failure (number minus roll) picks a row; the row says how far the move still goes, how the mover ends
up, and what it costs in dice, actions and damage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from tactical.options import Options
from tactical.rules.dice import Pool
from tactical.rules.systems.d6.tables import Edition


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the failure table; `least` is the smallest margin it stands for."""

    name: str
    least: int
    fraction: Fraction = Fraction(1)
    dice_now: int = 0
    dice_next: int = 0
    no_actions_now: bool = False
    no_actions_next: bool = False
    posture: str = "standing"
    falls: bool = False


WHOLE, HALF, QUARTER = Fraction(1), Fraction(1, 2), Fraction(1, 4)
ROWS = (
    Row("slight_slip", 1, WHOLE, -1),  # REUP-52
    Row("slip", 4, HALF, -3, -1),  # REUP-53
    Row("fall", 7, HALF, 0, -2, True, False, "kneeling", True),  # REUP-54; REV-31
    Row("minor_tumble", 11, QUARTER, 0, 0, True, True, "prone", True),  # REUP-55, REUP-A11; REV-32
    Row("tumble", 16, QUARTER, 0, 0, True, True, "prone", True),  # REUP-56, distance and all else by REUP-A10
    Row("major_tumble", 21, QUARTER, 0, 0, True, True, "prone", True),  # REUP-57, REUP-A10
)
PRINTED_IN_REVISED = ("fall", "minor_tumble")  # REV-31, 32; the other rows are the earlier edition's (REV-A05)
MAJOR_DICE = 2  # REUP-57
COLLISION = {"cautious": Pool(1), "cruising": Pool(2), "high": Pool(3), "all_out": Pool(4)}  # REUP-58
NO_DAMAGE = Pool(0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a declared move.

    `margin` is number minus roll (None: nothing was rolled), `moved` in metres walked of the declared way, `dice_now`
    and `dice_next` the dice lost for the rest of this round and in the next, `damage` is rolled against Strength
    (REUP-59).  `speed` counts for the next round.  Where the rules leave it all to the game master (a
    vehicle's failure, REV-A07), only level, number, margin and result are given and the rest is None.
    """

    result: str
    moved: Fraction | None
    action: str = "action"
    roll_required: bool = False
    level: str = ""
    number: int | None = None
    margin: int | None = None
    posture: str | None = "standing"
    dice_now: int | None = 0
    dice_next: int | None = 0
    no_actions_now: bool | None = False
    no_actions_next: bool | None = False
    damage: Pool | None = NO_DAMAGE
    speed: str = ""
    clause: str = ""

    @property
    def failed(self) -> bool:
        """True where the roll did not meet its number."""
        return self.result != "ok"


def row_of(margin: int) -> Row | None:
    """The row a margin falls into; None where the number was met (REUP-51, REUP-A05)."""
    return next((row for row in reversed(ROWS) if margin >= row.least), None)


def _in_words() -> dict[str, str]:
    """The failure table in words, by margin (REUP-52 … 57)."""
    out = {}
    share = {WHOLE: "all of the way", HALF: "half the way", QUARTER: "a quarter of the way"}
    for row, after in zip(ROWS, (*ROWS[1:], None), strict=True):
        words = [row.name.replace("_", " "), share[row.fraction]]
        words += [f"{row.dice_now}D this round"] if row.dice_now else []
        words += [f"{row.dice_next}D next round"] if row.dice_next else []
        words += ["no more actions this round" + (" and the next" if row.no_actions_next else "")] * row.no_actions_now
        out[f"{row.least}-{after.least - 1}" if after else f"{row.least}+"] = ", ".join(words)
    return out


EFFECTS = _in_words()
LEFT_OPEN = {
    margin: f"{words.partition(',')[0]}, the game master says what it does" for margin, words in EFFECTS.items()
}


def effects_of(kind: str, options: Options) -> Mapping[str, str]:
    """What a failure does, in words, by margin; of a vehicle only what it is called: no text says more (REV-A07)."""
    return LEFT_OPEN if _unwritten(kind, options) else EFFECTS


def _unwritten(kind: str, options: Options) -> bool:
    """Whether what a failure does is left to the game master (REV-A07)."""
    return kind == "vehicle" and options.get("vehicle_failure", "as_character") == "gm"


def collision(speed: str, options: Options, kind: str = "character") -> Pool:
    """Collision dice of a speed (REUP-58); d6-revised lets the table name its own (REV-34, REV-A06)."""
    own = options.get("collision_table_vehicle" if kind == "vehicle" else "collision_table_character", ())
    given = dict(own).get(speed)
    return COLLISION[speed] if given is None else Pool(int(given))


def damage_of(row: Row, speed: str, options: Options, edition: Edition, kind: str = "character") -> Pool:
    """The damage of a failure (REUP-55 … 57; REV-33, 34); less than a die is none (REUP-A12)."""
    dice = collision(speed, options, kind)
    match row.name:
        case "minor_tumble":
            return edition.tumble_damage(speed, dice)
        case "tumble":
            return dice
        case "major_tumble":
            return dice.plus(Pool(MAJOR_DICE))
    return NO_DAMAGE


def apply_margin(
    met: Outcome,
    margin: int,
    declared: Fraction,
    full: Fraction,
    options: Options,
    *,
    edition: Edition,
    kind: str = "character",
) -> Outcome:
    """The outcome of a move that `met` describes as if all went well, once its roll is `margin` short (0 or less: met).

    `declared` is the declared distance, `full` the whole distance of the speed (REUP-A09).
    """
    row = row_of(margin)
    if row is None:
        return replace(met, margin=margin)
    clause = edition.clause(row.name)
    if _unwritten(kind, options):
        return _left_open(met, row.name, margin, clause)
    if options.get("failure_rows_source", "reup") == "seed_only" and row.name not in PRINTED_IN_REVISED:
        return _left_open(met, "not_in_source", margin, clause)
    damage = damage_of(row, met.speed, options, edition, kind)
    if row.name in ("tumble", "major_tumble") and not options["tumble_inherits_minor"]:
        return replace(met, result=row.name, margin=margin, damage=damage, clause=clause)
    reached = declared if options["failure_fraction_of"] == "declared" else full
    falls_to_stop = row.falls and options["speed_after_fall"] == "stop"  # REUP-A14
    return replace(
        met,
        result=row.name,
        moved=min(reached * row.fraction, declared),
        margin=margin,
        posture=None if kind == "vehicle" else row.posture,
        dice_now=row.dice_now,
        dice_next=row.dice_next,
        no_actions_now=row.no_actions_now,
        no_actions_next=row.no_actions_next,
        damage=damage,
        speed="stop" if falls_to_stop else met.speed,
        clause=clause,
    )


def _left_open(met: Outcome, name: str, margin: int, clause: str) -> Outcome:
    """A failure whose consequences are the game master's."""
    return replace(
        met, result=name, moved=None, margin=margin, posture=None, dice_now=None, dice_next=None,
        no_actions_now=None, no_actions_next=None, damage=None, clause=clause,
    )  # fmt: skip
