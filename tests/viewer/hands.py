"""A user's hands on a real window: posts X events with xdotool, looks at the screen, and reads the kept game.

Nothing of the window's process is touched: what a click came to is told by the game that the window keeps on disk, and
by pictures for somebody to look at.  Needs a display (``xvfb-run``), xdotool and ImageMagick's ``import``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from tactical import assets
from tactical.play.session import Session
from tactical.units import Cell
from tactical.viewer.files.library import read
from tactical.viewer.picture.camera import Camera
from tactical.viewer.picture.frame import Frame
from tactical.wire.save import is_game
from tactical.world.battlemap import Battlemap

OPEN: list[subprocess.Popen[bytes]] = []
"""The windows that were opened, to be ended where a task failed."""
SETTLED = 0.6
"""Seconds a person waits to see what an act came to."""


class Hands:
    """One window of `tactical view`, and what a person does at it; `folder` takes its settings and pictures."""

    def __init__(self, folder: Path, source: str, *more: str, size: tuple[int, int] = (1280, 800), text: float = 1.0):
        self.folder, self.size, self.text = folder, size, text
        self.settings = folder / "settings"
        (self.settings / "tactical").mkdir(parents=True, exist_ok=True)
        (self.settings / "tactical" / "greeted").touch()
        path = Path(source) if Path(source).exists() else assets.maps(source)
        if is_game(path):
            self.battlemap = Session.load(path).battlemap
        else:
            found = read(path)
            assert isinstance(found, Battlemap), found
            self.battlemap = found
        environment = {**os.environ, "XDG_CONFIG_HOME": str(self.settings), "SDL_AUDIODRIVER": "dummy"}
        environment.pop("SDL_VIDEODRIVER", None)
        command = [sys.executable, "-m", "tactical", "view", str(path), "--text-size", f"{text * 100:.0f}", *more]
        self.errors = (folder / "errors.txt").open("ab")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=self.errors)
        OPEN.append(self.process)
        self.camera = self._fitted()
        self._opened()

    def _fitted(self) -> Camera:
        """Where the map lies at first, as long as nothing is zoomed or moved."""
        area = Frame(self.size, self.text).map
        wide, high = self.battlemap.grid.size(self.battlemap.cols, self.battlemap.rows)
        bare = Camera(area.size).fitted(wide, high)
        return Camera(area.size).fitted(wide, high, 52 * Frame(self.size, self.text).k / bare.scale)

    def _opened(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            time.sleep(0.3)
            look = subprocess.run(
                ["import", "-window", "root", "-crop", "200x40+8+8", "txt:-"], capture_output=True, check=False
            )
            if len({line.split()[-1] for line in look.stdout.splitlines()[1:]}) > 8:
                time.sleep(2.0)
                return
        raise TimeoutError("no window came")

    # -- acts ---------------------------------------------------------------------------------------------------------

    def pixel(self, cell: str) -> tuple[int, int]:
        """Where a cell is on the screen."""
        found = self.battlemap.cell_named(cell)
        assert isinstance(found, Cell)
        x, y = self.camera.pixel(self.battlemap.grid.centre(found.col, found.row))
        area = Frame(self.size, self.text).map
        return round(x) + area.x, round(y) + area.y

    def do(self, *words: object, wait: float = SETTLED) -> None:
        """Let xdotool do something."""
        subprocess.run(["xdotool", *map(str, words)], check=True, timeout=60)
        time.sleep(wait)

    def point(self, at: str | tuple[int, int], wait: float = SETTLED) -> None:
        """Point at a cell or a pixel."""
        self.do("mousemove", *(self.pixel(at) if isinstance(at, str) else at), wait=wait)

    def click(self, at: str | tuple[int, int], button: int = 1, held: str = "", wait: float = 1.2) -> None:
        """Click there, with a modifier held."""
        self.point(at, 0.3)
        if held:
            self.do("keydown", held, wait=0.05)
        self.do("click", button, wait=0.1)
        if held:
            self.do("keyup", held, wait=0.05)
        time.sleep(wait)

    def drag(self, cells: list[str] | list[tuple[int, int]]) -> None:
        """Press on the first, go over all, let go on the last."""
        self.point(cells[0], 0.3)
        self.do("mousedown", 1, wait=0.15)
        for one in cells[1:]:
            self.point(one, 0.25)
        self.do("mouseup", 1, wait=1.4)

    def key(self, *names: str, wait: float = SETTLED) -> None:
        """Press keys, one after another."""
        for name in names:
            self.do("key", name, wait=wait)

    def type(self, words: str) -> None:
        """Type letters."""
        self.do("type", "--delay", 60, words)

    # -- looking ------------------------------------------------------------------------------------------------------

    def picture(self, name: str) -> Path:
        """What the screen shows, as a file."""
        path = self.folder / f"{name}.png"
        subprocess.run(["import", "-window", "root", str(path)], check=True)
        return path

    def game(self) -> Session:
        """The game as the window has kept it: the newest one."""
        found = sorted((self.settings / "tactical" / "games").glob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        return Session.load(found[-1]) if found else Session.new(self.battlemap)

    def at(self, mover: str) -> str:
        """Where a mover stands in the kept game."""
        game = self.game()
        return game.battlemap.name_of(game.position.status(mover).state.cell)

    def close(self) -> str:
        """Close the window; what it wrote on stderr, without pygame's greeting."""
        self.do("key", "ctrl+q", wait=0.5)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            self.process.wait(10)
        self.errors.close()
        return (self.folder / "errors.txt").read_text(encoding="utf-8")
