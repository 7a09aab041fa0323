"""The oracle's map: cells with facts, sides with edges, occupants, links; all in plain dictionaries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

Pos = tuple[int, int, int]
"""Column, row, level."""
Side = frozenset[Pos]
"""The two cells that a side lies between."""

CLASSES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
CLASS_SIZE = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
SIZE_CLASS = {1: "medium", 2: "large", 3: "huge", 4: "gargantuan"}

SQUARE = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}
CORNERS = {"ne": ("n", "e"), "nw": ("n", "w"), "se": ("s", "e"), "sw": ("s", "w")}

# what an option is where a scenario does not say: the table of the scenario file
DEFAULTS: dict[str, Any] = {
    "diagonal": "equal", "parity_reset": "turn", "difficult_diagonal": "multiply", "corner": "both_open",
    "corner_occupants": "ignore", "pay_on": "enter", "cost_stacking": "multiply", "body_cost": "max_entered",
    "squeeze": False, "ally_cost": 1, "enemy_size_gap": 2, "enemy_pass_cost": 2, "step_height": "cell",
    "ledge_up": "climb", "ledge_down": "climb", "climb_factor": 2, "swim_factor": 2, "deep_water_stop": True,
    "door_policy": "open", "door_cost": 0, "door_limit": None, "door_diagonal": "straight_only",
    "dash_pool": "one_pool", "double_dash_total": 4, "stand_cost": "half_speed", "crouch_stand_cost": 5,
    "reach_walls": "block", "hazard_policy": "avoid", "unknown_cells": "block", "grid_rounding": "cover_full_cost",
    "rough_reduction": "by_three_quarters", "uphill_and_rough": "once", "swim_in_wade_depth": True,
    "fall_metres": "whole", "slope_max": 1,
}  # fmt: skip
D6 = {"diagonal": "alternate", "climb_factor": 3, "swim_factor": 3}
BY_RULESET: dict[str, dict[str, Any]] = {
    "plain": {},
    "operator": {"door_limit": 1},
    "d6-reup": D6,
    "d6-revised": D6,
    "twelve-second": {"diagonal": "alternate", "climb_factor": None, "ledge_up": "refuse", "ledge_down": "refuse"},
    "shapers": {"diagonal": "alternate", "climb_factor": None, "ledge_up": "refuse", "ledge_down": "drop"},
}


def exact(value: Any) -> Fraction:
    """An exact number."""
    return Fraction(str(value))


def position(name: str, levels: tuple[str, ...] = ()) -> Pos:
    """``C2`` or ``level/C2``."""
    level = 0
    if "/" in name:
        floor, name = name.split("/")
        level = levels.index(floor)
    match = re.fullmatch(r"([A-Z]+)(\d+)", name)
    assert match is not None, name
    col = 0
    for letter in match[1]:
        col = col * 26 + ord(letter) - 64
    return col - 1, int(match[2]) - 1, level


def rows_of(given: Mapping[str, Any]) -> dict[str, list[str]]:
    """The rows of every level; a generated map is drawn here (section 16 of the scenario file)."""
    if "generator" in given:
        return {"": generated(given["generator"])}
    return dict(given["levels"]) if "levels" in given else {"": list(given["rows"])}


def generated(g: Mapping[str, Any]) -> list[str]:
    """A big map."""
    w, h, kind = g["w"], g["h"], g["name"]
    grid = [["."] * w for _ in range(h)]
    r = g.get("seed", 0)
    for y in range(h):
        for x in range(w):
            if kind == "serpentine" and x % 4 == 2:
                grid[y][x] = "." if y == (h - 1 if (x // 4) % 2 == 0 else 0) else "#"
            elif kind == "checker" and (x + y) % 2:
                grid[y][x] = "~"
            elif kind == "vault" and max(abs(x - g["cx"]), abs(y - g["cy"])) == 2:
                grid[y][x] = "#"
            elif kind == "lcg":
                r = (1103515245 * r + 12345) % 2**31
                v = (r // 65536) % 100
                if (x, y) not in ((0, 0), (w - 1, h - 1)):
                    grid[y][x] = "#" if v < g["blocked"] else "~" if v < g["blocked"] + g["mud"] else "."
    return ["".join(row) for row in grid]


class Board:
    """A map, its edges, links and occupants."""

    def __init__(self, given: Mapping[str, Any], feet: bool) -> None:
        floors = rows_of(given)
        self.levels = tuple(floors)
        self.grid: str = given.get("grid", "square")
        self.cell = exact(given.get("cell", 5 if feet else 1))
        legend: dict[str, Mapping[str, Any]] = {".": {}, "#": {"impassable": True}, "S": {}, "G": {}}
        legend |= {"~": {"difficult": True}} if "generator" in given else {}
        legend |= given.get("legend", {})
        self.facts: dict[Pos, dict[str, Any]] = {}
        self.marked: dict[str, Pos] = {}
        for level, rows in enumerate(floors.values()):
            for row, text in enumerate(rows):
                for col, glyph in enumerate(text):
                    self.facts[col, row, level] = dict(legend[glyph])
                    if glyph in "SG":
                        self.marked.setdefault(glyph, (col, row, level))
        self.cols = max(pos[0] for pos in self.facts) + 1
        self.rows = max(pos[1] for pos in self.facts) + 1
        for zone in given.get("zones", ()):
            if zone.get("source") == "mover":
                continue
            for name in zone["cells"]:
                facts = {key: value for key, value in zone.items() if key not in ("cells", "source")}
                self.facts[self.pos(name)].update(facts)
        self.edges: dict[Side, list[dict[str, Any]]] = {}
        for edge in [{"at": at, "kind": "wall"} for at in given.get("walls", ())] + list(given.get("edges", ())):
            name, way = edge["at"].rsplit(".", 1)
            start = self.pos(name)
            end = self.neighbour(start, way)
            known = dict(edge)
            if edge["kind"] == "one-way":
                known["from"], known["to"] = (start, end) if edge["pass"] == way else (end, start)
            self.edges.setdefault(frozenset((start, end)), []).append(known)
        self.links: list[tuple[Pos, Pos, Fraction]] = []
        for link in given.get("links", ()):
            start, end, cost = self.pos(link["from"]), self.pos(link["to"]), exact(link.get("cost", 0))
            self.links.append((start, end, cost))
            if link.get("two_way", True):
                self.links.append((end, start, cost))
        self.occupants = [Occupant(other, self) for other in given.get("occupants", ())]
        self.reserved = {(self.pos(entry["cell"]), entry["turn"]) for entry in given.get("reserved", ())}

    def pos(self, name: Any) -> Pos:
        """The position of a named cell."""
        return position(str(name), self.levels)

    def name(self, pos: Pos) -> str:
        """The name of a position."""
        letters, col = "", pos[0] + 1
        while col:
            col, digit = divmod(col - 1, 26)
            letters = chr(65 + digit) + letters
        floor = f"{self.levels[pos[2]]}/" if len(self.levels) > 1 else ""
        return f"{floor}{letters}{pos[1] + 1}"

    def neighbour(self, pos: Pos, way: str) -> Pos:
        """The cell one step on, on the map or off it."""
        col, row, level = pos
        if self.grid == "square":
            dx, dy = SQUARE[way] if way in SQUARE else self._slant(way)
        elif self.grid == "hex-odd-r":
            shoved = row % 2
            left, right = (0, 1) if shoved else (-1, 0)
            dx, dy = {
                "e": (1, 0),
                "w": (-1, 0),
                "ne": (right, -1),
                "nw": (left, -1),
                "se": (right, 1),
                "sw": (left, 1),
            }[way]
        else:
            shoved = col % 2
            up, down = (0, 1) if shoved else (-1, 0)
            dx, dy = {"n": (0, -1), "s": (0, 1), "ne": (1, up), "nw": (-1, up), "se": (1, down), "sw": (-1, down)}[way]
        return col + dx, row + dy, level

    def _slant(self, way: str) -> tuple[int, int]:
        (a, b), (c, d) = (SQUARE[leg] for leg in CORNERS[way])
        return a + c, b + d

    @property
    def straight(self) -> tuple[str, ...]:
        """The names of the straight directions."""
        return {"square": ("n", "e", "s", "w"), "hex-odd-r": ("ne", "e", "se", "sw", "w", "nw")}.get(
            self.grid, ("n", "ne", "se", "s", "sw", "nw")
        )

    def get(self, pos: Pos, fact: str, default: Any = None) -> Any:
        """A fact of a cell on the map."""
        return self.facts[pos].get(fact, default)

    def elevation(self, pos: Pos) -> Fraction:
        """Height of a cell's floor."""
        return exact(self.get(pos, "elevation", 0)) if pos in self.facts else Fraction(0)

    def body(self, pos: Pos, size: int) -> tuple[Pos, ...]:
        """The cells that an n x n body covers."""
        col, row, level = pos
        return tuple((col + x, row + y, level) for y in range(size) for x in range(size))


class Occupant:
    """Another body."""

    def __init__(self, given: Mapping[str, Any], board: Board) -> None:
        self.id: str = given["id"]
        self.side: str = given["side"]
        size = given.get("size", 0)
        self.rank = given.get("class") or SIZE_CLASS.get(size, "medium")
        self.size = size or CLASS_SIZE[self.rank]
        self.reach = int(given.get("reach", 1))
        self.hidden = bool(given.get("hidden", False))
        self.cells = set(board.body(board.pos(given["at"]), self.size))


def pairs_within(cells: Iterable[Pos]) -> Iterator[tuple[Pos, Pos]]:
    """The neighbouring pairs of cells in a body."""
    every = set(cells)
    for col, row, level in every:
        for other in ((col + 1, row, level), (col, row + 1, level)):
            if other in every:
                yield (col, row, level), other
