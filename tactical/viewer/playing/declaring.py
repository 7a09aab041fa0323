"""What a player declares beside the way, a page for each: stunts, second skills, checks, rams, named jumps, long
journeys.

Knows no pygame.  A page has rows that lead to the next one or do it: a command is its kind and what has been chosen so
far, as ``then:F7:climbing=10``.  Numbers are the game master's, so a page offers them all with their chances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction

from tactical.errors import Refusal, counted
from tactical.movement.declare import Declared, declare_route
from tactical.movement.rolls.leaps import Asked, askable, step_of, tries
from tactical.movement.route import Route
from tactical.play.commands import Command, Move, Roll, Spend
from tactical.play.events import Rolled
from tactical.play.happening import recovery_words
from tactical.play.journey import Dice, find, plan, undertake
from tactical.rules.checks import Check
from tactical.rules.ruleset import with_second, with_stunt
from tactical.rules.stretches import able_ways
from tactical.rules.turnstate import TurnState
from tactical.show.journeys import clock, distance, interval, plan_words, played_words
from tactical.show.labels import say
from tactical.show.rolls import chance_words
from tactical.units import Cell, parse_cell, percent, spoken
from tactical.viewer.playing.hand import Hand
from tactical.world.grids import neighbours
from tactical.world.mover import Mover

Rows = tuple[tuple[str, str, str], ...]
"""Words, what stands faint behind them, and the command of each row."""
Page = tuple[str, str, Rows]
"""Title, what is to be chosen, and the rows."""
KINDS = ("stunt", "then", "dc", "ram", "jumps", "journey")
"""The kinds of its commands."""
HARDER = 30
"""The hardest stunt that is offered; the words for stunts end at 16 and more."""
NUMBERS = range(1, 41)
"""Numbers that are offered for a roll."""
HALF = Fraction(1, 2)
TIMES = tuple(Fraction(60 * n) for n in (1, 5, 10, 20, 30, 60, 120, 180, 240, 360, 480, 600, 720, 1440))
"""Times that a journey may take, in seconds."""


def offered(hand: Hand, cell: Cell, route: Route) -> Iterator[tuple[str, str, Command]]:
    """What may be declared of the way to a cell: words, the command that opens its page, and an order to try it by."""
    assert hand.selected is not None
    mover, ruleset = hand.selected, hand.session.position.ruleset(hand.selected)
    if ruleset.stunt is not None:
        yield say("menu.stunt"), f"stunt:{cell}", Move(mover, route, stunt=1)
    if ruleset.second is not None and (skills := _skills(hand, route)):
        yield say("menu.then"), f"then:{cell}", Move(mover, route, then=f"{skills[0]}=1")
    if ways := _able(hand, route):
        yield say("menu.dc"), f"dc:{cell}", Move(mover, route, dcs=tuple(1 for _ in ways))


def ramming(hand: Hand, target: Mover) -> Route | Refusal | None:
    """The cheapest way of this turn to where a target can be rammed, why there is none, None without rules for it."""
    mover = hand.mover
    if hand.selected is None or mover is None or mover.id == target.id or target.at is None or hand.reach is None:
        return None
    if hand.session.position.ruleset(hand.selected).ram is None:
        return None
    reach, body = hand.reach, hand.battlemap.body
    beside = {cell for at in body(target.at, target.size) for _, cell in neighbours(hand.battlemap.grid, at)}
    near = [cell for cell in reach.cells() if reach.turn(cell) == 1 and not beside.isdisjoint(body(cell, mover.size))]
    costs = {cell: reach.cost(cell) for cell in near}
    if not costs:
        return Refusal("play.ram_far", {"target": target.label})
    way: Route | Refusal = reach.route(min(costs, key=lambda cell: (costs[cell], cell)))
    if isinstance(way, Refusal):
        return way
    return hand.session.why_not(Move(hand.selected, way, ram=target.id)) or way


def named(hand: Hand) -> Iterator[tuple[str, str]]:
    """What the selected mover may do that leads to no cell: words and the command that opens its page."""
    assert hand.selected is not None
    if askable(hand.about.profile):
        yield say("menu.jumps"), "jumps:all"
    if hand.session.position.ruleset(hand.selected).efforts is not None:
        yield say("menu.journeys"), "journey:"


def follow(hand: Hand, kind: str, rest: str) -> Page | None:
    """The page that a command leads to; None where it was done, or told why not."""
    if hand.selected is None:
        return None
    if kind == "ram":
        if (way := hand.granted(ramming(hand, hand.table.mover(rest)))) is not None:
            hand.take(way, ram=rest)
        return None
    chosen = [part for part in rest.split(":") if part]
    if kind == "jumps" and len(chosen) > 1:
        _jump(hand, *chosen)
        return None
    if kind == "jumps":
        return say("jumps"), say("jumps.hint"), _jumps(hand)
    if kind == "journey":
        return _journey(hand, chosen)
    cell = parse_cell(chosen[0])
    hand.point_at(cell)
    if hand.route is None:
        hand.tell(say("reckoning"))
    route, name = hand.granted(hand.route), hand.battlemap.name_of(cell)
    if route is None:
        return None
    pages: dict[str, Callable[[Hand, Route, list[str]], Page | None]] = {"stunt": _stunt, "then": _then, "dc": _checks}
    page = pages[kind](hand, route, chosen)
    return page if page is None else (page[0].format(cell=name), *page[1:])


# -- moves ------------------------------------------------------------------------------------------------------------


def _under(hand: Hand, route: Route, turn: TurnState) -> Declared | Refusal:
    """The way of this turn as a move in a turn where more has been declared."""
    assert hand.selected is not None
    return declare_route(hand.session.position.query(hand.selected).changed(turn=turn), route)


def _stunt(hand: Hand, route: Route, chosen: list[str]) -> Page | None:
    if len(chosen) > 1:
        hand.take(route, stunt=int(chosen[1]))
        return None
    query = hand.about.query
    rows = []
    for harder in range(1, HARDER + 1):
        turn = with_stunt(query.ruleset, query.stats, query.turn, query.options, harder)
        move = turn if isinstance(turn, Refusal) else _under(hand, route, turn)
        told = (move.text, "") if isinstance(move, Refusal) else _told(move.checks)
        rows.append((f"+{harder}   {told[0]}", told[1], f"stunt:{chosen[0]}:{harder}"))
    return say("stunt"), say("stunt.hint"), tuple(rows)


def _told(checks: tuple[Check, ...]) -> tuple[str, str]:
    """What is special about the rolls of a move, and what they are against with what chance."""
    notes = "; ".join(dict.fromkeys(check.note for check in checks if check.note))
    return notes, ", ".join(_against(check) for check in checks)


def _against(check: Check) -> str:
    number = "?" if check.number is None else check.number
    words = say("check.under" if check.under else "check.over", dice=check.dice or check.skill, number=number)
    chance = chance_words(check)
    return f"{words}: {chance}" if chance else words


def _skills(hand: Hand, route: Route) -> tuple[str, ...]:
    """The stats of the mover that a second skill can be."""
    query = hand.about.query
    names = [one.name for one in fields(query.stats)] if is_dataclass(query.stats) else []
    tried = {name: _second(hand, name, 1) for name in names if isinstance(getattr(query.stats, name), str)}
    return tuple(name for name, made in tried.items() if not isinstance(made, Refusal))


def _second(hand: Hand, skill: str, number: int) -> tuple[TurnState, Check] | Refusal:
    query = hand.about.query
    return with_second(query.ruleset, query.stats, query.turn, query.options, "", skill, number)


def _then(hand: Hand, route: Route, chosen: list[str]) -> Page | None:
    if len(chosen) == 1:
        rows = []
        for skill in _skills(hand, route):
            made = _second(hand, skill, 1)
            assert not isinstance(made, Refusal)
            rows.append((skill.replace("_", " "), made[1].dice, f"then:{chosen[0]}:{skill}"))
        return say("then"), say("then.hint"), tuple(rows)
    if "=" in chosen[1]:
        hand.take(route, then=chosen[1])
        return None
    made = _second(hand, chosen[1], 1)
    assert not isinstance(made, Refusal)
    rows = [(str(n), _against(replace(made[1], number=n)), f"then:{chosen[0]}:{chosen[1]}={n}") for n in NUMBERS]
    return say("then"), say("number.hint", skill=made[1].skill), tuple(rows)


def _able(hand: Hand, route: Route) -> tuple[str, ...]:
    """How one goes on each stretch of this turn's way that a check may be asked for."""
    holds = hand.about.profile.holds
    return () if holds is None else able_ways(route.turns[0].steps, holds)


