"""A medium in one file: dragons soar over everything but rock and walls, and turn by no more than an eighth of a circle
from one cell to the next; what counts that, their heading, lasts over turns.

Offered as the entry point ``soar = soar:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.graph.body import Layer, Slot
from tactical.movement.graph.draft import Counter, Draft
from tactical.movement.graph.media import Medium
from tactical.movement.ways import Way
from tactical.rules.profile import Pace, PostureChange, Profile, Source
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.mover import Mover
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    pass

SOURCE, ROUND = Source("SOAR-1"), ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


def soars(mover: Mover) -> bool:
    return "dragon" in mover.label.lower()


def pace(profile: Profile, ground: Terrain) -> Pace | Refusal:
    return Pace("soar", Fraction(1, 2), source=SOURCE, on_foot=False)


def changes(profile: Profile) -> Iterator[PostureChange]:
    yield PostureChange("standing", "soaring", Fraction(5), "take off", SOURCE)
    yield PostureChange("soaring", "standing", Fraction(0), "land", SOURCE)


def over(barrier: Barrier) -> Barrier | None:
    return None if barrier.kind in (Kind.FENCE, Kind.LOW_WALL) else barrier


def headings(draft: Draft) -> int:
    return 9 if soars(draft.site.mover) else 1


def turned(draft: Draft, heading: int, layer: Layer, slot: Slot) -> int | None:
    if draft.profile.postures[layer.posture] != AIR.name:
        return 0
    step = draft.site.directions[slot.k]
    there = ROUND.index((step.di, step.dj)) + 1
    return there if not heading or (there - heading) % 8 in (0, 1, 7) else None


AIR = Medium("soaring", soars, pace, changes, lambda site: site.fact("impassable"), over)
WAY = Way("soar", 78, media=(AIR,), counters=(Counter("heading", headings, turned, True),))
