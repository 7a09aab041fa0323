"""The modes of a turn: in which ways of going its steps are made, where that matters to the turns after it.

Who has swum a turn is tired where who has walked round the lake is not.  So where it matters to the rule system which
modes a turn used, ways without some of them are looked for apart, and every way knows the modes that it took.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from itertools import chain, combinations
from typing import TYPE_CHECKING

import numpy as np

from tactical.movement.graph.lattice import Lattice
from tactical.rules.profile import Pace
from tactical.search.kernel import Settled

if TYPE_CHECKING:
    from tactical.movement.turns.ends import Ints

MOST_MODES = 5
"""Where a map knows more ways of going, which of them a turn used is not looked for, only what it used."""


def modes_of(lattice: Lattice) -> tuple[str, ...]:
    """The ways of going that the ground of a graph knows."""
    draft = lattice.draft
    found = (draft.paces.pace(posture, kind, False) for posture in lattice.profile.postures for kind in draft.site.used)
    return tuple(sorted({pace.mode for pace in found if isinstance(pace, Pace)}))


def named(modes: Sequence[str], bits: int) -> frozenset[str]:
    return frozenset(mode for n, mode in enumerate(modes) if bits >> n & 1)


def bits_of(lattice: Lattice, modes: Sequence[str]) -> Ints:
    """Per node the modes, as bits, in which it is entered; of a large body, those of all its cells."""
    draft, site = lattice.draft, lattice.site
    layers = []
    for layer in draft.layers:
        posture = lattice.profile.postures[layer.posture]
        paces = [draft.paces.pace(posture, kind, False) for kind in range(len(site.kinds))]
        own = np.array([1 << modes.index(pace.mode) if isinstance(pace, Pace) else 0 for pace in paces])
        cells = [site.core(own[site.kind], di, dj) for di, dj in draft.forms[layer.squeezed].cells]
        layers.append(np.bitwise_or.reduce(cells).reshape(-1))
    return np.concatenate(layers).astype(np.int64)


def taken_by(lattice: Lattice, settled: Settled, modes: Sequence[str]) -> Ints:
    """Per settled node the modes of its way, as bits; a change of posture in place is none."""
    bits, room = bits_of(lattice, modes), lattice.draft.room
    nodes, parents = settled.node.tolist(), settled.parent.tolist()
    out: list[int] = []
    for node, parent in zip(nodes, parents, strict=True):
        if parent < 0:
            out.append(0)
        else:
            moved = node % room != nodes[parent] % room
            out.append(out[parent] | (int(bits[node]) if moved else 0))
    return np.array(out, dtype=np.int64)


def only(lattice: Lattice, modes: Sequence[str], taken: frozenset[str]) -> Lattice:
    """The same graph without the steps that are made in other modes."""
    compiled, bits = lattice.compiled, bits_of(lattice, modes)
    allowed = sum(1 << n for n, mode in enumerate(modes) if mode in taken)
    closed = (bits & ~allowed) != 0
    source = np.arange(compiled.nodes)
    target = source[:, None] + compiled.offset[source // max(compiled.cells, 1)]
    inside = (target >= 0) & (target < compiled.nodes)
    moved = target % compiled.cells != source[:, None] % compiled.cells
    weight = np.where(closed[np.where(inside, target, 0)] & moved, 0, compiled.weight)
    graph = copy(lattice)
    graph.__dict__.pop("arrivals", None)
    graph.compiled = replace(compiled, weight=weight.astype(compiled.weight.dtype), kept={})
    return graph


def sets_of(modes: Sequence[str], left: Sequence[Callable[[frozenset[str]], object]]) -> list[frozenset[str] | None]:
    """Which modes to search apart, the fewest first, because ways without the others leave something else; last None,
    which stands for all of them.

    `left` says, gait by gait, what a turn leaves that took just these modes.
    """
    if len(modes) < 2 or len(modes) > MOST_MODES:
        return [None]
    every, out = frozenset(modes), dict[frozenset[str], None]()
    known = [*map(frozenset, chain.from_iterable(combinations(modes, n) for n in range(1, len(modes) + 1)))]
    for leaves in left:
        alike: dict[object, frozenset[str]] = {}
        for taken in known:
            value = leaves(taken)
            alike[value] = alike.get(value, frozenset()) | taken
        out |= dict.fromkeys(taken for taken in alike.values() if taken != every)
    return [*sorted(out, key=lambda taken: (len(taken), sorted(taken))), None]
