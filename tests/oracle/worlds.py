"""Random scenarios for the properties: small maps, movers and options, drawn by hypothesis."""

from __future__ import annotations

import os
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

EXAMPLES = os.environ.get("TACTICAL_EXAMPLES")
"""How many random worlds a property is put to, new ones at every run; unset: a few, always the same."""

few = settings(
    max_examples=int(EXAMPLES or 25),
    derandomize=EXAMPLES is None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)

fewer = settings(few, max_examples=int(EXAMPLES or 8))
"""For worlds that are looked at from many places."""

LEGEND: dict[str, dict[str, Any]] = {
    "~": {"difficult": True},
    "c": {"climb": True},
    "d": {"water": "deep"},
    "w": {"water": "shallow"},
    "W": {"water": "wading"},
    "3": {"factor": 3},
    "b": {"difficult": True, "factor": "3/2"},
    "x": {"difficult": True, "climb": True},
    "1": {"elevation": 5},
    "2": {"elevation": 15},
    "4": {"elevation": 10, "difficult": True},
    "m": {"elevation": 1},
    "M": {"elevation": 3},
    "o": {"rough": True},
    "O": {"rough": True, "elevation": 1},
    "g": {"gap": True},
    "r": {"headroom": "crouched"},
    "p": {"headroom": "prone"},
    "n": {"no_stop": True},
    "z": {"hazard": "fire"},
    "u": {"unknown": True},
}
GROUND = ".......##~~"
SIDES = {
    "square": "nesw",
    "hex-odd-r": ("ne", "e", "se", "sw", "w", "nw"),
    "hex-odd-q": ("n", "ne", "se", "s", "sw", "nw"),
}


EDGES: list[dict[str, Any]] = [
    {"kind": "window"},
    {"kind": "fence"},
    {"kind": "fence", "cost": 5},
    {"kind": "door-open"},
    {"kind": "door-closed"},
    {"kind": "door-closed"},
    {"kind": "door-closed", "cost": 5},
    {"kind": "door-locked"},
    {"kind": "door-locked", "cost": 10},
    {"kind": "door-secret"},
    {"kind": "one-way"},
]
BOUNDED: list[dict[str, Any]] = [{"kind": "wall", "bottom": 0, "top": 5}, {"kind": "wall", "bottom": 5}]
"""Edges of some heights only."""


def name(col: int, row: int) -> str:
    """The name of a cell of a small map."""
    return f"{chr(65 + col)}{row + 1}"


def both(side: str, grid: str) -> tuple[str, ...]:
    """A side's two names, so that one side is drawn once."""
    at, way = side.split(".")
    if grid != "square":
        return (side,)
    col, row = ord(at[0]) - 65, int(at[1:]) - 1
    dx, dy, back = {"n": (0, -1, "s"), "s": (0, 1, "n"), "e": (1, 0, "w"), "w": (-1, 0, "e")}[way]
    return tuple(sorted((side, f"{name(col + dx, row + dy)}.{back}")))


@st.composite
def boards(
    draw: st.DrawFn,
    glyphs: str = GROUND,
    grid: str = "square",
    walls: int = 6,
    edges: bool = True,
    bounded: bool = False,
    least: int = 3,
    most: int = 7,
) -> dict[str, Any]:
    """A map of the glyphs with some sides of all kinds, its start cell clear."""
    cols, rows = draw(st.integers(least, most)), draw(st.integers(least, most))
    row = st.text(st.sampled_from(glyphs), min_size=cols, max_size=cols)
    drawn = draw(st.lists(row, min_size=rows, max_size=rows))
    cells = st.builds(name, st.integers(0, cols - 1), st.integers(0, rows - 1))
    side = st.builds("{}.{}".format, cells, st.sampled_from(SIDES[grid]))
    out: dict[str, Any] = {
        "rows": drawn,
        "grid": grid,
        "legend": {g: LEGEND[g] for g in set("".join(drawn)) if g in LEGEND},
    }
    out["walls"] = draw(st.lists(side, max_size=walls, unique=True))
    if edges:
        kinds = st.sampled_from(EDGES + (BOUNDED if bounded else []))
        drawn_edges = []
        sides = {both(at, grid): at for at in draw(st.lists(side, max_size=5))}
        for at in sides.values():
            kind = draw(kinds)
            edge = {"at": at, **kind}
            if kind["kind"] == "one-way":
                edge["pass"] = at.rsplit(".", 1)[1]
            drawn_edges.append(edge)
        out["edges"] = drawn_edges
        # a wall drawn on through a doorway is another test's business
        doorways = {both(edge["at"], grid) for edge in drawn_edges if edge["kind"].startswith("door")}
        out["walls"] = [at for at in out["walls"] if both(at, grid) not in doorways]
    return out


