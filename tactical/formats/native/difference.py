"""A native map over another one, which holds only what differs: what a person or a program has added to a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tactical.formats.native.changes import changes
from tactical.formats.native.write import section, written
from tactical.world.battlemap import Battlemap

_SAME = ("levels", "palette", "grid", "cell", "unit", "name")
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

    It holds what is gone, other and new of barriers, links and movers, zones after those of the base, and the rules;
    `grid` states `cell` and `unit` where the file does not.  Raises `ValueError` for any other difference.
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
    found = changes(battlemap, base)
    yield "schema: 1"
    more = {"file": file, **({"format": format} if format else {}), **({"options": options} if options else {})}
    yield f"base: {written(more if len(more) > 1 else file)}"
    if grid:
        yield f"grid: {written(grid)}"
    if battlemap.rules and battlemap.rules != base.rules:
        yield f"rules: {written(battlemap.rules)}"
    for name, one in found.items():
        yield from section(name, one.entries)
