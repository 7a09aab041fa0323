"""A name that does not exist is an error wherever it is given: postures, pools, options, doors."""

from __future__ import annotations

import pytest

from tactical import (
    Battlemap,
    MovementGraph,
    Mover,
    Refusal,
    Session,
    SetMover,
    UnknownName,
    load,
    plan,
    reach,
    reach_many,
)
from tactical.play.commands import Move, Place, Posture
from tests.play.boards import hall


def field(rules: str, **stats: object) -> Battlemap:
    return Battlemap.from_rows(["." * 8] * 3, movers=[Mover("ada", rules, stats, "A1")])


def test_a_posture_that_nobody_has() -> None:
    board = hall()
    session = Session.new(board)
    for ask in (
        lambda: reach(board, "ada", arrive="flying"),
        lambda: reach(board, "ada").route("C2", arrive="flying"),
        lambda: reach(board, "ada").route("C2", via=["B3"], arrive="flying"),
        lambda: plan(board, "ada", "C2", arrive="flying"),
        lambda: session.route("ada", "C2", arrive="flying"),
        lambda: session.execute(Move("ada", "C2", arrive="flying")),
        lambda: session.execute(Posture("ada", "flying")),
        lambda: session.execute(Place("ada", "C3", "flying")),
        lambda: session.execute(SetMover("ada", posture="flying")),
    ):
        with pytest.raises(UnknownName, match="unknown posture 'flying'"):
            ask()


def test_a_posture_of_other_rules_is_refused() -> None:
    board = field("plain", speed=30)
    for answer in (plan(board, "ada", "C2", arrive="kneeling"), Session.new(board).execute(Posture("ada", "kneeling"))):
        assert isinstance(answer, Refusal)
        assert answer.code == "move.posture_change"


def test_a_pool_that_does_not_exist() -> None:
    with pytest.raises(UnknownName, match="unknown pool 'no-such': these rules have one, without a name"):
        MovementGraph(hall(), "ada", pool="no-such")
    board = load("river-crossing")
    mover = board.movers[0]
    pools = reach(board, mover.id).profile.pools()
    for pool in pools:
        assert MovementGraph(board, mover.id, pool=pool)
    with pytest.raises(UnknownName, match="unknown pool 'no-such'"):
        MovementGraph(board, mover.id, pool="no-such")


def test_an_option_that_no_system_has_is_no_map_s_either() -> None:
    with pytest.raises(UnknownName, match="option 'diagonl', did you mean 'diagonal'"):
        reach(hall().with_(options={"diagonl": "equal"}), "ada")
    with pytest.raises(UnknownName, match="option 'diagonl'"):
        Session.new(hall().with_(options={"diagonl": "equal"}))
    # another system's is carried along for those that are played by it
    assert reach(hall().with_(options={"default_number": "mid"}), "ada").cells()


def test_a_door_that_nobody_has_is_known_by_nobody() -> None:
    session = Session.new(hall())
    with pytest.raises(UnknownName, match="door 'nope'"):
        session.execute(SetMover("ada", knows=frozenset({"nope"})))
    assert session.execute(SetMover("ada", knows=frozenset({"vault"})))


def test_what_is_something_else_altogether_is_named() -> None:
    board = hall()
    for ask, words in (
        (lambda: reach(board, None), "mover must be a Mover"),  # type: ignore[arg-type]
        (lambda: reach(board, "ada", others=["bo"]), "others[0] must be a Mover"),  # type: ignore[list-item]
        (lambda: reach(board, "ada", options=5), "options must be a mapping"),  # type: ignore[arg-type]
        (lambda: reach(board, "ada", rules=5), "rules must be the name"),  # type: ignore[arg-type]
        (lambda: reach(board, "ada", turns="2"), "turns must be a whole number"),  # type: ignore[arg-type]
        (lambda: reach(board, "ada", turns=True), "turns must be a whole number"),
        (lambda: reach_many(board, "ada"), "movers must be several movers"),
        (lambda: plan(board, "ada", "C2", trun=2), "plan takes no 'trun', did you mean 'turn'?"),
        (lambda: plan(board, "ada", "C2", turns="2"), "turns must be a whole number"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError) as raised:
            ask()
        assert words in str(raised.value)


def test_a_keyword_the_graph_has_not_is_said_of_the_graph() -> None:
    with pytest.raises(TypeError, match=r"MovementGraph.*'turns'"):
        MovementGraph(hall(), "ada", turns=2)  # type: ignore[call-arg]
