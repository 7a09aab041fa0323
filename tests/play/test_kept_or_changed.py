"""What each command does to what is kept of a mover: the fields it changes, and that all others stay as they were.

Every command has its row and every field its place, so that neither a new command nor a new field comes without one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, get_args

import pytest

from tactical import Barrier, Battlemap, Cell, Mover, Refusal, Session, SetMover, Zone
from tactical.play import commands as do
from tactical.play.events import HazardEntered
from tactical.play.position import Status
from tactical.rules.turnstate import TurnState
from tactical.world.edges.barriers import DoorState, Kind

UNDER_WAY: Mapping[str, Any] = {
    "turn": 3, "spent": 5, "left": 25, "diagonals": 1, "run_up": 10, "doors": 1, "dashes": ("bonus",), "actions": 2,
    "bonus_actions": 1, "struck": ("orc",), "previous": "walk", "memory": {"word": 1}, "passed": ("climb",),
}  # fmt: skip
"""A turn in which everything has been done once."""
BURNS = Cell(2, 2)


def game() -> Session:
    """Ada in the middle of her turn, between a closed door and an open one; a gap far off makes run-ups count.

    Bo comes after her in the order of turns and has no place yet; a zone burns.
    """
    barriers = (
        Barrier(((3, 1), (3, 2)), Kind.DOOR, "gate"),
        Barrier(((2, 1), (2, 2)), Kind.DOOR, "hatch", state=DoorState.OPEN),
        Barrier(((6, 0), (6, 1)), Kind.DOOR, "panel", state=DoorState.SECRET),
    )
    movers = (
        Mover("ada", "operator", {"speed": 30, "strength": 14, "bonus_dash": True}, Cell(2, 1), "ours"),
        Mover("bo", "operator", {"speed": 30}, side="ours"),
        Mover("orc", "operator", {"speed": 30}, Cell(7, 0), "theirs"),
    )
    battlemap = Battlemap.from_rows(
        ["........", "...._...", "........"], {"_": {"gap": True}}, barriers=barriers, movers=movers, rules="operator",
        options={"diagonal": "alternate", "door_limit": 2}, zones=(Zone([BURNS], {"hazard": "fire"}),),
    )  # fmt: skip
    session = Session.new(battlemap, seed=1, order=["ada", "bo", "orc"])
    assert session.execute(SetMover("ada", turn=UNDER_WAY, barred=frozenset({Cell(0, 2)})))
    return session


STANDS_STILL = {"run_up": 0}
"""Who does anything but walk on, or use a door as it goes (OPR-50), has no run-up for a jump any more (OPR-A13)."""
SEALED = {"roll", "reveal"}
"""What cannot be taken back: a die was thrown, a secret came to light."""

ROWS: Mapping[str, tuple[do.Command, Mapping[str, Any]]] = {
    "move, straight": (do.Move("ada", Cell(2, 0)), {"cell": Cell(2, 0), "spent": 10}),
    "move, the second diagonal": (do.Move("ada", Cell(1, 0)), {"cell": Cell(1, 0), "spent": 15, "diagonals": 0}),
    "move, the door opened": (
        do.Move("ada", Cell(3, 1)), {"cell": Cell(3, 1), "spent": 10, "doors": 2},
    ),
    "posture": (do.Posture("ada", "prone"), {"posture": "prone", **STANDS_STILL}),
    "dash": (do.Dash("ada"), {"dashes": ("bonus", "dash"), "actions": 1, **STANDS_STILL}),
    "disengage": (do.Disengage("ada"), {"disengaged": True, "actions": 1, **STANDS_STILL}),
    "act": (do.Act("ada"), {"actions": 1, **STANDS_STILL}),
    "open-door": (do.OpenDoor("gate", "ada"), {"doors": 2}),
    "close-door": (do.CloseDoor("hatch", "ada"), {"doors": 2}),
    "spend": (do.Spend("ada", 5), {"spent": 10}),
    "spend, all there is": (do.Spend("ada", 25), {"spent": 30}),
    "spend, given back": (do.Spend("ada", -5), {"spent": 0}),
    "gait": (do.Gait("ada", "dash"), {"gait": "dash"}),
    "roll": (do.Roll("ada", "2d6"), {}),
    "reveal": (do.Reveal("ada", doors=("panel",)), {}),
    "place": (do.Place("ada", Cell(5, 1)), {"cell": Cell(5, 1), "diagonals": 0, **STANDS_STILL}),
    "push": (do.Push("ada", (Cell(1, 1),)), {"cell": Cell(1, 1), **STANDS_STILL}),
    "push, diagonally": (do.Push("ada", (Cell(1, 0),)), {"cell": Cell(1, 0), **STANDS_STILL}),
    "set-mover": (do.SetMover("ada", name="Ada"), {}),
    "rest": (do.Rest("ada"), {}),
    "end-turn": (
        do.EndTurn("ada"),
        {"turn": 4, "spent": 0, "left": None, "diagonals": 0, "doors": 0, "dashes": (), "actions": None,
         "bonus_actions": None, "struck": frozenset(), "passed": frozenset(), "barred": frozenset(), **STANDS_STILL},
    ),
}  # fmt: skip
ANSWERS = {
    "given-roll": "the answer to a roll that a move waits for: that move's own row",
    "go-on": "likewise",
    "stop-here": "likewise",
    "damage": "of vehicles alone, under rules that have them",
}


def kept(session: Session) -> dict[str, Any]:
    """Everything kept of ada."""
    status = session.position.status("ada")
    turn = {field.name: getattr(status.turn, field.name) for field in fields(TurnState)}
    own = {field.name: getattr(status, field.name) for field in fields(Status) if field.name not in ("state", "turn")}
    # of what both keep the state's word counts: every question takes them from there
    return turn | own | status.state._asdict()


@pytest.mark.parametrize("row", ROWS)
def test_a_command_changes_what_it_is_about_and_nothing_else(row: str) -> None:
    session, (command, changes) = game(), ROWS[row]
    before = kept(session)
    answer = session.execute(command)
    assert answer, str(answer)
    assert kept(session) == before | changes
    assert bool(session.undo()) is (row not in SEALED)
    assert (kept(session) == before) or row in SEALED


def test_every_command_and_every_field_has_its_place() -> None:
    commands = {kind.kind for kind in get_args(do.Command)}
    assert {row.partition(",")[0] for row in ROWS} | set(ANSWERS) == commands
    told = {name for _, changes in ROWS.values() for name in changes}
    never = {
        "previous": "the speed of the last round: of other rules", "memory": "what other rules keep of a turn",
        "squeezed": "a large body's", "opened": "a plan's own", "extra": "what other packages' ways count",
    }  # fmt: skip
    assert told | set(never) == set(kept(game()))


@pytest.mark.parametrize(
    ("amount", "taken"),
    [(24, True), (25, True), (26, False), (-4, True), (-5, True), (-6, False)],
    ids=["one less than is left", "all that is left", "one more", "one less than was spent", "all of it", "one more"],
)
def test_what_is_spent_or_given_back_goes_to_its_limit_exactly(amount: int, taken: bool) -> None:
    session = game()
    answer = session.execute(do.Spend("ada", amount))
    assert bool(answer) is taken
    assert session.position.status("ada").turn.spent == Fraction(5 + amount if taken else 5)


@pytest.mark.parametrize("command", [do.Spend("orc", 5), do.Dash("orc"), do.EndTurn("orc")])
def test_nobody_spends_out_of_turn(command: do.Command) -> None:
    answer = game().execute(command)
    assert isinstance(answer, Refusal)
    assert answer.code == "play.not_your_turn"


def test_who_has_no_place_gets_no_turn() -> None:
    session = game()
    assert session.execute(do.EndTurn("ada"))
    assert session.active == "orc"


@pytest.mark.parametrize("command", [do.Place("ada", BURNS), do.Push("ada", (BURNS,))])
def test_whoever_is_put_or_pushed_into_a_zone_that_burns_is_told(command: do.Command) -> None:
    answer = game().execute(command)
    assert answer, str(answer)
    assert [event.hazard for event in answer.events if isinstance(event, HazardEntered)] == ["fire"]


def test_a_seal_outlives_two_saves() -> None:
    session = game()
    assert session.execute(do.Roll("ada", "2d6"))
    shot = session.snapshot()
    for _ in range(2):
        session = Session.restore(shot)
        again = session.snapshot()
        assert json.dumps(again) == json.dumps(shot)
        refused = session.undo()
        assert isinstance(refused, Refusal)
        assert refused.code == "play.sealed"
        shot = again
