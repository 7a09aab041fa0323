"""Requests as JSON lines on stdin, answers on stdout: for hosts written in any language (``tactical serve --stdio``).

Every line is answered by one line, in order.  A line that cannot be read, or is longer than the limit, is answered by
an error object; the process lives until its stdin ends or somebody says ``{"do": "quit"}``.
"""

from __future__ import annotations

from typing import BinaryIO

from tactical.hosts.bounds import Bounds
from tactical.hosts.desk import Desk
from tactical.hosts.mistakes import error_line, id_of
from tactical.search.kernel import warm_in_background

LIMIT = 8_000_000
"""Bytes that a line may have."""

OFTEN = 10
"""After so many requests more are to be expected, and the compiled search is started in the background."""


def serve(source: BinaryIO, target: BinaryIO, *, limit: int = LIMIT, bounds: Bounds | None = None) -> None:
    """Answer every line of `source` on `target` until it ends; `bounds` say what its caller may have."""
    desk = Desk(bounds)
    asked = 0
    while not desk.done:
        line = source.readline(limit + 1)
        if not line:
            return
        if len(line) > limit and not line.endswith(b"\n"):
            head = line[:200]
            while line and not line.endswith(b"\n"):
                line = source.readline(limit)
            answer = error_line(id_of(head), "too-large", f"a line has no more than {limit} bytes")
        elif not line.strip():
            continue
        else:
            answer = desk.answer(line)
        target.write(answer.encode() + b"\n")
        target.flush()
        asked += 1
        if asked == OFTEN:
            warm_in_background()
