"""Jumps of the twelve-second rules: the jump number, the roll and the recovery (clauses TWS-18 … TWS-38).

A character's jump number is the length in metres of a standing broad jump.  What is to be jumped less that number gives
the chance on a d20.  All numbers are exact; metres throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.profile import Approach, Flight, JumpLimits, Leap, Source
from tactical.units import show

# TWS-22, TWS-A13: the least sum of Strength and Dexterity of each band, and the jump number of the band
NUMBERS = (
    (40, Fraction(4)),
    (34, Fraction(7, 2)),
    (28, Fraction(3)),
    (22, Fraction(5, 2)),
    (16, Fraction(2)),
    (10, Fraction(3, 2)),
    (6, Fraction(1)),
)
MULTIPLES = {
    "standing": Fraction(1),  # TWS-18
    "running": Fraction(2),  # TWS-19
    "high": Fraction(1, 2),  # TWS-20
    "backward": Fraction(1, 2),  # TWS-20
}
ACROBATICS = 1  # TWS-23
STOCKY = -1  # TWS-24
BAD_GROUND = -1  # TWS-25, once for both ends (TWS-A16)
LOAD_STEP, LOAD = 3, Fraction(-1, 2)  # TWS-26, whole threes (TWS-A17)
HELD_LEAST, HELD = Fraction(1, 2), Fraction(-1, 2)  # TWS-27, once (TWS-A17)
RUN_UP_MULTIPLE, RUN_UP_STEP = 2, 2  # TWS-28, TWS-29
RISE_STEP = Fraction(1, 2)  # TWS-30, whole half metres (TWS-A18)
DROP_LEAST, DROP = 3, 1  # TWS-31, once (TWS-A18)
ROWS = (  # TWS-34 … TWS-36: up to this difference, the chance on d20, what the recovery adds to a D6
    (Fraction(0), 20, None),
    (Fraction(1, 2), 4, -1),
    (Fraction(1), 1, 4),
)
WORST_RECOVERY = 4  # TWS-A19: beyond the table a failure takes D6 + 4


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump to be tried: its `kind`, the `distance` (of a high jump: the height), and what speaks for and against it.

    `run_up` is in metres; `ep` the Encumbrance Points carried, `held` those of each thing in a hand; `rise` and `drop`
    how much higher or lower the landing is; `bad_ground` a slippery, uneven or unstable take-off or landing.
    """

    kind: str = "standing"
    distance: Fraction = Fraction(0)
    run_up: Fraction = Fraction(0)
    rise: Fraction = Fraction(0)
    drop: Fraction = Fraction(0)
    bad_ground: bool = False
    ep: Fraction = Fraction(0)
    held: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in MULTIPLES:
            raise ValueError(f"jump {self.kind!r} is not one of {', '.join(MULTIPLES)}")


def base_number(strength_and_dexterity: Fraction, options: Options) -> Fraction | Refusal:
    """The jump number of a sum of Strength and Dexterity (TWS-21, TWS-22); below 6 the table ends (TWS-A13)."""
    for least, jump_number in NUMBERS:
        if strength_and_dexterity >= least:
            return jump_number
    if options["jump_below_table"] == "refuse":
        why = "Strength + Dexterity below 6 is below the jump table"
        return Refusal("rules.not_covered", {"why": why, "clause": "TWS-22", "ruling": "TWS-A13"})
    return Fraction(options["jump_below_table"])


