"""The working memory of a search, and where what nobody is using waits for the next question.

A workspace belongs to no graph: any that is large enough serves.  So what a program holds does not grow with the number
of graphs it has asked.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.search import loops
from tactical.search.compiled import Compiled
from tactical.search.result import Settled

if TYPE_CHECKING:
    from tactical.search.compiled import Array

NARROW, WIDE = 2**32 - 1, 2**64 - 1
"""The number that stands for "none" and "not reached" in a workspace of 32 bits and in one of 64."""

UNLIMITED = 2**62
WIDEST_RING = 4096
"""Steps of more ticks than this go to the heap: walking over empty buckets would cost more than keeping it in order."""

FIRST_ROOM = 16384
"""Entries there is room for at first; a search that makes more gets four times as many and starts again."""

MANY_ROWS = 1 << 16
"""Rows of answers that a batch gathers (beyond one whole map) before they are handed out."""

MOST_IDLE = 24 << 20
"""Bytes of workspaces that are kept for questions to come."""
ROUNDED = 1 << 15
"""Up to so many nodes a workspace has room for a power of two."""

Shape = tuple[str, bool, int]
"""What a workspace is: its tier, whether it is wide, and the nodes it has room for."""


@cache
def _loop(engine: str, queue: str) -> Callable[..., int]:
    """The loop of a queue in a tier."""
    plain: Callable[..., int] = getattr(loops, queue)
    if engine == "python":
        return plain
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


def _tables(compiled: Compiled, jitted: bool) -> tuple[Any, tuple[Any, ...]]:
    """The graph's sizes and arrays as the loops of a tier want them; made once for a graph and kept."""
    found: tuple[Any, tuple[Any, ...]] | None = compiled.kept.get(("tables", jitted))
    if found is None:
        few = 0 if compiled.extra_target is None else len(compiled.extra_target)
        sizes: Any = compiled.cells, compiled.layers, compiled.slots, few
        extras = (compiled.extra_start, compiled.extra_target, compiled.extra_ticks)
        weight = np.ascontiguousarray(compiled.weight).reshape(-1)
        if jitted:
            # unsigned all through: no negative index to test for, and offsets backwards wrap round
            whole = weight.view(np.uint64) if weight.dtype == np.int64 else weight
            sizes = np.array(sizes, dtype=np.uint64)
            tables: tuple[Any, ...] = (whole, *(_unsigned(part) for part in (compiled.offset.reshape(-1), *extras)))
        else:
            flat = weight.tobytes() if weight.dtype == np.uint8 else memoryview(weight.data)
            tables = (flat, compiled.offset.reshape(-1).tolist(), *([] if x is None else x.tolist() for x in extras))
        found = compiled.kept["tables", jitted] = sizes, tables
    return found


def _unsigned(part: Array | None) -> Array:
    if part is None:
        return np.zeros(1, dtype=np.uint64)
    return np.ascontiguousarray(part, dtype=np.int64).view(np.uint64)


def shape_of(compiled: Compiled, engine: str, wide: bool) -> Shape:
    """What a workspace for a graph must be.  Raises ValueError for a graph that is too large."""
    nodes = compiled.nodes
    extras = 0 if compiled.extra_target is None else len(compiled.extra_target)
    # an entry is addressed by four times its number
    if 4 * (nodes * compiled.slots + extras + 1) >= (WIDE if wide else NARROW):
        raise ValueError(f"{nodes} nodes with {compiled.slots} slots are more than this search can number")
    # small graphs of about a size share theirs
    return engine, wide, nodes if nodes > ROUNDED else 1 << max(nodes - 1, 1).bit_length()


class Idle:
    """The workspaces that nobody is using, for all graphs together: those of a shape used longest ago go first.

    What is idle holds no graph, and comes to at most `MOST_IDLE` bytes, but for those of the shape used last.
    """

    def __init__(self) -> None:
        self._spaces: OrderedDict[Shape, list[Workspace]] = OrderedDict()
        self._lock = Lock()
        self.bytes = 0

    def take(self, shape: Shape) -> Workspace | None:
        """One of a shape, if there is any."""
        with self._lock:
            spaces = self._spaces.get(shape)
            if not spaces:
                return None
            space = spaces.pop()
            self.bytes -= space.bytes
            return space

    def put(self, space: Workspace) -> None:
        """Keep one for the next question."""
        with self._lock:
            self._spaces.setdefault(space.shape, []).append(space)
            self._spaces.move_to_end(space.shape)
            self.bytes += space.bytes
            while self.bytes > MOST_IDLE and len(self._spaces) > 1:
                self.bytes -= sum(gone.bytes for gone in self._spaces.popitem(last=False)[1])

    def clear(self) -> None:
        """Let all of them go."""
        with self._lock:
            self._spaces.clear()
            self.bytes = 0

    def __iter__(self) -> Iterator[Workspace]:
        with self._lock:
            return iter([space for spaces in self._spaces.values() for space in spaces])


