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

import importlib.util
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import pairwise
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.search import loops
from tactical.search.compiled import Compiled
from tactical.search.result import Settled

if TYPE_CHECKING:
    from tactical.search.compiled import Array

__all__ = [
    "ENGINES", "ROUNDINGS", "Settled", "Workspace", "available", "batch", "search", "warm_in_background", "warmup",
]  # fmt: skip

ENGINES = ("python", "numba")
ROUNDINGS = ("cover_full_cost", "enter_if_any_left", "first_cell")
"""What the numbers 0, 1 and 2 of `rounding` stand for."""

NARROW, WIDE = 2**32 - 1, 2**64 - 1
"""The number that stands for "none" and "not reached" in a workspace of 32 bits and in one of 64."""

UNLIMITED = 2**62
WIDEST_RING = 4096
"""Steps of more ticks than this go to the heap: walking over empty buckets would cost more than keeping it in order."""

FIRST_ROOM = 16384
"""Entries there is room for at first; a search that makes more gets four times as many and starts again."""

MANY_ROWS = 1 << 16
"""Rows of answers that a batch gathers (beyond one whole map) before they are handed out."""

WORTH_COMPILING = 100_000
"""Nodes to be settled from which on the start of numba pays for itself within the question."""


def search(
    compiled: Compiled,
    sources: Sequence[int],
    *,
    costs: Sequence[int] | None = None,
    budget: int | None = None,
    target: int = -1,
    rounding: int = 0,
    pool: int = 0,
    engine: str | None = None,
) -> Settled:
    """Everything that can be reached from `sources` for at most `budget` ticks.

    `costs` are the ticks already spent at each source (none: 0); a source above the budget is left out.  `budget`
    None is no limit.  With a `target` the search stops as soon as that node is settled.  `rounding`, see `ROUNDINGS`,
    says what a step does that the rest cannot pay; `pool` > 0 spends the budget in portions of so many ticks that no
    step may straddle. `engine` forces a tier; None chooses.

    Raises ValueError for numbers out of range or an unknown engine, ImportError for ``engine="numba"`` without numba.
    """
    _validate(compiled, sources, costs, budget, rounding, pool)
    space = _borrow(compiled, engine or _choose(compiled, budget), budget, costs, rounding, pool)
    try:
        return space.ask(sources, costs, target)
    finally:
        space.give_back()


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
    questions = [[each] if isinstance(each, (int, np.integer)) else each for each in sources]
    for each in questions:
        _validate(compiled, each, None, budget, rounding, pool)
    engine = engine or ("numba" if available() and len(questions) > 1 else _choose(compiled, budget))
    space = _borrow(compiled, engine, budget, None, rounding, pool)
    try:
        return space.ask_all(questions)
    finally:
        space.give_back()


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


def warm_in_background() -> Thread:
    """`warmup` in a thread of its own, which no program need wait for: what windows and servers do when they open."""
    thread = Thread(target=warmup, name="tactical-warmup", daemon=True)
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


def _validate(
    compiled: Compiled,
    sources: Sequence[int],
    costs: Sequence[int] | None,
    budget: int | None,
    rounding: int,
    pool: int,
) -> None:
    nodes = compiled.nodes
    for node in sources:
        if not 0 <= node < nodes:
            raise ValueError(f"source {node} is no node (there are {nodes})")
    if costs is not None and (len(costs) != len(sources) or any(not 0 <= cost < 2**62 for cost in costs)):
        raise ValueError("costs must be as many as sources, none negative")
    if budget is not None and budget < 0:
        raise ValueError(f"a budget cannot be negative: {budget}")
    if not 0 <= rounding < len(ROUNDINGS):
        raise ValueError(f"rounding must be 0 to {len(ROUNDINGS) - 1}, not {rounding}")
    if pool < 0:
        raise ValueError(f"a pool cannot be negative: {pool}")


# --- the tiers ---


@cache
def _loop(engine: str, queue: str) -> Callable[..., int]:
    """The loop of a queue in a tier."""
    plain: Callable[..., int] = getattr(loops, queue)
    if engine == "python":
        return plain
    if engine != "numba":
        raise ValueError(f"unknown engine {engine!r} (known: {', '.join(ENGINES)})")
    import numba
    from numba.extending import register_jitable

    if not _HELPERS:
        _HELPERS.extend(register_jitable(each) for each in (loops.price, loops.sift_up, loops.sift_down, loops.dial))
    try:
        jitted: Callable[..., int] = numba.njit(cache=True, nogil=True)(plain)
    except RuntimeError:
        # no folder to keep compiled code in (a container, a service user): compile anew in each process
        jitted = numba.njit(nogil=True)(plain)
    return jitted


