"""The lines of a saved game: what stands in each, and the digest at its end.

    {"schema":1,"kind":"session","save":2,"tactical":"0.1.0","rules":{"plain":"0.1.0"},"start":{...},"digest":"..."}
    {"n":1,"do":{...},"events":[...],"digest":"..."}
    {"at":50,"done":[0,[[1,50]]],"undone":[0,[]],"sealed":0,"position":{...},"digest":"..."}

The first line is the position in which the game began, with who wrote it, and where the map has a picture of its own
with where its file lies (``"map":{"file":"../abbey.uvtt","digest":"..."...}``); then come the entries, one a line, and
after each fiftieth a moment: the position then, from which a reader may go on.  A digest is taken of the line and of
the digest before it, so no byte can be changed and no line be changed, removed, doubled or put elsewhere unnoticed.
What is cut off behind a whole line cannot be told from a game that ended there; a line that was begun and not ended
can.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

from tactical.errors import SaveError
from tactical.play.history import EVERY, Entry, History, Moment
from tactical.play.position import Position
from tactical.registry import RULESETS, __version__
from tactical.wire.maps import where_beneath
from tactical.wire.reading import decode
from tactical.wire.writing import PLAIN, SCHEMA, Writer, dumps, pair

KIND = "session"
SAVE = 2
"""The version of this form.  In the first one lines had no digests, and there were no moments."""
_KEY = b',"digest":"'
_AT = b'{"at":'
_ENDED = re.compile(_KEY + rb'[0-9a-f]{16}"\}')
_TAIL = len(_KEY) + 16 + len(b'"}')


# -- writing ----------------------------------------------------------------------------------------------------------


class Chain:
    """Ends each line with a digest of it and of all before it."""

    def __init__(self, digest: bytes = b"") -> None:
        self.digest = digest

    def copy(self) -> Chain:
        """Another one that goes on from here."""
        return Chain(self.digest)

    def line(self, payload: bytes) -> bytes:
        """The line of an object that has no digest yet."""
        self.digest = _digest(self.digest, payload)
        return payload[:-1] + _KEY + self.digest + b'"}\n'


def _digest(before: bytes, payload: bytes) -> bytes:
    return blake2b(before + payload, digest_size=8).hexdigest().encode("ascii")


def lines(
    history: History, writer: Writer = PLAIN, chain: Chain | None = None, folder: Path | None = None
) -> Iterator[bytes]:
    """A saved game, line by line; a `chain` that is given is left as the next line needs it.

    Written to a `folder` it says where the map's picture lies.
    """
    chain = Chain() if chain is None else chain
    yield chain.line(_header(history.start, writer, folder))
    yield from since(history, 0, chain, writer)


def since(history: History, number: int, chain: Chain, writer: Writer = PLAIN) -> Iterator[bytes]:
    """The lines of everything after entry `number`."""
    plain = writer.cell is pair
    for n in range(number + 1, len(history) + 1):
        # what was read and never looked at goes on as it is; where cells are to have names it is read after all
        found = history.stored(n) if plain else history.entry(n)
        yield chain.line(found if isinstance(found, bytes) else _entry(n, found, writer))
        noted = history.moment(n) if n % EVERY == 0 else None
        if noted is not None:
            yield chain.line(_moment(noted))


def _header(start: Position, writer: Writer, folder: Path | None) -> bytes:
    found = None if folder is None else where_beneath(start.battlemap, folder)
    return _bytes(
        {
            "schema": SCHEMA,
            "kind": KIND,
            "save": SAVE,
            "tactical": __version__,
            "rules": rules_of(start),
            **({} if found is None else {"map": found}),
            "start": writer.value(start),
        }
    )


def rules_of(position: Position) -> dict[str, str]:
    """The rule systems that are played by, with their versions."""
    names = {position.ruleset(mover.id).name for mover in position.battlemap.movers}
    return {name: RULESETS.version(name) for name in sorted(names)}


def _entry(number: int, entry: Entry, writer: Writer) -> bytes:
    return _bytes({"n": number, "do": writer.value(entry.done), "events": writer.value(entry.events)})


def _moment(moment: Moment) -> bytes:
    head = {"at": moment.at, "done": _runs(moment.done), "undone": _runs(moment.undone), "sealed": moment.sealed}
    return _bytes(head)[:-1] + b',"position":' + moment.position + b"}"


def _bytes(value: object) -> bytes:
    return dumps(value).encode("ascii")


def _runs(change: tuple[int, tuple[int, ...]]) -> list[object]:
    """Numbers as stretches of numbers that follow each other."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(change[1]), lambda one: one[1] - one[0])]
    return [change[0], [[run[0], run[-1]] for run in runs]]


