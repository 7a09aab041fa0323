"""Chances on sight where the rules roll, worked out in slices; threats by name; ways without strikes."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.movement.rolls.chances import worked_out  # noqa: E402
from tactical.movement.rolls.risks import likeliest  # noqa: E402
from tactical.play.commands import Place  # noqa: E402
from tactical.play.events import Rolled  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.rules.checks import Check  # noqa: E402
from tactical.search.slices import whole  # noqa: E402
from tactical.show import brief, rolls  # noqa: E402
from tactical.show.rolls import chance_words  # noqa: E402
from tactical.show.scene.scene import reaching  # noqa: E402
from tactical.show.scene.shapes import Area, Chip, Text  # noqa: E402
from tactical.units import Cell, percent  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.viewer.overlays.words import tip_lines  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press, wait_for  # noqa: E402

SPILL = ["......", "..%%..", "......"]
LEGEND = {"%": {"terrain": "rubble", "rough": True, "level": "D", "number": 18}}


def shown(battlemap, mover, tmp_path):
    app = App(battlemap, mover, text=1.0, library=Library(tmp_path))
    pygame.event.clear()
    app.draw()
    return app


@pytest.fixture
def roller(tmp_path):
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    battlemap = Battlemap.from_rows(SPILL, LEGEND, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    yield shown(battlemap, "rey", tmp_path)
    pygame.display.quit()


@pytest.fixture
def village(tmp_path):
    yield shown(read(assets.maps("village")), "raven", tmp_path)
    pygame.display.quit()


def cell(app, name):
    return app.hand.battlemap.cell_named(name)


def picture(app, where):
    app.draw()
    box = pygame.Rect(0, 0, 30, 30)
    box.center = app.screen.pixel_of(where)
    return pygame.image.tobytes(app.screen.surface.subsurface(box).copy(), "RGB")


def test_chances_come_by_themselves_where_the_rules_roll(roller):
    before = picture(roller, Cell(2, 1))
    assert roller.screen.shown.odds
    wait_for(roller, lambda: worked_out(roller.hand.reach))
    assert picture(roller, Cell(2, 1)) != before, "the cell is painted anew with its chance"
    assert not roller.screen.reckoning
    press(roller, pygame.K_o)
    assert picture(roller, Cell(2, 1)) == before


def test_no_chances_are_reckoned_where_nothing_is_rolled(village):
    for _ in range(5):
        village.tick()
    assert not village.screen.shown.odds
    assert not worked_out(village.hand.reach)
    assert village.patience() > 1, "the window sleeps"


def test_pointing_reckons_no_more_than_the_way(roller):
    point(roller, roller.screen.pixel_of(Cell(2, 1)))
    roller.draw()
    assert not worked_out(roller.hand.reach)


def test_slices_and_the_whole_are_the_same(roller):
    while roller.hand.reckon(0.001):
        pass
    sliced = roller.hand.reach
    whole = roller.hand.session.reach("rey", turns=roller.hand.turns)
    assert sliced is not whole
    assert dict(sliced.chances) == dict(whole.chances)


def test_another_reach_drops_what_was_begun(roller):
    roller.hand.reckon(0.0)
    roller.hand.look_ahead()
    assert not worked_out(roller.hand.reach)
    while roller.hand.reckon(0.001):
        pass
    assert worked_out(roller.hand.reach)


def test_a_sign_tells_of_long_work(roller):
    roller.hand.reckon = lambda seconds: True
    wait_for(roller, lambda: roller.screen.reckoning)
    del roller.hand.reckon
    wait_for(roller, lambda: not roller.screen.reckoning)


def test_the_goal_says_the_chance(roller):
    point(roller, roller.screen.pixel_of(Cell(2, 1)))
    roller.draw()
    texts = [chip.text for chip in chips(roller)]
    assert any(text.endswith(", 90%") for text in texts)


def chips(app):
    hand = app.hand
    scene = app.screen.layer.draw(
        app.screen.surface, app.screen.camera, hand.battlemap, hand.reach, hand.route, shown=app.screen.shown,
        target=hand.target, chance=percent(hand.chance) if hand.chance is not None else "",
    )  # fmt: skip
    return list(scene.of(Chip))


def test_no_chance_at_all_reads_as_out_of_reach(roller):
    reach, far = roller.hand.reach, Cell(3, 1)
    shapes = list(reaching(roller.hand.battlemap, reach, (0, 0, 6, 3), 0, odds={far: 0}))
    assert all(far not in area.cells for area in shapes if isinstance(area, Area) and area.role != "passing")
    assert [text.text for text in shapes if isinstance(text, Text)] == ["0%"]


def test_outcomes_stand_above_the_ledger(roller):
    point(roller, roller.screen.pixel_of(Cell(2, 1)))
    roller.draw()
    lines = roller.screen._page[1].text()
    assert lines.index("What the roll brings") < next(n for n, line in enumerate(lines) if "Why it costs" in line)


def test_who_can_strike_is_named(village):
    point(village, village.screen.pixel_of(cell(village, "M10")))
    village.hand.rested = True
    assert "Guard can strike here" in tip_lines(village.screen, village.hand.reach)
    said = village.screen.cell_words(village.hand.reach)
    assert not any("strike" in words for words in said), "the tip adds what the status line does not say"
    notes = [note.text for note in village.screen.page(village.hand.reach, village.hand.route).said("notes")]
    assert "At M10 within reach of Guard." in notes


def test_who_is_out_of_sight_is_not_named(battlemap, tmp_path):
    app = shown(battlemap, "raven", tmp_path)
    assert brief.threat(app.hand.seen, app.hand.reach, Cell(10, 7)) == "", "the ghoul hides"
    assert brief.threat(app.hand.seen, app.hand.reach, Cell(9, 2)) == "Guard"
    pygame.display.quit()


def test_pointing_at_a_foe_shows_its_reach(village):
    before = village.hand.foe
    guard = village.hand.table.mover("guard")
    point(village, village.screen.pixel_of(guard.at))
    village.hand.rested = True
    assert before is None
    found = village.hand.foe
    assert found.mover.id == "guard"
    far = next(one for one in found.cells() if one.level == 0 and found.band(one).turn == 1)
    with_it = picture(village, far)
    village.hand.rested = False
    village.hand.point_at(None)
    assert with_it != picture(village, far)


def struck(app):
    """A cell whose cheapest way is struck at, while a dearer one is not."""
    reach = app.hand.reach
    for where in sorted(reach.cells()):
        route = reach.route(where)
        if route and route.turn == 1 and route.provokes:
            safe = next((one.route for one in reach.risks(where, "attacks") if not one.risk), None)
            if safe is not None:
                return where, route, safe
    raise AssertionError("no such cell")


def test_the_way_without_strikes_is_offered_with_its_extra_price(village):
    village.hand.change_posture("standing")
    where, route, safe = struck(village)
    point(village, village.screen.pixel_of(where))
    village.hand.rested = True
    assert village.screen.page(village.hand.reach, village.hand.route).said("safer") is None, "it is looked for"
    while village.hand.seek(0.001):
        assert village.hand.others == ()
    (offer,) = village.screen.page(village.hand.reach, village.hand.route).said("safer")
    parts = [shape.points for shape in village.screen._safe_way()]
    assert parts, "it is drawn beside the other, where the two part"
    village.draw()
    assert (offer.label, offer.key) == (f"Way without strikes: +{safe.cost - route.cost} ft", "Alt-click")
    click(village, village.screen.pixel_of(where), mods=pygame.KMOD_LALT)
    while village.hand.wanted is not None:
        village.tick()
    assert village.hand.table.state("raven").cell == where
    assert village.hand.table.pending is None
    assert village.hand.table.turn("raven").spent == safe.spent


def passing_by(at, tmp_path):
    """A lane of three rows with a guard in it."""
    movers = (Mover("hero", at=Cell(0, 2), side="ours"), Mover("guard", at=at, side="theirs"))
    return shown(Battlemap.from_rows(["......"] * 3, rules="operator", movers=movers), "hero", tmp_path)


def alt_click(app, goal):
    """The way that was shown before it."""
    point(app, app.screen.pixel_of(goal))
    way = app.hand.route
    click(app, app.screen.pixel_of(goal), mods=pygame.KMOD_LALT)
    while app.hand.wanted is not None:
        app.tick()
    return way


def test_where_every_way_is_struck_at_nobody_sets_out(tmp_path):
    app = passing_by(Cell(2, 1), tmp_path)
    try:
        way = alt_click(app, Cell(5, 2))
        assert [one.enemy for one in way.provokes] == ["guard"]
        assert app.hand.table.state("hero").cell == Cell(0, 2)
        assert app.hand.table.pending is None
        assert not app.hand.session.log
        assert "no way without strikes" in app.hand.message
    finally:
        pygame.display.quit()


def test_a_way_that_nobody_strikes_at_is_gone_as_it_is_shown(tmp_path):
    app = passing_by(Cell(5, 0), tmp_path)
    try:
        way = alt_click(app, Cell(4, 2))
        assert way.provokes == ()
        assert app.hand.table.state("hero").cell == Cell(4, 2)
        assert app.hand.table.turn("hero").spent == way.cost
    finally:
        pygame.display.quit()


SHORT = [".....", ".%%%.", "....."]
"""The way straight on is the shorter one, and rolled for; the one round it is sure."""


@pytest.mark.parametrize("by", ["click", "button"])
def test_a_likelier_way_is_offered_and_taken(tmp_path, by):
    rey = Mover("rey", at=Cell(0, 1), stats={"move": 10, "running": "4D", "previous": "cruising"})
    battlemap = Battlemap.from_rows(SHORT, LEGEND, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    app = shown(battlemap, "rey", tmp_path)
    try:
        goal = Cell(4, 1)
        point(app, app.screen.pixel_of(goal))
        app.hand.rested = True
        assert app.hand.others == (), "it is not known yet"
        while app.hand.reckon(0.001):
            pass
        best, chance = app.hand.reach.chances[goal], app.hand.chance
        (offer,) = app.screen.page(app.hand.reach, app.hand.route).said("safer")
        assert chance < best.chance
        assert offer.label.startswith(f"Likelier way: {percent(best.chance)}, ")
        assert f"{percent(chance)}, {percent(best.chance)} by another way" in " ".join(
            app.screen.cell_words(app.hand.reach)
        )
        if by == "click":
            click(app, app.screen.pixel_of(goal), mods=pygame.KMOD_LALT)
        else:
            app.command(offer.command)
        while app.hand.wanted is not None:
            app.tick()
        assert app.hand.declared.cost == best.cost
        assert rolls.chance_there(app.hand.reach, app.hand.declared) in (best.chance, None)
    finally:
        pygame.display.quit()


def test_the_likeliest_way_has_the_chance_that_its_cell_tells():
    """Of every cell of a reach: the way that is taken for the chance is one that has it, at its price."""
    rows = ["......", ".%%rr.", ".%..r.", "......"]
    legend = LEGEND | {"r": {"terrain": "ruts", "rough": True, "level": "E", "number": 9}}
    rey = Mover("rey", at=Cell(0, 1), stats={"move": 10, "running": "4D", "previous": "cruising"})
    battlemap = Battlemap.from_rows(rows, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,))
    reach = Session.new(battlemap).reach("rey")
    better = 0
    for where, best in reach.chances.items():
        way = whole(likeliest(reach, where))
        assert rolls.chance_there(reach, way) in (best.chance, None if best.chance == 1 else best.chance), where
        assert way.cost == best.cost, where
        shown = reach.route(where)
        better += bool(shown) and way.cells != shown.cells
    assert better


def test_where_there_is_no_way_without_strikes_nothing_is_done(village, monkeypatch):
    village.hand.change_posture("standing")
    where, _, _ = struck(village)
    monkeypatch.setattr(village.hand, "safest", lambda route: None)
    before = village.hand.table.state("raven").cell
    click(village, village.screen.pixel_of(where), mods=pygame.KMOD_LALT)
    while village.hand.wanted is not None:
        village.tick()
    assert village.hand.table.state("raven").cell == before
    assert village.hand.message == "there is no way without strikes this turn"


def test_what_is_looked_for_is_dropped_by_the_next_order(village):
    village.hand.change_posture("standing")
    where, _, _ = struck(village)
    village.hand.point_at(where)
    village.hand.wanted = village.hand.route
    point(village, village.screen.pixel_of(village.hand.reach.start.cell))
    assert village.hand.wanted is not None, "the pointer alone is no order"
    village.command("drop")
    assert village.hand.wanted is None
    before = village.hand.table.state("raven").cell
    village.tick()
    assert village.hand.table.state("raven").cell == before


@pytest.mark.parametrize("kind", ["move", "effort", "jump", "fall", "climb", "swim", "crawl"])
def test_a_rolls_chance_is_its_own_whatever_hangs_on_it(kind):
    check = Check("agility", 51, "", kind=kind, dice="d100", under=True)
    assert chance_words(check).startswith("51%")
    assert ("either way" in chance_words(check)) == (kind == "fall"), "a prepared fall stops nobody"


def test_a_jump_down_tells_the_rolls_chance_and_that_it_gets_there(tmp_path):
    app = shown(read(assets.maps("cliff-town")), "brann", tmp_path)
    where = cell(app, "C11")
    point(app, app.screen.pixel_of(where))
    app.hand.rested = True
    assert app.hand.chance is None, "what is sure needs no chance"
    app.draw()
    said = " ".join(app.screen._page[1].text())
    assert "51 at C10: 51%, gets there either way." in said
    assert "100%" not in said
    click(app, app.screen.pixel_of(where))
    app.draw()
    said = " ".join(app.screen._page[1].text())
    assert "51 or less (d100: 51%, gets there either way)" in said
    assert "100%" not in said
    pygame.display.quit()


def test_while_a_move_waits_the_status_line_says_for_what(roller, battlemap, opened):
    click(roller, roller.screen.pixel_of(Cell(2, 1)))
    assert roller.hand.table.pending is not None
    asked = rolls.question(roller.hand.session).text
    assert asked.startswith("Rey")
    for where in (Cell(0, 0), Cell(3, 1)):
        point(roller, roller.screen.pixel_of(where))
        assert roller.screen.cell_words(roller.hand.reach) == ("a move waits", asked), "and prices no cell"
    press(roller, pygame.K_p)
    assert roller.screen.cell_words(roller.hand.reach)[0] == "D2", "afterwards it is about the cell again"
    app = opened(battlemap, "raven")
    app.hand.table.do(Place("raven", Cell(9, 2)))
    click(app, app.screen.pixel_of(Cell(9, 5)))
    assert app.screen.cell_words(app.hand.reach) == ("a move waits", "Guard may strike Raven")


def test_a_mistyped_total_is_taken_back_and_typed_anew_or_its_move_too(roller):
    roller.hand.click(Cell(4, 1))
    assert roller.hand.table.pending is not None
    for digit in "5":
        roller.hand.type_digit(digit)
    roller.hand.answer("total")
    assert roller.hand.table.pending is None
    press(roller, pygame.K_z)
    assert roller.hand.table.pending is not None, "it is asked again"
    assert roller.hand.typed == ""
    roller.hand.answer("15")
    assert roller.hand.table.pending is None
    # who mistook the move takes it back whole: at the question, and with the total typed in
    for presses in (2, 1):
        for _ in range(presses):
            press(roller, pygame.K_z)
        assert roller.hand.table.pending is None
        assert roller.hand.message == "taken back"
        assert roller.hand.table.state("rey").cell == Cell(0, 1)
        roller.hand.click(Cell(4, 1))
        assert roller.hand.table.pending is not None


def test_a_die_thrown_against_a_typed_number_is_no_typed_total(tmp_path):
    rey = Mover("rey", at=Cell(0, 1), stats={"running": "4D"})
    legend = {"%": {"terrain": "rubble", "rough": True, "level": "D"}}
    app = shown(Battlemap.from_rows(SPILL, legend, cell=2, unit="m", rules="d6-reup", movers=(rey,)), "rey", tmp_path)
    app.hand.click(Cell(4, 1))
    app.hand.give_number("19")
    app.hand.answer("roll")
    (rolled,) = app.hand.session.log[-1].events[:1]
    assert len(rolled.dice) == 4
    assert not rolled.given
    ended = app.hand.table.state("rey")
    press(app, pygame.K_z)
    assert app.hand.table.pending is None
    assert app.hand.table.state("rey") == ended, "nobody throws until it fits"
    pygame.display.quit()


@pytest.mark.parametrize(
    ("dice", "total", "words"), [((2, 2, 6), 11, "(2+2+6+1): 11"), ((14,), 12, "(14-2): 12"), ((3, 4), 7, "(3+4): 7")]
)
def test_what_is_said_of_a_roll_adds_up(roller, dice, total, words):
    event = Rolled("rey", "running", dice, total, 5 - total, True)
    assert roller.hand.table.words_of(event) == f"Rey rolls running {words}: passed"
