"""Saved games: the log as JSON lines, written so that a crash at any byte loses at most the last command.

What stands in the lines says `tactical.wire.lines`.  A line counts only with its end of line; a torn last line is
dropped, and the log `tactical` is told.  A game is written to a file beside and moved into place; later lines of a kept
one are appended (`tactical.wire.kept`), so there is no moment at which the file holds less than before.

Loading holds every line against its digest, takes the last noted position and plays on from there; what lies before is
read when somebody goes back to it.  With `check`, and for games saved before there were digests, all commands are
played again and the events compared with those in the file: the same map, commands and seed give the same bytes, in
every process and Python version.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tactical import files
from tactical.errors import Refusal, SaveError, TacticalError
from tactical.play.commands import Command
from tactical.play.events import Accepted, Undone
from tactical.play.history import EVERY, Entry, History, Moment
from tactical.play.position import Position
from tactical.play.saving import Failed
from tactical.play.session import LOG, REDO, RESET, UNDO, Session, do_again
from tactical.registry import RULESETS, __version__
from tactical.wire import lines as form
from tactical.wire.kept import Kept
from tactical.wire.maps import laid_beneath
from tactical.wire.moments import note, position
from tactical.wire.reading import decode
from tactical.wire.writing import SCHEMA, Writer, dumps, encode, namer
from tactical.world.battlemap import Battlemap

# what a session asks of a form, some of it found elsewhere
__all__ = ["entry", "keep", "load", "note", "position", "restore", "snapshot", "write"]

SUFFIX = ".jsonl"
"""How the names of saved games end; one of another name is known by its first bytes."""
LIMIT = 100_000_000
"""Bytes of the largest saved game that is read."""
WORDS = (UNDO, REDO, RESET)


# -- writing ----------------------------------------------------------------------------------------------------------


def lines(session: Session, *, cells: str = "pairs") -> Iterator[str]:
    """A saved game, line by line; `cells` as in `to_json`, but for noted positions, which are for machines."""
    writer = Writer(namer(cells, session.battlemap))
    return (line.decode("ascii") for line in form.lines(session.history, writer))


def write(session: Session, path: str | Path) -> None:
    """Save a game; the file is there whole or as it was before.  Raises `OSError`, `SaveError` for another's file."""
    form.refuse_others(Path(path))
    files.put(Path(path), form.lines(session.history, folder=Path(path).parent))


def keep(session: Session, path: str | Path, failed: Failed | None = None) -> Kept:
    """Save a game, and everything done in it from now on.  Raises `OSError`, `SaveError`."""
    return Kept(Path(path), session.history, failed)


# -- reading ----------------------------------------------------------------------------------------------------------


def is_game(path: Path) -> bool:
    """Whether a file is meant as a saved game, by its name or its first bytes; it may be damaged all the same."""
    if path.suffix.lower() == SUFFIX:
        return True
    try:
        return form.begins_a_game(path)
    except OSError:
        return False


def load(source: str | Path | bytes, to: int | None = None, *, check: bool = False) -> Session:
    """The game in a file (or its content) up to entry `to` (by default: all of it); `check`: all is played again.

    Raises `SaveError` with the line of what is wrong: no saved game, changed, of a newer version, played by rules that
    are not here, or a command that now ends otherwise.
    """
    name = "the game" if isinstance(source, bytes) else str(source)
    try:
        data = source if isinstance(source, bytes) else files.read(source, LIMIT)
    except files.TooLarge as error:
        raise SaveError(f"this is not a saved game: {error.strerror}") from error
    saved, rest = form.whole_lines(data)
    if not saved:
        raise SaveError("this is not a saved game: there is no whole line in it")
    if form.ends_whole(rest):
        raise SaveError("damaged: the end of this line was changed since it was written", len(saved) + 1)
    head = Head.of(saved[0], None if isinstance(source, bytes) else Path(source).parent)
    try:
        session = _begun(head, saved, to, check=check)
    except SaveError as error:
        if head.newer:
            raise SaveError(f"{error.text} ({head.newer})", error.line) from error
        raise
    if to is not None and to > len(session.log):
        raise SaveError(f"there is no entry {to}: the game has {len(session.log)}")
    if rest and to is None:
        LOG.warning(
            "%s: line %d was begun and not ended, as in a crash: it is left out, all %d entries before it are whole",
            name, len(saved) + 1, len(session.log),
        )  # fmt: skip
    return session


