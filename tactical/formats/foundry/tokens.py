"""Tokens of a scene: those that state a place on the map become movers."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from tactical.formats._reading import finite
from tactical.units import Cell
from tactical.values import replaced
from tactical.world.mover import Mover

if TYPE_CHECKING:
    from tactical.formats.foundry.canvas import Canvas

SIDES = {1: "friendly", 0: "neutral", -1: "hostile"}
MOST = 5_000
LARGEST = 20


def read_tokens(canvas: Canvas, entries: list[Any]) -> list[Mover]:
    """The movers of a scene; what becomes of the others is told."""
    movers: list[Mover] = []
    taken: set[Cell] = set()
    names: set[str] = set()
    counts: Counter[str] = Counter()
    for token in entries[:MOST]:
        made = _mover(canvas, token, names, counts) if isinstance(token, dict) else None
        if made is None or made.at is None:
            counts["outside"] += 1
            continue
        body = {Cell(made.at.col + dc, made.at.row + dr, made.at.level)
                for dc in range(made.size) for dr in range(made.size)}  # fmt: skip
        if body & taken:
            counts["stacked"] += 1
            continue
        taken |= body
        movers.append(made)
    counts["outside"] += max(0, len(entries) - MOST)
    canvas.tell_counts(
        (len(movers), "read", "token as a mover", "tokens as movers"),
        (counts["outside"], "outside", "token without a place on the map left out",
         "tokens without a place on the map left out"),
        (counts["stacked"], "repaired", "token on another one's cells left out",
         "tokens on another one's cells left out"),
        (counts["odd"], "repaired", "token that is no whole square read as one",
         "tokens that are no whole squares read as ones"),
        (counts["raised"], "ignored", "height of a token", "heights of tokens"),
    )  # fmt: skip
    if movers:
        canvas.tell("ignored", "the rules and numbers of tokens: state them in a native map over this one")
    return movers


def _mover(canvas: Canvas, token: dict[str, Any], names: set[str], counts: Counter[str]) -> Mover | None:
    x, y = token.get("x"), token.get("y")
    if not finite(x) or not finite(y):
        return None
    wide, high = (token.get(key, 1) for key in ("width", "height"))
    wide, high = (float(one) if finite(one) else 1.0 for one in (wide, high))
    size = min(LARGEST, max(1, round(max(wide, high))))
    counts["odd"] += not wide == high == size
    # the middle of the top left cell, so that a token a little off its cell is still in it
    px, py = canvas.place(x, y)
    col, row = canvas.grid.cell_at(px + 0.5, py + 0.5)
    if min(col, row) < 0 or col + size > canvas.cols or row + size > canvas.rows:
        return None
    level = canvas.ids.get(str(token.get("level")), 0)
    counts["raised"] += finite(token.get("elevation")) and token.get("elevation") != 0
    name = token.get("name")
    name = replaced(name.strip()[:60]) if isinstance(name, str) else ""
    stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "token"
    id_, n = stem, 1
    while id_ in names:
        n += 1
        id_ = f"{stem}-{n}"
    names.add(id_)
    disposition = token.get("disposition")
    side = SIDES.get(disposition, "") if isinstance(disposition, int) else ""
    hidden = token.get("hidden") is True
    return Mover(id_, at=Cell(col, row, level), side=side, size=size, name=name, hidden=hidden)
