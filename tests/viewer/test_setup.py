"""The set-up sheet: everything on it can be stepped, is told, and is taken back by undo where it is of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

pygame = pytest.importorskip("pygame")

from tactical.registry import RULESETS  # noqa: E402
from tactical.rules.ruleset import get_ruleset  # noqa: E402
from tactical.show.sheet import Words  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.playing import setup  # noqa: E402
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
    press(app, pygame.K_z, pygame.KMOD_CTRL)
    assert value(app, "diagonal") == "equal"
    assert app.hand.reach.cost(CORNER) == far
    assert app.screen.setup is not None, "the sheet stays open"


def test_a_stat_is_stepped_by_keys_and_taken_back(app):
    app.screen.setup.chosen = at(app, "speed")
    press(app, pygame.K_RIGHT)
    assert value(app, "speed") == "35"
    assert app.hand.reach.cost is not None
    assert app.hand.table.mover("raven").stats["speed"] == 35
    press(app, pygame.K_z, pygame.KMOD_CTRL)
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


def write(app, name, words):
    """Write a value as a user does: Enter, letters, Enter."""
    app.screen.setup.chosen = at(app, name)
    press(app, pygame.K_RETURN)
    while app.screen.setup.written:
        press(app, pygame.K_BACKSPACE)
    for letter in words:
        key = ord(letter.lower())
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode=letter, scancode=0))
        app.handle(pygame.event.Event(pygame.KEYUP, key=key, mod=0, unicode="", scancode=0))
    press(app, pygame.K_RETURN)
    app.draw()


def test_a_value_is_written_letter_by_letter_and_what_is_wrong_stays_to_be_mended(app):
    write(app, "speed", "45")
    assert (value(app, "speed"), app.screen.setup.written) == ("45", None)
    write(app, "speed", "fast")
    assert app.hand.warn
    assert app.screen.setup.written == "fast"
    assert "fast" in app.hand.message
    press(app, pygame.K_ESCAPE)
    assert (value(app, "speed"), app.screen.setup.written) == ("45", None)
    write(app, "strength", "16")
    write(app, "strength", "")
    assert value(app, "strength") == "none"


def test_conditions_in_words_are_written_too(opened, battlemap):
    movers = tuple(
        replace(mover, rules="twelve-second", stats={"mv": 12, "modes": ["walk"]} if mover.id == "raven" else {"mv": 9})
        for mover in battlemap.movers
    )
    app = opened(battlemap.with_(movers=movers, rules="twelve-second"), "raven")
    app.command("setup")
    app.draw()
    assert value(app, "load") == "none"
    write(app, "load", "heavy")
    assert value(app, "load") == "heavy", app.hand.message
    assert app.hand.table.mover("raven").stats["load"] == "heavy"
    press(app, pygame.K_z, pygame.KMOD_CTRL)
    assert value(app, "load") == "none"


def test_a_theme_of_ones_own_is_taken_from_its_file(app, tmp_path):
    shipped = app.screen.theme.styles["dash"].fill
    app.command(f"set:{at(app, 'Theme')}:1")
    own = tmp_path / "settings" / "themes" / "own.toml"
    assert own.is_file()
    assert value(app, "Theme") == "own"
    app.command(f"set:{at(app, 'Theme')}:1")
    own.write_text(own.read_text(encoding="utf-8").replace('"E38D12"', '"112233"'), encoding="utf-8")
    app.command(f"set:{at(app, 'Theme')}:1")
    app.draw()
    assert app.screen.theme.styles["dash"].fill == (0x11, 0x22, 0x33) != shipped
    own.write_text("name = 3", encoding="utf-8")
    for _ in range(2):
        app.command(f"set:{at(app, 'Theme')}:1")
    assert app.hand.warn
    assert "own.toml" in app.hand.message
    app.draw()


def typed(app, words):
    for letter in words:
        app.handle(pygame.event.Event(pygame.KEYDOWN, key=ord(letter.lower()), mod=0, unicode=letter))
        app.handle(pygame.event.Event(pygame.KEYUP, key=ord(letter.lower()), mod=0, unicode=""))
    app.draw()


def rows(app):
    settings = app.desk.settings()
    return [settings[n].name for n in app.screen.setup.found(settings)]


def test_what_is_typed_finds_rows_and_does_nothing_to_the_game(app):
    before = app.hand.session.position
    typed(app, "athl")
    assert rows(app)
    assert all("athl" in f"{one.name} {one.doc}".lower() for one in app.desk.settings() if one.name in rows(app))
    assert len(rows(app)) < len(app.desk.settings())
    assert "athl" in app.screen.over().text()
    assert app.hand.session.position is before
    press(app, pygame.K_BACKSPACE)
    assert app.screen.setup.sought == "ath"
    press(app, pygame.K_ESCAPE)
    assert app.screen.setup is None


def test_a_row_that_was_found_is_the_one_that_is_changed(app):
    typed(app, "speed")
    press(app, pygame.K_DOWN)
    press(app, pygame.K_UP)
    lit = app.desk.settings()[app.screen.setup.chosen]
    assert lit.name in rows(app)
    while app.desk.settings()[app.screen.setup.chosen].name != "speed":
        press(app, pygame.K_DOWN)
    press(app, pygame.K_RIGHT)
    assert app.hand.table.mover("raven").stats["speed"] == 35


def test_what_is_not_shown_is_not_changed(app):
    before = app.hand.session.position
    typed(app, "no such words")
    for key in (pygame.K_RIGHT, pygame.K_LEFT, pygame.K_RETURN, pygame.K_DOWN, pygame.K_END, pygame.K_PAGEUP):
        press(app, key)
        app.draw()
    assert app.screen.setup is not None
    assert app.hand.session.position is before


def test_pages_and_ends_of_the_sheet_are_a_key_away(app):
    count, room = len(app.desk.settings()), setup.rows_in(800)
    press(app, pygame.K_PAGEDOWN)
    assert app.screen.setup.chosen == room
    press(app, pygame.K_END)
    assert app.screen.setup.chosen == count - 1
    assert app.screen.setup.first == count - room
    press(app, pygame.K_PAGEUP)
    assert app.screen.setup.chosen == count - 1 - room
    press(app, pygame.K_HOME)
    assert (app.screen.setup.chosen, app.screen.setup.first) == (0, 0)


def test_every_name_in_the_sheet_begins_with_a_capital(app):
    """Those of the window as those of rules and maps."""
    sheet = app.screen.over()
    names = {one.title for one in app.desk.settings()}
    shown = [one.text for one in sheet.of(Words) if one.text in names]
    assert len(shown) >= 8
    assert all(text[0].isupper() or not text[0].isalpha() for text in shown)
    assert "speed" not in [one.text for one in sheet.of(Words)]


def test_the_sheet_opens_without_what_was_told_of_the_map(app):
    app.desk.close()
    app.hand.tell("Raven went to C7")
    app.command("setup")
    assert app.hand.message == ""


@pytest.mark.parametrize("name", RULESETS.names())
def test_the_tables_of_the_rules_are_told_and_cannot_be_set(name):
    ruleset = get_ruleset(name)
    told = list(setup.tables_of(ruleset))
    tables = {} if ruleset.sheet is None else ruleset.sheet()
    assert len(told) >= len(tables)
    assert all(one.step is None and one.write is None and (one.value or one.doc) for one in told)


def test_a_d6_table_tells_the_numbers_of_a_level():
    told = {one.name: one.value for one in setup.tables_of(get_ruleset("d6-reup"))}
    numbers = {level: told[f"numbers of a level, {level}"] for level in ("VE", "E", "M", "D", "VD", "H")}
    assert list(numbers.values()) == ["1 to 5", "6 to 10", "11 to 15", "16 to 20", "21 to 30", "31+"]