_HELPERS: list[Any] = []


def _tables(compiled: Compiled, engine: str) -> tuple[Any, ...]:
    """The graph's arrays as the loops of a tier want them; made once for a graph and kept."""
    found = compiled.kept.get(("tables", engine))
    if found is None:
        extras = (compiled.extra_start, compiled.extra_target, compiled.extra_ticks)
        weight = np.ascontiguousarray(compiled.weight).reshape(-1)
        if engine == "numba":
            # unsigned all through: no negative index to test for, and offsets backwards wrap round
            whole = weight.view(np.uint64) if weight.dtype == np.int64 else weight
            found = (whole, *(_unsigned(part) for part in (compiled.offset.reshape(-1), *extras)))
        else:
            flat = weight.tobytes() if weight.dtype == np.uint8 else memoryview(weight.data)
            found = (flat, compiled.offset.reshape(-1).tolist(), *([] if x is None else x.tolist() for x in extras))
        compiled.kept["tables", engine] = found
    return found


def _unsigned(part: Array | None) -> Array:
    if part is None:
        return np.zeros(1, dtype=np.uint64)
    return np.ascontiguousarray(part, dtype=np.int64).view(np.uint64)


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
    settings = engine, budget, rounding, pool, costs and (min(costs), max(costs)), compiled.max_weight
    idle: list[Workspace] | None = compiled.spaces.get(settings)
    if idle is None:
        if engine not in ENGINES:
            raise ValueError(f"unknown engine {engine!r} (known: {', '.join(ENGINES)})")
        wide = sum(_span(compiled, budget, costs, pool)) > NARROW // 2
        # all questions of a width share their workspaces; under its settings each finds them without reckoning
        idle = compiled.spaces.setdefault((engine, wide), [])
        if costs is None and len(compiled.spaces) < 1000:
            compiled.spaces[settings] = idle
    try:
        space = idle.pop()
    except IndexError:
        wide = sum(_span(compiled, budget, costs, pool)) > NARROW // 2
        space = Workspace(compiled, engine, wide, idle)
    if space.compiled is not compiled:
        space.serve(compiled)
    if space.settings != settings:
        space.set_up(_span(compiled, budget, costs, pool)[0], UNLIMITED if budget is None else budget, rounding, pool)
        space.settings = settings
    return space


