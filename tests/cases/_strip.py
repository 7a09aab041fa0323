"""A table for one case: a straight strip of ground with a mover at its start, as a game and as a map file.

The case is asked as a player asks it, with `tactical.Session` and its commands or by a command line; nothing is
computed here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tactical import Battlemap, Cell, Mover, Session

Facts = Mapping[str, object]
KIT = "kit"


def strip(
    rules: str, stats: Facts, grounds: Sequence[Facts], *, cell: Fraction = Fraction(1), options: Facts | None = None,
    others: Mapping[int, Facts] | None = None,
) -> Session:  # fmt: skip
    """A game on a strip: the mover ``kit`` on the first cell, then one cell of each of the `grounds`.

    `others` are the stats of further movers, ``foe1`` at cell 1 and so on.
    """
    glyphs, row = _drawn(grounds)
    movers = [Mover(KIT, rules, dict(stats), Cell(0, 0), "ours")]
    movers += [Mover(f"foe{at}", rules, dict(more), Cell(at, 0), "theirs") for at, more in (others or {}).items()]
    battlemap = Battlemap.from_rows(["." + row], {".": {}, **glyphs}, cell=cell, unit="m", rules=rules, movers=movers)
    return Session.new(battlemap, options=dict(options or {}))


def strip_file(rules: str, stats: Facts, grounds: Sequence[Facts], cell: object = 1, first: Facts | None = None) -> str:
    """The same strip as the text of a map file, the ground under its start being `first`."""
    glyphs, row = _drawn([first or {}, *grounds])
    grid = {"type": "square", "cell": str(cell), "unit": "m"}
    mover = {"id": KIT, "at": "A1", "stats": dict(stats)}
    return json.dumps({"schema": 1, "grid": grid, "rules": rules, "legend": glyphs, "rows": row, "movers": [mover]})


def _drawn(grounds: Sequence[Facts]) -> tuple[dict[str, dict[str, Any]], str]:
    glyphs = {chr(0x100 + n): dict(facts) for n, facts in enumerate(dict.fromkeys(map(_frozen, grounds)))}
    by_facts = {_frozen(facts): glyph for glyph, facts in glyphs.items()}
    return glyphs, "".join(by_facts[_frozen(facts)] for facts in grounds)


def _frozen(facts: Facts) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((name, _hashed(value)) for name, value in facts.items()))


def _hashed(value: Any) -> Any:
    return Hashed(value) if isinstance(value, Mapping) else value


class Hashed(dict[str, Any]):
    """A mapping among the facts of a ground, which is a key here."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(sorted(self.items())))
