"""The movement graph is a networkx graph: its attributes, networkx's algorithms on it, and the oracle's own edges."""

from __future__ import annotations

import inspect
import itertools
import pickle
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import networkx as nx
import pytest
from hypothesis import given

from tactical import Cell, MovementGraph, State
from tactical.movement.query import UNSAID
from tests.oracle.body import State as OracleState
from tests.oracle.engine import maps
from tests.oracle.moves import Mover
from tests.oracle.worlds import GROUND, few, scenarios

WORLD: dict[str, Any] = {
    "ruleset": "operator",
    "glyphs": GROUND + "..cdrp1n",
    "bodies": True,
    "links": True,
    "most": 5,
    "options": ("diagonal", "corner", "cost_stacking", "door_cost"),
}

BACKENDS = pytest.mark.parametrize("_backend", ["networkx", "tactical"], indirect=True)


@pytest.fixture
def _backend(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let networkx prefer a backend; what the backend does not offer networkx does itself."""
    with nx.config(backend_priority=[request.param] if request.param != "networkx" else []):
        yield


@pytest.fixture(autouse=True)
def _no_announcements() -> Iterator[None]:
    """networkx announces every use of a cached conversion."""
    with nx.config(warnings_to_ignore={"cache"}):
        yield


def graph_of(scenario: Mapping[str, Any]) -> MovementGraph:
    mover, turn = maps.mover_of(scenario)
    return MovementGraph(maps.board(scenario), mover, options=scenario["options"], turn=turn)


def village() -> MovementGraph:
    """A small fixed board with doors, mud, a low roof and stairs."""
    return graph_of(
        {
            "ruleset": "operator",
            "options": {"diagonal": "alternate", "door_cost": 5},
            "map": {
                "rows": ["S..~~.", ".#.~..", ".#.r..", "...r.."],
                "legend": {"~": {"difficult": True}, "r": {"headroom": "crouched"}},
                "edges": [{"at": "C1.e", "kind": "door-closed"}, {"at": "C2.e", "kind": "one-way", "pass": "e"}],
                "links": [{"from": "A4", "to": "F1", "cost": 10}],
            },
            "mover": {"start": "A1", "speed": 30},
        }
    )


@few
@given(scenarios(**WORLD))
def test_the_kernel_is_networkx_dijkstra(scenario: Mapping[str, Any]) -> None:
    graph = graph_of(scenario)
    found = graph.search()
    costs = {graph.lattice.state(node): ticks for node, ticks in found.to_dict().items()}
    copy = nx.DiGraph(graph)
    expected = nx.single_source_dijkstra_path_length(copy, graph.start)
    assert costs == expected
    assert nx.single_source_dijkstra_path_length(graph, graph.start, backend="tactical") == expected
    for place, (node, parent) in enumerate(zip(found.node.tolist(), found.parent.tolist(), strict=True)):
        state = graph.lattice.state(node)
        if parent < 0:
            assert (state, found.cost[place]) == (graph.start, 0)
        else:
            before = graph.lattice.state(int(found.node[parent]))
            assert costs[before] + copy.edges[before, state]["weight"] == costs[state]


@few
@given(scenarios(**{**WORLD, "edges": False, "links": False}))
def test_every_edge_is_the_oracles(scenario: Mapping[str, Any]) -> None:
    graph, mover = graph_of(scenario), Mover(scenario)
    mover.limited = False
    for state, targets in graph.adjacency():
        here = OracleState((state.cell.col, state.cell.row, state.cell.level), state.posture, state.diagonals)
        expected: dict[State, Fraction] = {}
        for move in mover.moves(here):
            end = State(Cell(*move.end.pos), move.end.posture, move.end.parity)
            expected[end] = min(move.cost, expected.get(end, move.cost))
        assert {end: data["cost"] for end, data in targets.items()} == expected


@few
@given(scenarios(**WORLD))
def test_attributes_keep_their_contract(scenario: Mapping[str, Any]) -> None:
    graph = graph_of(scenario)
    for state, data in graph.nodes(data=True):
        assert set(data) == {"cell", "name", "posture", "terrain", "elevation", "stop"}
        assert (data["cell"], data["posture"]) == (state.cell, state.posture)
        assert graph.query.battlemap.cell_named(data["name"]) == state.cell
        assert isinstance(data["elevation"], Fraction)
        assert isinstance(data["stop"], bool)
    for start, end, data in graph.edges(data=True):
        assert set(data) == {"weight", "cost", "way", "distance", "clause", "charges"}
        assert type(data["weight"]) is int
        assert data["cost"] == data["weight"] * graph.tick
        if start.cell == end.cell:
            assert data["distance"] == 0
            assert data["way"] in ("stand", "crouch", "prone")
        else:
            assert data["way"] not in ("stand", "crouch", "prone")
        assert all(isinstance(name, str) and isinstance(value, Fraction) for name, value in data["charges"])


@pytest.mark.usefixtures("_backend")
@BACKENDS
def test_single_source_dijkstra() -> None:
    graph = village()
    costs, paths = nx.single_source_dijkstra(graph, graph.start, cutoff=30)
    expected = nx.single_source_dijkstra_path_length(nx.DiGraph(graph), graph.start, cutoff=30)
    assert costs == expected
    for state, path in paths.items():
        assert path[0] == graph.start
        assert path[-1] == state
        assert sum(graph.edges[step]["weight"] for step in itertools.pairwise(path)) == costs[state]


@pytest.mark.usefixtures("_backend")
@BACKENDS
def test_a_star_finds_what_dijkstra_finds() -> None:
    graph = village()
    plain = nx.DiGraph(graph)
    step = int(graph.query.battlemap.cell / graph.tick)

    def straight(a: State, b: State) -> int:
        # the stairs cost 10 ft, so nobody is nearer than that or the king's distance
        return step * min(max(abs(a.cell.col - b.cell.col), abs(a.cell.row - b.cell.row)), 2)

    for goal in [state for state in graph if state.posture == "standing" and state.diagonals == 0]:
        length = nx.dijkstra_path_length(plain, graph.start, goal)
        path = nx.astar_path(graph, graph.start, goal, heuristic=straight)
        assert sum(graph.edges[edge]["weight"] for edge in itertools.pairwise(path)) == length
        assert nx.astar_path_length(graph, graph.start, goal) == length


@pytest.mark.usefixtures("_backend")
@BACKENDS
def test_ego_graph_is_what_lies_within_a_cost() -> None:
    graph = village()
    near = nx.ego_graph(graph, graph.start, radius=15, distance="weight")
    expected = nx.single_source_dijkstra_path_length(nx.DiGraph(graph), graph.start, cutoff=15)
    assert set(near) == set(expected)
    assert set(near.edges) == {(a, b) for a, b in graph.edges if a in expected and b in expected}


@pytest.mark.usefixtures("_backend")
@BACKENDS
def test_strongly_connected_components() -> None:
    graph = village()
    found = {frozenset(part) for part in nx.strongly_connected_components(graph)}
    assert found == {frozenset(part) for part in nx.strongly_connected_components(nx.DiGraph(graph))}


def test_a_one_way_side_makes_two_components_of_a_corridor() -> None:
    graph = graph_of(
        {
            "ruleset": "twelve-second",
            "options": {"diagonal": "none"},
            "map": {"rows": ["S..."], "edges": [{"at": "B1.e", "kind": "one-way", "pass": "e"}]},
            "mover": {"start": "A1", "mv": 30},
        }
    )
    parts = sorted(sorted(state.cell.col for state in part) for part in nx.strongly_connected_components(graph))
    assert parts == [[0, 1], [2, 3]]


def test_a_pickled_graph_comes_back_the_same() -> None:
    graph = village()
    again = pickle.loads(pickle.dumps(graph))
    assert isinstance(again, MovementGraph)
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert list(again.edges(data=True)) == list(graph.edges(data=True))
    assert again.start == graph.start
    assert again.tick == graph.tick


def test_node_link_data_holds_the_whole_graph() -> None:
    graph = village()
    data = nx.node_link_data(graph, edges="edges")
    again = nx.node_link_graph(data, edges="edges")
    assert dict(again.nodes(data=True)) == dict(graph.nodes(data=True))
    assert {(a, b): d for a, b, d in again.edges(data=True)} == {(a, b): d for a, b, d in graph.edges(data=True)}


def test_the_graph_is_frozen_and_its_copy_is_not() -> None:
    graph = village()
    with pytest.raises(nx.NetworkXError):
        graph.add_edge(graph.start, graph.start)
    copy = nx.DiGraph(graph)
    copy.remove_node(graph.start)
    assert graph.start in graph
    assert graph.start not in copy


def test_what_is_no_state_is_no_node() -> None:
    graph = village()
    start = graph.start
    assert start in graph
    for other in (
        start.cell,
        None,
        start._replace(cell=Cell(1, 1)),
        start._replace(cell=Cell(99, 0)),
        tuple(start[:2]),
    ):
        assert other not in graph
    with pytest.raises(KeyError):
        graph.search(start._replace(cell=Cell(1, 1)))
    assert len(graph) == len(list(graph)) == graph.number_of_nodes()
    assert graph.number_of_edges() == sum(1 for _ in graph.edges)


def test_what_a_graph_is_called_with_is_shown() -> None:
    shown = inspect.signature(MovementGraph).parameters
    assert list(shown) == ["battlemap", "mover", "pool", "limited", *UNSAID]
