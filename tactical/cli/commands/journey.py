"""`tactical journey`: sprints, runs and marches that last, planned beforehand or played with dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import print_json, refuse
from tactical.cli.inputs import pairs
from tactical.cli.rolls import ground_of, percent
from tactical.errors import Refusal
from tactical.units import exact, gait_name, plain, spoken, wire

if TYPE_CHECKING:
    from tactical.options import Options
    from tactical.play.journey import Due, Event, Journey, Plan
    from tactical.rules.checks import Demand
    from tactical.rules.efforts import Effort, Setback, Trial
    from tactical.rules.ruleset import Ruleset

HOUR, MINUTE, KILOMETRE = 3600, 60, 1000


@click.command()
@click.option("--rules", required=True, metavar="NAME", help="Rule system.")
@click.option("--stat", "stats", multiple=True, metavar="NAME=VALUE", help="A stat of the mover.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A ruling.")
@click.option("--gait", metavar="NAME", help="The gait kept up, e.g. march; without it they are listed.")
@click.option("--hours", metavar="N", help="How long, in hours.")
@click.option("--minutes", metavar="N", help="How long, in minutes.")
@click.option("--metres", metavar="N", help="How far, in metres.")
@click.option("--km", metavar="N", help="How far, in kilometres.")
@click.option("--number", "numbers", multiple=True, metavar="LEVEL=N", help="The game master's number of a level.")
@click.option("--fact", "facts", multiple=True, metavar="NAME=VALUE", help="A fact of the country, e.g. level=D.")
@click.option("--harder", type=int, default=0, show_default=True, help="Levels that hard country adds.")
@click.option("--roll", "rolls", multiple=True, type=int, metavar="N", help="Play it with these totals, in order.")
@click.option("--seed", type=int, metavar="S", help="Play it with dice from this seed.")
@click.option("--persist", is_flag=True, help="Rest after a setback and go on.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def journey(
    rules: str,
    stats: tuple[str, ...],
    options: tuple[str, ...],
    gait: str | None,
    hours: str | None,
    minutes: str | None,
    metres: str | None,
    km: str | None,
    numbers: tuple[str, ...],
    facts: tuple[str, ...],
    harder: int,
    rolls: tuple[int, ...],
    seed: int | None,
    persist: bool,
    as_json: bool,
) -> None:
    """Say how far one gets at a gait, which rolls fall due, and the chance to get through.

    With --roll or --seed it is played: what happens when.  Exits with 1 and the reason if the rules do not cover it.
    """
    from tactical.play import journey as long
    from tactical.rules.ruleset import get_ruleset
    from tactical.show.journeys import interval, plan_words, played_words

    ruleset = get_ruleset(rules)
    chosen = ruleset.options_with(pairs(options, "--option"))
    read = ruleset.read_stats(pairs(stats, "--stat"))
    heading: dict[str, object] = {"rules": rules, "options": chosen.wire()}
    no = partial(refuse, "journey", heading, as_json=as_json)

    def tell(found: dict[str, object], words: Sequence[str]) -> None:
        if as_json:
            print_json("journey", **heading, **found)
        else:
            click.echo("\n".join(words))

    if ruleset.efforts is None:
        no(Refusal("rules.not_covered", {"why": f"long journeys in {ruleset.title}"}))
    known = ruleset.efforts(read, chosen, **_game_master(ruleset.efforts, numbers, harder))
    if gait is None:
        listed = [{"name": one.name, "title": one.title, "speed": wire(one.speed)} for one in known]
        speeds = (f"{one.title}, {spoken(one.speed * HOUR / KILOMETRE)} km/h{interval(one)}" for one in known)
        words = [f"{one.name:<14}{speed}" for one, speed in zip(known, speeds, strict=True)]
        return tell({"gaits": listed}, words)
    effort = long.find(known, gait_name(gait))
    seconds, way = _wanted(hours, minutes, metres, km)
    ground = _ground(ruleset, read, chosen, effort, facts)
    if rolls or seed is not None:
        roller = long.Dice(seed) if seed is not None else long.Totals(rolls)
        try:
            played = long.undertake(effort, roller, seconds=seconds, metres=way, ground=ground, persist=persist)
        except ValueError as error:
            raise click.UsageError(f"--roll: {error}") from error
        if isinstance(played, Refusal):
            no(played)
        _possible(played)
        return tell({"gait": effort.name, "played": _wire_journey(played)}, played_words(played))
    plan = long.plan(effort, seconds=seconds, metres=way, ground=ground)
    if isinstance(plan, Refusal):
        no(plan)
    return tell({"gait": effort.name, "plan": _wire_plan(plan)}, plan_words(plan, percent))


def _possible(played: Journey) -> None:
    """Raise `click.UsageError` for a total that the dice of its roll cannot show."""
    from tactical.play import journey as long

    for event in played.events:
        if not isinstance(event, (long.Rolled, long.GroundRolled)):
            continue
        total, trial = event.total, event.trial
        if total is not None and not trial.can_show(total):
            raise click.UsageError(f"--roll: no {trial.dice} can show {total} ({trial.skill})")


def _ground(ruleset: Ruleset, stats: Any, options: Options, effort: Effort, facts: tuple[str, ...]) -> Demand | None:
    """What the country itself asks for on a march (REUP-45); None where nothing is said about it."""
    from tactical.rules.turnstate import TurnState

    if not facts:
        return None
    profile = ruleset.profile(stats, TurnState(), options, ruleset.postures[0])
    if not effort.ground_rolls or profile.demand is None:
        raise click.UsageError(f"--fact means nothing to {effort.name}")
    return profile.demand(effort.ground_gait, (ground_of(options, facts),))


def _game_master(efforts: Any, numbers: tuple[str, ...], harder: int) -> dict[str, Any]:
    """What the game master adds, for the rule systems that take it."""
    import inspect

    given = {"numbers": {level: int(exact(value)) for level, value in pairs(numbers, "--number").items()}}
    more: dict[str, Any] = {**(given if numbers else {}), **({"harder": harder} if harder else {})}
    takes = inspect.signature(efforts).parameters
    for name in more:
        if name not in takes:
            raise click.UsageError(f"--{name.removesuffix('s')} means nothing to these rules")
    return more


def _wanted(
    hours: str | None, minutes: str | None, metres: str | None, km: str | None
) -> tuple[Fraction | None, Fraction | None]:
    given = {"--hours": hours, "--minutes": minutes, "--metres": metres, "--km": km}
    named = {name: value for name, value in given.items() if value is not None}
    if len(named) != 1:
        raise click.UsageError("say how long or how far: one of --hours, --minutes, --metres, --km")
    name, value = next(iter(named.items()))
    try:
        amount = exact(value)
    except ValueError as error:
        raise click.UsageError(f"{name}: {error}") from error
    if amount < 0:
        raise click.UsageError(f"{name}: {value} is less than nothing")
    if name in ("--hours", "--minutes"):
        return amount * (HOUR if name == "--hours" else MINUTE), None
    return None, amount * (KILOMETRE if name == "--km" else 1)


def _wire_trial(trial: Trial) -> dict[str, object]:
    return {
        "skill": trial.skill, "number": trial.number, "dice": trial.dice, "level": trial.level, "under": trial.under,
        "clause": trial.source.clause,
    }  # fmt: skip


def _wire_due(due: Due) -> dict[str, object]:
    return {
        "at": wire(due.at), "metres": wire(due.metres), "n": due.n, "trial": _wire_trial(due.trial),
        "chance": plain(due.chance), "through": plain(due.through),
    }  # fmt: skip


def _wire_plan(plan: Plan) -> dict[str, object]:
    return {
        "ground": [_wire_trial(trial) for trial in plan.ground], "ground_times": plan.ground_times,
        "ground_chance": plain(plan.ground_chance),
        "seconds": wire(plan.seconds), "metres": wire(plan.metres), "rolls": [_wire_due(due) for due in plan.rolls],
        "chance": plain(plan.chance), "short": plan.short, "sleep": wire(plan.sleep), "missing": list(plan.missing),
    }  # fmt: skip


def _wire_setback(setback: Setback) -> dict[str, object]:
    repair = {} if setback.repair is None else {"repair": _wire_trial(setback.repair)}
    return {"kind": setback.kind, "seconds": plain(setback.seconds), **repair}


def _wire_event(event: Event) -> dict[str, object]:
    out: dict[str, object] = {"event": type(event).__name__.lower()}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name == "trial":
            out["trial"] = _wire_trial(value)
        elif field.name == "setback":
            out["setback"] = {**_wire_setback(value), "clause": value.source.clause}
        else:
            out[field.name] = plain(value)
    return out


def _wire_journey(played: Journey) -> dict[str, object]:
    return {
        "arrived": played.arrived, "seconds": wire(played.seconds), "metres": wire(played.metres),
        "owed": None if played.owed is None else _wire_setback(played.owed),
        "sleep": wire(played.sleep), "events": [_wire_event(event) for event in played.events],
    }  # fmt: skip


COMMANDS = (journey,)
