"""What a round of Shapers leaves behind: time on the clocks of effort, tests passed, gaits lost (SHP-04 … 13, 34)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tactical.options import Options
from tactical.rules.outcomes import Went
from tactical.rules.systems.shapers.effort import CLOCKS, after_round, due_test, read_effort, take_test
from tactical.rules.turnstate import TurnState

BEST, WORST = 0, 101  # a roll that passes any test that can be passed, and one that none survives


def after(stats: Any, turn: TurnState, options: Options, gait: str, went: Went | None) -> TurnState:
    """The round with a move in it: tests due are passed, or what the one missed was about is lost (SHP-A05, SHP-A06).

    A test missed says nothing about the others: those that were not rolled are still due.
    """
    effort = read_effort(turn.memory.get("effort"))
    modes = went.modes if went is not None and went.modes else (gait,)
    done = tuple(turn.memory.get("went", ()))
    stopped = went is not None and went.result == "gait_lost"
    lost = "" if went is None or went.missed is None else went.missed.about or gait
    tested = () if went is None else went.tested
    for name in (name for name in dict.fromkeys((gait, *modes, *tested, *filter(None, [lost]))) if name not in done):
        rolled = not stopped or name == lost or name in tested
        if rolled and due_test(effort, name, stats.stamina, options) is not None:
            effort = take_test(effort, name, WORST if name == lost else BEST, stats.stamina, options)
        if not stopped:
            done = (*done, name)
    return replace(turn, memory={**turn.memory, "effort": effort.kept(), "went": done})


def rest(stats: Any, turn: TurnState, options: Options) -> TurnState:
    """The round of somebody who has rested: every clock at its beginning, no gait lost (SHP-A06, SHP-A07)."""
    return replace(turn, memory={name: kept for name, kept in turn.memory.items() if name != "effort"})


def next_turn(turn: TurnState, options: Options) -> TurnState:
    """The round after this one, with the time in each gait on its clock (SHP-A07)."""
    effort = read_effort(turn.memory.get("effort"))
    counted = [name for name in turn.memory.get("went", ()) if name in CLOCKS]
    for name in counted:
        effort = after_round(effort, name, options)
    if not counted and turn.memory.get("went"):
        effort = after_round(effort, "walk", options)
    return TurnState(turn=turn.turn + 1, memory={"effort": effort.kept()} if effort != type(effort)() else {})


def no_worse(one: TurnState, other: TurnState) -> bool:
    """Whether who begins a round as `one` may do all that `other` may, with tests no earlier and no harder: no clock
    has gone further, and no gait is lost that the other has (SHP-04 … 13, 34)."""
    fresh, tired = read_effort(one.memory.get("effort")), read_effort(other.memory.get("effort"))
    clocks = all(rounds <= tired.rounds.get(gait, 0) for gait, rounds in fresh.rounds.items())
    tests = all(passes <= tired.passes.get(gait, 0) for gait, passes in fresh.passes.items())
    return clocks and tests and set(fresh.lost) <= set(tired.lost) and one.left == other.left
