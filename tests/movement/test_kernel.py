"""The kernel against networkx and scipy, tier against tier and queue against queue, on random graphs."""

from __future__ import annotations

import importlib.util
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tactical.search import loops, workspace
from tactical.search.compiled import Compiled, from_networkx, from_steps, width_for
from tactical.search.kernel import Settled, batch, search, warmup

NUMBA = importlib.util.find_spec("numba") is not None
TIERS = ["python", pytest.param("numba", marks=pytest.mark.skipif(not NUMBA, reason="numba is not installed"))]
quick = settings(max_examples=60, suppress_health_check=list(HealthCheck))


@st.composite
def graphs(draw: st.DrawFn, widest: int = 5) -> Compiled:
    """A small stencil graph in layers with some extra steps, costs from 0 up."""
    layers, side = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    cells = side * side
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    moves = [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1)]
    slots = len(moves) + 2
    kind = width_for(widest)
    weight = np.zeros((layers * cells, slots), kind)
    offset = np.zeros((layers, slots), np.int64)
    for layer in range(layers):
        for k, (dr, dc) in enumerate(moves):
            offset[layer, k] = dr * side + dc
            for cell in range(cells):
                row, col = divmod(cell, side)
                if 0 <= row + dr < side and 0 <= col + dc < side and rng.random() < 0.7:
                    weight[layer * cells + cell, k] = rng.integers(0, widest + 1) + 1
        for k, up in ((6, 1), (7, -1)):
            if 0 <= layer + up < layers:
                offset[layer, k] = up * cells
                rows = slice(layer * cells, (layer + 1) * cells)
                weight[rows, k] = rng.integers(0, widest + 2, cells)
    nodes = layers * cells
    count = draw(st.integers(0, 6))
    extras = from_steps(
        [(int(rng.integers(nodes)), int(rng.integers(nodes)), int(rng.integers(widest + 1))) for _ in range(count)],
        nodes=nodes,
    )
    compiled = Compiled(layers, cells, slots, weight, offset, *(extras if count else (None, None, None)))
    compiled.check()
    return compiled


