"""A door used on the run breaks no run-up, however it is opened (OPR-50: during the move); an action does (OPR-A13)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tactical import (
    Accepted,
    Act,
    Barrier,
    Battlemap,
    Cell,
    CloseDoor,
    DoorState,
    Kind,
    Move,
    Mover,
    OpenDoor,
    Refusal,
    Session,
)

RUNS: dict[str, tuple[dict[str, Any], str, int, Fraction, str, object]] = {
    # the stats, the ground, the column with the door behind it, the cell, the gait, and what all of it costs
    "operator": ({"speed": 60, "str": 15}, "...OO.", 1, Fraction(5), "move", 25),
    "twelve-second": ({"str": 12, "dex": 12, "end": 12}, ".......OOO.", 3, Fraction(1), "run", Fraction(1, 6)),
}


def game(rules: str, state: DoorState) -> Session:
    stats, row, door, cell, _, _ = RUNS[rules]
    mover = Mover("ada", rules, stats, Cell(0, 0), "ours")
    unit = "ft" if rules == "operator" else "m"
    battlemap = Battlemap.from_rows([row], {"O": {"gap": True}}, cell=cell, unit=unit, rules=rules, movers=[mover])
    gate = Barrier(battlemap.grid.side(door, 0, "e"), Kind.DOOR, "gate", state)
    return Session.new(battlemap.with_(barriers=(gate,)))


def run(session: Session, rules: str, *between: object) -> Accepted | Refusal:
    """Run to the door, do something there, run on to the gap and jump."""
    _, row, door, _, gait, _ = RUNS[rules]
    for command in (
        Move("ada", Cell(door, 0), gait=gait),
        *between,
        Move("ada", Cell(row.index("O") - 1, 0), gait=gait),
    ):
        done = session.execute(command)  # type: ignore[arg-type]
        assert done, done.text
    return session.execute(Move("ada", Cell(len(row) - 1, 0), gait=gait))


@pytest.mark.parametrize("rules", RUNS)
def test_a_door_opened_on_the_way_and_by_an_order_are_the_same_to_a_run_up(rules: str) -> None:
    straight, by_order = game(rules, DoorState.CLOSED), game(rules, DoorState.CLOSED)
    _, row, _, _, gait, price = RUNS[rules]
    assert straight.execute(Move("ada", Cell(len(row) - 1, 0), gait=gait))
    assert run(by_order, rules, OpenDoor("gate", "ada"))
    for session in (straight, by_order):
        status = session.position.status("ada")
        assert status.state.cell == Cell(len(row) - 1, 0)
        assert status.turn.spent == price


def test_a_door_shut_and_opened_again_is_no_break_either() -> None:
    session = Session.new(game("operator", DoorState.OPEN).battlemap, options={"door_limit": 2})
    assert run(session, "operator", CloseDoor("gate", "ada"), OpenDoor("gate", "ada"))


def test_an_action_at_the_door_is_a_break_and_the_run_begins_anew() -> None:
    session = game("operator", DoorState.OPEN)
    done = run(session, "operator", Act("ada"))
    assert done, done.text
    # one cell back and forth before the jump
    assert session.position.status("ada").turn.spent == 25 + 10
