"""Long journeys in words: what a plan holds, and what became of one that was played."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tactical.errors import counted
from tactical.play import journey as long
from tactical.play.journey import Journey, Plan
from tactical.rules.efforts import Effort
from tactical.units import percent, spoken

HOUR, MINUTE, KILOMETRE = 3600, 60, 1000


def clock(seconds: Fraction) -> str:
    """A time as people read it: ``2 h 5 min``, ``40 s``."""
    whole = int(seconds)
    hours, rest = divmod(whole, HOUR)
    minutes, left = divmod(rest, MINUTE)
    parts = [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes)
    if left or not parts:
        parts.append(f"{left} s")
    return " ".join(parts)


def distance(metres: Fraction) -> str:
    """A distance as people read it."""
    return f"{spoken(metres / KILOMETRE)} km" if metres >= KILOMETRE else f"{spoken(metres)} m"


def interval(effort: Effort) -> str:
    """When its rolls fall due, in words that follow its name."""
    if effort.limit is not None:
        return f", for {clock(effort.limit)}"
    if effort.interval is None:
        return ", without rolls"
    free = f" after {clock(effort.free)}" if effort.free else ""
    return f", a roll every {clock(effort.interval)}{free}"


def plan_words(plan: Plan, percent: Callable[[Fraction], str] = percent) -> list[str]:
    """How far in what time, the rolls on the way, and the chance to get through: a line each."""
    lines = [f"{distance(plan.metres)} in {clock(plan.seconds)}{', no further' if plan.short else ''}"]
    for due in plan.rolls:
        trial = due.trial
        against = "" if trial.number is None else f" {'at most' if trial.under else 'at least'} {trial.number}"
        level = f" {trial.level}" if trial.level else ""
        chance = "" if due.chance is None else f", {percent(due.chance)}"
        lines.append(f"  after {clock(due.at)} ({distance(due.metres)}): {trial.skill}{level}{against}{chance}")
    for trial in plan.ground:
        against = "" if trial.number is None else f" at least {trial.number}"
        lines.append(f"  for the ground, {counted(plan.ground_times, 'time')}: {trial.skill} {trial.level}{against}")
    if plan.missing:
        lines.append(f"chance not known without {', '.join(plan.missing)}")
    elif plan.chance is not None and not plan.short:
        lines.append(f"chance to get through: {percent(plan.chance)}")
    if plan.sleep:
        lines.append(f"then {clock(plan.sleep)} of sleep")
    return lines


def played_words(played: Journey) -> list[str]:
    """What happened when: a line each."""
    lines = []
    for event in played.events:
        match event:
            case long.Covered():
                words = f"{distance(event.metres)} covered"
            case long.Rolled():
                total = "" if event.total is None else f" {event.total}"
                words = f"{event.trial.skill}{total}: {'passed' if event.passed else f'failed by {event.margin}'}"
            case long.GroundRolled():
                words = f"{event.trial.skill} for the ground: {event.total}"
            case long.SetBack():
                words = f"{event.setback.kind.replace('_', ' ')}"
                words += f" for {clock(event.setback.seconds)}" if event.setback.seconds else ""
            case long.Rested():
                words = f"{event.kind} over"
            case _:
                words = "there" if played.arrived else "the end"
        lines.append(f"{clock(event.at):>12}  {words}")
    return [*lines, f"{distance(played.metres)} in {clock(played.seconds)}"]
