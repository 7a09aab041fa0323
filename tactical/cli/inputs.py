"""What commands are given: the map, the mover, where it stands and what it has spent, as options shared by all."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from tactical.cli.answers import say, waiting
from tactical.errors import Fault, MapError, RulesetError, UnknownName, counted, meant
from tactical.units import MOST_TURNS, exact, gait_name, spoken

if TYPE_CHECKING:
    from tactical.errors import Refusal
    from tactical.formats import Report
    from tactical.movement.reach import Reach
    from tactical.rules.ruleset import Ruleset
    from tactical.rules.turnstate import TurnState
    from tactical.units import Cell
    from tactical.world.battlemap import Battlemap
    from tactical.world.mover import Mover

Command = Callable[..., Any]
ANONYMOUS = "mover"
NO_MOVERS = (
    "this map has no movers, so name a cell with --at CELL, or write them down under movers: (where the file cannot "
    "hold them, in a YAML map of your own that begins with base: FILE, which `tactical new FILE` writes)"
)
HOW = "tactical.how"
"""Where a command line keeps how its map is read: every command reads maps by `read_map`."""
DEFAULT_RULES = "plain"


def _keep(ctx: click.Context, parameter: click.Parameter, value: object) -> None:
    ctx.meta.setdefault(HOW, {})[parameter.name] = value


def how_read(name: str) -> Any:
    """What the command line says of how its map is read: `from_format`, `imports` or `overlay`; None for nothing."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.meta.get(HOW, {}).get(name)


def reading_options(command: Command) -> Command:
    """How the map is read that a command names; `read_map` finds it by itself."""
    kept: dict[str, Any] = {"expose_value": False, "callback": _keep}
    overlay = "Native file (YAML) laid over MAP: terrain, doors, movers ..."
    form = "Format of the map, if its content does not tell."
    for option in (
        click.option("--overlay", metavar="FILE", help=overlay, **kept),
        click.option("--import", "imports", multiple=True, metavar="NAME=VALUE", help="Option of that format.", **kept),
        click.option("--from", "from_format", metavar="FORMAT", help=form, **kept),
    ):
        command = option(command)
    return command


def read_options(command: Command) -> Command:
    """The map argument and how to read it."""
    return click.argument("source", metavar="MAP")(reading_options(command))


def mover_options(command: Command) -> Command:
    """Who moves, by which rules, from where and with what already spent."""
    for option in (
        click.option("--door", "doors", multiple=True, metavar="ID=STATE", help="A door open, closed or locked."),
        click.option("--stat", "stats", multiple=True, metavar="NAME=VALUE", help="A stat of the mover."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A ruling, e.g. diagonal=none."),
        click.option("--rules", metavar="NAME", help="Rule system, instead of the mover's or the map's own."),
        click.option(
            "--turns", type=click.IntRange(1, MOST_TURNS), default=1, show_default=True, help="Turns to look ahead."
        ),
        click.option("--previous-speed", metavar="SPEED", help="Speed of the last round, where the rules ask for it."),
        click.option("--gait", metavar="NAME", help="Only this gait, e.g. dash; later turns use its budget."),
        click.option("--spent", default="0", metavar="N", help="Movement already spent this turn."),
        click.option("--posture", metavar="POSTURE", help="Posture at the start."),
        click.option("--at", metavar="CELL", help="Where it starts; without --mover, a nameless mover."),
        click.option("--mover", "mover_id", metavar="ID", help="Who moves."),
    ):
        command = option(command)
    return command


def refuse_idle(ctx: click.Context, names: Collection[str], why: str) -> None:
    """Raise `click.UsageError` for the first of these parameters that was given: it would be read and then ignored."""
    for parameter in ctx.command.params:
        named = parameter.name in names and isinstance(parameter, click.Option)
        if named and ctx.get_parameter_source(str(parameter.name)) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[-1]} {why}", ctx)


def pairs(given: tuple[str, ...], option: str) -> dict[str, str]:
    """``name=value`` words as a mapping.  Raises `click.UsageError` for a word without an equals sign."""
    out = {}
    for word in given:
        name, sign, value = word.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"{option}: write name=value, not {word!r}")
        out[name.strip()] = value.strip()
    return out


class NoSuchMap(MapError):
    """There is no file of that name, and no sample map either."""


