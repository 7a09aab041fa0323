"""What becomes of a D6 move once the dice are thrown, with which odds, and what of it stays for the next round."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from tactical.errors import Refusal, counted
from tactical.options import Options
from tactical.rules.checks import Check, Demand, no_number
from tactical.rules.dice import Pool, spread
from tactical.rules.systems.d6 import ramming, stamina
from tactical.rules.systems.d6.failures import Outcome, Row, apply_margin, row_of
from tactical.rules.systems.d6.tables import SKILLS, Edition, distances, pool_in_force
from tactical.rules.systems.d6.turn import CODES, Stats, demand, least_of
from tactical.rules.turnstate import TurnState
from tactical.units import show
from tactical.world.terrain import Terrain

STANDS_IN = {skill.partition("/")[0].replace(" ", "_"): attribute for skill, attribute in SKILLS.values()}
"""By the stat of a skill the attribute that is rolled by who never improved it."""


def resolve(
    stats: Stats, turn: TurnState, options: Options, speed: str, metres: Fraction, grounds: Sequence[Terrain],
    rolls: Sequence[int] = (), maneuver: int = 0, *, edition: Edition,
) -> Outcome | Refusal:  # fmt: skip
    """The outcome of a move of `metres` over `grounds` with the totals thrown; the first roll that fails decides.

    Refused where the distance does not fit the speed or a number is missing (REUP-A04).  Raises `ValueError` when there
    are fewer totals than rolls.
    """
    full = _longest(stats, turn, options, speed, metres, edition)
    if isinstance(full, Refusal):
        return full
    asked = demand(stats, turn, options, speed, grounds, maneuver, edition=edition)
    if len(rolls) < len(asked.checks):
        raise ValueError(f"this move needs {counted(len(asked.checks), 'roll')}, {len(rolls)} given")
    return _outcome(stats, options, speed, metres, full, asked, rolls, edition)


def _longest(
    stats: Stats, turn: TurnState, options: Options, speed: str, metres: Fraction, edition: Edition
) -> Fraction | Refusal:
    """What the speed covers in full, where the move is neither too short nor too long for it."""
    shortest, full = distances(stats.metres(options), speed, options)
    shortest = least_of(turn, shortest)
    if shortest <= metres <= full:
        return full
    short = metres < shortest
    params = {"length": show(metres), "unit": "m", "minimum": show(shortest), "maximum": show(full)}
    clause = edition.clause("least" if short else speed)
    return Refusal("move.min_distance" if short else "move.max_distance", {**params, "clause": clause})


def _outcome(
    stats: Stats, options: Options, speed: str, metres: Fraction, full: Fraction, asked: Demand, rolls: Sequence[int],
    edition: Edition,
) -> Outcome | Refusal:  # fmt: skip
    """What becomes of a move that fits its speed, with the totals thrown."""
    posture = None if stats.kind == "vehicle" else "standing"
    met = Outcome("ok", metres, asked.action, bool(asked.checks), posture=posture, speed=speed)
    for check, total in zip(asked.checks, rolls, strict=False):
        if check.number is None:
            return no_number(check, "the ground")
        if check.kind == ramming.RAM:
            continue
        rolled = replace(met, level=check.level, number=check.number)
        met = apply_margin(rolled, check.number - total, metres, full, options, edition=edition, kind=stats.kind)
        if met.failed:
            break
    return met


def odds(
    stats: Stats,
    turn: TurnState,
    options: Options,
    speed: str,
    metres: Fraction,
    grounds: Sequence[Terrain],
    edition: Edition,
) -> tuple[tuple[Outcome, Fraction], ...] | Refusal:
    """Every outcome of a declared move with its exact chance, likeliest first; margins of one row count as one.

    Refused like `resolve`, and where the mover has no dice code for a roll that is due.
    """
    asked = demand(stats, turn, options, speed, grounds, edition=edition)
    for check in asked.checks:
        if check.number is None:
            return no_number(check, "the ground")
        if not check.dice:
            return Refusal("rules.not_covered", {"why": f"odds without a dice code for {check.skill}"})
    full = _longest(stats, turn, options, speed, metres, edition)
    if isinstance(full, Refusal):
        return full
    found: dict[Outcome, Fraction] = {}
    for rolls, part in _throws(asked.checks):
        outcome = _outcome(stats, options, speed, metres, full, asked, rolls, edition)
        if isinstance(outcome, Refusal):
            return outcome
        plain = replace(outcome, margin=None)
        found[plain] = found.get(plain, Fraction(0)) + part
    return tuple(sorted(found.items(), key=lambda item: (-item[1], item[0].result)))


@lru_cache(maxsize=512)
def _throws(checks: tuple[Check, ...]) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Totals that stand for all with the same consequences, each with the chance of those, the worst first.

    The first roll that fails decides, and all margins of a row of the table do the same.
    """
    out: list[tuple[tuple[int, ...], Fraction]] = []
    met, left = list[int](), Fraction(1)
    for place, check in enumerate(checks):
        assert check.number is not None
        rows = _rows(Pool.parse(check.dice), check.number, bool(check.wild))
        if check.kind == ramming.RAM:
            # whatever it shows, the move goes on
            rows = ((rows[-1][0], True, Fraction(1)),)
        unread = (0,) * (len(checks) - place - 1)
        out += (((*met, total, *unread), left * part) for total, passed, part in rows if not passed)
        passes = [(total, part) for total, passed, part in rows if passed]
        if not passes:
            return tuple(out)
        met, left = [*met, passes[0][0]], left * passes[0][1]
    return (*out, (tuple(met), left))