IDLE = Idle()


class Workspace:
    """The working memory of a search, kept between questions because clearing it is the dear part.

    It serves any graph with no more nodes than its shape says.  Everything is of one width, 32 bits or 64, and `none`
    is the highest number of that width.  Entries and answers are four numbers each: node, cost or place of the parent …
    as `loops.py` has them.  `bytes` is about what it takes.
    """

    __slots__ = ("bytes", "capacity", "compiled", "dist", "fixed", "frontier", "gathered",
                 "jitted", "kind", "loop", "none", "numbers",
                 "out", "queue", "ring", "rows", "seeds", "settings", "shape", "sources")  # fmt: skip

    def __init__(self, shape: Shape) -> None:
        engine, wide, nodes = self.shape = shape
        self.jitted = engine == "numba"
        self.none = WIDE if wide else NARROW
        self.kind: Any = np.uint64 if wide else np.uint32
        self.numbers: Any = self.full(len(loops.NUMBERS), 0, np.uint64)
        self.numbers[:6] = [0, 1, 2, 3, 4, self.none]
        self.dist, self.out = self.full(nodes, self.none), self.blank(4 * nodes)
        # the answer as it is handed out: signed, for there -1 means none
        self.rows = self.out.view(np.int64 if wide else np.int32).reshape(-1, 4) if self.jitted else None
        self.sources, self.seeds = self.blank(2), 1
        self.ring: Any = self.full(0, self.none)
        self.gathered: Any = self.blank(0)
        self.queue = ""
        self.settings: tuple[int, ...] = ()
        self.compiled: Compiled | None = None
        self.fixed: tuple[Any, ...] = ()
        self.provide(FIRST_ROOM)

    def serve(self, compiled: Compiled) -> None:
        """Search this graph from now on."""
        self.compiled = compiled
        self.numbers[6:10], tables = _tables(compiled, self.jitted)
        self.fixed = self.numbers, *tables, self.dist

    def weigh(self) -> None:
        """Reckon what it takes."""
        each = self.kind().itemsize if self.jitted else 8
        parts = (self.dist, self.out, self.sources, self.ring, self.gathered, self.frontier[0])
        self.bytes = each * (sum(map(len, parts)) + (len(self.frontier[1]) if self.queue == "heap" else 0))

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
        self.weigh()

    def set_up(self, span: int, budget: int, rounding: int, pool: int) -> None:
        """Choose the queue and note what the questions have in common."""
        settings = span, budget, rounding, pool
        if settings == self.settings:
            return
        self.settings = settings
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

    def ask(
        self, sources: Sequence[int], costs: Sequence[int] | None, target: int, closed: Array | None = None
    ) -> Settled:
        """Run the loop for one question and copy the answer out; no way leads into `closed` nodes."""
        numbers, count = self.numbers, len(sources)
        if count > self.seeds:
            self.sources, self.seeds = self.blank(2 * count), count
            self.weigh()
            if count > self.capacity:
                self.provide(count)
        seeds = self.sources
        for i in range(count):
            seeds[2 * i] = sources[i]
            seeds[2 * i + 1] = costs[i] if costs else 0
        numbers[11] = target if target >= 0 else self.none
        numbers[14] = count
        numbers[15] = min(costs) if costs else 0
        if closed is not None:
            # nothing is cheaper than nothing, so no offer of them is taken
            self.mark(closed, 0)
        while (settled := self.loop(*self.fixed, seeds, *self.frontier, self.out)) == self.none:
            # each step makes at most one entry, so this ends
            self.provide(self.capacity * 4)
        if closed is not None:
            self.mark(closed, self.none)
        assert self.compiled is not None
        if self.rows is not None:
            return Settled(self.compiled, self.rows[:settled].copy())
        block = np.array(self.out[: 4 * settled], self.kind)
        return Settled(self.compiled, block.view(np.int32 if self.kind is np.uint32 else np.int64).reshape(-1, 4))

    def mark(self, nodes: Array, cost: int) -> None:
        """Put down a cost for some nodes."""
        if self.jitted:
            self.dist[nodes] = cost
            return
        for node in nodes.tolist():
            self.dist[node] = cost

    def ask_all(self, questions: Sequence[Sequence[int]]) -> list[Settled]:
        """Answer many questions, in the compiled tier by one call that holds no lock of the interpreter."""
        if not self.jitted or self.queue != "dial" or len(questions) < 2 or any(len(each) != 1 for each in questions):
            return [self.ask(each, None, -1) for each in questions]
        assert self.compiled is not None
        numbers, rows = self.numbers, self.shape[2] + MANY_ROWS
        if len(self.gathered) != 4 * rows:
            self.gathered = self.blank(4 * rows)
            self.weigh()
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
        """Let the next question have this workspace, on whatever graph."""
        self.compiled, self.fixed = None, ()
        IDLE.put(self)
