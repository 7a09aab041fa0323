"""One question in one call: the cheapest way of a mover to a cell; the reaches of many movers on one map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from inspect import signature
from typing import Any

from tactical import values
from tactical.errors import Refusal, meant
from tactical.movement.graph.media import media_of
from tactical.movement.query import Query, ask, asked_alike
from tactical.movement.reach import Reach, reach
from tactical.movement.route import Route
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, exact
from tactical.values import Place, Same
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
            raise TypeError(f"plan takes no {name!r}{meant(name, _KEYWORDS)}")
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
    return Reach(ask(battlemap, mover, **question), 1, gait, exact(reserve), goal=goal, **more).searched()


def reach_many(
    battlemap: Battlemap,
    movers: Iterable[Mover | str] | None = None,
    *,
    rules: str | Ruleset | None = None,
    options: Mapping[str, object] | None = None,
    turn: TurnState | None = None,
    others: Iterable[Mover] | None = None,
    turns: int = 1,
    known: Collection[Place] | None = None,
    gait: str = "",
    reserve: object = 0,
    arrive: str = "",
    truth: bool = False,
) -> tuple[Reach, ...]:
    """Where can each of these movers get to?  One `Reach` a mover, in their order, each as `reach` would give it.

    `movers` are `Mover` objects or ids of movers on the map; None: all that stand on it.  Keywords as for `reach` hold
    for every mover; `others` are the bodies in the way (None: the map's movers), and nobody is in its own way.

    A reach is searched when it is first read: who asks for two hundred and looks at ten pays for ten.  Raises what
    `reach` raises, for the first mover that cannot be asked about.
    """
    bodies = None if others is None else tuple(map(battlemap.seated, others))
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
            query = ask(
                battlemap, mover, rules=rules, options=options, turn=turn, others=bodies, known=known, truth=truth
            )
            alike[kind] = query
        else:
            query = asked_alike(query, battlemap, mover, bodies)
        found.append(Reach(query, turns, gait, kept_back, arrive))
    return tuple(found)
