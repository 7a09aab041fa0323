"""A medium in one file: moles dig themselves in and go under walls and through rock, at twice the price, but not below
water or a chasm; they may stay down there, and nobody on the ground is in their way.

Offered as the entry point ``burrow = burrow:WAY`` of the group ``tactical.ways``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from tactical.errors import Refusal
from tactical.movement.graph.media import Medium
from tactical.movement.ways import Way
from tactical.rules.profile import Factor, Pace, PostureChange, Profile, Source
from tactical.world.mover import Mover
from tactical.world.site import Site
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from tactical.world.window import Bools

SOURCE = Source("BURROW-1")


def digs(mover: Mover) -> bool:
    return "mole" in mover.label.lower()


def pace(profile: Profile, ground: Terrain) -> Pace | Refusal:
    return Pace("dig", factors=(Factor("earth", Fraction(2), SOURCE),), source=SOURCE, on_foot=False)


def changes(profile: Profile) -> Iterator[PostureChange]:
    yield PostureChange("standing", "burrowed", Fraction(5), "dig in", SOURCE)
    yield PostureChange("burrowed", "standing", Fraction(0), "come up", SOURCE)


def no_earth(site: Site) -> Bools:
    return site.fact("gap") | site.fact("swum_by_some")


EARTH = Medium("burrowed", digs, pace, changes, no_earth, meets=lambda barrier: None)
WAY = Way("burrow", 77, media=(EARTH,))
