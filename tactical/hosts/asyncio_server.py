"""A server for many tables at once, in a few lines of asyncio: the same JSON lines as ``serve --stdio``, over TCP.

    python -m tactical.hosts.asyncio_server 8765 [DIR]

Every connection has a desk of its own.  Searches run in threads, so one caller's large map keeps nobody waiting.  It
listens on this machine only: there are no passwords.  Callers read and write files below DIR; without it none at all.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from tactical.hosts.bounds import AHEAD, LIMIT, Bounds
from tactical.hosts.desk import Desk
from tactical.hosts.mistakes import error_line, id_of
from tactical.rules import dice
from tactical.search.kernel import warm_in_background

HERE = "127.0.0.1"


async def next_line(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """The next line, the last one perhaps without its end; of one that is too long nothing but how it began.

    Both are empty where the caller says no more.
    """
    head = b""
    while True:
        try:
            line = await reader.readuntil(b"\n")
        except asyncio.LimitOverrunError as error:
            part = await reader.readexactly(error.consumed)
            head = head or part[:200]
        except asyncio.IncompleteReadError as error:
            return (b"" if head else error.partial), head
        else:
            return (b"" if head else line), head


async def listen(desk: Desk, reader: asyncio.StreamReader, lines: asyncio.Queue[tuple[bytes, bytes]]) -> None:
    """Read a caller's lines before their turn, so that a ``cancel`` is heard in time; two empty parts are the end."""
    try:
        while not desk.done:
            found = await next_line(reader)
            desk.running.heed(found[0])
            await lines.put(found)
            if not any(found):
                return
    except ConnectionError:
        # nobody is left to be answered
        desk.running.stop()
        await lines.put((b"", b""))


async def talk(bounds: Bounds, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one caller until it leaves; `bounds` say what it may have."""
    desk = Desk(bounds)
    lines: asyncio.Queue[tuple[bytes, bytes]] = asyncio.Queue(AHEAD)
    listening = asyncio.create_task(listen(desk, reader, lines))
    try:
        while not desk.done:
            line, head = await lines.get()
            if not line and not head:
                break
            if head:
                answer = error_line(id_of(head), "too-large", f"a line has no more than {LIMIT} bytes")
            elif line.strip():
                answer = await asyncio.to_thread(desk.answer, line)
            else:
                continue
            writer.write(answer.encode() + b"\n")
            await writer.drain()
    except ConnectionError:
        pass
    except asyncio.CancelledError:
        # the server ends: so does the talk, and there is nothing to tell
        pass
    finally:
        desk.running.stop()
        listening.cancel()
        writer.close()


async def serve(port: int = 0, root: Path | None = None) -> asyncio.Server:
    """A server that listens on a port (0: any free one); ``server.sockets[0].getsockname()`` tells which.

    Its callers may name files below `root`; None: no files.
    """
    warm_in_background(dice.LATE)
    bounds = Bounds(files=root is not None, root=root)
    return await asyncio.start_server(partial(talk, bounds), HERE, port, limit=LIMIT)


async def main(port: int, root: Path | None = None) -> None:
    """Serve until interrupted."""
    server = await serve(port, root)
    print(f"listening on {HERE}:{server.sockets[0].getsockname()[1]}", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        # not waited for: from Python 3.12 on that would last until every caller has left, and they are sent off later
        server.close()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 8765, *map(Path, sys.argv[2:3])))
