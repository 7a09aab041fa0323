"""`tactical path`: the cheapest way to a cell, what it costs and risks, or why not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import NO, print_json, refuse, say, wire_value
from tactical.cli.inputs import Stated, known_posture, mover_options, read_options, stated
from tactical.cli.rolls import (
    check_words,
    declared,
    odds_words,
    resolved,
    resolved_words,
    terms_of,
    terms_options,
    wire_resolved,
)
from tactical.errors import Refusal, counted
from tactical.units import MOST_TURNS, spoken, spoken_rest

if TYPE_CHECKING:
    from tactical.movement.declare import Declared
    from tactical.movement.reach import Reach
    from tactical.movement.route import Route
    from tactical.rules.profile import Attacked
    from tactical.units import Cell

ACTION_WORDS = {
    "action": "takes the action",
    "bonus": "takes the bonus action",
    "action+bonus": "takes the action and the bonus action",
    "exclusive": "nothing else can be done",
}


@click.command()
@read_options
@mover_options
@click.option("--to", "goal", required=True, metavar="CELL", help="Where to.")
@click.option("--via", multiple=True, metavar="CELL", help="A cell to pass on the way; may be given several times.")
@click.option("--arrive", metavar="POSTURE", help="Posture to arrive in.")
@click.option("--why", is_flag=True, help="Print the ledger: every leg with its price, sum and clause.")
@click.option("--odds", is_flag=True, help="The chance that nothing fails, and where the move may end.")
@terms_options
@click.option("--roll", "rolls", multiple=True, type=int, metavar="N", help="What comes of it with these totals.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def path(
    ctx: click.Context,
    /,
    source: str,
    goal: str,
    via: tuple[str, ...],
    arrive: str | None,
    why: bool,
    odds: bool,
    dcs: tuple[str, ...],
    stunt: int | None,
    numbers: tuple[int, ...],
    rolls: tuple[int, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Show the cheapest way to a cell, or why not.

    --dc and --number are the game master's numbers for the rolls of this turn.  Exits with 1 and the reason if there is
    no way.
    """
    moment = stated(source, **given)
    to = moment.cell(goal)
    through = [moment.cell(one) for one in via]
    found = moment.reach()
    from tactical.movement.reach import with_stunt

    harder = with_stunt(found, stunt)
    if isinstance(harder, Refusal):
        refuse("path", _heading(source, moment, found), harder, moment.battlemap, as_json=as_json)
    found = harder
    if arrive:
        known_posture(arrive, found.profile.postures, found.ruleset)
    route = found.route(to, via=through, arrive=arrive)
    terms = terms_of(found, numbers, dcs)
    move = declared(found, route, terms) if route and (odds or rolls or dcs or numbers) else None
    if route and move:
        route = route.with_checks(move.checks)
    later = None if route or not why else in_more_turns(moment, to, through, arrive)
    if as_json:
        answer = wire_value(route, moment.battlemap) if route else {"refusal": wire_value(route, moment.battlemap)}
        if route:
            answer |= _rolled(found, route, move, odds, rolls, bool(dcs or numbers))
        elif later:
            answer["later"] = {"turns": later[1].turn, "route": wire_value(later[1], moment.battlemap)}
        print_json("path", **{**_heading(source, moment, found), "to": moment.battlemap.name_of(to), **answer})
    if not route:
        say(f"no: {route.text}")
        if later and not as_json:
            say(f"in {later[1].turn} turns there is a way (try --turns {later[1].turn}):")
            say(words(*later))
            say(ledger(*later))
        ctx.exit(NO)
    if not as_json:
        # all of it before the first word: what cannot be answered prints no half an answer
        lines = [words(found, route), *([ledger(found, route)] if why else [])]
        click.echo("\n".join([*lines, *_roll_words(found, route, move, odds, rolls, bool(dcs or numbers))]))


def in_more_turns(moment: Stated, to: Cell, via: list[Cell], arrive: str | None) -> tuple[Reach, Route] | None:
    """The cheapest way to a cell beyond the turns asked for, and the reach it is of; None where no turn gets there."""
    turns = moment.turns
    while turns < MOST_TURNS:
        turns = min(2 * turns, MOST_TURNS)
        found = moment.reach(turns=turns)
        route = found.route(to, via=via, arrive=arrive)
        if route:
            return found, route
        if len({band.turn for band in found.bands}) < turns:
            # the search ended by itself: later turns find nothing new
            return None
    return None


def _rolled(
    found: Reach, route: Route, move: Declared | Refusal | None, odds: bool, rolls: tuple[int, ...], given: bool
) -> dict[str, object]:
    """What is asked about dice: the chances of the way, and what comes of its first turn with the totals given."""
    if isinstance(move, Refusal):
        return {"odds": {"refusal": wire_value(move, found.battlemap)}}
    out: dict[str, object] = {}
    if odds and move:
        from tactical.wire.views import weighed_way

        out["odds"] = weighed_way(found, move, route, partial(wire_value, battlemap=found.battlemap), given)
    if rolls and move:
        done = resolved(move, rolls)
        words = {"refusal": wire_value(done, found.battlemap)} if isinstance(done, Refusal) else wire_resolved(done)
        out["resolved"] = words
    return out


