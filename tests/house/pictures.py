"""Draw the pictures of the README and of `assets/` anew: ``python -m tests.house.pictures [NAME ...]``.

SVG pictures come from ``tactical render``; PNG pictures are the window itself, driven without a display, with at most
256 colours so that they stay small.  A test holds them equal to what is drawn: SVG to the letter, PNG nearly.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

from tactical import formats
from tactical.cli import main
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

ASSETS = Path(__file__).parents[2] / "assets"
SVG = {"village.svg": "village --mover raven --turns 2 --to N9 --enemy"}
SIZE = (1280, 800)
SIDES = {
    (0, -1): ((0, 0), (1, 0)), (0, 1): ((0, 1), (1, 1)), (-1, 0): ((0, 0), (0, 1)), (1, 0): ((1, 0), (1, 1))
}  # fmt: skip
"""The sides of a cell by what lies behind them."""


@dataclass(frozen=True)
class Shot:
    """A picture of the window: which map, whose eyes, what is pressed, where the pointer rests, what is done last."""

    board: Callable[[], Battlemap]
    mover: str
    commands: tuple[str, ...] = ()
    to: str = ""
    last: Callable[[Any], None] | None = None


def sample(name: str) -> Callable[[], Battlemap]:
    """A map that ships with the program."""
    from tactical import assets

    return lambda: formats.load(assets.maps(name))


def fall(app: Any) -> None:
    """A roll is typed in that fails, and the outcome is played to its end."""
    app.hand.go()
    for digit in "5":
        app.hand.type_digit(digit)
    app.hand.go()
    app.draw()
    playback = app.screen.playback
    app.hand.point_at(None)
    app.screen.now = playback.begun + playback.length + 1


def asked(app: Any) -> None:
    """A move waits for its roll; the total thrown at the table has been typed."""
    app.hand.go()
    app.hand.type_digit("9")


# -- maps made for a picture ------------------------------------------------------------------------------------------


def heath() -> Battlemap:
    """A heath with a river, on hexes."""
    rows = [
        "gggggghhhhgggggggggwwwgggg",
        "ggtggghhHHhgggggggwwwggggg",
        "gttgghhHHHhggggggwwwgggggg",
        "gtggghhHHhhgggbbgwwwgggggg",
        "gggggghhhgggggbbggwwwggtgg",
        "ggggggggggggggggggwwwgttgg",
        "rrrrrrgggggggggggggwwwgtgg",
        "gggggrrrrgggggmmmggwwwgggg",
        "ggggggggrrrrrrrrrrrBBBrrrr",
        "ggbbgggggggggmmmmgwwwggggg",
        "gbbbggggtggggggmmgwwwggggg",
        "ggbgggggttgggggggwwwgggRRg",
        "gggggggtttgggggggwwwggRRRg",
        "gggRgggtgggggggggggwwwgRgg",
        "ggRRRgggggggbbgggggwwwgggg",
        "gggRggggggggbbggggggwwwggg",
    ]
    legend = {
        "g": {"terrain": "heath grass"}, "h": {"terrain": "hill", "elevation": 5},
        "H": {"terrain": "hill top", "elevation": 10}, "r": {"terrain": "road"},
        "t": {"terrain": "tree", "impassable": True}, "b": {"terrain": "brush", "difficult": True},
        "m": {"terrain": "mud", "difficult": True}, "w": {"terrain": "ford", "water": "wading", "difficult": True},
        "B": {"terrain": "bridge"}, "R": {"terrain": "rocks", "impassable": True},
    }  # fmt: skip
    movers = (
        Mover("ranger", at=Cell(8, 8), side="rangers"), Mover("wolf", at=Cell(14, 6), side="pack", stats={"speed": 40}),
        Mover("squire", at=Cell(6, 9), side="rangers"), Mover("giant", at=Cell(22, 7), size=3, side="pack", reach=2),
    )  # fmt: skip
    return Battlemap.from_rows(rows, legend, grid="hex-odd-r", rules="operator", name="Hex heath", movers=movers)


def cellar() -> Battlemap:
    """A Universal VTT file with a picture of its own, such as map-drawing programs write."""
    rows = [
        "##########################",
        "#......####......#.......#",
        "#......####......#.......#",
        "#......................#.#",
        "#......####......#.......#",
        "####.######......#####.###",
        "####.######......####...##",
        "####.####..........#.....#",
        "#.......#..........#.....#",
        "#.......#..........#.....#",
        "#..........................",
        "#.......#..........#.....#",
        "#.......####....####.....#",
        "#########..........#######",
        "########............######",
        "##########################",
    ]
    rows = [row[:26] for row in rows]
    drawn = Battlemap.from_rows(rows)
    data = json.loads(str(formats.dump(drawn, "uvtt")))
    data["image"] = base64.b64encode(ink_drawing(rows)).decode("ascii")
    data["resolution"]["pixels_per_grid"] = 48
    data["portals"] = [portal(4.5, 5, 0), portal(17, 3.5, 1), portal(8, 10.5, 1), portal(19, 10.5, 1)]
    battlemap = formats.load(json.dumps(data).encode(), format="uvtt")
    movers = (
        Mover("sable", at=Cell(12, 9), side="thieves", stats={"agile": True}),
        Mover("finch", at=Cell(3, 9), side="thieves"),
        Mover("warden", at=Cell(15, 5), side="watch"), Mover("mastiff", at=Cell(21, 8), side="watch"),
    )  # fmt: skip
    from dataclasses import replace

    return replace(battlemap.with_(movers=movers), rules="operator", name="Old cellar")


def portal(x: float, y: float, upright: int) -> dict[str, Any]:
    """A closed door of one cell about a place."""
    ends = [(x, y - 0.5), (x, y + 0.5)] if upright else [(x - 0.5, y), (x + 0.5, y)]
    return {
        "position": {"x": x, "y": y}, "bounds": [{"x": a, "y": b} for a, b in ends],
        "rotation": 0, "closed": True, "freestanding": False,
    }  # fmt: skip


def ink_drawing(rows: list[str], cell: int = 48) -> bytes:
    """A map as an old hand might have drawn it: ink on parchment, hatching along the walls."""
    import pygame

    chance = Random(11)
    cols = len(rows[0])
    picture = pygame.Surface((cols * cell, len(rows) * cell))
    picture.fill((214, 199, 164))
    ink, faint = (74, 58, 44), (176, 157, 122)

    def solid(col: int, row: int) -> bool:
        return not (0 <= row < len(rows) and 0 <= col < cols) or rows[row][col] == "#"

    for row in range(len(rows)):
        for col in range(cols):
            box = pygame.Rect(col * cell, row * cell, cell, cell)
            if not solid(col, row):
                picture.fill((238, 228, 203), box)
                for _ in range(2):
                    x, y = box.x + chance.randrange(cell), box.y + chance.randrange(cell)
                    pygame.draw.line(picture, faint, (x, y), (x + chance.randint(3, 9), y + chance.randint(-2, 2)))
                continue
            beside = any(not solid(col + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))
            for _ in range(26 if beside else 0):
                x, y = box.x + chance.randrange(cell), box.y + chance.randrange(cell)
                pygame.draw.aaline(picture, faint, (x, y), (x + chance.randint(4, 10), y - chance.randint(4, 10)))
    for row in range(len(rows)):
        for col in range(cols):
            if solid(col, row):
                continue
            x, y = col * cell, row * cell
            for (dx, dy), side in SIDES.items():
                if solid(col + dx, row + dy):
                    ends = [(x + a * cell, y + b * cell) for a, b in side]
                    pygame.draw.line(picture, ink, *ends, 5)
    out = BytesIO()
    pygame.image.save(picture, out, "map.png")
    return out.getvalue()


SHOTS = {
    "window-operator.png": Shot(sample("village"), "raven", (), "N9"),
    "window-d6.png": Shot(sample("starport"), "rhen", ("odds",), "O8"),
    "window-roll.png": Shot(sample("starport"), "rhen", ("gait:high", "odds"), "O8", asked),
    "window-failure.png": Shot(sample("starport"), "rhen", ("gait:high",), "O8", fall),
    "window-vehicle.png": Shot(sample("vehicle-yard"), "crane", ("odds",), "P10"),
    "window-twelve-second.png": Shot(sample("river-crossing"), "kara", ("costs",), "N7"),
    "window-shapers.png": Shot(sample("cliff-town"), "vess", ("odds",), "L2"),
    "window-hex.png": Shot(heath, "ranger", (), "M5"),
    "window-uvtt.png": Shot(cellar, "sable", ("costs",), "E9"),
}
PICTURES = (*SVG, *SHOTS)


def draw(name: str, folder: Path) -> Path:
    """Draw one picture into `folder`."""
    target = folder / name
    if name in SVG:
        status = main(["render", *SVG[name].split(), "-o", str(target)])
        if status:
            raise SystemExit(status)
        return target
    target.write_bytes(few_colours(window(SHOTS[name])))
    return target


def window(shot: Shot) -> Any:
    """The window's surface at the moment of a shot."""
    import pygame

    from tactical.viewer.app import App
    from tactical.viewer.files.library import Library
    from tactical.viewer.playing import asking

    asking.AT_ONCE = 1e9  # however busy the machine is
    with tempfile.TemporaryDirectory() as folder:
        app = App(shot.board(), shot.mover, size=SIZE, text=1.0, library=Library(Path(folder)))
    app.screen.timed = False  # a search takes another time on every machine
    for command in shot.commands:
        app.command(command)
    app.hand.tell("")
    app.draw()
    if shot.to:
        cell = app.hand.battlemap.cell_named(shot.to)
        app.hand.point_at(cell)
    if shot.last is not None:
        shot.last(app)
    app.screen.draw()
    picture = app.screen.surface.copy()
    pygame.display.quit()
    return picture


