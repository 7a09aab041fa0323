"""`tactical odds`: exact chances of rolls, jumps, efforts and whole moves, without a map."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import click

from tactical.cli.answers import print_json, refuse
from tactical.cli.inputs import known_speed, pairs, refuse_idle
from tactical.cli.rolls import ground_of, percent
from tactical.errors import Refusal, counted
from tactical.options import Options
from tactical.registry import RULESETS
from tactical.rules.checks import Check
from tactical.rules.profile import Approach, JumpLimits, Leap, Profile
from tactical.rules.ruleset import Ruleset, get_ruleset, with_stunt
from tactical.rules.turnstate import TurnState
from tactical.units import exact, gait_name, plain, spoken, wire
from tactical.world.terrain import Terrain

JUMPS = ("standing", "running", "high", "backward")


@dataclass(frozen=True)
class Asked:
    """A mover under its rules, for questions about odds."""

    ruleset: Ruleset
    stats: Any
    options: Options
    turn: TurnState

    @property
    def profile(self) -> Profile:
        """What it may do this turn."""
        return self.ruleset.profile(self.stats, self.turn, self.options, self.ruleset.postures[0])


Answer = tuple[dict[str, object], list[str]]


@click.command()
@click.option("--rules", metavar="NAME", help="Rule system.")
@click.option("--stat", "stats", multiple=True, metavar="NAME=VALUE", help="A stat of the mover.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A ruling.")
@click.option("--previous-speed", metavar="SPEED", help="Speed of the last round.")
@click.option("--gait", metavar="NAME", help="The gait.")
@click.option("--fact", "facts", multiple=True, metavar="NAME=VALUE", help="A fact of the ground, e.g. level=D.")
@click.option("--metres", metavar="N", help="Length of the move; by default all that the gait allows.")
@click.option("--rounds", type=click.IntRange(min=1), metavar="N", help="Rounds the gait is kept up.")
@click.option("--jump", metavar="N", help="A jump over a gap of this width.")
@click.option("--kind", type=click.Choice(JUMPS), help="The kind of jump; by default the best.")
@click.option("--run-up", default="0", metavar="N", help="What was run directly before the jump.")
@click.option("--rise", default="0", metavar="N", help="How much higher the landing is.")
@click.option("--roll", "rolls", type=int, multiple=True, metavar="N", help="What comes of a jump with these totals.")
@click.option("--stunt", type=click.IntRange(min=0), metavar="N", help="A stunt on the move: so much harder.")
@click.option("--ram", is_flag=True, help="The move ends in ramming somebody.")
@click.option("--dc", type=int, metavar="N", help="A check on a climbed stretch against this number.")
@click.option("--dice", metavar="CODE", help="No rules, just dice: 4D+1, d20+3 or d100 …")
@click.option("--number", type=int, metavar="N", help="… against this number.")
@click.option("--under", is_flag=True, help="The total must be the number or less.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def odds(ctx: click.Context, /, as_json: bool, **given: Any) -> None:
    """Say how likely something is, exactly.

    A move over one kind of ground (--gait, --fact), a jump (--jump), a gait kept up (--gait, --rounds), a check on a
    stretch (--dc), or just dice (--dice, --number).  Exits with 1 and the reason if the rules do not cover it.
    """
    heading: dict[str, object] = {}
    refuse_idle(ctx, set(given) - _taken(given), f"says nothing about {_about(given)}")
    if given["dice"] is not None:
        found: Answer | Refusal = _dice(given)
    else:
        if not given["rules"]:
            raise click.UsageError("say by which rules: --rules NAME, or just dice: --dice CODE --number N")
        ruleset = get_ruleset(given["rules"])
        turn = TurnState(previous=known_speed(given["previous_speed"], ruleset))
        chosen = ruleset.options_with(pairs(given["options"], "--option"))
        asked = Asked(ruleset, ruleset.read_stats(pairs(given["stats"], "--stat")), chosen, turn)
        heading = {"rules": ruleset.name, "options": chosen.wire()}
        found = _which(given)(asked, given)
    if isinstance(found, Refusal):
        refuse("odds", heading, found, as_json=as_json)
    if as_json:
        print_json("odds", **heading, **found[0])
    else:
        click.echo("\n".join(found[1]))


COMMON = frozenset({"rules", "stats", "options", "previous_speed"})
TAKEN: dict[str, tuple[frozenset[str], str]] = {
    # the option that makes the question -> what that question takes, and its name
    "dice": (frozenset({"dice", "number", "under", "options"}), "just dice"),
    "jump": (COMMON | {"jump", "run_up", "rise", "gait", "facts", "kind", "rolls"}, "a jump"),
    "dc": (COMMON | {"dc"}, "a check on a stretch"),
    "rounds": (COMMON | {"gait", "rounds", "facts", "metres"}, "a gait kept up"),
    "gait": (COMMON | {"gait", "facts", "metres", "ram", "stunt"}, "a move"),
}


def _question(given: dict[str, Any]) -> str:
    return next((name for name in TAKEN if given[name] is not None), "gait")


def _taken(given: dict[str, Any]) -> frozenset[str]:
    return TAKEN[_question(given)][0]


def _about(given: dict[str, Any]) -> str:
    return TAKEN[_question(given)][1]


def _which(given: dict[str, Any]) -> Callable[[Asked, dict[str, Any]], Answer | Refusal]:
    if given["jump"] is not None:
        return _jump
    if given["dc"] is not None:
        return _stretch
    if given["gait"] is None:
        raise click.UsageError("say what: --gait NAME, --jump N, --dc N or --dice CODE")
    return _effort if given["rounds"] is not None else _move


def _number(given: dict[str, Any], name: str) -> Fraction:
    try:
        return exact(given[name])
    except ValueError as error:
        raise click.UsageError(f"--{name.replace('_', '-')}: {error}") from error


def _dice(given: dict[str, Any]) -> Answer | Refusal:
    from tactical.rules.dice import chance_of

    if given["number"] is None:
        raise click.UsageError("--dice needs the number to meet: --number N")
    chosen = pairs(given["options"], "--option")
    options = (option for _, system in RULESETS for option in system.options)
    wilds = sorted({option.name for option in options if option.decides == "wild"})
    idle = next((name for name in chosen if name not in wilds), None)
    if idle is not None:
        raise click.UsageError(f"--option {idle} says nothing about just dice ({', '.join(wilds)} does)")
    wild = any(value in ("on", "true", "yes") for value in chosen.values())
    try:
        part = chance_of(given["dice"], given["number"], under=given["under"], wild=wild)
    except ValueError as error:
        raise click.UsageError(f"--dice: {error}") from error
    what = f"{given['dice']} {'at most' if given['under'] else 'at least'} {given['number']}"
    return {"dice": given["dice"], "number": given["number"], "chance": wire(part)}, [f"{what}: {percent(part)}"]


def _declared(asked: Asked, given: dict[str, Any]) -> Asked | Refusal:
    """The same with the stunt or ram of the move declared."""
    turn: TurnState | Refusal = asked.turn
    if given["stunt"] is not None:
        turn = with_stunt(asked.ruleset, asked.stats, asked.turn, asked.options, given["stunt"])
    if given["ram"] and not isinstance(turn, Refusal):
        if asked.ruleset.ramming is None:
            return Refusal("rules.not_covered", {"why": f"ramming under {asked.ruleset.title}"})
        turn = asked.ruleset.ramming(asked.stats, turn, asked.options, "somebody")
    return turn if isinstance(turn, Refusal) else replace(asked, turn=turn)


def _move(asked: Asked, given: dict[str, Any]) -> Answer | Refusal:
    from tactical.errors import UnknownName

    declared = _declared(asked, given)
    if isinstance(declared, Refusal):
        return declared
    asked, profile = declared, declared.profile
    named = {gait.name: gait for gait in profile.gaits}
    name = gait_name(given["gait"])
    if name not in named:
        raise UnknownName("gait", name, named)
    gait = named[name]
    if gait.refused is not None:
        return gait.refused
    if asked.ruleset.odds is None:
        return _effort(asked, {**given, "rounds": 1})
    ground = ground_of(asked.options, given["facts"])
    metres = gait.budget if given["metres"] is None else _number(given, "metres")
    found = asked.ruleset.odds(asked.stats, asked.turn, asked.options, name, metres, (ground,))
    if isinstance(found, Refusal):
        return found
    good: Fraction = sum((part for outcome, part in found if not outcome.failed), Fraction(0))
    rows = [{"chance": wire(part), "outcome": plain(outcome)} for outcome, part in found]
    lines = [f"{gait.title or name}, {counted(spoken(metres), profile.unit)}: {percent(good)}"]
    for outcome, part in found:
        far = "for the game master to say" if outcome.moved is None else counted(spoken(outcome.moved), profile.unit)
        lines.append(f"  {percent(part):>7}  {outcome.result.replace('_', ' ')}, {far}")
    told: dict[str, object] = {"gait": name, "metres": wire(metres), "chance": wire(good), "outcomes": rows}
    if given["ram"] and asked.ruleset.ram is not None:
        hit = asked.ruleset.ram(asked.stats, asked.turn, asked.options, name, (ground,), None)
        if isinstance(hit, Refusal):
            return hit
        told["ram"] = plain(hit.chances)
        lines.append("ram: " + ", ".join(f"{word} {percent(part)}" for word, part in hit.chances.items()))
    return told, lines


def _effort(asked: Asked, given: dict[str, Any]) -> Answer | Refusal:
    from tactical.movement.rolls.odds import kept_up

    name, rounds = gait_name(given["gait"]), given["rounds"]
    title = next((gait.title for gait in asked.profile.gaits if gait.name == name and gait.title), name)
    idle = [flag for flag, key in (("--fact", "facts"), ("--metres", "metres")) if given[key]]
    if idle and asked.ruleset.odds is None:
        raise click.UsageError(f"{idle[0]} says nothing about a move under {asked.ruleset.name}")
    metres = None if given["metres"] is None else _number(given, "metres")
    grounds = () if asked.ruleset.odds is None else (ground_of(asked.options, given["facts"]),)
    found = kept_up(asked.ruleset, asked.stats, asked.options, asked.turn, name, rounds, metres, grounds)
    if isinstance(found, Refusal):
        return found
    rows, lines = [], []
    for before, check in found.tests:
        part = check.chance()
        row = {"before_round": before, "skill": check.skill, "dice": check.dice, "number": check.number}
        rows.append({**row, "chance": plain(part)})
        odd = "" if part is None else f", {percent(part)}"
        against = f"{'at most' if check.under else 'at least'} {check.number}"
        lines.append(f"  before round {before}: {check.skill} {against}{odd}")
    ends = "not known" if found.chance is None else percent(found.chance)
    lines.insert(0, f"{title} for {counted(rounds, 'round')}: {ends}")
    return {"gait": name, "rounds": rounds, "tests": rows, "chance": plain(found.chance)}, lines


def _jump(asked: Asked, given: dict[str, Any]) -> Answer | Refusal:
    from tactical.movement.rolls.leaps import asked_for, step_of

    profile = asked.profile
    if profile.jump is None:
        return Refusal("rules.not_covered", {"why": "jumping without the stats it needs"})
    length, run_up, rise = (_number(given, name) for name in ("jump", "run_up", "rise"))
    kind, ground = given["kind"] or "", _landing(asked, profile.jump, given, high=not length)
    if kind and kind not in profile.jump.kinds:
        return Refusal("rules.not_covered", {"why": f"a {kind} jump under {asked.ruleset.title}"})
    wanted = Approach("", length, run_up, rise, ground, ground, kind)
    own = "" if given["gait"] is None else gait_name(given["gait"])
    found = asked_for(profile, wanted, step_of(asked.options, asked.ruleset.cell), own)
    if isinstance(found, Refusal):
        return found
    (name, approach, flight), high = found, profile.jump.high
    part = flight.chance
    check = None if flight.check is None else {"skill": flight.check.skill, "number": flight.check.number}
    facts: dict[str, object] = {"gait": name, "jump": flight.kind, "chance": wire(part), "cost": wire(flight.cost)}
    facts["check"] = check
    if flight.number is not None:
        facts["number"] = wire(flight.number)
    if high is not None and flight.kind == "high":
        longest = profile.jump.highest(approach.run_up)
        facts["longest"] = wire(longest)
        facts["reach"] = None if high.reach is None else wire(longest + high.reach)
    words = f"{flight.kind or 'long'} jump of {spoken(length or rise)}: {percent(part)}"
    lines = [words + ("" if flight.check is None else f" ({flight.check.note})")]
    if given["rolls"] or flight.check is None:
        leap = _leap(profile.jump, approach, flight.check, given["rolls"])
        if isinstance(leap, Refusal):
            return leap
        facts["leap"] = plain(leap)
        after = f", {counted(spoken(leap.recovery), 'turn')} of recovery" if leap.recovery else ""
        lines += [f"  {leap.result}{after}"] if given["rolls"] else []
    return facts, lines


def _leap(jump: JumpLimits, approach: Approach, check: Check | None, rolls: tuple[int, ...]) -> Leap | Refusal:
    """What the totals make of a jump."""
    if len(rolls) > (0 if check is None else 1 + bool(check.follows)):
        raise click.UsageError("--roll: more totals than this jump rolls for")
    if check is not None and rolls and not check.can_show(rolls[0]):
        raise click.UsageError(f"--roll: {rolls[0]} cannot come of {check.dice}")
    if jump.attempt is None:
        return Leap("auto", approach.length)
    return jump.attempt(approach, rolls)


def _landing(asked: Asked, jump: JumpLimits, given: dict[str, Any], *, high: bool) -> Terrain:
    """The ground at both ends of a jump.  Raises `click.UsageError` for what says nothing about one."""
    idle = next((name for name in pairs(given["facts"], "--fact") if name not in jump.facts), None)
    if idle is not None:
        raise click.UsageError(f"--fact {idle} says nothing about a jump under {asked.ruleset.name}")
    if given["kind"] == "high" and not high:
        raise click.UsageError("--kind high goes straight up: --jump 0 --rise N")
    return ground_of(asked.options, given["facts"])


def _stretch(asked: Asked, given: dict[str, Any]) -> Answer | Refusal:
    holds = asked.profile.holds
    if holds is None:
        return Refusal("rules.not_covered", {"why": "checks for climbing, swimming or crawling"})
    check = holds.check("climb", given["dc"])
    part = check.chance()
    words = "not known" if part is None else percent(part)
    return {"number": check.number, "dice": check.dice, "chance": plain(part)}, [
        f"{check.skill} {check.dice} at least {check.number}: {words}"
    ]


COMMANDS = (odds,)
