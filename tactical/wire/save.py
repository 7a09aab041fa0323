"""Saved games: the log as JSON lines, written so that a crash at any byte loses at most the last command.

The first line is the position in which the game began (map, movers, options, seed and all), each further line one
command (or ``undo``, ``redo``, ``reset``) with the events that came of it.  A line counts only with its end of line; a
torn last line is dropped.  A game is written to a file beside and moved into place; later lines of a kept one are
appended (`tactical.wire.kept`), so there is no moment at which the file holds less than before.

Loading plays the commands again and compares the events with those in the file: the same map, commands and seed give
the same bytes, in every process and Python version.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tactical import files
from tactical.errors import Refusal, SaveError, TacticalError
from tactical.play.commands import Command
from tactical.play.events import Accepted
from tactical.play.position import Position
from tactical.play.session import REDO, RESET, UNDO, Entry, Session, do_again
from tactical.wire.reading import decode
from tactical.wire.writing import PLAIN, SCHEMA, Writer, dumps, encode, namer

KIND = "session"
SUFFIX = ".jsonl"
"""How the names of saved games end; one of another name is known by its first bytes."""
LIMIT = 100_000_000
"""Bytes of the largest saved game that is read."""
WORDS = (UNDO, REDO, RESET)


# -- lines ------------------------------------------------------------------------------------------------------------


def header(start: Position, writer: Writer = PLAIN) -> str:
    """The first line of a saved game."""
    return dumps({"schema": SCHEMA, "kind": KIND, "start": writer.value(start)}) + "\n"


def line_of(number: int, entry: Entry, writer: Writer = PLAIN) -> str:
    """The line of one entry of the log; entries are counted from 1."""
    return dumps({"n": number, "do": writer.value(entry.done), "events": writer.value(entry.events)}) + "\n"


def lines(session: Session, *, cells: str = "pairs") -> Iterator[str]:
    """A saved game, line by line; `cells` as in `to_json`."""
    writer = Writer(namer(cells, session.battlemap))
    yield header(session.start, writer)
    for number, entry in enumerate(session.log, 1):
        yield line_of(number, entry, writer)


# -- writing ----------------------------------------------------------------------------------------------------------


def write(session: Session, path: str | Path) -> None:
    """Save a game; the file is there whole or as it was before.  Raises `OSError`."""
    files.put(Path(path), (line.encode("ascii") for line in lines(session)))


# -- reading ----------------------------------------------------------------------------------------------------------


def is_game(path: Path) -> bool:
    """Whether a file is meant as a saved game, by its name or its first bytes; it may be damaged all the same."""
    if path.suffix.lower() == SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            return f'"kind":"{KIND}"'.encode() in file.read(80)
    except OSError:
        return False


def whole_lines(data: bytes) -> list[str]:
    """The lines that were written to their end; a torn last one is dropped.  Raises `SaveError` for what is no text."""
    text = data[: data.rfind(b"\n") + 1]
    try:
        return text.decode("ascii").split("\n")[:-1]
    except UnicodeDecodeError as error:
        number = text[: error.start].count(b"\n") + 1
        raise SaveError("this is not a saved game: it holds bytes that are no ASCII text", number) from error


def load(source: str | Path | bytes, to: int | None = None) -> Session:
    """The game in a file (or its content), played again up to entry `to` (by default: all of it).

    Raises `SaveError` with the line of what is wrong: no saved game, damaged, or a command that now ends otherwise.
    """
    if isinstance(source, bytes):
        return replay(whole_lines(source), to)
    try:
        data = files.read(source, LIMIT)
    except files.TooLarge as error:
        raise SaveError(f"this is not a saved game: {error.strerror}") from error
    return replay(whole_lines(data), to)


def replay(saved: Iterable[str], to: int | None = None) -> Session:
    """A session played again from the lines of a saved game, up to entry `to` (0: only the start)."""
    rest = iter(saved)
    first = next(rest, None)
    if first is None:
        raise SaveError("this is not a saved game: there is no whole line in it")
    session = Session(_start(first))
    for number, text in enumerate(rest, 1):
        if to is not None and number > to:
            break
        _again(session, number, text)
    if to is not None and to > len(session.log):
        raise SaveError(f"there is no entry {to}: the game has {len(session.log)}")
    return session


def _parse(text: str, line: int) -> Mapping[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"damaged: {error}", line) from error
    if not isinstance(found, dict):
        raise SaveError("damaged: a line must be an object", line)
    return found


def _start(text: str) -> Position:
    found = _parse(text, 1)
    if found.get("kind") != KIND or found.get("schema") != SCHEMA:
        raise SaveError(f"this is not a saved game: expected kind {KIND!r} and schema {SCHEMA}", 1)
    try:
        position: Position = decode(Position, found.get("start"), "start")
    except (ValueError, RecursionError) as error:
        raise SaveError(f"damaged: {error}", 1) from error
    return position


def _again(session: Session, number: int, text: str) -> None:
    line = number + 1
    found = _parse(text, line)
    if found.get("n") != number:
        raise SaveError(f"entry {number} is missing, found {str(found.get('n'))[:20]}", line)
    done = found.get("do")
    try:
        if done not in WORDS:
            done = decode(Command, done, "do", session.battlemap)
        answer = do_again(session, done)
    except (ValueError, TacticalError, RecursionError) as error:
        raise SaveError(f"damaged: {error}", line) from error
    if isinstance(answer, Refusal):
        raise SaveError(f"the command is refused now: {answer.text}", line)
    if not _alike(session, answer, found.get("events")):
        raise SaveError("the command ends otherwise now: another version played it, or the file was changed", line)


def _alike(session: Session, answer: Accepted, saved: Any) -> bool:
    """Whether a line tells of the same events, however it writes cells and whatever follows from the rest."""
    now = encode(answer.events)
    if now == saved:
        return True
    try:
        told: Accepted = decode(Accepted, {"events": saved}, "", session.battlemap)
    except ValueError:
        return False
    return bool(now == encode(told.events))


# -- snapshots --------------------------------------------------------------------------------------------------------


def snapshot(session: Session, *, cells: str = "pairs") -> dict[str, Any]:
    """The game as one JSON object: all that counts from now on, what can be undone and redone included.

    `cells` as in `to_json`.

    It holds the position that undo can go back to at most and the commands since, so it stays small however long the
    game has been.
    """
    base, past, future, sealed = session.open_end()
    writer = Writer(namer(cells, base.battlemap))
    return {
        "schema": SCHEMA,
        "kind": "snapshot",
        "sealed": sealed,
        "position": writer.value(base),
        "past": writer.value(past),
        "future": writer.value(future),
    }


def restore(data: Mapping[str, Any]) -> Session:
    """The game of a snapshot.  Its log begins where undo ends.  Raises `SaveError`."""
    if not isinstance(data, Mapping) or data.get("kind") != "snapshot" or data.get("schema") != SCHEMA:
        raise SaveError(f"this is not a snapshot: expected kind 'snapshot' and schema {SCHEMA}")
    try:
        base = decode(Position, data.get("position"), "position")
        past, future = (
            [decode(Command, one, where, base.battlemap) for one in data.get(where, [])] for where in ("past", "future")
        )
        session = Session(base, sealed=bool(data.get("sealed")))
        for command in (*past, *future):
            answer = session.execute(command)
            if isinstance(answer, Refusal):
                raise SaveError(f"a command of the snapshot is refused now: {answer.text}")
        for _ in future:
            session.undo()
    except (ValueError, TypeError, RecursionError) as error:
        raise SaveError(f"the snapshot is damaged: {error}") from error
    return session
