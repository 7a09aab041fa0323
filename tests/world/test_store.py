"""What is kept with a map is bounded, however many different questions are asked."""

from __future__ import annotations

import gc
from weakref import WeakSet

import pytest

from tactical import Battlemap, Cell, Mover, Session, reach
from tactical.movement.graph.lattice import Lattice
from tactical.play.commands import CloseDoor, OpenDoor
from tactical.world import store as stores
from tactical.world.edges.barriers import Barrier, Kind
from tactical.world.store import Store


def test_heavy_things_go_before_light_ones_and_those_not_asked_for_first() -> None:
    store = Store(())
    store.put("name", "light")
    for n in range(stores.MOST_HEAVY):
        store.put(n, f"graph {n}", 1000)
    assert store.get(0) == "graph 0"
    store.put("one more", "graph", 1000)
    assert store.get(0) == "graph 0"
    assert store.get(1) is None
    assert store.get("name") == "light"
    assert len(store) == stores.MOST_HEAVY + 1


def test_light_things_are_bounded_too() -> None:
    store = Store(())
    store.put("graph", "heavy", 1000)
    for n in range(stores.MOST_THINGS + 10):
        store.put(n, n + 1)
    assert store.get(9) is None
    assert store.get(10) == 11
    assert store.get("graph") == "heavy"
    assert len(store) == stores.MOST_THINGS + 1


def test_all_bytes_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MOST_BYTES", 10)
    store = Store(())
    store.put("a", "a", 6)
    store.put("a", "b", 5)
    store.put("c", "c", 5)
    assert store.get("a") == "b"
    store.put("d", "d", 1)
    assert store.get("c") is None
    assert store.put("e", "e", 11) == "e"
    assert store.get("e") is None


def test_all_stores_together_are_bounded_and_the_map_asked_longest_ago_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MOST_STORES", 3)
    monkeypatch.setattr(stores, "_HEAVY", WeakSet())
    maps = [Store((n,)) for n in range(3)]
    for store in maps:
        store.put("graph", "graph", 10)
        store.put("name", "light")
    assert maps[0].get("graph") == "graph"
    fourth = Store((3,))
    fourth.put("graph", "graph", 10)
    assert [store.get("graph") for store in (*maps, fourth)] == ["graph", None, "graph", "graph"]
    assert maps[1].get("name") == "light"
    monkeypatch.setattr(stores, "MOST_BYTES", 25)
    maps[1].put("graph", "again", 10)
    assert [store.get("graph") for store in (*maps, fourth)] == [None, "again", None, "graph"]


def test_a_past_of_many_doors_holds_few_graphs() -> None:
    barriers = [Barrier(((2.0, 1.0), (2.0, 2.0)), Kind.DOOR, id="gate")]
    place = Battlemap.from_rows(["...."] * 4, movers=[Mover("a", at=Cell(1, 1))], barriers=barriers, rules="plain")
    game = Session.new(place)
    for n in range(2 * stores.MOST_STORES):
        game.reach("a").cells()
        assert game.execute((CloseDoor if n % 2 else OpenDoor)("gate")), n
    gc.collect()
    held = [
        one
        for one in gc.get_objects()
        if type(one) is Store and any(type(it[0]) is Lattice for it in one._heavy.values())
    ]
    assert len(held) <= stores.MOST_STORES


def test_graphs_of_many_different_questions_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "MOST_HEAVY", 5)
    battlemap = Battlemap.from_rows(["." * 12] * 12, movers=[Mover("a", at=Cell(0, 0))], rules="plain")

    def kept() -> int:
        gc.collect()
        return sum(type(one) is Lattice for one in gc.get_objects())

    before = kept()
    for size in range(1, 7):
        for diagonal in ("equal", "none"):
            # bodies of other sizes under other rules need graphs of their own
            assert reach(battlemap, Mover("a", at=Cell(0, 0), size=size), options={"diagonal": diagonal}).cells()
    assert kept() - before <= 6
