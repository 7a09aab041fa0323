"""Wherever a cell is taken its name is taken too: in every public function and value, every request, every command."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import tactical
from tactical import Battlemap, Cell, Link, Move, Mover, Place, Push, Reveal, Session, SetMover, State, Zone
from tactical.errors import MapError
from tactical.hosts.desk import Desk
from tactical.play.commands import COMMANDS, Leg
from tactical.play.events import EVENT_TYPES
from tactical.world import adapters

TAKES = re.compile(r"\b(Cell|Place|Spot|State)\b")
MADE_BY_US = {"Band", "Cell", "Line", "Provocation", "Reach", "Refusal", "Route", "Step", "Accepted"}
MADE_BY_US |= {kind.__name__ for kind in EVENT_TYPES}
"""Values that the library makes and a caller reads; nobody hands them a cell."""

HOUSE = Battlemap.from_rows(
    {"ground": ["....", "....", "...#"], "upper": ["....", "....", "...."]},
    links=[Link("A1", "upper/A1")],
    movers=[Mover("kira", at="B2", side="a"), Mover("thug", at="upper/D1", side="b")],
    rules="operator",
)
C3, UP = Cell(2, 2), Cell(2, 2, 1)


def reach() -> tactical.Reach:
    return tactical.reach(HOUSE, "kira")


def graph(**more: Any) -> tactical.MovementGraph:
    found: tactical.MovementGraph = tactical.MovementGraph(HOUSE, "kira", **more)
    return found


def played(command: Any) -> Any:
    """What a session makes of a command."""
    session = Session.new(HOUSE, known={"kira": ["A1", "B1", "C1", "A2", "B2", "C2", "upper/A1", "upper/B1"]})
    answer = session.execute(command)
    return answer, session.position


# What is taken as a cell, by the name of who takes it: a question that is answered alike however the cell is written.
TRIES: dict[str, Callable[[Any], Any]] = {
    "Battlemap.__contains__": lambda at: at in HOUSE,
    "Battlemap.body": lambda at: HOUSE.body(at, 2),
    "Battlemap.cell_of": HOUSE.cell_of,
    "Battlemap.centre": HOUSE.centre,
    "Battlemap.from_cells.blocked": lambda at: Battlemap.from_cells(4, 4, blocked=[at]).terrain(C3),
    "Battlemap.from_cells.terrain": lambda at: Battlemap.from_cells(4, 4, terrain={at: {"gap": True}}).terrain(C3),
    "Battlemap.name_of": HOUSE.name_of,
    "Battlemap.terrain": HOUSE.terrain,
    "Battlemap.with_.terrain": lambda at: HOUSE.with_(terrain={at: {"difficult": True}}),
    "Leg": lambda at: played(Move("kira", at, legs=[Leg(at)])),
    "Link.start": lambda at: HOUSE.with_(links=[Link(at, "A1")]).links,
    "Link.end": lambda at: HOUSE.with_(links=[Link("A1", at)]).links,
    "Move.to": lambda at: played(Move("kira", at)),
    "Move.via": lambda at: played(Move("kira", "A1", [at])),
    "MovementGraph.search": lambda at: graph().search(State(at)).to_dict(),
    "MovementGraph.start": lambda at: graph(start=at).start,
    "Mover": lambda at: HOUSE.with_(movers=[Mover("kira", at=at)]).movers,
    "Place": lambda at: played(Place("kira", at)),
    "Push": lambda at: played(Push("kira", [at])),
    "Reach.__contains__": lambda at: at in reach(),
    "Reach.arrival": lambda at: reach().cost(at) if reach().arrival(at) else None,
    "Reach.band": lambda at: reach().band(at),
    "Reach.cost": lambda at: reach().cost(at),
    "Reach.odds": lambda at: reach().odds(at),
    "Reach.posture": lambda at: reach().posture(at),
    "Reach.remaining": lambda at: reach().remaining(at),
    "Reach.risks": lambda at: reach().risks(at),
    "Reach.route.cell": lambda at: reach().route(at),
    "Reach.route.via": lambda at: reach().route("A1", via=[at]),
    "Reach.turn": lambda at: reach().turn(at),
    "Reach.why_not": lambda at: reach().why_not(at),
    "Reveal": lambda at: played(Reveal("kira", [at])),
    "SetMover": lambda at: played(SetMover("kira", barred=[at])),  # type: ignore[arg-type]
    "Session.new.known": lambda at: Session.new(HOUSE, known={"kira": [at]}).position,
    "Session.route.to": lambda at: Session.new(HOUSE).route("kira", at),
    "Session.route.via": lambda at: Session.new(HOUSE).route("kira", "A1", via=[at]),
    "State": lambda at: tactical.reach(HOUSE, "kira", start=State(at)).cells(),
    "Zone": lambda at: HOUSE.with_(zones=[Zone([at], {"difficult": True})]).zones,
    "middle": lambda at: adapters.middle(HOUSE, at),
    "plan.to": lambda at: tactical.plan(HOUSE, "kira", at),
    "plan.via": lambda at: tactical.plan(HOUSE, "kira", "A1", via=[at]),
    "reach.known": lambda at: tactical.reach(HOUSE, "kira", known=["B2", "C2", at]).cells(),
    "reach.others": lambda at: tactical.reach(HOUSE, "kira", others=[Mover("x", at=at)]).cells(),
    "reach_many.known": lambda at: tactical.reach_many(HOUSE, ["kira"], known=["B2", "C2", at])[0].cells(),
    "reach.mover": lambda at: tactical.reach(HOUSE, Mover("x", at=at)).cells(),
    "reach.start": lambda at: tactical.reach(HOUSE, "kira", start=at).cells(),
    "render.target": lambda at: tactical.render(HOUSE, reach(), reach().route("D3"), target=at, drawer="text"),
    "render.known": lambda at: tactical.render(HOUSE, reach(), known=[at], drawer="text"),
}
ONE_FLOOR = {"Battlemap.from_cells.blocked", "Battlemap.from_cells.terrain"}
SILENT_OFF_THE_MAP = {"Battlemap.__contains__", "Reach.__contains__"}


def asked() -> Iterator[str]:
    """Every public function, method and value that says it takes a cell."""
    things = {name: getattr(tactical, name) for name in tactical.__all__ if name not in MADE_BY_US}
    things |= {"Leg": Leg, "middle": adapters.middle, "Reach": tactical.Reach}
    for name, thing in things.items():
        if inspect.isfunction(thing) and takes(thing):
            yield name
        elif inspect.isclass(thing) and not issubclass(thing, BaseException):
            if name not in MADE_BY_US and takes(thing):
                yield name
            members = [(word, one) for word, one in vars(thing).items() if word == "__contains__" or word[0] != "_"]
            for word, one in members:
                function = one.__func__ if isinstance(one, classmethod) else one
                if inspect.isfunction(function) and takes(function):
                    yield f"{name}.{word}"


def takes(thing: Any) -> bool:
    """Whether a parameter is annotated as a cell."""
    try:
        parameters = inspect.signature(thing).parameters.values()
    except ValueError:
        return False
    return any(TAKES.search(str(one.annotation)) for one in parameters if one.name != "self")


def test_whoever_takes_a_cell_is_tried_below() -> None:
    tried = {".".join(name.split(".")[:2]) for name in TRIES} | {name.split(".")[0] for name in TRIES}
    assert sorted(set(asked()) - tried) == []


@pytest.mark.parametrize("name", TRIES)
def test_a_name_is_as_good_as_a_cell(name: str) -> None:
    wanted = TRIES[name](C3)
    for written in ("C3", "c3", " C3 ", "2,2", (2, 2), (2, 2, 0)):
        assert TRIES[name](written) == wanted, written
    if name not in ONE_FLOOR:
        assert TRIES[name]("upper/C3") == TRIES[name](UP) == TRIES[name]("1/C3")
        assert TRIES[name]("ground/C3") == wanted


@pytest.mark.parametrize("name", TRIES)
@pytest.mark.parametrize("bad", ["well", "", "C0", "C3x", "cellar/C3", "upper/", "9/C3", "³/C3", "C" * 99])
def test_a_name_of_no_cell_is_an_error_that_says_so(name: str, bad: str) -> None:
    with pytest.raises(ValueError, match=r"is not a cell|no level|counted from 1"):
        TRIES[name](bad)


@pytest.mark.parametrize("name", TRIES)
@pytest.mark.parametrize("bad", [13, 2.5, (13.0, 8.0), (1,), (1, 2, 3, 4), ("A", 1), (True, 1), object(), b"C3"])
def test_what_is_no_cell_at_all_is_a_type_error(name: str, bad: Any) -> None:
    with pytest.raises(TypeError, match=r"Cell|cells"):
        TRIES[name](bad)


@pytest.mark.parametrize("ask", [reach().cost, reach().band, reach().turn, reach().posture, reach().remaining])
def test_a_name_off_the_map_is_out_of_reach_like_its_cell(ask: Callable[[Any], Any]) -> None:
    assert ask("Z99") is ask(Cell(25, 98)) is None
    assert "Z99" not in reach()
    assert "Z99" not in HOUSE
    assert reach().route("Z99") == reach().route((25, 98))


@pytest.mark.parametrize("one", ["N9", Cell(2, 2)])
def test_one_cell_is_not_several(one: Any) -> None:
    tries: list[Callable[[], Any]] = [
        lambda: Move("kira", "A1", one),
        lambda: Push("kira", one),
        lambda: Reveal("kira", one),
        lambda: Zone(one),
        lambda: reach().route("A1", via=one),
        lambda: tactical.reach(HOUSE, "kira", known=one),
        lambda: Session.new(HOUSE, known={"kira": one}),
    ]
    for made in tries:
        with pytest.raises(TypeError, match="several cells"):
            made()


def test_a_level_that_the_map_does_not_have_is_told_when_the_command_comes_and_changes_nothing() -> None:
    session = Session.new(HOUSE)
    for command in (Move("kira", "attic/A1"), Place("kira", "attic/A1"), Push("kira", ["attic/A1"])):
        with pytest.raises(ValueError, match="no level 'attic' \\(levels: ground, upper\\)"):
            session.execute(command)
        with pytest.raises(ValueError, match="no level 'attic'"):
            session.why_not(command)
    assert session.log == ()


def test_what_was_done_is_kept_with_cells() -> None:
    session = Session.new(HOUSE)
    assert session.execute(Move("kira", "upper/A1"))
    done = session.log[0].done
    assert isinstance(done, Move)
    assert done.to == Cell(0, 0, 1)
    assert Session.restore(session.snapshot()).position == session.position


def test_a_mover_waits_with_its_name_for_the_map() -> None:
    there = Mover("guard", at="upper/B1")
    assert there.at == "upper/B1"  # type: ignore[comparison-overlap]
    assert HOUSE.with_(movers=[there]).mover("guard").at == Cell(1, 0, 1)
    with pytest.raises(ValueError, match="guard: at: 'attic/B1': no level 'attic'"):
        HOUSE.with_(movers=[Mover("guard", at="attic/B1")])


# -- on the wire ------------------------------------------------------------------------------------------------------

COMMAND_CELLS: dict[str, dict[str, Any]] = {
    "move": {"to": "*"},
    "place": {"at": "*"},
    "push": {"cells": ["*"]},
    "reveal": {"cells": ["*"]},
    "set-mover": {"barred": ["*"]},
}


def filled(shape: Any, cell: Any) -> Any:
    """A request with a cell in its place."""
    if isinstance(shape, dict):
        return {key: filled(part, cell) for key, part in shape.items()}
    if isinstance(shape, list):
        return [filled(part, cell) for part in shape]
    return cell if shape == "*" else shape


def desk() -> tuple[Desk, str, str]:
    """A desk with the house on it, and a game there."""
    made = Desk()
    loaded = ask(made, do="load", json=tactical.to_json(HOUSE))
    begun = ask(made, do="begin", map=loaded["map"])
    return made, loaded["map"], begun["session"]


def ask(at: Desk, **request: object) -> Any:
    answer = json.loads(at.answer(json.dumps(request).encode()))
    return answer["result"] if answer["ok"] else answer["error"]


REQUESTS: list[dict[str, Any]] = [
    {"do": "route", "map": "m", "mover": "kira", "to": "*"},
    {"do": "route", "map": "m", "mover": "kira", "to": "A1", "via": ["*"]},
    {"do": "route", "session": "s", "mover": "kira", "to": "*"},
    {"do": "draw", "session": "s", "mover": "kira", "to": "*"},
    {"do": "move", "session": "s", "mover": "kira", "to": "*"},
    {"do": "move", "session": "s", "mover": "kira", "to": "A1", "via": ["*"]},
    {"do": "begin", "map": "m", "known": {"kira": ["B2", "*"]}},
    *({"do": "execute", "session": "s", "command": {"do": do, "mover": "kira", **takes}}
      for do, takes in COMMAND_CELLS.items()),
    {"do": "execute", "session": "s", "command": {"do": "move", "mover": "kira", "to": "A1", "via": ["*"]}},
    {"do": "execute", "session": "s", "command": {"do": "move", "mover": "kira", "to": "*", "legs": [{"cell": "*"}]}},
]  # fmt: skip


@pytest.mark.parametrize("request_", REQUESTS, ids=json.dumps)
def test_every_request_takes_names(request_: dict[str, Any]) -> None:
    answers = []
    for written in ([2, 2], "C3", "ground/C3"):
        made, battlemap, session = desk()
        handles = {key: {"m": battlemap, "s": session}.get(value, value) if key in ("map", "session") else value
                   for key, value in filled(request_, written).items()}  # fmt: skip
        answers.append(ask(made, **handles))
        for bad, said in (("well", "is not a cell"), ("attic/A1", "no level 'attic'"), (2.5, "expected a cell")):
            wrong = ask(made, **{**handles, **filled(request_, bad), **{k: handles[k] for k in ("map", "session")
                        if k in handles}})  # fmt: skip
            assert said in wrong["text"], wrong
    assert answers[0] == answers[1] == answers[2]
    assert "code" not in answers[0] or answers[0]["kind"] == "refusal"


def test_every_command_with_cells_is_among_them() -> None:
    with_cells = {kind.kind for kind in COMMANDS if takes(kind)}  # type: ignore[attr-defined]
    assert with_cells == set(COMMAND_CELLS)


def test_maps_and_movers_on_the_wire_take_names() -> None:
    data = tactical.to_json(HOUSE)
    named = json.loads(json.dumps(data))
    named["movers"][1]["at"] = "upper/D1"
    named["links"][0]["end"] = "upper/A1"
    assert tactical.from_json(named) == HOUSE
    mover = tactical.from_json({"schema": 1, "kind": "mover", "id": "a", "at": "upper/A1"})
    assert tactical.from_json(tactical.to_json(mover)) == mover


def test_files_take_no_other_names_than_before() -> None:
    with pytest.raises(MapError, match="attic"):
        tactical.load(b"schema: 1\nrows: |\n  ...\nmovers: [{id: a, at: attic/A1}]\n")