@lru_cache(maxsize=512)
def _rows(pool: Pool, number: int, wild: bool) -> tuple[tuple[int, bool, Fraction], ...]:
    """What a roll may come to: the lowest total of each row of the failure table, whether it is met, its chance."""
    found: dict[Row | None, tuple[int, Fraction]] = {}
    for total, part in spread(pool, number, wild=wild):
        row = row_of(number - total)
        lowest, before = found.get(row, (total, Fraction(0)))
        found[row] = lowest, before + part
    return tuple((total, row is None, part) for row, (total, part) in found.items())


def after(turn: TurnState, speed: str, outcome: Outcome | None) -> TurnState:
    """The round with this move in it (None: a move that nothing was rolled for)."""
    kept = {name: value for name, value in turn.memory.items() if name != "stunt"}
    memory = {**kept, "moved": speed, "next_speed": speed}
    if memory.pop("ram", None):
        memory["others"] = int(memory.get("others", 0)) + 1  # the ram was an action of its own (REV-36)
    if speed != "cautious" if outcome is None else outcome.action != "free":
        memory["move_acts"] = True
    if outcome is not None:
        memory["next_speed"] = outcome.speed or speed
        memory["dice"] = int(turn.memory.get("dice", 0)) + (outcome.dice_now or 0)
        memory["no_actions"] = bool(turn.memory.get("no_actions")) or bool(outcome.no_actions_now)
        memory["next_dice"] = outcome.dice_next or 0
        memory["next_no_actions"] = bool(outcome.no_actions_next)
    return replace(turn, memory=memory)


def act(stats: Stats, turn: TurnState, options: Options, edition: Edition) -> tuple[TurnState, int] | Refusal:
    """An action that is no move: the round with it in it, and the dice it loses to the others and to a slip.

    Each other action of the round takes a die (REUP-02, REUP-A08); none is left after all-out (REUP-25, REV-14), nor
    after a fall (REUP-54, 55).
    """
    moved = turn.memory.get("moved", "")
    if moved == "all_out":
        words = {"what": "anything else after all-out movement: it excludes every other action"}
        return Refusal("move.action", {**words, "clause": edition.clause("exclusive")})
    if turn.memory.get("no_actions"):
        words = {"what": "acting: no actions this round after the fall"}
        return Refusal("move.action", {**words, "clause": edition.clause("minor_tumble")})
    others = int(turn.memory.get("others", 0))
    before = max(others + bool(turn.memory.get("move_acts")), stats.actions - 1)
    memory = {**turn.memory, "others": others + 1}
    return replace(turn, memory=memory), min(int(turn.memory.get("dice", 0)) - before, 0)


