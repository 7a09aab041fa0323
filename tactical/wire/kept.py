"""A kept game: everything that was done stands on the disk before anybody hears of it, in a file that is watched.

Before each line is added the file must be the one that was left: the same file under the same name, with the same
bytes.  If somebody wrote the same bytes again (a backup, a file that came back with its disk), the game goes on in it;
if it was deleted, it is written again; if it holds anything else, it belongs to somebody else and is left alone.
"""

from __future__ import annotations

import contextlib
import os
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from tactical import files
from tactical.errors import SaveError
from tactical.play.history import History
from tactical.play.saving import Failed
from tactical.wire import lines as form
from tactical.wire.lock import Lock

Mark = tuple[int, int, int, int]
"""By what a file is known again without reading it: device, number, size, time of its last change."""


def mark_of(stat: os.stat_result) -> Mark:
    """The mark of a file as it is now."""
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns


class Kept:
    """A game kept in a file.  Call it to end that; made by `Session.keep`.

    `path` is the file; `written` how many entries are on the disk and `behind` how many are not; `error` why, or None
    while all are.
    """

    def __init__(self, path: Path, history: History, failed: Failed | None = None) -> None:
        # the folder that a program works in may change while it plays
        self.path = path.absolute()
        self.failed, self.ended = failed, False
        self.written = 0
        self.error: SaveError | None = None
        self._history, self._chain = history, form.Chain()
        self._file: BinaryIO | None = None
        self._lock: Lock | None = None
        self._size, self._digest = 0, blake2b()
        self._mark: Mark | None = None
        form.refuse_others(self.path)
        self._refuse_shared()
        self._write_anew()

    @property
    def behind(self) -> int:
        """How many entries are in memory alone."""
        return len(self._history) - self.written

    def __call__(self) -> None:
        """End it.  What is not on the disk yet is tried a last time; `error` says if that failed."""
        with self._history.lock:
            if not self.ended and self.behind:
                self.catch_up()
            self.ended = True
            self._let_go()

    def __del__(self) -> None:
        self._let_go()

    def __repr__(self) -> str:
        return f"<Kept {str(self.path)!r}: {self.written} entries, {self.behind} behind>"

    # -- writing ------------------------------------------------------------------------------------------------------

    def catch_up(self) -> SaveError | None:
        """Write every entry since the last one written.  What went wrong, or None."""
        notice = None
        try:
            if self._is_there():
                self._append()
            else:
                self._write_anew()
                notice = SaveError(f"{self.path} was gone: the whole game has been written there again")
        except Exception as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            self._mark = None
            many = "1 entry is" if self.behind == 1 else f"{self.behind} entries are"
            way_out = "the game goes on and can be saved elsewhere"
            self.error = SaveError(f"{self.path}: {many} not saved: {why} ({way_out})")
            self.error.__cause__ = error
            return self.error
        self.error = None
        return notice

    def _append(self) -> None:
        count, chain = len(self._history), self._chain.copy()
        text = b"".join(form.since(self._history, self.written, chain))
        if self._file is None or self._mark is None or self._mark != mark_of(self.path.stat()):
            self._take(text)
        file = self._file
        assert file is not None
        try:
            file.seek(self._size)
            rest = memoryview(text)
            while rest:
                rest = rest[file.write(rest) :]
            file.truncate()
            os.fsync(file.fileno())
        except BaseException:
            # a torn line does no harm, but as long as the game is behind the file may as well be whole
            self._mark = None
            with contextlib.suppress(OSError):
                file.truncate(self._size)
            raise
        now = os.fstat(file.fileno())
        if not os.path.samestat(now, self.path.stat()):
            raise SaveError("the file was replaced by another")
        digest = self._digest.copy()
        digest.update(text)
        self._size, self._digest, self.written, self._mark = self._size + len(text), digest, count, mark_of(now)
        self._chain = chain

    def _write_anew(self) -> None:
        self._let_go()
        count, chain = len(self._history), form.Chain()
        parts = list(form.lines(self._history, chain=chain, folder=self.path.parent))
        files.put(self.path, parts)
        self._digest = blake2b(b"".join(parts))
        self._size, self.written, self._chain = sum(map(len, parts)), count, chain
        self._take(b"")

    # -- the file -----------------------------------------------------------------------------------------------------

    def _is_there(self) -> bool:
        try:
            self.path.stat()
        except FileNotFoundError:
            return False
        return True

    def _refuse_shared(self) -> None:
        with contextlib.suppress(OSError):
            if self.path.is_file():
                with self.path.open("rb", buffering=0) as file:
                    lock = Lock(self.path, file)
                    if not lock.take():
                        raise SaveError(f"{self.path}: another game is being kept in this file: {lock.way_out}")
                    lock.let_go()

    def _take(self, coming: bytes) -> None:
        """Open the file under our name, if it holds what was written and at most a beginning of what is `coming`."""
        self._let_go()
        file = self.path.open("r+b", buffering=0)
        try:
            lock = Lock(self.path, file)
            if not lock.take():
                raise SaveError("another program keeps its game in this file now")
            self._lock = lock
            found = file.read()
            if len(found) < self._size:
                raise SaveError("somebody else has written in this file, or it has lost its end")
            same = blake2b(found[: self._size]).digest() == self._digest.digest()
            if not same or not coming.startswith(found[self._size :]):
                raise SaveError("somebody else has written in this file")
            self._mark = mark_of(os.fstat(file.fileno()))
        except BaseException:
            self._file = file
            self._let_go()
            raise
        self._file = file

    def _let_go(self) -> None:
        file, self._file, self._mark = getattr(self, "_file", None), None, None
        lock, self._lock = getattr(self, "_lock", None), None
        if lock is not None:
            lock.let_go()
        if file is not None:
            file.close()
