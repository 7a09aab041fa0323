"""Random inputs of every kind, one after another, as a child or a cat would give them.

``python -m tests.viewer.soak 20000 [MAP] [SEED]`` prints the dearest inputs in CPU time, and how memory grew.
``xvfb-run -a -s "-screen 0 1280x800x24" python -m tests.viewer.soak 20000 MAP SEED x`` gives them to a real window as X
events and tells whether it has said anything, stays open, and how its memory grew.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame

from tactical import assets
from tactical.rules import dice
from tactical.search.kernel import warm_in_background
from tactical.viewer.app import App
from tactical.viewer.controls import KEYS
from tactical.viewer.files.library import Library, read

LEFT_OUT = {"quit", "picture", "reload", "save_copy", "sounds"}
"""Commands that close the window, write files of their own, or make a noise."""
SIZES = [(640, 480), (1000, 700), (1280, 800), (1600, 900)]


def inputs(app: App, chance: Random) -> Iterator[tuple[str, list[pygame.event.Event]]]:
    """One thing after another that a hand can do, with its name."""
    keys = [(key, name) for key in KEYS for name in key.names if key.command not in LEFT_OUT]
    make = pygame.event.Event
    while True:
        width, height = app.screen.surface.get_size()
        at = chance.randrange(width), chance.randrange(height)
        if chance.random() < 0.6:
            area = app.screen.map_area
            at = chance.randrange(area.left, area.right), chance.randrange(area.top, area.bottom)
        kind = chance.random()
        if kind < 0.35:
            yield "move", [make(pygame.MOUSEMOTION, pos=at, rel=(3, 2), buttons=(0, 0, 0))]
        elif kind < 0.6:
            button = chance.choice([1, 1, 1, 3])
            mods = chance.choice([0, 0, 0, pygame.KMOD_LCTRL, pygame.KMOD_LSHIFT, pygame.KMOD_LALT])
            held = make(pygame.KEYDOWN, key=pygame.K_F15, mod=mods, unicode="", scancode=0)
            let_go = make(pygame.KEYUP, key=pygame.K_F15, mod=0, unicode="", scancode=0)
            press = [make(one, pos=at, button=button) for one in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)]
            moved = make(pygame.MOUSEMOTION, pos=at, rel=(1, 1), buttons=(0, 0, 0))
            yield f"click {button} {mods}", [moved, held, *press, let_go]
        elif kind < 0.7:
            to = at[0] + chance.randint(-90, 90), at[1] + chance.randint(-90, 90)
            down, up = (make(one, pos=pos, button=1) for one, pos in
                        ((pygame.MOUSEBUTTONDOWN, at), (pygame.MOUSEBUTTONUP, to)))  # fmt: skip
            rel = to[0] - at[0], to[1] - at[1]
            yield "drag", [down, make(pygame.MOUSEMOTION, pos=to, rel=rel, buttons=(1, 0, 0)), up]
        elif kind < 0.74:
            yield "wheel", [make(pygame.MOUSEWHEEL, x=0, y=chance.choice([-2, -1, 1, 2]), flipped=False)]
        elif kind < 0.76:
            yield "resize", [make(pygame.VIDEORESIZE, w=(size := chance.choice(SIZES))[0], h=size[1], size=size)]
        elif kind < 0.79:
            finger = {"finger_id": chance.choice([1, 2]), "touch_id": 1, "x": at[0] / width, "y": at[1] / height}
            yield "finger", [make(chance.choice([pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP]),
                                  dx=0.01, dy=0.02, **finger)]  # fmt: skip
        else:
            key, name = chance.choice(keys)
            mods = (pygame.KMOD_LSHIFT if key.shift else 0) | (pygame.KMOD_LCTRL if key.ctrl else 0)
            code = getattr(pygame, f"K_{name}")
            unicode = name if len(name) == 1 else ""
            yield (
                f"key {key.command}",
                [
                    make(pygame.KEYDOWN, key=code, mod=mods, unicode=unicode, scancode=0),
                    make(pygame.KEYUP, key=code, mod=0, unicode="", scancode=0),
                ],
            )


def soak(app: App, count: int, seed: int = 1) -> list[tuple[float, str]]:
    """Give so many inputs; what each cost in milliseconds of CPU, and which it was.  Whatever fails is raised."""
    chance = Random(seed)
    cost: list[tuple[float, str]] = []
    for n, (name, events) in enumerate(inputs(app, chance)):
        if n >= count:
            return cost
        begun = time.thread_time()
        for event in events:
            app.handle(event)
        cost.append(((time.thread_time() - begun) * 1000, name))
        app.running, app.desk.leaving = True, False
        begun = time.thread_time()
        app.tick()
        cost.append(((time.thread_time() - begun) * 1000, f"tick after {name}"))
        if app.dirty:
            begun = time.thread_time()
            app.draw()
            cost.append(((time.thread_time() - begun) * 1000, f"draw after {name}"))
    return cost


def memory(process: int | str = "self") -> int:
    """Kilobytes of memory that a process uses."""
    with open(f"/proc/{process}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def main(count: int, name: str, seed: int) -> None:
    """Soak a window and print what it cost."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = os.environ["HOME"] = folder
        os.chdir(folder)  # pictures of sample maps are written where one is
        app = App(read(assets.maps(name)), text=1.0, library=Library(Path(folder)))  # type: ignore[arg-type]
        # as a window's own loop begins
        warm_in_background(dice.LATE).join()
        app.open()
        every: list[tuple[float, str]] = []
        for part in range(10):
            every += soak(app, count // 10, seed * 100 + part)
            gc.collect()
            print(f"{(part + 1) * count // 10} inputs, {memory()} kB", flush=True)
        for label in ("", "tick", "draw"):
            mine = sorted(one for one in every if one[1].startswith(label or ("move", "click", "drag", "wheel", "key")))
            over = sum(one[0] > 50 for one in mine)
            print(label or "input", f"median {mine[len(mine) // 2][0]:.1f} ms, over 50 ms: {over} of {len(mine)}")
            for ms, what in mine[-8:]:
                print(f"   {ms:7.1f} ms  {what}")


X_NAMES = {
    "BACKSPACE": "BackSpace", "COMMA": "comma", "DOWN": "Down", "END": "End", "EQUALS": "equal", "ESCAPE": "Escape",
    "HOME": "Home", "KP_ENTER": "KP_Enter", "KP_MINUS": "KP_Subtract", "KP_PLUS": "KP_Add", "LEFT": "Left",
    "LEFTBRACKET": "bracketleft", "MENU": "Menu", "MINUS": "minus", "PAGEDOWN": "Next", "PAGEUP": "Prior",
    "PLUS": "plus", "RETURN": "Return", "RIGHT": "Right", "RIGHTBRACKET": "bracketright", "SPACE": "space",
    "TAB": "Tab", "UP": "Up",
}  # fmt: skip
"""What X calls the keys that pygame calls otherwise."""
BATCH = 40
"""Inputs that are given at a stretch."""


def x_inputs(size: tuple[int, int], chance: Random) -> Iterator[str]:
    """One thing after another that a hand can do, in the words of xdotool."""
    keys = [(key, name) for key in KEYS for name in key.names if key.command not in {*LEFT_OUT, "save", "maps"}]
    while True:
        x, y = chance.randrange(size[0]), chance.randrange(size[1])
        kind = chance.random()
        if kind < 0.35:
            yield f"mousemove {x} {y}"
        elif kind < 0.6:
            held = chance.choice(["", "", "", "ctrl", "shift", "alt"])
            click = f"mousemove {x} {y} click {chance.choice([1, 1, 1, 3])}"
            yield f"keydown {held} {click} keyup {held}" if held else click
        elif kind < 0.7:
            way = f"mousemove_relative -- {chance.randint(-90, 90)} {chance.randint(-90, 90)}"
            yield f"mousemove {x} {y} mousedown 1 {way} mouseup 1"
        elif kind < 0.75:
            yield f"mousemove {x} {y} click {chance.choice([4, 5])}"
        else:
            key, name = chance.choice(keys)
            named = X_NAMES.get(name, name.replace("KP", "KP_") if name.startswith("KP") and len(name) == 3 else name)
            yield f"key {'ctrl+' if key.ctrl else ''}{'shift+' if key.shift else ''}{named}"


def main_x(count: int, name: str, seed: int) -> int:
    """Soak a real window; the exit status says whether it is still there and has said nothing."""
    from tests.viewer.hands import Hands

    with tempfile.TemporaryDirectory() as folder:
        hands = Hands(Path(folder), name)
        given = x_inputs(hands.size, Random(seed))
        for part in range(0, count, BATCH):
            words = " ".join(f"{next(given)} sleep 0.01" for _ in range(BATCH)).split()
            subprocess.run(["xdotool", *words], check=True)
            if hands.process.poll() is not None:
                break
            if part % (BATCH * 25) == 0:
                print(f"{part + BATCH} inputs, {memory(hands.process.pid)} kB", flush=True)
        left = hands.process.poll()
        # asked to end it may ask in turn, where something could be lost
        hands.process.kill()
        hands.process.wait(20)
        said = (Path(folder) / "errors.txt").read_text(encoding="utf-8")
    print("still open" if left is None else f"it ended with {left}", said[-2000:] or "and has said nothing", sep="\n")
    return int(left is not None or "Traceback" in said)


if __name__ == "__main__":
    if sys.argv[4:] == ["x"]:
        sys.exit(main_x(int(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
    main(int(sys.argv[1]), *(sys.argv[2:3] or ["village"]), *(map(int, sys.argv[3:4] or ["1"])))
