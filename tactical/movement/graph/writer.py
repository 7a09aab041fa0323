"""The writer: what the ways of moving write their edges with, before they are packed into arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tactical.movement.graph.body import Slot
from tactical.movement.graph.draft import Draft
from tactical.search.compiled import Compiled, width_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tactical.movement.graph.frame import Array
    from tactical.world.window import Bools


Edge = tuple[int, int, int, int]
"""(node, target, ticks, slot)"""


class Loose(NamedTuple):
    """An edge that is no step to a neighbour: from node to node, in ticks, by which way; `note` is the way's own."""

    start: int
    end: int
    ticks: int
    way: str
    note: int


@dataclass
class Writer:
    """Collects the edges that the ways write, and packs them."""

    draft: Draft
    slots: dict[Slot, int] = field(default_factory=dict)
    parts: list[tuple[int, int, int, Array]] = field(default_factory=list)
    into: list[tuple[int, int, int]] = field(default_factory=list)
    """Layer, slot and layer led to of every part, once packed."""
    loose: list[Loose] = field(default_factory=list)
    heavy: list[tuple[Slot, int, int, Array]] = field(default_factory=list)
    """Steps that open more doors than a turn allows: slot, posture, form, and ticks + 1 per anchor of the window."""
    dearest: int = 0
    inward: Inward | None = None
    """All of it by where it leads to, once somebody has asked."""
    alike: Array | None = None
    """Numbers of the kinds of loose edges, likewise."""
    author: str = ""
    """The name of the way that writes now, which all that it writes bears."""

    def narrow(self, table: NDArray[np.int64]) -> Array:
        """A table of ticks + 1 in the smallest type that has room for flat prices too."""
        return table.astype(width_for(2 * int(table.max(initial=0)) + self.flats))

    @cached_property
    def flats(self) -> int:
        """The dearest flat price on any plane, in ticks."""
        return max(
            (int(plane.flat.max()) for planes in self.draft.planes for plane in planes if plane.flat is not None),
            default=0,
        )

    def put(self, slot: Slot, layer: int, target: int, weight: Array, di: int, dj: int) -> None:
        """Steps from one layer to another, (di, dj) further on, at ticks + 1 per anchor of the window (0: none).

        Raises `ValueError` for what does not fit the graph.
        """
        layers = range(len(self.draft.layers))
        if layer not in layers or target not in layers or weight.shape != self.draft.site.shape:
            raise ValueError(f"{weight.shape} prices from layer {layer} to {target} do not fit the graph")
        if int(weight.min(initial=0)) < 0:
            raise ValueError(f"a step from layer {layer} costs less than 0")
        weight = weight.copy()
        # the window ends here: what lies outside is not in this graph
        if di:
            weight[:, :, -1 if di > 0 else 0] = 0
        if dj:
            weight[:, -1 if dj > 0 else 0, :] = 0
        top = int(weight.max(initial=0))
        if top:
            self.dearest = max(self.dearest, top)
            number = self.slots.setdefault(slot._replace(way=self.author), len(self.slots))
            self.parts.append((layer, number, target, weight))

    def edge(self, start: int, end: int, ticks: int, way: str, note: int) -> None:
        """A step between any two nodes.

        Raises `ValueError` for nodes that do not exist, a price below 0, and an edge in the name of another way.
        """
        if way != self.author:
            raise ValueError(f"an edge of the way {self.author!r} cannot bear the name {way!r}")
        nodes = range(len(self.draft.layers) * self.draft.room)
        if start not in nodes or end not in nodes or ticks < 0:
            raise ValueError(f"a {way} edge from node {start} to {end} at {ticks} ticks does not fit the graph")
        self.dearest = max(self.dearest, ticks + 1)
        self.loose.append(Loose(start, end, ticks, way, note))

    def pack(self, present: Bools) -> Compiled:
        """Everything written, as arrays; nothing starts where the mover cannot be."""
        draft = self.draft
        nodes, width = len(draft.layers) * draft.room, draft.site.shape[2]
        weight = np.zeros((nodes, len(self.slots)), dtype=width_for(self.dearest))
        offset = np.zeros((len(draft.layers), len(self.slots)), dtype=np.int64)
        directions = draft.site.directions
        moves = {n: directions[s.k] if s.k >= 0 else None for s, n in self.slots.items()}
        for layer, slot, target, part in self.parts:
            move = moves[slot]
            offset[layer, slot] = (target - layer) * draft.room + (move.dj * width + move.di if move else 0)
            weight[layer * draft.room : (layer + 1) * draft.room, slot] = part.reshape(-1)
        weight[~present] = 0
        self.into = [(layer, slot, target) for layer, slot, target, _ in self.parts]
        # what was written in pieces is several times what it was packed into
        self.parts, self.heavy = [], []
        self.loose = [edge for edge in self.loose if present[edge[0]]]
        if not self.loose:
            return Compiled(
                len(draft.layers), draft.room, len(self.slots), weight, offset, max_weight=max(self.dearest - 1, 0)
            )
        self.loose.sort(key=lambda edge: edge[0])
        starts = np.array([edge[0] for edge in self.loose])
        begin = np.zeros(nodes + 1, dtype=np.int64)
        np.cumsum(np.bincount(starts, minlength=nodes), out=begin[1:])
        ends, ticks = (np.array([edge[n] for edge in self.loose], dtype=np.int64) for n in (1, 2))
        return Compiled(
            len(draft.layers), draft.room, len(self.slots), weight, offset, begin, ends, ticks, max(self.dearest - 1, 0)
        )


class Inward:
    """The edges of a graph by the layer or node they lead to, the same whatever bodies are about."""

    __slots__ = ("headings", "into", "loose")

    def __init__(self, writer: Writer, compiled: Compiled) -> None:
        self.into: dict[int, list[tuple[int, int, int]]] = {}
        written = {(layer, slot): target for layer, slot, target in writer.into}
        for (layer, slot), target in sorted(written.items()):
            self.into.setdefault(target, []).append((layer, slot, int(compiled.offset[layer, slot])))
        self.loose: dict[int, list[tuple[int, int, int]]] = {}
        for n, (start, end, ticks, _, _) in enumerate(writer.loose):
            self.loose.setdefault(end, []).append((start, ticks, len(writer.slots) + n))
        ways = writer.draft.site.directions
        self.headings = [(int(ways[slot.k].diagonal), slot.k) if slot.k >= 0 else (0, -1) for slot in writer.slots]
