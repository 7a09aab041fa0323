"""A plain search over small drawn boards, written apart from the engine: the cheapest way from S to G.

Used by the grid cases of the rules; prices come from the product's paces, the search does not.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.profile import Pace, Profile
from tactical.world.terrain import PLAIN, Terrain

Price = Callable[[Terrain], Fraction | None]


def profile_price(profile: Profile, options: Options, pool: str, posture: str = "standing") -> Price:
    """What a unit of distance costs under a profile, or nothing where it cannot be entered."""

    def price(ground: Terrain) -> Fraction | None:
        found: Pace | Refusal = profile.pace(pool, posture, ground, False)
        return None if isinstance(found, Refusal) else found.base * found.joined(options["cost_stacking"])

    return price


def ground_at(rows: Sequence[str], legend: Mapping[str, Terrain], col: int, row: int) -> Terrain | None:
    """The ground of a cell, or nothing outside the board and inside a wall."""
    if not (0 <= row < len(rows) and 0 <= col < len(rows[row])):
        return None
    return None if rows[row][col] == "#" else legend.get(rows[row][col], PLAIN)


def cheapest(
    rows: Sequence[str], legend: Mapping[str, Terrain], cell: Fraction, diagonal: str, price: Price
) -> Fraction | None:
    """The smallest sum from S to G; a diagonal needs both ways round its corner open."""
    places = {glyph: (c, r) for r, row in enumerate(rows) for c, glyph in enumerate(row) if glyph in "SG"}
    best: dict[tuple[int, int, int], Fraction] = {}
    queue: list[tuple[Fraction, int, int, int]] = [(Fraction(0), *places["S"], 0)]
    while queue:
        cost, col, row, odd = heapq.heappop(queue)
        if (col, row, odd) in best:
            continue
        best[col, row, odd] = cost
        if (col, row) == places["G"]:
            return cost
        for dc in (-1, 0, 1):
            for dr in (-1, 0, 1):
                slant = bool(dc and dr)
                ground = ground_at(rows, legend, col + dc, row + dr)
                if ground is None or (dc, dr) == (0, 0) or (slant and diagonal == "none"):
                    continue
                sides = (ground_at(rows, legend, col + dc, row), ground_at(rows, legend, col, row + dr))
                unit = price(ground)
                if unit is None or (slant and None in sides):
                    continue
                count = 2 if slant and odd and diagonal == "alternate" else 1
                turned = odd ^ 1 if slant and diagonal == "alternate" else odd
                heapq.heappush(queue, (cost + unit * cell * count, col + dc, row + dr, turned))
    return None


def direct(rows: Sequence[str], legend: Mapping[str, Terrain], cell: Fraction, price: Price) -> Fraction | None:
    """The sum along the row of S up to G, or nothing where a cell cannot be entered."""
    row = next(r for r, text in enumerate(rows) if "S" in text)
    total = Fraction(0)
    for col in range(rows[row].index("S") + 1, rows[row].index("G") + 1):
        ground = ground_at(rows, legend, col, row)
        unit = None if ground is None else price(ground)
        if unit is None:
            return None
        total += unit * cell
    return total
