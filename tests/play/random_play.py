"""Random play: whatever numbers come, a command that might be given in the present position."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tactical import Cell
from tactical.play import commands as do
from tactical.play.session import Session

CHOICES = 19


def command_for(session: Session, numbers: Sequence[int]) -> do.Command:
    """The command that four numbers stand for; many are refused, as they are at a table."""
    what, who, where, how = numbers
    position = session.position
    ids = [mover.id for mover in position.battlemap.movers]
    mover = ids[who % len(ids)]
    cells = sorted(session.reach(mover).cells()) if what % CHOICES < 4 else []
    anywhere = Cell(where % 12 - 1, how % 8 - 1)
    postures = position.ruleset(mover).postures
    posture = postures[how % len(postures)]
    pending = position.pending
    if pending is not None and what % 5 < 3:
        if pending.what == "attack":
            return do.GoOn("") if how % 4 else do.StopHere(pending.mover)
        return do.GivenRoll(pending.mover, how % 25) if how % 3 == 0 else do.Roll("", "" if how % 3 == 1 else "3D")
    there = cells[where % len(cells)] if cells else anywhere
    made: list[Callable[[], do.Command]] = [
        lambda: do.Move(mover, there),
        lambda: do.Move(mover, session.route(mover, there)),
        lambda: do.Move(mover, anywhere, arrive=posture if how % 2 else ""),
        lambda: do.Move(mover, there, stunt=how % 12),
        lambda: do.Move(mover, there, then="climbing=9", dcs=(12,) if how % 4 == 0 else None),
        lambda: do.Move(mover, there, via=(cells[how % len(cells)],) if cells else ()),
        lambda: do.Posture(mover, posture),
        lambda: do.Dash(mover, bool(how % 2)),
        lambda: do.Disengage(mover) if how % 2 else do.Act(mover, "shoot"),
        lambda: do.OpenDoor(("gate", "back", "lost")[where % 3], mover if how % 2 else ""),
        lambda: do.CloseDoor(("gate", "back")[where % 2], mover if how % 2 else ""),
        lambda: do.Spend(mover, how % 9 - 3, "by the referee"),
        lambda: do.Gait(mover, _gaits(session, mover)[how % len(_gaits(session, mover))]),
        lambda: do.Roll("", "2D+1"),
        lambda: do.EndTurn(mover),
        lambda: do.EndTurn(position.active or mover),
        lambda: do.Place(mover, anywhere, posture if how % 2 else ""),
        lambda: do.Push(mover, (_beside(position.status(mover).state.cell, where),)),
        lambda: do.Reveal(mover, (anywhere,), ("lost",) if how % 3 == 0 else (), ("spy",) if how % 5 == 0 else ()),
    ]
    return made[what % CHOICES]()


def _beside(cell: Cell, where: int) -> Cell:
    return Cell(cell.col + where % 3 - 1, cell.row + where // 3 % 3 - 1)


def _gaits(session: Session, mover: str) -> list[str]:
    return ["", *(gait.name for gait in session.position.query(mover).profile.gaits)]
