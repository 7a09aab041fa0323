"""How quick the window is, under SDL's dummy driver at 1280×800: ``python -m tests.bench.bench_window``.

Prints medians and worst cases of frames, hovers, zooming and dragging in CPU time, which other work on the machine
hardly changes, and how much of a core an idle window takes.
"""

from __future__ import annotations

import os
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from random import Random

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from tactical import assets
from tactical.units import Cell
from tactical.viewer.app import App
from tactical.viewer.files.library import Library, read
from tactical.world.battlemap import Battlemap, Picture
from tactical.world.mover import Mover
from tests.viewer.soak import soak

SIDE = 4096


def board(side: int, *, picture: bool = False) -> Battlemap:
    """A mixed map with a picture of 4096 by 4096 pixels below it on request."""
    chance = Random(5)
    rows = ["".join(chance.choice("......,,~#") for _ in range(side)) for _ in range(side)]
    middle = side // 2
    rows[middle] = rows[middle][:middle] + "." + rows[middle][middle + 1 :]
    legend = {"~": {"terrain": "brush", "difficult": True}, ",": {"terrain": "mud", "difficult": True}}
    movers = (Mover("raven", at=Cell(middle, middle), side="a"), Mover("guard", at=Cell(1, 1), side="b"))
    back = Picture(painting, SIDE / side) if picture else None
    return Battlemap.from_rows(rows, legend, rules="operator", movers=movers, name="Bench", picture=back)


def painting() -> bytes:
    """A picture like a drawn map."""
    small = pygame.Surface((64, 64))
    chance = Random(3)
    for x in range(64):
        for y in range(64):
            small.set_at((x, y), (chance.randint(70, 130), chance.randint(90, 140), chance.randint(60, 100)))
    out = BytesIO()
    pygame.image.save(pygame.transform.smoothscale(small, (SIDE, SIDE)), out, "map.png")
    return out.getvalue()


def timed(name: str, steps: Iterator[Callable[[], object]], bar: float) -> None:
    """Run some steps and print the median and the worst in milliseconds."""
    found = []
    for step in steps:
        begun = time.process_time()
        step()
        found.append((time.process_time() - begun) * 1000)
    median = statistics.median(found)
    late = sorted(found)[int(len(found) * 0.95)]
    verdict = "ok" if median <= bar else "OVER"
    print(f"{name:46} median {median:6.2f}  95% {late:6.2f}  worst {max(found):6.2f} ms   bar {bar:g} ms {verdict}")


def app_on(battlemap: Battlemap) -> App:
    """A window on a map."""
    return App(battlemap, "raven", text=1.0, library=Library())


def pull(app: App, dx: int, dy: int) -> None:
    """One event of a drag with the middle button, and the frame after it."""
    at = app.screen.map_area.center
    app.pressed = (2, at, 0)
    app.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(dx, dy), buttons=(0, 1, 0)))
    app.draw()


def frames(app: App, count: int = 120) -> Iterator[Callable[[], object]]:
    """Full frames while the map is dragged a little each time."""
    app.draw()
    for n in range(count):
        dx = 3 if n // 20 % 2 else -3

        def frame(dx: int = dx) -> None:
            pull(app, dx, 1 if dx > 0 else -1)

        yield frame


def hovers(app: App) -> Iterator[Callable[[], object]]:
    """The pointer goes from cell to cell: route, ledger, panel, picture."""
    app.draw()
    cells = sorted(app.hand.reach.cells())[::3][:120]
    for cell in cells:

        def hover(cell: Cell = cell) -> None:
            app.hand.point_at(cell)
            app.draw()

        yield hover


def wheel(app: App) -> Iterator[Callable[[], object]]:
    """The wheel turns in and out."""
    app.draw()
    for n in range(40):
        turn = 1 if n // 5 % 2 == 0 else -1
        event = pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=turn, flipped=False)

        def zoom(event: pygame.event.Event = event) -> None:
            app.handle(event)
            app.draw()

        yield zoom


def drag(app: App, step: int = 9) -> Iterator[Callable[[], object]]:
    """A long drag over a large map, at nine pixels a frame."""
    app.draw()
    for n in range(240):
        dx, dy = (-step, -2) if n < 120 else (2, -step)

        yield partial(pull, app, dx, dy)


def idle(app: App, seconds: float = 3.0) -> None:
    """How much of a core an open window takes that nobody touches."""
    app.draw()
    before, begun = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if app.dirty:
            app.draw()
        event = pygame.event.wait(app.patience())
        if event.type != pygame.NOEVENT:
            app.handle(event)
        app.tick()
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    share = used / seconds * 100
    print(f"{'idle window':46} {share:6.2f} % of a core   bar 3 % {'ok' if share <= 3 else 'OVER'}")


def inputs(name: str, count: int = 300) -> None:
    """What random inputs cost in CPU time on a sample map: handling one, and the frame after it."""
    app = App(read(assets.maps(name)), text=1.0, library=Library())  # type: ignore[arg-type]
    app.draw()
    every = soak(app, count)
    for label, bar in (("", 50), ("tick", 50), ("draw", 100)):
        mine = sorted(ms for ms, what in every if (what.split()[0] in ("tick", "draw")) is bool(label)
                      and what.startswith(label))  # fmt: skip
        late, over = mine[int(len(mine) * 0.95)], sum(ms > bar for ms in mine)
        title = f"random inputs, {name}, {label or 'handled'}"
        print(f"{title:46} median {statistics.median(mine):6.2f}  95% {late:6.2f}  worst {mine[-1]:6.2f} ms CPU   "
              f"bar {bar} ms {'ok' if not over else f'OVER {over} times'}")  # fmt: skip


def main() -> None:
    """Measure everything."""
    print("pygame", pygame.version.ver)
    app = app_on(board(100, picture=True))
    timed("full frame, 100×100 over 4096², dragged", frames(app), 4)
    timed("hover to route, ledger and picture", hovers(app), 16)
    timed("wheel, 100×100 over 4096²", wheel(app), 16)
    idle(app)
    app = app_on(board(100))
    timed("full frame, 100×100 painted ground, dragged", frames(app), 4)
    timed("wheel, painted ground", wheel(app), 16)
    app = app_on(board(1000))
    timed("drag over 1000×1000", drag(app), 1000 / 60)
    app.command("zoom_out")
    app.command("zoom_out")
    app.command("zoom_out")
    timed("drag over 1000×1000, from afar", drag(app), 1000 / 60)
    timed("wheel over 1000×1000", wheel(app), 1000 / 60)
    for name in ("village", "starport", "dungeon"):
        inputs(name)


if __name__ == "__main__":
    main()
