"""One question in one call: the cheapest way of a mover to a cell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tactical.errors import Refusal
from tactical.movement.reach import reach
from tactical.movement.route import Route
from tactical.values import Place
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


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
    return reach(battlemap, mover, turns=turns, **more).route(to, via=via, arrive=arrive)
