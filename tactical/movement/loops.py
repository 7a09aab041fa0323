"""The search itself: plain loops over flat arrays, read by Python as they stand and compiled by numba where that pays.

One source, two tiers.  `dial` keeps the frontier in a ring of buckets, one a tick, and suits small whole costs;
`heap` keeps it in a binary heap and suits costs in the millions (Euclidean diagonals).  Both settle nodes in the same
order: by cost, and among equal costs the one that was offered that cost first.  networkx breaks ties so too, hence
equal distances *and* equal predecessors everywhere.

How it works.  An *entry* is one offer "node v for d ticks", numbered in the order made; entries are never moved, only
outbid: an entry whose cost is no longer `dist` of its node is stale and skipped.  The entries therefore list every node
that was touched, and resetting `dist` for the next question costs what the question cost, whatever the map's size.

Two rules for whoever edits this.  Everything here is a number >= 0 or a flat array of such, because numba compiles it
over unsigned integers (no wrap-around tests; that is worth a third of the time): no literal may meet a variable in
arithmetic, hence `zero` and `one` (numba makes a float of unsigned + literal); offsets backwards rely on wrap-around
there, and are simply negative here.  And nothing is allocated: when the entries run out the loop says so (returns
`none`), is given more room and starts again.

`numbers` holds what does not change during a search; the order of its items is `NUMBERS`.
"""

from __future__ import annotations

from typing import Any

Flat = Any
"""A flat array: bytes, memoryview or list for Python, a numpy array for numba."""

NUMBERS = (
    "zero", "one", "none", "inf", "cells", "layers", "slots", "extras", "budget", "target", "rounding", "pool",
    "sources", "start", "mask", "capacity", "first",
)  # fmt: skip


def price(d: Any, w: Any, budget: Any, rounding: Any, pool: Any, inf: Any) -> Any:
    """What stands on the meter after a step of `w` ticks made at `d`; `inf` where the step is not allowed.

    rounding 1: a step may be made with anything left and then uses up the rest (of the pool, else of the budget);
    rounding 2: a step too dear for the whole may be made while nothing is spent.  pool: the budget is spent in
    portions of `pool` ticks and no step straddles two of them: one that does not fit waits for the next.
    """
    nd = d + w
    if pool > 0:
        spent = d % pool
        if spent + w > pool:
            fresh = d - spent + pool
            if rounding == 1:
                # anything left of this portion will do; with nothing spent of it, `fresh` is its end too
                nd = fresh
            elif w <= pool:
                nd = fresh + w
            elif rounding == 2 and d == 0:
                nd = pool
            else:
                return inf
    if nd > budget and ((rounding == 1 and d < budget) or (rounding == 2 and d == 0)):
        return budget
    return nd


def dial(
    numbers: Flat, weight: Flat, offset: Flat, extra_start: Flat, extra_target: Flat, extra_ticks: Flat,
    dist: Flat, entry_node: Flat, entry_from: Flat, entry_slot: Flat, entry_next: Flat, head: Flat, tail: Flat,
    source_node: Flat, source_cost: Flat, out_node: Flat, out_cost: Flat, out_from: Flat, out_slot: Flat,
) -> Any:  # fmt: skip
    """Settle nodes with a ring of buckets; returns how many were settled, or `none` when the entries ran out."""
    zero = numbers[0]
    one = numbers[1]
    none = numbers[2]
    inf = numbers[3]
    cells = numbers[4]
    layers = numbers[5]
    slots = numbers[6]
    extras = numbers[7]
    budget = numbers[8]
    target = numbers[9]
    rounding = numbers[10]
    pool = numbers[11]
    mask = numbers[14]
    capacity = numbers[15]
    special = rounding > 0 or pool > 0
    top = zero
    for i in range(numbers[12]):
        v = source_node[i]
        nd = source_cost[i]
        if nd <= budget and nd < dist[v]:
            dist[v] = nd
            entry_node[top] = v
            entry_from[top] = none
            entry_slot[top] = none
            entry_next[top] = none
            b = nd & mask
            if head[b] == none:
                head[b] = top
            else:
                entry_next[tail[b]] = top
            tail[b] = top
            top += one
    d = numbers[13]
    here = zero
    settled = numbers[16]
    popped = zero
    full = False
    stop = False
    base = zero
    while popped < top and not stop:
        e = head[d & mask]
        before = d - one
        while e != none:
            popped += one
            v = entry_node[e]
            if dist[v] == d:
                out_node[settled] = v
                out_cost[settled] = d
                out_from[settled] = entry_from[e]
                out_slot[settled] = entry_slot[e]
                if v == target:
                    settled += one
                    stop = True
                    break
                if layers > one:
                    base = v // cells * slots
                row = v * slots
                for k in range(slots):
                    w = weight[row + k]
                    if w > 0:
                        # the weight is stored plus one
                        nd = before + w
                        if special:
                            nd = price(d, nd - d, budget, rounding, pool, inf)
                        if nd <= budget:
                            t = v + offset[base + k]
                            if nd < dist[t]:
                                if top == capacity:
                                    full = True
                                    break
                                dist[t] = nd
                                entry_node[top] = t
                                entry_from[top] = here
                                entry_slot[top] = k
                                entry_next[top] = none
                                b = nd & mask
                                if head[b] == none:
                                    head[b] = top
                                else:
                                    entry_next[tail[b]] = top
                                tail[b] = top
                                top += one
                if extras > 0:
                    for k in range(extra_start[v], extra_start[v + one]):
                        nd = d + extra_ticks[k]
                        if special:
                            nd = price(d, nd - d, budget, rounding, pool, inf)
                        if nd <= budget:
                            t = extra_target[k]
                            if nd < dist[t]:
                                if top == capacity:
                                    full = True
                                    break
                                dist[t] = nd
                                entry_node[top] = t
                                entry_from[top] = here
                                entry_slot[top] = slots + k
                                entry_next[top] = none
                                b = nd & mask
                                if head[b] == none:
                                    head[b] = top
                                else:
                                    entry_next[tail[b]] = top
                                tail[b] = top
                                top += one
                if full:
                    stop = True
                    break
                here += one
                settled += one
            e = entry_next[e]
        head[d & mask] = none
        d += one
    for i in range(top):
        dist[entry_node[i]] = inf
    if stop:
        for i in range(mask + one):
            head[i] = none
    if full:
        return none
    return settled - numbers[16]


