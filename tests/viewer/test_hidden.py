"""What the window shows players of hidden things: nothing, until the game master answers."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical.show.panel import lay_out  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.playing.table import Table  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.edges.barriers import Barrier  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import click, point, press  # noqa: E402

ROWS = ["....?.", "......", "......"]
LEGEND = {"?": {"terrain": "hoard", "unknown": True}}


def board(**more: object) -> Battlemap:
    movers = (
        Mover("pc", at=Cell(0, 1), side="heroes"),
        Mover("hid", at=Cell(2, 0), side="horde", hidden=True, name="Snatcher"),
    )
    return Battlemap.from_rows(ROWS, LEGEND, rules="operator", **{"movers": movers, **more})


def words(app: App) -> str:
    """All that the window says: the panel, the status line, the tooltip, the chips on the map."""
    screen, hand = app.screen, app.hand
    page = screen.page(hand.reach, hand.route)
    chips = screen.playback.moments if screen.playback is not None else ()
    return repr((page, lay_out(page), hand.message, screen.cell_words(hand.reach), chips))


def pixels(app: App) -> bytes:
    app.draw()
    return pygame.image.tobytes(app.screen.surface, "RGB")


def test_a_hidden_strikers_name_is_not_shown_before_the_answer(opened) -> None:
    app = opened(board(), "pc")
    click(app, app.screen.pixel_of(Cell(4, 1)))
    app.draw()
    assert app.hand.table.pending is not None
    assert "hid" not in words(app).replace("hidden", "")
    assert "Snatcher" not in words(app)
    press(app, pygame.K_RETURN)
    app.draw()
    assert app.hand.table.pending is None
    assert "hid" in app.hand.message
    press(app, pygame.K_z)
    assert app.hand.warn, "it cannot be taken back"


def test_the_game_master_sees_who_strikes(opened) -> None:
    app = opened(board(), "pc")
    # the first press begins to explore, the second shows everything
    press(app, pygame.K_k)
    press(app, pygame.K_k)
    assert app.screen.shown.referee
    app.draw()
    click(app, app.screen.pixel_of(Cell(4, 1)))
    app.draw()
    assert app.hand.table.pending is not None
    assert "Snatcher" in words(app)


def test_the_pointer_tells_nothing_of_hidden_movers_and_unknown_ground(opened) -> None:
    app = opened(board(), "pc")
    for cell in (Cell(2, 0), Cell(4, 0)):
        point(app, app.screen.pixel_of(cell))
        app.draw()
        assert "Snatcher" not in words(app)
        assert "hoard" not in words(app)


def test_a_window_with_hidden_things_looks_like_one_without(opened) -> None:
    seen = []
    for vault, lurking in ((True, True), (False, False)):
        line = ((3, 1), (3, 2))
        barrier = Barrier(line, "door", "vault", "secret") if vault else Barrier(line)
        movers = board().movers if lurking else board().movers[:1]
        app = opened(board(barriers=(barrier,), movers=movers), "pc")
        app.screen.timed = False
        point(app, app.screen.pixel_of(Cell(1, 1)))
        seen.append(pixels(app))
    assert seen[0] == seen[1]


def test_doors_without_a_name_are_not_numbered_by_secret_ones() -> None:
    doors = (Barrier(((1, 0), (1, 1)), "door", "", "secret"), Barrier(((2, 0), (2, 1)), "door"))
    table = Table(board(barriers=doors))
    assert [door.id for door in table.battlemap.barriers] == ["door 2", "door 1"]
