"""Rolls in words: what a move asks for, what each result brings with its exact chance, what a paused move waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from tactical.errors import Refusal
from tactical.movement.declare import Declared, declare_steps, gait_of
from tactical.movement.reach import Reach
from tactical.movement.rolls.odds import chance, chance_of, there
from tactical.movement.route import Route
from tactical.play.commands import GivenRoll
from tactical.play.session import Session
from tactical.registry import WAYS
from tactical.rules.checks import Check
from tactical.show.labels import say
from tactical.units import Cell, percent, spoken

OFFERED = 6
"""Numbers that a game master is offered at the most."""


@dataclass(frozen=True, slots=True)
class Note:
    """A remark with an icon: ``good``, ``warn`` or ``bad``."""

    kind: str
    icon: str
    text: str


class Brought(NamedTuple):
    """What a roll can bring: the chance and the words, ``good``, ``bad``, or ``warn`` for a failure that gets there."""

    chance: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a paused move waits for, the buttons that answer (label, command), and the number typed in so far.

    `entry` tells that a total may be typed (or, before it, the game master's `number`), `verdict` what it means;
    `closed` are the commands that would be refused, with the reason.
    """

    text: str
    icon: str
    buttons: tuple[tuple[str, str], ...]
    entry: bool = False
    typed: str = ""
    verdict: str = ""
    good: bool = False
    number: bool = False
    closed: Mapping[str, str] = field(default_factory=dict)


def question(session: Session, typed: str = "", number: str = "", *, referee: bool = False) -> Question | None:
    """The question that a paused move asks; who strikes from hiding is said to the game master (`referee`) alone.

    `number` is the game master's for a roll that has none of its own; until it is given the question asks for it.
    """
    waiting = session.position.pending
    if waiting is None:
        return None
    text, check = waited_for(session, number, referee=referee), asked(session)
    if check is None:
        return Question(text, "flash", tuple((say(f"attack.{way}"), way) for way in ("go_on", "stop_here")))
    if unnumbered(check) and not number:
        return _numberless(check, text, typed)
    given = int(number) if unnumbered(check) else None
    check = numbered(check, number)
    # a recovery is thrown for, and met or missed by nothing
    free = check.kind == "recovery"
    # Enter is the first button's key; with a total typed, the dice have a key of their own
    buttons = tuple((say(f"roll.{way}"), way) for way in (("roll",) if free else ("roll", "passed", "failed")))
    if typed:
        buttons = (say("roll.total", typed=typed), "total"), (say("roll.throw"), "roll")
    closed: dict[str, str] = {}
    if check.effects and not typed:
        # where what comes of it hangs on by how much it was missed, or made, the word alone says too little
        for way in ("passed", "failed") if check.softens else ("failed",):
            why = session.why_not(GivenRoll(waiting.mover, passed=way == "passed", number=given))
            if why is not None:
                closed[way] = why.text
    words, good = verdict(check, typed)
    if (
        typed.isdigit()
        and (why := session.why_not(GivenRoll(waiting.mover, total=int(typed), number=given))) is not None
    ):
        words, good = why.text, False
    return Question(text, "die", buttons, True, typed, words, good, closed=closed)


def waited_for(session: Session, number: str = "", *, referee: bool = False) -> str:
    """What a paused move waits for, in words; empty where none does.  Asks no rules, as `question` does."""
    waiting = session.position.pending
    if waiting is None:
        return ""
    name, check = session.position.mover(waiting.mover).label, asked(session)
    if check is None:
        seen = [enemy for enemy in waiting.enemies if referee or session.position.sees(waiting.mover, enemy)]
        who = ", ".join(session.position.mover(enemy).label for enemy in seen)
        return say("attack", who=who, name=name) if who else say("attack.unseen", name=name)
    if unnumbered(check) and not number:
        return say(
            "roll.number.level" if check.level else "roll.number", name=name, skill=check.skill, level=check.level
        )
    check = numbered(check, number)
    key = "roll.free" if check.kind == "recovery" else "roll.under" if check.under else "roll"
    skill = say("roll.fall", skill=check.skill) if check.kind == "fall" else check.skill
    text = say(key, name=name, skill=skill, number="?" if check.number is None else check.number)
    dice, chance_now = check.dice, chance_words(check)
    return say("roll.dice", text=text, dice=dice, chance=f": {chance_now}" if chance_now else "") if dice else text


def _numberless(check: Check, text: str, typed: str) -> Question:
    """Ask for the game master's number first: no total means anything without it."""
    if typed:
        buttons: tuple[tuple[str, str], ...] = ((say("roll.number.take", typed=typed), "total"),)
    else:
        buttons = tuple((str(number), f"number:{number}") for number in numbers_for(check))
    why = check.with_number(int(typed)) if typed.isdigit() else None
    words = why.text if isinstance(why, Refusal) else ""
    return Question(text, "die", buttons, True, typed, words, number=True)


def numbers_for(check: Check) -> tuple[int, ...]:
    """Numbers for the game master to choose from: the least of a level's, else some from easy to hard."""
    known = range(1, 100) if check.level else range(5, 31, 5)
    return tuple(number for number in known if not isinstance(check.with_number(number), Refusal))[:OFFERED]


