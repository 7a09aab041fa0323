"""The same map in another unit, so that rules in feet and rules in metres can price the same ground.

At the table a 5-foot square is 1.5 metres; that convention is exact and keeps round numbers round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from tactical.units import METRES, exact
from tactical.world.barriers import Barrier
from tactical.world.battlemap import Battlemap
from tactical.world.terrain import Terrain


def in_unit(battlemap: Battlemap, unit: str) -> Battlemap:
    """The map measured in `unit`: cells, heights and flat prices; the same map where that is its unit already.

    A unit that is neither feet nor metres is taken as it is: nobody knows how long it is.
    """
    if battlemap.unit == unit or battlemap.unit not in METRES or unit not in METRES:
        return battlemap
    factor = METRES[battlemap.unit] / METRES[unit]
    return replace(
        battlemap,
        unit=unit,
        cell=battlemap.cell * factor,
        palette=tuple(_ground(terrain, factor) for terrain in battlemap.palette),
        levels=tuple(replace(level, height=level.height * factor) for level in battlemap.levels),
        barriers=tuple(_barrier(barrier, factor) for barrier in battlemap.barriers),
        links=tuple(replace(link, cost=link.cost * factor) for link in battlemap.links),
        zones=tuple(replace(zone, facts=_facts(zone.facts, factor)) for zone in battlemap.zones),
    )


def _ground(terrain: Terrain, factor: Fraction) -> Terrain:
    return replace(terrain, elevation=terrain.elevation * factor) if terrain.elevation else terrain


def _barrier(barrier: Barrier, factor: Fraction) -> Barrier:
    lengths = {name: getattr(barrier, name) for name in ("cost", "bottom", "top")}
    scaled = {name: value * factor for name, value in lengths.items() if value is not None}
    return replace(barrier, **scaled) if scaled else barrier


def _facts(facts: Mapping[str, object], factor: Fraction) -> Mapping[str, object]:
    if "elevation" not in facts:
        return facts
    return {**facts, "elevation": exact(facts["elevation"]) * factor}
