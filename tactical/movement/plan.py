"""One question in one call: the cheapest way of a mover to a cell; the reaches of many movers on one map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from tactical import values
from tactical.errors import Refusal
from tactical.movement.graph.media import media_of
from tactical.movement.planning.shut_in import shut_in
from tactical.movement.query import Placed, Query, Question, ask, asked_alike, spelled_out
from tactical.movement.reach import Reach, reach
from tactical.movement.route import Route
from tactical.units import exact
from tactical.values import Place, Same
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@spelled_out
def plan(
    battlemap: Battlemap,
    mover: Mover | str,
    to: Place,
    *,
    via: Iterable[Place] = (),
    arrive: str | None = None,
    turns: int = 1,
    gait: str = "",
    reserve: object = 0,
    **question: Unpack[Placed],
) -> Route | Refusal:
    """The cheapest way of a mover to end on `to` within `turns` turns; keywords as for `reach`."""
    via = values.several(via, "via")
    goal = battlemap.cell_of(to)
    if not via and arrive is None and turns == 1:
        # searched no farther than the goal; for a refusal everything is looked at
        query = shut_in(ask(battlemap, mover, **question))
        found = Reach(query, 1, gait, exact(reserve), goal=goal).searched().route(goal)
        if found:
            return found
    reached = reach(battlemap, mover, turns=turns, gait=gait, reserve=reserve, **question)
    return reached.route(to, via=via, arrive=arrive)


@spelled_out
def reach_many(
    battlemap: Battlemap,
    movers: Iterable[Mover | str] | None = None,
    *,
    turns: int = 1,
    gait: str = "",
    reserve: object = 0,
    arrive: str = "",
    **question: Unpack[Question],
) -> tuple[Reach, ...]:
    """Where can each of these movers get to?  One `Reach` a mover, in their order, each as `reach` would give it.

    `movers` are `Mover` objects or ids of movers on the map; None: all that stand on it.  Keywords as for `reach` hold
    for every mover; `others` are the bodies in the way (None: the map's movers), and nobody is in its own way.

    A reach is searched when it is first read: who asks for two hundred and looks at ten pays for ten.  Raises what
    `reach` raises, for the first mover that cannot be asked about.
    """
    # what can be gone through once only holds for every mover
    others = question.get("others")
    question["others"] = bodies = None if others is None else tuple(map(battlemap.seated, others))
    if goals := question.get("goals"):
        question["goals"] = tuple(goals)
    if isinstance(movers, str):
        raise TypeError(f"movers must be several movers such as ['a', 'b'], not {movers!r}")
    chosen = [one for one in battlemap.movers if one.at is not None] if movers is None else list(movers)
    kept_back = exact(reserve)
    alike: dict[object, Query] = {}
    found = []
    for one in chosen:
        mover = battlemap.mover(one) if isinstance(one, str) else one
        kind = (mover.rules, Same(mover.stats), media_of(mover))
        query = alike.get(kind)
        if query is None:
            query = alike[kind] = ask(battlemap, mover, **question)
        else:
            query = asked_alike(query, battlemap, mover, bodies)
        found.append(Reach(shut_in(query), turns, gait, kept_back, arrive))
    return tuple(found)
