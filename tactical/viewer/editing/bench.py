"""What lies on the bench while a map is edited: the drawing, the tool in hand and what it draws with."""

from __future__ import annotations

from tactical.errors import TacticalError
from tactical.show.labels import say
from tactical.units import Cell
from tactical.viewer.editing.brushes import Brush
from tactical.viewer.editing.drawing import Drawing
from tactical.viewer.editing.figures import Figures
from tactical.viewer.editing.selection import Selection
from tactical.viewer.overlays.screen import Screen
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.table import carried_over
from tactical.world.edges.barriers import Kind
from tactical.world.grids import Point

PAINTING = frozenset({"brush", "box", "polygon", "fill", "wand"})
"""The tools that paint with the brush."""


class Bench:
    """The tool in hand (`tool`), the place of its brush among `brushes`, what the line tool draws (`kind`) and what
    leads where the link tool lays one (`way`), which begins at `start`; what is selected, and the figures' fields.
    """

    def __init__(self, screen: Screen, before: Bench | None = None) -> None:
        self.screen = screen
        self.drawing = Drawing(screen.hand.battlemap)
        self.shown = screen.hand.battlemap
        self.tool, self.brush, self.kind, self.way = "brush", -1, Kind.WALL, "stairs"
        self.brushes: tuple[Brush, ...] = ()
        self.start: Cell | None = None
        self.selection = Selection(screen)
        self.figures = Figures()
        if before is not None:
            # who opens another map goes on with what was in hand
            self.tool, self.brush, self.kind, self.way = before.tool, before.brush, before.kind, before.way

    @property
    def hand(self) -> Hand:
        """The player's hand."""
        return self.screen.hand

    @property
    def rules(self) -> str:
        """The rules that figures follow which name none."""
        return self.hand.session.position.rules or self.hand.battlemap.rules

    def is_shown(self) -> bool:
        """Whether the table's map is still the one that was drawn last."""
        now, then = self.hand.battlemap, self.shown
        return now.zones == then.zones and now.levels == then.levels and now.movers == then.movers

    def clear(self) -> None:
        """Let go of what is selected or begun."""
        self.selection.clear()
        self.start = None
        self.figures.let_go()

    def point(self, pixel: tuple[int, int]) -> Point:
        """The point of the map under a pixel, in cells."""
        return self.screen.point_at(pixel)

    def lay(self, cells: list[Cell], *, off: bool) -> None:
        """Paint cells with the brush, or take it away."""
        if (self.drawing.erase if off else self.drawing.paint)(cells, self.brushes[self.brush]):
            self.follow()

    def follow(self) -> bool:
        """Put what was drawn on the table; what cannot be played is taken back and told.  True if it was put there."""
        hand, drawn = self.hand, self.drawing.battlemap
        before = {mover.id: mover for mover in self.shown.movers}
        moved = [mover.id for mover in drawn.movers if before.get(mover.id) != mover]
        try:
            for fault in drawn.faults():
                raise ValueError(fault.text)
            session, lost = carried_over(hand.session, drawn, moved=moved)
        except (TacticalError, ValueError) as error:
            self.drawing.end()
            self.drawing.undo()
            hand.tell(str(error), warn=True)
            return False
        hand.table.session = session
        self.shown = hand.battlemap
        if hand.selected not in hand.table.ids:
            hand.selected = None
            if hand.table.ids:
                hand.select(hand.table.ids[0])
        who = ", ".join(session.position.mover(name).label for name in lost)
        hand.tell(say("edit.lost", who=who) if lost else "", warn=bool(lost))
        return True
