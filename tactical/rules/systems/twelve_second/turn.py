"""What a twelve-second turn leaves behind: modes used, counted turns, recovery from a jump (TWS-15 … 17, 35 … 38)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Any

from tactical.options import Options
from tactical.rules.outcomes import Went
from tactical.rules.turnstate import TurnState

COUNTED = ("run", "run_dodge", "swim")  # TWS-15
HEAVY = -3  # TWS-16


def endurance_limit(endurance: Fraction, load: str) -> int:
    """Turns of running, dodging and swimming: END, 3 less under a heavy load, never below 0 (TWS-15, TWS-16, A11)."""
    return max(0, int(endurance // 1) + (HEAVY if load == "heavy" else 0))


def after_turn(used: Mapping[str, int], modes: Iterable[str], options: Options) -> dict[str, int]:
    """The counted turns after one more turn in which `modes` were used; ``rest`` clears them (TWS-15, A09, A10).

    The keys are modes under ``endurance_count: per_mode``, else the one key ``all``.
    """
    went = set(modes)
    if "rest" in went:
        return {}
    per_mode = options["endurance_count"] == "per_mode"
    counted = {mode if per_mode else "all" for mode in went if mode in COUNTED}
    counts = dict(used)
    if not counted and options["endurance_count"] == "consecutive":
        return {}
    if not counted and options["endurance_recovery"] == "per_easy_turn":
        return {key: count - 1 for key, count in counts.items() if count > 1}
    for key in counted:
        counts[key] = counts.get(key, 0) + 1
    return counts


def exhausted_modes(used: Mapping[str, int], limit: int | None, options: Options) -> tuple[str, ...]:
    """The modes that are spent once their turns are used up (TWS-17); a limit of None is never reached."""
    if limit is None:
        return ()
    if options["endurance_count"] == "per_mode":
        return tuple(mode for mode in COUNTED if used.get(mode, 0) >= limit)
    return COUNTED if used.get("all", 0) >= limit else ()


def turns_left(used: Mapping[str, int], limit: int | None, options: Options) -> dict[str, tuple[int, int]]:
    """For each counted mode the turns left and the turns in all (TWS-15 … 17); nothing where no limit is known."""
    if limit is None:
        return {}
    per_mode = options["endurance_count"] == "per_mode"
    return {mode: (max(0, limit - used.get(mode if per_mode else "all", 0)), limit) for mode in COUNTED}


def after(stats: Any, turn: TurnState, options: Options, gait: str, went: Went | None) -> TurnState:
    """The turn with a move in it: its modes noted, and the recovery that a failed jump asks for."""
    modes = went.modes if went is not None and went.modes else (gait,)
    memory = {**turn.memory, "modes": tuple(dict.fromkeys((*turn.memory.get("modes", ()), *modes)))}
    leap = None if went is None else went.leap
    if leap is not None and leap.recovery:
        memory["no_action"], memory["stunned"] = ceil(leap.no_action), ceil(leap.stunned)
    return replace(turn, memory=memory)


def rest(stats: Any, turn: TurnState, options: Options) -> TurnState:
    """The turn of somebody who has rested: no hard turn counts any more (TWS-A10)."""
    return replace(turn, memory={name: kept for name, kept in turn.memory.items() if name != "effort"})


def next_turn(turn: TurnState, options: Options) -> TurnState:
    """The turn after this one: its hard modes counted, a turn of recovery over (TWS-15, TWS-37, TWS-38)."""
    used = after_turn(turn.memory.get("effort", {}), turn.memory.get("modes", ()), options)
    no_action, stunned = int(turn.memory.get("no_action", 0)), int(turn.memory.get("stunned", 0))
    if no_action:
        no_action -= 1
    elif stunned:
        stunned -= 1
    memory = {"effort": used, "no_action": no_action, "stunned": stunned}
    return TurnState(turn=turn.turn + 1, memory={name: value for name, value in memory.items() if value})


def no_worse(one: TurnState, other: TurnState) -> bool:
    """Whether who begins a turn as `one` may do all that `other` may: no mode has more turns behind (TWS-15 … 17)."""
    used, less = one.memory.get("effort", {}), other.memory.get("effort", {})
    waits = all(one.memory.get(name, 0) <= other.memory.get(name, 0) for name in ("no_action", "stunned"))
    return waits and one.left == other.left and all(count <= less.get(mode, 0) for mode, count in used.items())
