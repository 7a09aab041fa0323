"""A small virtual tabletop in pygame: a model to copy, made of public names only.

    python -m tactical.hosts.pygame_table maps/village.yaml

Whose turn it is stands in the list on the right.  Point at a cell to see the way there, click it (or drag the token to
it) to go.  The game master drags any other token anywhere.  Space ends the turn, U and Y undo and redo, 1 2 3 stand,
crouch and drop, D dashes; when a move waits, G goes on, S stops, R rolls.
"""

from __future__ import annotations

import sys

import pygame

import tactical
from tactical.viewer import Camera, ReachLayer

SIDE, LINE, BACK, INK, DIM = 230, 22, (24, 26, 30), (236, 236, 230), (150, 152, 156)
POSTURES = {pygame.K_1: "standing", pygame.K_2: "crouched", pygame.K_3: "prone"}


class Table:
    """The session, where the map lies on the screen, and what the mouse is doing."""

    def __init__(self, session: tactical.Session, size: tuple[int, int]) -> None:
        self.session = session
        self.layer = ReachLayer(ground=True)
        width, height = session.battlemap.grid.size(session.battlemap.cols, session.battlemap.rows)
        self.camera = Camera((size[0] - SIDE, size[1] - LINE)).fitted(width, height)
        self.size, self.held, self.message, self.running = size, "", "", True
        self.look()

    # -- what is seen -------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Ask anew where the active mover can get to: after everything that happened."""
        self.reach = self.session.reach(self.session.active)
        self.layer.show(self.reach)

    def cell(self, pixel: tuple[int, int]) -> tactical.Cell | None:
        """The cell under the mouse, None beside the map."""
        inside = pixel[0] < self.camera.size[0] and pixel[1] < self.camera.size[1]
        return self.layer.cell_at(self.camera, pixel) if inside else None

    def token(self, cell: tactical.Cell | None) -> str:
        """Who stands on a cell, or nobody."""
        for mover in self.session.battlemap.movers:
            if cell is not None and mover.at is not None and mover.at.level == cell.level:
                across, down = cell.col - mover.at.col, cell.row - mover.at.row
                if 0 <= across < mover.size and 0 <= down < mover.size:
                    return mover.id
        return ""

    def draw(self, screen: pygame.Surface, font: pygame.font.Font) -> None:
        """Paint the map with its reach, the order of turns and what happened last."""
        screen.fill(BACK)
        self.layer.draw(screen.subsurface((0, 0, *self.camera.size)), self.camera)
        x, y = self.camera.size[0] + 12, 12
        position = self.session.position
        for line in [f"Round {position.round}", ""] + [
            ("> " if name == position.active else "   ") + position.mover(name).label for name in position.order
        ]:
            ink = INK if line.startswith(">") else DIM
            screen.blit(font.render(line, True, ink), (x, y))
            y += LINE
        left = self.reach.bands[0].budget - position.status(position.active).turn.spent if self.reach.bands else 0
        for line in ("", f"{float(left):g} {self.reach.unit} left", *self.choices()):
            screen.blit(font.render(line, True, INK), (x, y))
            y += LINE
        screen.blit(font.render(self.message, True, INK), (12, self.size[1] - LINE + 3))

    def choices(self) -> tuple[str, ...]:
        """The keys that answer a move that waits."""
        pending = self.session.position.pending
        if pending is None:
            return ()
        if pending.what == "attack":
            # whoever strikes from hiding is not named before the answer
            position = self.session.position
            who = ", ".join(enemy for enemy in pending.enemies if position.sees(pending.mover, enemy))
            return (f"{who} may strike" if who else "the game master has a word", "G go on", "S stop here")
        return (f"{pending.checks[0].skill}: R roll",)

    # -- what is done -------------------------------------------------------------------------------------------------

    def do(self, command: tactical.Command) -> None:
        """Give a command and say what came of it."""
        answer = self.session.execute(command)
        self.tell(answer)

    def tell(self, answer: tactical.Accepted | tactical.Refusal) -> None:
        """Show what happened, or why not."""
        if isinstance(answer, tactical.Accepted):
            told = answer.for_players().events
            self.message = told[-1].text if told else ""
        else:
            self.message = f"No: {answer.text}"
        self.look()

    def point(self, pixel: tuple[int, int]) -> None:
        """Show the way to the cell under the mouse."""
        cell = self.cell(pixel)
        if cell is None or self.session.position.pending is not None:
            self.layer.show(self.reach)
            return
        route = self.reach.route(cell)
        self.layer.show(self.reach, route)
        if isinstance(route, tactical.Route):
            self.message = f"{self.session.battlemap.name_of(cell)}: {float(route.cost):g} {route.unit}"
        else:
            self.message = route.text

    def release(self, pixel: tuple[int, int]) -> None:
        """A click on a cell, or the end of a drag: the active mover goes there, another is set down there."""
        held, self.held = self.held, ""
        cell = self.cell(pixel)
        if cell is None or self.token(cell) == held != "":
            return
        if held in ("", self.session.active):
            self.do(tactical.Move(self.session.active, self.reach.route(cell)))
            if self.message.startswith("No"):
                self.layer.show(self.reach, self.reach.route(cell))
        else:
            self.do(tactical.Place(held, cell))

    def press(self, key: int) -> None:
        """A key."""
        active, pending = self.session.active, self.session.position.pending
        if key in POSTURES:
            self.do(tactical.Posture(active, POSTURES[key]))
        elif key == pygame.K_SPACE:
            self.do(tactical.EndTurn(active))
        elif key == pygame.K_d:
            self.do(tactical.Dash(active))
        elif key == pygame.K_u:
            self.tell(self.session.undo())
        elif key == pygame.K_y:
            self.tell(self.session.redo())
        elif pending is not None and key == pygame.K_g:
            self.do(tactical.GoOn(pending.mover))
        elif pending is not None and key == pygame.K_s:
            self.do(tactical.StopHere(pending.mover))
        elif pending is not None and key == pygame.K_r:
            self.do(tactical.Roll(pending.mover))
        elif key == pygame.K_ESCAPE:
            self.running = False

    def handle(self, event: pygame.event.Event) -> None:
        """One event of the host's own loop."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.MOUSEMOTION:
            self.point(event.pos)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self.held = self.token(self.cell(event.pos))
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.release(event.pos)
        elif event.type == pygame.KEYDOWN:
            self.press(event.key)


def main(path: str) -> None:
    """Play on a map: everybody on it takes turns in the order of the file."""
    battlemap = tactical.load(path)
    order = [mover.id for mover in battlemap.movers if mover.at is not None]
    session = tactical.Session.new(battlemap, order=order)
    pygame.display.init()
    pygame.font.init()
    screen = pygame.display.set_mode((1200, 760))
    pygame.display.set_caption(battlemap.name or path)
    font = pygame.font.Font(None, 20)
    table = Table(session, screen.get_size())
    while table.running:
        table.draw(screen, font)
        pygame.display.flip()
        table.handle(pygame.event.wait())
    pygame.quit()


if __name__ == "__main__":
    main(sys.argv[1])
