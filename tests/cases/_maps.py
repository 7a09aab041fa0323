"""Scenario maps and movers as the product's own values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tactical.rules.ruleset import get_ruleset
from tactical.rules.turnstate import TurnState
from tactical.units import Cell, exact, parse_cell
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.mover import Mover

# keys of a scenario's mover that are no stats
PLACE = {"start", "class", "size", "posture", "spent", "left", "diagonals", "knows", "previous"}
SIDES = {"ally": "ours", "enemy": "theirs", "neutral": "neutral"}


def generated(generator: Mapping[str, Any]) -> tuple[list[str], dict[str, Any]]:
    """The rows of a big map."""
    w, h, name = generator["w"], generator["h"], generator["name"]
    legend = {"~": {"difficult": True}}
    if name == "open":
        return ["." * w] * h, legend
    if name == "serpentine":
        rows = [["."] * w for _ in range(h)]
        for x in range(2, w, 4):
            for y in range(h):
                rows[y][x] = "#"
            rows[h - 1 if (x // 4) % 2 == 0 else 0][x] = "."
        return ["".join(row) for row in rows], legend
    if name == "checker":
        return ["".join("~" if (x + y) % 2 else "." for x in range(w)) for y in range(h)], legend
    if name == "vault":
        cx, cy = generator["cx"], generator["cy"]
        return ["".join("#" if max(abs(x - cx), abs(y - cy)) == 2 else "." for x in range(w)) for y in range(h)], legend
    r = generator["seed"]
    rows = []
    for y in range(h):
        row = ""
        for x in range(w):
            r = (1103515245 * r + 12345) % 2**31
            v = (r // 65536) % 100
            glyph = "#" if v < generator["blocked"] else "~" if v < generator["blocked"] + generator["mud"] else "."
            row += "." if (x, y) in ((0, 0), (w - 1, h - 1)) else glyph
        rows.append(row)
    return rows, legend


def board(scenario: Mapping[str, Any]) -> Battlemap:
    """The map of a scenario."""
    given = scenario["map"]
    ruleset = get_ruleset(scenario["ruleset"])
    feet = scenario["ruleset"] in ("plain", "operator")
    legend = {"S": {}, "G": {}, **given.get("legend", {})}
    rows: Any = given.get("levels", given.get("rows"))
    if "generator" in given:
        rows, legend = generated(given["generator"])
    plain = Battlemap.from_rows(
        rows,
        legend,
        cell=exact(given.get("cell", 5 if feet else 1)),
        unit=ruleset.unit,
        grid=given.get("grid", "square"),
    )
    levels = plain.level_names
    read = lambda text: parse_cell(str(text), levels)  # noqa: E731
    barriers = tuple(_barriers(given, plain, levels))
    links = tuple(
        Link(read(link["from"]), read(link["to"]), exact(link.get("cost", 0)), two_way=link.get("two_way", True))
        for link in given.get("links", ())
    )
    zones = tuple(
        Zone(
            frozenset(read(cell) for cell in zone["cells"]),
            {k: v for k, v in zone.items() if k not in ("cells", "source")},
            zone.get("source", ""),
        )
        for zone in given.get("zones", ())
    )
    others = tuple(
        Mover(
            o["id"],
            at=read(o["at"]),
            side=SIDES[o["side"]],
            size_class=o.get("class", "medium"),
            size=o.get("size", 0),
            reach=o.get("reach", 1),
            hidden=o.get("hidden", False),
        )
        for o in given.get("occupants", ())
    )
    return plain.with_(barriers=barriers, links=links, zones=zones, movers=others)


def _barriers(given: Mapping[str, Any], battlemap: Battlemap, levels: tuple[str, ...]) -> Iterator[Barrier]:
    edges = [{"at": side, "kind": "wall"} for side in given.get("walls", ())] + list(given.get("edges", ()))
    for edge in edges:
        at, side = edge["at"].rsplit(".", 1)
        cell = parse_cell(at, levels)
        line = battlemap.grid.side(cell.col, cell.row, side)
        kind, state, one_way = edge["kind"], None, ""
        if kind.startswith("door-"):
            kind, state = "door", kind[5:]
        elif kind == "one-way":
            # sides run clockwise, so their left is outside the cell
            kind, one_way = "wall", "left" if edge["pass"] == side else "right"
        yield Barrier(
            line,
            Kind(kind),
            edge["at"],
            state,
            one_way,
            None if edge.get("cost") is None else exact(edge["cost"]),
            None if edge.get("bottom") is None else exact(edge["bottom"]),
            None if edge.get("top") is None else exact(edge["top"]),
            cell.level,
            edge.get("truth", ""),
        )


def mover_of(scenario: Mapping[str, Any]) -> tuple[Mover, TurnState]:
    """The mover of a scenario and the state of its turn."""
    given = scenario["mover"]
    size = given.get("size", 0)
    stats = {key: value for key, value in given.items() if key not in PLACE}
    start = given.get("start") or _marked(scenario["map"])
    levels = tuple(scenario["map"].get("levels", ()))
    mover = Mover(
        "mover",
        rules=scenario["ruleset"],
        stats=stats,
        at=parse_cell(start, levels),
        side="ours",
        size=size,
        size_class=given.get("class", ""),
        posture=given.get("posture", "standing"),
        knows=frozenset(given.get("knows", ())),
    )
    turn = TurnState(
        spent=exact(given.get("spent", 0)),
        left=None if given.get("left") is None else exact(given["left"]),
        diagonals=given.get("diagonals", 0),
        previous=given.get("previous", ""),
    )
    return mover, turn


def _marked(given: Mapping[str, Any]) -> str:
    floors = given.get("levels") or {"": given["rows"]}
    for name, rows in floors.items():
        for row in rows:
            if "S" in row:
                prefix = f"{name}/" if name else ""
                return f"{prefix}{chr(65 + row.index('S'))}{list(rows).index(row) + 1}"
    raise ValueError("no start cell")


def named(scenario: Mapping[str, Any], text: str) -> Cell:
    """A cell of the scenario."""
    return parse_cell(str(text), tuple(scenario["map"].get("levels", ())))
