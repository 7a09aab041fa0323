"""Playing an outcome on the map: the die falls, the token walks as far as it got, and what stopped it is written there.

A playback is worked out once from the events of an order; `at` says where the token is at a moment.  When it is over
its `echo` stays: the way that was meant, the place where the move ended, the die and the result.  Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tactical.movement.route import Route, State
from tactical.play.events import (
    Accepted,
    AttackOffered,
    Event,
    FellShort,
    Halted,
    Hurt,
    PostureChanged,
    Rolled,
    RollNeeded,
    Stepped,
)
from tactical.show.labels import LABELS, say
from tactical.show.scene.route import figure, middle
from tactical.show.scene.shapes import Chip, Mark, Shape, Stroke, Token
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

STEP, TURN, DIE = 110, 160, 500
"""Milliseconds of a step, of a change of posture, and that a die is looked at before anybody moves."""
LONGEST = 1600
"""A way is walked in so many milliseconds at most."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Moment:
    """From `begin` on the token goes to `cell` in `posture`, arriving at `end`; `shapes` appear when it is there."""

    begin: float
    end: float
    cell: Cell
    posture: str
    shapes: tuple[Shape, ...] = ()


@dataclass
class Playback:
    """The outcome of one order."""

    battlemap: Battlemap
    mover: str
    start: State
    size: int
    moments: list[Moment]
    declared: tuple[Cell, ...] = ()
    failed: bool = False
    figure: str = "standing"
    begun: float | None = None

    @property
    def length(self) -> float:
        """How long it takes."""
        return self.moments[-1].end if self.moments else 0.0

    def running(self, now: float) -> bool:
        """Whether the token is still on its way."""
        return self.begun is not None and now - self.begun < self.length

    def token(self, now: float) -> tuple[Point, str, int]:
        """Where the token is drawn, in which posture, on which floor."""
        passed = 0.0 if self.begun is None else now - self.begun
        before, posture = self.start.cell, self.start.posture
        at = self._spot(before)
        for moment in self.moments:
            if passed < moment.begin:
                break
            goal = self._spot(moment.cell)
            if passed < moment.end and moment.end > moment.begin:
                share = (passed - moment.begin) / (moment.end - moment.begin)
                at = at[0] + (goal[0] - at[0]) * share, at[1] + (goal[1] - at[1]) * share
                return at, posture, moment.cell.level
            at, before, posture = goal, moment.cell, moment.posture
        return at, posture, before.level

    def shapes(self, now: float, level: int) -> list[Shape]:
        """The way that was meant, the way that was gone, and what has been written so far."""
        passed = self.length if self.begun is None else now - self.begun
        out: list[Shape] = []
        meant = [cell for cell in self.declared if cell.level == level]
        if len(meant) > 1:
            out.append(Stroke("echo:meant", tuple(self._spot(cell) for cell in meant)))
        gone = [self.start.cell, *(m.cell for m in self.moments if m.end <= passed)]
        gone = [cell for n, cell in enumerate(gone) if cell.level == level and (n == 0 or cell != gone[n - 1])]
        if len(gone) > 1:
            out.append(Stroke("echo:gone", tuple(self._spot(cell) for cell in gone)))
        if self.failed and meant and meant[-1] not in gone[-1:]:
            out.append(Token("ghost", self._spot(meant[-1]), self.size, posture=self.figure))
        for moment in self.moments:
            if moment.begin <= passed and moment.cell.level == level:
                out += moment.shapes
        return out

    def _spot(self, cell: Cell) -> Point:
        return middle(self.battlemap, cell, self.size)


def play(battlemap: Battlemap, mover: Any, start: State, done: Accepted, declared: Route | None) -> Playback:
    """The playback of what an order brought about."""
    cells = tuple(declared.cells) if declared is not None else ()
    out = Playback(battlemap, mover.id, start, mover.size, [], cells)
    out.figure = figure(mover, "standing")
    out.failed = bool(done.of(FellShort) or done.of(Halted))
    steps = len(done.of(Stepped))
    each = min(STEP, LONGEST / max(steps, 1))
    at, now = start, 0.0
    late: list[Shape] = []
    for event in done:
        if isinstance(event, Rolled):
            chip = Chip(_role(event), out._spot(at.cell), rolled_words(event), "die", "above")
            out.moments.append(Moment(now, now + DIE, at.cell, at.posture, (chip,)))
            now += DIE
        elif isinstance(event, Stepped):
            out.moments.append(Moment(now, now + each, event.cell, at.posture))
            at, now = at._replace(cell=event.cell), now + each
        elif isinstance(event, PostureChanged):
            at = at._replace(posture=event.posture)
            out.moments.append(Moment(now, now + TURN, at.cell, at.posture))
            now += TURN
        else:
            late += _written(event)
    if done.of(Rolled) and not out.failed:
        out.moments.append(Moment(now, now + DIE, at.cell, at.posture))  # time to read the die
        now += DIE
    if late or out.failed:
        spot = out._spot(at.cell)
        placed = [Chip(s.role, spot, s.text, s.icon, s.place) if isinstance(s, Chip) else s for s in late]
        mark: list[Shape] = [Mark("fell", spot, at.cell)] if out.failed else []
        out.moments.append(Moment(now, now, at.cell, at.posture, (*mark, *placed)))
    return out


def _role(event: Rolled) -> str:
    return "good" if event.passed else "bad"


def rolled_words(event: Rolled) -> str:
    """A roll in a few words: ``14: passed``, ``9: missed by 4``."""
    if event.told:
        # nobody threw a total: the table said only how it went
        return say("rolled.told.passed" if event.passed else "rolled.told.failed")
    if event.passed or event.passed is None:
        return say("rolled.passed", total=event.total)
    return say("rolled.failed", total=event.total, margin=event.margin)


def _written(event: Event) -> Iterable[Shape]:
    """What is written where the move ended."""
    nowhere = (0.0, 0.0)
    if isinstance(event, FellShort):
        result = event.result.replace("_", " ")
        if event.moved is None or event.declared == 0:
            words = result
        else:
            words = say("rolled.fell", result=result, made=event.made)
        if event.posture:
            words = f"{words}, {LABELS.get(event.posture, event.posture)}"
        yield Chip("bad", nowhere, words, "warning", "below")
    elif isinstance(event, Hurt):
        yield Chip("bad", nowhere, say("rolled.hurt", damage=event.damage), "flash", "right")
    elif isinstance(event, Halted):
        yield Chip("bad", nowhere, event.reason.text, "warning", "below")
    elif isinstance(event, AttackOffered):
        yield Chip("bad", nowhere, say("attack.short", who=event.enemy), "flash", "right")
    elif isinstance(event, RollNeeded):
        number = "?" if event.check.number is None else event.check.number
        yield Chip("check", nowhere, f"{event.check.skill} {number}", "die", "right")
