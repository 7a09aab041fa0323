"""There is always a legal command: whoever is to act can move or end the turn, whatever waits can be answered."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tactical import Battlemap, Cell, EndTurn, GivenRoll, GoOn, Move, Mover, Session
from tactical.rules.dice import Pool
from tests.oracle.worlds import EXAMPLES
from tests.play.boards import SYSTEMS

LEGEND: Mapping[str, Mapping[str, object]] = {
    ".": {"terrain": "floor", "level": "VE", "number": 3},
    "d": {"terrain": "rubble", "level": "D", "number": 18, "rough": True, "difficult": True},
    "w": {"terrain": "pool", "water": "deep", "level": "M", "number": 12},
    "n": {"terrain": "stair", "no_stop": True, "level": "E", "number": 7},
    "?": {"terrain": "field"},
    "_": {"terrain": "gap", "gap": True},
    "2": {"terrain": "shelf", "elevation": 2, "level": "VE", "number": 3},
}
BODIES: Mapping[str, list[Mapping[str, object]]] = {
    **{name: [stats] for name, stats in SYSTEMS.items()},
    "d6-reup": [{"move": 6, "code": "3D", "stamina": "1D", "previous": speed} for speed in ("stop", "high", "all_out")],
    "d6-revised": [
        {"kind": kind, "move": 6, "code": "2D", "body_strength": "1D", "previous": speed}
        for kind in ("character", "vehicle") for speed in ("cruising", "all_out")
    ],
    "twelve-second": [
        {"strength": 6, "dexterity": 6, "endurance": 1}, {"strength": 20, "dexterity": 21, "endurance": 2},
    ],
}  # fmt: skip
OPTIONS: Mapping[str, list[Mapping[str, object]]] = {
    "d6-reup": [{}, {"speed_after_fall": "kept"}, {"round_seconds": 30}, {"ring": "walk"}],
    "d6-revised": [{}, {"vehicle_failure": "as_character", "speed_after_fall": "kept"}, {"round_seconds": 600}],
    "twelve-second": [{}, {"mode_mixing": "single"}],
}
HEIGHT = 3


def board(rules: str, glyphs: str, stats: Mapping[str, object]) -> Battlemap:
    """A cramped board: a floor cell in two corners for two movers, anything elsewhere."""
    width = len(glyphs) // HEIGHT
    rows = [list(glyphs[n * width : (n + 1) * width]) for n in range(HEIGHT)]
    rows[0][0] = rows[-1][-1] = "."
    unit, cell = ("ft", 5) if rules in ("plain", "operator") else ("m", 1)
    movers = (
        Mover("kit", rules, dict(stats), Cell(0, 0), "ours"),
        Mover("foe", rules, dict(stats), Cell(width - 1, HEIGHT - 1), "theirs"),
    )
    return Battlemap.from_rows(["".join(row) for row in rows], LEGEND, cell=cell, unit=unit, rules=rules, movers=movers)


def anything(session: Session, mover: str) -> bool:
    """Whether the mover gets anywhere at all."""
    battlemap = session.battlemap
    cells = (Cell(col, row) for row in range(battlemap.rows) for col in range(battlemap.cols))
    return any(session.execute(Move(mover, cell)) for cell in cells)


def answered(session: Session, number: int) -> bool:
    """Whether what waits can be answered."""
    pending = session.position.pending
    assert pending is not None
    if pending.what == "attack":
        return bool(session.execute(GoOn(pending.mover)))
    check = pending.checks[min(len(pending.rolls), len(pending.checks) - 1)]
    total = _shown(check.dice, number)
    numbers = (None,) if check.number is not None else (1, 6, 11, 16, 21, 31, 41, 51)
    return any(session.execute(GivenRoll(pending.mover, total, number=given)) for given in numbers)


def _shown(code: str, number: int) -> int:
    """A total that these dice can show."""
    if code.startswith("d"):
        return 1 + number % 20
    pool = Pool.parse(code or "3D")
    return pool.dice + number % (5 * pool.dice + 1) + pool.pips


@pytest.mark.parametrize("rules", SYSTEMS)
@settings(max_examples=int(EXAMPLES or 12))
@given(data=st.data())
def test_somebody_can_always_do_something(rules: str, data: st.DataObject) -> None:
    glyphs = data.draw(st.text(".....##dwn?_2", min_size=6 * HEIGHT, max_size=6 * HEIGHT))
    stats = data.draw(st.sampled_from(BODIES[rules]))
    options = data.draw(st.sampled_from(OPTIONS.get(rules, [{}])))
    session = Session.new(board(rules, glyphs, stats), order=["kit", "foe"], options=options)
    for number in data.draw(st.lists(st.integers(0, 10_000), min_size=1, max_size=14)):
        if session.position.pending is not None:
            assert answered(session, number), session.position.pending
            continue
        mover = session.position.active
        cells = sorted(session.reach(mover).cells()) if number % 3 else []
        if cells and session.execute(Move(mover, cells[number % len(cells)])):
            continue
        if not session.execute(EndTurn(mover)):
            assert anything(session, mover), (glyphs, session.position.status(mover))


CLOSET = ["....", "####", "...."]


@pytest.mark.parametrize("rules", ["d6-reup", "d6-revised"])
@pytest.mark.parametrize("options", [{}, {"ring": "walk"}, {"speed_after_fall": "kept"}])
def test_too_fast_for_the_room_is_told_and_no_end_of_the_game(rules: str, options: Mapping[str, object]) -> None:
    mover = Mover("kit", rules, {"move": 10, "code": "4D", "previous": "all_out"}, Cell(0, 0))
    battlemap = Battlemap.from_rows(CLOSET, LEGEND, cell=1, unit="m", rules=rules, movers=(mover,))
    session = Session.new(battlemap, options=options)
    if options.get("ring") != "walk":
        assert session.execute(Move("kit", Cell(2, 0))).code == "move.min_distance"  # type: ignore[union-attr]
        done = session.execute(Move("kit", Cell(3, 0)))
        assert "blocked" in list(done)[-1].text  # type: ignore[arg-type]
    else:
        assert anything(session, "kit")
    assert session.execute(EndTurn("kit"))