def find_map(source: str) -> str | Path | bytes:
    """The file that `source` names: a path, a sample map's name, or - for stdin."""
    if source == "-":
        if sys.stdin is None:
            raise click.UsageError("MAP is -, but the standard input is closed")
        from tactical.formats import LIMIT

        return sys.stdin.buffer.read(LIMIT + 1)
    if not source.strip():
        raise click.UsageError("MAP is empty: name a file or a sample map, or - for stdin")
    path = Path(source)
    if path.is_dir() and not (path / "CURRENT").exists():
        # a database of scenes is a folder too
        raise click.UsageError(f"{source} is a folder, not a map")
    if path.exists():
        return path
    from tactical.assets import maps

    try:
        return maps(source)
    except (UnknownName, FileNotFoundError) as error:
        samples = error.known if isinstance(error, UnknownName) else ()
    folder = path.parent
    beside = [str(folder / one.name) if str(folder) != "." else one.name for one in folder.glob("*") if one.is_file()]
    hint = meant(source, [*beside, *samples])
    raise NoSuchMap([Fault(f"no such file, and no sample map of that name{hint}", file=source)])


def read_map(source: str, *imports: str) -> tuple[Battlemap, Report]:
    """Read a map, with some more import options, and the report of its reading.  Raises `MapError` with all faults."""
    from tactical.formats import load_with_report

    found = find_map(source)
    try:
        with waiting(f"reading {source}"):
            return load_with_report(
                found,
                format=how_read("from_format"),
                name="stdin" if isinstance(found, bytes) else str(found),
                options=pairs((*(how_read("imports") or ()), *imports), "--import"),
                pipes=True,
                overlay=how_read("overlay"),
            )
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def read_and_warn(source: str) -> Battlemap:
    """Read a map and say what was doubtful in it; the whole report is `tactical check`'s."""
    battlemap, report = read_map(source)
    for line in report.of("warning", "ambiguous"):
        say(f"{source}: {as_typed(str(line))}")
    return battlemap


def as_typed(line: str) -> str:
    """A line of a report with its import options as they are typed here: ``--import open_portals=...``."""
    line = re.sub(r"\(option (\w+): (\w+)\)", r"(--import \1=\2)", line)
    return re.sub(r"\(option (\w+)\)", r"(otherwise: --import \1=...)", line)


@dataclass(frozen=True)
class Stated:
    """A map, who moves on it and all that was said about the moment."""

    battlemap: Battlemap
    mover: Mover
    rules: str
    options: Mapping[str, object]
    turn: TurnState
    turns: int
    gait: str = ""
    placed: bool = False
    """Whether the command says where the mover stands: there need be no room for it."""

    def reach(self, **more: Any) -> Reach:
        """Everything the mover can get to.  Raises `click.UsageError` where more was spent than a turn has."""
        from tactical.movement.reach import reach

        turns = more.pop("turns", self.turns)
        with waiting(f"looking how far {self.mover.label} gets"):
            found = reach(
                self.battlemap,
                self.mover,
                rules=self.rules,
                options=self.options,
                turn=self.turn,
                turns=turns,
                gait=self.gait,
                **more,
            )
        if self.placed and (why := no_room(found)) is not None:
            say(f"--at: {why.text}")
        most = max((gait.budget for gait in found.profile.gaits), default=self.turn.spent)
        if self.turn.spent > most:
            raise click.UsageError(
                f"--spent: {counted(spoken(self.turn.spent), found.unit)} spent, but a turn has at most {spoken(most)}"
            )
        return found

    def cell(self, text: str) -> Cell:
        """The cell called `text`.  Raises `click.UsageError` if it cannot be read or is off the map."""
        return cell_of(self.battlemap, text)


def no_room(found: Reach) -> Refusal | None:
    """Why nobody could be set down where a reach begins, or None."""
    from tactical.movement.forced import why_no_room

    return why_no_room(found.query)


def cell_of(battlemap: Battlemap, text: str) -> Cell:
    """The cell called `text`.  Raises `click.UsageError` if it cannot be read or is off the map."""
    try:
        return battlemap.cell_named(text)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def mover_of(battlemap: Battlemap, mover_id: str) -> Mover:
    """The mover of that name.  Raises `UnknownName`, which tells how figures come on a map that has none."""
    if not battlemap.movers:
        raise UnknownName("mover", mover_id, (), hint=NO_MOVERS)
    return battlemap.mover(mover_id)


def level_of(battlemap: Battlemap, wanted: str) -> int:
    """The floor of that name or number.  Raises `click.UsageError`."""
    names = battlemap.level_names
    if wanted in names:
        return names.index(wanted)
    if wanted.isdigit() and int(wanted) < len(names):
        return int(wanted)
    raise click.UsageError(f"no level {wanted!r} (levels: {', '.join(names)})")


