"""The request that a desk is at, how long it may take, and which requests their caller has called off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from tactical.errors import TooLong
from tactical.search.slices import Limit

LONGEST = 1000
"""Bytes of the longest line that may be a ``cancel``."""


class Running:
    """What a desk is at.  All but `under` may be called by other threads than the one that answers."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._request: object = None
        self._limit: Limit | None = None
        self._off: set[object] = set()
        self._ended: set[object] = set()
        self._stopped = False

    @contextmanager
    def under(self, request: object, seconds: float | None) -> Iterator[None]:
        """While a request is answered: it ends in `TooLong` after so many seconds, or once it is called off."""
        limit = Limit(seconds)
        with self._lock:
            self._request, self._limit = request, limit
            if self._stopped or request in self._off:
                limit.cancel()
        try:
            with limit:
                limit.check()
                yield
        except TooLong as error:
            if error.cancelled:
                with self._lock:
                    self._ended.add(request)
            raise
        finally:
            with self._lock:
                self._request = self._limit = None

    def heed(self, line: bytes) -> None:
        """Look at a line as soon as it has come, while others are still to be answered: is it a ``cancel``?"""
        if b'"cancel"' not in line[:LONGEST] or len(line) > LONGEST:
            return
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(data, dict) or data.get("do") != "cancel" or not isinstance(data.get("of"), (int, str)):
            return
        with self._lock:
            self._off.add(data["of"])
            if self._limit is not None and self._request == data["of"]:
                self._limit.cancel()

    def answered(self, request: object) -> bool:
        """All that came before the ``cancel`` of a request has been answered: who uses its id again means another.

        Says whether that request ended because of it: not one that was answered already, or never came.
        """
        with self._lock:
            ended = request in self._ended
            self._off.discard(request)
            self._ended.discard(request)
        return ended

    def stop(self) -> None:
        """Give up what is under way and whatever comes: the caller has left."""
        with self._lock:
            self._stopped = True
            if self._limit is not None:
                self._limit.cancel()
