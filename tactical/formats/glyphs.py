"""Maps drawn with characters in a text file, as players of dungeon games write them.

``.`` floor, ``#`` rock, ``+`` a closed door, ``'`` an open one, ``~`` shallow and ``w`` deep water … (see `LEGEND`); a
door fills its cell and stands across the middle of it.  Short rows end in rock.  ``@`` is a figure called ``hero``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tactical.formats import Format, Report, decode, many
from tactical.formats._reading import CELL, Doors, Reading, across, leads_east_west
from tactical.options import choice

if TYPE_CHECKING:
    from tactical.world.battlemap import Battlemap

LEGEND: dict[str, dict[str, object]] = {
    ".": {},
    "#": {"terrain": "rock", "impassable": True},
    "~": {"terrain": "shallow water", "water": "shallow"},
    "w": {"terrain": "deep water", "water": "deep"},
    ":": {"terrain": "rubble", "difficult": True, "rough": True},
    '"': {"terrain": "brush", "difficult": True},
    "t": {"terrain": "tree", "impassable": True},
    "G": {"terrain": "statue", "impassable": True},
    "l": {"terrain": "lava", "hazard": "lava"},
    "^": {"terrain": "trap", "hazard": "trap"},
    ">": {"terrain": "stairs"},
    "o": {"terrain": "pit", "gap": True},
}
SAME = {",": ".", "x": "#", "X": "#", "|": "#", "-": "#", "W": "~", "T": "t", "%": ":", "<": ">", "_": "."}
"""Other characters for the same ground."""
DOORS = {"+": "closed", "'": "open", "=": "locked", "S": "secret"}
HERO = "@"
KNOWN = frozenset({*LEGEND, *SAME, *DOORS, HERO, " "})
OPTIONS = (choice("space", ("rock", "floor"), "what a blank is", "glyphs"), *CELL)


def sniff(data: bytes, name: str) -> bool:
    """Text of hardly any other characters than the known ones, with rock and some floor."""
    if not name.lower().endswith((".txt", ".glyphs")):
        return False
    try:
        text = data[:50_000].decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    counts = Counter("\n".join(text.splitlines()))
    rows, strange = counts.pop("\n", 0), sum(count for sign, count in counts.items() if sign not in KNOWN)
    drawn = counts["."] > 1 and any(counts[sign] > 1 for sign in "#xX|-")
    return rows > 1 and drawn and strange * 10 <= counts.total()


def load(data: bytes, *, source: str = "", options: Mapping[str, Any] | None = None) -> tuple[Battlemap, Report]:
    """Read a drawn map.  Raises `MapError` with every unknown character, by row and column."""
    reader = _Reader(source, FORMAT.read_options(options))
    return reader.done(reader.read(decode(data, source)))


class _Reader(Reading):
    """One file on its way to a map."""

    format = "glyphs"

    def read(self, text: str) -> Battlemap | None:
        """The map, or None if the file has faults."""
        from tactical.world.battlemap import Battlemap
        from tactical.world.mover import Mover

        rows = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        cols = max(map(len, rows))
        if not self.fits(cols, len(rows), ""):
            return None
        blank = "#" if self.options["space"] == "rock" else "."
        drawn: list[list[str]] = []
        doors: list[tuple[int, int, str]] = []
        heroes: list[tuple[int, int]] = []
        for r, line in enumerate(rows):
            signs = []
            for c, sign in enumerate(line):
                if sign not in KNOWN and len(self.faults) < 20:
                    known = f"(known: {' '.join([*LEGEND, *SAME, *DOORS, HERO])})"
                    words = f"unknown glyph {sign!r} in row {r + 1}, column {c + 1}"
                    self.wrong(words, r + 1, c + 1, hint=known, excerpt=line[:200])
                if sign in DOORS:
                    doors.append((c, r, DOORS[sign]))
                elif sign == HERO:
                    heroes.append((c, r))
                ground = SAME.get(sign, sign) if sign != " " else blank
                signs.append(ground if ground in LEGEND else ".")
            drawn.append([*signs, *[blank] * (cols - len(signs))])
        if self.faults:
            return None
        self.tell("read", f"{cols} x {len(rows)} cells")
        cell = self.cell()

        def open_(col: int, row: int) -> bool:
            inside = 0 <= row < len(drawn) and 0 <= col < cols
            return inside and not LEGEND[drawn[row][col]].get("impassable")

        made = Doors()
        for col, row, state in doors:
            made.add(across(col, row, leads_east_west(open_, col, row)), state)
        if doors:
            counts = Counter(state for *_, state in doors)
            states = ", ".join(f"{count} {state}" for state, count in counts.items())
            self.tell("read", f"{many(len(doors), 'door')} ({states})", len(doors))
        if len(heroes) > 1:
            self.tell("warning", f"{len(heroes)} signs {HERO}: only the first is the hero", len(heroes))
        movers = tuple(Mover("hero", at=place) for place in heroes[:1])
        return Battlemap.from_rows(
            ["".join(row) for row in drawn],
            {glyph: facts for glyph, facts in LEGEND.items() if glyph != "."},
            barriers=tuple(made.made),
            movers=movers,
            name=self.stem(),
            source=self.source,
            **cell,
        )


FORMAT = Format("glyphs", "glyph text", (".glyphs",), sniff, load, options=OPTIONS, also=(".txt",))
