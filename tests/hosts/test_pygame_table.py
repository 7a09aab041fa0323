"""The small tabletop, played by posted events in a window without a display; and that it is what it says it is."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
pytest.importorskip("pygame")

import pygame

import tactical
from tactical import Cell
from tactical.assets import maps
from tactical.hosts import pygame_table

SOURCE = Path(pygame_table.__file__)


@pytest.fixture
def screen() -> Iterator[pygame.Surface]:
    """A window without a display."""
    pygame.display.init()
    pygame.font.init()
    yield pygame.display.set_mode((1000, 640))
    pygame.quit()


@pytest.fixture
def table(screen: pygame.Surface) -> pygame_table.Table:
    """The village, Raven's turn."""
    session = tactical.Session.new(tactical.load(maps("village")), order=["raven", "guard"], seed=1)
    return pygame_table.Table(session, screen.get_size())


def pixel(table: pygame_table.Table, name: str) -> tuple[int, int]:
    """The middle of a cell on the screen."""
    cell = table.session.battlemap.cell_named(name)
    x, y = table.camera.pixel(table.session.battlemap.grid.centre(cell.col, cell.row))
    return int(x), int(y)


def drag(table: pygame_table.Table, start: str, end: str) -> None:
    """Press on one cell, let go on another."""
    table.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=pixel(table, start)))
    table.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel(table, end), rel=(1, 1), buttons=(1, 0, 0)))
    table.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=pixel(table, end)))


def press(table: pygame_table.Table, key: int) -> None:
    """Press a key."""
    table.handle(pygame.event.Event(pygame.KEYDOWN, key=key))


def at(table: pygame_table.Table, mover: str) -> str:
    """Where somebody is."""
    return str(table.session.position.status(mover).state.cell)


def test_point_click_drag_undo_and_the_order_of_turns(table: pygame_table.Table, screen: pygame.Surface) -> None:
    table.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=pixel(table, "L10"), rel=(1, 1), buttons=(0, 0, 0)))
    assert table.message == "L10: 35 ft"
    drag(table, "L10", "L10")
    assert at(table, "raven") == "L10"
    press(table, pygame.K_u)
    assert at(table, "raven") == "H14"
    drag(table, "H14", "L10")
    assert at(table, "raven") == "L10"
    press(table, pygame.K_SPACE)
    assert table.session.active == "guard"
    drag(table, "F20", "F22")
    assert at(table, "magpie") == "F22"
    table.draw(screen, pygame.font.Font(None, 20))
    press(table, pygame.K_u)
    press(table, pygame.K_u)
    assert table.session.active == "raven"
    press(table, pygame.K_y)
    assert table.session.active == "guard"


def test_a_way_out_of_date_is_refused_and_the_new_one_is_shown(table: pygame_table.Table) -> None:
    where = pixel(table, "L10")
    table.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=where, rel=(1, 1), buttons=(0, 0, 0)))
    assert table.message == "L10: 35 ft"
    table.session.execute(tactical.Posture("raven", "standing"))
    before = at(table, "raven")
    table.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=where))
    assert table.message.startswith("No: the way to L10 cost 35 ft when it was shown and costs ")
    assert at(table, "raven") == before
    assert isinstance(table.layer.route, tactical.Route)
    table.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, button=1, pos=where))
    assert at(table, "raven") == "L10"


def test_an_attack_waits_for_a_key(table: pygame_table.Table) -> None:
    drag(table, "N9", "N9")
    assert table.choices() == ("guard may strike", "G go on", "S stop here")
    assert at(table, "raven") == "M10"
    drag(table, "L9", "L9")
    assert table.message.startswith("No: ")
    press(table, pygame.K_g)
    assert at(table, "raven") == "N9"
    assert table.choices() == ()


def test_keys_change_posture_and_dash(table: pygame_table.Table) -> None:
    press(table, pygame.K_1)
    assert table.session.position.status("raven").state.posture == "standing"
    press(table, pygame.K_d)
    assert table.session.position.status("raven").turn.dashes == ("dash",)
    press(table, pygame.K_d)
    assert table.message.startswith("No: ")
    press(table, pygame.K_ESCAPE)
    assert not table.running


def test_the_reach_is_drawn(table: pygame_table.Table, screen: pygame.Surface) -> None:
    font = pygame.font.Font(None, 20)
    table.draw(screen, font)
    near, far = screen.get_at(pixel(table, "I13")), screen.get_at(pixel(table, "A1"))
    assert near != far
    blank = screen.copy()
    blank.fill(pygame_table.BACK)
    assert pygame.image.tobytes(screen, "RGB") != pygame.image.tobytes(blank, "RGB")
    assert table.cell((999, 10)) is None
    assert table.token(Cell(7, 13)) == "raven"


def test_a_whole_program_runs_until_it_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE), pygame.event.Event(pygame.QUIT)]
    monkeypatch.setattr(pygame.event, "wait", lambda: events.pop(0))
    pygame_table.main(str(maps("small/two-turns")))
    assert not events


def test_it_is_short_and_uses_public_names_only() -> None:
    text = SOURCE.read_text()
    assert len(text.splitlines()) < 200
    allowed = {"tactical": set(tactical.__all__), "tactical.viewer": {"Camera", "ReachLayer"}}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tactical"):
            assert {alias.name for alias in node.names} <= allowed[node.module], node.module
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= {"sys", "pygame", "tactical"}
        if isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_")
            if isinstance(node.value, ast.Name) and node.value.id == "tactical":
                assert node.attr in allowed["tactical"], node.attr
