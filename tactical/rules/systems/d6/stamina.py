"""Rounds kept up at high speed and all-out: the rolls that fall due, what failed ones owe, what a rest gives back.

A round counts for the seconds it lasts (option ``round_seconds``).  In a turn's memory ``kept_up`` are the seconds at
each speed since its rolls began (REUP-36, 39; REV-21, 23, 24, 27), ``rested`` those of standing still on end, ``owed``
the rest that a failed roll asks for (REUP-38, 40; REV-22, 25); a vehicle's breakdown is owed until it is mended.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.checks import Check
from tactical.rules.efforts import Effort
from tactical.rules.outcomes import Worn
from tactical.rules.turnstate import TurnState
from tactical.units import show

COUNTED = ("high", "all_out")
BROKEN = "mechanical_failure"
TIRING = ("kept_up", "rested", "owed")
"""The words of a turn's memory that a rest takes away."""


def owed(turn: TurnState) -> Refusal | None:
    """The refusal of a move while rest is owed, or None."""
    rest: Mapping[str, Any] | None = turn.memory.get("owed")
    if rest is None:
        return None
    if rest["kind"] == BROKEN:
        return Refusal("move.rest", {"what": "repair", "clause": rest.get("clause", "")})
    left = show(Fraction(rest["seconds"]) - Fraction(turn.memory.get("rested", 0)))
    return Refusal("move.rest", {"what": f"rest for {left} s more", "clause": rest.get("clause", "")})


def due(turn: TurnState, options: Options, efforts: Sequence[Effort], *, marching: bool = False) -> tuple[Check, ...]:
    """The rolls that fall due as this round ends, those of whole intervals (REUP-A25).

    `marching`: rounds at cruising speed count as a march (REUP-A31).
    """
    effort = _effort(turn, efforts, marching)
    if effort is None or effort.trial is None:
        return ()
    kept = _kept(turn, effort.ground_gait or effort.name)
    found = []
    for n, _ in effort.due(kept, kept + options["round_seconds"]):
        trial = effort.trial(n)
        note = "" if trial.number is not None else "the game master has given no number"
        effects = {"failed": "rest for twice the time"}
        if trial.skill == "body strength":
            effects = {"1-10": "strain, rest for twice the time", "11+": "breakdown, needs repair"}
        found.append(
            Check(trial.skill, trial.number, trial.level, "effort", str(trial.source), note, effects, trial.dice,
                  wild=trial.wild)
        )  # fmt: skip
    return tuple(found)


def tire(
    turn: TurnState, options: Options, efforts: Sequence[Effort], checks: Sequence[Check], rolls: Sequence[int],
    *, marching: bool = False,
) -> Worn:  # fmt: skip
    """What the totals thrown for the rolls due make of the round; the first that fails ends it."""
    effort = _effort(turn, efforts, marching)
    if effort is None or effort.setback is None:
        return Worn(turn)
    kept = _kept(turn, effort.ground_gait or effort.name)
    times = effort.due(kept, kept + options["round_seconds"])
    for (n, at), check, total in zip(times, checks, rolls, strict=False):
        margin = check.margin(total)
        if margin is None or margin <= 0:
            continue
        setback = effort.setback(at, n, margin)
        rest = setback.seconds or Fraction(0)
        # who must rest may stop, whatever the speed was
        due = {"kind": setback.kind, "seconds": rest, "clause": setback.source.clause}
        memory = {**turn.memory, "next_speed": "stop", "owed": due}
        return Worn(replace(turn, memory=memory), rest, setback.kind)
    return Worn(turn)


def carried_on(turn: TurnState, options: Options, *, marching: bool = False) -> dict[str, Any]:
    """What of this is remembered after the round (REUP-A28)."""
    speed, seconds = str(turn.memory.get("moved", "")), Fraction(options["round_seconds"])
    kept = dict(turn.memory.get("kept_up", {}))
    rest, rested = turn.memory.get("owed"), Fraction(0)
    if speed in COUNTED or (speed == "cruising" and marching):
        kept[speed] = _kept(turn, speed) + seconds
    if not speed:
        rested = Fraction(turn.memory.get("rested", 0)) + seconds
    match options["stamina_reset"]:
        case "after_equal_rest":
            kept = {name: time for name, time in kept.items() if not rested or rested < time}
        case "on_slower":
            order = ("", "cautious", "cruising", *COUNTED)
            kept = {name: time for name, time in kept.items() if order.index(speed) >= order.index(name)}
    if rest is not None and rest["kind"] != BROKEN and rested >= rest["seconds"]:
        rest = None
    # how long somebody has rested matters only while there is something to rest from
    memory = {"kept_up": kept, "owed": rest, "rested": rested if kept or rest is not None else None}
    return {name: value for name, value in memory.items() if value}


def _effort(turn: TurnState, efforts: Sequence[Effort], marching: bool) -> Effort | None:
    speed = turn.memory.get("moved", "")
    wanted = "march" if speed == "cruising" and marching else speed if speed in COUNTED else ""
    return next((effort for effort in efforts if effort.name == wanted), None)


def _kept(turn: TurnState, name: str) -> Fraction:
    return Fraction(turn.memory.get("kept_up", {}).get(name, 0))
