"""The window's control of every clause, as the tables at the table name it, driven by keys and mouse in a window."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest

pygame = pytest.importorskip("pygame")

from tactical import Barrier, Battlemap, Cell, Mover  # noqa: E402
from tactical.world.edges.barriers import DoorState, Kind  # noqa: E402
from tests.viewer.test_app import click, point, press  # noqa: E402
from tests.viewer.test_menu import menu_at, take  # noqa: E402
from tests.viewer.test_setup import typed  # noqa: E402

sys.path.insert(0, str(Path(__file__).parents[1] / "cases"))

import test_at_the_table  # noqa: E402
import test_feet_and_gaits_at_the_table  # noqa: E402

LEGEND = {
    ".": {"terrain": "floor", "level": "VE", "number": 3},
    "d": {"terrain": "scree", "level": "D", "number": 18, "difficult": True, "rough": True},
    "_": {"terrain": "pit", "gap": True},
    "K": {"terrain": "wet rope", "climb": True, "slick": True},
    "C": {"terrain": "rapids", "water": "deep", "current": "strong"},
}
ROLLED = {"d6-reup": ".ddddddddddd", "d6-revised": ".ddddddddddd", "twelve-second": ".___........",
          "operator": ".K..........", "shapers": ".CC........."}  # fmt: skip
GOALS = {"d6-reup": Cell(10, 0), "d6-revised": Cell(10, 0), "twelve-second": Cell(4, 0), "operator": Cell(1, 0),
         "shapers": Cell(2, 0)}  # fmt: skip
"""A way that is rolled for in each system, and where it leads."""
STATS = {
    "d6-reup": {"move": 10, "code": "4D", "climbing": "3D", "previous": "cruising"},
    "d6-revised": {"move": 10, "code": "4D", "previous": "cautious", "kind": "vehicle"},
    "twelve-second": {"strength": 12, "dexterity": 12, "endurance": 12},
    "operator": {"speed": 30, "athletics": 2, "strength": 14},
    "shapers": {"pa": 4, "ps": 4, "pf": 2, "swimming": 1},
}
OPTIONS = {"twelve-second": {"jump_chance": 0}, "operator": {"athletics_dc": 10}}
ROWS = {
    prefix: [
        (clauses, control)
        for table in (test_at_the_table.TABLE, test_feet_and_gaits_at_the_table.TABLE)
        for clauses, _, control, _ in table
        if clauses.startswith(prefix)
    ]
    for prefix in ("REUP", "REV", "TWS", "OPR", "SHP")
}
SYSTEMS = dict(zip(ROWS, ROLLED, strict=True))


def pointed(app):
    cell = Cell(3, 1)
    point(app, app.screen.pixel_of(cell))
    app.draw()
    assert app.hand.hover == cell
    assert app.hand.route
    return cell


def walked(app):
    cell = pointed(app)
    press(app, pygame.K_RETURN)
    assert app.hand.table.state("kit").cell == cell


def geared(app):
    press(app, pygame.K_f)
    assert app.hand.session.position.status("kit").gait
    press(app, pygame.K_f, pygame.KMOD_LSHIFT)
    assert not app.hand.session.position.status("kit").gait


def acted(app):
    before = app.hand.table.turn("kit")
    press(app, pygame.K_a)
    assert app.hand.table.turn("kit") != before


def ended(app):
    press(app, pygame.K_SPACE)
    assert app.hand.table.turn("kit").turn == 2


def postured(app):
    # down for nothing, up for half the speed, from a crouch for 5 ft (OPR-18, 19, 24)
    told = []
    for key in (pygame.K_3, pygame.K_1, pygame.K_2, pygame.K_1):
        press(app, key)
        table = app.hand.table
        told.append((table.state("kit").posture, table.turn("kit").spent))
    assert told == [("prone", 0), ("standing", 15), ("crouched", 15), ("standing", 20)]


def dashed(app):
    press(app, pygame.K_h)
    assert app.hand.table.turn("kit").dashes
    # with it the twelfth square away is reached, one foot further none (OPR-27)
    assert app.hand.reach.cost(Cell(11, 1)) == 60


def disengaged(app):
    press(app, pygame.K_x)
    assert app.hand.table.turn("kit").disengaged
    # and so the action is gone (OPR-31, 33)
    press(app, pygame.K_h)
    assert not app.hand.table.turn("kit").dashes


def unlocked(app):
    press(app, pygame.K_d)
    (gate,) = app.hand.session.position.battlemap.barriers
    assert gate.state is DoorState.OPEN
    assert app.hand.table.turn("kit").spent == 0


def rolled(app):
    goal = GOALS[app.hand.session.position.ruleset("kit").name]
    point(app, app.screen.pixel_of(goal))
    press(app, pygame.K_RETURN)
    assert app.hand.table.pending is not None
    press(app, pygame.K_d)
    assert app.hand.table.pending is None or app.hand.table.pending.rolls


def toggled(key, name):
    def drive(app):
        before = getattr(app.screen.shown, name)
        press(app, key)
        assert getattr(app.screen.shown, name) != before

    return drive


def rammed(app):
    menu_at(app, Cell(5, 1))
    take(app, "Ram Foe")
    assert app.hand.table.pending is not None
    assert app.hand.table.pending.ram == "foe"


def damaged(app):
    menu_at(app, Cell(5, 1))
    take(app, "Game master")
    take(app, "Foe is heavily")
    assert app.hand.session.position.query("foe").profile.facts["lost"] == 2


def rested(app):
    menu_at(app, Cell(0, 0))
    take(app, "Game master")
    take(app, "Kit rests")
    assert app.hand.session.log[-1].events


def chosen(app, row):
    """Click the row of the page whose words begin so."""
    app.draw()
    title, _, rows, _ = app.screen.rows
    command = next(command for words, _, command in rows if words.startswith(row))
    app.screen.browsing.chosen = [one[2] for one in rows].index(command)
    app.screen.browsing.step(0)
    app.draw()
    box = next(box for box, held in app.screen.hits if held == command)
    click(app, box.center)
    app.draw()
    return title


def way_menu(app, row):
    cell = GOALS[app.hand.session.position.ruleset("kit").name]
    menu_at(app, cell)
    take(app, row)
    assert app.screen.rows is not None


def stunted(app):
    way_menu(app, "As a stunt")
    assert "stunt" in chosen(app, "+8 ")
    assert app.hand.table.pending is not None
    assert app.hand.table.pending.checks[0].number == 26


def two_skills(app):
    way_menu(app, "And then another skill")
    chosen(app, "climbing")
    chosen(app, "9")
    assert app.hand.table.pending is not None
    press(app, pygame.K_p)
    waiting = app.hand.table.pending
    assert (waiting.what, waiting.checks[0].number, waiting.checks[0].dice) == ("second", 9, "2D")
    press(app, pygame.K_d)
    assert app.hand.table.pending is None


def checked(app):
    way_menu(app, "With a check on the way")
    assert "check" in chosen(app, "17")
    assert app.hand.table.pending is not None
    assert app.hand.table.pending.checks[0].number == 17


def jumped(app):
    menu_at(app, Cell(0, 0))
    take(app, "Jump high or backwards")
    if app.hand.session.position.ruleset("kit").name == "operator":
        # Strength 14 goes up 5 ft with a run-up and half of that, rounded down, from a stand (OPR-39, 41)
        assert [words for words, _, _ in app.screen.rows[2]] == ["High jump of 1 ft", "High jump of 2 ft"]
        chosen(app, "High jump of 2 ft")
        assert app.hand.session.log[0].events[0].amount == 2
        return
    assert "backwards" in chosen(app, "High jump of 1.5 m")
    spent, rolled = app.hand.session.log[:2]
    assert spent.events[0].amount == Fraction(3, 40)
    assert "high jump of 1.5 m" in rolled.events[0].skill.lower()


def journeyed(app):
    menu_at(app, Cell(0, 0))
    take(app, "A long journey")
    rules = app.hand.session.position.ruleset("kit").name
    if rules == "shapers":
        # Fortitude 2 runs a minute free, then is tested every half minute (SHP-07)
        chosen(app, "Run")
        chosen(app, "10 min")
        lines = [words for words, _, _ in app.screen.rows[2]]
        assert (sum("Fortitude" in line for line in lines), "after 1 min " in lines[1]) == (18, True), lines
        press(app, pygame.K_ESCAPE)
        menu_at(app, Cell(0, 0))
        take(app, "A long journey")
    march = rules == "d6-reup"
    chosen(app, "March" if march else "Walk")
    chosen(app, "6 h")
    lines = [words for words, _, _ in app.screen.rows[2]]
    assert lines[0].startswith({"d6-reup": "43.2 km", "shapers": "14.4 km"}.get(rules, "36 km"))
    assert sum("stamina" in line for line in lines) == (2 if march else 0)
    press(app, pygame.K_ESCAPE)


def stated(app):
    press(app, pygame.K_COMMA, pygame.KMOD_LCTRL)
    app.draw()
    typed(app, "lost")
    press(app, pygame.K_DOWN)
    press(app, pygame.K_UP)
    press(app, pygame.K_RIGHT)
    press(app, pygame.K_ESCAPE)
    press(app, pygame.K_ESCAPE)
    assert app.hand.table.mover("kit").stats["lost_moves"] == 1


def explained(app):
    press(app, pygame.K_e)
    assert app.screen.explain


DRIVERS = {
    "point at a cell": pointed, "go": walked, "gait_next": geared, "act": acted, "do": ended, "roll": rolled,
    "reach": toggled(pygame.K_v, "reach"), "odds": toggled(pygame.K_o, "odds"),
    "explain": explained,
    "posture_prone": postured, "dash": dashed, "disengage": disengaged, "door": unlocked,
    "menu: ram": rammed, "master: damage": damaged, "master: rest": rested,
    "setup: lost_moves": stated, "menu: stunt": stunted, "menu: second skill": two_skills, "menu: check": checked,
    "menu: jumps": jumped, "menu: journey": journeyed,
}  # fmt: skip
DICE = ("roll", "master: damage", "menu: ram", "menu: stunt", "menu: second skill", "menu: check", "menu: jumps")


@pytest.mark.parametrize("prefix", ROWS)
def test_the_controls_that_the_clauses_name_do_it(prefix, opened):
    rules = SYSTEMS[prefix]
    unit, cell = ("ft", 5) if rules == "operator" else ("m", 1)
    rows = [ROLLED[rules], "." * 12, "." * 12]
    gate = (Barrier(((1, 0), (1, 1)), Kind.DOOR, "gate"),) if rules == "operator" else ()
    kit, foe = (Mover(name, rules, STATS[rules], at, name) for name, at in (("kit", Cell(0, 0)), ("foe", Cell(5, 1))))
    board = Battlemap.from_rows(
        rows,
        LEGEND,
        cell=cell,
        unit=unit,
        rules=rules,
        movers=(kit, foe),
        options=OPTIONS.get(rules, {}),
        name="Table",
        barriers=gate,
    )
    app = opened(board, "kit")
    # no die is taken back: what rolls begins anew
    for control in sorted({control for _, control in ROWS[prefix]} - {""}, key=lambda name: (name in DICE, name)):
        if control in DICE:
            app = opened(board, "kit")
        DRIVERS[control](app)
        while app.hand.session.undo():
            pass
        app.draw()


def test_the_end_of_a_turn_asks_for_the_rolls_that_fall_due(opened):
    # who cannot swim flounders (SHP-32)
    kit = Mover("kit", "shapers", {"pa": 4, "ps": 7}, Cell(0, 0))
    app = opened(
        Battlemap.from_rows(["W..", "..."], {"W": {"water": "deep"}}, rules="shapers", cell=1, unit="m", movers=(kit,))
    )
    press(app, pygame.K_SPACE)
    assert app.hand.table.pending.checks[0].number == 57
    # ten minutes at high speed are over (REUP-39)
    kit = Mover("kit", "d6-reup", STATS["d6-reup"], Cell(0, 0))
    road = Battlemap.from_rows(
        ["." * 21],
        LEGEND,
        rules="d6-reup",
        cell=1,
        unit="m",
        movers=(kit,),
        options={"round_seconds": 600, "default_number": "high"},
    )
    app = opened(road, "kit")
    point(app, app.screen.pixel_of(Cell(20, 0)))
    app.draw()
    press(app, pygame.K_RETURN)
    press(app, pygame.K_p)
    assert app.hand.table.state("kit").cell == Cell(20, 0)
    press(app, pygame.K_SPACE)
    asked = app.hand.table.pending.checks[0]
    assert (asked.skill, asked.level) == ("stamina", "VE")


def test_each_clause_has_one_or_is_asked_elsewhere():
    assert {control for rows in ROWS.values() for _, control in rows} - {""} <= set(DRIVERS)
