"""What writers of other programs' files leave out of a map whatever the format: floors, links, zones, movers, rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tactical.formats import ReportLine, many

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap


def dropped(*lost: tuple[int, str] | tuple[int, str, str]) -> Iterator[ReportLine]:
    """A line for each of the things of which there are any: how many, what one is called, and what several are."""
    return (ReportLine("dropped", many(count, *words), count) for count, *words in lost if count)


def beyond_one_floor(battlemap: Battlemap) -> Iterator[ReportLine]:
    """A line for each of the things that a file of one floor's ground and barriers has no words for."""
    floors = len(battlemap.levels) - 1
    yield from dropped(
        (floors, "further level: a file holds one floor", "further levels: a file holds one floor"),
        (len(battlemap.links), "link"),
        (len(battlemap.zones), "zone"),
        (len(battlemap.movers), "mover"),
    )
    if battlemap.rules or battlemap.options:
        yield ReportLine("dropped", "rules and options")
