"""Small inputs that several tests of the formats share, written for them."""

from __future__ import annotations

import json
import os
import struct
import zlib
from typing import Any

FUZZ = int(os.environ.get("TACTICAL_FUZZ", "1"))
"""How many times as long readers are given spoilt files: 20 is about a minute each."""

YARD = """\
schema: 1
name: Mill yard
grid: {type: square, cell: 5, unit: ft}
rules: operator
options: {diagonal: equal}
legend:
  ".": {terrain: grass, level: E, number: 8}
  "~": {terrain: shallow water, difficult: true, water: shallow}
  "#": {terrain: rock, impassable: true}
  "h": {terrain: hill, difficult: yes, elevation: 10}
rows: |
  ..~~#
  ..h~#
barriers:
  - {id: gate, cell: B1, side: east, kind: door, state: closed}
  - {line: [[0.5, 0], [2.25, 1.5]], kind: wall, one_way: left}
links:
  - {from: A2, to: C1, level: upper, kind: stairs, cost: 10}
zones:
  - {cells: ["A1:B2", [3, 0]], hazard: smoke}
levels:
  - name: upper
    height: 10
    rows: [".....", "...hh"]
movers:
  - {id: raven, at: A1, side: heroes, size: 1, posture: standing, stats: {agile: true, strength: 14}}
"""


def png(width: int, height: int) -> bytes:
    """A grey picture of that size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def point(x: float, y: float) -> dict[str, float]:
    return {"x": x, "y": y}


def line(*points: tuple[float, float]) -> list[dict[str, float]]:
    return [point(x, y) for x, y in points]


def portal(first: tuple[float, float], last: tuple[float, float], closed: bool = True, **more: Any) -> dict[str, Any]:
    middle = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
    return {
        "position": point(*middle),
        "bounds": line(first, last),
        "rotation": 0,
        "closed": closed,
        "freestanding": False,
        **more,
    }


def uvtt(**changes: Any) -> bytes:
    """A 6 x 4 map with one wall down the middle and a door in it; `changes` replace keys, None drops one."""
    content: dict[str, Any] = {
        "format": 0.3,
        "resolution": {"map_origin": point(0, 0), "map_size": point(6, 4), "pixels_per_grid": 2},
        "line_of_sight": [line((3, 0), (3, 1)), line((3, 2), (3, 4))],
        "objects_line_of_sight": [],
        "portals": [portal((3, 1), (3, 2))],
        "environment": {},
        "lights": [],
    }
    content.update(changes)
    return json.dumps({key: value for key, value in content.items() if value is not None}).encode()
