"""What mouse and keys do in the edit mode, and how the table follows what was drawn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, hypot
from pathlib import Path

import pygame

from tactical.errors import TacticalError
from tactical.rules.example import example_stats
from tactical.rules.ruleset import get_ruleset
from tactical.show.labels import say
from tactical.show.sheet import Measure, Sheet
from tactical.units import Cell
from tactical.viewer.camera import Camera
from tactical.viewer.editing import saving
from tactical.viewer.editing.alike import flooded, walled
from tactical.viewer.editing.brushes import Brush, brushes_of
from tactical.viewer.editing.drawing import Drawing
from tactical.viewer.editing.palette import TOOLS, Palette, lay_out
from tactical.viewer.editing.selection import Selection
from tactical.viewer.editing.sides import barrier_at, side_at
from tactical.viewer.hand import Hand
from tactical.viewer.library import Library
from tactical.viewer.screen import Screen
from tactical.viewer.table import carried_over
from tactical.world.barriers import Kind
from tactical.world.battlemap import Battlemap
from tactical.world.grids import Point
from tactical.world.mover import Mover

KEYS = {
    "ESCAPE": "edit", "F2": "edit", "z": "edit:undo", "u": "edit:undo", "y": "edit:redo",
    **{key.lower(): f"edit:tool:{tool}" for tool, key in TOOLS},
    **{f"{n}": f"edit:brush:{n - 1}" for n in range(1, 10)},
}  # fmt: skip
"""What a key means in the edit mode, before what it means otherwise."""
DRAWING = {getattr(pygame, f"K_{name}"): name for name in KEYS}
"""Their names by pygame's numbers."""
LOOKING = frozenset({
    "larger", "smaller", "zoom_in", "zoom_out", "fit", "left", "right", "up", "down", "level_up", "level_down", "reach",
    "costs", "odds", "enemy", "turns", "grid", "rulers", "measure", "help", "quit", "picture", "maps", "next",
    "previous",
})  # fmt: skip
"""Of the window's other commands those that play nothing: they hold in the edit mode too."""
PAINTING = frozenset({"brush", "box", "fill", "wand"})
"""The tools that paint with the brush."""
LONGEST = 40
"""Letters of a figure's name at the most."""


