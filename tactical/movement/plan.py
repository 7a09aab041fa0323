"""One question in one call: the cheapest way of a mover to a cell."""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from typing import Any

from tactical import values
from tactical.errors import Refusal, nearest
from tactical.movement.query import ask
from tactical.movement.reach import Reach, reach, reach_of
from tactical.movement.route import Route
from tactical.units import Cell, exact
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

_KEYWORDS = tuple(signature(reach).parameters)[2:]


def plan(
    battlemap: Battlemap,
    mover: Mover | str,
    to: Place,
    *,
    via: Iterable[Place] = (),
    arrive: str | None = None,
    turns: int = 1,
    **more: Any,
) -> Route | Refusal:
    """The cheapest way of a mover to end on `to` within `turns` turns; keywords as for `reach`."""
    for name in more:
        if name not in _KEYWORDS:
            near = nearest(name, _KEYWORDS)
            raise TypeError(f"plan takes no {name!r}" + (f", did you mean {near!r}?" if near else ""))
    via = values.several(via, "via")
    goal = battlemap.cell_of(to)
    if not via and arrive is None and turns == 1:
        # searched no farther than the goal; for a refusal everything is looked at
        found = _reach(battlemap, mover, goal, **more).route(goal)
        if found:
            return found
    return reach(battlemap, mover, turns=turns, **more).route(to, via=via, arrive=arrive)


def _reach(
    battlemap: Battlemap, mover: Mover | str, goal: Cell, gait: str = "", reserve: object = 0, **question: Any
) -> Reach:
    more = {"arrive": question.pop("arrive")} if "arrive" in question else {}
    return reach_of(ask(battlemap, mover, **question), gait=gait, reserve=exact(reserve), goal=goal, **more)
