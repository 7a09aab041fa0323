"""The search kernel: everything within a budget, cheapest first, over a compiled graph.

`search` answers one question and `batch` many on the same graph.  The loops are in `loops.py`; this file chooses the
queue (buckets for small costs, a heap for huge ones) and the tier (Python at once, numba where it pays), keeps the
working memory between questions, and hands the answer back in arrays that belong to the caller.

numba is never imported to answer one small question: starting it takes longer than thousands of small answers.  It is
used where it is imported already, after `warmup`, for a batch, and where some hundred thousand nodes are to be
expected.

Searches may run in several threads at once, on one graph or on many: each takes a workspace of its own, and the
compiled tier releases the lock of the interpreter. """

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from tactical.movement import loops
from tactical.movement.compiled import Array, Compiled

ENGINES = ("python", "numba")
ROUNDINGS = ("cover_full_cost", "enter_if_any_left", "first_cell")
"""What the numbers 0, 1 and 2 of `rounding` stand for."""

NONE = 2**32 - 1
NARROW, WIDE = 2**32 - 1, 2**63 - 1
WIDEST_RING = 4096
"""Steps of more ticks than this go to the heap: walking over empty buckets would cost more than keeping it in order."""

WORTH_COMPILING = 100_000
"""Nodes to be settled from which on the start of numba pays for itself within the question."""


class Settled:
    """Every node a search has reached, cheapest first, in arrays that are yours to keep.

    `node` and `cost` (ticks) tell which and for how much; `parent` is the *position* in these arrays from which it was
    reached (-1: a source) and `slot` the step used: a direction of the stencil, or `slots` + the index of an extra
    step (-1: a source).  Nodes of equal cost stand in the order in which they were first offered that cost. """

    __slots__ = ("_place", "compiled", "cost", "node", "parent", "slot")

    def __init__(self, compiled: Compiled, node: Array, cost: Array, parent: Array, slot: Array) -> None:
        self.compiled, self.node, self.cost, self.parent, self.slot = compiled, node, cost, parent, slot
        self._place: dict[int, int] | None = None

    def __len__(self) -> int:
        return len(self.node)

    def __contains__(self, node: object) -> bool:
        return node in self.places

    @property
    def pred(self) -> Array:
        """The node each was reached from; -1 for a source."""
        if not len(self.node):
            return self.parent
        return np.where(self.parent < 0, -1, self.node[self.parent])

    @property
    def places(self) -> dict[int, int]:
        """Where each node stands in the arrays; worked out at the first look."""
        if self._place is None:
            self._place = dict(zip(self.node.tolist(), range(len(self.node)), strict=True))
        return self._place

    @property
    def dist(self) -> Mapping[int, int]:
        """Node to ticks, cheapest first, without a dictionary being built until somebody looks a node up."""
        return Distances(self)

    def cost_of(self, node: int) -> int | None:
        """The ticks to `node`; None where it was not reached."""
        place = self.places.get(node)
        return None if place is None else int(self.cost[place])

    def dense(self, fill: int = -1) -> Array:
        """The ticks to every node of the graph in one array, `fill` where it was not reached."""
        out = np.full(self.compiled.nodes, fill, dtype=np.int64)
        out[self.node] = self.cost
        return out

    def path_to(self, node: int) -> list[int]:
        """The nodes from a source to `node`, both included.  KeyError where it was not reached."""
        return [int(self.node[place]) for place in self.trail(node)]

    def trail(self, node: int) -> list[int]:
        """As `path_to`, but positions in the arrays, so that costs and slots can be read along the way."""
        place = self.places[node]
        out = []
        parent = self.parent
        while place >= 0:
            out.append(place)
            place = int(parent[place])
        out.reverse()
        return out

    def to_dict(self) -> dict[int, int]:
        """Node to ticks as a plain dictionary, cheapest first."""
        return dict(zip(self.node.tolist(), self.cost.tolist(), strict=True))


class Distances(Mapping[int, int]):
    """Node to ticks, read from the arrays of a `Settled`."""

    __slots__ = ("_settled",)

    def __init__(self, settled: Settled) -> None:
        self._settled = settled

    def __getitem__(self, node: int) -> int:
        return int(self._settled.cost[self._settled.places[node]])

    def __iter__(self) -> Iterator[int]:
        return iter(self._settled.node.tolist())

    def __len__(self) -> int:
        return len(self._settled)


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
        return [space.ask(each, None, -1) for each in questions]
    finally:
        space.give_back()


@cache
def available() -> bool:
    """Whether numba is installed (it is not imported to find out)."""
    return importlib.util.find_spec("numba") is not None


def warmup() -> bool:
    """Start the compiled tier now, for a server or a window that will ask often; False where numba is not installed."""
    if not available():
        return False
    small = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]], np.int64))
    search(small, [0], budget=1, engine="numba")
    return True