def _roll_words(
    found: Reach, route: Route, move: Declared | Refusal | None, odds: bool, rolls: tuple[int, ...], given: bool
) -> list[str]:
    if isinstance(move, Refusal):
        return [f"odds: {move.text}"]
    lines = odds_words(found, move, route, given) if odds and move else []
    if rolls and move:
        done = resolved(move, rolls)
        lines.append(done.text if isinstance(done, Refusal) else resolved_words(done))
    return lines


def _heading(source: str, moment: Stated, found: Reach) -> dict[str, object]:
    return {
        "map": source,
        "mover": found.mover.id,
        "rules": found.ruleset,
        "options": found.options.wire(),
        "unit": found.unit,
        "start": moment.battlemap.name_of(found.start.cell),
    }


def words(found: Reach, route: Route) -> str:
    """The route in a few lines: the cells, the price, and what it risks."""
    name = found.battlemap.name_of
    titles = {band.name: band.title for band in found.bands}
    titled = titles.get(route.band, route.band)
    if route.turn == 1 and route.steps:
        # who names a gait that actions buy goes as far as it can without them
        made = (one for one in found.profile.gaits if one.name == route.rounds[0].gait)
        titled = next((gait.title or gait.name for gait in made), titled)
    action = route.action
    takes = "" if action in ("", "free") else f", {ACTION_WORDS.get(action, f'takes {action}')}"
    word = found.query.ruleset.turn_word
    takes += f" this {word}" if takes and route.turn > 1 else ""
    # where there is but one posture, as for vehicles, it says nothing
    arriving = f"arriving {route.end.posture}, " if len(found.query.profile.postures) > 1 else ""
    lines = [
        " > ".join(name(cell) for cell in route.cells),
        f"{counted(spoken(route.cost), route.unit)}, {titled}{takes}, "
        f"{arriving}{counted(spoken_rest(route.remaining, route.spent), route.unit)} left",
    ]
    lines += [f"{one.enemy} may strike as you leave {name(one.cell)}" for one in route.provokes]
    lines += [f"falls on {name(step.end.cell)}: {spoken(step.damage)} damage" for step in route.steps if step.damage]
    if route.attacked:
        lines.append(f"attacks there: {'; '.join(attack_words(one, found.battlemap.unit) for one in route.attacked)}")
    several = route.turn > 1
    rolls = [(turn.number, check) for turn in route.turns for check in turn.checks]
    lines += [f"{word} {number}: {check_words(check)}" if several else check_words(check) for number, check in rolls]
    lines += [f"hazard at {name(cell)}: {hazard}" for hazard, cell in route.hazards]
    return "\n".join([*lines, *route.notes])


def attack_words(attacked: Attacked, unit: str) -> str:
    """What a posture does to attacks: ``ranged from beyond 5 ft -2 (OPR-23)``."""
    beyond = f" from beyond {spoken(attacked.beyond)} {unit}" if attacked.beyond else ""
    number = f" {attacked.modifier:+}" if attacked.modifier else ""
    dice = "" if attacked.advantage == "none" else f" with {attacked.advantage}"
    return f"{attacked.attack}{beyond}{number}{dice} ({attacked.source})"


def ledger(found: Reach, route: Route) -> str:
    """Why it costs this: one line a leg with price, running sum and clause, a mark where a band ends, and the signs."""
    if not route.ledger():
        return f"nothing to pay: {found.mover.label} stands there already"
    rows, marks = [], {}
    titles, word = {band.name: band.title for band in found.bands}, found.query.ruleset.turn_word
    before = None
    for line in route.ledger():
        if before is not None and line.band != before.band:
            there = found.battlemap.name_of(route.steps[before.steps[-1]].end.cell)
            marks[len(rows)] = f"-- {titles.get(before.band, f'this {word}')} ends at {there} --"
        text = f"{word} {line.turn}  {line.text}" if route.turn > 1 else line.text
        rows.append((text, spoken(line.price), spoken(line.sum), line.sources))
        before = line
    width = max(len(row[0]) for row in rows)
    lines = []
    for n, row in enumerate(rows):
        lines += [f"  {marks[n]}"] if n in marks else []
        lines.append(f"  {row[0]:<{width}}  {row[1]:>6}  {row[2]:>6}  {row[3]}".rstrip())
    return "\n".join([*lines, signs(found.ruleset, route)])


def signs(rules: str, route: Route) -> str:
    """What the last column of a ledger means, in one line."""
    from tactical.rules.ruleset import get_ruleset

    sources = [line.source for line in route.ledger()]
    # what a way of another package cites, the rule system cannot explain
    cited, known = (source.clause or source.ruling for source in sources), get_ruleset(rules).clauses
    example = next((one for one in cited if one in known), "")
    star = "* a ruling where the text is silent; " if any(line.rulings for line in route.ledger()) else ""
    return f"({star}`tactical rulesets {rules} {example or 'CLAUSE'}` explains a clause)"


COMMANDS = (path,)
