"""Reading files that somebody else wrote: never more than a limit, and nothing that has no end; writing them whole.

The size that a file states is not believed (a device states 0): one byte more than the limit is asked for.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import select
import stat
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

NO_WRITER = 2.0
"""Seconds to wait for the first writer of a pipe that nobody writes to."""
PART = 1 << 20
ENDING = ".tmp"
"""How the names of files end that are written beside another."""
LEFT = 3600.0
"""Seconds after which such a file is nobody's any more."""


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

    Raises `OSError`, which names the file asked for.  What is interrupted leaves nothing behind; what is killed leaves
    a hidden file, which the next one to write there takes away.
    """
    if target.exists() and not (target.is_file() or target.is_dir()):
        # a device would be gone, with a file in its place
        raise OSError(errno.EINVAL, "this is no file, and cannot be replaced by one", str(target))
    name = ""
    try:
        _sweep(target)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}-{_me()}-", suffix=ENDING, dir=target.parent)
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


def _me() -> str:
    """This process and its machine, as they stand in names of files."""
    machine = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return f"{os.getpid()}-{crc32(machine.encode()):08x}"


def _died(whose: str) -> bool:
    """Whether the process that `_me` named was one of this machine and has ended."""
    process, _, machine = whose.partition("-")
    if not process.isdigit() or machine != _me().partition("-")[2] or sys.platform == "win32":
        # another machine's, or none of ours; where asking about a process would end it nobody asks
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _sweep(target: Path) -> None:
    """Take away what was begun for a file by those who were killed, and what nobody has written on for an hour."""
    begun = re.compile(rf"\.{re.escape(target.name)}-(?:(\d+-[0-9a-f]{{8}})-)?\w{{8}}(?:{re.escape(ENDING)})?")
    with contextlib.suppress(OSError), os.scandir(target.parent) as found:
        for entry in found:
            match = begun.fullmatch(entry.name)
            if match is not None:
                with contextlib.suppress(OSError):
                    if _died(match[1] or "") or time.time() - entry.stat().st_mtime > LEFT:
                        os.unlink(entry.path)


def claim(path: Path) -> bool:
    """Make a file that says that this process has something; False where another one has it that still runs.

    Raises `OSError` where no file can be made.
    """
    for _ in range(2):
        try:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        except FileExistsError:
            with contextlib.suppress(OSError):
                whose, age = path.read_text(encoding="ascii").strip(), time.time() - path.stat().st_mtime
                if _died(whose) or (not whose and age > LEFT):
                    path.unlink()
                    continue
            return False
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(_me())
        return True
    return False


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