class Workspace:
    """The working memory of a search on one graph, kept between questions because clearing it is the dear part.

    Everything is of one width, 32 bits or 64, and `none` is the highest number of that width.  Entries and answers are
    four numbers each: node, cost or place of the parent … as `loops.py` has them.
    """

    __slots__ = ("capacity", "compiled", "fixed", "frontier", "gathered", "idle",
                 "jitted", "kind", "loop", "none", "numbers",
                 "out", "queue", "ring", "seeds", "settings", "sources")  # fmt: skip

    def __init__(self, compiled: Compiled, engine: str, wide: bool, idle: list[Workspace]) -> None:
        nodes = compiled.nodes
        extras = 0 if compiled.extra_target is None else len(compiled.extra_target)
        # an entry is addressed by four times its number
        if 4 * (nodes * compiled.slots + extras + 1) >= (WIDE if wide else NARROW):
            raise ValueError(f"{nodes} nodes with {compiled.slots} slots are more than this search can number")
        self.compiled, self.idle = compiled, idle
        self.jitted = engine == "numba"
        self.none = WIDE if wide else NARROW
        self.kind: Any = np.uint64 if wide else np.uint32
        self.numbers: Any = self.full(len(loops.NUMBERS), 0, np.uint64)
        self.numbers[:10] = [0, 1, 2, 3, 4, self.none, compiled.cells, compiled.layers, compiled.slots, extras]
        self.out = self.blank(4 * nodes)
        self.sources, self.seeds = self.blank(2), 1
        self.ring: Any = self.full(0, self.none)
        self.gathered: Any = None
        self.queue = ""
        self.settings: tuple[Any, ...] = ()
        tables = _tables(compiled, engine)
        self.fixed = self.numbers, *tables, self.full(nodes, self.none)
        self.provide(FIRST_ROOM)

    def serve(self, compiled: Compiled) -> None:
        """Search another graph of the same shape from now on."""
        self.compiled = compiled
        self.fixed = self.numbers, *_tables(compiled, "numba" if self.jitted else "python"), self.fixed[-1]

    def full(self, count: int, value: int, kind: Any = None) -> Any:
        """An array (for numba) or a list (for Python, which reads lists fastest), filled."""
        return np.full(count, value, kind or self.kind) if self.jitted else [value] * count

    def blank(self, count: int) -> Any:
        """As `full`, with any contents: memory that is not touched costs nothing."""
        return np.empty(count, self.kind) if self.jitted else [0] * count

    def provide(self, capacity: int) -> None:
        """Make room for so many entries."""
        self.capacity = capacity
        self.numbers[17] = 4 * capacity
        self.frontier = self.blank(4 * capacity), self.blank(2 * capacity) if self.queue == "heap" else self.ring

    def set_up(self, span: int, budget: int, rounding: int, pool: int) -> None:
        """Choose the queue and note what the questions have in common."""
        numbers = self.numbers
        numbers[10], numbers[12], numbers[13] = min(budget, UNLIMITED), rounding, pool
        queue = "dial" if span <= WIDEST_RING else "heap"
        if queue == "dial" and len(self.ring) <= 2 * span:
            size = 1 << span.bit_length()
            self.ring = self.full(2 * size, self.none)
            numbers[16] = size - 1
            self.queue = ""
        if queue != self.queue:
            self.queue = queue
            self.loop = _loop("numba" if self.jitted else "python", queue)
            self.provide(self.capacity)

    def ask(self, sources: Sequence[int], costs: Sequence[int] | None, target: int) -> Settled:
        """Run the loop for one question and copy the answer out."""
        numbers, count = self.numbers, len(sources)
        if count > self.seeds:
            self.sources, self.seeds = self.blank(2 * count), count
            if count > self.capacity:
                self.provide(count)
        seeds = self.sources
        for i in range(count):
            seeds[2 * i] = sources[i]
            seeds[2 * i + 1] = costs[i] if costs else 0
        numbers[11] = target if target >= 0 else self.none
        numbers[14] = count
        numbers[15] = min(costs) if costs else 0
        while (settled := self.loop(*self.fixed, seeds, *self.frontier, self.out)) == self.none:
            # each step makes at most one entry, so this ends
            self.provide(self.capacity * 4)
        found = self.out[: 4 * settled]
        block = found.copy() if self.jitted else np.array(found, self.kind)
        return Settled(self.compiled, block.view(np.int32 if self.kind is np.uint32 else np.int64).reshape(-1, 4))

    def ask_all(self, questions: Sequence[Sequence[int]]) -> list[Settled]:
        """Answer many questions, in the compiled tier by one call that holds no lock of the interpreter."""
        if not self.jitted or self.queue != "dial" or len(questions) < 2 or any(len(each) != 1 for each in questions):
            return [self.ask(each, None, -1) for each in questions]
        numbers, rows = self.numbers, self.compiled.nodes + MANY_ROWS
        if self.gathered is None or len(self.gathered) != 4 * rows:
            self.gathered = self.blank(4 * rows)
        out, ends = self.gathered, self.blank(len(questions))
        numbers[11], numbers[14], numbers[15], numbers[19] = self.none, 1, 0, 4 * rows
        loop = _loop("numba", "many")
        answers: list[Settled] = []
        view = np.int32 if self.kind is np.uint32 else np.int64
        while len(answers) < len(questions):
            asked = questions[len(answers) :]
            sources = np.zeros((len(asked), 2), self.kind)
            sources[:, 0] = [each[0] for each in asked]
            numbers[20] = sources.size
            ends[:] = 0
            done = loop(*self.fixed, sources.reshape(-1), *self.frontier, out, ends)
            if done < len(asked) and ends[done] == self.none:
                self.provide(self.capacity * 4)
            if not done:
                continue
            places = [0, *(ends[:done] // 4).tolist()]
            block = out[: 4 * places[-1]].copy().view(view).reshape(-1, 4)
            answers += [Settled(self.compiled, block[a:b]) for a, b in pairwise(places)]
        numbers[18] = 0
        return answers

    def give_back(self) -> None:
        """Let the next question have this workspace."""
        self.idle.append(self)
