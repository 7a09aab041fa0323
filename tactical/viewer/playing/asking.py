"""What the hand asks of the table: who is selected, where the pointer is, where one can get to, and what is told.

A reach may take long.  It is worked out in slices, by `Plan.think`; until it is there, `reach` is None and nothing that
hangs on it is told, and what is ordered meanwhile is done as soon as it is there, unless a click or a key comes
before; wherever the pointer goes in between, it stays where the order was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from tactical.errors import Refusal
from tactical.movement.planning.planner import routing
from tactical.movement.reach import Reach
from tactical.movement.route import Route
from tactical.play.session import Session
from tactical.search.slices import Work
from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.picture.look import Eyes
from tactical.viewer.playing.table import Table
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

T = TypeVar("T")

AT_ONCE = 0.02
"""Seconds that a question may take at once before the rest of its work is done in slices."""


class Asking:
    """Who looks and where.  `message` is what to tell, `warn` whether it is a refusal.

    `hover` is the cell under the pointer, `rested` whether it has stayed there, `turns` how far ahead one looks.
    `wanted` is a way with a risk, while another one is looked for to be taken instead; `going` whether the way
    that is shown is to be taken as soon as it is known, `later` what else is to be done as soon as the reach is.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.selected: str | None = None
        self.turns = 2
        self.level = 0
        self.hover: Cell | None = None
        self.rested = True
        self.message, self.warn = "", False
        self.referee = False
        self.wanted: Route | None = None
        self.going = False
        self.later: Callable[[], object] | None = None
        self._eyes = Eyes()
        self._asking: Work[Route | Refusal] | None = None
        self._last: Reach | None = None

    @property
    def session(self) -> Session:
        """The game."""
        return self.table.session

    @property
    def battlemap(self) -> Battlemap:
        """The map as it is now."""
        return self.table.battlemap

    @property
    def seen(self) -> Battlemap:
        """The map as the selected mover knows it; as it is for the game master."""
        known = self.table.known(self.selected) if self.selected else None
        return self._eyes.map(self.battlemap, self.mover, known, referee=self.referee)

    @property
    def mover(self) -> Mover | None:
        """Who is selected."""
        return self.table.mover(self.selected) if self.selected else None

    @property
    def about(self) -> Any:
        """What the rules say of the selected mover, to be asked for no cell; None where nobody is selected."""
        return self.table.about(self.selected) if self.selected else None

    @property
    def reach(self) -> Any:
        """Where the selected mover can get to; None while that is worked out (by `think`), or nobody is selected."""
        work = self._working()
        if work is None or work.more:
            return None
        self._last = work.answer
        return work.answer

    @property
    def drawn(self) -> Any:
        """The reach to be drawn: the last one, while that of now is worked out."""
        return self.reach or (self._last if self.selected else None)

    @property
    def foe(self) -> Reach | None:
        """Where somebody else can get to on whose token the pointer rests; None while that is worked out."""
        work = self._watching()
        return work.answer if work is not None else None

    def _working(self) -> Work[Reach] | None:
        """The work on the reach of now, begun if it was not."""
        return self._begun(self.selected, self.turns) if self.selected is not None else None

    def _watching(self) -> Work[Reach] | None:
        someone = self.mover_at(self.hover) if self.hover is not None and self.rested else None
        if someone is None or someone.id == self.selected:
            return None
        return self._begun(someone.id, 1)

    def _begun(self, mover_id: str, turns: int) -> Work[Reach]:
        work = self.table.reaching(mover_id, turns)
        if not work.seconds:
            self.table.work_on(work, AT_ONCE)
        return work

    def known(self, act: Callable[[], object]) -> bool:
        """Whether the reach is known; what it is asked for is done as soon as it is, unless another input comes."""
        if self.selected is None or self.reach is not None:
            return True
        self.later = act
        self.tell(say("reckoning"))
        return False

    def reckoned(self, seconds: float) -> bool:
        """Go on with reaches, and why one cannot be where something was to be, for so long at about.

        True while there is more; what was waiting for a reach is done when it is there.
        """
        for reaching in (self._working(), self._watching()):
            if reaching is not None and reaching.more:
                self.table.work_on(reaching, seconds)
                return True
        if self.later is not None:
            act, self.later = self.later, None
            self.tell("")
            act()
        if self._asking is None:
            return False
        self._asking.on(seconds)
        return not self._told()

    def _told(self) -> bool:
        """Tell why a cell is refused, if that is known; True if so."""
        asking = self._asking
        if asking is None or asking.more:
            return asking is None
        self._asking = None
        self.granted(asking.answer)
        return True

    def _refused(self, reach: Reach, place: Cell) -> bool:
        """Whether nobody can get to a place; why not is told, at once or as soon as it is known."""
        if place in reach:
            return False
        self._asking = Work(routing(reach, place, (), None))
        self._asking.on(AT_ONCE)
        if not self._told():
            self.tell(say("reckoning"))
        return True

    @property
    def ordered(self) -> bool:
        """Whether something is to be done as soon as it is worked out."""
        return self.going or self.wanted is not None or self.later is not None

    def wait_for_nothing(self) -> None:
        """What was to be done as soon as something is known is not done any more."""
        if self.message == say("reckoning"):
            self.tell("")
        self.going, self.wanted, self.later, self._asking = False, None, None, None

    def mover_at(self, cell: Cell) -> Mover | None:
        """Who stands on a cell, of those that the selected mover knows of."""
        for mover in self.seen.movers:
            if mover.at is not None and cell in self.battlemap.body(mover.at, mover.size):
                return mover
        return None

    # -- telling ------------------------------------------------------------------------------------------------------

    def tell(self, message: str, *, warn: bool = False) -> None:
        """Leave a message for the status line."""
        self.message, self.warn = message, warn

    def refuse(self, reason: Refusal) -> None:
        """Tell why not."""
        self.tell(reason.text, warn=True)

    def granted(self, found: T | Refusal) -> T | None:
        """What was asked for; None where it is refused, and told."""
        if isinstance(found, Refusal):
            self.refuse(found)
            return None
        return found
