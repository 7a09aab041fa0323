"""What of a rule system's word a graph is made of, so that movers that move alike can share one.

Nothing of it names a mover: two profiles with the same key cost the same on every ground of the map.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from math import prod
from operator import attrgetter
from typing import NamedTuple

from tactical.options import Options
from tactical.rules.profile import Pace, Profile
from tactical.units import Cell
from tactical.values import Same
from tactical.world.battlemap import Battlemap, Zone
from tactical.world.terrain import Terrain

_NUMBERS = count(1)

MOST_KINDS = 256
"""Of more kinds of ground than this it is not asked what each costs: then only the very same profile is alike."""


class Price(NamedTuple):
    """What a pace says about costs; the names of its factors are left out."""

    base: Fraction
    factors: tuple[Fraction, ...]
    final: Fraction
    mode: str
    on_foot: bool

    @classmethod
    def of(cls, pace: Pace) -> Price:
        """The price in a pace."""
        final = prod((factor.value for factor in pace.final), start=Fraction(1))
        return cls(pace.base, tuple(factor.value for factor in pace.factors), final, pace.mode, pace.on_foot)


def kinds_of(battlemap: Battlemap) -> tuple[Terrain, ...]:
    """Every kind of ground that a cell of the map can be, to whomever, with the zones that lie on it."""

    def found() -> tuple[Terrain, ...]:
        laid: dict[Cell, list[Zone]] = {}
        for zone in battlemap.zones:
            for cell in zone.cells:
                laid.setdefault(cell, []).append(zone)
        over: dict[tuple[Same, ...], list[Zone]] = {}
        for zones in laid.values():
            # a zone of somebody's own does not affect that one
            for source in dict.fromkeys(("", *(zone.source for zone in zones))):
                met = [zone for zone in zones if not source or zone.source != source]
                over[tuple(map(Same, met))] = met
        kinds = dict.fromkeys(battlemap.palette)
        for met in over.values():
            for ground in battlemap.palette:
                changed = ground
                for zone in met:
                    changed = changed.under(zone.facts)
                kinds[changed] = None
        return tuple(kinds)

    return battlemap.store.kept("kinds", found)


def can_jump(battlemap: Battlemap, profile: Profile) -> bool:
    """Whether the map has anything that could be jumped over, up or down by the rules."""
    jump, kinds = profile.jump, kinds_of(battlemap)
    if jump is None:
        return False
    if any(kind.gap for kind in kinds):
        return True
    uneven = len({kind.elevation for kind in kinds}) > 1
    if jump.high is not None and (uneven or any(barrier.top is not None for barrier in battlemap.barriers)):
        return True
    return jump.ledges and (jump.fly is None or uneven)


def prices_of(battlemap: Battlemap, profile: Profile, pool: str) -> tuple[Price | None, ...] | None:
    """Posture by posture and kind by kind what a profile charges; None on maps of too many kinds."""

    def found() -> tuple[Profile, tuple[Price | None, ...] | None]:
        kinds = kinds_of(battlemap)
        if len(kinds) > MOST_KINDS:
            return profile, None
        rising = (False, True) if profile.uphill_matters else (False,)
        paces = (
            profile.pace(pool, posture, kind, up)
            for posture in profile.postures
            for kind in kinds
            if not kind.impassable
            for up in rising
        )
        return profile, tuple(Price.of(pace) if isinstance(pace, Pace) else None for pace in paces)

    # the profile is kept too, so that no other can come by its identity
    kept: tuple[Profile, tuple[Price | None, ...] | None]
    kept = battlemap.store.kept(("prices", Same(profile), pool), found)
    return kept[1]


def graph_key(battlemap: Battlemap, profile: Profile, options: Options, pool: str) -> Hashable:
    """All of a profile that a graph on the map is made of, as a number; equal for profiles that make the same graph."""

    def found() -> tuple[Profile, Hashable]:
        ledge, jump = profile.ledge, profile.jump
        jumps = can_jump(battlemap, profile)
        dropping = profile.fall is not None and options["ledge_down"] == "drop"
        prices = prices_of(battlemap, profile, pool)
        # functions cannot be compared: where one matters it is this profile or another
        apart = prices is None or dropping or (jumps and jump is not None and jump.fly is not None)
        own = Same(profile) if apart else 0
        climbs: Hashable = None
        if ledge is not None:
            ends = (ledge.up if isinstance(ledge.up, Fraction) else None, ledge.down)
            down = ends[1] if isinstance(ends[1], Fraction) else None
            climbs = (ends[0], down, tuple(sorted(ledge.by_pool.items())))
        leaps: Hashable = None
        if jumps and jump is not None:
            high = None if jump.high is None else (jump.high.running, jump.high.standing)
            leaps = (jump.running, jump.standing, jump.run_up, jump.base, jump.ledges, high)
        changes = tuple((change.start, change.end, change.cost) for change in profile.changes)
        uphill = profile.uphill_matters and profile.uphill_min_rise
        stances = tuple((posture, profile.lowness(posture)) for posture in profile.postures)
        said = (own, profile.unit, stances, changes, climbs, leaps, uphill, prices)
        # a number, for it is looked up at every question and fractions are slow to hash
        return profile, battlemap.store.kept(("number", said), lambda: next(_NUMBERS))

    kept: tuple[Profile, Hashable] = battlemap.store.kept(("key", Same(profile), options, pool), found)
    return kept[1]


def upright(battlemap: Battlemap, profile: Profile, options: Options, pools: Sequence[str]) -> Profile | None:
    """The profile without all postures but the first, where no other can help anybody who stands to get anywhere.

    That is where the first has a pace wherever another has one, at no more, nothing hangs low, and no barrier stops one
    mode of moving alone.  None where others matter, or there are none.
    """
    if len(profile.postures) < 2 or profile.media:
        return None
    if options["diagonal"] == "alternate" and options["difficult_diagonal"] == "as_two":
        return None

    def found() -> tuple[Profile, Profile | None]:
        kinds = kinds_of(battlemap)
        if any(kind.headroom for kind in kinds) or any(map(attrgetter("stops"), battlemap.barriers)):
            return profile, None
        for pool in pools:
            prices = prices_of(battlemap, profile, pool)
            if prices is None:
                return profile, None
            many = len(prices) // len(profile.postures)
            if not all(_no_dearer(prices[n % many], other) for n, other in enumerate(prices)):
                return profile, None
        return profile, replace(profile, postures=profile.postures[:1], changes=())

    kept: tuple[Profile, Profile | None] = battlemap.store.kept(("upright", Same(profile), options, *pools), found)
    return kept[1]


def _no_dearer(price: Price | None, other: Price | None) -> bool:
    """Whether a price is at most another one, whatever else is multiplied in."""
    if other is None:
        return True
    if price is None or price.base > other.base or price.final > other.final:
        return False
    # however factors are joined, more of them that are 1 or more never make a step cheaper
    more = list(other.factors)
    for factor in price.factors:
        if factor not in more:
            return False
        more.remove(factor)
    return all(factor >= 1 for factor in more)
