"""Media: what a body meets that moves not on the ground (the air, the earth, a ceiling), brought by a way of moving.

Who is in one has its name for a posture, so states, legs, saved games and panels need no further word for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from tactical.errors import Refusal
from tactical.guard import Guarded, Unfit, Ward, a, any_of, guard
from tactical.registry import WAYS
from tactical.rules.profile import Pace, PostureChange, Profile
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover
from tactical.world.site import Site
from tactical.world.terrain import Terrain

if TYPE_CHECKING:
    from tactical.world.window import Bools


def _changes(found: Any, by: Guarded) -> tuple[PostureChange, ...]:
    # a generator runs here, under guard
    changes = tuple(found)
    for change in changes:
        a(change, PostureChange)
    return changes


def _cells(found: Any, by: Guarded) -> Bools:
    if not isinstance(found, np.ndarray) or found.dtype != bool or found.ndim != 3:
        raise Unfit("it is no array of yes and no by level, row and column, as `Site.fact` gives them")
    return found


_MEDIUM = {
    "who": Ward(lambda found, by: bool(found)),
    "pace": Ward(any_of(Pace, Refusal)),
    "changes": Ward(_changes),
    "solid": Ward(_cells),
    "meets": Ward(any_of(Barrier, NoneType)),
    "stops": Ward(_cells),
}


@dataclass(frozen=True, slots=True)
class Medium:
    """What a body meets that moves not on the ground.  Ground is the engine's own.

    `name` is the posture of who is in it (``flying``).  `who(mover)` says who may be in it at all; `pace(profile,
    ground)` what a unit of distance costs there over such ground; `changes(profile)` from which posture one gets into
    it, to which out of it, and at what price.  `solid(site)` are the cells that nobody enters, padded as all arrays of
    a `Site`; `meets(barrier)` is a barrier as it is met there, None: not at all (without the function: as on the
    ground); `stops(site)` where a turn may end (without it: anywhere).  With `bodies` those on the ground are in the
    way, with `heights` a rise is a ledge.
    """

    name: str
    who: Callable[[Mover], bool]
    pace: Callable[[Profile, Terrain], Pace | Refusal]
    changes: Callable[[Profile], Iterable[PostureChange]]
    solid: Callable[[Site], Bools]
    meets: Callable[[Barrier], Barrier | None] | None = None
    stops: Callable[[Site], Bools] | None = None
    bodies: bool = False
    heights: bool = False

    def __post_init__(self) -> None:
        guard(self, "medium", _MEDIUM, ("meets", "stops"))


def every_medium() -> tuple[Medium, ...]:
    """The media of all ways that are installed."""
    return WAYS.together("media", lambda ways: tuple(medium for way in ways for medium in way.media))


def media_of(mover: Mover) -> tuple[Medium, ...]:
    """Those that are open to a mover."""
    every = every_medium()
    return tuple(medium for medium in every if medium.who(mover)) if every else ()


def with_media(ruleset: Ruleset, media: Sequence[Medium]) -> Ruleset:
    """A rule system as it is for movers that may be in some media: those are postures too, each with its own pace."""
    by_name = {medium.name: medium for medium in media}

    def profile(stats: Any, turn: TurnState, options: Any, posture: str) -> Profile:
        own = ruleset.profile(stats, turn, options, ruleset.postures[0] if posture in by_name else posture)

        def pace(pool: str, posture: str, ground: Terrain, uphill: bool) -> Pace | Refusal:
            medium = by_name.get(posture)
            return own.pace(pool, posture, ground, uphill) if medium is None else medium.pace(own, ground)

        changes = (change for medium in media for change in medium.changes(own))
        return replace(
            own, postures=(*own.postures, *by_name), changes=(*own.changes, *changes), media=(*by_name,), pace=pace
        )

    return replace(ruleset, profile=profile, postures=(*ruleset.postures, *by_name))
