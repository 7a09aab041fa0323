"""A native map over another one, which holds only what differs: what a person or a program has added to a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from tactical.formats.native.write import barrier_part, mover_part, section, written, zone_part
from tactical.world.battlemap import Battlemap

_SAME = ("levels", "palette", "grid", "cell", "unit", "links", "name")
"""The parts that a map must share with what it lies over."""


def overlay(
    battlemap: Battlemap,
    base: Battlemap,
    *,
    file: str,
    format: str = "",
    options: Mapping[str, object] | None = None,
    grid: Mapping[str, object] | None = None,
) -> str:
    """The text of a native map that makes `battlemap` of `file`, from which `base` is read with `options`.

    It holds zones, movers and barriers after those of the base, what was changed of a barrier that has an id, and the
    rules; `grid` states `cell` and `unit` where the file does not.  Raises `ValueError` for any other difference.
    """
    return "\n".join(_lines(battlemap, base, file, format, options or {}, grid or {})) + "\n"


def _lines(
    battlemap: Battlemap,
    base: Battlemap,
    file: str,
    format: str,
    options: Mapping[str, object],
    grid: Mapping[str, object],
) -> Iterator[str]:
    for part in _SAME:
        mine, theirs = getattr(battlemap, part), getattr(base, part)
        if mine is not theirs and (part in ("levels", "palette", "grid") or mine != theirs):
            raise ValueError(f"its {part} are not those of {file}")
    for part in ("zones", "movers"):
        under = getattr(base, part)
        if getattr(battlemap, part)[: len(under)] != under:
            raise ValueError(f"some {part} of {file} are changed")
    names = battlemap.level_names
    yield "schema: 1"
    more = {"file": file, **({"format": format} if format else {}), **({"options": options} if options else {})}
    yield f"base: {written(more if len(more) > 1 else file)}"
    if grid:
        yield f"grid: {written(grid)}"
    if battlemap.rules and battlemap.rules != base.rules:
        yield f"rules: {written(battlemap.rules)}"
    yield from section("barriers", list(_barriers(battlemap, base)))
    yield from section("zones", [zone_part(zone, names) for zone in battlemap.zones[len(base.zones) :]])
    yield from section("movers", [mover_part(mover, names) for mover in battlemap.movers[len(base.movers) :]])


def _barriers(battlemap: Battlemap, base: Battlemap) -> Iterator[Mapping[str, object]]:
    """The states that doors have been given, by id; then the barriers that came."""
    ids = Counter(barrier.id for barrier in base.barriers)
    if len(battlemap.barriers) < len(base.barriers):
        raise ValueError("a barrier was taken away")
    for mine, theirs in zip(battlemap.barriers, base.barriers, strict=False):
        if mine == theirs:
            continue
        if mine.state is None or replace(mine, state=theirs.state) != theirs or not mine.id or ids[mine.id] != 1:
            raise ValueError("a barrier was changed that cannot be named")
        yield {"id": mine.id, "state": mine.state.value}
    for barrier in battlemap.barriers[len(base.barriers) :]:
        yield barrier_part(battlemap, barrier)
