"""The search itself: plain loops over flat arrays, read by Python as they stand and compiled by numba where that pays.

One source, two tiers.  `dial` keeps the frontier in a ring of buckets, one a tick, and suits small whole costs;
`heap` keeps it in a binary heap and suits costs in the millions (Euclidean diagonals).  Both settle nodes in the same
order: by cost, and among equal costs the one that was offered that cost first.  networkx breaks ties so too, hence
equal distances *and* equal predecessors everywhere.

How it works.  An *entry* is one offer of a node, in the order made, as four numbers: the node, the place in the
answer from which it was offered, the slot of the step, and (in `dial`) the next entry of its bucket.  Entries are
never moved, only outbid: one whose cost is no longer `dist` of its node is stale and skipped.  So the entries list
every node that was touched, and resetting `dist` for the next question costs what the question cost, whatever the
map's size.  The answer, `out`, has four numbers a settled node: node, cost, and from the entry the place of the
parent and the slot.

Two rules for whoever edits this.  Everything here is a number >= 0 or a flat array of such, for numba compiles it
over unsigned integers: that saves a test at every index, a third of the time.  So no literal may meet a variable in
arithmetic (unsigned + literal is a float to numba), hence `one`, `two` …; and a distance backwards is wrapped round
there and simply negative here.  And nothing is allocated: when the entries run out the loop says so (returns `none`),
is given more room and starts again.

`numbers` holds what does not change during a search; the order of its items is `NUMBERS`.  `none` is the highest number
there is and means "no entry", "no parent" and "not reached".
"""

from __future__ import annotations

from typing import Any

Flat = Any
"""A flat array: bytes, memoryview or list for Python, a numpy array for numba."""

NUMBERS = (
    "zero", "one", "two", "three", "four", "none", "cells", "layers", "slots", "extras", "budget", "target", "rounding",
    "pool", "sources", "start", "mask", "capacity", "place", "room",
    "questions",
)  # fmt: skip