def mark(board: dict[str, Any], at: tuple[int, int], size: int = 1) -> dict[str, Any]:
    """The board with clear ground under a body."""
    rows = [list(row) for row in board["rows"]]
    for row in range(at[1], at[1] + size):
        for col in range(at[0], at[0] + size):
            rows[row][col] = "."
    body = {(at[0] + x, at[1] + y) for x in range(size) for y in range(size)}

    def inside(side: str) -> bool:
        cell, way = side.split(".")
        col, row = ord(cell[0]) - 65, int(cell[1:]) - 1
        dx, dy = {"n": (0, -1), "s": (0, 1), "e": (1, 0), "w": (-1, 0)}.get(way, (9, 9))
        return (col, row) in body and (col + dx, row + dy) in body

    walls = [side for side in board["walls"] if not inside(side)]
    edges = [edge for edge in board.get("edges", ()) if not inside(edge["at"])]
    return {**board, "rows": ["".join(row) for row in rows], "walls": walls, "edges": edges}


ENGINE_OPTIONS: dict[str, list[Any]] = {
    "diagonal": ["equal", "none", "alternate", "euclid"],
    "corner": ["both_open", "one_open", "free"],
    "cost_stacking": ["multiply", "add", "max"],
    "climb_factor": [2, 3, None],
    "swim_factor": [2, 3],
    "ledge_up": ["climb", "refuse"],
    "ledge_down": ["climb", "refuse"],
    "step_height": ["cell", 4, 10],
    "door_policy": ["open", "open", "block"],
    "door_cost": [0, 5],
    "door_limit": [None, 1, 2],
    "door_diagonal": ["straight_only", "price"],
    "deep_water_stop": [True, False],
    "stand_cost": ["half_speed", 10],
    "crouch_stand_cost": [5, 0],
    "ally_cost": [1, 2],
    "enemy_pass_cost": [2, 3],
    "corner_occupants": ["ignore", "block"],
    "parity_reset": ["turn", "never"],
    "grid_rounding": ["cover_full_cost", "cover_full_cost", "enter_if_any_left", "first_cell"],
    "hazard_policy": ["avoid", "ignore"],
    "unknown_cells": ["block", "plain"],
    "body_cost": ["max_entered", "max_all", "median_all", "anchor"],
    "difficult_diagonal": ["multiply", "add_cell", "as_two"],
    "pay_on": ["enter", "leave"],
    "double_dash_total": [4, 3],
    "reach_walls": ["block", "ignore"],
    "effort_base_tn": [50, 10, 5, 0],
    "endurance_count": ["cumulative"],
}


PARTICULAR = ("double_dash_total", "effort_base_tn", "endurance_count")
"""Options of few systems."""


def some_options(*names: str) -> st.SearchStrategy[dict[str, Any]]:
    """Some of the named options (all where none is named), each with one of its values."""
    chosen = names or tuple(name for name in ENGINE_OPTIONS if name not in PARTICULAR)
    return st.fixed_dictionaries({}, optional={key: st.sampled_from(ENGINE_OPTIONS[key]) for key in chosen})


@st.composite
def occupants(draw: st.DrawFn, cols: int, rows: int, kept: set[tuple[int, int]], most: int = 3) -> list[dict[str, Any]]:
    """Other bodies that neither overlap each other nor stand on the kept cells."""
    out: list[dict[str, Any]] = []
    taken = set(kept)
    for n in range(draw(st.integers(0, most))):
        rank = draw(st.sampled_from(["tiny", "small", "medium", "large", "huge"]))
        size = {"large": 2, "huge": 3}.get(rank, 1)
        if cols < size or rows < size:
            continue
        col, row = draw(st.integers(0, cols - size)), draw(st.integers(0, rows - size))
        cells = {(col + x, row + y) for x in range(size) for y in range(size)}
        if cells & taken:
            continue
        taken |= cells
        side = draw(st.sampled_from(["ally", "enemy", "enemy", "neutral"]))
        reach = draw(st.integers(1, 2))
        hidden = draw(st.sampled_from([False, False, True]))
        out.append({"id": f"o{n}", "at": name(col, row), "side": side, "class": rank, "reach": reach, "hidden": hidden})
    return out


