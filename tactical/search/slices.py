"""Long searches in slices: generators that pause every so often, for those who must not wait."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

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
