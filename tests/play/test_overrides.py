"""The game master has the last word: whatever is kept of a mover can be set by hand, over the desk.

Each field of what is kept has its row, so that a new one cannot come without a way to set it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any

import pytest

from tactical import Battlemap, Cell, Mover, Refusal, Session, SetMover
from tactical.movement.route import State
from tactical.play.position import Status
from tactical.rules.turnstate import TurnState
from tests.play.boards import SYSTEMS
from tests.play.test_changes import Game

MAP = """\
schema: 1
name: Hall
grid: {type: square, cell: 5, unit: ft}
rules: operator
rows: |
  ..........
  ..........
barriers:
  - {id: panel, line: [[8, 0], [8, 1]], kind: door, state: secret}
movers:
  - {id: kit, at: A1, size: 2, side: ours}
"""

Row = tuple[Mapping[str, Any], Any]
"""What the command says, and what is kept then."""

TURN: Mapping[str, Row] = {
    "turn": ({"turn": {"turn": 4}}, 4),
    "spent": ({"turn": {"spent": "5/2"}}, Fraction(5, 2)),
    "left": ({"turn": {"left": 7}}, Fraction(7)),
    "diagonals": ({"turn": {"diagonals": 1}}, 1),
    "run_up": ({"turn": {"run_up": 10}}, Fraction(10)),
    "doors": ({"turn": {"doors": 1}}, 1),
    "dashes": ({"turn": {"dashes": ["action"]}}, ("action",)),
    "actions": ({"turn": {"actions": 0}}, 0),
    "bonus_actions": ({"turn": {"bonus_actions": 2}}, 2),
    "disengaged": ({"turn": {"disengaged": True}}, True),
    "struck": ({"turn": {"struck": ["foe"]}}, frozenset({"foe"})),
    "previous": ({"turn": {"previous": "walk"}}, "walk"),
    "memory": ({"turn": {"memory": {"word": [1, 2]}}}, {"word": [1, 2]}),
    "passed": ({"turn": {"passed": ["climb"]}}, frozenset({"climb"})),
}
STATE: Mapping[str, Row] = {
    "cell": ({"do": "place", "at": "C1"}, Cell(2, 0)),
    "posture": ({"posture": "prone"}, "prone"),
    "diagonals": ({"turn": {"diagonals": 3}}, 1),
    "run_up": ({"turn": {"run_up": 10}}, 2),
    "doors": ({"turn": {"doors": 1}}, 1),
    "squeezed": ({"squeezed": True}, True),
}
STATUS: Mapping[str, Row] = {
    "barred": ({"barred": ["D1", [4, 0]]}, frozenset({Cell(3, 0), Cell(4, 0)})),
    "gait": ({"gait": "dash"}, "dash"),
}
MOVER: Mapping[str, Row] = {
    "stats": ({"stats": {"speed": 25}}, {"speed": 25}),
    "at": ({"do": "place", "at": "C1"}, Cell(2, 0)),
    "side": ({"side": "theirs"}, "theirs"),
    "size": ({"size": 1}, 1),
    "size_class": ({"size_class": "huge"}, "huge"),
    "posture": ({"do": "place", "at": "A1", "posture": "prone"}, "prone"),
    "reach": ({"reach": 2}, 2),
    "name": ({"name": "Kit the tall"}, "Kit the tall"),
    "hidden": ({"hidden": True}, True),
    "knows": ({"knows": ["panel"]}, frozenset({"panel"})),
}
NOT_SET = {
    State: {
        "opened": "a plan's own: doors that are open stand so on the map (open-door, close-door)",
        "extra": "what ways of other packages count: placing begins their count anew",
    },
    Status: {"state": "by its fields", "turn": "by its fields"},
    Mover: {"id": "who it is", "rules": "chosen when the game begins"},
    TurnState: {},
}
TABLES: list[tuple[type, Mapping[str, Row]]] = [(TurnState, TURN), (State, STATE), (Status, STATUS), (Mover, MOVER)]


def kept(game: Game, kind: type) -> Any:
    """What a game keeps of a mover."""
    position = game.desk.sessions[game.session].position
    status = position.status("kit")
    return {TurnState: status.turn, State: status.state, Status: status, Mover: position.mover("kit")}[kind]


@pytest.mark.parametrize(
    ("kind", "name", "row"),
    [
        pytest.param(kind, name, row, id=f"{kind.__name__}.{name}")
        for kind, rows in TABLES
        for name, row in rows.items()
    ],
)
def test_it_is_set_by_hand(kind: type, name: str, row: Row) -> None:
    game, (said, then) = Game(MAP), row
    before = getattr(kept(game, kind), name)
    found = game.do(said.get("do", "set-mover"), **{key: value for key, value in said.items() if key != "do"})
    assert found["kind"] == "accepted"
    assert getattr(kept(game, kind), name) == then != before
    game.ask(do="undo", session=game.session)
    assert getattr(kept(game, kind), name) == before


@pytest.mark.parametrize(("kind", "rows"), TABLES, ids=[kind.__name__ for kind, _ in TABLES])
def test_no_field_is_forgotten(kind: type, rows: Mapping[str, Row]) -> None:
    names = set(State._fields) if kind is State else {field.name for field in fields(kind)}
    assert set(rows) | set(NOT_SET[kind]) == names


def test_what_is_set_counts() -> None:
    game = Game(MAP)
    game.do("set-mover", turn={"spent": 20})
    assert {cell["cost"] for cell in game.ask(do="reach", session=game.session, mover="kit", gait="move")["cells"]} == {
        5, 10,
    }  # fmt: skip
    game.do("set-mover", turn={"spent": 0}, barred=["B1"])
    assert "B1" not in [
        cell["cell"] for cell in game.ask(do="reach", session=game.session, mover="kit", cells="names")["cells"]
    ]


# words that the rules remember, with something that they may hold and what it does
REMEMBERED: list[tuple[str, Mapping[str, Any], str]] = [
    ("d6-reup", {"dice": -2}, "the roll is made with fewer dice"),
    ("d6-reup", {"others": 2}, "all-out is closed"),
    ("d6-reup", {"no_actions": True}, "nothing goes"),
    ("d6-reup", {"owed": {"kind": "rest", "seconds": 60}}, "a rest is owed"),
    ("d6-revised", {"destroyed": True}, "nothing goes any more"),
    ("twelve-second", {"effort": {"all": 99}}, "running is spent"),
    ("twelve-second", {"no_action": 2}, "on the ground"),
    ("shapers", {"effort": {"lost": ["run"]}}, "the gait is lost"),
]


def open_gaits(session: Session) -> list[str]:
    return [band.gait for band in session.reach("kit").bands]


def table(rules: str) -> Session:
    legend = {".": {"level": "D", "number": 18}}
    stats = {**SYSTEMS[rules], **({"previous": "high"} if rules.startswith("d6") else {})}
    mover = Mover("kit", rules, stats, Cell(0, 0), "ours")
    return Session.new(Battlemap.from_rows(["." * 70], legend, cell=1, unit="m", rules=rules, movers=[mover]))


@pytest.mark.parametrize(
    ("rules", "memory", "_why"), REMEMBERED, ids=[f"{r}-{next(iter(m))}" for r, m, _ in REMEMBERED]
)
def test_what_the_rules_remember_is_set_and_taken_back(rules: str, memory: Mapping[str, Any], _why: str) -> None:
    session = table(rules)
    before = session.reach("kit")
    assert session.execute(SetMover("kit", turn={"memory": memory}))
    assert (open_gaits(session), rolls(session.reach("kit"))) != ([band.gait for band in before.bands], rolls(before))
    assert session.execute(SetMover("kit", turn={"memory": dict.fromkeys(memory)}))
    assert (open_gaits(session), rolls(session.reach("kit"))) == ([band.gait for band in before.bands], rolls(before))


def rolls(reach: Any) -> list[str]:
    """The dice of every roll there is."""
    routes = [reach.route(cell) for cell in sorted(reach.cells())]
    return [check.dice for route in routes for check in route.turns[0].checks]


@pytest.mark.parametrize(
    "said",
    [
        {"turn": {"nonsense": 1}}, {"turn": {"spent": "much"}}, {"turn": {"memory": 3}}, {"gait": "gallop"},
        {"turn": {"struck": 3}},
    ],
)  # fmt: skip
def test_what_cannot_be_is_an_error_and_changes_nothing(said: Mapping[str, Any]) -> None:
    game = Game(MAP)
    before = game.desk.sessions[game.session].position
    command = {"do": "set-mover", "mover": "kit", **said}
    assert not game.answer(do="execute", session=game.session, command=command)["ok"]
    assert game.desk.sessions[game.session].position == before


def test_what_the_map_or_the_rules_do_not_have_is_refused() -> None:
    session = table("d6-reup")
    for command, code in (
        (SetMover("kit", posture="crouched"), "move.posture_change"),
        (SetMover("kit", barred=frozenset({Cell(99, 0)})), "move.off_map"),
        (SetMover("kit", gait=""), "play.nothing_to_do"),
    ):
        found = session.execute(command)
        assert isinstance(found, Refusal)
        assert found.code == code


def test_a_memory_that_the_rules_cannot_read_is_an_error() -> None:
    session = table("twelve-second")
    with pytest.raises(ValueError, match="cannot read"):
        session.execute(SetMover("kit", turn={"memory": {"effort": 3}}))
