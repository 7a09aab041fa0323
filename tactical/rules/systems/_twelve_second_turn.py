"""What a twelve-second turn leaves behind: modes used, counted turns, recovery from a jump (TWS-15 … 17, 35 … 38)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from tactical.options import Options
from tactical.rules.outcomes import Went
from tactical.rules.ruleset import TurnState

Counter = Callable[[Mapping[str, int], Iterable[str], Options], dict[str, int]]


def after(stats: Any, turn: TurnState, options: Options, gait: str, went: Went | None) -> TurnState:
    """The turn with a move in it: its modes noted, and the recovery that a failed jump asks for."""
    modes = went.modes if went is not None and went.modes else (gait,)
    memory = {**turn.memory, "modes": tuple(dict.fromkeys((*turn.memory.get("modes", ()), *modes)))}
    leap = None if went is None else went.leap
    if leap is not None and leap.recovery:
        memory["no_action"], memory["stunned"] = ceil(leap.no_action), ceil(leap.stunned)
    return replace(turn, memory=memory)


def next_turn(turn: TurnState, options: Options, count: Counter) -> TurnState:
    """The turn after this one: its hard modes counted, a turn of recovery over (TWS-15, TWS-37, TWS-38)."""
    used = count(turn.memory.get("effort", {}), turn.memory.get("modes", ()), options)
    no_action, stunned = int(turn.memory.get("no_action", 0)), int(turn.memory.get("stunned", 0))
    if no_action:
        no_action -= 1
    elif stunned:
        stunned -= 1
    memory = {"effort": used, "no_action": no_action, "stunned": stunned}
    return TurnState(turn=turn.turn + 1, memory={name: value for name, value in memory.items() if value})
