"""Kept graphs: shared by questions about one map, with bodies laid over them, and never seen in an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tactical import Barrier, Battlemap, Cell, Mover, Refusal, Zone, plan, reach
from tactical.movement.graph import kept
from tactical.movement.graph.lattice import Lattice
from tactical.movement.planning.planner import routing
from tactical.movement.query import ask
from tactical.movement.reach import Reach
from tactical.movement.rolls.risks import risking
from tactical.movement.steps import shortest as kept_ways
from tactical.movement.turns import usual
from tactical.movement.why.whynot import reasoning
from tactical.search.slices import Slices
from tactical.units import exact

LEGEND = {
    "~": {"factor": 2}, "w": {"water": "deep"}, "x": {"hazard": "fire"}, "_": {"headroom": "prone"},
    "^": {"elevation": 5}, "o": {"gap": True},
}  # fmt: skip
OPTIONS: list[dict[str, object]] = [
    {}, {"diagonal": "alternate"}, {"diagonal": "alternate", "difficult_diagonal": "as_two"}, {"ally_cost": "3/2"},
    {"ally_cost": 2}, {"corner_occupants": "block"}, {"hazard_policy": "avoid"}, {"pay_on": "leave"},
    {"squeeze": True}, {"door_limit": 1}, {"sharing": {"ally": 1}}, {"grid_rounding": "enter_if_any_left"},
    {"enemy_pass_cost": 3, "enemy_size_gap": 0}, {"diagonal": "euclid"},
]  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Battlemap, list[Mover], dict[str, object]]:
    rows = draw(st.lists(st.text(".....~#wx_^o", min_size=7, max_size=7), min_size=5, max_size=5))
    edges = st.tuples(st.integers(1, 6), st.integers(0, 4))
    doors = [Barrier(((x, y), (x, y + 1)), "door") for x, y in draw(st.lists(edges, max_size=2))]
    spots = draw(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 4)), min_size=2, max_size=5, unique=True))
    sides = st.sampled_from(["a", "a", "b", ""])
    movers = [
        Mover(f"m{n}", "plain", {"speed": draw(st.sampled_from([15, 30]))}, Cell(*at), draw(sides),
              size=draw(st.sampled_from([1, 1, 1, 2])), hidden=draw(st.sampled_from([False, False, True])))
        for n, at in enumerate(spots)
    ]  # fmt: skip
    zones = (Zone((Cell(2, 2),), {"difficult": True}, source="m0"),) if draw(st.booleans()) else ()
    place = Battlemap.from_rows(rows, LEGEND, barriers=doors, movers=movers, zones=zones)
    return place, movers, draw(st.sampled_from(OPTIONS))


def answers(found: Reach) -> Any:
    ways = {cell: found.route(cell) for cell in found.arrivals}
    return dict(found.costs), {cell: found.posture(cell) for cell in found.arrivals}, found.passing(), ways


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(worlds(), st.sampled_from([1, 2]))
def test_a_kept_graph_answers_as_one_made_for_the_question(
    world: tuple[Battlemap, list[Mover], dict[str, object]], turns: int
) -> None:
    place, movers, options = world
    for mover in movers:
        # what the first question notes the next ones are answered by
        reach(place, replace(mover, id="first"), options=options, turns=turns, others=())
    shared = [answers(reach(place, mover.id, options=options, turns=turns)) for mover in movers]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "laid", lambda *_: None)
        patch.setattr(usual, "answers", lambda _: None)
        own = [answers(reach(place, mover.id, options=options, turns=turns)) for mover in movers]
    assert shared == own


@settings(max_examples=8, suppress_health_check=list(HealthCheck))
@given(worlds(), st.sampled_from([1, 2]))
def test_a_plan_is_the_route_of_a_reach(world: tuple[Battlemap, list[Mover], dict[str, object]], turns: int) -> None:
    place, movers, options = world
    found = reach(place, movers[0].id, options=options, turns=turns)
    for cell in [(col, row) for col in range(7) for row in range(5)]:
        assert plan(place, movers[0].id, cell, options=options, turns=turns) == found.route(cell)
    narrow = {"gait": "move", "reserve": 5, "arrive": "prone"}
    kept_back = reach(place, movers[0].id, options=options, **narrow)  # type: ignore[arg-type]
    for cell in [(0, 0), (3, 2), (6, 4)]:
        assert plan(place, movers[0].id, cell, options=options, **narrow) == kept_back.route(cell)


def made(monkeypatch: pytest.MonkeyPatch) -> list[Lattice]:
    """The graphs that are compiled from now on."""
    found: list[Lattice] = []
    drawn = Lattice.drawn.__func__  # type: ignore[attr-defined]

    def noted(cls: type[Lattice], *args: Any, **more: Any) -> Iterator[None]:
        graph = yield from drawn(cls, *args, **more)
        found.append(graph)
        return graph

    monkeypatch.setattr(Lattice, "drawn", classmethod(noted))
    return found


def test_movers_that_move_alike_share_a_graph_wherever_they_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Battlemap.from_rows(["." * 40] * 30)
    graphs = made(monkeypatch)
    for n in range(6):
        body = Mover("other", at=Cell(20 - n, 5))
        found = reach(place, Mover(f"m{n}", "plain", {"speed": 10 + n}, Cell(20, 4 + n)), others=[body])
        assert (body.at in found.costs) is False
    assert len(graphs) == 1
    reach(place, Mover("swimmer", "plain", {"swim_factor": 3}, Cell(0, 0)))
    assert len(graphs) == 1, "on dry ground it makes no difference how dear swimming is"
    reach(place, Mover("big", "plain", {}, Cell(0, 0), size=2))
    assert len(graphs) == 2


def test_a_changed_map_has_graphs_of_its_own() -> None:
    place = Battlemap.from_rows(["....."], barriers=[Barrier(((2, 0), (2, 1)), "door", id="gate")])
    walker = Mover("walker", "plain", {"speed": 30}, Cell(0, 0))

    def ends(battlemap: Battlemap) -> int:
        return len(reach(battlemap, walker, options={"door_policy": "block"}).costs)

    assert [ends(place), ends(place.with_(doors={"gate": "open"})), ends(place)] == [2, 5, 2]
    assert ends(place.with_(terrain={(1, 0): {"impassable": True}})) == 1
    assert place.with_(movers=[walker]).store is place.store


def test_another_posture_is_searched_when_it_is_asked_for() -> None:
    found = reach(Battlemap.from_rows(["....."]), Mover("walker", "plain", {"speed": 30}, Cell(0, 0)))
    route = found.route((2, 0), arrive="prone")
    assert route
    assert route.end.posture == "prone"
    assert found.again(arrive="crouched").posture((1, 0)) == "crouched"
    assert isinstance(found.route((2, 0), arrive="kneeling"), Refusal)


def test_a_low_roof_calls_for_postures() -> None:
    place = Battlemap.from_rows(["._..."], {"_": {"headroom": "prone"}})
    found = reach(place, Mover("walker", "plain", {"speed": 60}, Cell(0, 0)))
    assert found.posture((1, 0)) == "prone"
    assert (4, 0) in found


def test_far_bodies_and_large_maps() -> None:
    place = Battlemap.from_rows(["." * 300] * 200)
    bodies = [Mover(f"b{n}", at=Cell(n, 10)) for n in range(60)]
    found = reach(place, Mover("walker", "plain", {"speed": 30}, Cell(150, 100)), others=bodies)
    assert len(found.costs) == 13 * 13
    near = reach(place, Mover("walker", "plain", {"speed": 30}, Cell(59, 12)), others=bodies)
    assert (near.cost((59, 10)), near.cost((60, 9)), near.cost((54, 9))) == (None, 15, 25)


@pytest.mark.parametrize(
    ("options", "straight", "beyond"),
    [({"ally_cost": 2}, 10, 15), ({"ally_cost": "3/2"}, "15/2", "25/2"), ({"ally_cost": 5}, 25, 30), ({}, 5, 10)],
)
def test_friends_are_passed_at_their_price(options: dict[str, object], straight: object, beyond: object) -> None:
    place = Battlemap.from_rows(["...."])
    walker = Mover("walker", "plain", {"speed": 60}, Cell(0, 0), side="a")
    friend = Mover("friend", at=Cell(1, 0), side="a")
    for _ in range(2):
        assert reach(place, walker).cost((1, 0)) == 5
        found = reach(place, walker, others=[friend], options=options)
        assert found.cost((1, 0)) is None
        route = found.route((2, 0))
        assert route
        assert [step.cost for step in route.steps] == [exact(straight), 5]
        assert found.cost((2, 0)) == route.cost == exact(beyond)


@settings(max_examples=10, suppress_health_check=list(HealthCheck))
@given(worlds())
def test_ways_are_the_same_however_few_are_kept(world: tuple[Battlemap, list[Mover], dict[str, object]]) -> None:
    place, movers, options = world
    every = answers(reach(place, movers[0].id, options=options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_ways, "MOST_CHOSEN", 0)
        assert answers(reach(place, movers[0].id, options=options)) == every


LONG: dict[str, Callable[[Reach], Slices[Any]]] = {
    "a reach": lambda found: found.working(),
    "a way through a waypoint and a door": lambda found: routing(found, Cell(5, 0), (Cell(1, 1),), None),
    "why not": lambda found: reasoning(found, Cell(6, 1)),
    "choices by what is risked": lambda found: risking(found, Cell(3, 1), "damage"),
}


@pytest.mark.parametrize("word", LONG)
def test_what_may_be_long_draws_no_graph_in_one_piece(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    doors = [Barrier(((3, 0), (3, 1)), "door"), Barrier(((6, 1), (6, 2)), "door", state="locked")]
    place = Battlemap.from_rows([".......", "...#..."], barriers=doors)
    found = Reach(ask(place, Mover("a", "plain", {"speed": 60}, Cell(0, 0))))
    pieces: list[int] = []

    def counted(slices: Slices[Any]) -> Any:
        # what is drawn already has no slices
        answer = list[Any]()

        def asked() -> Slices[None]:
            answer.append((yield from slices))

        pieces.append(sum(1 for _ in asked()))
        return answer[0]

    # what those call who ask at once what is also asked in slices
    monkeypatch.setattr("tactical.search.slices.whole", counted)
    assert sum(1 for _ in LONG[word](found)) > 1
    assert not any(pieces), "a graph was drawn between two slices"
