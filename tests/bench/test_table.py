"""The rows of the benchmark are there, and every engine in them computes the right answer.  No time is judged."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tactical import Battlemap, Cell, Mover, reach
from tests.bench import memory, public
from tests.bench.__main__ import as_json, shown
from tests.bench.inputs import inputs
from tests.bench.peers import Ground, absent, installed
from tests.bench.public import (
    OPTIONS,
    SAMPLES,
    Row,
    bounded,
    costs_of,
    diagonals,
    many,
    place,
    race,
    risks,
    spots,
    walker,
    walls,
    ways,
)
from tests.bench.turns import MOVERS


def test_the_whole_table_has_a_row_for_every_target(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "bounded",
        "ways",
        "many",
        "opening",
        "chances",
        "risks",
        "turns",
        "later",
        "walls",
        "diagonals",
        "process",
    ):
        monkeypatch.setattr(public, name, lambda *args, name=name, **more: f"{name}{args[:1]}")
    monkeypatch.setattr(public, "games", lambda: ["games"])
    monkeypatch.setattr(public, "reasons", lambda name: [f"reasons {name}"])
    found = [str(row) for row in public.rows()]
    assert found[:5] == ["bounded(12,)", "bounded(24,)", "ways()", "many(False,)", "many(True,)"]
    assert found[5] == "games"
    assert len([row for row in found if row.startswith("chances")]) == len(SAMPLES)
    assert len([row for row in found if row.startswith("risks")]) == len(SAMPLES)
    assert len([row for row in found if row.startswith("later")]) == len(MOVERS)
    assert len([row for row in found if row.startswith("reasons")]) == len(SAMPLES)
    assert found[-3:] == ["walls()", "diagonals()", "process()"]
    assert [str(row) for row in public.rows(quick=True)] == found[:6]


@pytest.mark.parametrize("peer", ["heapq", "networkx", "scipy", "rustworkx", "igraph", "networkit"])
def test_peers_come_to_our_costs(peer: str) -> None:
    if peer not in ("heapq", "networkx") and not installed(peer):
        pytest.skip(f"{peer} is not installed")
    battlemap, ground = place(20)
    ask = getattr(ground, peer)(6)
    for at in spots(ground, 5):
        assert ask(at) == costs_of(reach(battlemap, walker(at, 6), options=OPTIONS))


def test_small_rows_are_raced_and_compared() -> None:
    row = bounded(4, {"networkx": 0.0}, side=15, count=3)
    assert {"tactical", "heapq", "networkx"} <= row.times.keys()
    assert row.met
    assert not row.otherwise
    assert ways(side=40, away=5, count=2).otherwise == ()
    assert many(True, count=5, cells=3).times.keys() == {"tactical", "networkx"}
    assert walls(count=50, side=40).times["tactical"] > 0
    assert diagonals(count=20, side=30).times["tactical"] > 0
    assert risks("village").times["tactical"] > 0


@pytest.mark.parametrize("crowded", [False, True])
def test_a_kept_reach_owns_little_beside_the_graph_it_shares(crowded: bool) -> None:
    ours, stencil = memory.owned(crowded, side=60, count=20)
    assert 0 < ours <= memory.SHARE * stencil
    assert memory.owned(crowded, read=False, side=60, count=20)[0] < ours


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_tells_how_much_it_grew() -> None:
    row = memory.three(side=60)
    assert row.met
    assert row.unit == "MB"
    assert "MB" in shown(row)


def test_rows_of_the_kernel_are_objects_too() -> None:
    # no target has this number, so nothing is measured
    script = [sys.executable, str(Path(public.__file__).with_name("ratios.py")), "--json", "--only", "0"]
    done = subprocess.run(script, check=False, capture_output=True, text=True)
    assert json.loads(done.stdout) == []


def test_an_engine_with_another_answer_is_named_and_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ground, "heapq", lambda *_: lambda at: {at: 1.0})
    row = bounded(4, {}, side=12, count=3)
    assert row.otherwise == ("heapq",)
    assert "heapq" not in row.times
    assert "another answer: heapq" in shown(row)


def test_a_row_as_text_and_as_json() -> None:
    row = race("nothing", {"tactical": int, "other": int}, rounds=3, wants={"other": 0.0}, most=1000)
    assert json.loads(json.dumps(as_json(row)))["met"] is True
    assert ">= 0x other" in shown(row)
    missed = Row("slow", {"tactical": 2.0, "other": 1.0}, {"tactical": (1.0, 3.0)}, {"other": 1.0}, beat=1.0)
    assert not missed.met
    assert "MISSED" in shown(missed)


def test_absent_peers_are_those_that_cannot_be_found() -> None:
    assert all(not installed(name) for name in absent())


def test_inputs_in_the_window_have_their_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    hall = Battlemap.from_rows(["....", "...."], rules="plain", movers=(Mover("walker", at=Cell(0, 0)),))
    monkeypatch.setattr("tests.bench.inputs.load", lambda path: hall)
    handled, ticks = inputs("hall", count=3)
    assert "an input in the window" in handled.name
    assert "a slice of work" in ticks.name
    assert handled.most == ticks.most == 50
    assert handled.times["tactical"] >= 0
