"""Tests, jumps and swimming of Shapers (clauses SHP-14 … SHP-22, SHP-30 … SHP-32).

A test rolls d100 at or under a target number (TN) that attribute and aptitude raise (SHP-A02).  Metres throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.profile import Approach, Flight, JumpLimits, Leap, Source
from tactical.units import show

AVERAGE = 50  # SHP-19, SHP-27, SHP-32: the only difficulty with a number
POINT = Fraction(1, 100)  # SHP-20, SHP-21: metres a point of margin
VERTICAL = (Fraction(0), Fraction(1, 10))  # SHP-16: constant, and metres a point of Physical Strength
HORIZONTAL = {
    "standing": (Fraction(2), Fraction(1, 10)),  # SHP-17
    "running": (Fraction(3), Fraction(1, 2)),  # SHP-18
}
JUMPS = {  # SHP-14, SHP-A10: does it go up, and the horizontal base
    "vertical": (True, ""),
    "standing": (False, "standing"),
    "running": (False, "running"),
    "mixed_standing": (True, "standing"),
    "mixed_running": (True, "running"),
}


def pass_odds(tn: Fraction) -> Fraction:
    """The chance of d100 at or under `tn`: never below 1, always above 100 (SHP-A02, SHP-A24)."""
    return Fraction(max(0, min(100, int(tn // 1))), 100)


def jump_bases(strength: int) -> tuple[Fraction, dict[str, Fraction]]:
    """The base distances of a jump: up, and along from standing and running (SHP-16 … SHP-18)."""
    along = {kind: constant + factor * strength for kind, (constant, factor) in HORIZONTAL.items()}
    return VERTICAL[0] + VERTICAL[1] * strength, along


@dataclass(frozen=True, slots=True)
class JumpResult:
    """A jump as rolled: the target number, what the margin adds, and metres up and along (None: not tried)."""

    tn: int
    delta: Fraction
    vertical: Fraction | None
    horizontal: Fraction | None


def jump(kind: str, roll: int, strength: int, agility: int, athletics: int) -> JumpResult:
    """Jump: the base and a centimetre for each point of margin, one roll for both directions (SHP-15, 19 … 22).

    No direction falls below 0 (SHP-A09).  Raises `ValueError` for an unknown kind.
    """
    if kind not in JUMPS:
        raise ValueError(f"jump {kind!r} is not one of {', '.join(JUMPS)}")
    goes_up, along = JUMPS[kind]
    tn = AVERAGE + agility + athletics
    delta = POINT * (tn - roll)
    up, bases = jump_bases(strength)
    return JumpResult(
        tn,
        delta,
        max(Fraction(0), up + delta) if goes_up else None,
        max(Fraction(0), bases[along] + delta) if along else None,
    )


def running_jump_gaits(options: Options) -> tuple[str, ...]:
    """The gaits that must come directly before a running jump (SHP-A11)."""
    return ("jog", "run", "sprint") if options["running_jump_gait"] == "jog" else ("run", "sprint")


# --- jumps on a map --------------------------------------------------------------------------------------------------

SIDES = 100
ANY_RUN_UP = Fraction(1, 100)  # SHP-A11: run directly before, however short
SOURCE_OF = {True: "SHP-18", False: "SHP-17"}  # running, standing


@dataclass(frozen=True, slots=True)
class Jumper:
    """Who jumps: Physical Strength and Agility, Athletics, and the metres a round of each gait."""

    strength: int
    agility: int
    athletics: int
    rates: Mapping[str, Fraction]

    def kind(self, approach: Approach, options: Options) -> str:
        """The jump made: straight up without a length, else running out of a run, and upwards too where the landing is
        higher (SHP-14, 22, SHP-A10, A11)."""
        if not approach.length and approach.rise > 0:
            return "vertical"
        fast = approach.run_up > 0 and approach.pool in running_jump_gaits(options)
        running = fast and approach.kind != "standing"
        along = "running" if running else "standing"
        return f"mixed_{along}" if approach.rise > 0 else along

    def worst_roll(self, approach: Approach, options: Options) -> int:
        """The highest d100 that still lands on the other side (SHP-20 … 22)."""
        goes_up, along = JUMPS[self.kind(approach, options)]
        up, bases = jump_bases(self.strength)
        lacking = [approach.length - bases[along]] if along else []
        lacking += [approach.rise - up] if goes_up else []
        return floor(AVERAGE + self.agility + self.athletics - max(lacking) / POINT)

    def fly(self, approach: Approach, options: Options) -> Flight | Refusal:
        """What a jump is: its price as a share of the round, its chance, the roll it needs (SHP-14 … 22, SHP-A11)."""
        kind = self.kind(approach, options)
        if approach.kind == "running" and "running" not in kind:
            return Refusal("rules.not_covered", {"why": f"a running jump at a {approach.pool}", "ruling": "SHP-A11"})
        most, far = self.worst_roll(approach, options), approach.length or approach.rise
        clause = "SHP-16" if kind == "vertical" else SOURCE_OF["running" in kind]
        if most < 1:
            best = jump(kind, 1, self.strength, self.agility, self.athletics)
            longest = best.vertical if kind == "vertical" else best.horizontal
            words = {"length": show(far), "unit": "m", "longest": show(longest or Fraction(0))}
            return Refusal("move.jump_length", {**words, "clause": clause})
        pace = self.rates[approach.pool if "running" in kind else "run"]
        cost = far / pace if options["jump_costs_movement"] and pace else Fraction(0)
        source = Source(clause, "SHP-A11")
        if most >= SIDES:
            return Flight(cost, kind=kind, source=source)
        note = f"{kind.replace('_', ' ')} jump of {show(far)} m"
        effects = {"failed": "the jump falls short, into the gap"}
        check = Check(
            "Physical Agility + Athletics", most, kind="jump", source="SHP-19", note=note, effects=effects,
            dice=f"d{SIDES}", under=True,
        )  # fmt: skip
        return Flight(cost, pass_odds(Fraction(most)), check, kind, source)

    def attempt(self, approach: Approach, rolls: Sequence[int], options: Options) -> Leap:
        """How far the roll carries (none: a roll of 100)."""
        kind, most = self.kind(approach, options), self.worst_roll(approach, options)
        roll = rolls[0] if rolls else SIDES
        made = jump(kind, roll, self.strength, self.agility, self.athletics)
        result = "auto" if most >= SIDES else "impossible" if most < 1 else "success" if roll <= most else "fail"
        up, along = jump_bases(self.strength)
        base, far = (up, approach.rise) if kind == "vertical" else (along[JUMPS[kind][1]], approach.length)
        odds = max(0, min(SIDES, most))
        return Leap(
            result, base, far - base, odds, reached=made.horizontal, height=made.vertical, tn=Fraction(made.tn),
            added=made.delta,
        )  # fmt: skip

    def limits(self, options: Options) -> JumpLimits:
        """Its jumps as the movement engine takes them."""
        _, along = jump_bases(self.strength)
        return JumpLimits(
            along["running"], along["standing"], ANY_RUN_UP, source=Source("SHP-14", "SHP-A11"), unit="m",
            run_up_how=f" at a {' or '.join(running_jump_gaits(options))}", run_up_source=Source("SHP-18", "SHP-A11"),
            fly=lambda approach: self.fly(approach, options),
            attempt=lambda approach, rolls: self.attempt(approach, rolls, options),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Swim:
    """A round in water: metres, and the target number of the test it needs (None: none)."""

    metres: Fraction
    tn: int | None = None


def swim(strength: int, swimming: int, rough_water: bool, options: Options) -> Swim:
    """Swim half the Physical Strength in metres; rough water needs a test, without aptitude one flounders (SHP-30 …).

    What a failed test brings is the game master's (SHP-A16, SHP-A17).
    """
    if swimming < 1:
        return Swim(Fraction(0), AVERAGE + (strength + swimming if options["flounder_adds_stats"] else 0))
    return Swim(Fraction(strength, 2), AVERAGE + strength + swimming if rough_water else None)
