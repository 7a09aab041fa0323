"""Long questions are answered in slices, and the next input drops them: counted, never timed."""

from __future__ import annotations

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.errors import Refusal  # noqa: E402
from tactical.movement.reach import reach_of  # noqa: E402
from tactical.movement.rolls.chances import weighing  # noqa: E402
from tactical.movement.rolls.risks import risking  # noqa: E402
from tactical.movement.turns.searching import reaching  # noqa: E402
from tactical.play.session import Session  # noqa: E402
from tactical.search.slices import Work  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.world.battlemap import Battlemap  # noqa: E402
from tactical.world.mover import Mover  # noqa: E402
from tests.viewer.test_app import point, wait_for  # noqa: E402

HALL = ["..........", "..###.###.", "..#.#.#.#.", "..###.###.", ".........."]
CLOSETS = Cell(3, 2), Cell(7, 2)


def opened(battlemap, mover, tmp_path):
    app = App(battlemap, mover, text=1.0, library=Library(tmp_path))
    pygame.event.clear()
    app.draw()
    return app


@pytest.fixture
def hall(tmp_path, monkeypatch):
    """A window on a hall with two rooms that have no doors, where nothing is answered at once."""
    monkeypatch.setattr("tactical.viewer.asking.AT_ONCE", 0.0)
    brand = Mover("brand", at=Cell(0, 0))
    yield opened(Battlemap.from_rows(HALL, rules="operator", movers=(brand,)), "brand", tmp_path)
    pygame.display.quit()


def test_why_not_is_looked_for_in_slices_after_the_input(hall):
    app, (cell, other) = hall, CLOSETS
    app.hand.point_at(None)
    point(app, app.screen.pixel_of(cell))
    app.hand.rested = True
    assert app.hand.route is None, "one slice at the most is taken by the input itself"
    ticks = 0
    while app.hand.route is None:
        app.hand.think(0.0)
        ticks += 1
    assert ticks > 3
    assert isinstance(app.hand.route, Refusal)
    assert app.hand.route.code == "move.barred"
    # the next input drops what was begun
    app.hand.point_at(other)
    assert app.hand.route is None
    app.hand.point_at(None)
    assert app.hand.route is None
    assert not app.hand.think(0.0)


def test_the_loop_finds_it_by_itself(hall):
    app = hall
    point(app, app.screen.pixel_of(CLOSETS[0]))
    wait_for(app, lambda: isinstance(app.hand.route, Refusal) and app.hand.route.code == "move.barred")


@pytest.mark.parametrize(
    ("name", "mover"), [("river-crossing", "kara"), ("starport", "hound"), ("dungeon", "sly"), ("cliff-town", "vess")]
)
def test_no_long_question_is_answered_in_one_piece(name, mover, tmp_path):
    app = opened(read(assets.maps(name)), mover, tmp_path)
    reach = app.hand.session.reach(mover)
    far = max(reach.cells(), key=lambda cell: (reach.cost(cell), cell))
    assert sum(1 for _ in weighing(reach)) >= 4
    assert sum(1 for _ in risking(reach, far, "attacks")) >= 2
    pygame.display.quit()


@pytest.mark.parametrize(
    ("name", "mover", "least"),
    [("river-crossing", "kara", 60), ("starport", "rhen", 20), ("cliff-town", "brann", 60), ("dungeon", "ogre", 4)],
)
def test_a_reach_in_slices_is_the_reach_asked_at_once(name, mover, least):
    session = Session.new(read(assets.maps(name)))
    work = Work(reaching(reach_of(session.position.query(mover), turns=2, at_once=False)))
    slices = 0
    while work.more:
        work.on(0.0)
        slices += 1
    assert slices >= least, "no slice is long"
    sliced, whole = work.answer, session.reach(mover, turns=2)
    assert dict(sliced.costs) == dict(whole.costs)
    assert [band.name for band in sliced.bands] == [band.name for band in whole.bands]
    assert all(sliced.cells(band) == whole.cells(band) for band in whole.bands)
