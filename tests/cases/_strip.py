"""A table for one case: a straight strip of ground with a mover at its start, and a game on it.

The case is asked as a player asks it, with `tactical.Session` and its commands; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from tactical import Battlemap, Cell, Mover, Session

Facts = Mapping[str, object]


def strip(
    rules: str, stats: Facts, grounds: Sequence[Facts], *, cell: Fraction = Fraction(1), options: Facts | None = None,
    others: Mapping[int, Facts] | None = None,
) -> Session:  # fmt: skip
    """A game on a strip: the mover ``kit`` on the first cell, then one cell of each of the `grounds`.

    `others` are the stats of further movers, ``foe1`` at cell 1 and so on.
    """
    glyphs = {chr(ord("a") + n): dict(facts) for n, facts in enumerate(dict.fromkeys(map(_frozen, grounds)))}
    by_facts = {_frozen(facts): glyph for glyph, facts in glyphs.items()}
    row = "." + "".join(by_facts[_frozen(facts)] for facts in grounds)
    movers = [Mover("kit", rules, dict(stats), Cell(0, 0), "ours")]
    movers += [Mover(f"foe{at}", rules, dict(more), Cell(at, 0), "theirs") for at, more in (others or {}).items()]
    battlemap = Battlemap.from_rows([row], {".": {}, **glyphs}, cell=cell, unit="m", rules=rules, movers=movers)
    return Session.new(battlemap, options=dict(options or {}))


def _frozen(facts: Facts) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted(facts.items()))
