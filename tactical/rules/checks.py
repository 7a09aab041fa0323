"""Checks: rolls that a move needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.rules import dice as odds
from tactical.world.terrain import LEVEL_BANDS, Terrain


def no_number(roll: Threshold, what: str = "") -> Refusal:
    """The refusal of a roll (for `what`, else of its skill) without a number, and what its game sets in its place."""
    having = f"level {roll.level} but no number" if roll.level else "no number"
    words = {"having": having, "option": roll.option, "how": f" or set option {roll.option}" if roll.option else ""}
    return Refusal("rules.number_missing", {"what": what or roll.skill, "level": roll.level, **words})


class Threshold:
    """A roll against a number: by how much a total misses it, and the exact chance to meet it."""

    __slots__ = ()

    skill: str
    number: int | None
    level: str
    dice: str
    under: bool
    wild: bool
    option: str

    def margin(self, total: int) -> int | None:
        """By how much `total` misses the number; 0 and less is a success, None without a number."""
        if self.number is None:
            return None
        return total - self.number if self.under else self.number - total

    def can_show(self, total: int) -> bool:
        """Whether the dice can make this total; True where they are not known."""
        return odds.can_show(self.dice, total, wild=self.wild)

    def chance(self) -> Fraction | None:
        """The exact chance of success; None where number or dice are missing."""
        if self.number is None or not self.dice:
            return None
        return odds.chance_of(self.dice, self.number, under=self.under, wild=self.wild)


@dataclass(frozen=True, slots=True)
class Check(Threshold):
    """A roll: what is rolled, against what, and where on the route.

    `skill` names what is rolled, `level` a difficulty level where the rules have them, `number` the target (None: the
    game master has not given one).  `effects` says what a result does, in the rule system's words; `dice` is what is
    thrown where the rule system knows it (``3D+1``, ``d20+3``, ``d100``), `under` that the number is the highest total
    that succeeds, `wild` that one die of the pool is wild.  `kind` tells what hangs on it: the whole ``move``, an
    ``effort`` (failed, the gait is lost before it begins), a ``jump``, a ``fall`` (how much it hurts) or a stretch
    ``climb``-ed, ``swim``-ed, ``crawl``-ed.  `per` is how often it is made: for each ``cell`` that asks for it, once a
    ``stretch`` made in one way of going, once a ``round``, or once for the whole ``move``, before it begins.  Where a
    move may go on without it, `about` is the way of going (or the gait) that a failure ends, and `spends` tells that
    the failure uses up what was declared for that all the same.  `follows` is a die thrown after it (a ``recovery``):
    where it failed, or (`always`) in any case.  `option` is the one that gives a number where nobody states one.
    """

    skill: str
    number: int | None = None
    level: str = ""
    kind: str = "move"
    source: str = ""
    note: str = ""
    effects: Mapping[str, str] = field(default_factory=dict, hash=False)
    dice: str = ""
    under: bool = False
    wild: bool = False
    per: str = "cell"
    about: str = ""
    spends: bool = False
    follows: str = ""
    always: bool = False
    option: str = ""

    @property
    def aloft(self) -> bool:
        """Whether it is rolled off the ground, so that who fails does not stay where it was, but ends elsewhere."""
        return self.kind == "jump"

    @property
    def softens(self) -> bool:
        """Whether a pass does the more good the wider its margin (SHP-A15), so that "passed" alone says too little."""
        return self.kind == "fall"

    def after(self, failed: bool) -> Check | None:
        """The roll that comes after this one, against no number, or None."""
        due = bool(self.follows) and (failed or self.always)
        return Check("recovery", kind="recovery", dice=self.follows) if due else None

    def with_number(self, number: int) -> Check | Refusal:
        """The check with the game master's number, which lies in its level (REUP-A35); one that it has stays."""
        low, high = LEVEL_BANDS.get(self.level, (1, None))
        if self.level.startswith("H+"):
            low = self.hardness
        if self.number is not None and self.per != "stretch":
            low = high = self.number  # that of a stretch is the game master's in any case (OPR-A15)
        if number < low or (high is not None and number > high):
            words = {"number": number, "what": self.skill, "level": self.level or "?"}
            return Refusal("rules.number_level", {**words, "low": low, "high": "any" if high is None else high})
        return replace(self, number=number, note="")

    @property
    def rolled(self) -> str:
        """The roll in one line, for comparing what was shown with what is asked for: ``running 4D, M 13``."""
        against = " ".join(part for part in (self.level, "" if self.number is None else str(self.number)) if part)
        return ", ".join(part for part in (f"{self.skill} {self.dice}".strip(), against) if part)

    @property
    def difficulty(self) -> int:
        """What orders rolls of one skill, the harder the more: its hardness, turned round where low totals succeed."""
        return -self.hardness if self.under else self.hardness

    @property
    def hardness(self) -> int:
        """How hard it is, for weighing one roll against another: its number, else the lowest of its level."""
        if self.number is not None:
            return self.number
        if self.level in LEVEL_BANDS:
            return LEVEL_BANDS[self.level][0]
        beyond = self.level.removeprefix("H+")
        return LEVEL_BANDS["H"][0] + int(beyond) if beyond.isdigit() else 0


@dataclass(frozen=True, slots=True)
class Demand:
    """What a whole move asks for besides distance: its price in actions, and the rolls it needs, in order.

    `action` is ``free``, ``action`` or ``exclusive``; no `checks` means that nothing is rolled.  `notes` tell what had
    to be assumed of the grounds.
    """

    action: str = "free"
    checks: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def hardness(self) -> int:
        """The hardest of its rolls; 0 where nothing is rolled."""
        return max((check.hardness for check in self.checks), default=0)


def grounds_with(grounds: Sequence[Terrain], checks: Sequence[Check]) -> tuple[Terrain, ...]:
    """The grounds with the numbers that the game master gave for `checks`, where they had none of their own."""
    numbers = {check.level: check.number for check in checks if check.level and check.number is not None}
    return tuple(
        ground
        if ground.number is not None
        else replace(
            ground,
            number=numbers.get(ground.difficulty),
            level_numbers=tuple({**numbers, **dict(ground.level_numbers)}.items()),
        )
        for ground in grounds
    )