def _checks(hand: Hand, route: Route, chosen: list[str]) -> Page | None:
    ways, holds = _able(hand, route), hand.about.profile.holds
    given = chosen[1].split(",") if len(chosen) > 1 else []
    if len(given) == len(ways):
        hand.take(route, dcs=tuple(None if one == "none" else int(one) for one in given))
        return None
    way = ways[len(given)]
    rows = [(say("dc.none"), "", f"dc:{chosen[0]}:{','.join((*given, 'none'))}")]
    rows += [(str(n), _against(holds.check(way, n)), f"dc:{chosen[0]}:{','.join((*given, str(n)))}") for n in NUMBERS]
    return say("dc"), say("dc.hint", way=way, n=len(given) + 1, all=len(ways)), tuple(rows)


# -- jumps that lead to no cell ---------------------------------------------------------------------------------------


def _tries(hand: Hand) -> Iterator[tuple[str, Fraction, Asked]]:
    query = hand.about.query
    step = step_of(query.options, query.battlemap.cell)
    by = HALF if query.battlemap.unit == "m" else Fraction(1)
    for kind in askable(query.profile):
        for found in tries(query.profile, kind, by, step):
            yield kind, found[1].rise or found[1].length, found


def _jumps(hand: Hand) -> Rows:
    unit = hand.battlemap.unit
    rows = []
    for kind, far, (_, _, flight) in _tries(hand):
        words = say(f"jumps.{kind}", length=spoken(far), unit=unit)
        odds = say("jumps.sure") if flight.check is None else _against(flight.check)
        rows.append((words, f"{odds}   {spoken(flight.cost)} {hand.about.unit}", f"jumps:{kind}:{far}"))
    return tuple(rows) or ((say("jumps.none"), "", ""),)


