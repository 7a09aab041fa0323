"""Who keeps a game in a file keeps it alone.

The system's own locks end with the process that holds them, however that ends, so none of them is ever stale.  On disks
and systems that have none a file beside says who keeps the game (``.game.jsonl.lock``: a process and its machine); it
is taken over where that process has died.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import BinaryIO

from tactical import files

if sys.platform == "win32":
    import msvcrt

    FAR = 1 << 62
    """The byte that is locked: behind the end of every game, as a locked one can be read by nobody else."""

    def _hold(file: BinaryIO) -> bool | None:
        at = file.tell()
        try:
            file.seek(FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(at)
        return True

    def _free(file: BinaryIO) -> None:
        with contextlib.suppress(OSError):
            file.seek(FAR)
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    try:
        import fcntl
    except ImportError:  # a system that is neither
        fcntl = None  # type: ignore[assignment]

    def _hold(file: BinaryIO) -> bool | None:
        """Whether the file is ours alone now; None where there are no locks."""
        if fcntl is None:
            return None
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            return None
        return True

    def _free(file: BinaryIO) -> None:
        # also where a forked process holds the same file open
        if fcntl is not None:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)


class Lock:
    """The right to keep a game in an open file.  `beside` is the file that says so where the system has no locks."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self.file, self.beside = file, path.with_name(f".{path.name}.lock")
        self.marked = False

    def take(self) -> bool:
        """Whether nobody else keeps a game in it; then nobody else can, until it is let go.  Raises `OSError`."""
        held = _hold(self.file)
        if held is None:
            held = self.marked = files.claim(self.beside)
        return held

    def let_go(self) -> None:
        """Let others have it."""
        # whoever is collected may find its file collected, and closed, before it: with that the lock has gone
        if not self.file.closed:
            _free(self.file)
        if self.marked:
            self.marked = False
            with contextlib.suppress(OSError):
                self.beside.unlink()

    @property
    def way_out(self) -> str:
        """What to do where it cannot be taken."""
        rest = f"; if none is running, remove {self.beside}" if self.beside.exists() else ""
        return f"close the program that keeps it, or keep this game under another name{rest}"
