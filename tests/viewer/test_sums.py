"""What the window says of a way is one sum: chip, panel, status line and `tactical path` say the same of every cell."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache

import pytest

pygame = pytest.importorskip("pygame")

import tactical  # noqa: E402
from tactical import assets  # noqa: E402
from tactical.cli.answers import wire_value  # noqa: E402
from tactical.play.commands import Dash, Move  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.show import brief  # noqa: E402
from tactical.show.scene.legend import band_role, gait_count  # noqa: E402
from tactical.show.scene.route import route_shapes  # noqa: E402
from tactical.show.sheet import Words  # noqa: E402
from tactical.show.theme import load  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tests.viewer.test_app import click, press  # noqa: E402

MOVERS = {
    "village": "raven",
    "cliff-town": "vess",
    "river-crossing": "kara",
    "starport": "rhen",
    "dungeon": "brand",
    "crossroads": "rhen",
    "vehicle-yard": "swoop",
}
CELLS, ALONE = 50, 7
"""So many cells are asked of a server's process, and each of the last of one of its own."""
NEAR = 0.05001
"""Metres are written to a tenth."""
OF = re.compile(r"(?:(?:turn|round) (?P<turn>\d+): )?(?P<used>[\d.]+) of (?P<budget>[\d.]+) (?P<unit>.+)")


@pytest.fixture
def window(tmp_path):
    def opened(name, mover=None):
        app = App(read(assets.maps(name)), mover or MOVERS[name], text=1.0, library=Library(tmp_path))
        app.draw()
        return app

    yield opened
    pygame.display.quit()


def at(app, name):
    return app.screen.pixel_of(app.hand.battlemap.cell_named(name))


def chip(app, route):
    """The words of the chip where a way ends."""
    hand = app.hand
    level = route.end.cell.level
    shapes = route_shapes(hand.battlemap, route, hand.reach.bands, level, mover=hand.mover)
    (found,) = (shape.text for shape in shapes if shape.role.startswith("total:"))
    return found


def read_of(words):
    found = OF.fullmatch(words)
    assert found, words
    return int(found["turn"] or 1), float(found["used"]), float(found["budget"]), found["unit"]


def told(app):
    """What the window says of the cell under the pointer: turn, used, budget, cost, left, unit, posture."""
    hand = app.hand
    route = hand.route
    turn, used, budget, unit = read_of(chip(app, route))
    bar = brief.budget(hand.reach, route, hand.reach.query.turn.spent)
    assert read_of(bar.words) == (1, used, budget, unit), "the chip is the panel"
    assert bar.turn == turn
    assert sum((part.cost for part in bar.parts), Fraction(0)) == bar.used <= bar.total
    last = brief.reasons(route, hand.reach.bands)[-1]
    assert float(last.sum) == used, "the ledger comes to the same"
    status = " | ".join(app.screen.cell_words(hand.reach))
    (cost,) = re.findall(rf"(?:cheapest|this) way ([\d.]+) {unit}", status)
    (left,) = re.findall(rf", (-?[\d.]+) {unit} left", status)
    assert abs(used + float(left) - budget) <= 2 * NEAR, "the status line is the chip"
    assert used <= budget
    return {"turn": turn, "used": used, "cost": float(cost), "left": float(left), "unit": unit}


SUMS = ("band", "turn", "spent", "remaining", "cost")


def same(said, answer, bands):
    """Whether the window's words are what `path` answers, in metres where the rules count shares of a turn."""
    band = next(band for band in bands if band.name == answer["band"])
    assert said["unit"] == ("m" if band.metres is not None else said["unit"])
    each = 1 if band.metres is None else band.metres
    assert said["turn"] == answer["turn"]
    for word, key in (("used", "spent"), ("left", "remaining"), ("cost", "cost")):
        assert abs(said[word] - float(Fraction(str(answer[key])) * each)) <= NEAR, (word, said, answer[key])


@pytest.mark.parametrize("name", sorted(MOVERS))
def test_every_cell_says_one_sum(window, name):
    app = window(name)
    battlemap, bands = app.hand.battlemap, app.hand.reach.bands
    asked = tactical.reach(battlemap, MOVERS[name], turns=app.hand.turns)
    cells = sorted(asked.cells())
    assert len(cells) > 100
    for n, cell in enumerate(cells):
        app.hand.point_at(cell)
        app.hand.rested = True
        same(told(app), wire_value(asked.route(cell), battlemap), bands)
        if n % 60 == 0:
            page = app.screen.page(app.hand.reach, app.hand.route)
            assert page.said("budget") == brief.budget(app.hand.reach, app.hand.route, Fraction(0))


def test_every_cell_says_one_sum_in_the_middle_of_a_turn(window):
    for name, goal in (("village", "J12"), ("cliff-town", "G4"), ("river-crossing", "F5")):
        app = window(name)
        click(app, at(app, goal))
        assert app.hand.reach.query.turn.spent > 0
        for cell in sorted(app.hand.reach.cells()):
            app.hand.point_at(cell)
            app.hand.rested = True
            same(told(app), wire_value(app.hand.reach.route(cell), app.hand.battlemap), app.hand.reach.bands)


def test_a_way_of_ones_own_is_what_the_status_line_tells(window):
    app = window("village")
    press(app, pygame.K_3, pygame.KMOD_LSHIFT)
    app.hand.point_at(app.hand.battlemap.cell_named("K14"))
    assert "arriving prone" in app.screen.cell_words(app.hand.reach)
    told(app)
    click(app, at(app, "C15"), mods=pygame.KMOD_LCTRL)
    app.hand.point_at(app.hand.battlemap.cell_named("D14"))
    said = told(app)
    assert said["cost"] == float(app.hand.route.cost)


