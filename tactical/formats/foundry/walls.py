"""The walls of a scene: clipped to it, joined floor by floor, with what makes some of them more than plain ones."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tactical.formats import many
from tactical.formats._reading import finite, what
from tactical.formats._segments import merged
from tactical.formats.foundry.scenes import Scene, height
from tactical.world.edges.barriers import Barrier, DoorState, Kind, snapped
from tactical.world.edges.segments import Segment, clip

if TYPE_CHECKING:
    from tactical.formats.foundry.canvas import Canvas

STATES = {0: DoorState.CLOSED, 1: DoorState.OPEN, 2: DoorState.LOCKED}
SIDES = {1: "left", 2: "right"}
"""The way that each `dir` lets pass, going from the wall's first end to its second.

The program leaves a wall out of account for whoever stands on the side that `dir` names, and measures that side with y
growing upwards; on a screen it is the other one.  So 1 lets pass from the right to the left and stops the other way.
"""


class Walls:
    """Reads walls for a scene's canvas, which keeps what there is to tell of them."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas

    def read(self, entries: list[Any]) -> list[Barrier]:
        """The barriers of a scene, plain walls joined floor by floor."""
        if entries and all(isinstance(one, str) for one in entries):
            words = "the walls are only named here: in Foundry choose Export Data of the scene, and give that file"
            self.canvas.fault(words, "walls")
            return []
        plain: dict[int, list[Segment]] = {}
        others: list[Barrier] = []
        pieces = 0
        lost = sum(isinstance(one, str) for one in entries)
        if lost:
            # what a migration or a torn database leaves behind of a wall is its id
            self.canvas.tell("warning", f"the scene lists {len(entries)} walls, found {len(entries) - lost}", lost)
        for n, wall in enumerate(entries):
            if isinstance(wall, str):
                continue
            if not isinstance(wall, dict):
                self.canvas.fault(f"expected an object, found {what(wall)}", f"walls[{n}]")
                continue
            line = self._line(wall, n)
            if line is None:
                continue
            if not wall.get("move", 20):
                self.canvas.counts["door passed" if wall.get("door") in (1, 2) else "passed"] += 1
                continue
            fields = self._fields(wall)
            pieces += 1
            for level in self.canvas.levels_of(wall):
                if fields:
                    others.append(self._barrier(line, fields, level))
                else:
                    plain.setdefault(level, []).append(line)
        joined = [Barrier(line, level=level) for level in sorted(plain) for line in merged(plain[level])]
        self._tell_walls(len(entries), pieces, joined, others)
        return joined + others

    def _line(self, wall: Scene, n: int) -> Segment | None:
        ends = wall.get("c")
        if not isinstance(ends, list) or len(ends) < 4:
            self.canvas.fault(f"expected [x, y, x, y], found {what(ends)}", f"walls[{n}].c")
            return None
        if not all(finite(one) for one in ends[:4]):
            self.canvas.counts["malformed"] += 1
            return None
        line = (self.canvas.place(ends[0], ends[1]), self.canvas.place(ends[2], ends[3]))
        if snapped(line) is None:
            self.canvas.counts["short"] += 1
            return None
        wide, high = self.canvas.grid.size(self.canvas.cols, self.canvas.rows)
        inside = clip(line, wide, high)
        if inside is None or snapped(inside) is None:
            self.canvas.counts["outside"] += 1
            return None
        self.canvas.counts["cut"] += inside != line
        return inside

    def _fields(self, wall: Scene) -> dict[str, Any]:
        """What makes a wall more than a plain one."""
        fields: dict[str, Any] = {}
        door, side = wall.get("door"), wall.get("dir")
        if door in (1, 2) and not isinstance(door, bool):
            state = STATES.get(wall.get("ds", 0) if isinstance(wall.get("ds", 0), int) else 0, DoorState.CLOSED)
            if door == 2:
                self.canvas.counts["secret"] += 1
                self.canvas.counts["secret locked"] += state is DoorState.LOCKED
                self.canvas.counts["secret open"] += state is DoorState.OPEN
                state = state if state is DoorState.OPEN else DoorState.SECRET
            fields.update(kind=Kind.DOOR, state=state, word="secret" if door == 2 else "door")
            self.canvas.counts["door"] += door == 1
            self.canvas.counts[f"door {state}"] += door == 1
        if side in (1, 2) and not isinstance(side, bool):
            fields["one_way"] = SIDES[side]
            self.canvas.counts["one-way"] += 1
        low, high = _heights(wall)
        if low is not None or high is not None:
            fields.update(bottom=low, top=high)
            self.canvas.counts["heights"] += 1
        return fields

    def _barrier(self, line: Segment, fields: Mapping[str, Any], level: int) -> Barrier:
        rest = {key: value for key, value in fields.items() if key != "word"}
        word = fields.get("word", "")
        if word:
            self.canvas.counts[f"id {word}"] += 1
            rest["id"] = f"{word}-{self.canvas.counts[f'id {word}']}"
        return Barrier(line, level=level, **rest)

    def _tell_walls(self, stated: int, pieces: int, joined: list[Barrier], others: list[Barrier]) -> None:
        counts = self.canvas.counts
        doors = counts["door"] + counts["secret"]
        walls = len(joined) + sum(one.kind is Kind.WALL for one in others)
        if pieces:
            words = f"{many(walls, 'wall')} (joined from {many(pieces - doors, 'wall')} of the scene)"
            self.canvas.tell("read", words, walls)
        else:
            self.canvas.tell("warning", "no walls that stop movement: every cell is open")
        if doors:
            states = {state: counts[f"door {state}"] for state in STATES.values() if counts[f"door {state}"]}
            if len(states) == 1 and sum(states.values()) == counts["door"]:
                parts = [many(counts["door"], f"{next(iter(states))} door")]
            else:
                each = ", ".join(f"{count} {state}" for state, count in states.items())
                parts = [f"{many(counts['door'], 'door')} ({each})"] if counts["door"] else []
            parts += [many(counts["secret"], "secret door")] if counts["secret"] else []
            self.canvas.tell("read", " and ".join(parts), doors)
        self.canvas.tell_counts(
            ("one-way", "read", "one-way wall", "one-way walls"),
            ("heights", "read", "wall with a bottom or top", "walls with a bottom or top"),
            ("secret locked", "ignored", "lock of a secret door", "locks of secret doors"),
            ("secret open", "ambiguous", "secret door that stands open read as an open door",
             "secret doors that stand open read as open doors"),
            ("passed", "ignored", "wall that does not stop movement", "walls that do not stop movement"),
            ("door passed", "ignored", "door that does not stop movement", "doors that do not stop movement"),
            ("malformed", "repaired", "wall with a coordinate that is no number left out",
             "walls with a coordinate that is no number left out"),
            ("short", "repaired", "wall without length left out", "walls without length left out"),
            ("cut", "repaired", "wall cut at the edge of the map", "walls cut at the edge of the map"),
            ("outside", "outside", "wall outside the map left out", "walls outside the map left out"),
        )  # fmt: skip
        if counts["outside"] * 5 > stated:
            share = round(100 * counts["outside"] / stated)
            words = f"{share} % of the walls lie outside: was the padding or the grid changed later?"
            self.canvas.tell("warning", words)


def _heights(wall: Scene) -> tuple[Fraction | None, Fraction | None]:
    flags = wall.get("flags")
    for name, low, high in (
        ("wall-height", "bottom", "top"),
        ("wallHeight", "wallHeightBottom", "wallHeightTop"),
        ("elevatedvision", "bottom", "top"),
    ):
        own = flags.get(name) if isinstance(flags, dict) else None
        if isinstance(own, dict):
            return height(own.get(low)), height(own.get(high))
    return None, None
