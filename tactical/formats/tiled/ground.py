"""Laying facts over ground that is kept as numbers of kinds, which are added to where two facts meet anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tactical.world.parts import MOST_TERRAINS

Facts = tuple[tuple[str, object], ...]
_CODE = 0x0FFFFFFF


def lay_tiles(
    own: dict[str, object], tiles: Mapping[int, dict[str, object]], gids: Any, index: Any, kinds: list[Facts]
) -> None:
    """Lay a layer: its `own` facts wherever it has a tile, and those of each of its `tiles` by number."""
    states: list[dict[str, object]] = [{}, own]
    seen: dict[Facts, int] = {}
    known = sorted(tiles)
    meant = np.empty(len(known), dtype=np.uint32)
    for n, gid in enumerate(known):
        facts = {**own, **tiles[gid]}
        key = tuple(sorted(facts.items()))
        if key not in seen:
            seen[key] = len(states)
            states.append(facts)
        meant[n] = seen[key]
    code = (gids != 0).astype(np.uint32)
    if known:
        table = np.array(known, dtype=np.int64)
        place = np.minimum(np.searchsorted(table, gids), len(known) - 1)
        code = np.where(table[place] == gids, meant[place], code)
    numbers = {facts: n for n, facts in enumerate(kinds)}
    pairs, back = np.unique(index.astype(np.uint64) << 32 | code, return_inverse=True)
    made = np.zeros(pairs.size, dtype=np.uint32)
    for n, pair in enumerate(pairs.tolist()):
        key = tuple(sorted({**dict(kinds[pair >> 32]), **states[pair & _CODE]}.items()))
        if key not in numbers:
            numbers[key] = len(kinds)
            kinds.append(key)
        made[n] = numbers[key]
        if len(kinds) > MOST_TERRAINS:
            return
    index[:] = made[back].reshape(index.shape)


def lay_shapes(
    shapes: Iterable[tuple[dict[str, object], list[tuple[int, int]]]], index: Any, kinds: list[Facts]
) -> None:
    """Lay facts over the (column, row) cells of shapes, one after the other."""
    numbers = {facts: n for n, facts in enumerate(kinds)}
    for facts, cells in shapes:
        for col, row in cells:
            key = tuple(sorted({**dict(kinds[index[row, col]]), **facts}.items()))
            if key not in numbers and len(kinds) < MOST_TERRAINS:
                numbers[key] = len(kinds)
                kinds.append(key)
            index[row, col] = numbers.get(key, index[row, col])
