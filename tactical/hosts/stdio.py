"""Requests as JSON lines on stdin, answers on stdout: for hosts written in any language (``tactical serve --stdio``).

Every line is answered by one line, in order.  A line that cannot be read, or is longer than the limit, is answered by
an error object; the process lives until its stdin ends or somebody says ``{"do": "quit"}``.  Lines are read while one
is being answered, so that a ``cancel`` is heard in time.
"""

from __future__ import annotations

from queue import Queue
from threading import Thread
from typing import BinaryIO

from tactical.hosts.bounds import AHEAD, LIMIT, Bounds
from tactical.hosts.desk import Desk
from tactical.hosts.mistakes import error_line, id_of
from tactical.rules import dice
from tactical.search.kernel import warm_in_background

OFTEN = 10
"""After so many requests more are to be expected, and the compiled search is started in the background."""


def serve(source: BinaryIO, target: BinaryIO, *, limit: int = LIMIT, bounds: Bounds | None = None) -> None:
    """Answer every line of `source` on `target` until it ends; `bounds` say what its caller may have.

    Raises `OSError` where the answers cannot be written.
    """
    desk = Desk(bounds)
    lines: Queue[tuple[bytes, bool] | None] = Queue(AHEAD)
    broken: list[OSError] = []
    # this thread reads and the other answers: one that waits for a line cannot be ended from outside
    worker = Thread(target=_answer, args=(desk, lines, target, limit, broken), name="tactical-desk", daemon=True)
    worker.start()
    while not desk.done and not broken and (line := source.readline(limit + 1)):
        short = len(line) <= limit or line.endswith(b"\n")
        part = line
        while part and not part.endswith(b"\n"):
            part = source.readline(limit)
        if short:
            desk.running.heed(line)
        lines.put((line, short))
        if b'"quit"' in line:
            # perhaps the last one: the next would be waited for in vain
            lines.join()
    lines.put(None)
    worker.join()
    if broken:
        raise broken[0]


def _answer(
    desk: Desk, lines: Queue[tuple[bytes, bool] | None], target: BinaryIO, limit: int, broken: list[OSError]
) -> None:
    """Answer the lines that come, until there are no more; what nobody reads any longer is not written."""
    asked = 0
    while (found := lines.get()) is not None:
        line, short = found
        if not desk.done and not broken and line.strip():
            words = f"a line has no more than {limit} bytes"
            answer = desk.answer(line) if short else error_line(id_of(line[:200]), "too-large", words)
            try:
                target.write(answer.encode() + b"\n")
                target.flush()
            except OSError as error:
                broken.append(error)
            asked += 1
            if asked == OFTEN:
                warm_in_background(dice.LATE)
        lines.task_done()
