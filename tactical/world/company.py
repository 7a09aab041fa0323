"""Who may be passed, at what price, beside whom one may stop (a matrix of side and size), and who threatens where.

The named options give the usual matrix (friends and bystanders at `ally_cost`, enemies of quite another size at
`enemy_pass_cost`, nobody shares a cell).  The tables `passing` and `sharing` replace it entry by entry.  Their words
are a relation (``ally``, ``neutral``, ``enemy``), alone or with a difference in size classes from which the entry
holds: ``enemy+2`` two classes larger than the mover or more, ``enemy-2`` smaller, ``enemy~2`` either.  The entry with
the largest difference that fits wins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.options import Options
from tactical.units import Cell
from tactical.world.edges.baking import Crossings
from tactical.world.edges.crossing import reached_through
from tactical.world.mover import CLASSES, Mover

if TYPE_CHECKING:
    from tactical.world.window import Plot

ENTRY = re.compile(r"(ally|neutral|enemy)(?:([+~-])([0-9]+))?")
"""The words of the tables, as `tactical.options.COMPANY` lets them in."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A body that can be passed: the word of the ledger, and the factor."""

    word: str
    factor: Fraction


def passage(mover: Mover, other: Mover, options: Options) -> Passage | None:
    """How a mover gets past another body, or None where it cannot."""
    relation = mover.towards(other)
    word = "enemy" if relation == "enemy" else "ally"
    stated = entry(mover, other, options["passing"])
    if stated is not None:
        return Passage(word, stated) if stated > 0 else None
    if relation != "enemy":
        return Passage(word, options["ally_cost"])
    apart = mover.classes_apart(other) >= options["enemy_size_gap"]
    return Passage(word, options["enemy_pass_cost"]) if apart else None


def shares(mover: Mover, other: Mover, options: Options) -> bool:
    """Whether a mover may end a move in a cell that another body holds."""
    stated = entry(mover, other, options["sharing"])
    return stated is not None and stated > 0


def entry(mover: Mover, other: Mover, table: tuple[tuple[str, Fraction], ...]) -> Fraction | None:
    """The value of the most particular entry that fits two movers, or None."""
    relation = mover.towards(other)
    larger = CLASSES.index(other.size_class) - CLASSES.index(mover.size_class)
    best: tuple[int, Fraction] | None = None
    for word, value in table:
        match = ENTRY.fullmatch(word)
        if match is None or match[1] != relation:
            continue
        least = int(match[3] or 0)
        difference = {"+": larger, "-": -larger, "~": abs(larger), None: 0}[match[2]]
        if difference >= least and (best is None or least > best[0]):
            best = (least, value)
    return None if best is None else best[1]


def reach_of(site: Plot, enemy: Mover) -> frozenset[Cell]:
    """All cells within `enemy`'s reach, its own body included.  Raises `ValueError` for one not on the map."""
    if enemy.at is None:
        raise ValueError(f"{enemy.id!r} does not stand on the map")
    # walls and ground stay what they are while movers come and go: kept with these
    key = ("threat", enemy.at, enemy.size, site.reach(enemy), site.options["reach_walls"], site.truth)
    found: frozenset[Cell] = site.battlemap.store.kept(key, lambda: _reach_of(site, enemy, enemy.at))
    return found


def _reach_of(site: Plot, enemy: Mover, at: Cell | None) -> frozenset[Cell]:
    assert at is not None
    body = [cell for cell in site.footprint_cells(at, enemy.size) if cell in site.battlemap]
    stopped = site.options["reach_walls"] == "block"
    probe = _Probe(site, enemy) if stopped else None
    seen, rim = set(body), body
    for _ in range(site.reach(enemy)):
        fresh: list[Cell] = []
        for cell in rim:
            for neighbour in probe.steps(cell) if probe else _all_steps(site, cell):
                if neighbour not in seen:
                    seen.add(neighbour)
                    fresh.append(neighbour)
        rim = fresh
    return frozenset(seen)


def _all_steps(site: Plot, cell: Cell) -> list[Cell]:
    grid = site.battlemap.grid
    i, j = grid.store(cell.col, cell.row)
    found = [Cell(*grid.unstore(i + d.di, j + d.dj), cell.level) for d in grid.directions]
    return [neighbour for neighbour in found if neighbour in site.battlemap]


class _Probe:
    """The steps a weapon's reach can take on one level."""

    def __init__(self, site: Plot, enemy: Mover) -> None:
        assert enemy.at is not None
        self.site, self.map, self.grid = site, site.battlemap, site.battlemap.grid
        (col, row, level), far = enemy.at, site.reach(enemy) + enemy.size
        baked = self.map.crossings(level, (col - far, col + far + 1, row - far, row + far + 1))
        self.baked: Crossings | None = baked
        self.codes: dict[tuple[int, int, int], int] = {}
        if baked is not None:
            keys = zip(baked.direction.tolist(), baked.i.tolist(), baked.j.tolist(), strict=True)
            self.codes = dict(zip(keys, baked.code.tolist(), strict=True))

    def steps(self, cell: Cell) -> list[Cell]:
        out = []
        i, j = self.grid.store(cell.col, cell.row)
        for k, direction in enumerate(self.grid.directions):
            target = Cell(*self.grid.unstore(i + direction.di, j + direction.dj), cell.level)
            if not self._open(target) or not self._passes(k, cell, target):
                continue
            if direction.legs is None or any(self._round(cell, target, way) for way in _both_ways(direction.legs)):
                out.append(target)
        return out

    def _round(self, cell: Cell, target: Cell, legs: tuple[int, int]) -> bool:
        i, j = self.grid.store(cell.col, cell.row)
        first = self.grid.directions[legs[0]]
        middle = Cell(*self.grid.unstore(i + first.di, j + first.dj), cell.level)
        return self._open(middle) and self._passes(legs[0], cell, middle) and self._passes(legs[1], middle, target)

    def _open(self, cell: Cell) -> bool:
        return cell in self.map and not self.map.terrain(cell).impassable

    def _passes(self, k: int, cell: Cell, target: Cell) -> bool:
        i, j = self.grid.store(cell.col, cell.row)
        code = self.codes.get((k, i, j), 0)
        if code == 0 or self.baked is None:
            return True
        if code == 1:
            return False
        z = min(self.map.terrain(cell).elevation, self.map.terrain(target).elevation, key=Fraction)
        return reached_through(self.site, self.baked.meetings[code - 2], self.grid.directions[k], z)


def _both_ways(legs: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return legs, (legs[1], legs[0])
