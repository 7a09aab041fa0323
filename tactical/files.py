"""Reading files that somebody else wrote: never more than a limit, and nothing that has no end; writing them whole.

The size that a file states is not believed (a device states 0): one byte more than the limit is asked for.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

NO_WRITER = 2.0
"""Seconds to wait for the first writer of a pipe that nobody writes to."""
PART = 1 << 20


class TooLarge(OSError):
    """There is more in the file than may be read."""

    def __init__(self, name: str, limit: int, size: int = 0) -> None:
        has = f"has {size} bytes" if size > limit else "has no end in sight"
        super().__init__(errno.EFBIG, f"the file {has}, more than the limit of {limit}", name)


def read(path: str | Path, limit: int, *, pipes: bool = False) -> bytes:
    """The whole of a file.  `pipes`: one that a person named may also be a pipe (``<(command)``), which is read to
    its end, but not waited for where nobody writes to it.

    Raises `TooLarge`, and `OSError` for what cannot be read: a folder, a device, a socket.
    """
    name = str(path)
    # a pipe without a writer, and some devices, would hold back the opening itself
    handle = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        found = os.fstat(handle)
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        pipe = stat.S_ISFIFO(found.st_mode)
        if not stat.S_ISREG(found.st_mode) and not (pipe and pipes):
            raise OSError(errno.EINVAL, "it is no file but a device or a pipe", name)
        if found.st_size > limit:
            raise TooLarge(name, limit, found.st_size)
        data = bytearray()
        while len(data) <= limit:
            wanted = min(PART, limit + 1 - len(data))
            part = _of_pipe(handle, wanted, name, begun=bool(data)) if pipe else os.read(handle, wanted)
            if not part:
                return bytes(data)
            data += part
        raise TooLarge(name, limit)
    finally:
        os.close(handle)


def _of_pipe(handle: int, wanted: int, name: str, *, begun: bool) -> bytes:
    """What comes next out of a pipe; nothing at its end."""
    patience = time.monotonic() + NO_WRITER
    while True:
        try:
            part = os.read(handle, wanted)
        except BlockingIOError:
            # somebody holds the other end and has not written yet: that may take its time, as in any pipeline
            select.select([handle], [], [])
            begun = True
            continue
        if part or begun:
            return part
        if time.monotonic() > patience:
            raise OSError(errno.EPIPE, "it is a pipe that nobody writes to", name)
        time.sleep(0.02)


def put(target: Path, parts: Iterable[bytes]) -> None:
    """Write a file beside and move it into place: it is there whole, or as it was before.

    Raises `OSError`, which names the file asked for.  What is interrupted leaves nothing behind.
    """
    name = ""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, _mode(target))
        Path(name).replace(target)
    except BaseException as error:
        if name:
            with contextlib.suppress(OSError):
                Path(name).unlink()
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(target)) from error
        raise
    settle(target.parent)


def _mode(target: Path) -> int:
    """Who may do what with a file: as with the one it takes the place of, or as with any new one."""
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def settle(folder: Path) -> None:
    """Have the disk note a name: without it a power cut may bring the file before back, where folders can be told."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
