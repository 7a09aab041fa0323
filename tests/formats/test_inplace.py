"""Native files changed in place: the map that was wanted, every other line and its comment as it was."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tactical.formats import load
from tactical.formats.native.changes import overlay
from tactical.formats.native.inplace import edited
from tactical.units import Cell
from tactical.world.battlemap import Battlemap, Link, Zone
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.mover import Mover

LINES = """\
# a yard
schema: 1
grid: {cell: 5, unit: ft}   # feet
rules: operator  # the table's
rows: |
  .....
  .....
# what stands there
barriers:
    # the gate
    - {id: gate, cell: B1, side: east, kind: door, state: closed}  # oak
    -   line: [[1, 1], [2, 1]]
        kind: wall      # crumbling

    - {cell: C2, side: north, kind: fence}
links:
- {from: A1, to: E2, kind: portal} # blue
movers:   # heroes first
  - id: raven
    at: A1   # by the door
    stats: {agile: true}
  - {id: guard, at: E1, side: watch}

# the end
"""
BRACKETS = """\
rows: [".....", "....."]
movers: [{id: raven, at: A1}, {id: guard, at: E1},
  {id: cook, at: C2}]  # all of them
barriers: []
links:
zones: # none
"""
OVER = """\
base: yard.yaml  # below
movers:
  - {id: raven, at: B2}  # moved
  - {id: cook, at: D2}
barriers:
  - {id: gate, state: open}
  - {cell: C2, side: north, gone: true}  # burnt
"""


def same(found: Battlemap, wanted: Battlemap) -> bool:
    """Whether two maps are one, in whatever order things stand on them."""
    loose = [
        one.with_(barriers=(), links=(), movers=sorted(one.movers, key=lambda mover: mover.id))
        for one in (found, wanted)
    ]
    parts = [(Counter(one.barriers), Counter(one.links)) for one in (found, wanted)]
    return loose[0] == loose[1] and parts[0] == parts[1]


def changed(battlemap: Battlemap, dice: Random) -> Battlemap:
    """The map with something on it gone, other, or new."""
    movers, barriers, links = list(battlemap.movers), list(battlemap.barriers), list(battlemap.links)
    kind = dice.randrange(9)
    if kind == 0 and movers:
        del movers[dice.randrange(len(movers))]
    elif kind == 1 and movers:
        at = dice.randrange(len(movers))
        movers[at] = replace(movers[at], at=Cell(dice.randrange(5), dice.randrange(2)), posture="prone")
    elif kind == 2 and movers:
        at = dice.randrange(len(movers))
        movers[at] = replace(movers[at], side=dice.choice(["", "a b", "no", "heroes"]), stats={"strength": 12})
    elif kind == 3:
        movers.append(Mover(f"new {len(movers)} {dice.random()}", at=(2, 1), side="it's"))
    elif kind == 4 and barriers:
        del barriers[dice.randrange(len(barriers))]
    elif kind == 5 and barriers:
        at = dice.randrange(len(barriers))
        barriers[at] = replace(barriers[at], kind=Kind.WINDOW, state=None)
    elif kind == 6:
        barriers.append(Barrier(((dice.randrange(5) + 0.25, 0.5), (4.5, 1.75))))
    elif kind == 7:
        links = links[1:] or [Link((1, 0), (3, 1), 5, "rope")]
    else:
        zone = Zone([Cell(dice.randrange(5), 1)], {"difficult": True})
        return battlemap.with_(zones=(*battlemap.zones, zone), rules=dice.choice(["plain", "operator"]))
    return battlemap.with_(movers=movers, barriers=barriers, links=links)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "yard.yaml").write_text(LINES, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("text", [LINES, BRACKETS, OVER], ids=["lines", "brackets", "over"])
@pytest.mark.parametrize("seed", range(12))
def test_any_changes_come_back(folder: Path, text: str, seed: int) -> None:
    dice = Random(seed)
    source = folder / "map.yaml"
    source.write_text(text, encoding="utf-8")
    opened = wanted = load(source)
    for _ in range(dice.randrange(1, 7)):
        wanted = changed(wanted, dice)
        if wanted.faults():
            wanted = opened
    if wanted.rules != opened.rules and any(mover.stats for mover in wanted.movers):
        # those stats are of the rules that the file names
        wanted = wanted.with_(rules=opened.rules)
    after = edited(text, str(source), wanted)
    source.write_text(after, encoding="utf-8")
    assert same(load(source), wanted), after
    for line in text.splitlines():
        if line.startswith("#"):
            assert line in after.splitlines()
    # and back again
    first = opened.with_(zones=wanted.zones, rules=wanted.rules)
    source.write_text(edited(after, str(source), first), encoding="utf-8")
    assert same(load(source), first)


@pytest.mark.parametrize("text", [LINES, BRACKETS, OVER], ids=["lines", "brackets", "over"])
def test_what_is_not_changed_is_not_touched(folder: Path, text: str) -> None:
    source = folder / "map.yaml"
    source.write_text(text, encoding="utf-8")
    assert edited(text, str(source), load(source)) == text


def test_only_the_line_of_what_was_changed_is_another_one(folder: Path) -> None:
    source = folder / "yard.yaml"
    opened = load(source)
    guard = replace(opened.mover("guard"), at=Cell(3, 1))
    wanted = opened.with_(movers=(opened.mover("raven"), guard))
    assert edited(LINES, str(source), wanted) == LINES.replace("at: E1, side: watch", "at: D2, side: watch")
    wanted = opened.with_(barriers=opened.barriers[:1], rules="plain", movers=())
    gone = "    -   line: [[1, 1], [2, 1]]\n        kind: wall      # crumbling\n"
    fence = "    - {cell: C2, side: north, kind: fence}\n"
    movers = LINES[LINES.index("  - id: raven") : LINES.index("\n# the end")]
    left = LINES.replace(gone, "").replace(fence, "").replace("rules: operator ", "rules: plain ")
    assert edited(LINES, str(source), wanted) == left.replace(movers, "").replace("movers:   #", "movers: []   #")


def test_json_is_not_written_into(folder: Path) -> None:
    text = '{"rows": ["..", ".."], "movers": [{"id": "a", "at": "A1"}]}'
    with pytest.raises(ValueError, match="line by line"):
        edited(text, str(folder / "map.json"), load(text.encode(), name="map.json").with_(movers=()))


def test_an_overlay_says_what_is_gone_and_other(folder: Path) -> None:
    base = load(folder / "yard.yaml")
    dice = Random(3)
    for seed in range(30):
        wanted = base
        for _ in range(seed % 5 + 1):
            wanted = changed(wanted, dice)
        if wanted.faults() or wanted.rules != base.rules:
            continue
        (folder / "over.yaml").write_text(overlay(wanted, base, file="yard.yaml"), encoding="utf-8")
        assert same(load(folder / "over.yaml"), wanted)
