"""What people really write wrong in a map, and what they are told."""

from __future__ import annotations

import pytest

from tactical.errors import MapError
from tactical.formats import load_with_report
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset
from tactical.world.battlemap import Battlemap

HEAD = "schema: 1\nrules: operator\nrows: |\n  ...\n"


def faults(text: str) -> list[str]:
    """What `check` says of a map, the excerpts left out."""
    with pytest.raises(MapError) as caught:
        load_with_report(text.encode(), name="hut.yaml")
    return [str(fault).splitlines()[0] for fault in caught.value.faults]


def warnings(text: str) -> list[str]:
    return [line.text for line in load_with_report(text.encode(), name="hut.yaml")[1].of("warning")]


@pytest.mark.parametrize("kind", ["drop", "zipline"])
def test_an_unusual_kind_of_link_is_told_all_usual_ones(kind: str) -> None:
    (said,) = warnings(HEAD + f"links: [{{from: A1, to: C1, kind: {kind}}}]\n")
    assert f"{kind!r} is no usual kind of link" in said
    assert "(usual ones: stairs, ladder, " in said


def test_an_unknown_key_like_none_of_them_is_told_all() -> None:
    assert faults(HEAD + "weather: []\n") == [
        "hut.yaml:5:1: weather: unknown key 'weather' (known: schema, name, base, grid, rules, options, legend, "
        "level, height, rows, barriers, links, zones, levels, movers, picture)"
    ]
    (near,) = faults(HEAD + "mover: []\n")
    assert near.endswith("unknown key 'mover', did you mean 'movers'?")


@pytest.mark.parametrize("rules", [name for name, _ in RULESETS])
def test_postures_are_those_of_the_rules(rules: str) -> None:
    known = get_ruleset(rules).postures
    (said,) = faults(HEAD.replace("operator", rules) + "movers: [{id: a, at: A1, posture: lying}]\n")
    near = ", did you mean 'prone'?" if "prone" in known else ""
    assert said.endswith(f"expected one of {', '.join(known)}, found 'lying'{near}")


@pytest.mark.parametrize(
    "legend",
    [
        "legend: {f: {climb:true}}\n",
        "legend:\n  f:\n    climb:true\n",
        "legend:\n  f:\n    terrain: bar\n    climb:true\n",
    ],
)
def test_a_colon_without_a_space_is_named(legend: str) -> None:
    (said,) = faults(HEAD + legend)
    assert "climb: true)" in said
    assert "space after the colon" in said


def test_a_missing_space_at_the_top_is_shown_where_it_is() -> None:
    assert faults("schema: 1\nname:hut\nrows: |\n  ...\n") == [
        "hut.yaml:2:1: there is no space after the colon (write name: hut)"
    ]


def test_a_class_given_as_a_size_is_told_its_key() -> None:
    (said,) = faults(HEAD + "movers: [{id: a, at: A1, size: large}]\n")
    assert said.endswith("movers[0].size: expected a number of cells, found 'large' (size_class: large)")


def test_a_line_of_cell_names_is_told_what_corners_are() -> None:
    said = faults(HEAD + "barriers: [{line: [B2, L2]}]\n")
    assert len(said) == 2
    assert all("expected a corner [column, row]" in one and "counted from 0 at the top left" in one for one in said)
    (whole,) = faults(HEAD + "barriers: [{line: B2}]\n")
    assert "expected two corners such as [[1, 1], [4, 1]], found 'B2'" in whole


def test_an_unknown_kind_has_no_second_fault_about_its_state() -> None:
    (said,) = faults(HEAD + "barriers: [{cell: A1, side: north, kind: gate, state: closed}]\n")
    assert "expected one of wall, door, " in said
    (state,) = faults(HEAD + "barriers: [{cell: A1, side: north, kind: wall, state: closed}]\n")
    assert "a wall has no state" in state


def test_an_unknown_glyph_is_told_the_legend() -> None:
    (said,) = faults(HEAD.replace("...", ".W."))
    assert said.endswith("unknown glyph 'W' in row 1, column 2 (give it a line in the legend)")


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ('rows:\n  - "..."\n  - "..."\n   - "..."\n',
         "5:4: this line is indented by 3, line 4 by 2 (indent it like line 4)"),
        ('rows:\n  - "..."\n  - "..."\n - "..."\n',
         "5:2: this line is indented by 1, line 4 by 2 (indent it like line 4)"),
        ("rows: |\n  ...\n\n ...\n", "5:2: this line is indented by 1, line 3 by 2 (indent it like line 3)"),
    ],
)  # fmt: skip
def test_rows_of_another_indent_are_told_like_which_line(rows: str, said: str) -> None:
    assert faults("schema: 1\n" + rows) == [f"hut.yaml:{said}"]


@pytest.mark.parametrize("word", ["true", "yes", "False"])
def test_a_hazard_is_a_word(word: str) -> None:
    for part in ("legend: {f: {terrain: fire, hazard: %s}}\n", "zones: [{cells: [A1], hazard: %s}]\n"):
        (said,) = faults(HEAD + part % word)
        assert "hazard: expected a word for the hazard such as fire, found" in said


def test_what_is_quoted_is_a_word() -> None:
    battlemap = load_with_report((HEAD + "legend: {f: {hazard: 'true'}}\n").encode(), name="hut.yaml")[0]
    assert [terrain.hazard for terrain in battlemap.palette] == ["", "true"]


def test_a_hazard_is_a_word_in_python_too() -> None:
    with pytest.raises(ValueError, match="hazard: expected a word such as 'fire', found True"):
        Battlemap.from_rows(["f"], {"f": {"hazard": True}})
