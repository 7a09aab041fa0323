"""The figures of the edit mode: what the next one gets, or what the chosen one has, as fields that are written in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from tactical.errors import TacticalError
from tactical.formats.native import read_words, write_words
from tactical.registry import RULESETS
from tactical.rules.example import example_stats
from tactical.rules.ruleset import get_ruleset
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

SIZES = (1, 2, 3, 4)
"""The sides of bodies, in cells, that can be chosen."""
LONGEST = {"name": 40, "party": 40, "stats": 400}
"""Letters that a field takes at the most."""


@dataclass(slots=True)
class Figures:
    """The fields of a figure.  `chosen` is the id of the one that stands on the map and is changed by them, empty
    where they are for the next; `typing` is the field that is written in, `whole` whether all of it is selected, to be
    written over.  `fresh`: the chosen one was put there last, and a click on free ground puts another.
    """

    chosen: str = ""
    name: str = ""
    side: str = ""
    size: int = 1
    rules: str = ""
    stats: str = ""
    party: str = ""
    typing: str = ""
    whole: bool = False
    fresh: bool = False

    def choose(self, mover: Mover) -> None:
        """Have the fields of a figure on the map."""
        self.chosen, self.name, self.side, self.size = mover.id, mover.name or mover.id, mover.side, mover.size
        self.rules, self.stats, self.party, self.typing = mover.rules, write_words(mover.stats), "", ""
        self.whole = self.fresh = False

    def let_go(self) -> None:
        """The fields are for the next figure again, which gets rules and stats from its side."""
        self.chosen = self.name = self.stats = self.party = self.rules = self.typing = ""
        self.size, self.whole, self.fresh = 1, False, False

    def another(self) -> None:
        """The fields are for the next figure, which is like the one put there last but for its name."""
        self.chosen = self.name = self.typing = ""
        self.whole = self.fresh = False

    def sides(self, movers: Iterable[Mover]) -> tuple[str, ...]:
        """The sides to choose among: those of the map, one that was written, and none."""
        found = [mover.side for mover in movers]
        return (*dict.fromkeys(side for side in (*found, self.side) if side), "")

    def systems(self) -> tuple[str, ...]:
        """The rules to choose among: the map's own, and all there are."""
        return ("", *(name for name, _ in RULESETS))

    def types(self, letters: str) -> None:
        """Write on in the field; a backspace takes a letter away."""
        words: str = "" if self.whole else getattr(self, self.typing)
        self.whole = False
        words = words[:-1] if letters == "\b" else (words + letters)[: LONGEST[self.typing]]
        setattr(self, self.typing, words)

    def changed(self, mover: Mover, rules: str) -> Mover:
        """A figure with what the fields say; `rules` are the map's.  Raises `ValueError`, `TacticalError`."""
        name, own = self.name.strip(), mover.name or mover.id
        if name not in ("", own):
            mover = _called(mover, name)
        stats = read_words(self.stats) if self.stats != write_words(mover.stats) else mover.stats
        if self.rules != mover.rules and not self.stats.strip():
            stats = _least(self.rules or rules)
        if self.rules or rules:
            get_ruleset(self.rules or rules).read_stats(stats)
        if self.size != mover.size:
            mover = replace(mover, size=self.size, size_class="")
        return replace(mover, side=self.side, rules=self.rules, stats=stats)

    def made(self, cell: Cell, battlemap: Battlemap, rules: str) -> Mover:
        """A figure for a cell: what no field says it has from the first one on its side, else from its rules."""
        movers = battlemap.movers
        taken = {mover.id for mover in movers}
        stem = self.name.strip() or self.side.rstrip("s") or "figure"
        free = (f"{stem} {n}" for n in range(1 if not self.name.strip() else 2, len(taken) + 3))
        name = next(one for one in ([self.name.strip()] if self.name.strip() else []) + list(free) if one not in taken)
        like = next((mover for mover in movers if mover.side == self.side), None)
        if like is not None and self.rules in ("", like.rules):
            # a name of one's own: ids are names here, so that a saved map reads well
            mover = replace(like, at=cell, posture="standing", hidden=False, knows=frozenset())
        else:
            mover = Mover(name, self.rules, _least(self.rules or rules), cell, self.side)
        mover = _called(mover, name)
        if self.size != 1:
            mover = replace(mover, size=self.size, size_class="")
        if self.stats.strip():
            mover = replace(mover, stats=read_words(self.stats))
            if mover.rules or rules:
                get_ruleset(mover.rules or rules).read_stats(mover.stats)
        return mover


def _called(mover: Mover, name: str) -> Mover:
    """A figure of another name: its id, and what it is called where it is told otherwise, as by another spelling."""
    mover = replace(mover, id=name, name="")
    return mover if mover.label == name or name == name.lower() else replace(mover, name=name)


def _least(rules: str) -> dict[str, object]:
    """The stats that some rules need to know a figure."""
    if not rules:
        return {}
    try:
        get_ruleset(rules).read_stats({})
    except TacticalError:
        return dict(example_stats(get_ruleset(rules)))
    return {}
