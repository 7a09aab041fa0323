"""What a game begins with: who knows what, and house rules where several systems are played."""

from __future__ import annotations

import pytest

from tactical import Battlemap, Mover, Session, UnknownName
from tests.play.boards import hall


def test_cells_are_known_by_movers_and_sides_alone() -> None:
    board = hall()
    for name in ("ada", "heroes", "imp"):
        seen = Session.new(board, known={name: ["A1", "B2"]}).position.explored("ada")
        assert (seen is None) == (name == "imp")
    for name in ("Ada", "hereos", ""):
        with pytest.raises(UnknownName, match="mover or side") as raised:
            Session.new(board, known={name: ["A1"]})
        # who hides is not offered
        assert "imp" not in raised.value.known


def mixed() -> Battlemap:
    """One mover of feet and one of dice on a plain field."""
    movers = [
        Mover("ada", "operator", {"speed": 30}, "A1", "heroes"),
        Mover("kara", "d6-revised", {"move": 10}, "A3", "heroes"),
    ]
    return Battlemap.from_rows(["." * 30] * 5, movers=movers)


def test_an_option_holds_for_those_whose_system_knows_it() -> None:
    session = Session.new(mixed(), options={"default_number": "mid", "corner": "free"})
    assert session.position.query("kara").options["default_number"] == "mid"
    assert "default_number" not in session.position.query("ada").options
    assert {session.position.query(name).options["corner"] for name in ("ada", "kara")} == {"free"}
    assert session.reach("ada").cells()
    assert session.reach("kara").cells()


def test_an_option_that_no_system_of_the_game_knows_is_refused() -> None:
    with pytest.raises(UnknownName, match="option 'diagonl', did you mean 'diagonal'"):
        Session.new(mixed(), options={"diagonl": "equal"})
    with pytest.raises(UnknownName, match="option 'default_number'"):
        Session.new(hall(), options={"default_number": "mid"})
