"""Two maps that differ only in what a mover does not know give that mover the same answers, byte for byte."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tactical
from tactical import Barrier, Battlemap, Cell, Link, Mover, Session, Zone
from tests.cli.conftest import Run, run

__all__ = ["run"]

COLS, ROWS = 8, 6
LEGEND = {
    "m": {"terrain": "mud", "difficult": True},
    "h": {"terrain": "hill", "elevation": 5},
    "u": {"unknown": True},
}
DARK: list[dict[str, Any]] = [
    {"terrain": "hoard", "unknown": True},
    {"terrain": "pit", "unknown": True, "gap": True},
    {"terrain": "vault wall", "unknown": True, "impassable": True},
    {"terrain": "cliff", "unknown": True, "elevation": 40},
    {"terrain": "sea of fire", "unknown": True, "hazard": "fire"},
    {"terrain": "lake", "unknown": True, "water": "deep"},
]
BOARDS = 14
"""For each kind of hidden thing."""


class Worlds(NamedTuple):
    """The map with a hidden thing, the one without it, and the cells explored (None: all but what the map says)."""

    one: Battlemap
    other: Battlemap
    known: frozenset[Cell] | None = None


class Board:
    """A random map with a hero, a foe whom it knows, walls and doors; its left part is explored."""

    def __init__(self, seed: int) -> None:
        chance = self.chance = random.Random(seed)
        self.grid = chance.choice(["square", "square", "hex-odd-r"])
        self.edge = chance.randint(2, COLS - 3)
        self.rows = ["".join(chance.choice(".....mh#") for _ in range(COLS)) for _ in range(ROWS)]
        cells = [Cell(col, row) for col in range(COLS) for row in range(ROWS)]
        chance.shuffle(cells)
        lit = [cell for cell in cells if cell.col < self.edge]
        self.dark = [cell for cell in cells if cell.col >= self.edge]
        self.lit = frozenset(lit)
        hero, foe, self.spare = lit[0], lit[1], lit[2]
        self.asked = sorted(cells[:3])
        self.movers = [
            Mover("hero", at=hero, side="heroes", size=1 if chance.random() < 0.8 else 2),
            Mover("foe", at=foe, side="watch", reach=chance.choice([1, 2])),
        ]
        for cell in (hero, foe, self.spare):
            self.put(cell, ".")
        self.barriers = [self.barrier(*chance.choice(self.sides(cells))) for _ in range(8)]
        self.options = {
            "unknown_cells": chance.choice(["block", "plain"]),
            "reach_walls": chance.choice(["block", "block", "ignore"]),
            "hazard_policy": chance.choice(["avoid", "ignore"]),
            "corner": chance.choice(["one_open", "both_open", "free"]),
        }
        # half of the maps say themselves what is unexplored, the others are told
        self.told = chance.random() < 0.5
        self.known = self.lit if self.told else None

    def put(self, cell: Cell, glyph: str) -> None:
        row = self.rows[cell.row]
        self.rows[cell.row] = row[: cell.col] + glyph + row[cell.col + 1 :]

    def sides(self, cells: list[Cell]) -> list[tuple[Cell, str]]:
        """The sides between two of some cells."""
        out = []
        grid = tactical.Battlemap.from_cells(1, 1, grid=self.grid).grid
        for cell in cells:
            i, j = grid.store(cell.col, cell.row)
            for direction in grid.directions:
                if not direction.diagonal:
                    col, row = grid.unstore(i + direction.di, j + direction.dj)
                    if Cell(col, row) in cells:
                        out.append((cell, direction.name))
        return out

    def barrier(self, cell: Cell, side: str, **more: Any) -> Barrier:
        line = tactical.Battlemap.from_cells(1, 1, grid=self.grid).grid.side(cell.col, cell.row, side)
        kind = self.chance.choice(["wall", "wall", "door", "window", "fence"])
        given = {"kind": kind, "id": f"b{self.chance.randint(0, 99)}" if kind == "door" else "", **more}
        return Barrier(line, **given)

    def map(self, *, barrier: Barrier | None = None, mover: Mover | None = None, **more: Any) -> Battlemap:
        movers = [*([mover] if mover else []), *self.movers]
        barriers = [*self.barriers, *([barrier] if barrier else [])]
        made = Battlemap.from_rows(
            self.rows, LEGEND, grid=self.grid, rules="plain", options=self.options, movers=tuple(movers),
            barriers=tuple(barriers), name="Two worlds",
        )  # fmt: skip
        return made.with_(**more) if more else made

    def fog(self) -> None:
        """The map itself says what is unexplored."""
        if not self.told:
            for cell in self.dark:
                self.put(cell, "u")


def secret_door(board: Board) -> Worlds:
    where = board.chance.choice(board.sides([*board.lit, *board.dark]))
    more: dict[str, Any] = board.chance.choice([{}, {"cost": 10}, {"one_way": "left"}, {"truth": "door-locked"}])
    door = board.barrier(*where, kind="door", state="secret", id="vault-back", **more)
    wall = Barrier(door.line)
    return Worlds(board.map(barrier=door), board.map(barrier=wall))


def false_barrier(board: Board) -> Worlds:
    where = board.chance.choice(board.sides([*board.lit, *board.dark]))
    seems = board.barrier(*where)
    truth = board.chance.choice(["wall", "door-locked", "window", "invisible", "door-open"])
    return Worlds(board.map(barrier=replace(seems, truth=truth)), board.map(barrier=seems))


def hidden_mover(board: Board) -> Worlds:
    side = board.chance.choice(["watch", "watch", ""])
    lurker = Mover("lurker", at=board.spare, side=side, reach=board.chance.choice([1, 2]), hidden=True)
    return Worlds(board.map(mover=lurker), board.map())


def mover_in_the_dark(board: Board) -> Worlds:
    board.fog()
    lurker = Mover("lurker", at=board.dark[0], side="watch", reach=3)
    return Worlds(board.map(mover=lurker), board.map(), board.known)


def dark_ground(board: Board) -> Worlds:
    board.fog()
    facts = [dict(one) for one in DARK]
    if board.told:
        for one in facts:
            del one["unknown"]
    there = {cell: board.chance.choice(facts) for cell in board.dark if board.chance.random() < 0.6}
    return Worlds(board.map(terrain=there), board.map(), board.known)


def dark_zone(board: Board) -> Worlds:
    board.fog()
    facts = board.chance.choice([{"hazard": "fire"}, {"terrain": "fog of knives", "difficult": True}])
    zone = Zone(frozenset(board.dark[:9]), facts)
    return Worlds(board.map(zones=(zone,)), board.map(), board.known)


def dark_link(board: Board) -> Worlds:
    board.fog()
    two_way = board.chance.random() < 0.5
    end = board.dark[1] if two_way else board.chance.choice([board.dark[1], board.spare])
    link = Link(board.dark[0], end, board.chance.choice([0, 5]), "portal", two_way, "way-out")
    return Worlds(board.map(links=(link,)), board.map(), board.known)


def dark_barrier(board: Board) -> Worlds:
    board.fog()
    where = board.chance.choice(board.sides([cell for cell in board.dark if cell.col > board.edge]))
    return Worlds(board.map(barrier=board.barrier(*where, id="oubliette")), board.map(), board.known)


KINDS: dict[str, Callable[[Board], Worlds]] = {
    one.__name__: one
    for one in (
        secret_door, false_barrier, hidden_mover, mover_in_the_dark, dark_ground, dark_zone, dark_link, dark_barrier,
    )
}  # fmt: skip


def answers(battlemap: Battlemap, known: frozenset[Cell] | None, asked: list[Cell], png: bool) -> list[str]:
    """All that the product says to the hero."""
    found = tactical.reach(battlemap, "hero", turns=2, known=known)
    out = [json.dumps(tactical.to_json(found)), str(sorted(found.threatened().items())), str(found.chances)]
    # which states were searched is told too
    out.append(str(found.stats[0]))
    session = Session.new(battlemap, known={} if known is None else {"heroes": known})
    for cell in asked:
        route = found.route(cell)
        out.append(json.dumps(tactical.to_json(route)))
        out.append(route.text if isinstance(route, tactical.Refusal) else "\n".join(map(str, route.ledger())))
    reason = session.why_not(tactical.Move("hero", asked[0]))
    out.append("" if reason is None else reason.text)
    by = "attacks" if asked[0].row % 2 else "exposures"
    out += [json.dumps(tactical.to_json(one.route)) for one in found.risks(asked[0], by)]
    look: dict[str, Any] = {"known": known, "costs": True, "enemy": True, "panel": True, "target": asked[-1]}
    out.append(str(tactical.render(battlemap, found, found.route(asked[-1]), drawer="svg", **look)))
    out.append(str(tactical.render(battlemap, found, drawer="text", known=known, enemy=True)))
    out.append(str(tactical.render(battlemap, drawer="svg", known=known)))
    if png:
        data = tactical.render(battlemap, found, drawer=".png", known=known, enemy=True)
        assert isinstance(data, bytes)
        out.append(data.hex())
    return out


@pytest.mark.parametrize("kind", KINDS)
def test_two_worlds(kind: str) -> None:
    for seed in range(BOARDS):
        board = Board(seed * 100 + list(KINDS).index(kind))
        worlds = KINDS[kind](board)
        png = seed % 10 == 0
        mine, theirs = (answers(one, worlds.known, board.asked, png) for one in worlds[:2])
        assert mine == theirs, f"{kind}, board {seed}"


@pytest.mark.parametrize("kind", KINDS)
def test_two_files(kind: str, run: Run, tmp_path: Path) -> None:
    """The same on the command line, for what a file can say."""
    asked = 0
    for seed in range(100, 108):
        board = Board(seed * 100 + list(KINDS).index(kind))
        board.told, board.known = False, None
        worlds = KINDS[kind](board)
        if asked == 4 or worlds.one.faults() or worlds.other.faults():
            continue
        asked += 1
        told: list[list[str]] = []
        for one in worlds[:2]:
            file = tmp_path / "hall.yaml"
            file.write_text(str(tactical.dump(one)), encoding="utf-8")
            words: list[str] = []
            for command in (
                ["reach", str(file), "--mover", "hero", "--turns", "2"],
                ["reach", str(file), "--mover", "hero", "--json"],
                ["path", str(file), "--mover", "hero", "--to", one.name_of(board.asked[0]), "--json"],
                ["risks", str(file), "--mover", "hero", "--to", one.name_of(board.asked[1])],
                ["render", str(file), "--mover", "hero", "-o", str(tmp_path / "hall.svg")],
                ["render", str(file), "-o", str(tmp_path / "all.svg")],
            ):
                answer = run(*command)
                assert answer.status in (0, 1), answer.err
                words += [answer.out, answer.err]
            words += [(tmp_path / name).read_text(encoding="utf-8") for name in ("hall.svg", "all.svg")]
            told.append(words)
        assert told[0] == told[1], f"{kind}, board {seed}"
    assert asked
