"""Long searches in slices: generators that pause every so often, for those who must not wait."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from time import thread_time
from typing import Generic, TypeVar

T = TypeVar("T")
Slices = Generator[None, None, T]
"""A search that can be left alone between two steps; what it returns in the end is the answer."""
STEPS = 32
"""Labels settled in a slice."""


def whole(slices: Slices[T]) -> T:
    """The answer at once: all slices, one after another."""
    while True:
        try:
            next(slices)
        except StopIteration as end:
            answer: T = end.value
            return answer


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