def run_up_shortage(jump: Jump, options: Options) -> Fraction:
    """What too short a run-up takes off a running jump: 1 for every 2 m missing (TWS-28, TWS-29, TWS-A15)."""
    if jump.kind != "running":
        return Fraction(0)
    missing = max(Fraction(0), RUN_UP_MULTIPLE * jump.distance - jump.run_up) / RUN_UP_STEP
    if options["runup_shortage"] == "pro_rata":
        return missing
    return Fraction(ceil(missing) if options["runup_shortage"] == "ceil" else missing // 1)


def circumstances(jump: Jump, options: Options) -> Fraction:
    """The sum of what ground, load, hands, run-up and height do to the jump number (TWS-25 … TWS-31)."""
    total = Fraction(BAD_GROUND) if jump.bad_ground else Fraction(0)
    total += LOAD * (jump.ep // LOAD_STEP)
    if any(points >= HELD_LEAST for points in jump.held):
        total += HELD
    total -= run_up_shortage(jump, options)
    if jump.kind != "high":  # TWS-A28: the height of a high jump is its distance already
        total -= jump.rise // RISE_STEP
    return total + (DROP if jump.drop >= DROP_LEAST else 0)


def jump_number(base: Fraction, acrobatics: bool, stocky: bool, jump: Jump, options: Options) -> Fraction:
    """The final jump number: traits, then doubled or halved, then the circumstances (TWS-19, TWS-20, TWS-A14).

    Option `jump_modifier_order` puts all before or all after the doubling.  The result may be below 0 (TWS-A23).
    """
    traits = Fraction((ACROBATICS if acrobatics else 0) + (STOCKY if stocky else 0))
    around = circumstances(jump, options)
    multiple = MULTIPLES[jump.kind]
    if options["jump_modifier_order"] == "all_before":
        return (base + traits + around) * multiple
    if options["jump_modifier_order"] == "all_after":
        return base * multiple + traits + around
    return (base + traits) * multiple + around


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the success table: the chance on d20 (20: no roll), and what the recovery adds to a D6 (None: none)."""

    chance: int
    recovery: int | None

    @property
    def automatic(self) -> bool:
        return self.chance == 20


def row_of(difference: Fraction, options: Options) -> Row:
    """The row of a difference; between two rows the harder one, beyond the table no chance at all (TWS-32, TWS-A19)."""
    last = ROWS[-1]
    if difference > last[0]:
        return Row(0, WORST_RECOVERY)
    if options["jump_difference_gap"] == "down":
        chosen = max((row for row in ROWS if row[0] <= max(difference, Fraction(0))), key=lambda row: row[0])
    else:
        chosen = min((row for row in ROWS if row[0] >= difference), key=lambda row: row[0])
    return Row(chosen[1], chosen[2])


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a jump went: ``auto``, ``success``, ``fail`` or ``impossible``, and the turns of recovery in two parts."""

    difference: Fraction
    chance: int
    result: str
    recovery: Fraction = Fraction(0)
    no_action: Fraction = Fraction(0)
    stunned: Fraction = Fraction(0)


def attempt(distance: Fraction, final: Fraction, d20: int, d6: int, options: Options) -> Attempt | Refusal:
    """Try to jump `distance` with the final jump number: d20 at or under the chance, then the recovery (TWS-32 … 38).

    A natural 1 or 20 says no more than its number (TWS-A27).  Recovery follows a failed jump only (option
    `jump_recovery`); its first half allows no action, in the second one is stunned, an odd turn goes to the first half
    (option `recovery_half`).
    """
    difference = distance - final
    row = row_of(difference, options)
    if row.automatic:
        return Attempt(difference, row.chance, "auto")
    if row.chance == 0 and options["beyond_table"] == "refuse":
        return Refusal("rules.not_covered", {"why": f"{difference} m more than the jump number is beyond the table"})
    result = "impossible" if row.chance == 0 else "success" if d20 <= row.chance else "fail"
    if row.recovery is None or (result == "success" and options["jump_recovery"] == "on_failure"):
        return Attempt(difference, row.chance, result)
    turns = Fraction(d6 + row.recovery)
    half = turns / 2
    if options["recovery_half"] != "exact":
        half = Fraction(ceil(half) if options["recovery_half"] == "up" else half // 1)
    return Attempt(difference, row.chance, result, turns, half, turns - half)


# --- jumps on a map --------------------------------------------------------------------------------------------------

RECOVERY_WORDS = {
    -1: "D6 - 1 turns of recovery: no actions in the first half, stunned in the second",  # TWS-35, 37, 38
    4: "D6 + 4 turns of recovery: no actions in the first half, stunned in the second",  # TWS-36 … 38
}


@dataclass(frozen=True, slots=True)
class Jumper:
    """Who jumps: the number of its scores, traits and load, its walking rate, and for each pool the rate it runs at."""

    base: Fraction
    acrobatics: bool
    stocky: bool
    ep: Fraction
    held: tuple[Fraction, ...]
    walking: Fraction
    running: Mapping[str, Fraction]

    def tries(self, approach: Approach) -> tuple[Jump, ...]:
        """The jumps that could be made of an approach: running where somebody runs up, and standing.

        Over no width it is a high jump, whose height is the distance (TWS-20, TWS-A28).
        """
        kinds: tuple[str, ...] = ("standing",)
        if approach.kind:
            kinds = (approach.kind,)
        elif not approach.length and approach.rise > 0:
            kinds = ("high",)
        elif approach.run_up > 0 and approach.pool in self.running:
            kinds = ("running", "standing")
        grounds = (approach.start, approach.end)
        bad = any(ground.slick or ground.uneven or ground.unstable for ground in grounds)  # TWS-25
        rise, drop = max(approach.rise, Fraction(0)), max(-approach.rise, Fraction(0))
        lengths = {"high": rise}
        return tuple(
            Jump(kind, lengths.get(kind, approach.length), approach.run_up, rise, drop, bad, self.ep, self.held)
            for kind in kinds
            if kind != "running" or approach.pool in self.running
        )

    def number(self, jump: Jump, options: Options) -> Fraction:
        """The final jump number."""
        return jump_number(self.base, self.acrobatics, self.stocky, jump, options)

    def best(self, approach: Approach, options: Options) -> Jump:
        """The jump with the best chance; of equal ones the cheaper."""

        def key(jump: Jump) -> tuple[int, Fraction]:
            row = row_of(jump.distance - self.number(jump, options), options)
            return -row.chance, self.share(jump, approach, options)

        return min(self.tries(approach), key=key)

    def share(self, jump: Jump, approach: Approach, options: Options) -> Fraction:
        """The share of the turn that the flight takes (TWS-A22)."""
        if not options["jump_costs_movement"]:
            return Fraction(0)
        return jump.distance / (self.running[approach.pool] if jump.kind == "running" else self.walking)

    def fly(self, approach: Approach, options: Options) -> Flight | Refusal:
        """What a jump is: its price, its chance, the roll it needs (TWS-32 … 36)."""
        if not self.tries(approach):
            return Refusal("rules.not_covered", {"why": f"a running jump at a {approach.pool}", "ruling": "TWS-A22"})
        jump = self.best(approach, options)
        number = self.number(jump, options)
        row = row_of(jump.distance - number, options)
        if row.chance == 0 and (options["beyond_table"] == "refuse" or options["jump_chance"]):
            # where any jump may be made this one may be asked about too, and always fails (TWS-A19)
            words = {"length": show(jump.distance), "unit": "m", "longest": show(number + ROWS[-1][0])}
            return Refusal("move.jump_length", {**words, "clause": "TWS-36", "ruling": "TWS-A19"})
        cost = self.share(jump, approach, options)
        height = f"{show(jump.rise)} m up" if approach.rise > 0 else ""
        if approach.rise < 0:
            height = f"{show(jump.drop)} m down, what the fall does is the game master's"  # G-A08
        clauses = {"standing": "TWS-18", "running": "TWS-19"}
        source = Source(clauses.get(jump.kind, "TWS-20"), "TWS-A22")
        if row.automatic:
            return Flight(cost, kind=jump.kind, source=source, words=height, number=number)
        clause = {-1: "TWS-35"}.get(row.recovery or 0, "TWS-36") if row.chance else "TWS-A19"
        effects = {"failed": f"in the gap, {RECOVERY_WORDS[row.recovery or 0]}"} if row.recovery else {}
        note = f"{jump.kind} jump of {show(jump.distance)} m, jump number {show(number)}"
        always = options["jump_recovery"] == "always"
        check = Check(
            "jump", row.chance, "", "jump", clause, note, effects, "d20", under=True,
            follows="d6" if row.recovery is not None else "", always=always,  # TWS-35, TWS-36, TWS-A20
        )  # fmt: skip
        return Flight(cost, Fraction(row.chance, 20), check, jump.kind, source, height, number)

    def attempt(self, approach: Approach, rolls: Sequence[int], options: Options) -> Leap | Refusal:
        """What d20 and D6 make of it; the D6 counts only where there is a recovery."""
        jump = self.best(approach, options)
        number = self.number(jump, options)
        d20, d6 = (*rolls, 6, 6)[:2] if rolls else (20, 6)
        tried = attempt(jump.distance, number, d20, d6, options)
        if isinstance(tried, Refusal):
            return tried
        return Leap(
            tried.result, number, tried.difference, tried.chance, tried.recovery, tried.no_action, tried.stunned
        )

    def limits(self, options: Options) -> JumpLimits:
        """Its jumps as the movement engine takes them."""
        tried = {kind: self.number(Jump(kind, ep=self.ep, held=self.held), options) for kind in MULTIPLES}
        sure = {kind: max(Fraction(0), metres) for kind, metres in tried.items()}
        return JumpLimits(
            sure["running"], sure["standing"], RUN_UP_MULTIPLE * sure["running"], source=Source("TWS-18", "TWS-A22"),
            fly=Asked(Jumper.fly, self, options),
            attempt=Asked(Jumper.attempt, self, options),
            run_up_for=run_up_for,
            ledges=True,
            unit="m",
            run_up_how=" at a run",
            run_up_source=Source("TWS-28", "TWS-A22"),
            kinds=tuple(MULTIPLES),
            facts=("slick", "uneven", "unstable"),  # TWS-25
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """What a jumper is asked under some options: equal for jumpers alike, whose graphs are the same then."""

    ask: Callable[..., Any]
    jumper: Jumper
    options: Options

    def __call__(self, *asked: Any) -> Any:
        return self.ask(self.jumper, *asked, self.options)


def run_up_for(length: Fraction) -> Fraction:
    """The run-up that a jump needs (TWS-28)."""
    return RUN_UP_MULTIPLE * length
