"""A way of another package speaks for itself in ledgers and refusals, and no engine file names a way of this one."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import tactical
from tactical import Cell, Move, Reach, Refusal, Route, Session, UnknownName
from tactical.cli.commands.path import signs
from tactical.movement.ways import Way
from tactical.play.commands import Leg
from tactical.registry import WAYS
from tactical.rules.ruleset import get_ruleset
from tests.house.offered import offered

PACKAGE = Path(__file__).parents[2] / "tactical"
ENGINE = ("movement/", "search/", "play/", "wire/", "show/", "viewer/", "hosts/", "cli/")
BOARD = """schema: 1
rules: operator
rows: |
{rows}
legend: {{m: {{unstable: true}}, _: {{gap: true}}, '#': {{impassable: true}}}}
movers:
  - {{id: one, name: {name}, at: A1, stats: {{speed: 30}}}}
"""


def board(name: str, *rows: str) -> Reach:
    text = BOARD.format(name=name, rows="\n".join(f"  {row}" for row in rows))
    return tactical.reach(tactical.load(text.encode(), name="board.yaml"), "one")


def ledger(found: Reach, cell: Cell) -> list[str]:
    route = found.route(cell)
    assert isinstance(route, Route)
    return [f"{line.text}: {line.price} {line.sources}".strip() for line in route.ledger()]


def test_a_ledger_has_the_words_of_the_way() -> None:
    with offered("fly"):
        assert ledger(board("Winged", ".___."), Cell(4, 0)) == ["fly 20 ft to open ground: 20 FLY-1"]
    with offered("blink"):
        assert ledger(board("Phantom", ".##."), Cell(3, 0)) == ["blink: 10 BLINK-1"]
    with offered("mire"):
        lines = ledger(board("Someone", ".m."), Cell(2, 0))
        assert lines == [
            "wade the mire 10 + open ground  1 x 5 ft: 15 MIRE-1 OPR-13",
            "open ground  1 x 5 ft: 5 OPR-13",
        ]


def test_a_price_may_have_a_line_of_its_own_as_a_door_has(monkeypatch: pytest.MonkeyPatch) -> None:
    more = {"toll": "pay the toll of {what}", "mire": "pay a toll"}
    with offered("mire"):
        way = WAYS.get("mire")
        for what, text in (("the bog", "pay the toll of the bog"), ("", "pay a toll")):

            def part(*asked: object, what: str = what) -> object:
                found = way.part(*asked)
                return found and replace(found, charges=tuple(replace(one, what=what) for one in found.charges))

            tolled = replace(way, part=part, words=more, apart={"mire": "toll"})
            monkeypatch.setitem(WAYS._loaded, "mire", tolled)
            monkeypatch.setattr(WAYS, "_every", ())
            lines = ledger(board("Someone", ".m."), Cell(2, 0))
            assert lines == [f"{text}: 10 MIRE-1", "open ground  2 x 5 ft: 10 OPR-13"]


def test_only_what_the_rules_can_explain_is_offered_to_be_explained() -> None:
    with offered("blink"):
        found = board("Phantom", ".##.")
        route = found.route(Cell(3, 0))
        assert isinstance(route, Route)
        assert "BLINK" not in signs(found.ruleset, route)


def test_what_bars_a_way_is_told_in_its_own_words() -> None:
    with offered("mire"):
        reason = board("Giant", "..m.").why_not(Cell(3, 0))
        assert isinstance(reason, Refusal)
        assert reason.text == "no way to D1: C1 is impassable (it bears no giant)"
        assert reason.params["try"] == "mire"
        inside = board("Giant", "..m.").why_not(Cell(2, 0))
        assert inside is not None
        assert "it bears no giant" in inside.text
    with offered("blink"):
        # four cells of rock are one too many; to a nearer one a blink leads, but there is no room
        found = board("Phantom", ".####.", "......".replace(".", "#"))
        reason = found.why_not(Cell(5, 0))
        assert isinstance(reason, Refusal)
        assert (reason.code, reason.params["try"]) == ("move.barred", "rock")
        inside = found.why_not(Cell(2, 0))
        assert inside is not None
        assert inside.code == "move.impassable"


def test_what_a_way_joins_is_not_said_to_be_parted() -> None:
    """A cell that only another package's way leads to is dear, not unreachable."""
    with offered("blink"):
        found = board("Phantom", "." + "##." * 7)
        reason = found.why_not(Cell(21, 0))
        assert isinstance(reason, Refusal)
        assert (reason.code, reason.params["cost"], reason.params["short"]) == ("move.budget", "70", "10")
        other = board("Someone", "." + "##." * 7).why_not(Cell(21, 0))
        assert other is not None
        assert other.code == "move.barred"


