"""Wrong native files: every fault at once, each with its line, column, words and a hint."""

from __future__ import annotations

import pytest

from tactical.errors import Fault, MapError
from tactical.formats import load

from ._samples import YARD


def faults(text: str) -> list[Fault]:
    with pytest.raises(MapError) as caught:
        load(text.encode(), name="bad.yaml", format="native")
    return list(caught.value.faults)


def only(text: str) -> Fault:
    found = faults(text)
    assert len(found) == 1, [str(fault) for fault in found]
    return found[0]


def told(fault: Fault) -> tuple[int, int, str, str]:
    return fault.line, fault.column, fault.path, fault.text


SIX = """\
schema: 1
grid: {type: square, cell: five}
rules: opertor
legend:
  "~": {water: shalow}
rows: |
  ..~~
  ..h
barriers:
  - {cell: A1, side: estt, kind: wall}
movers:
  - {id: alice, at: A1}
  - {id: bob, at: [9, 99], colour: red}
  - {id: bob, at: A2, hidden: maybe}
"""


def test_b45_all_faults_of_a_file_come_at_once_in_its_order() -> None:
    assert [(fault.line, fault.column, fault.path) for fault in faults(SIX)] == [
        (2, 28, "grid.cell"),
        (3, 8, "rules"),
        (5, 16, "legend['~'].water"),
        (8, 5, "rows"),
        (8, 6, "rows"),
        (10, 22, "barriers[0].side"),
        (13, 19, "movers[1].at"),
        (13, 28, "movers[1].colour"),
        (14, 10, "movers[2].id"),
        (14, 31, "movers[2].hidden"),
    ]


def test_b45_a_ragged_row() -> None:
    fault = only("rows: |\n  ....\n  ...\n  ....\n")
    assert told(fault) == (3, 6, "rows", "row 2 has 3 cells, expected 4")


def test_b45_an_unknown_glyph() -> None:
    fault = only("rows: |\n  ....\n  .x.x\n")
    assert told(fault) == (3, 4, "rows", "unknown glyph 'x' in row 2, column 2 (and 1 more)")
    assert fault.excerpt == "  .x.x"


def test_b45_an_unknown_glyph_in_a_list_of_rows() -> None:
    assert told(only('rows: ["..", ".?"]'))[:2] == (1, 16)


def test_b45_an_unknown_key() -> None:
    fault = only("rows: ..\nmovers:\n  - {id: bob, at: A1, postur: prone}\n")
    assert told(fault) == (3, 23, "movers[0].postur", "unknown key 'postur'")
    assert fault.hint == "did you mean 'posture'?"
    assert str(fault) == (
        "bad.yaml:3:23: movers[0].postur: unknown key 'postur', did you mean 'posture'?\n"
        "     3 |   - {id: bob, at: A1, postur: prone}\n"
        "                               ^"
    )


def test_b45_a_key_written_twice() -> None:
    fault = only("rows: ..\nname: a\nname: b\n")
    assert told(fault) == (3, 1, "name", "key 'name' is written twice")


