"""What is kept with a map is bounded, however many different questions are asked."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
from collections.abc import Hashable
from typing import Any
from weakref import WeakSet

import pytest

from tactical import Battlemap, Cell, Mover, Session, reach, to_json
from tactical.movement.graph import kept
from tactical.movement.graph.lattice import Lattice
from tactical.play.commands import CloseDoor, OpenDoor
from tactical.search.workspace import IDLE
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


def test_what_is_asked_for_again_and_again_stays_among_many_light_things() -> None:
    store = Store(())
    store.put("asked", 1)
    store.put("forgotten", 2)
    for n in range(2 * stores.MOST_THINGS):
        store.put(n, n)
        assert store.get("asked") == 1
    assert store.get("forgotten") is None


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


def test_a_reach_that_is_pickled_says_what_to_pickle() -> None:
    place = Battlemap.from_rows(["..."])
    walker = Mover("walker", "plain", {"speed": 30}, Cell(0, 0))
    found = reach(place, walker)
    with pytest.raises(TypeError, match=r"pickle its map and its mover .* or the dictionary that to_json makes of it"):
        pickle.dumps(found)
    assert reach(*pickle.loads(pickle.dumps((place, walker)))).costs == found.costs
    assert pickle.loads(pickle.dumps(to_json(found))) == to_json(found)


def test_a_graph_is_kept_for_about_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    weights: list[int] = []
    put = Store.put

    def noted(self: Store, key: Hashable, value: Any, weight: int = 0) -> Any:
        weights.append(weight)
        return put(self, key, value, weight)

    monkeypatch.setattr(Store, "put", noted)
    walker = Mover("walker", "plain", {"speed": 3000}, Cell(0, 0))
    assert reach(Battlemap.from_cells(9, 9), walker).costs
    weights.clear()
    place = Battlemap.from_cells(150, 150)
    gc.collect()
    tracemalloc.start()
    try:
        assert reach(place, walker).costs
        IDLE.clear()
        gc.collect()
        took = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert took / 2 < sum(weights) < 5 * took


def test_the_graph_of_a_map_of_a_million_cells_is_small_enough_to_be_kept() -> None:
    cells, steps = 1_000_000, 8
    assert 2 * cells * steps + kept.EACH_CELL * cells < stores.MOST_BYTES