MODES = (["walk"], ["walk", "wade", "swim"], ["run", "walk"], ["crawl"], ["run_dodge", "wade"], ["run", "walk", "swim"])
STATS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "twelve-second": st.fixed_dictionaries(
        {"mv": st.sampled_from([20, 30, 50, 60]), "modes": st.sampled_from(MODES)},
        optional={"exhausted": st.booleans()},
    ),
    "shapers": st.fixed_dictionaries(
        {
            "pa": st.integers(1, 4),
            "ps": st.integers(1, 8),
            "pf": st.integers(0, 6),
            "swimming": st.integers(0, 2),
            "gait": st.sampled_from(["walk", "jog", "run", "sprint"]),
            "size_m": st.sampled_from([2, 8, 12]),
            "accept_damage": st.sampled_from([0, 8, 20]),
        }
    ),
    "d6-reup": st.fixed_dictionaries({"move": st.integers(4, 12)}),
    "d6-revised": st.fixed_dictionaries({"move": st.integers(4, 12)}),
}
"""Movers of the rule systems in metres."""


@st.composite
def scenarios(
    draw: st.DrawFn,
    *,
    ruleset: str = "plain",
    glyphs: str = GROUND,
    grid: str = "square",
    edges: bool = True,
    bounded: bool = False,
    sizes: tuple[int, ...] = (1,),
    options: tuple[str, ...] = (),
    bodies: bool = False,
    links: bool = False,
    jumper: bool = False,
    stats: st.SearchStrategy[dict[str, Any]] | None = None,
    fixed: dict[str, Any] | None = None,
    most: int = 7,
) -> dict[str, Any]:
    """A whole scenario but for its question."""
    board = draw(boards(glyphs=glyphs, grid=grid, edges=edges, bounded=bounded, most=most))
    cols, rows = len(board["rows"][0]), len(board["rows"])
    size = min(draw(st.sampled_from(sizes)), cols, rows)
    at = draw(st.integers(0, cols - size)), draw(st.integers(0, rows - size))
    board = mark(board, at, size)
    mover: dict[str, Any] = {"start": name(*at), "size": size}
    if ruleset in ("plain", "operator"):
        mover["speed"] = draw(st.sampled_from([10, 15, 20, 25, 30]))
        mover["posture"] = draw(st.sampled_from(["standing", "standing", "crouched", "prone"]))
        mover["spent"] = draw(st.sampled_from([0, 0, 0, 5, 10]))
    if stats is not None:
        mover |= draw(stats)
    if jumper:
        mover["str"] = draw(st.sampled_from([8, 10, 15, 20]))
    chosen = {**draw(some_options(*options)), **(fixed or {})}
    if chosen.get("body_cost") == "median_all" and chosen.get("difficult_diagonal") == "as_two":
        # a diagonal that counts as one and a half: nobody says what that is
        del chosen["difficult_diagonal"]
    if chosen.get("diagonal") == "alternate":
        mover["diagonals"] = draw(st.integers(0, 3))
    if bodies:
        kept = {(at[0] + x, at[1] + y) for x in range(size) for y in range(size)}
        board["occupants"] = draw(occupants(cols, rows, kept))
    if links:
        cell = st.builds(name, st.integers(0, cols - 1), st.integers(0, rows - 1))
        link = st.fixed_dictionaries(
            {"from": cell, "to": cell, "cost": st.sampled_from([0, 5, 10]), "two_way": st.booleans()}
        )
        board["links"] = [one for one in draw(st.lists(link, max_size=2)) if one["from"] != one["to"]]
    return {"ruleset": ruleset, "options": chosen, "map": board, "mover": mover}


@st.composite
def gates(draw: st.DrawFn) -> dict[str, Any]:
    """A large mover before a line of doors with a few walls in it, more of them than a turn may open."""
    world: dict[str, Any] = {"glyphs": "...........~#", "edges": False, "most": 6, "sizes": (2, 2, 3)}
    options = ("diagonal", "corner", "door_cost", "door_limit", "grid_rounding", "body_cost")
    fixed = {"door_limit": draw(st.sampled_from([1, 1, 2])), "squeeze": draw(st.sampled_from([False, False, True]))}
    ruleset = draw(st.sampled_from(["plain", "operator"]))
    scenario = draw(scenarios(**world, ruleset=ruleset, options=options, fixed=fixed, bodies=draw(st.booleans())))
    board, size = scenario["map"], scenario["mover"]["size"]
    col = draw(st.integers(0, max(len(board["rows"][0]) - 2, 0)))
    kinds = st.sampled_from(["door-closed", "door-closed", "door-closed", "door-closed", "wall", "door-locked"])
    edges = []
    for row in range(len(board["rows"])):
        kind = draw(kinds)
        price = {} if kind == "wall" or draw(st.booleans()) else {"cost": draw(st.sampled_from([0, 5, 10]))}
        edges.append({"at": f"{name(col, row)}.e", "kind": kind, **price})
    board["edges"] = edges
    board["walls"] = [at for at in board["walls"] if not at.startswith((chr(65 + col), chr(66 + col)))]
    start = scenario["mover"]["start"]
    return {**scenario, "map": mark(board, (ord(start[0]) - 65, int(start[1:]) - 1), size)}