def test_what_lies_behind_a_link_is_dear_and_not_parted() -> None:
    text = BOARD.format(name="Someone", rows="  ...#....................") + "links: [{from: C1, to: E1, cost: 5}]\n"
    found = tactical.reach(tactical.load(text.encode(), name="stairs.yaml"), "one")
    beyond = found.why_not(Cell(23, 0))
    assert isinstance(beyond, Refusal)
    assert (beyond.code, beyond.params["cost"]) == ("move.budget", "110")


def test_refusals_of_its_own_have_words() -> None:
    with offered("blink"):
        found = board("Phantom", "......")
        move = Move("one", Cell(5, 0), legs=(Leg(Cell(5, 0), "blink"),))
        reason = Session.new(found.battlemap).why_not(move)
        assert reason is not None
        assert (reason.code, reason.text) == ("blink.far", "no blink leads from A1 to F1: that is too far")
    system = replace(get_ruleset("plain"), name="weary", refusals={"weary.tired": "{who} is too tired"})
    assert Refusal(f"{system.name}.tired", {"who": "Kit"}).text == "Kit is too tired"
    with pytest.raises(TypeError, match="weary"):
        replace(system, refusals={"move.gap": "no"})
    with pytest.raises(TypeError, match="hop"):
        Way("hop", 75, refusals={"hop.far": 3})  # type: ignore[dict-item]


def test_no_engine_file_names_a_way() -> None:
    names = {*WAYS.names()}
    with pytest.raises(UnknownName):
        WAYS.get("no-such-way")
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith(ENGINE) or place.startswith("movement/ways/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tactical.movement.ways."):
                found.append(f"{place}:{node.lineno} imports {node.module}")
            if isinstance(node, ast.Compare) and _asks(node) & names:
                found.append(f"{place}:{node.lineno} asks for {sorted(_asks(node) & names)}")
            if isinstance(node, ast.Call) and _looked_up(node) in names:
                found.append(f"{place}:{node.lineno} looks up {_looked_up(node)}")
    assert found == []


ENDS = ("charge.name", "check.kind")


def _asks(node: ast.Compare) -> set[str]:
    """The words that something called a way is compared with, or the name of a price, or what hangs on a roll."""
    sides = [node.left, *node.comparators]
    asked = any(ast.unparse(side).rpartition(".")[2] == "way" or ast.unparse(side).endswith(ENDS) for side in sides)
    words = {part.value for side in sides for part in ast.walk(side) if isinstance(part, ast.Constant)}
    return {word for word in words if isinstance(word, str)} if asked else set()


def _looked_up(node: ast.Call) -> str:
    """The word that is looked up in the rack, or among the ways of a graph."""
    asked = node.func
    if not isinstance(asked, ast.Attribute) or asked.attr not in ("get", "has") or not node.args:
        return ""
    rack = asked.value
    named = rack.id if isinstance(rack, ast.Name) else rack.attr if isinstance(rack, ast.Attribute) else ""
    word = node.args[0]
    return str(word.value) if named.lower() == "ways" and isinstance(word, ast.Constant) else ""
