"""What is there: rule systems, map formats, and the schema of native map files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tactical.cli.answers import print_json
from tactical.units import plain

if TYPE_CHECKING:
    from tactical.formats import Format
    from tactical.rules.ruleset import Ruleset


@click.command()
@click.argument("name", required=False)
@click.argument("clause", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rulesets(name: str | None, clause: str | None, as_json: bool) -> None:
    """List the rule systems, describe one, or explain a clause.

    With NAME its sheet: gaits, costs and other tables, postures, the stats of a mover, the facts of ground that it
    reads, and the options with their values and clauses.  With a CLAUSE too (OPR-14, as ledgers name them) what that
    clause or ruling says.
    """
    from tactical.registry import RULESETS
    from tactical.rules.ruleset import get_ruleset

    if name and clause:
        _explain(get_ruleset(name), clause, as_json)
        return
    chosen: list[Ruleset] = [get_ruleset(name)] if name else [one for _, one in RULESETS]
    if as_json:
        from tactical.wire.views import told_ruleset

        print_json("rulesets", rulesets=[told_ruleset(one) for one in chosen])
    elif name:
        _describe(chosen[0])
    else:
        width = max(len(one.name) for one in chosen)
        for one in chosen:
            click.echo(f"{one.name:<{width}}  {one.title}, in {one.unit}{': ' + one.summary if one.summary else ''}")


def _explain(ruleset: Ruleset, clause: str, as_json: bool) -> None:
    """One clause in words, and the options that decide it."""
    from tactical.wire.views import told_clause

    try:
        found = told_clause(ruleset, clause)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        print_json("clause", **found)
        return
    text, rows = found["text"], found["options"]
    click.echo(f"{found['clause']}: {text}" if text else found["clause"])
    for option in rows:
        click.echo(f"  option {option['name']} = {_words(option['value'])}  ({option['allowed']})  {option['doc']}")


def _describe(ruleset: Ruleset) -> None:
    from tactical.cli.sheets import sheet_words
    from tactical.wire.views import told_ruleset
    from tactical.world.terrain import EVERYWHERE

    facts = told_ruleset(ruleset)
    click.echo(f"{facts['name']}: {facts['title']}, in {facts['unit']}, cells of {facts['cell']} {facts['unit']}")
    if facts["summary"]:
        click.echo(str(facts["summary"]))
    if ruleset.sheet is not None:
        click.echo(f"\n{sheet_words(ruleset.sheet())}")
    click.echo(f"\nPostures: {', '.join(ruleset.postures)}")
    click.echo("\nStats of a mover (--stat name=value):")
    for stat in _rows(facts["stats"]):
        ending = "required" if stat["required"] else f"default {_words(stat['default'])}"
        click.echo(f"  {stat['name']}: {stat['type']}, {ending}")
    if ruleset.ground is not None:
        click.echo("\nFacts of ground that it reads (legend and zones of a map, --fact name=value):")
        for fact, does in (*ruleset.ground.items(), *EVERYWHERE.items()):
            click.echo(f"  {fact}: {does}")
    click.echo("\nOptions (--option name=value), with the value in force:")
    for option in _rows(facts["options"]):
        value = _words(option["value"])
        click.echo(f"  {option['name']} = {value}  ({option['allowed']})  {option['doc']} [{option['clause']}]")


def _words(value: object) -> str:
    if value is None or value in ("", [], {}):
        return "nothing"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _rows(value: object) -> list[dict[str, object]]:
    if not isinstance(value, list):
        raise TypeError(f"expected a list, not {value!r}")
    return value


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def formats(as_json: bool) -> None:
    """List the map formats and their options."""
    from tactical.registry import FORMATS

    known: list[Format] = [one for _, one in FORMATS]
    if as_json:
        print_json(
            "formats",
            formats=[
                {
                    "name": one.name,
                    "title": one.title,
                    "suffixes": list(one.suffixes),
                    "also": list(one.also),
                    "read": one.can_load,
                    "write": one.can_dump,
                    "options": [
                        {
                            "name": option.name,
                            "default": plain(option.default),
                            "allowed": option.allowed(),
                            "doc": option.doc,
                        }
                        for option in one.options
                    ],
                }
                for one in known
            ],
        )
        return
    width = max((len(one.name) for one in known), default=0)
    for one in known:
        also = f"; where the content tells also {', '.join(one.also)}" if one.also else ""
        does = " and ".join(word for word, can in (("read", one.can_load), ("write", one.can_dump)) if can)
        click.echo(f"{one.name:<{width}}  {one.title} ({' '.join(one.suffixes)}{also}): {does}")
        for option in one.options:
            click.echo(f"{'':<{width}}    --import {option.name}={option.default}: {option.doc} ({option.allowed()})")


@click.command()
@click.option("--json", "as_json", is_flag=True, help="The schema is JSON with or without this.")
@click.option("--wire", is_flag=True, help="The schema of values as JSON (saves, servers) instead.")
def schema(as_json: bool, wire: bool) -> None:
    """Print the JSON schema of native maps.

    Editors use it to complete and check YAML.
    """
    from tactical.assets import path

    click.echo(path("wire.schema.json" if wire else "map.schema.json").read_text(encoding="utf-8"), nl=False)


COMMANDS = (rulesets, formats, schema)
