"""Text pictures speak the map's own words and show every hazard; chances have rulers; links say where they lead."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import tactical
from tactical import Battlemap, Cell, Link, Mover, Refusal, reach
from tactical.rules.ruleset import get_ruleset
from tactical.show.brief import notes
from tactical.show.drawers.text import GLYPHS
from tactical.show.scene.route import route_shapes
from tactical.show.scene.shapes import Chip
from tactical.units import spoken
from tests.cli.conftest import Run, run

__all__ = ["run"]

TAVERN = """
schema: 1
name: tavern
rules: operator
legend:
  f: {terrain: fire, hazard: fire}
  b: {terrain: bar, climb: true}
  t: {terrain: table, difficult: true}
  w: {terrain: ford, water: wading, difficult: true}
  s: {terrain: acid pool, hazard: acid}
  m: {difficult: true, terrain: ""}
rows: |
  ....f...
  .btw.s..
  ........
zones: [{cells: [H3], hazard: gas}]
movers:
  - {id: ann, at: A1, side: a}
  - {id: thug, at: G1, side: b}
"""


@pytest.fixture
def tavern(tmp_path: Path) -> str:
    file = tmp_path / "tavern.yaml"
    file.write_text(TAVERN, encoding="utf-8")
    return str(file)


def legend(text: str) -> list[str]:
    """The lines below the map."""
    return text.split("\n\n")[1].splitlines()


def rows(text: str) -> list[str]:
    return [line[3:] for line in text.splitlines() if line[:1].isdigit()]


def test_ground_is_called_what_the_map_calls_it(run: Run, tavern: str) -> None:
    said = run("render", tavern, "-o", "-").out
    signs = dict(line.split("  ", 1) for line in legend(said))
    assert signs["!"] == "acid pool, fire, hazard"
    assert "bar" in signs.values()
    assert "ford" in signs.values()
    assert "table" in " ".join(signs.values())
    assert not {"lava", "cliff", "furniture", "wading water"} & set(" ".join(signs.values()).replace(",", "").split())


def test_the_villages_forge_is_no_lava(run: Run) -> None:
    said = run("reach", "village", "--mover", "raven").out
    assert "!  forge fire, hazard" in said
    assert "lava" not in said


def test_a_hazard_shows_whatever_lies_over_it(run: Run, tavern: str) -> None:
    plain = rows(run("render", tavern, "-o", "-").out)
    assert [row.split()[n] for row, n in zip(plain, (4, 5, 7), strict=True)] == ["!", "!", "!"]
    reached = ["--mover", "ann", "--option", "hazard_policy=ignore"]
    for more in ([], ["--turns", "2"], ["--to", "E1"], ["--to", "H3"]):
        over = rows(run("render", tavern, "-o", "-", *reached, *more).out)
        assert "!" in over[0].split() or "◎" in over[0]
        assert "!" in over[1].split()
    priced = rows(run("render", tavern, "-o", "-", *reached, "--costs").out)
    assert "!20" in priced[0].split()


def test_all_ground_has_a_sign_that_shows(run: Run, tmp_path: Path) -> None:
    assert [look for look, signs in GLYPHS.items() if not all(sign.strip() for sign in signs)] == []
    file = tmp_path / "pit.yaml"
    file.write_text(
        "schema: 1\ngrid: {type: square, cell: 5, unit: ft}\nlegend: {o: {gap: true}}\nrows: '..oo..'\n",
        encoding="utf-8",
    )
    assert "1  · · ○ ○ · ·" in run("render", str(file), "-o", "-").out


def test_signs_that_are_not_on_the_map_are_not_in_the_legend(run: Run) -> None:
    for words in (["village", "--mover", "raven"], ["dungeon", "--mover", "sly"]):
        for more in ([], ["--costs"], ["--turns", "2"]):
            said = run("render", words[0], "-o", "-", *words[1:], *more).out
            there = " ".join(rows(said))
            for line in legend(said):
                sign = line.split("  ", 1)[0]
                if sign in ("a", "b", "/", "2", "!"):
                    assert sign in there, line


def test_enemies_reach_is_in_text_too(run: Run, tavern: str) -> None:
    without = run("render", tavern, "-o", "-", "--mover", "ann").out
    said = run("render", tavern, "-o", "-", "--mover", "ann", "--enemy").out
    assert "x  within reach of enemies" in legend(said)
    assert "x  within" not in without
    threatened = tactical.reach(tactical.load(tavern), "ann").threatened()
    for row in range(3):
        line = said.splitlines()[1 + 1 + row][3:]
        for col in range(8):
            marked = line[3 * col : 3 * col + 2].endswith("x")
            assert marked == (Cell(col, row) in threatened), (col, row, line)
    both = run("render", tavern, "-o", "-", "--mover", "ann", "--enemy", "--to", "G1")
    assert both.status == 1
    ascii_ = tactical.render(tactical.load(tavern), tactical.reach(tactical.load(tavern), "ann"), drawer="text",
                             enemy=True, ascii=True)  # fmt: skip
    assert isinstance(ascii_, str)
    assert ascii_.isascii()
    assert "x  within reach of enemies" in ascii_


def test_odds_have_rulers_and_a_legend(run: Run) -> None:
    said = run("reach", "starport", "--mover", "rhen", "--odds").out
    lines = said.splitlines()
    assert lines[0].split() == [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB"]
    numbered = lines[1 : lines.index("")]
    assert [line[:2].strip() for line in numbered] == [str(n) for n in range(1, tactical.load("starport").rows + 1)]
    # every sign stands below the letters of its column
    column = lines[0].index(" H") + 1
    assert lines[4][column] == "@"
    for words in ("@  Rhen", "++ sure", "34 chance in per cent", ".  out of reach this turn"):
        assert words in lines
    sure = run("reach", "small/stairs", "--mover", "ace", "--odds").out
    assert "++ sure" in sure
    assert "per cent" not in sure


def house(*, two_way: bool) -> Battlemap:
    return Battlemap.from_rows(
        {"ground": ["...", "..."], "upper": ["...", "..."]},
        links=[Link("upper/C1", "ground/C2", kind="drop", two_way=two_way)],
        movers=[Mover("ann", at="A1")],
    )


def test_the_landing_of_a_one_way_link_says_where_one_comes_from() -> None:
    below, above = (str(tactical.render(house(two_way=False), level=level)) for level in (0, 1))
    assert "from upper" in below
    assert "to upper" not in below
    assert "to ground" in above
    both = str(tactical.render(house(two_way=True), level=0))
    assert "to upper" in both
    assert "from upper" not in both


@pytest.mark.parametrize(("sample", "mover", "every"), [("village", "raven", 29), ("dungeon", "sly", 97)])
def test_path_and_risks_name_the_same_cells_for_the_cheapest_price(sample: str, mover: str, every: int) -> None:
    reach = tactical.reach(tactical.load(sample), mover)
    for cell in sorted(reach.cells())[::every]:
        route = reach.route(cell)
        assert route
        cheapest = reach.risks(cell)[-1].route
        assert (cheapest.cost, cheapest.cells) == (route.cost, route.cells)


def test_path_and_risks_say_so_on_the_command_line(run: Run) -> None:
    path = run("path", "village", "--mover", "raven", "--to", "N9").out.splitlines()[0]
    assert run("risks", "village", "--mover", "raven", "--to", "N9").out.splitlines()[-1].endswith(f"50 ft  {path}")


@pytest.mark.parametrize(
    ("value", "words"),
    [("3", "3"), ("5/2", "2.5"), ("55/24", "2.29"), ("1/8", "0.13"), ("-10/3", "-3.33"), ("1/900", "0.01")],
)
def test_numbers_are_told_with_two_decimals_at_the_most(value, words):
    assert spoken(Fraction(value)) == words


def test_a_refusal_keeps_what_is_exact_and_tells_it_short():
    refusal = Refusal("move.budget", {"cell": "D4", "cost": "55/24", "budget": "2", "short": "7/24", "unit": "rounds"})
    assert refusal.params["cost"] == "55/24"
    assert "2.29" in refusal.text
    assert "/" not in refusal.text


@pytest.mark.parametrize(("rules", "word"), [("operator", "Turn"), ("shapers", "Round"), ("d6-reup", "Round")])
def test_a_turn_is_called_as_the_rules_call_it(rules, word):
    example = dict(get_ruleset(rules).example)
    board = Battlemap.from_rows(["." * 60], rules=rules, movers=(Mover("ann", at=Cell(0, 0), stats=example),))
    found = reach(board, "ann", turns=2)
    later = [band.title for band in found.bands if band.turn == 2]
    assert later
    assert all(title.startswith(f"{word} 2") for title in later)
    route = found.route(max(found.cells()))
    told = " ".join(note.text for note in notes(board, found, route))
    chips = " ".join(shape.text for shape in route_shapes(board, route, found.bands, 0) if isinstance(shape, Chip))
    assert f"Takes 2 {word.lower()}s" in told
    assert f"end of {word.lower()} 1" in chips
    assert f"{word.lower()} 2: " in chips
