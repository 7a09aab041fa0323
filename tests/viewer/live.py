"""The window as a user has it: its own loop in its own process, in real time, judged by its pixels.

``python -m tests.viewer.live FOLDER`` opens a copy of a sample map, lets a second thread act the user (it only posts
events and looks at the picture), and prints what was seen as one JSON object.  With a display it shows there.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pygame

from tactical import assets
from tactical.show.theme import load
from tactical.viewer.app import App
from tactical.viewer.files.library import Library, read

START, GOAL, ROCK = "H14", "J12", "N14"
"""Where Raven stands in the village, where she is sent, and a well where nobody can stand."""
PATIENCE = 60.0
"""Seconds after which something does not come any more, on however slow a machine."""
REST = 4.0
"""Seconds that the window is watched at rest."""


class User:
    """Posts events and looks at the picture; `seen` is what it found."""

    def __init__(self, app: App, path: Path) -> None:
        self.app, self.path, self.frames, self.pointer = app, path, 0, (0, 0)
        self.seen: dict[str, Any] = {}
        colours = load().colours["window"]
        self.token, self.tip, self.bad = load().sides["self"][1], colours["tip"], colours["bad_line"]

    def at(self, cell: str) -> tuple[int, int]:
        return self.app.screen.pixel_of(self.app.hand.battlemap.cell_named(cell))

    def count(self, colour: tuple[int, int, int], box: pygame.Rect) -> int:
        """How many pixels of a box have a colour, or nearly: edges are smoothed and tooltips let a little through."""
        picture = self.app.screen.surface.copy()
        box = box.clip(picture.get_rect())
        pixels = (picture.get_at((x, y)) for x in range(box.left, box.right) for y in range(box.top, box.bottom))
        return sum(all(abs(a - b) <= 8 for a, b in zip(pixel[:3], colour, strict=True)) for pixel in pixels)

    def stands(self, cell: str) -> bool:
        """Whether the token is drawn on a cell."""
        box = pygame.Rect(0, 0, 20, 20)
        box.center = self.at(cell)
        return self.count(self.token, box) > 40

    def told(self, colour: tuple[int, int, int], least: int) -> bool:
        """Whether the tooltip's colour lies beside the pointer."""
        x, y = self.pointer
        return self.count(colour, pygame.Rect(x + 14, y + 14, 90, 60)) > least

    def wait(self, what: str, condition: Callable[[], bool]) -> None:
        """Wait until something is so, and note whether it came."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()) and time.monotonic() < end:
            time.sleep(0.05)
        self.seen[what] = found
        if not found:
            raise TimeoutError(what)

    def point(self, cell: str) -> None:
        self.pointer = self.at(cell)
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=self.pointer, rel=(0, 0), buttons=(0, 0, 0)))

    def click(self) -> None:
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=self.pointer, button=1))

    def finger(self, kind: int, number: int, at: tuple[float, float], moved: tuple[float, float] = (0, 0)) -> None:
        """One event of a touch screen, as SDL gives it: places and ways in parts of the window."""
        width, height = self.app.screen.surface.get_size()
        place = {"x": at[0] / width, "y": at[1] / height, "dx": moved[0] / width, "dy": moved[1] / height}
        pygame.event.post(pygame.event.Event(kind, finger_id=number, touch_id=1, pressure=1.0, **place))

    def touch(self) -> None:
        """Two fingers draw the map larger and along with them; one that stays where it is opens the menu."""
        x, y = self.at(GOAL)
        before = self.app.screen.camera
        fingers = {1: (x - 40.0, float(y)), 2: (x + 40.0, float(y))}
        for number, place in fingers.items():
            self.finger(pygame.FINGERDOWN, number, place)
        for _ in range(12):
            for number, dx in ((1, -6.0), (2, 10.0)):
                fingers[number] = fingers[number][0] + dx, fingers[number][1] + 3.0
                self.finger(pygame.FINGERMOTION, number, fingers[number], (dx, 3.0))
            time.sleep(0.016)
        for number, place in fingers.items():
            self.finger(pygame.FINGERUP, number, place)
        self.wait("pinched", lambda: self.app.screen.camera.scale > before.scale * 2)
        self.wait("painted", self.quiet)
        self.finger(pygame.FINGERDOWN, 1, self.at(GOAL))
        self.wait("long pressed", lambda: self.app.screen.menu is not None)
        self.finger(pygame.FINGERUP, 1, self.at(GOAL))
        for command in (pygame.K_ESCAPE, pygame.K_0):
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=command, mod=0, unicode=""))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=command, mod=0))
        self.wait("let go", lambda: self.app.screen.menu is None and self.app.screen.camera.scale < before.scale * 1.1)

    def quiet(self) -> bool:
        """Whether nothing was painted for a second."""
        before = self.frames
        time.sleep(1.0)
        return self.frames == before > 0

    def act(self) -> None:
        """A minute at the window."""
        try:
            self.wait("opened", self.quiet)
            self.seen["stood"] = self.stands(START)
            self.touch()
            self.wait("settled", self.quiet)
            self.point(GOAL)
            self.click()
            self.wait("arrived", lambda: self.stands(GOAL) and not self.stands(START))
            self.point(ROCK)
            self.wait("refused", lambda: self.told(self.tip, 500) and self.told(self.bad, 20))
            self.wait("rested", self.quiet)
            self.seen["stays"] = self.stands(GOAL) and not self.stands(START)
            frames, used = self.frames, time.process_time()
            time.sleep(REST)
            self.seen["frames"], self.seen["cpu"] = self.frames - frames, time.process_time() - used
            title = pygame.Rect(0, 0, 200, 40)
            before = pygame.image.tobytes(self.app.screen.surface.subsurface(title).copy(), "RGB")
            text = self.path.read_text(encoding="utf-8").replace("name: Mill village", "name: Hamlet")
            self.path.write_text(text, encoding="utf-8")
            self.wait("reloaded", lambda: self.changed(title, before))
        except TimeoutError:
            pass
        finally:
            pygame.event.post(pygame.event.Event(pygame.QUIT))

    def changed(self, box: pygame.Rect, before: bytes) -> bool:
        return pygame.image.tobytes(self.app.screen.surface.subsurface(box).copy(), "RGB") != before


def main(folder: Path) -> None:
    """Open the window, act, print what was seen."""
    path = folder / "village.yaml"
    shutil.copy(assets.maps("village"), path)
    battlemap = read(path)
    app = App(battlemap, "raven", text=1.0, library=Library(folder / "settings"))  # type: ignore[arg-type]
    user = User(app, path)
    draw = app.draw

    def counted() -> None:
        draw()
        user.frames += 1

    app.draw = counted  # type: ignore[method-assign]
    thread = Thread(target=user.act, daemon=True)
    thread.start()
    app.run()
    thread.join()
    print(json.dumps(user.seen))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