def _choose(compiled: Compiled, budget: int | None) -> str:
    """The tier for one question."""
    if "numba" in sys.modules and available():
        return "numba"
    if compiled.nodes < WORTH_COMPILING:
        return "python"
    expected = compiled.nodes
    if budget is not None and (cheapest := compiled.cheapest()):
        # a square of the plane, in every layer
        expected = min(expected, compiled.layers * (2 * (budget // cheapest) + 1) ** 2)
    return "numba" if expected > WORTH_COMPILING and available() else "python"


def _validate(
    compiled: Compiled, sources: Sequence[int], costs: Sequence[int] | None, budget: int | None, rounding: int, pool:
    int
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
        _HELPERS.extend(register_jitable(each) for each in (loops.price, loops.sift_up, loops.sift_down))
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
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r} (known: {', '.join(ENGINES)})")
    span, ceiling = _span(compiled, budget, costs, pool)
    wide = ceiling + span >= NARROW - 1
    idle: list[Workspace] = compiled.kept.setdefault(("spaces", engine, wide), [])
    try:
        space = idle.pop()
    except IndexError:
        space = Workspace(compiled, engine, wide, idle)
    space.set_up(span, WIDE - 1 if budget is None else min(budget, WIDE - 1), rounding, pool)
    return space


class Workspace:
    """The working memory of a search on one graph, kept between questions because clearing it is the dear part."""

    def __init__(self, compiled: Compiled, engine: str, wide: bool, idle: list[Workspace]) -> None:
        if compiled.nodes >= NONE or compiled.number_of_steps() + compiled.slots >= NONE:
            raise ValueError("a graph of more than 2**32 nodes or steps is more than this search can number")
        self.compiled, self.engine, self.idle = compiled, engine, idle
        self.jitted = engine == "numba"
        self.infinite = WIDE if wide else NARROW
        self.room = nodes = compiled.nodes
        self.dist = self.full(nodes, self.infinite, np.uint64 if wide else np.uint32)
        self.out: list[Any] = [self.blank(nodes, np.int32), self.blank(nodes, np.int64)]
        self.out += [self.blank(nodes, np.int32), self.blank(nodes, np.int32)]
        extras = compiled.extra_target is not None and len(compiled.extra_target) > 0
        first = {
            "one": 1, "none": NONE, "inf": self.infinite, "cells": compiled.cells, "layers": compiled.layers,
            "slots": compiled.slots, "extras": int(extras),
        }  # fmt: skip
        names = loops.NUMBERS
        self.numbers = self.full(len(names), 0, np.uint64)
        for name, value in first.items():
            self.numbers[names.index(name)] = value
        self.head: Any = self.full(0, 0, np.uint32)
        self.tail: Any = self.head
        self.heap_cost: Any = None
        self.queue = "dial"
        self.provide(min(nodes + 64, 4096))
        self.provide_sources(1)

    def full(self, count: int, value: int, kind: Any) -> Any:
        """An array (for numba) or a list (for Python, which reads lists fastest), filled."""
        return np.full(count, value, kind) if self.jitted else [value] * count

    def blank(self, count: int, kind: Any) -> Any:
        """As `full`, with any contents: memory that is not touched costs nothing."""
        return np.empty(count, kind) if self.jitted else [0] * count

    def provide(self, capacity: int) -> None:
        """Make room for so many entries."""
        self.capacity = capacity
        self.numbers[15] = capacity
        self.entries = [self.blank(capacity, np.uint32) for _ in range(4)]
        self.heap_cost = None

    def provide_sources(self, count: int) -> None:
        self.source_node, self.source_cost = self.blank(count, np.uint32), self.blank(count, np.uint64)

    def set_up(self, span: int, budget: int, rounding: int, pool: int) -> None:
        """Choose the queue and note what the questions have in common."""
        numbers = self.numbers
        numbers[8], numbers[10], numbers[11] = budget, rounding, pool
        self.queue = "dial" if span <= WIDEST_RING else "heap"
        if self.queue == "dial" and len(self.head) <= span:
            size = 1 << span.bit_length()
            self.head, self.tail = self.full(size, NONE, np.uint32), self.blank(size, np.uint32)
            numbers[14] = size - 1
        self.loop = _loop(self.engine, self.queue)
        self.tables = _tables(self.compiled, self.engine)

    def ask(self, sources: Sequence[int], costs: Sequence[int] | None, target: int) -> Settled:
        """Run the loop for one question and copy the answer out."""
        numbers, count = self.numbers, len(sources)
        if count > len(self.source_node):
            self.provide_sources(count)
        for i in range(count):
            self.source_node[i] = sources[i]
            self.source_cost[i] = costs[i] if costs else 0
        numbers[9] = target if target >= 0 else NONE
        numbers[12] = count
        numbers[13] = min(costs) if costs else 0
        if count > self.capacity:
            self.provide(count)
        while (settled := int(self.run())) == NONE:
            # each step makes at most one entry, so this ends
            self.provide(self.capacity * 4)
        node, cost, parent, slot = (part[:settled] for part in self.out)
        if self.jitted:
            return Settled(self.compiled, node.copy(), cost.copy(), parent.copy(), slot.copy())
        return Settled(
            self.compiled, np.array(node, np.int32), np.array(cost, np.int64), _signed(parent), _signed(slot)
        )

    def run(self) -> int:
        """One run of the loop over the present memory."""
        if self.queue == "dial":
            frontier = (*self.entries, self.head, self.tail)
        else:
            if self.heap_cost is None:
                self.heap_cost = self.blank(self.capacity, np.uint64)
            frontier = (*self.entries, self.heap_cost)
        return self.loop(
            self.numbers, *self.tables, self.dist, *frontier, self.source_node, self.source_cost, *self.out
        )

    def give_back(self) -> None:
        """Let the next question have this workspace."""
        self.idle.append(self)


def _signed(part: list[int]) -> Array:
    """`NONE` as -1, as the compiled tier's 32 bits have it."""
    return np.array(part, np.uint32).view(np.int32)