@dataclass(frozen=True, slots=True)
class Head:
    """The first line: which form the game is in, which product and which rule systems wrote it, and its start.

    `map` is where the map's picture lies, as seen from the `folder` that the game was read in.
    """

    save: int
    product: str
    rules: Mapping[str, str]
    start: Any
    map: Any = None
    folder: Path | None = None

    @classmethod
    def of(cls, line: bytes, folder: Path | None = None) -> Head:
        """Read a first line.  Raises `SaveError` for no saved game, and for one in a form that is not known here."""
        found = form.parse(line, 1)
        if found.get("kind") != form.KIND or (found.get("schema") != SCHEMA and "save" not in found):
            raise SaveError(f"this is not a saved game: expected kind {form.KIND!r} and schema {SCHEMA}", 1)
        if set(found) == {"schema", "kind", "start"}:
            return cls(1, "", {}, found["start"])
        save, product, rules = found.get("save"), found.get("tactical"), found.get("rules")
        if type(save) is not int or not isinstance(product, str) or not isinstance(rules, dict):
            raise SaveError("damaged: this line does not say what wrote it", 1)
        if save != form.SAVE:
            here = f"tactical {__version__} reads forms 1 to {form.SAVE}"
            raise SaveError(f"tactical {product} saved this game in form {save}, and {here}: update tactical", 1)
        return cls(save, product, rules, found.get("start"), found.get("map"), folder)

    @property
    def newer(self) -> str:
        """What to say of a game that a newer product wrote; empty for another."""
        if _numbers(self.product) <= _numbers(__version__):
            return ""
        return f"tactical {self.product} saved this game, this is {__version__}: update tactical"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _begun(head: Head, saved: Sequence[bytes], to: int | None, *, check: bool) -> Session:
    if head.save == 1:
        return _old(head, saved, to)
    payloads = list(form.payloads(saved, to))
    for name, version in head.rules.items():
        if not RULESETS.has(name):
            raise SaveError(f"the game is played by the rule system {name!r} ({version}), which is not installed", 1)
    start, entries, noted = _start(head), list[tuple[int, bytes]](), list[Moment]()
    for line, payload in enumerate(payloads[1:], 2):
        moment = form.moment_of(payload, line, noted[-1] if noted else None)
        if moment is None:
            entries.append((line, payload))
        elif moment.at == len(entries) > (noted[-1].at if noted else 0) and moment.at % EVERY == 0:
            noted.append(moment)
        else:
            raise SaveError(f"damaged: a position noted after entry {len(entries)} says {moment.at}", line)
    if check:
        noted = []
    held = [payload for _, payload in entries[: noted[-1].at if noted else 0]]
    history = History(start, held, noted)
    session = Session(history.present(), history=history)
    for line, payload in entries[len(held) :]:
        _again(session, line, payload)
    return session


def _old(head: Head, saved: Sequence[bytes], to: int | None) -> Session:
    """A game of the first form, played again from the start."""
    session = Session(_start(head))
    for line, text in enumerate(saved[1 : None if to is None else to + 1], 2):
        _again(session, line, text)
    return session


def _start(head: Head) -> Position:
    try:
        start: Position = decode(Position, head.start, "start")
    except (ValueError, RecursionError) as error:
        raise SaveError(f"damaged: {error}", 1) from error
    seen = laid_beneath(start.battlemap, head.map, head.folder)
    return start if seen is start.battlemap else start.changed(battlemap=seen)


