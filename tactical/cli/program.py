"""The program behind the command line: the group of all commands, and an exit code and plain words for every error."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from tactical.cli import INTERRUPTED
from tactical.cli.answers import WRONG, MissingPart, print_error
from tactical.errors import MapError, PluginError, TacticalError, meant
from tactical.guard import said
from tactical.registry import MANY, Rack, __version__

COMMANDS = Rack("command", "tactical.cli.commands", "COMMANDS", "tactical.commands", f"click:Command{MANY}")
MISSING = 3


class Commands(click.Group):
    """The group of all commands; a misspelt one is answered with the nearest.

    A command is looked for in the file of its own name first, so that running one does not import all.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        for _, commands in COMMANDS:
            for command in commands:
                self.add_command(command)
        return super().list_commands(ctx)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; one of another package's that fails is named."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, TacticalError, OSError):
            raise
        except Exception as error:
            name = ctx.invoked_subcommand or ""
            module = getattr(getattr(self.commands.get(name), "callback", None), "__module__", "")
            if module.startswith("tactical."):
                raise
            raise PluginError(f"the command {name!r} ({module}) failed: {said(error)}") from error

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands and COMMANDS.has(cmd_name):
            self._add(cmd_name)
        if cmd_name not in self.commands:
            self.list_commands(ctx)
        return super().get_command(ctx, cmd_name)

    def _add(self, file: str) -> None:
        for command in COMMANDS.get(file):
            self.add_command(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            known = self.list_commands(ctx)
            hint = meant(args[0], known)
            raise click.UsageError(f"no such command {args[0]!r}{hint} (commands: {', '.join(known)})", ctx)
        return super().resolve_command(ctx, args)


def _version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        click.echo(f"tactical {__version__}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Show the version.")
def tactical() -> None:
    """Movement on tabletop battle maps: where a creature can get to, at what price, by which way, and why.

    MAP is a file (native YAML, Universal VTT ...), the name of a sample map such as village, or - for stdin.
    A CELL is written C4 (column letter, row from 1 at the top) or 2,3 (from 0).
    """


class _Closed(io.TextIOBase):
    """Stands for a standard output that was closed before the program began (``>&-``)."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "it is closed")


def run(args: Sequence[str]) -> int:
    """Run one command line and return its exit code.

    A pipe whose reader has seen enough is no error (0); a standard output that cannot be written to is one (2).
    """
    words = list(args)
    as_json = "--json" in words
    # pygame greets on stdout, where results go
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    closed = sys.stdout is None
    if closed:
        sys.stdout = _Closed()
    out = sys.stdout
    try:
        status = _answered(words, as_json)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _drop_output()
        return 0
    except SystemExit:
        if sys.stdout is out:
            raise
        # when its reader is gone, click puts another stdout in this one's place and leaves
        sys.stdout = out
        _drop_output()
        return 0
    except OSError as error:
        if not error.filename:
            # files are named where they are opened: this was stdout, which takes no more, be it JSON
            as_json = False
            if not closed:
                _drop_output()
        print_error("file", f"{error.filename or 'standard output'}: {error.strerror or error}", WRONG, as_json)
        return WRONG
    finally:
        if closed:
            sys.stdout = None


def _answered(words: list[str], as_json: bool) -> int:
    more: dict[str, Any] = {"color": False} if os.environ.get("NO_COLOR") else {}
    try:
        result = tactical.main(words, prog_name="tactical", standalone_mode=False, **more)
        return result if isinstance(result, int) else 0
    except click.Abort:
        click.echo("interrupted", err=True)
        return INTERRUPTED
    except MissingPart as error:
        print_error("missing", str(error), MISSING, as_json)
        return MISSING
    except click.UsageError as error:
        _usage(error, as_json)
        return WRONG
    except click.ClickException as error:
        print_error("usage", error.format_message(), WRONG, as_json)
        return WRONG
    except MapError as error:
        from tactical.cli.inputs import as_typed

        print_error("map", as_typed(str(error)), WRONG, as_json, error.faults)
        return WRONG
    except TacticalError as error:
        print_error(_code(error), str(error), WRONG, as_json)
        return WRONG


def _drop_output() -> None:
    """Keep the interpreter from complaining when it closes a stdout that takes no more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _code(error: TacticalError) -> str:
    return {"UnknownName": "name", "RulesetError": "rules", "PluginError": "plugin"}.get(type(error).__name__, "error")


def _usage(error: click.UsageError, as_json: bool) -> None:
    context = error.ctx
    text = error.format_message()
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        click.echo(text, err=True)
        return
    print_error("usage", text, WRONG, as_json)
    if context is not None:
        click.echo(f"Try '{context.command_path} --help'.", err=True)