def sift_up(heap_cost: Flat, heap_entry: Flat, place: Any, cost: Any, entry: Any, one: Any) -> None:
    """Put an offer into the heap at the free place `place` and let it rise."""
    while place > 0:
        parent = (place - one) >> one
        above = heap_cost[parent]
        # a newer entry never rises above an older one of the same cost
        if above <= cost:
            break
        heap_cost[place] = above
        heap_entry[place] = heap_entry[parent]
        place = parent
    heap_cost[place] = cost
    heap_entry[place] = entry


def sift_down(heap_cost: Flat, heap_entry: Flat, size: Any, zero: Any, one: Any) -> None:
    """Close the gap at the top of a heap: the offer at place `size`, one behind the last, finds its place."""
    cost = heap_cost[size]
    entry = heap_entry[size]
    place = zero
    while True:
        child = place + place + one
        if child >= size:
            break
        other = child + one
        if other < size and (
            heap_cost[other] < heap_cost[child]
            or (heap_cost[other] == heap_cost[child] and heap_entry[other] < heap_entry[child])
        ):
            child = other
        if cost < heap_cost[child] or (cost == heap_cost[child] and entry < heap_entry[child]):
            break
        heap_cost[place] = heap_cost[child]
        heap_entry[place] = heap_entry[child]
        place = child
    heap_cost[place] = cost
    heap_entry[place] = entry


def heap(
    numbers: Flat, weight: Flat, offset: Flat, extra_start: Flat, extra_target: Flat, extra_ticks: Flat,
    dist: Flat, entry_node: Flat, entry_from: Flat, entry_slot: Flat, heap_entry: Flat, heap_cost: Flat,
    source_node: Flat, source_cost: Flat, out_node: Flat, out_cost: Flat, out_from: Flat, out_slot: Flat,
) -> Any:  # fmt: skip
    """Settle nodes with a binary heap; returns how many were settled, or `none` when the entries ran out."""
    zero = numbers[0]
    one = numbers[1]
    none = numbers[2]
    inf = numbers[3]
    cells = numbers[4]
    layers = numbers[5]
    slots = numbers[6]
    extras = numbers[7]
    budget = numbers[8]
    target = numbers[9]
    rounding = numbers[10]
    pool = numbers[11]
    capacity = numbers[15]
    special = rounding > 0 or pool > 0
    top = zero
    size = zero
    for i in range(numbers[12]):
        v = source_node[i]
        nd = source_cost[i]
        if nd <= budget and nd < dist[v]:
            dist[v] = nd
            entry_node[top] = v
            entry_from[top] = none
            entry_slot[top] = none
            sift_up(heap_cost, heap_entry, size, nd, top, one)
            size += one
            top += one
    here = zero
    settled = numbers[16]
    full = False
    base = zero
    while size > 0 and not full:
        d = heap_cost[0]
        e = heap_entry[0]
        size -= one
        if size > 0:
            sift_down(heap_cost, heap_entry, size, zero, one)
        v = entry_node[e]
        if dist[v] != d:
            continue
        before = d - one
        out_node[settled] = v
        out_cost[settled] = d
        out_from[settled] = entry_from[e]
        out_slot[settled] = entry_slot[e]
        if v == target:
            settled += one
            break
        if layers > one:
            base = v // cells * slots
        row = v * slots
        for k in range(slots):
            w = weight[row + k]
            if w > 0:
                nd = before + w
                if special:
                    nd = price(d, nd - d, budget, rounding, pool, inf)
                if nd <= budget:
                    t = v + offset[base + k]
                    if nd < dist[t]:
                        if top == capacity:
                            full = True
                            break
                        dist[t] = nd
                        entry_node[top] = t
                        entry_from[top] = here
                        entry_slot[top] = k
                        sift_up(heap_cost, heap_entry, size, nd, top, one)
                        size += one
                        top += one
        if extras > 0 and not full:
            for k in range(extra_start[v], extra_start[v + one]):
                nd = d + extra_ticks[k]
                if special:
                    nd = price(d, nd - d, budget, rounding, pool, inf)
                if nd <= budget:
                    t = extra_target[k]
                    if nd < dist[t]:
                        if top == capacity:
                            full = True
                            break
                        dist[t] = nd
                        entry_node[top] = t
                        entry_from[top] = here
                        entry_slot[top] = slots + k
                        sift_up(heap_cost, heap_entry, size, nd, top, one)
                        size += one
                        top += one
        here += one
        settled += one
    for i in range(top):
        dist[entry_node[i]] = inf
    if full:
        return none
    return settled - numbers[16]
