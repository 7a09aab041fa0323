"""The panel and the choices it offers, as marks and words: for every rule system, without a pixel."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tactical import assets, load
from tactical.movement.reach import reach
from tactical.play.commands import Gait, GivenRoll, Move, OpenDoor
from tactical.play.events import Hurt
from tactical.play.session import Session
from tactical.rules.ruleset import get_ruleset
from tactical.show import brief, choices, rolls
from tactical.show.drawers import raster, svg, text
from tactical.show.panel import Moment, lay_out, page_of, with_page
from tactical.show.scene.legend import band_role, legend
from tactical.show.scene.scene import lit_cells, scene
from tactical.show.scene.shapes import Area
from tactical.show.sheet import Figure, Sample, Sheet, Stretch, Words
from tactical.units import Cell, percent, spoken
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.mover import Mover
from tactical.world.parts import Link

ROWS = ["............", "..%%........", "..%%..##....", "......##....", "............"]
LEGEND = {"%": {"terrain": "brush", "difficult": True, "rough": True, "level": "D", "number": 18}}


def board(rules, stats, *, cell=5, unit="ft", barriers=(), **more):
    mover = Mover("raven", at=Cell(0, 2), stats=stats, side="a", **more)
    return Battlemap.from_rows(ROWS, LEGEND, cell=cell, unit=unit, rules=rules, movers=(mover,), barriers=barriers)


def words_of(sheet):
    return "\n".join(sheet.text())


def test_the_panel_of_an_operator_says_all_of_it():
    battlemap = board("operator", {}, posture="prone")
    found = reach(battlemap, "raven", turns=2)
    session = Session.new(battlemap)
    sheet = lay_out(page_of(Moment(found, found.route(Cell(3, 1)), session)), lambda words, size: len(words) * 6)
    assert sheet.text()[:17] == [
        "Raven",
        "speed 30 ft = 30 base, no modifiers",
        "1  2  3",
        "Stand  Crouch  Prone",
        "costs 15 ft  costs 15 ft *  now",
        "Move  30 ft  Dash  60 ft",
        "Act  Disengage",
        "Movement this turn  35 of 60 ft",
        "15  10",
        "Move 30  Dash +30",
        "Why it costs this  E clauses",
        "stand up from prone  +15  15",
        "open ground  2 × 5 ft  +10  25",
        "brush  1 × 5 ft × 2  +10  35",
        "OPR-18  OPR-13  OPR-14",
        "No strike on this way.",
        "Dash spends the action.",
    ]
    assert {command for _, command in sheet.hits} >= {
        "posture_standing", "posture_prone", "gait:move", "gait:dash", "act", "disengage", "explain"
    }  # fmt: skip
    used = [stretch for stretch in sheet.of(Stretch) if stretch.state == "used"]
    assert [stretch.role for stretch in used] == ["band:0", "band:1"], "the bar has the colours of the bands"


def test_a_chosen_gait_is_lit_and_bounds_the_reach():
    battlemap = board("operator", {})
    session = Session.new(battlemap)
    assert session.execute(Gait("raven", "move"))
    found = session.reach("raven")
    buttons = choices.gaits(found, session)
    assert [(b.name, b.chosen, b.range) for b in buttons] == [("move", True, "30 ft"), ("dash", False, "60 ft")]
    assert {band.name for band in found.bands} == {"move"}


def test_d6_gaits_form_a_ladder_with_rings_and_reasons():
    found = reach(board("d6-reup", {"previous": "stop", "running": "4D"}, cell=2, unit="m"), "raven")
    buttons = {button.name: button for button in choices.gaits(found)}
    assert buttons["cautious"].range == "2.5 to 5 m"
    assert not buttons["cruising"].refused
    assert "at most 2 levels" in buttons["high"].short
    ladder = choices.ladder(found)
    assert [rung.name for rung in ladder if rung.before] == ["stop"]
    assert [rung.name for rung in ladder if rung.open] == ["stop", "cautious", "cruising"]
    sheet = lay_out(page_of(Moment(found)))
    assert "last round: Stop" in words_of(sheet)
    hints = " ".join(words for _, words in sheet.hints)
    assert "high is not possible after stop" in hints


def test_a_vehicle_shows_lost_moves_and_cannot_stop_at_once():
    stats = {"kind": "vehicle", "move": 20, "code": "3D", "previous": "high", "lost_moves": 2}
    battlemap = board("d6-revised", stats, unit="m")
    found = reach(battlemap, "raven")
    assert choices.left(found)[0].note == "2 lost"
    sheet = lay_out(page_of(Moment(found)))
    assert "2 lost Moves" in words_of(sheet)
    assert "too fast to stop" in words_of(sheet)
    assert next(sheet.of(Figure)).posture == "vehicle"
    tokens = [shape for shape in scene(battlemap).shapes if shape.role.startswith("mover:")]
    assert tokens[0].posture == "vehicle"


@pytest.mark.parametrize(
    ("rules", "stats", "title", "wanted"),
    [
        ("twelve-second", {"strength": 12, "dexterity": 12, "endurance": 12}, "Run", "12 of 12 left"),
        ("shapers", {"pa": 4, "pf": 4}, "Jog", "left"),
    ],
)
def test_shares_of_a_turn_are_told_in_metres_with_the_effort_left(rules, stats, title, wanted):
    battlemap = board(rules, stats, cell=1, unit="m")
    found = reach(battlemap, "raven")
    buttons = {button.title: button for button in choices.gaits(found)}
    assert wanted in buttons[title].note
    assert buttons[title].range.endswith(("a turn", "a round"))
    cell = Cell(2, 0)
    route = found.route(cell)
    sheet = lay_out(page_of(Moment(found, route)))
    gait = found.profile.gait(route.band)
    metres = route.cost * gait.metres
    assert f"{metres} of {gait.metres} m" in words_of(sheet)
    drawn = scene(battlemap, found, costs=True)
    assert {shape.text for shape in drawn.shapes if shape.role == "cost"} >= {"1", "2"}


def test_a_shaper_whose_free_rounds_are_over_has_a_test_at_the_gait():
    battlemap = board("shapers", {"pa": 4, "pf": 0}, cell=1, unit="m")
    found = reach(battlemap, "raven")
    jog = next(button for button in choices.gaits(found) if button.name == "jog")
    assert jog.note.startswith("roll d100")


# -- rolls ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def waiting():
    battlemap = board("d6-reup", {"running": "4D"}, cell=2, unit="m")
    session = Session.new(battlemap)
    assert session.execute(Move("raven", Cell(3, 1)))
    return session


def test_the_question_names_dice_chance_and_what_a_total_brings(waiting):
    asked = rolls.question(waiting)
    assert "4D" in asked.text
    assert asked.entry
    assert [command for _, command in asked.buttons] == ["roll", "passed", "failed"]
    number = rolls.asked(waiting).number
    typed = rolls.question(waiting, str(number - 5))
    assert "misses by 5: slip, half the way" in typed.verdict
    assert not typed.good
    assert rolls.question(waiting, str(number)).good
    assert [command for _, command in typed.buttons] == ["total", "roll"]
    assert ["Enter" in label for label, _ in typed.buttons] == [True, False]


def test_an_answer_that_says_too_little_is_crossed_out_with_the_reason(waiting):
    asked = rolls.question(waiting)
    for how, command in (("passed", GivenRoll("raven", passed=True)), ("failed", GivenRoll("raven", passed=False))):
        refused = waiting.why_not(command)
        assert asked.closed.get(how, "") == ("" if refused is None else refused.text)
    assert "give the total" in asked.closed["failed"]
    reach = waiting.reach("raven")
    sheet = lay_out(page_of(Moment(reach, None, waiting)), width=300)
    assert asked.closed["failed"] in [words for _, words in sheet.hints]


def test_gaits_of_a_later_turn_are_one_line_of_the_legend():
    battlemap = board("d6-reup", {"move": 10, "running": "4D"}, cell=2, unit="m")
    bands = reach(battlemap, "raven", turns=2).bands
    later = [band for band in bands if band.turn == 2]
    assert len(later) > 1
    shapes = [Area(role, frozenset()) for role in dict.fromkeys(band_role(bands, band) for band in bands)]
    found = [entry.text for entry in legend(shapes, bands, "m") if entry.role == "turn:2"]
    assert found == [f"Round 2, to {max(band.budget for band in later)} m"]


def test_the_table_of_outcomes_adds_up(waiting):
    found = waiting.reach("raven")
    table = rolls.outcomes(found, found.route(Cell(3, 1)))
    assert table[0][1] == "all goes well"
    assert sum(int(chance.strip("<%")) for chance, _, _ in table if chance != "<1%") == 100


@given(st.lists(st.tuples(st.sampled_from(["good", "warn", "bad"]), st.integers(1, 2000)), min_size=1, max_size=9))
def test_the_shares_of_a_roll_add_up_and_agree_with_what_is_said_elsewhere(rows):
    whole = sum(part for _, part in rows)
    parts = [(kind, Fraction(part, whole)) for kind, part in rows]
    told = rolls.shares(parts)
    numbers = [0 if share == "<1%" else int(share.rstrip("%")) for share in told]
    assert sum(numbers) == 100
    assert all(share != "0%" for share in told)
    for kinds in ({"good"}, {"good", "warn"}):
        exact = sum((part for kind, part in parts if kind in kinds), Fraction(0))
        said = sum(number for (kind, _), number in zip(parts, numbers, strict=True) if kind in kinds)
        assert exact == 0 or f"{said}%" == percent(exact)


def test_outcomes_stand_from_the_best_to_the_worst():
    """However likely each is: the eye looks for how bad it can get at the foot of the table."""
    found = Session.new(load(assets.maps("starport"))).reach("hound")
    tables = [rolls.outcomes(found, found.route(cell)) for cell in found.cells() if found.turn(cell) == 1]
    told = [[row.text.split(",")[0] for row in table] for table in tables]
    ladder = ["all goes well", "slight slip", "slip", "fall", "minor tumble", "tumble", "major tumble"]
    assert max(map(len, told)) > 4
    assert all(names == sorted(names, key=ladder.index) for names in told)


def test_of_a_vehicle_that_slips_only_the_name_is_told():
    found = Session.new(load(assets.maps("vehicle-yard"))).reach("swoop")
    routes = [found.route(cell) for cell in found.cells() if found.turn(cell) == 1]
    rows = {row.text for route in routes for row in rolls.outcomes(found, route) if row.kind != "good"}
    assert rows
    assert all(row.endswith(", the game master says what it does") for row in rows), "REV-A07"


@pytest.mark.parametrize(("name", "mover"), [("vehicle-yard", "hauler"), ("starport", "trooper")])
def test_why_a_speed_is_not_open_is_never_cut(name, mover):
    session = Session.new(load(assets.maps(name)))
    found = session.reach(mover)
    for width in (200, 260, 320):
        said = " ".join(lay_out(page_of(Moment(found, None, session)), width=width).text())
        for gait in choices.gaits(found, session):
            assert not gait.refused or gait.short in said


def test_what_a_roll_brings_is_said_once_and_whole_however_full_the_panel_is():
    """Two rolls of a move may slip alike: that is one line.  Nothing of an outcome is cut: it is what one plays by."""
    found = Session.new(load(assets.maps("starport"))).reach("rhen")
    way = found.route(found.battlemap.cell_named("U11"))
    table = rolls.outcomes(found, way)
    assert len(table) == 5
    assert len({(row.text, row.kind) for row in table}) == len(table)
    for least in (0, 200):
        lines = lay_out(page_of(Moment(found, way)), width=260, least=least).text()
        start, end = (next(n for n, line in enumerate(lines) if line.startswith(words)) for words in ("What", "Why"))
        told = " ".join(lines[start + 1 : end])
        assert "…" not in told
        assert all(word in told.split() for row in table for word in row.text.split())


@pytest.mark.parametrize(("kind", "words"), [("stairs", "stairs"), ("ladder", "ladder"), ("gate", "leads elsewhere")])
def test_links_are_explained_in_the_legend_and_drawn_there(kind, words):
    battlemap = Battlemap.from_cells(6, 2).with_(links=(Link(Cell(0, 0), Cell(4, 1), kind=kind),))
    drawn = scene(battlemap)
    assert [entry.text for entry in drawn.legend] == [words]
    plain = scene(battlemap.with_(links=()))
    assert not plain.legend
    assert svg.draw(drawn)
    assert raster.draw(drawn) != raster.draw(plain)


def test_verdicts_of_every_margin():
    found = reach(board("d6-reup", {"running": "4D"}, cell=2, unit="m"), "raven")
    check = rolls.declared(found, found.route(Cell(3, 1))).checks[0]
    seen = [rolls.effect_of(check, margin).split(",")[0] for margin in (1, 3, 4, 6, 7, 10, 11, 16, 21, 40)]
    assert seen == [
        "slight slip", "slight slip", "slip", "slip", "fall", "fall", "minor tumble", "tumble", "major tumble",
        "major tumble",
    ]  # fmt: skip


def test_only_cells_that_a_roll_may_refuse_get_a_chance():
    found = reach(board("d6-reup", {"running": "4D"}, cell=2, unit="m"), "raven")
    chances = rolls.chances(found)
    assert chances
    assert all(0 <= chance < 1 for chance in chances.values())
    assert all(found.chances[cell].chance == chance for cell, chance in chances.items())
    assert Cell(0, 0) not in chances


# -- doors, bodies ----------------------------------------------------------------------------------------------------


def test_doors_beside_are_offered_and_far_ones_are_not():
    near = Barrier(((1, 2), (1, 3)), Kind.DOOR, "gate")
    locked = Barrier(((0, 2), (1, 2)), Kind.DOOR, "back", state="locked")
    far = Barrier(((9, 0), (9, 1)), Kind.DOOR, "barn")
    secret = Barrier(((0, 3), (1, 3)), Kind.DOOR, "hidden", state="secret")
    session = Session.new(board("operator", {}, barriers=(near, locked, far, secret)))
    found = {choice.command: choice for choice in choices.doors(session, "raven")}
    assert set(found) == {"door:gate", "door:back"}
    assert not found["door:gate"].refused
    assert found["door:gate"].label == "Open gate"
    assert found["door:back"].refused


@pytest.mark.parametrize("rules", ["operator", "d6-reup", "shapers", "twelve-second"])
def test_a_door_is_offered_at_the_price_that_it_is_opened_for(rules):
    system = get_ruleset(rules)
    gate = Barrier(((1, 0), (1, 1)), Kind.DOOR, "gate", cost=2)
    mover = Mover("ada", rules, system.example, "A1")
    for unit in ("m", "ft"):
        map_ = Battlemap.from_rows(["..."], cell=2, unit=unit, rules=rules, movers=[mover], barriers=[gate])
        session = Session.new(map_)
        (offered,) = choices.doors(session, "ada")
        session.execute(OpenDoor("gate", "ada"))
        spent, unit_ = session.position.status("ada").turn.spent, session.position.query("ada").profile.unit
        assert offered.label == f"Open gate ({spoken(spent)} {unit_})"


def test_a_large_body_lights_every_cell_it_could_cover():
    rows = ["......", "......", "......"]
    ogre = Mover("ogre", at=Cell(0, 0), size=2)
    battlemap = Battlemap.from_rows(rows, rules="operator", movers=(ogre,))
    found = reach(battlemap, "ogre")
    lit = lit_cells(battlemap, found, 0)
    assert Cell(5, 2) in lit.meant, "the last column is covered by the body's far side"
    assert lit.meant[Cell(5, 2)] == Cell(4, 1)
    for cell, place in lit.meant.items():
        assert cell in battlemap.body(place, 2)
        assert found.route(place) or place == found.start.cell


# -- drawers ----------------------------------------------------------------------------------------------------------


def test_every_drawer_draws_the_panel():
    battlemap = board("operator", {})
    found = reach(battlemap, "raven", turns=2)
    picture = with_page(scene(battlemap, found), found, found.route(Cell(3, 1)))
    assert picture.page is not None
    root = ElementTree.fromstring(svg.draw(picture))
    told = " ".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text"))
    assert "Why it costs this" in told
    assert float(root.get("width")) == 12 * 32 + 320
    lines = text.draw(picture, ascii=True)
    assert "Movement this turn" in lines
    assert "Why it costs this" in lines


def test_a_png_has_room_for_the_panel():
    pygame = pytest.importorskip("pygame")
    from io import BytesIO

    from tactical.show.drawers import raster

    battlemap = board("operator", {})
    found = reach(battlemap, "raven")
    data = raster.draw(with_page(scene(battlemap, found), found), cell=30)
    image = pygame.image.load(BytesIO(data), "x.png")
    assert image.get_width() == 12 * 30 + 320
    assert image.get_height() >= 350, "as high as the panel needs"


def test_sheets_shorten_and_break_words_by_their_measure():
    sheet = Sheet(100, lambda words, size: len(words) * 10)
    assert sheet.fitted("abcdefghijkl", 17, 60) == "abcde…"
    assert sheet.wrapped("aa bb cc dd", 17, 50) == ["aa bb", "cc dd"]
    sheet.words("right", (90, 5), anchor="right")
    assert next(sheet.of(Words)).anchor == "right"
    assert list(sheet.of(Sample)) == []
    assert sheet.text() == ["right"]


def test_the_budget_of_the_present_turn_counts_what_is_spent():
    battlemap = board("operator", {})
    session = Session.new(battlemap)
    assert session.execute(Move("raven", Cell(0, 0)))
    found = session.reach("raven")
    bar = page_of(Moment(found, None, session)).said("budget")
    assert bar.used == Fraction(10)
    assert bar.words == "10 of 60 ft"
    assert [part.spent for part in bar.parts] == [True]


def test_of_none_at_all_nothing_is_left() -> None:
    stats = {"pa": 4, "pf": 0, "endurance": 60}
    board = Battlemap.from_rows(["." * 20], rules="shapers", movers=(Mover("kit", stats=stats, at=Cell(0, 0)),))
    session = Session.new(board)
    assert session.execute(Move("kit", Cell(4, 0), gait="sprint"))
    while session.position.pending is not None:
        assert session.execute(GivenRoll("kit", passed=True))
    notes = {one.name: one.note for one in choices.gaits(session.reach("kit"), session)}
    assert "0 of 0 left" not in notes.values()


def test_a_recovery_is_thrown_for_and_met_by_nothing():
    ground, gap = "......", "OOOO"
    stats = {"strength": 13, "dexterity": 12, "endurance": 11, "acrobatics": True}
    battlemap = Battlemap.from_rows(
        [f"{ground}{gap}{ground}"], {"O": {"terrain": "planks", "gap": True}}, cell=1, unit="m", rules="twelve-second",
        movers=(Mover("ash", at=Cell(1, 0), stats=stats),),
    )  # fmt: skip
    session = Session.new(battlemap, options={"jump_chance": Fraction(1, 20)})
    assert session.execute(Move("ash", Cell(10, 0)))
    assert [command for _, command in rolls.question(session).buttons] == ["roll", "passed", "failed"]
    assert session.execute(GivenRoll("ash", passed=False))
    question = rolls.question(session)
    assert (question.text, [command for _, command in question.buttons]) == ("Ash throws for recovery (d6)", ["roll"])
    assert question.entry
    for passed in (True, False):
        assert session.why_not(GivenRoll("ash", passed=passed)) is not None


def ledge():
    """A ledge of 4 m over a quay, and somebody of Shapers who takes the fall."""
    legend = {"^": {"terrain": "rock", "elevation": 4}}
    stats = {"pa": 3, "ps": 10, "pf": 6, "athletics": 2, "size_m": 12, "accept_damage": 14}
    jumper = Mover("raven", at=Cell(0, 0), stats=stats, side="a")
    return Battlemap.from_rows(["^..."], legend, cell=2, unit="m", rules="shapers", movers=(jumper,))


def test_a_fall_that_hurts_is_a_warning_and_its_line_is_read_whole_when_spread_out():
    found = reach(ledge(), "raven")
    way = found.route(Cell(1, 0))
    warned = [note.text for note in brief.notes(found.battlemap, found, way) if note.kind == "bad"]
    assert warned == [f"Falls 4 m to B1: {way.steps[0].damage} damage, softened by the roll."]
    for explain in (False, True):
        page = page_of(Moment(found, way, Session.new(found.battlemap), explain=explain))
        words = " ".join(lay_out(page, lambda words, size: len(words) * 6, width=300).text())
        assert ("a fall of  +2  2 4 m: 14 damage *" in words) == explain, "the price stands beside the first line"
        assert "softened by the roll" in words


def test_how_well_a_landing_passes_decides_so_the_word_alone_is_not_taken():
    session = Session.new(ledge())
    assert session.execute(Move("raven", Cell(1, 0)))
    asked, check = rolls.question(session), rolls.asked(session)
    assert check.skill + " for jumping down on purpose" in asked.text
    told = session.execute(GivenRoll("raven", passed=True))
    assert (told.code, list(asked.closed)) == ("play.total_needed", ["passed"])
    assert told.text == asked.closed["passed"] == f"how well {check.skill} passes decides what happens: give the total"
    full, better = (
        Session.restore(session.snapshot()).execute(answer).of(Hurt)[0].damage
        for answer in (GivenRoll("raven", passed=False), GivenRoll("raven", total=check.number - 30))
    )
    assert int(full) - int(better) == 3