def unnumbered(check: Check) -> bool:
    """Whether the game master has to give a number before anything can be rolled; a recovery has none."""
    return check.number is None and check.kind != "recovery"


def numbered(check: Check, number: str) -> Check:
    """The check with the game master's number, where it has none of its own and this one is of its level."""
    found = check.with_number(int(number)) if check.number is None and number.isdigit() else check
    return check if isinstance(found, Refusal) else found


def asked(session: Session) -> Check | None:
    """The check that a paused move waits for, or None."""
    waiting = session.position.pending
    if waiting is None or waiting.what == "attack":
        return None
    return waiting.checks[len(waiting.rolls) if waiting.what in ("whole", "effort") else 0]


def verdict(check: Check, typed: str) -> tuple[str, bool]:
    """What a total means, in words, and whether it passes; empty where nothing has been typed."""
    margin = check.margin(int(typed)) if typed.isdigit() else None
    if margin is None:
        return "", False
    if margin <= 0:
        return say("roll.passes", total=typed, margin=-margin), True
    return say("roll.misses", total=typed, margin=margin, effect=effect_of(check, margin)), False


def effect_of(check: Check, margin: int) -> str:
    """What missing by so much brings, in the rule system's words; empty where it has none by margin."""
    for span, words in check.effects.items():
        low, _, high = span.rstrip("+").partition("-")
        if low.isdigit() and int(low) <= margin and (span.endswith("+") or (high.isdigit() and margin <= int(high))):
            return words
    return check.effects.get("failed", "")


def certain(check: Check) -> bool:
    """Whether a roll cannot fail and nothing else hangs on what it shows."""
    return check.chance() == 1 and not (check.softens or check.wild or check.follows)


# -- what a way asks for ----------------------------------------------------------------------------------------------


def declared(reach: Reach, route: Route) -> Declared | None:
    """The route as a declared move of this turn, or None where it is none (a later turn, a gait that is not open)."""
    if not isinstance(reach, Reach) or route.turn != 1 or not route.steps:
        return None
    gait = gait_of(reach.query, route.band)
    move = gait if isinstance(gait, Refusal) else declare_steps(reach.query, gait, route.steps)
    return move if isinstance(move, Declared) else None


def chance_there(reach: Reach, route: Route) -> Fraction | None:
    """The exact chance that a way of this turn gets where it leads; None where nothing is rolled or it is not known."""
    move = declared(reach, route) if isinstance(route, Route) else None
    if move is None or not any(map(stops, move.checks)):
        return None
    found = there(move)
    return None if isinstance(found, Refusal) else found


def later_rolls(reach: Reach, route: Route) -> tuple[Note, ...]:
    """The gait and the rolls of each turn of a way that takes several, where anything is rolled for."""
    if route.turn < 2 or not isinstance(reach, Reach) or not any(turn.checks for turn in route.turns):
        return ()
    titles = {gait.name: gait.title or gait.name for gait in reach.profile.gaits}
    out = []
    word = reach.query.ruleset.turn_word.capitalize()
    for turn in route.turns:
        asked_for = ", ".join(f"{check.skill} {'?' if check.number is None else check.number}" for check in turn.checks)
        gait = titles.get(turn.gait, turn.gait)
        key = "later.rolls" if asked_for else "later.sure"
        out.append(
            Note("warn" if asked_for else "good", "die", say(key, word=word, n=turn.number, gait=gait, rolls=asked_for))
        )
    return tuple(out)


def rolls(reach: Reach, route: Route, *, patient: bool = True) -> tuple[Note, ...]:
    """The rolls of the whole move, the exact chance that none fails, and a better chance where another way has one.

    Who is not `patient` hears nothing of the better chance: all chances have to be known for it.
    """
    move = declared(reach, route)
    if move is None or not move.checks:
        return ()
    out = []
    whole = chance(move)
    # what cannot fail is said in one breath
    sure = whole == 1 and all(map(stops, move.checks))
    for check in move.demand.checks:
        number = check.number if check.number is not None else check.level
        key = "roll.sure" if sure else "roll.whole" if number else "roll.unknown"
        out.append(Note("good" if sure else "warn", "die", say(key, skill=check.skill, number=number)))
    if sure or isinstance(whole, Refusal):
        return tuple(out)
    ends = there(move)
    arrives = whole if isinstance(ends, Refusal) else ends
    words = say("chance", chance=percent(whole))
    if arrives == 1 and not all(map(stops, move.checks)):
        words = say("chance.sure")
    elif arrives != whole or not all(map(stops, move.checks)):
        words = say("chance.there", there=percent(arrives), chance=percent(whole))
    out.append(Note("good" if arrives * 2 >= 1 else "bad", "die", words))
    best = reach.chances.get(route.end.cell) if patient else None
    if best is not None and best.chance > arrives:
        title = reach.profile.gait(best.gait).title or best.gait
        out.append(Note("good", "check", say("chance.better", gait=title, chance=percent(best.chance))))
    return tuple(out)


