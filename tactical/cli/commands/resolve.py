"""`tactical resolve`: a declared move and the totals thrown for it become an outcome and an end cell."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import print_json, refuse
from tactical.cli.inputs import mover_options, read_options, refuse_idle, stated
from tactical.cli.rolls import (
    declared,
    in_level,
    ram_words,
    resolved,
    resolved_words,
    second_made,
    terms_of,
    terms_options,
    why_no_second,
    wire_declared,
    wire_ram,
    wire_resolved,
    wire_second,
    with_second,
    wrong_use,
)
from tactical.errors import Refusal

if TYPE_CHECKING:
    from tactical.cli.inputs import Stated
    from tactical.cli.rolls import Second
    from tactical.movement.declare import Declared
    from tactical.movement.reach import Reach
    from tactical.rules.stretches import Terms


@click.command()
@read_options
@mover_options
@click.option("--to", "goal", metavar="CELL", help="Where to, by the cheapest way of the gait.")
@click.option("--path", "cells", metavar="CELLS", help="The way cell by cell instead, e.g. A1,B1,C1.")
@click.option("--via", multiple=True, metavar="CELL", help="A cell to pass on the way; may be given several times.")
@terms_options
@click.option("--roll", "rolls", multiple=True, type=int, metavar="N", help="A total, one for each roll in order.")
@click.option("--ram", metavar="ID", help="Ram this mover at the end of the way, which ends beside it.")
@click.option("--then", metavar="SKILL=N", help="A second skill at the end, a stat with a code, against this number.")
@click.option("--seed", type=int, metavar="S", help="Throw the dice from this seed instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def resolve(
    ctx: click.Context,
    /,
    source: str,
    goal: str | None,
    cells: str | None,
    via: tuple[str, ...],
    dcs: tuple[str, ...],
    stunt: int | None,
    then: str | None,
    numbers: tuple[int, ...],
    rolls: tuple[int, ...],
    ram: str | None,
    seed: int | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Say what becomes of a move with these dice: where it ends, and what it costs.

    A move that needs rolls takes the totals (--roll) or a seed; without them it names the rolls that are needed, as an
    error.  Exits with 1 and the reason if the move is refused.
    """
    from tactical.movement.declare import Declared
    from tactical.play.resolve import ram as hit_of
    from tactical.play.resolve import throw

    if (goal is None) == (cells is None):
        both = "--to and --path both say where to: give one of them"
        neither = "say where to: --to CELL, or the way cell by cell: --path A1,B1,C1"
        raise click.UsageError(neither if goal is None else both)
    if rolls and seed is not None:
        raise click.UsageError("--roll gives the totals and --seed throws them: give one of them")
    if cells is not None:
        refuse_idle(ctx, ("via", "turns"), "says nothing about a way that is given cell by cell")
    moment = stated(source, **given)
    found = moment.reach()
    heading = {"map": source, "mover": found.mover.id, "rules": found.ruleset, "options": found.options.wire()}

    no = partial(refuse, "resolve", heading, on=moment.battlemap, as_json=as_json)
    asked = _asked(found, ram, stunt, then)
    if isinstance(asked, Refusal):
        no(asked)
    found, second = asked
    terms = terms_of(found, numbers, dcs)
    if goal is not None:
        route = found.route(moment.cell(goal), via=[moment.cell(one) for one in via])
        move = route if isinstance(route, Refusal) else declared(found, route, terms)
    else:
        move = _cell_by_cell(moment, found, str(cells), terms)
    refused = move if isinstance(move, Refusal) else _unfit(found, move, ram, second)
    if refused is not None:
        no(refused)
    assert isinstance(move, Declared)
    dice = None if seed is None else Random(seed)
    own, last = (rolls, ()) if second is None else (rolls[:-1], rolls[-1:])
    done = resolved(move, own) if dice is None else throw(move, dice)
    hit = None if ram is None or isinstance(done, Refusal) else hit_of(done)
    if isinstance(done, Refusal):
        no(done)
    if isinstance(hit, Refusal):
        no(hit)
    after = None if second is None else second_made(second, done, last, dice)
    if after is not None and not isinstance(after, Refusal):
        done = replace(done, rolls=(*done.rolls, after))
    if as_json:
        more = {} if hit is None else {"ram": wire_ram(hit)}
        more |= {} if after is None else {"second": wire_second(after, moment.battlemap)}
        print_json("resolve", **heading, **wire_declared(move), **wire_resolved(done), **more)
    else:
        unmade = [f"then: {after.text}"] if isinstance(after, Refusal) else []
        click.echo("\n".join([resolved_words(done), *unmade, *([] if hit is None else [ram_words(hit)])]))


def _cell_by_cell(moment: Stated, found: Reach, cells: str, terms: Terms) -> Declared | Refusal:
    """A way that is given by all its cells.  Raises `click.UsageError`."""
    from tactical.movement.declare import declare

    if not found.gait:
        raise click.UsageError("--path needs the gait: --gait NAME")
    way = [moment.cell(one) for one in cells.replace(" ", "").split(",")]
    with wrong_use():
        return in_level(declare(found.query, found.gait, way, terms))


def _asked(found: Reach, ram: str | None, stunt: int | None, then: str | None) -> tuple[Reach, Second | None] | Refusal:
    """The reach of a mover who means to ram, to make a stunt of it, to use a second skill at its end."""
    from tactical.movement.forced import with_ram

    if ram is not None:
        rammed = with_ram(found.query, ram)
        if isinstance(rammed, Refusal):
            return rammed
        found = found.again(rammed)
    from tactical.movement.reach import with_stunt

    harder = with_stunt(found, stunt)
    return harder if isinstance(harder, Refusal) else with_second(harder, then)


def _unfit(found: Reach, move: Declared, ram: str | None, second: Second | None) -> Refusal | None:
    """Why no ram, or no second skill, can come at the end of a move."""
    from tactical.movement.forced import why_not_beside

    end = move.steps[-1].end if move.steps else found.start
    far = None if ram is None else why_not_beside(found.query, end, ram)
    return far if far is not None or second is None else why_no_second(move, second)


COMMANDS = (resolve,)