class Editor:
    """The edit mode.  `on` while it is open; `tool` is the one in hand, `brush` the place of its brush among
    `brushes`, `name` and `side` are those that the next figure gets, `saved` is the file that was written last,
    `selection` what a rectangle or the wand has got hold of, `kind` what the line tool draws.
    """

    def __init__(self, screen: Screen, library: Library) -> None:
        self.screen, self.library = screen, library
        self.saved: Path | None = None
        self.on = self.typing = False
        self.tool, self.brush, self.name, self.side = "brush", 0, "", ""
        self.brushes: tuple[Brush, ...] = ()
        self.drawing: Drawing | None = None
        self._shown: Battlemap | None = None
        self._button = 0
        self._last = (0, 0)
        self._referee = False
        self.selection = Selection(screen)
        self.kind = Kind.WALL

    @property
    def hand(self) -> Hand:
        """The player's hand."""
        return self.screen.hand

    @property
    def unsaved(self) -> bool:
        """Whether something was drawn that is on no disk."""
        return self.drawing is not None and self.drawing.unsaved

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides a figure may be on: those of the map, and none."""
        return (*dict.fromkeys(mover.side for mover in self.hand.battlemap.movers if mover.side), "")

    def forget(self) -> None:
        """Another map was opened: what was drawn on the one before is gone."""
        self.drawing = self._shown = self.saved = None
        self._close()

    # -- commands -----------------------------------------------------------------------------------------------------

    def do(self, order: str) -> None:
        """Carry out what follows ``edit:`` in a command; nothing opens or leaves the mode."""
        what, _, rest = order.partition(":")
        if not what:
            self._toggle()
        if not self.on or self.drawing is None:
            return
        self.typing = what == "name"
        if what in ("tool", "undo", "redo"):
            self.selection.clear()
        if what == "tool":
            self.tool = rest
        elif what == "brush" and int(rest) < len(self.brushes):
            self.tool, self.brush = self.tool if self.tool in PAINTING else "brush", int(rest)
        elif what == "side":
            self.side = rest
        elif what == "kind":
            self.kind = Kind(rest)
        elif what == "save":
            self.save()
        elif what in ("undo", "redo") and not self._button:
            if self.drawing.undo() if what == "undo" else self.drawing.redo():
                self._follow()
            else:
                self.hand.tell(say(f"edit.no_{what}"), warn=True)

    def _toggle(self) -> None:
        hand = self.hand
        if self.on:
            self._close()
            self.screen.shown = replace(self.screen.shown, referee=self._referee)
            hand.tell(say("edit.unsaved" if self.unsaved else "edit.left"))
            return
        begun = hand.session.position != hand.session.start or hand.session.position.known
        if begun or hand.table.pending is not None:
            hand.tell(say("edit.running"), warn=True)
            return
        if self.drawing is None or self._shown is None or not self._is_shown():
            self.drawing, self.saved = Drawing(hand.battlemap), None
            self._shown = hand.battlemap
        self.brushes = brushes_of(self.drawing.original)
        self.brush = min(self.brush, len(self.brushes) - 1)
        if self.side not in self.sides:
            self.side = self.sides[0]
        hand.forget()
        self._referee = self.screen.shown.referee
        # who edits sees what movers do not: secret doors, and who hides
        self.screen.shown = replace(self.screen.shown, referee=True)
        self.on, self.screen.editing, self.screen.playback = True, self, None
        hand.tell(say("edit.begun"))

    def _is_shown(self) -> bool:
        """Whether the table's map is still the one that was drawn last."""
        now, then = self.hand.battlemap, self._shown
        return then is not None and now.zones == then.zones and now.levels == then.levels and now.movers == then.movers

    def _close(self) -> None:
        if self.drawing is not None:
            self.drawing.end()
        self.on = self.typing = False
        self._button, self.screen.editing = 0, None
        self.selection.clear()

    def sheet(self, measure: Measure, width: float) -> Sheet:
        """The panel."""
        return lay_out(Palette(
            self.tool, self.brushes, self.brush, self.name, self.typing, self.sides, self.side, self.kind, self.unsaved
        ), measure, width)  # fmt: skip

    def save(self) -> Path | None:
        """Write what was drawn over the map's untouched file, and say where; None, and why, where that failed."""
        if self.drawing is None:
            return None
        self.drawing.end()
        position = self.hand.session.position
        try:
            done = saving.save(self.drawing, self.library.maps, self.saved, position.rules)
        except (OSError, TacticalError, ValueError) as error:
            why = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            self.hand.tell(say("edit.not_saved", why=why), warn=True)
            return None
        self.saved = done.path
        self.drawing.kept()
        self.library.note(done.path)
        key = "edit.saved.over" if done.over else "edit.saved.bare" if done.bare else "edit.saved"
        self.hand.tell(say(key, path=done.path, file=done.over))
        return done.path

    def allows(self, command: str) -> bool:
        """Whether a command holds now: while the mode is open nothing is played."""
        return not self.on or command in LOOKING or command.startswith(("who:", "place:"))

    # -- keys ---------------------------------------------------------------------------------------------------------

    def command_for(self, name: str, otherwise: str, *, shift: bool, ctrl: bool) -> str:
        """The command of a key in this mode; `otherwise` is what it means in play."""
        if ctrl and name == "s":
            return "edit:save"
        if name == "z" and shift:
            return "edit:redo"
        if name in KEYS and (not ctrl or name in "zy"):
            return KEYS[name]
        return otherwise if otherwise in LOOKING else ""

    def types(self, event: pygame.event.Event) -> bool:
        """Take a key that writes a figure's name; False for one that has another meaning."""
        if not self.on or not self.typing or event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            return False
        if event.key in (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_ESCAPE, pygame.K_TAB):
            self.typing = False
        elif event.key == pygame.K_BACKSPACE:
            self.name = self.name[:-1]
        elif event.unicode.isprintable() and event.unicode:
            self.name = (self.name + event.unicode)[:LONGEST]
        else:
            return False
        return True

    # -- mouse --------------------------------------------------------------------------------------------------------

    def takes(self, event: pygame.event.Event, mods: int = 0) -> bool:
        """Do what the mouse does on the map with the tool in hand; False for what is not the mode's to take."""
        if not self.on or self.drawing is None:
            return False
        screen = self.screen
        if event.type == pygame.MOUSEBUTTONDOWN and event.button in (1, 3) and not self._button:
            if screen.help or screen.rows is not None or not screen.map_area.collidepoint(event.pos):
                return False
            self.typing = False
            self._button, self._last = event.button, event.pos
            self.drawing.begin()
            self._press(event.pos, everywhere=bool(mods & pygame.KMOD_SHIFT))
        elif event.type == pygame.MOUSEMOTION and self._button:
            screen.pointer = event.pos
            self._drag(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == self._button:
            if self.tool == "box":
                self._lay(list(self.selection.cells))
                self.selection.clear()
            self._button = 0
            self.drawing.end()
        elif event.type == pygame.MOUSEWHEEL and self.selection.seed is not None:
            self.selection.turned(event.y)
        else:
            return False
        return True

    def _press(self, pixel: tuple[int, int], *, everywhere: bool) -> None:
        cell = self.screen.cell_at(pixel)
        if self.tool == "brush":
            self._stroke([pixel])
        elif self.tool == "line":
            self._line([pixel])
        elif self.tool in PAINTING and cell is not None:
            if self.tool == "box":
                self.selection.box(cell)
            elif self.tool == "fill":
                self._lay(list(self._pool(cell)))
            elif cell in self.selection.cells:
                self._lay(list(self.selection.cells))
                self.selection.clear()
            else:
                self.selection.like(cell, everywhere)
        elif self.tool == "doors":
            self._door(pixel)
        elif self.tool == "figure":
            self._figure(cell)

    def _drag(self, pixel: tuple[int, int]) -> None:
        if self.tool in ("brush", "line"):
            (x0, y0), (x1, y1) = self._last, pixel
            # a fast hand skips cells: what lies between is painted too
            steps = max(1, ceil(hypot(x1 - x0, y1 - y0) / max(1.0, self.screen.camera.scale / 4)))
            between = [
                (round(x0 + (x1 - x0) * n / steps), round(y0 + (y1 - y0) * n / steps)) for n in range(1, steps + 1)
            ]
            (self._stroke if self.tool == "brush" else self._line)(between)
        cell = self.screen.cell_at(pixel)
        if self.tool == "box" and cell is not None:
            self.selection.box(cell)
        self._last = pixel

    def _stroke(self, pixels: list[tuple[int, int]]) -> None:
        found = dict.fromkeys(self.screen.cell_at(pixel) for pixel in pixels)
        self._lay([cell for cell in found if cell is not None])

    def _lay(self, cells: list[Cell]) -> None:
        """Paint cells with the brush, or take it away, as the button that is down says."""
        assert self.drawing is not None
        lay = self.drawing.paint if self._button == 1 else self.drawing.erase
        if lay(cells, self.brushes[self.brush]):
            self._follow()

    def _pool(self, cell: Cell) -> set[Cell]:
        """The cells that hang together with one and have its ground, up to the next wall or door."""
        assert self.drawing is not None
        drawing, battlemap = self.drawing, self.hand.battlemap
        ground, cut = drawing.ground(cell), walled(battlemap, cell.level)
        return flooded(
            battlemap, cell, lambda other: drawing.ground(other) == ground,
            between=lambda a, b: (a[:2], b[:2]) not in cut,
        )  # fmt: skip

    def paint(self, surface: pygame.Surface, camera: Camera) -> None:
        """Paint over the map what is selected, and where something was painted."""
        self.selection.paint(surface, camera, self.drawing.work.painted if self.drawing is not None else ())

    def _point(self, pixel: tuple[int, int]) -> Point:
        """The point of the map under a pixel, in cells."""
        area = self.screen.map_area
        return self.screen.camera.point((pixel[0] - area.x, pixel[1] - area.y))

    def _line(self, pixels: list[tuple[int, int]]) -> None:
        """Draw barriers on the sides of cells along a stroke; with the right button take away what lies there."""
        assert self.drawing is not None
        changed = False
        for pixel in pixels:
            cell, point = self.screen.cell_at(pixel), self._point(pixel)
            if self._button == 3:
                near = barrier_at(self.drawing.barriers(), point, self.hand.level)
                changed |= near is not None and self.drawing.unwall(near)
            elif cell is not None:
                side = side_at(self.hand.battlemap.grid, cell, point)
                changed |= side is not None and self.drawing.wall(side, self.kind, self.hand.level)
        if changed:
            self._follow()

    def _door(self, pixel: tuple[int, int]) -> None:
        """Open or shut the door that is nearest."""
        assert self.drawing is not None
        doors = {n: one for n, one in self.drawing.barriers().items() if one.kind is Kind.DOOR}
        nearest = barrier_at(doors, self._point(pixel), self.hand.level)
        if nearest is None:
            self.hand.tell(say("edit.no_door"), warn=True)
        elif self.drawing.toggle(nearest):
            self._follow()

    def _figure(self, cell: Cell | None) -> None:
        """Put a figure on a cell; with the right button take one away that was put there."""
        assert self.drawing is not None
        if cell is None:
            return
        someone = self.hand.mover_at(cell)
        if self._button == 3:
            if someone is not None and self.drawing.remove(someone.id):
                self._follow()
            elif someone is not None:
                self.hand.tell(say("edit.not_ours", name=someone.label), warn=True)
            return
        if someone is not None:
            self.hand.select(someone.id)
            return
        mover = self._made(cell)
        if self.drawing.place(mover) and self._follow() and mover.id in self.hand.table.ids:
            self.hand.select(mover.id)
            if self.hand.selected == mover.id:
                self.hand.tell(say("edit.placed", name=mover.label, cell=self.hand.battlemap.name_of(cell)))
                self.name = ""

    def _made(self, cell: Cell) -> Mover:
        """The figure to put on a cell: with the rules and stats of the first one on its side, else of their own."""
        movers = self.hand.battlemap.movers
        taken = {mover.id for mover in movers}
        stem = self.name.strip() or self.side.rstrip("s") or "figure"
        free = (f"{stem} {n}" for n in range(1 if not self.name.strip() else 2, len(taken) + 3))
        name = next(one for one in ([self.name.strip()] if self.name.strip() else []) + list(free) if one not in taken)
        like = next((mover for mover in movers if mover.side == self.side), None)
        if like is not None:
            # a name of one's own: ids are names here, so that a saved map reads well
            return replace(like, id=name, name="", at=cell, posture="standing", hidden=False, knows=frozenset())
        rules = self.hand.session.position.rules or self.hand.battlemap.rules
        stats: dict[str, Fraction] = {}
        if rules:
            try:
                get_ruleset(rules).read_stats({})
            except TacticalError:
                # these rules know no figure without any
                stats = example_stats(get_ruleset(rules))
        return Mover(name, at=cell, side=self.side, stats=stats)

    # -- the table ----------------------------------------------------------------------------------------------------

    def _follow(self) -> bool:
        """Put what was drawn on the table; what cannot be played is taken back and told.  True if it was put there."""
        assert self.drawing is not None
        hand, drawn = self.hand, self.drawing.battlemap
        try:
            session, lost = carried_over(hand.session, drawn)
        except (TacticalError, ValueError) as error:
            self.drawing.end()
            self.drawing.undo()
            hand.tell(str(error), warn=True)
            return False
        hand.table.session = session
        self._shown = hand.battlemap
        if hand.selected not in hand.table.ids:
            hand.selected = None
            if hand.table.ids:
                hand.select(hand.table.ids[0])
        who = ", ".join(session.position.mover(name).label for name in lost)
        hand.tell(say("edit.lost", who=who) if lost else "", warn=bool(lost))
        return True