def outcomes(reach: Reach, route: Route) -> tuple[Brought, ...]:
    """What the roll of the whole move can bring, with its exact chance: ``24%``, ``slight slip, all of the way``."""
    move = declared(reach, route)
    if move is None or not move.demand.checks:
        return ()
    query = move.query
    odds = query.ruleset.odds
    if odds is None:
        return _plain_outcomes(move)
    found = odds(query.stats, query.turn, query.options, move.gait.name, move.length, move.grounds)
    if isinstance(found, Refusal):
        return ()
    effects = [*move.demand.checks[0].effects.values()]
    # results that say the same are one to whoever reads them, however different the dice were
    parts: dict[tuple[int, str, str], Fraction] = {}
    for outcome, part in found:
        name = str(outcome.result).replace("_", " ")
        row = next((n for n, effect in enumerate(effects) if effect.split(",")[0] == name), len(effects))
        moved = getattr(outcome, "moved", None)
        arrives = moved is not None and moved >= move.length
        words = effects[row] if row < len(effects) else name
        told = (row, words, "warn" if arrives else "bad") if outcome.failed else (-1, say("outcome.ok"), "good")
        parts[told] = parts.get(told, Fraction(0)) + part
    rows = sorted((told for told, part in parts.items() if part), key=lambda told: told[0])
    told_in = shares([(kind, parts[row, words, kind]) for row, words, kind in rows])
    return tuple(Brought(share, words, kind) for (_, words, kind), share in zip(rows, told_in, strict=True))


def shares(rows: Sequence[tuple[str, Fraction]]) -> list[str]:
    """Parts of a whole in per cent that add up to 100, where one too small for that is ``<1%``.

    What goes well, and what gets there at all, is as much as it is said to be everywhere else.
    """
    out = [""] * len(rows)
    before, told = Fraction(0), 0
    for kind in ("good", "warn", "bad"):
        of_kind = [n for n, row in enumerate(rows) if row[0] == kind]
        before += sum((rows[n][1] for n in of_kind), Fraction(0))
        upto = int(percent(before).rstrip("%"))
        exact = {n: 100 * rows[n][1] for n in of_kind}
        given = {n: int(part) for n, part in exact.items()}
        by_rest = sorted(of_kind, key=lambda n: given[n] - exact[n])
        missing = upto - told - sum(given.values())
        while missing and by_rest:
            n = by_rest.pop(0) if missing > 0 else max(by_rest, key=lambda n: given[n])
            given[n] += 1 if missing > 0 else -1
            missing += -1 if missing > 0 else 1
        for n, part in given.items():
            out[n] = f"{part}%" if part > 0 else "<1%"
        told = upto
    return out


def _plain_outcomes(move: Declared) -> tuple[Brought, ...]:
    """Passed or failed, where the rules know no degrees of failure."""
    out = []
    for check in move.demand.checks:
        part = chance_of(check)
        if isinstance(part, Fraction):
            rows = (
                ("good", say("outcome.ok"), part),
                ("bad", check.effects.get("failed", say("outcome.failed")), 1 - part),
            )
            out += [Brought(percent(share), words, kind) for kind, words, share in rows if share]
    return tuple(out)


def chances(reach: Reach) -> Mapping[Cell, Fraction | None]:
    """For every cell of this turn that a roll may keep the mover from: the best chance to end there.

    None where nobody knows it, as a number of the game master is missing.
    """
    if not isinstance(reach, Reach):
        return {}
    known = reach.chances
    found: dict[Cell, Fraction | None] = {cell: one.chance for cell, one in known.items() if one.chance < 1}
    unknown = (cell for cell in reach.cells() if cell not in known and cell != reach.start.cell)
    return found | dict.fromkeys(cell for cell in unknown if reach.turn(cell) == 1)


def chance_words(check: Check) -> str:
    """The chance that a roll passes, in words; empty where it is not known.  One that stops nobody says so too."""
    found = check.chance()
    if found is None:
        return ""
    return percent(found) if stops(check) else say("chance.either", chance=percent(found))


def stops(check: Check) -> bool:
    """Whether a failed roll keeps the mover from where it goes; a prepared fall only hurts more."""
    return chance_of(check) != 1 or check.chance() == 1


def jumps(reach: Reach, route: Route) -> tuple[Note, ...]:
    """The jumps of a way, and what else may fail by its nature: how far, and the chance of each."""
    out = []
    for step in route.steps:
        if WAYS.has(step.way) and WAYS.get(step.way).rolls:
            part = Fraction(1) if step.check is None else chance_of(step.check)
            words = percent(part) if isinstance(part, Fraction) else "?"
            names = {"way": step.way.replace("_", " ").capitalize(), "cell": reach.battlemap.name_of(step.end.cell)}
            length = {"length": spoken(step.distance), "unit": reach.battlemap.unit}
            key = "way.sure" if part == 1 else "way.chance"
            out.append(Note("good" if part == 1 else "warn", "arrow", say(key, chance=words, **names, **length)))
    return tuple(out)