def _jump(hand: Hand, kind: str, length: str) -> None:
    """Make a jump: it is paid, its die is thrown, and what comes of it is told."""
    assert hand.selected is not None
    mover = hand.selected
    _, approach, flight = next(one for k, far, one in _tries(hand) if (k, far) == (kind, Fraction(length)))
    words = say(f"jumps.{kind}", length=spoken(Fraction(length)), unit=hand.battlemap.unit)
    if hand.granted(hand.table.do(Spend(mover, flight.cost, words))) is None:
        return
    check, totals = flight.check, list[int]()
    if check is not None:
        totals.append(_thrown(hand, Roll(mover, check.dice, f"{words}, {_against(check)}")))
        follows = check.after((check.margin(totals[0]) or 0) > 0)
        if follows is not None:
            totals.append(_thrown(hand, Roll(mover, follows.dice, follows.skill)))
    attempt = hand.about.profile.jump.attempt
    leap = None if attempt is None else attempt(approach, totals)
    if leap is None or isinstance(leap, Refusal):
        hand.tell(words)
        return
    how = [words] if check is None else [words, f"{_against(check)}: {totals[0]}"]
    how += [say(f"leap.{leap.result}")]
    how += [recovery_words(leap.recovery, leap.no_action, leap.stunned)] if leap.recovery else []
    hand.tell("; ".join(how), warn=leap.result in ("fail", "impossible"))


def _thrown(hand: Hand, roll: Roll) -> int:
    done = hand.table.do(roll)
    assert not isinstance(done, Refusal), done.text
    return next(event.total for event in done if isinstance(event, Rolled) and event.total is not None)


# -- journeys ---------------------------------------------------------------------------------------------------------


def _journey(hand: Hand, chosen: list[str]) -> Page | None:
    query = hand.about.query
    efforts = query.ruleset.efforts(query.stats, query.options)
    title = say("journey", name=hand.table.mover(query.mover.id).label)
    if not chosen:
        rows = [(f"{one.title}{interval(one)}", f"{spoken(one.speed)} m/s", f"journey:{one.name}") for one in efforts]
        return title, say("journey.hint"), tuple(rows)
    effort = find(efforts, chosen[0])
    if len(chosen) == 1:
        rows = []
        for seconds in TIMES:
            found = hand.granted(plan(effort, seconds=seconds))
            if found is None:
                return None
            short = found.short or found.chance is None
            odds = say("journey.short") if found.short else "" if short else percent(found.chance or Fraction(0))
            far = f"{clock(seconds)}   {distance(found.metres)}"
            rows.append((far, f"{counted(len(found.rolls), 'roll')}   {odds}", f"journey:{effort.name}:{seconds}"))
        return f"{title}: {effort.title}", say("journey.time"), tuple(rows)
    seconds = Fraction(chosen[1])
    if len(chosen) == 2:
        found = hand.granted(plan(effort, seconds=seconds))
        assert found is not None
        lines: list[tuple[str, str, str]] = [(words.strip(), "", "") for words in plan_words(found)]
        lines.append((say("journey.throw"), "", f"journey:{effort.name}:{seconds}:throw"))
        return f"{title}: {effort.title}", clock(seconds), tuple(lines)
    played = hand.granted(undertake(effort, Dice(hand.table.dice), seconds=seconds))
    if played is None:
        return None
    return f"{title}: {effort.title}", clock(seconds), tuple((line.strip(), "", "") for line in played_words(played))
