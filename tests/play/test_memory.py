"""A long game stays small: what is worked out about a position is forgotten with it."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import tactical
from tactical import Battlemap, Cell, Mover
from tactical.assets import maps
from tactical.play import commands as do
from tactical.play.session import Session

MOST = 6_000
"""Bytes a command may add: its events in the log, and the position before it."""


def small() -> Session:
    """Two movers on 25 cells."""
    movers = [Mover("a", at=Cell(0, 0)), Mover("z", at=Cell(4, 4))]
    return Session.new(Battlemap.from_rows(["....."] * 5, movers=movers, rules="plain"), order=["a"])


def village() -> Session:
    """The village, where raven alone has turns."""
    return Session.new(tactical.load(maps("village")), order=["raven"])


def a_turn(session: Session, mover: str, commands: int) -> None:
    """One turn of so many commands, with a reach and a route asked before it and after its move."""
    here = session.position.status(mover).state.cell
    reach = session.reach(mover, turns=2)
    near = min(cell for cell in reach.cells(reach.bands[0]) if abs(cell.col - here.col) + abs(cell.row - here.row) == 1)
    assert session.route(mover, near)
    assert session.execute(do.Move(mover, reach.route(near)))
    if session.position.pending is not None:
        # who crawls over slick mud is asked for a check, and the game master names its DC (OPR-34)
        assert session.execute(do.GivenRoll(mover, total=15, number=10))
    assert session.reach(mover)
    for n in range(commands - 2):
        assert session.execute(do.Spend(mover, 5 if n % 2 == 0 else -5))
    assert session.undo()
    assert session.redo()
    assert session.execute(do.EndTurn(mover))


@pytest.mark.parametrize(("begin", "mover", "turns"), [(small, "a", 20), (village, "raven", 4)])
def test_a_thousand_commands_more_cost_a_few_kilobytes_each(begin: Any, mover: str, turns: int) -> None:
    session = begin()
    for _ in range(4):
        a_turn(session, mover, 4)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        done = len(session.log)
        for _ in range(turns):
            a_turn(session, mover, 1000 // turns)
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert len(session.log) - done >= 1000
    assert grown / 1000 < MOST


def test_what_a_seal_closes_off_is_not_held() -> None:
    """Each command explores one cell of 10,000, and nobody can go back to what was known before."""
    cells = [Cell(col, row) for row in range(100) for col in range(100)]
    session = Session.new(
        Battlemap.from_cells(100, 100, movers=[Mover("a", at=Cell(0, 0))], rules="plain"), known={"a": cells[:5000]}
    )
    session.execute(do.Reveal("a", (cells[5000],)))
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for cell in cells[5001:5101]:
            assert session.execute(do.Reveal("a", (cell,)))
        gc.collect()
        # one set of all that is known may have grown; a hundred of them are not held
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert not session.undo()
    assert grown < 3_000_000


def resident(pid: int) -> int:
    """What a process holds in memory, in bytes, where the system tells."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        pytest.skip("the system does not tell what a process holds")
    return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith("VmRSS"))


def test_a_server_of_a_long_game_stays_small() -> None:
    serve = [sys.executable, "-m", "tactical", "serve", "--stdio"]
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None
        assert server.stdout is not None

        def ask(**request: object) -> Any:
            server.stdin.write(json.dumps(request).encode() + b"\n")  # type: ignore[union-attr]
            server.stdin.flush()  # type: ignore[union-attr]
            answer = json.loads(server.stdout.readline())  # type: ignore[union-attr]
            assert answer["ok"], answer
            assert answer["result"].get("kind") != "refusal", answer
            return answer["result"]

        ask(do="load", map="village")
        game = ask(do="begin", map="m1", order=["raven"])["session"]
        held = []
        for n in range(40):
            there = ["L10", "L11"][n % 2]
            ask(do="reach", session=game, mover="raven")
            ask(do="route", session=game, mover="raven", to=there)
            ask(do="move", session=game, mover="raven", to=there)
            ask(do="reach", session=game, mover="raven")
            ask(do="execute", session=game, command={"do": "end-turn", "mover": "raven"})
            held.append(resident(server.pid))
        ask(do="quit")
    # the first turns load what every game needs
    assert held[-1] - held[19] < 8_000_000
