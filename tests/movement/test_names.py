"""A name that does not exist is an error wherever it is given: postures, pools, options, doors."""

from __future__ import annotations

import inspect
import pydoc

import pytest

from tactical import (
    Battlemap,
    MovementGraph,
    Mover,
    Refusal,
    Session,
    SetMover,
    UnknownName,
    Zone,
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


def test_a_question_has_the_same_keywords_wherever_it_is_asked() -> None:
    shared = ("rules", "options", "turn", "others", "known", "truth", "goals")
    seen = [inspect.signature(one).parameters for one in (reach, reach_many, plan, MovementGraph.__init__)]
    for name in shared:
        stated = {(str(one[name].annotation), one[name].default, one[name].kind) for one in seen}
        assert len(stated) == 1, name
    assert ["start" in one for one in seen] == [True, False, True, True]
    assert "known: 'Collection[Place] | None' = None" in pydoc.render_doc(reach, renderer=pydoc.plaintext)
    with pytest.raises(TypeError, match="reach_many takes no 'start'"):
        reach_many(hall(), start="A1")  # type: ignore[call-arg]


def test_a_hazard_that_is_meant_is_entered_and_no_other() -> None:
    fire = {"terrain": "fire", "hazard": "fire"}
    board = hall().with_(zones=[Zone(["B1", "C1"], fire)])
    careful = {"hazard_policy": "avoid"}
    assert not {(1, 0), (2, 0)} & {cell[:2] for cell in reach(board, "ada", options=careful).cells()}
    for found in (
        reach(board, "ada", options=careful, goals=iter(["B1"])),
        reach_many(board, ["ada"], options=careful, goals=iter(["B1"]))[0],
    ):
        assert {(1, 0), (2, 0)} & {cell[:2] for cell in found.cells()} == {(1, 0)}