# -- reading ----------------------------------------------------------------------------------------------------------


def begins_a_game(path: Path) -> bool:
    """Whether a file begins as a saved game does.  Raises `OSError`."""
    with path.open("rb") as file:
        return f'"kind":"{KIND}"'.encode() in file.read(80)


def refuse_others(path: Path) -> None:
    """Raise `SaveError` for a file that holds something else than a saved game: nobody's map is written over."""
    if path.is_file() and path.stat().st_size and not begins_a_game(path):
        raise SaveError(f"{path}: this file is no saved game, and is not written over: save elsewhere, or move it away")


def whole_lines(data: bytes) -> tuple[list[bytes], bytes]:
    """The lines that were written to their end, and what was begun after them."""
    *found, rest = data.split(b"\n")
    return found, rest


def parse(line: bytes, number: int) -> Mapping[str, Any]:
    """The object of a line.  Raises `SaveError`."""
    try:
        found = json.loads(line.decode("ascii"))
    except UnicodeDecodeError as error:
        raise SaveError("this is not a saved game: it holds bytes that are no ASCII text", number) from error
    except (ValueError, RecursionError) as error:
        if number == 1 and not line.startswith(b"{"):
            raise SaveError("this is not a saved game: it does not begin with a JSON object", 1) from error
        raise SaveError(f"damaged: {error}", number) from error
    if not isinstance(found, dict):
        raise SaveError("damaged: a line must be an object", number)
    return found


def payloads(saved: Iterable[bytes], entries: int | None = None) -> Iterator[bytes]:
    """The lines without their digests, as far as a number of `entries` and the moment then.

    Raises `SaveError` where one does not fit.
    """
    digest, done = b"", 0
    for number, line in enumerate(saved, 1):
        if number > 1 and done == entries and not line.startswith(_AT):
            return
        payload = line[:-_TAIL] + b"}"
        told = line[-_TAIL:]
        digest, before = _digest(digest, payload), digest
        if told != _KEY + digest + b'"}':
            raise SaveError(_what_is_wrong(line, number, done, before), number)
        done += payload.startswith(b'{"n":')
        yield payload


def ends_whole(rest: bytes) -> bool:
    """Whether what stands behind the last end of line is a whole line whose own end is another byte: nobody was cut off
    there, somebody changed it."""
    return _ENDED.fullmatch(rest[-_TAIL - 1 : -1]) is not None


def _what_is_wrong(line: bytes, number: int, done: int, before: bytes) -> str:
    if number == 1:
        return "damaged: the start of the game was changed since it was written; take a copy of the file from before"
    wanted = f'{{"n":{done + 1},'.encode("ascii")
    if line.startswith(b'{"n":') and not line.startswith(wanted):
        what = f"entry {done + 1} is missing, found {line[5:].split(b',')[0][:20].decode('ascii', 'replace')}"
    else:
        what = "damaged: this line was changed since it was written, or is not the one that followed the line before"
    if not before or not done:
        return f"{what}; only the start before it is whole"
    return f"{what}; the {done} entries before it are whole: open the game as far as entry {done}"


@dataclass(frozen=True, slots=True)
class Told:
    """A moment but for its position, as its line tells it: of numbers that follow each other the first and the last."""

    at: int
    done: tuple[int, tuple[tuple[int, int], ...]]
    undone: tuple[int, tuple[tuple[int, int], ...]]
    sealed: int


def moment_of(payload: bytes, number: int, before: Moment | None) -> Moment | None:
    """The moment that a line tells of, or None for another line.  Raises `SaveError`."""
    if not payload.startswith(_AT):
        return None
    head, _, position = payload.partition(b',"position":')
    try:
        told: Told = decode(Told, parse(head + b"}", number))
        done = _numbers(told.done, told.at, None if before is None else before.done)
        undone = _numbers(told.undone, told.at, None if before is None else before.undone)
        if not 0 <= told.sealed <= done[0] + len(done[1]):
            raise ValueError(f"sealed: there are not {told.sealed} commands")
    except ValueError as error:
        raise SaveError(f"damaged: {error}", number) from error
    return Moment(told.at, done, undone, told.sealed, position[:-1])


Change = tuple[int, tuple[int, ...]]


def _numbers(told: tuple[int, tuple[tuple[int, int], ...]], at: int, before: Change | None) -> Change:
    same, runs = told
    if not 0 <= same <= (0 if before is None else before[0] + len(before[1])):
        raise ValueError(f"there were not {same} commands before")
    if not all(1 <= first <= last <= at for first, last in runs) or sum(b - a + 1 for a, b in runs) > at:
        raise ValueError(f"these are no numbers of {at} entries")
    return same, tuple(number for first, last in runs for number in range(first, last + 1))