def stated(
    source: str,
    *,
    mover_id: str | None = None,
    at: str | None = None,
    posture: str | None = None,
    spent: str = "0",
    turns: int = 1,
    gait: str | None = None,
    previous_speed: str | None = None,
    rules: str | None = None,
    options: tuple[str, ...] = (),
    stats: tuple[str, ...] = (),
    doors: tuple[str, ...] = (),
) -> Stated:
    """What a command line says of the map, the mover and the moment.

    Raises `click.UsageError`, `MapError`, `UnknownName`, `RulesetError`.
    """
    from tactical.rules.ruleset import get_ruleset
    from tactical.rules.turnstate import TurnState

    battlemap = read_and_warn(source)
    battlemap = with_doors(battlemap, doors)
    mover = _mover(battlemap, mover_id, at, posture, pairs(stats, "--stat"))
    own = mover.rules or battlemap.rules or DEFAULT_RULES
    name = rules or own
    ruleset = get_ruleset(name)
    if name != own and mover.stats:
        mover = _restated(mover, own, ruleset, pairs(stats, "--stat"))
    chosen = pairs(options, "--option")
    if posture:
        known_posture(posture, ruleset.postures, name)
    try:
        turn = TurnState(spent=exact(spent), previous=known_speed(previous_speed, ruleset))
    except ValueError as error:
        raise click.UsageError(f"--spent: {error}") from error
    if turn.spent < 0:
        raise click.UsageError(f"--spent: {spent} is less than nothing")
    return Stated(battlemap, mover, name, chosen, turn, turns, gait_name(gait), at is not None)


def _restated(mover: Mover, own: str, ruleset: Ruleset, stats: dict[str, str]) -> Mover:
    """A mover under another system than the one its stats are written for: its own stats if they fit, else `stats`."""
    written = {name: value for name, value in mover.stats.items() if name not in stats}
    if not written:
        return mover
    try:
        ruleset.read_stats(written)
    except RulesetError as error:
        words = f"{mover.label}'s stats are written for {own}"
        if not stats:
            raise RulesetError(f"{words}: use --stat, or --at CELL for a mover without stats ({error})") from error
        say(f"{words}: without {', '.join(written)}")
        return replace(mover, stats=stats)
    return mover


def known_speed(speed: str | None, ruleset: Ruleset) -> str:
    """The speed of the last round as the rule system writes it.  Raises `RulesetError` where it knows no such speed."""
    if not speed:
        return ""
    wanted = speed.strip().lower().replace("-", "_")
    if not ruleset.speeds:
        raise RulesetError(f"{ruleset.name} does not ask for the speed of the last round")
    if wanted not in ruleset.speeds:
        hint = meant(wanted, ruleset.speeds)
        raise RulesetError(f"{ruleset.name} knows no speed {speed!r}{hint} (known: {', '.join(ruleset.speeds)})")
    return wanted


def known_posture(posture: str, known: tuple[str, ...], rules: str) -> str:
    """The posture, if the rule system has it.  Raises `RulesetError`."""
    if posture not in known:
        hint = meant(posture, known)
        raise RulesetError(f"{rules} knows no posture {posture!r}{hint} (known: {', '.join(known)})")
    return posture


def with_doors(battlemap: Battlemap, doors: tuple[str, ...]) -> Battlemap:
    """The map with its doors as ``--door`` has them.  Raises `click.UsageError`, `UnknownName`."""
    return battlemap.with_(doors=_door_states(pairs(doors, "--door"))) if doors else battlemap


def _door_states(given: Mapping[str, str]) -> Mapping[str, str]:
    from tactical.world.edges.barriers import DoorState

    known = [state.value for state in DoorState]
    for door, state in given.items():
        if state not in known:
            hint = meant(state, known)
            raise click.UsageError(f"--door {door}: {state!r} is not a state of a door{hint} ({', '.join(known)})")
    return given


def _mover(
    battlemap: Battlemap, mover_id: str | None, at: str | None, posture: str | None, stats: dict[str, str]
) -> Mover:
    from tactical.world.mover import POSTURES, Mover

    if mover_id is None and at is None:
        known = ", ".join(mover.id for mover in battlemap.movers)
        raise click.UsageError(f"say who moves: --mover ID ({known})" if known else f"say where from: {NO_MOVERS}")
    mover = Mover(ANONYMOUS) if mover_id is None else mover_of(battlemap, mover_id)
    if at is not None:
        mover = replace(mover, at=cell_of(battlemap, at))
    if mover.at is None:
        raise click.UsageError(f"{mover.id!r} stands nowhere on this map: give --at CELL")
    if stats:
        mover = replace(mover, stats={**mover.stats, **stats})
    if posture:
        try:
            mover = replace(mover, posture=posture)
        except ValueError as error:
            raise click.UsageError(f"{error}{meant(posture, POSTURES)}") from error
    return mover