def few_colours(surface: Any, most: int = 256) -> bytes:
    """A surface as a PNG with a palette: the colours of the frame exactly, the others by halving boxes of them."""
    import struct
    import zlib

    import numpy as np
    import pygame

    from tactical.show.theme import load

    pixels = pygame.surfarray.array3d(surface).transpose(1, 0, 2)
    shades, place, count = np.unique(pixels.reshape(-1, 3) >> 1, axis=0, return_inverse=True, return_counts=True)
    shades = shades.astype(int) * 2
    theme = load()
    exact = {tuple(colour) for table in ("window", "plate") for colour in theme.colours[table].values()}
    boxes = [np.repeat(shades, np.minimum(count, 50), axis=0)]
    while len(boxes) < most - len(exact):
        spans = [float(np.ptp(box, axis=0).max()) * len(box) ** 0.5 for box in boxes]
        box = boxes.pop(int(np.argmax(spans)))
        axis = int(np.ptp(box, axis=0).argmax())
        cut = (int(box[:, axis].min()) + int(box[:, axis].max())) / 2
        boxes += [box[box[:, axis] <= cut], box[box[:, axis] > cut]]
    palette = np.array([*sorted(exact), *(box.mean(axis=0).round() for box in boxes)]).astype(int)
    near = np.concatenate(
        [((part[:, None] - palette[None]) ** 2).sum(axis=2).argmin(axis=1) for part in np.array_split(shades, 64)]
    )
    height, width = pixels.shape[:2]
    rows = near[place.reshape(-1)].reshape(height, width).astype(np.uint8)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packed = zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows), 9)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = palette.astype(np.uint8).tobytes()
    parts = (chunk(b"IHDR", head), chunk(b"PLTE", colours), chunk(b"IDAT", packed), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


if __name__ == "__main__":
    for picture in sys.argv[1:] or PICTURES:
        print(draw(picture, ASSETS), f"{(ASSETS / picture).stat().st_size // 1024} KB")
