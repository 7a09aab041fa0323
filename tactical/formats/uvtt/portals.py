"""What the portals of a file are: doors or windows by two options, or each by the one word said for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from tactical.errors import meant
from tactical.formats import many
from tactical.formats._reading import Reading, between
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, DoorState, Kind
from tactical.world.edges.segments import Segment

WORDS: dict[str, tuple[Kind, DoorState | None]] = {
    "window": (Kind.WINDOW, None), **{state.value: (Kind.DOOR, state) for state in DoorState},
}  # fmt: skip
LISTED = 40
"""How many ambiguous portals are listed with their places."""


class Portals:
    """Makes barriers of portals, names them in the order of the file, and remembers which were ambiguous."""

    def __init__(self, reading: Reading, options: Mapping[str, Any]) -> None:
        self.reading, self.options = reading, options
        self.made: list[Barrier] = []
        self.open: list[Barrier] = []
        """Those that a file calls open and nobody has settled."""
        self._numbers: Counter[str] = Counter()
        self._said = self._parsed(options["portals"])

    def _parsed(self, text: str) -> dict[str, str]:
        said: dict[str, str] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, colon, word = (piece.strip() for piece in part.partition(":"))
            if not colon or word not in WORDS:
                hint = meant(word, WORDS)
                words = f"write window-1:closed (or {', '.join(WORDS)}), not {part[:40]!r}{hint}"
                self.reading.fault(f"option portals: {words}", "portals")
            else:
                said[name] = word
        return said

    def add(self, line: Segment, closed: bool | None) -> None:
        """One portal, named by what the options make of its kind whatever is said for it alone."""
        counts = self.reading.counts
        shut = closed is not False
        window = self.options["closed_portals" if shut else "open_portals"] == "window"
        kind = Kind.WINDOW if window else Kind.DOOR
        state = None if window else DoorState.CLOSED if shut else DoorState.OPEN
        self._numbers[kind] += 1
        name = f"{kind}-{self._numbers[kind]}"
        said = self._said.pop(name, "")
        if said:
            counts["settled"] += 1
            kind, state = WORDS[said]
        else:
            counts["glazed"] += shut and window
            counts["unstated"] += closed is None
        self.made.append(Barrier(line, kind, name, state))
        if closed is False and not said:
            self.open.append(self.made[-1])

    def finish(self) -> None:
        """Whatever was said of portals that are not there is a fault."""
        known = [barrier.id for barrier in self.made]
        for name in self._said:
            hint = meant(name, known)
            self.reading.fault(f"option portals: no portal is called {name[:40]!r}{hint}", "portals")

    def tell(self, battlemap: Battlemap) -> None:
        """Lines for the portals that could be two things, with their places, and for those that were settled."""
        self.reading.tell_counts(("settled", "read", "portal read as the option portals has it",
                                  "portals read as the option portals has them"))  # fmt: skip
        if not self.open:
            return
        as_what = "a window" if self.options["open_portals"] == "window" else "an open door"
        listed = "; ".join(f"{one.id} between {between(battlemap, one)}" for one in self.open[:LISTED])
        more = "; …" if len(self.open) > LISTED else ""
        words = f"{many(len(self.open), 'ambiguous portal')}, read as {as_what} (option open_portals)"
        self.reading.tell("ambiguous", f"{words}, or one by one (option portals): {listed}{more}", len(self.open))