def dict_graph(compiled: Compiled) -> nx.DiGraph:
    """The same graph in dictionaries, in the same order; of parallel steps the cheapest."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(compiled.nodes))
    for node in range(compiled.nodes):
        for target, ticks, _ in compiled.steps(node):
            if not graph.has_edge(node, target) or graph[node][target]["weight"] > ticks:
                graph.add_edge(node, target, weight=ticks)
    return graph


def oracle(compiled: Compiled, sources: dict[int, int], budget: int | None, rounding: int, pool: int) -> dict[int, int]:
    """Bellman and Ford with the rule of a step in its plainest words."""
    limit = float("inf") if budget is None else budget
    best = {node: cost for node, cost in sources.items() if cost <= limit}
    changed = True
    while changed:
        changed = False
        for node in list(best):
            for target, ticks, _ in compiled.steps(node):
                after = meter(best[node], ticks, limit, rounding, pool)
                if after is not None and after < best.get(target, float("inf")):
                    best[target] = after
                    changed = True
    return best


def meter(spent: int, ticks: int, limit: float, rounding: int, pool: int) -> int | None:
    """What the meter shows after a step; None where the step is refused."""
    if ticks == 0:
        return spent
    end = min(limit, (spent // pool + 1) * pool) if pool else limit
    if spent + ticks <= end:
        return spent + ticks
    if rounding == 1 and spent < end:
        return int(end)
    if rounding == 2 and spent == 0:
        return int(end)
    if pool and rounding != 1 and end < limit and ticks <= pool and end + ticks <= limit:
        return int(end) + ticks
    return None


def same(one: Settled, two: Settled) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in ("node", "cost", "parent", "slot"))


@pytest.mark.parametrize("engine", TIERS)
@quick
@given(compiled=graphs(), budget=st.one_of(st.none(), st.integers(0, 20)), data=st.data())
def test_equals_networkx_to_the_order(engine: str, compiled: Compiled, budget: int | None, data: st.DataObject) -> None:
    source = data.draw(st.integers(0, compiled.nodes - 1))
    found = search(compiled, [source], budget=budget, engine=engine)
    graph = dict_graph(compiled)
    wanted, paths = nx.single_source_dijkstra(graph, source, cutoff=budget)
    assert found.to_dict() == wanted
    parallel = graph.number_of_edges() < compiled.number_of_steps()
    if not parallel:
        assert list(found.to_dict()) == list(wanted)
        assert {node: found.path_to(node) for node in found.dist} == paths


@pytest.mark.parametrize("rounding", [0, 1, 2])
@pytest.mark.parametrize("pool", [0, 1, 3, 7])
@settings(quick, max_examples=25)
@given(compiled=graphs(), budget=st.one_of(st.none(), st.integers(0, 16)), data=st.data())
def test_roundings_and_pools(
    rounding: int, pool: int, compiled: Compiled, budget: int | None, data: st.DataObject
) -> None:
    nodes = st.integers(0, compiled.nodes - 1)
    start = data.draw(st.dictionaries(nodes, st.integers(0, 12), min_size=1, max_size=3))
    sources, costs = list(start), list(start.values())
    found = search(compiled, sources, costs=costs, budget=budget, rounding=rounding, pool=pool, engine="python")
    assert found.to_dict() == oracle(compiled, start, budget, rounding, pool)
    assert np.all(np.diff(found.cost) >= 0)
    steps = {node: {slot: (target, ticks) for target, ticks, slot in compiled.steps(node)} for node in start}
    limit = float("inf") if budget is None else budget
    for place, (node, parent, slot) in enumerate(zip(found.node, found.parent, found.slot, strict=True)):
        if parent < 0:
            assert slot == -1
            assert start[int(node)] == found.cost[place]
            continue
        before = int(found.node[parent])
        steps.setdefault(before, {s: (t, w) for t, w, s in compiled.steps(before)})
        target, ticks = steps[before][int(slot)]
        assert target == node
        assert meter(int(found.cost[parent]), ticks, limit, rounding, pool) == found.cost[place]
    if NUMBA:
        other = search(compiled, sources, costs=costs, budget=budget, rounding=rounding, pool=pool, engine="numba")
        assert same(found, other)


@pytest.mark.parametrize("engine", TIERS)
@quick
@given(compiled=graphs(), budget=st.one_of(st.none(), st.integers(0, 16)), pool=st.sampled_from([0, 5]), data=st.data())
def test_heap_equals_buckets(
    engine: str, compiled: Compiled, budget: int | None, pool: int, data: st.DataObject
) -> None:
    source = data.draw(st.integers(0, compiled.nodes - 1))
    buckets = search(compiled, [source], budget=budget, pool=pool, engine=engine)
    workspace.IDLE.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "WIDEST_RING", -1)
        heap = search(compiled, [source], budget=budget, pool=pool, engine=engine)
    assert [space.queue for space in workspace.IDLE] == ["heap"]
    assert same(buckets, heap)


@pytest.mark.parametrize("engine", TIERS)
@settings(quick, max_examples=30)
@given(compiled=graphs(widest=10**9), data=st.data())
def test_huge_ticks(engine: str, compiled: Compiled, data: st.DataObject) -> None:
    source = data.draw(st.integers(0, compiled.nodes - 1))
    budget = data.draw(st.one_of(st.none(), st.integers(0, 10**10)))
    wanted = nx.single_source_dijkstra_path_length(dict_graph(compiled), source, cutoff=budget)
    assert search(compiled, [source], budget=budget, engine=engine).to_dict() == wanted


@pytest.mark.parametrize("engine", TIERS)
def test_costs_of_32_bits_have_no_sign(engine: str) -> None:
    ticks = 2**30 + 7
    extras = from_steps([(i, i + 1, ticks) for i in range(3)], nodes=4)
    compiled = Compiled(1, 4, 0, np.zeros((4, 0), np.uint8), np.zeros((1, 0), np.int64), *extras)
    found = search(compiled, [0], budget=2**32 - 10 - ticks, engine=engine)
    assert found.cost.tolist() == [0, ticks, 2 * ticks]


@pytest.mark.parametrize("engine", TIERS)
def test_costs_beyond_32_bits(engine: str) -> None:
    count, ticks = 9, 2**40 + 1
    extras = from_steps([(i, i + 1, ticks) for i in range(count - 1)], nodes=count)
    compiled = Compiled(1, count, 0, np.zeros((count, 0), np.uint8), np.zeros((1, 0), np.int64), *extras)
    assert search(compiled, [0], engine=engine).cost.tolist() == [i * ticks for i in range(count)]


@pytest.mark.parametrize("engine", TIERS)
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.int64])
def test_every_width_of_weight(engine: str, kind: type[np.generic]) -> None:
    dearest = int(np.iinfo(kind).max) - 1 if kind is not np.int64 else 2**40
    compiled = Compiled(1, 3, 1, np.array([[dearest + 1], [1], [0]], kind), np.array([[1]], np.int64))
    assert search(compiled, [0], engine=engine).to_dict() == {0: 0, 1: dearest, 2: dearest}


@pytest.mark.parametrize("engine", TIERS)
def test_equals_scipy_on_a_big_map(engine: str) -> None:
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(7)
    side = 60
    weight = rng.integers(0, 6, (side * side, 4)).astype(np.uint8)
    weight[weight == 1] = 2  # scipy reads a cost of 0 as no step
    grid = weight.reshape(side, side, 4)
    grid[:, -1, 0] = grid[-1, :, 1] = grid[:, 0, 2] = grid[0, :, 3] = 0
    compiled = Compiled(1, side * side, 4, weight, np.array([[1, side, -1, -side]]))
    source, target, ticks, _ = compiled.all_steps()
    # older versions of scipy take indices of 32 bits only
    ends = source.astype(np.int32), target.astype(np.int32)
    matrix = sparse.csr_array((ticks, ends), shape=(compiled.nodes, compiled.nodes))
    for start, budget in ((0, None), (side * side // 2, 25), (side * side - 1, 60)):
        far = np.inf if budget is None else budget
        wanted = csgraph.dijkstra(matrix, indices=start, limit=far)
        found = search(compiled, [start], budget=budget, engine=engine).dense()
        assert np.array_equal(found, np.where(np.isinf(wanted), -1, wanted).astype(int))


@pytest.mark.parametrize("engine", TIERS)
@settings(quick, max_examples=30)
@given(compiled=graphs(), data=st.data())
def test_a_target_stops_the_search_and_leaves_no_trace(engine: str, compiled: Compiled, data: st.DataObject) -> None:
    nodes = st.integers(0, compiled.nodes - 1)
    source, target = data.draw(nodes), data.draw(nodes)
    whole = search(compiled, [source], engine=engine)
    cut = search(compiled, [source], target=target, engine=engine)
    if target in whole:
        assert cut.node[-1] == target
        assert cut.cost_of(target) == whole.cost_of(target)
        assert np.array_equal(cut.node, whole.node[: len(cut)])
    else:
        assert same(cut, whole)
    assert same(search(compiled, [source], engine=engine), whole)


@pytest.mark.parametrize("engine", TIERS)
def test_more_offers_than_there_was_room_for(engine: str) -> None:
    # a complete graph on which each node is offered ever cheaper ways: far more entries than nodes
    count = 150
    steps = [(i, j, 2 * (count - i) if j > i + 1 else 1) for i in range(count) for j in range(count) if i != j]
    extras = from_steps(steps, nodes=count)
    compiled = Compiled(1, count, 0, np.zeros((count, 0), np.uint8), np.zeros((1, 0), np.int64), *extras)
    workspace.IDLE.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "FIRST_ROOM", 8)
        found = search(compiled, [0], engine=engine)
    assert found.to_dict() == {i: min(i, 2 * count) for i in range(count)}
    assert same(found, search(compiled, [0], engine=engine))


@pytest.mark.parametrize("engine", [None, *TIERS])
@pytest.mark.parametrize("rows", [1, 1 << 16])
@settings(quick, max_examples=20)
@given(compiled=graphs(), budget=st.integers(0, 12))
def test_a_batch_is_many_searches(engine: str | None, rows: int, compiled: Compiled, budget: int) -> None:
    sources = list(range(0, compiled.nodes, 2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workspace, "MANY_ROWS", rows)
        found = batch(compiled, sources, budget, engine=engine)
        groups = batch(compiled, [sources, sources[:1]], budget, engine=engine)
    assert len(found) == len(sources)
    for source, each in zip(sources, found, strict=True):
        assert same(each, search(compiled, [source], budget=budget, engine="python"))
    assert same(groups[0], search(compiled, sources, budget=budget, engine="python"))
    assert same(groups[1], search(compiled, sources[:1], budget=budget, engine=engine))


@pytest.mark.parametrize("engine", TIERS)
def test_a_batch_with_more_offers_than_there_was_room_for(engine: str) -> None:
    count = 90
    steps = [(i, j, 2 * (count - i) if j > i + 1 else 1) for i in range(count) for j in range(count) if i != j]
    extras = from_steps(steps, nodes=count)
    compiled = Compiled(1, count, 0, np.zeros((count, 0), np.uint8), np.zeros((1, 0), np.int64), *extras)
    with pytest.MonkeyPatch.context() as patch:
        workspace.IDLE.clear()
        patch.setattr(workspace, "FIRST_ROOM", 8)
        found = batch(compiled, range(count), engine=engine)
    assert [each.dense().tolist() for each in found] == [
        search(compiled, [source], engine=engine).dense().tolist() for source in range(count)
    ]


@pytest.mark.parametrize("engine", TIERS)
def test_threads_do_not_meet(engine: str) -> None:
    rng = np.random.default_rng(3)
    side = 40
    weight = rng.integers(0, 9, (side, side, 2)).astype(np.uint8)
    weight[:, -1, 0] = weight[-1, :, 1] = 0
    compiled = Compiled(1, side * side, 2, weight.reshape(-1, 2), np.array([[1, side]]))
    alone = [search(compiled, [source], budget=40, engine=engine) for source in range(200)]
    with ThreadPoolExecutor(4) as crew:
        together = list(crew.map(lambda source: search(compiled, [source], budget=40, engine=engine), range(200)))
    assert all(map(same, alone, together))


def test_the_answer_is_yours_to_keep() -> None:
    compiled = Compiled(1, 4, 1, np.array([[3], [3], [3], [0]], np.uint8), np.array([[1]]))
    first = search(compiled, [0], budget=4)
    before = first.cost.copy()
    search(compiled, [2])
    assert np.array_equal(first.cost, before)
    assert first.pred.tolist() == [-1, 0, 1]
    assert first.dense(fill=99).tolist() == [0, 2, 4, 99]
    assert first.path_to(2) == [0, 1, 2]
    assert first.cost_of(3) is None
    assert dict(first.dist) == first.to_dict() == {0: 0, 1: 2, 2: 4}
    with pytest.raises(KeyError):
        first.path_to(3)


def test_a_door_is_a_byte() -> None:
    compiled = Compiled(1, 4, 1, np.array([[3], [3], [3], [0]], np.uint8), np.array([[1]]))
    assert len(search(compiled, [0])) == 4
    compiled.weight[1, 0] = 0
    compiled.changed()
    assert len(search(compiled, [0])) == 2


def test_misuse_is_refused() -> None:
    compiled = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]]))
    for wrong in (
        {"sources": [2]}, {"sources": [-1]}, {"sources": [0], "costs": [1, 2]}, {"sources": [0], "costs": [-1]},
        {"sources": [0], "budget": -1}, {"sources": [0], "rounding": 3}, {"sources": [0], "pool": -1},
        {"sources": [0], "engine": "fortran"},
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"\w"):
            search(compiled, **wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="bad step"):
        Compiled(1, 2, 1, np.array([[2], [2]], np.uint8), np.array([[1]])).check()
    with pytest.raises(ValueError, match="do not fit"):
        Compiled(1, 2, 2, np.array([[2], [2]], np.uint8), np.array([[1]]))


@quick
@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_anybodys_graph_compiles(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = nx.DiGraph()
    graph.add_nodes_from(f"n{i}" for i in range(count))
    for _ in range(count * 3):
        graph.add_edge(f"n{rng.integers(count)}", f"n{rng.integers(count)}", weight=int(rng.integers(0, 300)))
    compiled, labels = from_networkx(graph)
    found = search(compiled, [labels.node("n0")])
    wanted, paths = nx.single_source_dijkstra(graph, "n0")
    assert [(labels.label(node), cost) for node, cost in found.dist.items()] == list(wanted.items())
    assert {labels.label(n): [labels.label(m) for m in found.path_to(n)] for n in found.dist} == paths


def test_a_graph_that_is_not_exact_does_not_compile() -> None:
    for weight, wrong in ((1.5, TypeError), (True, TypeError), (-1, ValueError), (2**70, ValueError)):
        with pytest.raises(wrong):
            from_networkx(nx.DiGraph([(1, 2, {"weight": weight})]))
    with pytest.raises(TypeError):
        from_networkx(nx.MultiDiGraph([(1, 2)]))


def test_pickle_carries_the_arrays_only() -> None:
    compiled = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]]))
    search(compiled, [0])
    again = pickle.loads(pickle.dumps(compiled))
    assert again.kept == {}
    assert search(again, [0]).to_dict() == {0: 0, 1: 1}


def test_one_question_does_not_start_numba() -> None:
    program = (
        "import sys, numpy as np\n"
        "from tactical.search.compiled import Compiled\nfrom tactical.search.kernel import search\n"
        "c = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]]))\n"
        "assert len(search(c, [0])) == 2; assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_warmup_says_whether_there_is_a_compiled_tier() -> None:
    assert warmup() is NUMBA


@pytest.mark.skipif(not NUMBA, reason="numba is not installed")
def test_no_folder_for_the_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    real = numba.njit

    def nowhere(*args: object, **options: object) -> object:
        if options.get("cache"):
            raise RuntimeError("cannot cache function: no locator available")
        return real(*args, **options)

    monkeypatch.setattr(numba, "njit", nowhere)
    workspace._loop.cache_clear()
    try:
        compiled = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]]))
        assert len(search(compiled, [0], engine="numba")) == 2
    finally:
        workspace._loop.cache_clear()


def test_rounding_words_match_numbers() -> None:
    inf = 10**9
    assert loops.price(0, 9, 6, 0, 0, inf) > 6
    assert loops.price(5, 9, 6, 1, 0, inf) == 6
    assert loops.price(0, 9, 6, 2, 0, inf) == 6
    assert loops.price(1, 9, 6, 2, 0, inf) > 6
    assert loops.price(4, 3, 12, 0, 6, inf) == 9


def test_what_is_held_for_searches_does_not_grow_with_the_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.IDLE.clear()
    for count in range(2, 200, 3):
        steps = from_steps([(i, i + 1, 1) for i in range(count - 1)], nodes=count)
        line = Compiled(1, count, 0, np.zeros((count, 0), np.uint8), np.zeros((1, 0), np.int64), *steps)
        assert len(search(line, [0], engine="python")) == count
        # with a small ring it comes to a graph that has more to remember
        assert len(search(line, [0], budget=count // 2, engine="python")) == count // 2 + 1
    held = list(workspace.IDLE)
    assert len(held) <= 8
    assert all(space.compiled is None and not space.fixed for space in held)
    assert sum(space.bytes for space in held) == workspace.IDLE.bytes
    monkeypatch.setattr(workspace, "MOST_IDLE", 1)
    search(line, [0], engine="python")
    assert len(list(workspace.IDLE)) == 1


def test_a_search_that_failed_leaves_its_workspace_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.IDLE.clear()
    compiled = Compiled(1, 2, 1, np.array([[2], [0]], np.uint8), np.array([[1]], np.int64))
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "_loop", lambda engine, queue: lambda *parts: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            search(compiled, [0], engine="python")
    assert not list(workspace.IDLE)
    assert len(search(compiled, [0], engine="python")) == 2