# -- real processes ---------------------------------------------------------------------------------------------------


@cache
def picked():
    """Fifty of the cells, from all maps alike: (map, mover, name of the cell)."""
    every = []
    for name, mover in MOVERS.items():
        battlemap = read(assets.maps(name))
        cells = sorted(tactical.reach(battlemap, mover, turns=2).cells())
        share = -(-CELLS // len(MOVERS))
        every += [(name, mover, battlemap.name_of(cell)) for cell in cells[5 :: len(cells) // share][:share]]
    return every[:CELLS]


def asked_of(one):
    name, mover, goal = one
    command = [sys.executable, "-m", "tactical", "path", name, "--mover", mover, "--to", goal, "--turns", "2", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ}, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def served():
    """What one process that serves answers for all of them."""
    loads = [{"do": "load", "map": name} for name in MOVERS]
    asked = [
        {"do": "route", "map": f"m{1 + list(MOVERS).index(name)}", "mover": mover, "to": goal, "turns": 2}
        for name, mover, goal in picked()
    ]
    lines = "".join(json.dumps(request) + "\n" for request in (*loads, *asked))
    command = [sys.executable, "-m", "tactical", "serve", "--stdio"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=300)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["ok"] for answer in answers), answers
    return [answer["result"] for answer in answers[len(loads) :]]


def test_fifty_cells_say_what_real_processes_answer(window):
    answers = served()
    assert len(answers) == CELLS
    every = CELLS // ALONE
    with ThreadPoolExecutor(2) as pool:
        for told_alone, answer in zip(pool.map(asked_of, picked()[::every]), answers[::every], strict=True):
            assert {key: told_alone[key] for key in SUMS} == {key: answer[key] for key in SUMS}
    apps = {}
    for (name, _, goal), answer in zip(picked(), answers, strict=True):
        app = apps[name] if name in apps else apps.setdefault(name, window(name))
        app.hand.point_at(app.hand.battlemap.cell_named(goal))
        app.hand.rested = True
        same(told(app), answer, app.hand.reach.bands)


# -- single sums ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [(), (pygame.K_1,)], ids=["prone", "stood up"])
def test_while_a_strike_waits_walked_and_to_go_are_one_sum(window, first):
    app = window("village")
    for key in first:
        press(app, key)
    click(app, at(app, "N9"))
    app.draw()
    assert app.hand.table.pending is not None
    page = app.screen.page(app.hand.reach, app.hand.route)
    assert page.said("budget").words == chip(app, app.hand.route) == "50 of 60 ft"
    assert sum(part.cost for part in page.said("budget").parts if part.spent) == 40
    assert page.said("budget").used == 50
    done = [reason for reason in page.said("why").reasons if reason.done]
    assert [reason.sum for reason in (done[-1], page.said("why").reasons[-1])] == ["40", "50"]
    press(app, pygame.K_RETURN)
    assert app.hand.table.turn("raven").spent == 50


def test_later_turns_are_in_the_unit_of_their_own_gait(window):
    app = window("cliff-town")
    app.hand.point_at(app.hand.battlemap.cell_named("L8"))
    page = app.screen.page(app.hand.reach, app.hand.route)
    assert chip(app, app.hand.route) == "round 2: 2 of 16 m"
    assert page.said("budget").words == "2 of 16 m"
    assert page.said("budget").ends[0][2] == "Round 2, Sprint 16"
    assert (page.said("why").reasons[-1].price, page.said("why").reasons[-1].sum) == ("+2", "2")


def test_an_outcome_has_the_colour_of_its_result(window):
    app = window("starport")
    press(app, pygame.K_t)
    press(app, pygame.K_t)
    app.hand.point_at(app.hand.battlemap.cell_named("S5"))
    app.draw()
    rows = app.screen.page(app.hand.reach, app.hand.route).said("outcomes")
    assert rows
    assert all((row.kind == "good") == (row.text == "all goes well") for row in rows)
    assert rows[0].kind != "good", "nothing goes well on this way"
    _, sheet, _ = app.screen._page
    inks = {mark.text: mark.ink for mark in sheet.of(Words)}
    assert [inks[row.chance] for row in rows[:1]] == [f"{rows[0].kind}_line"]


def styles(found):
    """The style of every gait of this turn by its name."""
    count = gait_count(found.bands)
    return {b.name: load().style_name(band_role(found.bands, b), count) for b in found.bands if b.turn == 1}


@pytest.mark.parametrize("name", sorted(MOVERS))
def test_a_gait_keeps_its_colour_all_turn(name):
    battlemap, mover = read(assets.maps(name)), MOVERS[name]
    fresh = Session.new(battlemap)
    first = styles(fresh.reach(mover))
    cells = sorted(fresh.reach(mover).cells())
    for cell in cells[:: max(1, len(cells) // 5)]:
        session = Session.new(battlemap)
        session.execute(Move(mover, cell))
        now = styles(session.reach(mover))
        assert {gait: style for gait, style in now.items() if gait in first} == {g: first[g] for g in now if g in first}
    for gait, style in first.items():
        assert styles(fresh.reach(mover, gait=gait))[gait] == style, "alone it looks as among others"


def test_a_dash_is_a_dash_before_and_after_it_is_bought():
    session = Session.new(read(assets.maps("village")))
    assert styles(session.reach("raven")) == {"move": "move", "dash": "dash"}
    assert session.execute(Dash("raven"))
    assert styles(session.reach("raven")) == {"dash": "dash"}