def price(d: Any, w: Any, budget: Any, rounding: Any, pool: Any, none: Any) -> Any:
    """What stands on the meter after a step of `w` ticks made at `d`; `none` where it is not allowed.

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
                return none
    if nd > budget and ((rounding == 1 and d < budget) or (rounding == 2 and d == 0)):
        return budget
    return nd


def dial(
    numbers: Flat, weight: Flat, offset: Flat, extra_start: Flat, extra_target: Flat, extra_ticks: Flat,
    dist: Flat, sources: Flat, entries: Flat, buckets: Flat, out: Flat,
) -> Any:  # fmt: skip
    """Settle nodes with a ring of buckets; returns how many were settled, or `none` when the entries ran out.

    A bucket is the first and the last of a chain of entries; the fourth number of an entry is the next in its chain.
    """
    zero = numbers[0]
    one = numbers[1]
    two = numbers[2]
    three = numbers[3]
    four = numbers[4]
    none = numbers[5]
    cells = numbers[6]
    layers = numbers[7]
    slots = numbers[8]
    extras = numbers[9]
    budget = numbers[10]
    target = numbers[11]
    rounding = numbers[12]
    pool = numbers[13]
    mask = numbers[16]
    capacity = numbers[17]
    special = rounding > 0 or pool > 0
    # up to here a step costs what it costs; in portions it may have to wait at any point
    plain = budget
    if pool > 0:
        plain = zero
    top = zero
    for i in range(numbers[14]):
        v = sources[i + i]
        nd = sources[i + i + one]
        if nd <= budget and nd < dist[v]:
            dist[v] = nd
            entries[top] = v
            entries[top + one] = none
            entries[top + two] = none
            entries[top + three] = none
            b = (nd & mask) << one
            if buckets[b] == none:
                buckets[b] = top
            else:
                entries[buckets[b + one] + three] = top
            buckets[b + one] = top
            top += four
    d = numbers[15]
    here = zero
    place = numbers[18]
    popped = zero
    full = False
    stop = False
    base = zero
    while popped < top and not stop:
        e = buckets[(d & mask) << one]
        before = d - one
        while e != none:
            popped += four
            v = entries[e]
            if dist[v] == d:
                out[place] = v
                out[place + one] = d
                out[place + two] = entries[e + one]
                out[place + three] = entries[e + two]
                place += four
                if v == target:
                    here += one
                    stop = True
                    break
                if layers > one:
                    base = v // cells * slots
                row = v * slots
                shift = base - row
                for k in range(row, row + slots):
                    w = weight[k]
                    if w:
                        # the weight is stored plus one
                        nd = before + w
                        if nd > plain:
                            if not special:
                                continue
                            nd = price(d, nd - d, budget, rounding, pool, none)
                            if nd > budget:
                                continue
                        t = v + offset[shift + k]
                        if nd < dist[t]:
                            if top == capacity:
                                full = True
                                break
                            dist[t] = nd
                            entries[top] = t
                            entries[top + one] = here
                            entries[top + two] = k - row
                            entries[top + three] = none
                            b = (nd & mask) << one
                            if buckets[b] == none:
                                buckets[b] = top
                            else:
                                entries[buckets[b + one] + three] = top
                            buckets[b + one] = top
                            top += four
                if extras:
                    for k in range(extra_start[v], extra_start[v + one]):
                        nd = d + extra_ticks[k]
                        if nd > plain:
                            if not special:
                                continue
                            nd = price(d, nd - d, budget, rounding, pool, none)
                            if nd > budget:
                                continue
                        t = extra_target[k]
                        if nd < dist[t]:
                            if top == capacity:
                                full = True
                                break
                            dist[t] = nd
                            entries[top] = t
                            entries[top + one] = here
                            entries[top + two] = slots + k
                            entries[top + three] = none
                            b = (nd & mask) << one
                            if buckets[b] == none:
                                buckets[b] = top
                            else:
                                entries[buckets[b + one] + three] = top
                            buckets[b + one] = top
                            top += four
                if full:
                    stop = True
                    break
                here += one
            e = entries[e + three]
        buckets[(d & mask) << one] = none
        d += one
    for e in range(zero, top, four):
        dist[entries[e]] = none
    if stop:
        for b in range(mask + one):
            buckets[b + b] = none
    if full:
        return none
    return here


def many(
    numbers: Flat, weight: Flat, offset: Flat, extra_start: Flat, extra_target: Flat, extra_ticks: Flat,
    dist: Flat, sources: Flat, entries: Flat, buckets: Flat, out: Flat, ends: Flat,
) -> Any:  # fmt: skip
    """Run `dial` from one source after the other; returns how many questions were answered.

    Answers stand one behind the other in `out`; `ends` gets where each ends.  Stops early where the next answer might
    not fit any more, or (with `none` in `ends`) where the entries ran out.
    """
    one = numbers[1]
    two = numbers[2]
    four = numbers[4]
    none = numbers[5]
    largest = four * numbers[6] * numbers[7]
    room = numbers[19]
    place = numbers[0]
    done = numbers[0]
    for i in range(numbers[0], numbers[20], two):
        if place + largest > room:
            break
        numbers[18] = place
        found = dial(
            numbers, weight, offset, extra_start, extra_target, extra_ticks,
            dist, sources[i : i + two], entries, buckets, out,
        )  # fmt: skip
        if found == none:
            ends[done] = none
            break
        place += four * found
        ends[done] = place
        done += one
    return done


def sift_up(heap: Flat, size: Any, cost: Any, entry: Any, one: Any) -> None:
    """Put an offer into the heap of `size` offers and let it rise; an offer is two numbers, cost and entry."""
    place = size
    while place > 0:
        parent = (place - one) >> one
        above = heap[parent + parent]
        # a newer entry never rises above an older one of the same cost
        if above <= cost:
            break
        heap[place + place] = above
        heap[place + place + one] = heap[parent + parent + one]
        place = parent
    heap[place + place] = cost
    heap[place + place + one] = entry


def sift_down(heap: Flat, size: Any, zero: Any, one: Any) -> None:
    """Close the gap at the top of a heap: the offer at place `size`, one behind the last, finds its place."""
    cost = heap[size + size]
    entry = heap[size + size + one]
    place = zero
    while True:
        child = place + place + one
        if child >= size:
            break
        other = child + one
        best = heap[child + child]
        if other < size:
            rival = heap[other + other]
            if rival < best or (rival == best and heap[other + other + one] < heap[child + child + one]):
                child = other
                best = rival
        if cost < best or (cost == best and entry < heap[child + child + one]):
            break
        heap[place + place] = best
        heap[place + place + one] = heap[child + child + one]
        place = child
    heap[place + place] = cost
    heap[place + place + one] = entry


def heap(
    numbers: Flat, weight: Flat, offset: Flat, extra_start: Flat, extra_target: Flat, extra_ticks: Flat,
    dist: Flat, sources: Flat, entries: Flat, heaped: Flat, out: Flat,
) -> Any:  # fmt: skip
    """Settle nodes with a binary heap; returns how many were settled, or `none` when the entries ran out."""
    zero = numbers[0]
    one = numbers[1]
    two = numbers[2]
    three = numbers[3]
    four = numbers[4]
    none = numbers[5]
    cells = numbers[6]
    layers = numbers[7]
    slots = numbers[8]
    extras = numbers[9]
    budget = numbers[10]
    target = numbers[11]
    rounding = numbers[12]
    pool = numbers[13]
    capacity = numbers[17]
    special = rounding > 0 or pool > 0
    # up to here a step costs what it costs; in portions it may have to wait at any point
    plain = budget
    if pool > 0:
        plain = zero
    top = zero
    size = zero
    for i in range(numbers[14]):
        v = sources[i + i]
        nd = sources[i + i + one]
        if nd <= budget and nd < dist[v]:
            dist[v] = nd
            entries[top] = v
            entries[top + one] = none
            entries[top + two] = none
            sift_up(heaped, size, nd, top, one)
            size += one
            top += four
    here = zero
    place = numbers[18]
    full = False
    base = zero
    while size > 0 and not full:
        d = heaped[0]
        e = heaped[1]
        size -= one
        if size > 0:
            sift_down(heaped, size, zero, one)
        v = entries[e]
        if dist[v] != d:
            continue
        before = d - one
        out[place] = v
        out[place + one] = d
        out[place + two] = entries[e + one]
        out[place + three] = entries[e + two]
        place += four
        if v == target:
            here += one
            break
        if layers > one:
            base = v // cells * slots
        row = v * slots
        shift = base - row
        for k in range(row, row + slots):
            w = weight[k]
            if w:
                nd = before + w
                if nd > plain:
                    if not special:
                        continue
                    nd = price(d, nd - d, budget, rounding, pool, none)
                    if nd > budget:
                        continue
                t = v + offset[shift + k]
                if nd < dist[t]:
                    if top == capacity:
                        full = True
                        break
                    dist[t] = nd
                    entries[top] = t
                    entries[top + one] = here
                    entries[top + two] = k - row
                    sift_up(heaped, size, nd, top, one)
                    size += one
                    top += four
        if extras and not full:
            for k in range(extra_start[v], extra_start[v + one]):
                nd = d + extra_ticks[k]
                if nd > plain:
                    if not special:
                        continue
                    nd = price(d, nd - d, budget, rounding, pool, none)
                    if nd > budget:
                        continue
                t = extra_target[k]
                if nd < dist[t]:
                    if top == capacity:
                        full = True
                        break
                    dist[t] = nd
                    entries[top] = t
                    entries[top + one] = here
                    entries[top + two] = slots + k
                    sift_up(heaped, size, nd, top, one)
                    size += one
                    top += four
        here += one
    for e in range(zero, top, four):
        dist[entries[e]] = none
    if full:
        return none
    return here
