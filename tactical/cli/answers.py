"""What commands answer: one JSON object on stdout, words on stderr, and the exit codes."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tactical.errors import Fault, seen
from tactical.units import wire

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

SCHEMA = 1
NO = 1
WRONG = 2


class MissingPart(click.ClickException):
    """An optional part is not installed, or there is no display."""

    exit_code = 3


def print_json(kind: str, **content: object) -> None:
    """Print one answer: ``schema`` and ``kind`` first."""
    click.echo(json.dumps({"schema": SCHEMA, "kind": kind, **content}, indent=1, default=_plain, ensure_ascii=False))


def _plain(value: object) -> object:
    """Values that JSON has no word for: exact numbers, cells and sets inside a refusal's parameters."""
    from fractions import Fraction

    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=str)
    return str(value)


def say(text: str) -> None:
    """Tell the person something; never part of the result."""
    click.echo(seen(text), err=True)


def print_error(code: str, text: str, status: int, as_json: bool, faults: Iterable[Fault] = ()) -> None:
    """An error in words on stderr, and with ``--json`` as an object on stdout."""
    # where neither can be written to, the exit code still tells
    if as_json:
        with suppress(OSError):
            print_json("error", code=code, text=seen(text), exit=status, faults=[wire_fault(fault) for fault in faults])
    with suppress(OSError):
        click.echo(f"{click.style('error', fg='red')}: {seen(text)}", err=True)


def write_file(target: str, data: bytes) -> None:
    """Write a file that was asked for.  Raises `OSError` naming it, or the folder that is missing."""
    folder = Path(target).parent
    if not folder.exists():
        raise OSError(errno.ENOENT, f"there is no folder {folder}", target)
    try:
        with open(target, "wb") as out:
            out.write(data)
    except OSError as error:
        # a full disk shows only while writing, and then names no file
        error.filename = error.filename or target
        raise


def refuse_inputs(target: str, inputs: Iterable[str | Path]) -> None:
    """Raises `click.UsageError` where writing `target` would destroy one of the files that were read for it."""
    for name in inputs:
        with suppress(OSError, ValueError):
            if Path(target).samefile(name):
                raise click.UsageError(f"{target} is read for this: write to another file")


def wire_fault(fault: Fault) -> dict[str, object]:
    """A fault as JSON carries it."""
    return asdict(fault)


def wire_value(value: object, battlemap: Battlemap) -> Any:
    """A reach, a route, a refusal or a part of one as every surface writes it: every key, and cells by their names."""
    from tactical.play.writing import Writer

    return Writer(battlemap.name_of, whole=True).value(value)