def stunt(stats: Stats, turn: TurnState, options: Options, harder: int) -> TurnState:
    """The round whose move is to be a stunt (REUP-49, REV-29, REUP-A21, A22)."""
    return replace(turn, memory={**turn.memory, "stunt": harder})


def second(
    stats: Stats, turn: TurnState, options: Options, speed: str, skill: str, number: int
) -> tuple[TurnState, Check] | Refusal:
    """The round whose move ends in another skill, and the roll of that: movement first (REUP-50, REUP-A23).

    The skill is named by its stat; where that is not stated the attribute stands in for it (REUP-04 … REUP-06).
    """
    code = getattr(stats, skill, "") or getattr(stats, STANDS_IN.get(skill, skill), "") if skill in CODES else ""
    if not code:
        return Refusal("rules.not_covered", {"why": f"{skill} without a dice code"})
    if speed == "all_out":
        words = {"what": "all-out movement: it excludes every other action"}
        return Refusal("move.action", {**words, "clause": "REUP-25", "ruling": "REUP-A23"})
    # asked again after the move, it is in the round already, and what a failure took burdens it (REUP-52 … 55)
    moved = bool(turn.memory.get("moved"))
    if moved and turn.memory.get("no_actions"):
        words = {"what": f"{skill}: no more actions this round after the fall"}
        return Refusal("move.action", {**words, "clause": "REUP-54"})
    others = int(turn.memory.get("others", 0)) + bool(options["second_skill_is_action"] and not moved)
    turn = replace(turn, memory={**turn.memory, "others": others})
    penalty = int(turn.memory.get("dice", 0))
    pool = pool_in_force(Pool.parse(code), max(stats.actions, 1 + others), penalty, options)
    name = "climbing/jumping" if skill == "climbing" else skill.replace("_", " ")
    check = Check(name, number, kind="second", source="REUP-50", dice=str(pool), wild=bool(options["wild_die"]))
    return turn, check


def rest(stats: Stats, turn: TurnState, options: Options) -> TurnState:
    """The round of somebody who has rested: at a stop, with no rest owed (REUP-38, 40, REUP-A28)."""
    memory = {name: kept for name, kept in turn.memory.items() if name not in stamina.TIRING}
    if "moved" in memory:
        memory["next_speed"] = "stop"
    return replace(turn, previous="stop", memory=memory)


def carry(turn: TurnState) -> Hashable:
    """What a plan over several rounds depends on: all that a round leaves but how long speeds were kept up, since
    rolls of stamina stop nobody beforehand."""
    matters = {name: value for name, value in turn.memory.items() if name not in ("kept_up", "rested")}
    return turn.previous, turn.left, repr(sorted(matters.items(), key=lambda item: item[0]))


def next_turn(turn: TurnState, options: Options) -> TurnState:
    """The round after this one: the speed used (stop where nothing was moved), what a failure left behind, how long
    speeds were kept up, and how near a vehicle is to its end."""
    fuse = int(turn.memory.get("countdown", 0))
    memory = {
        "dice": turn.memory.get("next_dice", 0),
        "no_actions": turn.memory.get("next_no_actions", False),
        "countdown": max(fuse - 1, 0),
        "destroyed": fuse == 1 or turn.memory.get("destroyed", False),
        **stamina.carried_on(turn, options, marching=bool(turn.memory.get("marching"))),
    }
    kept = {name: value for name, value in memory.items() if value}
    return TurnState(turn=turn.turn + 1, previous=turn.memory.get("next_speed", "stop"), memory=kept)