def test_b45_a_mover_off_the_map() -> None:
    fault = only("rows: ..\nmovers: [{id: bob, at: C1}]\n")
    assert told(fault) == (2, 24, "movers[0].at", "'bob' is off the map at C1 (cells run from A1 to B1)")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("rows: ..\nmovers: {id: a}", (2, 9, "movers"), "expected a list, found a mapping"),
        ("rows: ..\nmovers: [a]", (2, 10, "movers[0]"), "expected a mapping of keys to values, found 'a'"),
        (
            "rows: {a: b}",
            (1, 7, "rows"),
            'expected rows of glyphs: "rows: |" and one line a row below it, found a mapping',
        ),
        ("rows: ..\nmovers: [{id: a, size: big}]", (2, 24, "movers[0].size"), "expected a whole number, found 'big'"),
        (
            "rows: ..\nmovers: [{id: a, size: 0}]",
            (2, 24, "movers[0].size"),
            "expected a value greater than or equal to 1, found '0'",
        ),
        (
            "rows: ..\nmovers: [{id: a, hidden: perhaps}]",
            (2, 26, "movers[0].hidden"),
            "expected true or false, found 'perhaps'",
        ),
        ("rows: ..\nmovers: [{at: A1}]", (2, 10, "movers[0]"), "key 'id' is missing"),
        (
            "rows: ..\ngrid: {cell: 1e99}",
            (2, 14, "grid.cell"),
            "expected a number such as 5, 2.5 or 10/3, found '1e99'",
        ),
        (
            "rows: ..\nlinks: [{from: A1, to: 5}]",
            (2, 24, "links[0].to"),
            "'5' is not a cell: write C4 (column letter, row from 1 at the top) or 2,3 (from 0)",
        ),
        (
            "rows: ..\nbarriers: [{line: [[0, 0], [.inf, 1]]}]",
            (2, 29, "barriers[0].line[1][0]"),
            "expected a number such as 5, 2.5 or 10/3, found '.inf'",
        ),
        (
            "rows: ..\nbarriers: [{line: [[0, 0], [nan, 1]]}]",
            (2, 29, "barriers[0].line[1][0]"),
            "expected a finite number, found 'nan'",
        ),
        ("schema: 2\nrows: ..", (1, 9, "schema"), "schema 2 is not known, this version reads 1"),
        (
            'rows: ..\nmovers: [{id: ""}]',
            (2, 15, "movers[0].id"),
            "expected text of one character at least, found ''",
        ),
        ("rows: ..\nmovers: [{id: m, reach: 1.5}]", (2, 25, "movers[0].reach"), "expected a whole number, found '1.5'"),
        (
            "rows: ..\nmovers: [{id: m, reach: 101}]",
            (2, 25, "movers[0].reach"),
            "expected a value less than or equal to 100, found '101'",
        ),
        ("just text", (1, 1, ""), "expected a mapping of keys to values, found 'just text'"),
    ],
)
def test_b45_a_wrong_type(text: str, place: tuple[int, int, str], words: str) -> None:
    assert told(only(text)) == (*place, words)


def test_what_does_not_fit_in_a_level_leaves_the_rest_of_the_level_to_be_read() -> None:
    text = "rows: ..\nlevels: [{name: up, rows: '.%', barriers: [x, y, {line: [[0, 0], [1, 0]]}]}]"
    assert [told(fault)[2:] for fault in faults(text)] == [
        ("levels[0].rows", "unknown glyph '%' in row 1, column 2"),
        ("levels[0].barriers[0]", "expected a mapping of keys to values, found 'x'"),
        ("levels[0].barriers[1]", "expected a mapping of keys to values, found 'y'"),
    ]


