"""What writers of other programs' files leave out of a map whatever the format: floors, links, zones, movers, rules."""

from __future__ import annotations

from collections.abc import Iterator

from tactical.formats import ReportLine, many
from tactical.world.battlemap import Battlemap


def beyond_one_floor(battlemap: Battlemap) -> Iterator[ReportLine]:
    """A line for each of the things that a file of one floor's ground and barriers has no words for."""
    for count, what, why in (
        (len(battlemap.levels) - 1, "further level", ": a file holds one floor"),
        (len(battlemap.links), "link", ""),
        (len(battlemap.zones), "zone", ""),
        (len(battlemap.movers), "mover", ""),
    ):
        if count:
            yield ReportLine("dropped", many(count, what) + why, count)
    if battlemap.rules or battlemap.options:
        yield ReportLine("dropped", "rules and options")