def entry(line: bytes, on: Battlemap) -> Entry:
    """An entry of the log from its line.  Raises `SaveError`."""
    found = form.parse(line, 0)
    try:
        return Entry(_done(found, on), decode(Accepted, {"events": found.get("events")}, "", on).events)
    except (ValueError, RecursionError) as error:
        raise SaveError(f"entry {found.get('n')} is damaged: {error}") from error


def _done(found: Mapping[str, Any], on: Battlemap) -> Command | str:
    done = found.get("do")
    command: Command | str = done if done in WORDS else decode(Command, done, "do", on)
    return command


def _again(session: Session, line: int, text: bytes) -> None:
    """Do again what a line tells."""
    found, number = form.parse(text, line), len(session.history) + 1
    if found.get("n") != number:
        raise SaveError(f"entry {number} is missing, found {str(found.get('n'))[:20]}", line)
    try:
        done, taken = _done(found, session.battlemap), 0
        if done == RESET:
            told = decode(Accepted, {"events": found.get("events")}, "", session.battlemap)
            taken = sum(event.count for event in told.events if isinstance(event, Undone))
        answer = do_again(session, done, taken)
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
    game has been.  What came of the commands and where that led is noted besides (``told``, ``present``), held by a
    ``digest``, so that whoever restores it need not play them again.
    """
    base, past, future, sealed = session.open_end()
    writer = Writer(namer(cells, base.battlemap))
    found = {
        "schema": SCHEMA,
        "kind": "snapshot",
        "sealed": sealed,
        "position": writer.value(base),
        "past": writer.value([entry.done for entry in past]),
        "future": writer.value([entry.done for entry in future]),
        "told": writer.value([entry.events for entry in (*past, *future)]),
        "present": json.loads(note(base, session.position)),
    }
    return {**found, "digest": _digest(found)}


def _digest(data: Mapping[str, Any]) -> str:
    """The digest of a snapshot, whatever order its keys have come to stand in."""
    told = json.dumps(
        {name: part for name, part in data.items() if name != "digest"}, sort_keys=True, ensure_ascii=True
    )
    return blake2b(told.encode("ascii"), digest_size=8).hexdigest()


def restore(data: Mapping[str, Any]) -> Session:
    """The game of a snapshot.  Its log begins where undo ends.  Raises `SaveError`.

    A snapshot that is as it was written is taken up as it tells; from one that was changed, or of a version that told
    less, the commands are played again.
    """
    if not isinstance(data, Mapping) or data.get("kind") != "snapshot" or data.get("schema") != SCHEMA:
        raise SaveError(f"this is not a snapshot: expected kind 'snapshot' and schema {SCHEMA}")
    try:
        base = decode(Position, data.get("position"), "position")
        if data.get("digest") == _digest(data):
            return _taken_up(base, data)
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
    except (ValueError, TypeError, LookupError, RecursionError) as error:
        raise SaveError(f"the snapshot is damaged: {error}") from error
    return session


def _taken_up(base: Position, data: Mapping[str, Any]) -> Session:
    """The game of a snapshot that nobody changed; what lies behind it is read and worked out when somebody goes back to
    it."""
    size, commands = len(data["past"]), [*data["past"], *data["future"]]
    told = zip(commands, data["told"], strict=True)
    entries: list[Entry | bytes] = [
        dumps({"n": n, "do": done, "events": events}).encode("ascii") for n, (done, events) in enumerate(told, 1)
    ]
    # as if all had been done and the last ones taken back
    entries += [Entry(UNDO, (Undone(),)) for _ in data["future"]]
    history = History(base.bare())
    history.resume(entries, range(1, size + 1), range(len(commands), size, -1))
    present = position(base, dumps(data["present"]).encode("ascii"))
    return Session(present, sealed=bool(data.get("sealed")), history=history)