def test_faults_name_the_item_of_the_file_though_others_before_it_are_left_out() -> None:
    text = "rows: ..\nmovers: [x, {id: a, at: Z9}, {}, {id: b, at: Y9}]"
    assert [fault.path for fault in faults(text)] == ["movers[0]", "movers[1].at", "movers[2]", "movers[3].at"]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("name: x", (1, 1, ""), "key 'rows' is missing"),
        ('rows: ..\nlegend: {"ab": {}}', (2, 10, "legend.ab"), "a glyph is one visible character, not 'ab'"),
        ("rows: ..\nlegend: {x: {number: 5}}", (2, 13, "legend.x"), "terrain '' has number 5 but no level"),
        (
            "rows: ..\ngrid: {type: hexagon}",
            (2, 14, "grid.type"),
            "unknown grid 'hexagon' (known: hex-even-q, hex-even-r, hex-odd-q, hex-odd-r, square, staggered-even-q, "
            "staggered-even-r, staggered-odd-q, staggered-odd-r)",
        ),
        (
            "rows: ..\nbarriers: [{cell: A1}]",
            (2, 12, "barriers[0]"),
            "key 'side' is missing: on which side of the cell?",
        ),
        ("rows: ..\nbarriers: [{kind: wall}]", (2, 12, "barriers[0]"), "a barrier needs a cell and a side, or a line"),
        (
            "rows: ..\nbarriers: [{cell: A1, side: n, line: [[0, 0], [1, 1]]}]",
            (2, 32, "barriers[0].line"),
            "a barrier has a cell and a side, or a line, not both",
        ),
        (
            "rows: ..\nbarriers: [{cell: A1, side: n, state: open}]",
            (2, 32, "barriers[0].state"),
            "a wall has no state, only a door has",
        ),
        (
            "rows: ..\nbarriers: [{cell: A1, side: e, one_way: up}]",
            (2, 41, "barriers[0].one_way"),
            "one_way is left, right or a direction across the barrier such as north, not 'up'",
        ),
        (
            "rows: ..\nbarriers: [{cell: A1, side: e, one_way: north}]",
            (2, 41, "barriers[0].one_way"),
            "one_way is left, right or a direction across the barrier such as north, not 'north'",
        ),
        (
            "rows: ..\nbarriers: [{cell: A1, side: e, truth: dor}]",
            (2, 39, "barriers[0].truth"),
            "truth is a kind of barrier, or door-open, door-closed, door-locked, door-secret, not 'dor'",
        ),
        ("rows: ..\nbarriers: [{line: [[1, 1], [1, 1]]}]", (2, 12, "barriers[0]"), "the barrier has no length"),
        (
            "rows: ..\nlinks: [{from: A1, to: B1, level: attic}]",
            (2, 35, "links[0].level"),
            "no level 'attic' (levels: ground)",
        ),
        (
            "rows: ..\nlinks: [{from: A1, to: attic/B1}]",
            (2, 24, "links[0].to"),
            "'attic/B1': no level 'attic' (levels: ground)",
        ),
        (
            "rows: ..\nlinks: [{from: A1, to: B1, cost: -2}]",
            (2, 34, "links[0].cost"),
            "a link's cost cannot be negative, found '-2'",
        ),
        (
            'rows: ..\nzones: [{cells: ["A1:C1"], rough: true}]',
            (2, 18, "zones[0].cells[0]"),
            "'C1' is not on the map (cells run from A1 to B1)",
        ),
        (
            "rows: ..\nlevels: [{name: ground, rows: ['..']}]",
            (2, 17, "levels[0].name"),
            "two levels are called 'ground'",
        ),
        (
            "rows: ..\nlevels: [{name: up, rows: ['...']}]",
            (2, 27, "levels[0].rows"),
            "level 'up' is 3 x 1 cells, level 'ground' is 2 x 1",
        ),
        ("rows: ..\nmovers: [{id: a, at: A1}, {id: a, at: B1}]", (2, 32, "movers[1].id"), "two movers are called 'a'"),
        (
            'rows: .#\nlegend: {"#": {impassable: true}}\nmovers: [{id: a, at: B1}]',
            (3, 22, "movers[0].at"),
            "'a' stands in impassable ground",
        ),
    ],
)
def test_what_makes_no_sense_on_this_map(text: str, place: tuple[int, int, str], words: str) -> None:
    assert told(only(text)) == (*place, words)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("rules: operater", (1, 8, "rules"), "unknown rule system 'operater'"),
        ("movers: [{id: a, rules: plane}]", (1, 25, "movers[0].rules"), "unknown rule system 'plane'"),
        ("options: {diagnal: equal}", (1, 11, "options.diagnal"), "unknown option 'diagnal'"),
        ("options: {diagonal: equals}", (1, 21, "options.diagonal"), "option diagonal: 'equals' is not one of"),
        (
            "rules: plain\nmovers: [{id: a, stats: {spede: 30}}]",
            (2, 26, "movers[0].stats.spede"),
            "plain knows no stat 'spede'",
        ),
        (
            "rules: plain\nmovers: [{id: a, stats: {speed: 1:30}}]",
            (2, 33, "movers[0].stats.speed"),
            "plain: stat speed: '1:30' is not a number",
        ),
    ],
)
def test_what_the_rules_do_not_know(text: str, place: tuple[int, int, str], words: str) -> None:
    fault = only(text + "\nrows: ..\n")
    assert (fault.line, fault.column, fault.path) == place
    assert fault.text.startswith(words)


