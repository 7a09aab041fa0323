"""Long searches in slices: generators that pause every so often, for those who must not wait."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextvars import ContextVar, Token
from functools import wraps
from time import thread_time
from typing import Generic, ParamSpec, TypeVar

from tactical.errors import TooLong

P = ParamSpec("P")
T = TypeVar("T")
Slices = Generator[None, None, T]
"""A search that can be left alone between two steps; what it returns in the end is the answer."""
STEPS = 32
"""Labels settled in a slice."""


def whole(slices: Slices[T]) -> T:
    """The answer at once: all slices, one after another.  Raises `TooLong` where a `Limit` is in force that says so."""
    while True:
        keep_within_limit()
        try:
            next(slices)
        except StopIteration as end:
            answer: T = end.value
            return answer


def at_once(asked: Callable[P, Slices[T]]) -> Callable[P, T]:
    """A question in slices as one that is answered at once."""

    @wraps(asked)
    def answer(*args: P.args, **keywords: P.kwargs) -> T:
        return whole(asked(*args, **keywords))

    return answer


class Limit:
    """What questions may take: a context, within which every question of this thread ends in time, or in `TooLong`.

        with Limit(seconds=2.0):
            reach(battlemap, "raven", turns=20).costs

    `seconds` are of the processor's time, all questions within the context together (None: as long as they take).
    They are looked at between the slices of a question, some thousandths of a second apart, on very large maps some
    tenths.  `cancel`, which any thread may call, gives up what is asked within.  Nothing is lost by it: maps and games
    are as they were before the question, and it may be asked again.  Raises `ValueError` for seconds not over 0.
    """

    def __init__(self, seconds: float | None = None) -> None:
        if seconds is not None and (isinstance(seconds, (str, bool)) or not seconds > 0):
            raise ValueError(f"seconds must be a number greater than 0, not {seconds!r}")
        self.seconds = seconds
        self._end: float | None = None
        self._off = False
        self._token: Token[Limit | None] | None = None
        self._outer: Limit | None = None

    def __enter__(self) -> Limit:
        self._outer = _LIMIT.get()
        self._end = None if self.seconds is None else thread_time() + self.seconds
        self._token = _LIMIT.set(self)
        return self

    def __exit__(self, *raised: object) -> None:
        assert self._token is not None
        _LIMIT.reset(self._token)

    def cancel(self) -> None:
        """Give up what is asked within, now and later."""
        self._off = True

    def check(self) -> None:
        """Raise `TooLong` where the time is over, or the question called off; an outer limit holds as well."""
        if self._off:
            raise TooLong("the question was called off", cancelled=True)
        if self._end is not None and thread_time() > self._end:
            raise TooLong(
                f"the question took more than {self.seconds:g} s and was given up: ask for less, or allow more"
            )
        if self._outer is not None:
            self._outer.check()


_LIMIT: ContextVar[Limit | None] = ContextVar("limit", default=None)


def keep_within_limit() -> None:
    """Raise `TooLong` where the `Limit` in force, if there is one, says so."""
    limit = _LIMIT.get()
    if limit is not None:
        limit.check()


class Work(Generic[T]):
    """A question that is answered in slices: `more` while there is more to do, then `answer` is there.

    `seconds` is how long it has taken so far, the pauses left out.
    """

    def __init__(self, slices: Slices[T]) -> None:
        self.slices, self.more, self.seconds = slices, True, 0.0
        self.answer: T | None = None

    def on(self, seconds: float | None) -> None:
        """Go on for so long at about (None: to the end).  What the question raises ends it."""
        begun = now = thread_time()
        try:
            while self.more and (seconds is None or now <= begun + seconds):
                next(self.slices)
                now = thread_time()
        except StopIteration as found:
            self.answer, self.more = found.value, False
        except BaseException:
            self.more = False
            raise
        finally:
            self.seconds += thread_time() - begun


def worked(work: Iterator[None], seconds: float) -> bool:
    """Go on with some work for so long at about; True while there is more to do."""
    end = thread_time() + seconds
    return any(thread_time() >= end for _ in work)
