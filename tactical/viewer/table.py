"""The table: where everybody stands, what each has done this turn, and what can be taken back.

All that happens in the window goes through here.  Positions and turns are values kept in a history; the map itself
never changes.  Prices come from the engine's `reach` alone, so what was previewed is what is charged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.movement.route import Route, State
from tactical.rules.ruleset import TurnState
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover


@dataclass(frozen=True, slots=True)
class Status:
    """One mover's place and turn."""

    state: State
    turn: TurnState = field(default_factory=TurnState)


Statuses = Mapping[str, Status]


def _engine(*args: Any, **keywords: Any) -> Any:
    from tactical.movement.reach import reach

    return reach(*args, **keywords)


class Table:
    """A map in play.  `engine` is the library's `reach` (or a stand-in for tests)."""

    def __init__(
        self,
        battlemap: Battlemap,
        *,
        rules: str | None = None,
        options: Mapping[str, object] | None = None,
        engine: Callable[..., Any] = _engine,
    ) -> None:
        self.map, self.rules, self.options, self.engine = battlemap, rules, dict(options or {}), engine
        placed = [mover for mover in battlemap.movers if mover.at is not None]
        self.now: Statuses = {mover.id: Status(State(mover.at or Cell(0, 0), mover.posture)) for mover in placed}
        self.past: list[Statuses] = []
        self.future: list[Statuses] = []
        self._kept: dict[tuple[str, int], Any] = {}
        self._battlemap: Battlemap | None = None

    # -- asking it --------------------------------------------------------------------------------------------------

    @property
    def ids(self) -> tuple[str, ...]:
        """The movers that stand on the map, in its order."""
        return tuple(mover.id for mover in self.map.movers if mover.id in self.now)

    @property
    def battlemap(self) -> Battlemap:
        """The map with everybody where they stand now."""
        if self._battlemap is None:
            movers = [
                replace(mover, at=self.now[mover.id].state.cell, posture=self.now[mover.id].state.posture)
                if mover.id in self.now
                else mover
                for mover in self.map.movers
            ]
            self._battlemap = self.map.with_(movers=movers)
        return self._battlemap

    def mover(self, mover_id: str) -> Mover:
        """A mover as it stands now.  Raises `UnknownName`."""
        return self.battlemap.mover(mover_id)

    def turn(self, mover_id: str) -> TurnState:
        """What a mover has done this turn."""
        return self.now[mover_id].turn

    def reach(self, mover_id: str, turns: int = 1) -> Any:
        """Where a mover can get to with what is left of its turn.  Raises `RulesetError` and others as `reach` does."""
        key = (mover_id, turns)
        if key not in self._kept:
            status = self.now[mover_id]
            self._kept[key] = self.engine(
                self.battlemap,
                self.mover(mover_id),
                start=status.state,
                rules=self.rules,
                options=self.options,
                turn=status.turn,
                turns=turns,
            )
        return self._kept[key]

    # -- changing it --------------------------------------------------------------------------------------------------

    def go(self, mover_id: str, route: Route) -> Route:
        """Carry a route out as far as the present turn goes; returns the part that was gone."""
        steps = [step for step in route.steps if step.turn == route.steps[0].turn] if route.steps else []
        if not steps:
            return route
        status = self.now[mover_id]
        last = steps[-1]
        spent = max((step.spent for step in steps), default=status.turn.spent)
        turn = replace(status.turn, spent=spent, diagonals=last.end.diagonals, doors=last.end.doors)
        turn = replace(turn, run_up=last.end.run_up * self.map.cell)
        self._advance({**self.now, mover_id: Status(last.end, turn)})
        if len(steps) == len(route.steps):
            return route
        cost = sum((step.cost for step in steps), Fraction(0))
        return replace(route, steps=tuple(steps), end=last.end, cost=cost, turn=steps[0].turn, spent=spent)

    def posture_way(self, mover_id: str, posture: str) -> Route | Refusal:
        """The change of posture on the spot, as a route with its price."""
        here = self.now[mover_id].state
        found: Route | Refusal = self.reach(mover_id).route(here.cell, arrive=posture)
        return found

    def change_posture(self, mover_id: str, posture: str) -> Route | Refusal:
        """Stand up, crouch or drop on the spot, at its price."""
        way = self.posture_way(mover_id, posture)
        if isinstance(way, Route) and way.steps:
            return self.go(mover_id, way)
        return way

    def end_turn(self, mover_id: str) -> Status:
        """End a mover's turn: the budget is whole again.  Can be undone."""
        status = self.now[mover_id]
        found = self.reach(mover_id)
        fresh = self._fresh(found, status.turn)
        keep = found.options.get("parity_reset") == "never"
        diagonals = status.state.diagonals if keep else 0
        state = status.state._replace(diagonals=diagonals, run_up=0, doors=0)
        after = Status(state, replace(fresh, diagonals=diagonals))
        self._advance({**self.now, mover_id: after})
        return after

    def _fresh(self, found: Any, turn: TurnState) -> TurnState:
        """A new turn after this one, as the rule system has it."""
        query = getattr(found, "query", None)
        if query is not None:
            from tactical.movement.query import fresh_turn

            fresh: TurnState = fresh_turn(query.ruleset, turn, query.options)
            return fresh if fresh.turn > turn.turn else replace(fresh, turn=turn.turn + 1)
        return TurnState(turn=turn.turn + 1, memory=turn.memory)

    def undo(self) -> Refusal | None:
        """Take the last move, posture change or end of turn back."""
        if not self.past:
            return Refusal("move.nothing_to_undo")
        self.future.append(self.now)
        self._set(self.past.pop())
        return None

    def redo(self) -> bool:
        """Do again what was taken back; False if there is nothing."""
        if not self.future:
            return False
        self.past.append(self.now)
        self._set(self.future.pop())
        return True

    def reset(self, mover_id: str) -> bool:
        """Put a mover back to where its turn began; False if it has done nothing.  Can be undone."""
        number = self.now[mover_id].turn.turn
        first = next(past[mover_id] for past in (*self.past, self.now) if past[mover_id].turn.turn == number)
        if first == self.now[mover_id]:
            return False
        self._advance({**self.now, mover_id: first})
        return True

    def _advance(self, statuses: Statuses) -> None:
        self.past.append(self.now)
        self.future.clear()
        self._set(statuses)

    def _set(self, statuses: Statuses) -> None:
        self.now = statuses
        self._kept.clear()
        self._battlemap = None