def test_two_wrong_stats_of_one_mover() -> None:
    found = faults("rules: plain\nrows: ..\nmovers: [{id: a, stats: {speed: quick, swim_factor: wet}}]\n")
    assert [fault.path for fault in found] == ["movers[0].stats.speed", "movers[0].stats.swim_factor"]


# -- values that other loaders guess at -----------------------------------------------------------------------------


def test_b46_values_are_what_their_field_says() -> None:
    found = load(
        b"rows: ..\nname: no\ngrid: {cell: 010}\nmovers:\n  - {id: 1:30, hidden: no, side: yes, size: 01}\n",
        format="native",
    )
    mover = found.movers[0]
    assert (found.name, found.cell) == ("no", 10)
    assert (mover.id, mover.hidden, mover.side, mover.size) == ("1:30", False, "yes", 1)


def test_b46_a_tilde_as_a_key() -> None:
    found = load(b"legend:\n  ~: {water: deep}\nrows: |\n  .~\n", format="native")
    assert found.glyphs["~"]


def test_b46_an_unquoted_hash_in_the_legend() -> None:
    fault = only('legend:\n  ".": {}\n  #: {impassable: true}\nrows: |\n  ..\n  .#\n  ##\n')
    assert told(fault) == (6, 4, "rows", "unknown glyph '#' in row 2, column 2 (and 2 more)")
    assert 'quote it: "#"' in fault.hint


@pytest.mark.parametrize(
    "text",
    [
        "rows: ..\nmovers: [&a {id: x}, *a]",
        "rows: ..\nname: &a x\nrules: *a",
        "rows: ..\noptions: &a {house_pace: *a}",
    ],
)
def test_b46_anchors_are_refused(text: str) -> None:
    assert any("anchors and aliases" in fault.text and fault.line > 1 for fault in faults(text))


def test_b46_two_documents() -> None:
    assert told(only("rows: ..\n---\nrows: ..\n"))[:2] == (2, 1)
    assert "second document" in only("rows: ..\n---\nrows: ..\n").text


def test_tags_are_refused() -> None:
    assert "tags like !!python/name:os.system" in only("rows: ..\nname: !!python/name:os.system x\n").text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("rows:\n\t..", 2, "tab"),
        ("rows: 'x", 1, "quoted scalar"),
        ("rows: [1, 2\nname: x", 2, "flow sequence"),
        ("a: b: c", 1, "mapping values"),
    ],
)
def test_a_syntax_error_stands_alone_with_its_place(text: str, line: int, words: str) -> None:
    fault = only(text)
    assert fault.line == line
    assert words in fault.text


def test_a_deep_nest_is_no_crash() -> None:
    assert faults("rows: " + "[" * 5000)
    assert any("nested more than" in fault.text for fault in faults("rows: ..\nname: " + "[" * 400 + "]" * 400))


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(MapError) as caught:
        load(b"rows: ..\nname: \xff\n", name="bad.yaml")
    fault = caught.value.faults[0]
    assert (fault.line, fault.column, fault.text) == (2, 7, "not UTF-8 text: byte 16 is 0xff")


def test_the_sample_is_sound() -> None:
    assert not load(YARD.encode(), name="yard.yaml").faults()


def test_a_stat_under_its_other_name_is_not_unknown() -> None:
    found = faults("rules: operator\nrows: ..\nmovers: [{id: a, stats: {str: 14, spede: 30}}]\n")
    assert [fault.path for fault in found] == ["movers[0].stats.spede"]


@pytest.mark.parametrize("number", ["1e999999999", "1e-999999999", "9" * 5000])
def test_a_short_text_cannot_ask_for_a_vast_number(number: str) -> None:
    text = f"rules: plain\nrows: ..\noptions: {{door_cost: {number}}}\n"
    text += f"movers: [{{id: a, stats: {{speed: '{number}'}}}}]\n"
    assert [fault.path for fault in faults(text)] == ["options.door_cost", "movers[0].stats.speed"]
