"""The search kernel: everything within a budget, cheapest first, over a compiled graph.

`search` answers one question and `batch` many on the same graph.  The loops are in `loops.py`; this file chooses the
queue (buckets for small costs, a heap for huge ones) and the tier (Python at once, numba where it pays), keeps the
working memory between questions, and hands the answer back in arrays that belong to the caller.

numba is never imported to answer one small question: starting it takes longer than thousands of small answers.  It is
used where it is imported already, after `warmup` (windows and servers call it in the background), for a batch, and
where some hundred thousand nodes are to be expected.

Searches may run in several threads at once, on one graph or on many: each takes a workspace of its own, and the
compiled tier releases the lock of the interpreter.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from tactical.search.compiled import Compiled
from tactical.search.result import Settled
from tactical.search.slices import keep_within_limit
from tactical.search.workspace import IDLE, NARROW, UNLIMITED, Shape, Workspace, shape_of

if TYPE_CHECKING:
    from tactical.search.compiled import Array

__all__ = [
    "ENGINES", "ROUNDINGS", "Settled", "available", "batch", "search", "warm_in_background", "warmup",
]  # fmt: skip

ENGINES = ("python", "numba")
ROUNDINGS = ("cover_full_cost", "enter_if_any_left", "first_cell")
"""What the numbers 0, 1 and 2 of `rounding` stand for."""

MOST_SETTINGS = 1000
"""Of so many kinds of questions a graph remembers what workspace they take."""

WORTH_COMPILING = 100_000
"""Nodes to be settled from which on the start of numba pays for itself within the question."""


def search(  # noqa: PLR0913
    compiled: Compiled,
    sources: Sequence[int],
    *,
    costs: Sequence[int] | None = None,
    budget: int | None = None,
    target: int = -1,
    rounding: int = 0,
    pool: int = 0,
    engine: str | None = None,
    closed: Array | None = None,
) -> Settled:
    """Everything that can be reached from `sources` for at most `budget` ticks.

    `costs` are the ticks already spent at each source (none: 0); a source above the budget is left out.  `budget`
    None is no limit.  With a `target` the search stops as soon as that node is settled.  `rounding`, see `ROUNDINGS`,
    says what a step does that the rest cannot pay; `pool` > 0 spends the budget in portions of so many ticks that no
    step may straddle. `engine` forces a tier; None chooses.  Nodes that are `closed`, none of them a source, are not
    entered.

    Raises ValueError for numbers out of range or an unknown engine, ImportError for ``engine="numba"`` without numba,
    `TooLong` where a `Limit` is over.
    """
    keep_within_limit()
    _validate(compiled, sources, costs)
    space = _borrow(compiled, engine or _choose(compiled, budget), budget, costs, rounding, pool)
    # one that was interrupted is not clean, and nobody gets it again
    found = space.ask(sources, costs, target, closed)
    space.give_back()
    return found


def batch(
    compiled: Compiled,
    sources: Iterable[int | Sequence[int]],
    budget: int | None = None,
    *,
    rounding: int = 0,
    pool: int = 0,
    engine: str | None = None,
) -> list[Settled]:
    """One search for each source (or group of sources) on the same graph, as for all tokens of a map.

    numba is used where it is installed, since a batch pays for its start.
    """
    keep_within_limit()
    questions = [[each] if isinstance(each, (int, np.integer)) else each for each in sources]
    for each in questions:
        _validate(compiled, each, None)
    engine = engine or ("numba" if available() and len(questions) > 1 else _choose(compiled, budget))
    space = _borrow(compiled, engine, budget, None, rounding, pool)
    found = space.ask_all(questions)
    space.give_back()
    return found


@cache
def available() -> bool:
    """Whether numba is installed (it is not imported to find out)."""
    return importlib.util.find_spec("numba") is not None


def warmup() -> bool:
    """Start the compiled tier now, for a program that will ask often; False where numba is not installed.

    It takes about a second, or several where there is no folder to keep compiled code in.  Questions asked meanwhile in
    other threads are answered by Python; afterwards all are answered by compiled code, with the same answers.
    """
    if not available():
        return False
    _warming.append(True)
    try:
        for kind in (np.uint8, np.uint16):
            small = Compiled(1, 2, 1, np.array([[2], [0]], kind), np.array([[1]], np.int64))
            search(small, [0], budget=1, engine="numba")
    finally:
        _warming.pop()
    return True


def warm_in_background(*late: str) -> Thread:
    """`warmup` in a thread of its own, which no program need wait for: what windows and servers do when they open.

    Before it modules are imported that are otherwise imported as `late` as a question needs them.  What the program is
    made of by then is no garbage and is not looked through for any again: a tenth of a second at a time otherwise.
    """

    def warming() -> None:
        for name in late:
            importlib.import_module(name)
        warmup()
        gc.freeze()

    thread = Thread(target=warming, name="tactical-warmup", daemon=True)
    thread.start()
    return thread


_warming: list[bool] = []


def _choose(compiled: Compiled, budget: int | None) -> str:
    """The tier for one question."""
    # half imported it would keep everybody waiting
    if "numba" in sys.modules and not _warming and available():
        return "numba"
    if compiled.nodes < WORTH_COMPILING:
        return "python"
    expected = compiled.nodes
    if budget is not None and (cheapest := compiled.cheapest()):
        # a square of the plane, in every layer
        expected = min(expected, compiled.layers * (2 * (budget // cheapest) + 1) ** 2)
    return "numba" if expected > WORTH_COMPILING and available() else "python"


def _validate(compiled: Compiled, sources: Sequence[int], costs: Sequence[int] | None) -> None:
    nodes = compiled.layers * compiled.cells
    for node in sources:
        if not 0 <= node < nodes:
            raise ValueError(f"source {node} is no node (there are {nodes})")
    if costs is not None and (len(costs) != len(sources) or any(not 0 <= cost < 2**62 for cost in costs)):
        raise ValueError("costs must be as many as sources, none negative")


def _validate_settings(engine: str, budget: int | None, rounding: int, pool: int) -> None:
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r} (known: {', '.join(ENGINES)})")
    if budget is not None and budget < 0:
        raise ValueError(f"a budget cannot be negative: {budget}")
    if not 0 <= rounding < len(ROUNDINGS):
        raise ValueError(f"rounding must be 0 to {len(ROUNDINGS) - 1}, not {rounding}")
    if pool < 0:
        raise ValueError(f"a pool cannot be negative: {pool}")


def _span(compiled: Compiled, budget: int | None, costs: Sequence[int] | None, pool: int) -> tuple[int, int]:
    """How far a step (or the sources) may reach ahead in cost, and the highest cost that can come up at all."""
    step = compiled.max_weight + pool
    low, high = (min(costs), max(costs)) if costs else (0, 0)
    longest = high + step * compiled.nodes + 1
    ceiling = longest if budget is None else min(budget, longest)
    return min(max(step, high - low), max(ceiling - low, 0)), ceiling


def _borrow(
    compiled: Compiled, engine: str, budget: int | None, costs: Sequence[int] | None, rounding: int, pool: int
) -> Workspace:
    """A workspace that nobody else is using, set up for these questions."""
    asked = engine, budget, rounding, pool, costs and (min(costs), max(costs)), compiled.max_weight
    found: tuple[Shape, int] | None = compiled.shapes.get(asked)
    if found is None:
        _validate_settings(engine, budget, rounding, pool)
        span = _span(compiled, budget, costs, pool)
        found = shape_of(compiled, engine, sum(span) > NARROW // 2), span[0]
        # the next question like it finds this without a check or reckoning
        if costs is None and len(compiled.shapes) < MOST_SETTINGS:
            compiled.shapes[asked] = found
    shape, ahead = found
    space = IDLE.take(shape) or Workspace(shape)
    space.serve(compiled)
    space.set_up(ahead, UNLIMITED if budget is None else budget, rounding, pool)
    return space
