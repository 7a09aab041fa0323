"""What commands answer: one JSON object on stdout, words on stderr, and the exit codes."""

from __future__ import annotations

import errno
import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NoReturn

import click

from tactical import files
from tactical.errors import Fault, Refusal, seen
from tactical.units import wire

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

SCHEMA = 1
PATIENCE = 1.0
"""Seconds before anything is said of work that goes on."""
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


def refuse(
    kind: str, heading: Mapping[str, object], reason: Refusal, on: Battlemap | None = None, *, as_json: bool
) -> NoReturn:
    """Say why not, with ``--json`` in an answer that begins with `heading` too, and exit with 1."""
    if as_json:
        plain = {"code": reason.code, "params": dict(reason.params), "text": reason.text}
        print_json(kind, **heading, refusal=plain if on is None else wire_value(reason, on))
    say(f"no: {reason.text}")
    click.get_current_context().exit(NO)


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
    path = Path(target)
    try:
        if not path.exists() or path.is_file():
            # beside and moved into place: what is interrupted leaves no part of a file; a link is followed
            files.put(path.resolve(), [data])
        else:
            with open(target, "wb") as out:
                out.write(data)
    except OSError as error:
        # a full device shows only while writing, and then names no file
        error.filename = target
        raise


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """While this lasts longer than a second, tell a person at a terminal what is going on, and how to stop it."""
    if not (sys.stderr is not None and sys.stderr.isatty()):
        yield
        return
    done, begun = Event(), time.monotonic()

    def tell() -> None:
        patience = PATIENCE
        while not done.wait(patience):
            patience = 1.0
            line = f"{what} … {time.monotonic() - begun:.0f} s (Ctrl-C stops it)"
            click.echo(f"\r\x1b[2K{seen(line)}", err=True, nl=False)

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()
        if time.monotonic() - begun > PATIENCE:
            click.echo("\r\x1b[2K", err=True, nl=False)


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
    from tactical.wire.writing import Writer

    return Writer(battlemap.name_of, whole=True).value(value)
