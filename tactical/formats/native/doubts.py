"""What is doubtful in a native map that can be played all the same: warnings, each with its line in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tactical.errors import meant
from tactical.formats import ReportLine
from tactical.formats._positions import Document, Path, dotted
from tactical.formats.native.things import BASE
from tactical.units import Cell
from tactical.world.battlemap import Battlemap

LINKS = (
    "stairs",
    "ladder",
    "lift",
    "elevator",
    "portal",
    "teleporter",
    "trapdoor",
    "hatch",
    "rope",
    "pole",
    "chute",
    "slide",
    "ramp",
    "bridge",
    "tunnel",
    "gate",
    "balcony",
)
"""Kinds of link that need no second look; a map may use another word."""

Warn = Callable[[str, Path], ReportLine]

OVERHANG = 1.0
"""How many cells a barrier may stick out of the map before it is asked about."""


def doubts(document: Document, battlemap: Battlemap, paths: Mapping[str, list[Path]]) -> Iterator[ReportLine]:
    """Barriers off the map, links that lead nowhere new, secrets nobody has, movers one upon the other."""

    def warn(text: str, path: Path) -> ReportLine:
        return ReportLine("warning", f"line {document.mark(path)[0]}: {dotted(path)}: {text}")

    wide, high = battlemap.grid.size(battlemap.cols, battlemap.rows)
    for barrier, path in zip(battlemap.barriers, paths["barriers"], strict=True):
        (x0, y0), (x1, y1) = barrier.line
        out = max(-min(x0, x1), -min(y0, y1), max(x0, x1) - wide, max(y0, y1) - high)
        if path != BASE and out > OVERHANG:
            beside = min(max(x0, x1), max(y0, y1)) < 0 or min(x0, x1) > wide or min(y0, y1) > high
            where = "lies beside the map" if beside else f"sticks out of the map by {out:g} cells"
            yield warn(f"the barrier {where} ({wide:g} x {high:g} cells)", (*path, "line"))
    for link, path in zip(battlemap.links, paths["links"], strict=True):
        if path == BASE:
            continue
        if link.start == link.end:
            yield warn(f"leads from {battlemap.name_of(link.start)} to itself", path)
        if link.kind not in LINKS:
            # short words are like too many
            hint = meant(link.kind, LINKS, alike=0.8)
            words = f"{link.kind!r} is no usual kind of link{hint} (usual ones: {', '.join(LINKS)})"
            yield warn(words, (*path, "kind"))
    yield from _of_movers(battlemap, paths["movers"], warn)


def _of_movers(battlemap: Battlemap, paths: list[Path], warn: Warn) -> Iterator[ReportLine]:
    known = {barrier.id for barrier in battlemap.barriers if barrier.id}
    held: dict[Cell, str] = {}
    for mover, path in zip(battlemap.movers, paths, strict=True):
        for name in sorted(mover.knows - known) if path != BASE else ():
            hint = meant(name, known)
            yield warn(f"{mover.id!r} knows {name!r}, which no barrier here is called{hint}", (*path, "knows"))
        body = battlemap.body(mover.at, mover.size) if mover.at is not None else ()
        shared = next((cell for cell in body if cell in held), None)
        if shared is not None and path != BASE:
            words = f"{mover.id!r} and {held[shared]!r} both stand at {battlemap.name_of(shared)}"
            yield warn(words, (*path, "at"))
        for cell in body:
            held.setdefault(cell, mover.id)
