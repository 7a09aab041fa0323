"""The order by which a mover is moved against its will: how far a push goes, and what comes of it on the way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tactical.errors import Refusal
from tactical.movement.forced import pushed, site_there, why_no_rest
from tactical.movement.query import Query
from tactical.movement.route import State, Step
from tactical.play.commands import Push
from tactical.play.events import Event, Explored, Hurt
from tactical.play.happening import Pushed, PushStopped
from tactical.play.position import Position
from tactical.play.referee.secrets import explored, reveal
from tactical.play.referee.walking import hazards_met
from tactical.units import Cell, show
from tactical.world.grids import neighbours


def push(position: Position, command: Push) -> tuple[Position, tuple[Event, ...]] | Refusal:
    """Push a mover over neighbouring cells as far as it could walk them; it ends on a cell where one may end.

    Refused, with the code that a walk gets, where not one cell of it can be made; else a last `PushStopped` says what
    stopped it short.  Nothing is spent, no diagonal counted, and nobody strikes; what hid in the way comes to light.
    """
    mover, status = command.mover, position.status(command.mover)
    apart = _apart(position, status.state.cell, command.cells)
    if apart is not None:
        return apart
    # what a failed roll closed to its own will for the turn is no obstacle to somebody else's
    query = position.with_status(mover, replace(status, barred=frozenset())).query(mover)
    steps, stopped = _as_far_as_it_goes(query, status.state, command.cells)
    hidden = None
    if stopped is not None:
        here, cell = steps[-1].end if steps else status.state, command.cells[len(steps)]
        known = _known(query, here, cell)
        stopped, hidden = (stopped, (here.cell, cell)) if known is None else (known, None)
    rests = [why_no_rest(query, step) for step in steps]
    made = max((n for n, why in enumerate(rests, 1) if why is None), default=0)
    if made < len(steps) and stopped is None:
        stopped = rests[-1]
    if not made:
        assert stopped is not None
        return stopped
    turn = replace(status.turn, run_up=Fraction(0))
    position = position.with_status(mover, replace(status, state=steps[made - 1].end, turn=turn))
    events: list[Event] = []
    for step in steps[:made]:
        site = site_there(query, step.end.cell)
        events.append(Pushed(mover, step.start.cell, step.end.cell))
        events += [Hurt(mover, show(step.damage), "fall")] if step.damage else []
        events += hazards_met(site, mover, step)
        if position.secrets(mover) and _known(query, step.start, step.end.cell) is not None:
            position, found = reveal(position, mover, site, step.start.cell, step.end.cell)
            events += found
    position, seen = explored(position, mover, [step.end.cell for step in steps[:made]])
    events += [Explored(mover, seen)] if seen else []
    if hidden is not None:
        position, found = reveal(position, mover, site_there(query, hidden[0]), *hidden)
        events += found
    if stopped is not None:
        events.append(PushStopped(mover, steps[made - 1].end.cell, len(command.cells) - made, stopped))
    return position, tuple(events)


def _apart(position: Position, at: Cell, cells: tuple[Cell, ...]) -> Refusal | None:
    """The refusal of a push whose cells are not each a neighbour of the one before."""
    grid = position.battlemap.grid
    for here, there in zip((at, *cells), cells, strict=False):
        if there not in [near for _, near in neighbours(grid, here)]:
            start = position.battlemap.name_of(here) if here in position.battlemap else str(here)
            return Refusal("move.not_adjacent", {"start": start, "cell": str(there)})
    return None


def _as_far_as_it_goes(query: Query, state: State, cells: tuple[Cell, ...]) -> tuple[list[Step], Refusal | None]:
    """The steps of a push up to the first that cannot be made, and what stops that one."""
    steps: list[Step] = []
    for cell in cells:
        found = pushed(query, state, cell)
        if isinstance(found, Refusal):
            return steps, found
        steps.append(found)
        state = found.end
    return steps, None


def _known(query: Query, state: State, cell: Cell) -> Refusal | None:
    """What the mover itself knows to stop a step of a push, or None: what stops it all the same, it did not know."""
    found = pushed(query, state, cell, truth=False)
    return found if isinstance(found, Refusal) and found.code != "move.unknown" else None
