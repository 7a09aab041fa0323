"""The set-up sheet: everything on it can be stepped, is told, and is taken back by undo where it is of the game."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.registry import RULESETS  # noqa: E402
from tactical.rules.ruleset import get_ruleset  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer import setup  # noqa: E402
from tests.viewer.test_app import click, press  # noqa: E402

CORNER = Cell(2, 7)
"""A diagonal step from where Raven stands."""


@pytest.fixture
def app(opened, battlemap):
    made = opened(battlemap, "raven")
    made.command("setup")
    made.draw()
    return made


def at(app, name):
    return next(n for n, one in enumerate(app.desk.settings()) if one.name == name)


def value(app, name):
    return app.desk.settings()[at(app, name)].value


def test_an_option_is_stepped_by_a_click_and_taken_back(app):
    far = app.hand.reach.cost(CORNER)
    app.screen.setup.first = at(app, "diagonal")
    app.draw()
    box = next(box for box, command in app.screen.hits if command == f"set:{at(app, 'diagonal')}:1")
    click(app, box.center)
    assert value(app, "diagonal") == "none"
    assert app.hand.reach.options["diagonal"] == "none"
    assert app.hand.reach.cost(CORNER) > far, "no diagonal steps, further round"
    app.draw()
    press(app, pygame.K_z)
    assert value(app, "diagonal") == "equal"
    assert app.hand.reach.cost(CORNER) == far
    assert app.screen.setup is not None, "the sheet stays open"


def test_a_stat_is_stepped_by_keys_and_taken_back(app):
    app.screen.setup.chosen = at(app, "speed")
    press(app, pygame.K_RIGHT)
    assert value(app, "speed") == "35"
    assert app.hand.reach.cost is not None
    assert app.hand.table.mover("raven").stats["speed"] == 35
    press(app, pygame.K_z)
    assert value(app, "speed") == "30"


def test_a_change_that_nobody_can_play_by_is_refused(app):
    before = app.hand.session.position.rules, app.hand.reach.ruleset
    app.hand.table.do(setup.SetMover("raven", {"speed": 45}))
    for _ in RULESETS.names():
        app.command(f"set:{at(app, 'Rule system')}:1")
        app.draw()
        assert all(app.hand.table.reach(name, 1) is not None for name in app.hand.table.ids)
    while app.hand.reach.ruleset != before[1]:
        app.command("undo")
        assert not app.hand.warn
    assert app.hand.table.mover("raven").stats["speed"] == 45, "what was done before is still there"


def test_the_look_of_the_window_is_set_there_too(app):
    app.command(f"set:{at(app, 'Text size')}:1")
    assert app.screen.size > 1
    plain = app.screen.theme.styles["dash"].alpha
    app.command(f"set:{at(app, 'Tints')}:1")
    app.draw()
    assert app.screen.theme.styles["dash"].alpha > plain
    press(app, pygame.K_ESCAPE)
    assert app.screen.setup is None


@pytest.mark.parametrize("name", RULESETS.names())
def test_every_value_an_option_is_stepped_to_is_one_it_takes(name):
    from tactical.options import Options

    ruleset = get_ruleset(name)
    options = Options.build(ruleset.options, ruleset.defaults)
    for key in options:
        spec, now = options.spec(key), options[key]
        if not setup._can_step(spec, now):
            continue
        for by in (1, -1):
            seen = now
            for _ in range(12):
                seen = spec.parse(setup.next_value(spec, seen, by))
