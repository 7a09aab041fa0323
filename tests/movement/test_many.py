"""Reaches of many movers at once, and the compiled tier for those who ask often."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Any

import pytest

import tactical
from tactical import Battlemap, Cell, Mover, UnknownName, reach, reach_many
from tactical.search import kernel

ROWS = ["..........", "..#.~.....", "..#.~..#..", ".......#..", ".........."]


def crowd() -> Battlemap:
    sides = ["a", "b", ""]
    movers = [
        Mover(f"m{n}", "plain", {"speed": 15 + 5 * (n % 2)}, Cell(n, n * 2 % 5), sides[n % 3], hidden=n == 4)
        for n in range(8)
    ]
    return Battlemap.from_rows(ROWS, {"~": {"factor": 2}}, movers=[*movers, Mover("nowhere", "plain")])


@pytest.mark.parametrize(
    "more",
    [{}, {"turns": 2}, {"truth": True}, {"others": []}, {"options": {"ally_cost": 2}}, {"reserve": 5},
     {"arrive": "prone"}, {"known": [(col, row) for col in range(6) for row in range(5)]}, {"rules": "operator"}],
)  # fmt: skip
def test_each_is_as_if_asked_alone(more: dict[str, Any]) -> None:
    place = crowd()
    if "rules" in more:
        place = place.with_(movers=[Mover(m.id, at=m.at, side=m.side) for m in place.movers])
    found = reach_many(place, **more)
    assert [one.mover.id for one in found] == [f"m{n}" for n in range(8)]
    for one in found:
        alone = reach(place, one.mover.id, **more)
        assert dict(one.costs) == dict(alone.costs)
        assert [one.route(cell) for cell in one.costs] == [alone.route(cell) for cell in alone.costs]
        assert one.bands == alone.bands
        assert one.why_not((2, 1)) == alone.why_not((2, 1))


def test_movers_by_id_or_given_in_any_order() -> None:
    place = crowd()
    stranger = Mover("stranger", "plain", {"speed": 10}, Cell(9, 4))
    found = reach_many(place, ["m3", stranger, "m1", "m3"])
    assert [one.mover.id for one in found] == ["m3", "stranger", "m1", "m3"]
    assert dict(found[1].costs) == dict(reach(place, stranger).costs)


def test_nothing_is_searched_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    search = kernel.search

    def counted(*args: Any, **more: Any) -> Any:
        asked.append(args)
        return search(*args, **more)

    monkeypatch.setattr("tactical.movement.turns.memoryless.search", counted)
    found = reach_many(crowd())
    assert not asked
    assert found[2].cost((2, 4)) == 0
    assert len(asked) == 1


def test_what_cannot_be_asked_is_said_at_once() -> None:
    place = crowd()
    with pytest.raises(UnknownName, match="nobody"):
        reach_many(place, ["m1", "nobody"])
    with pytest.raises(ValueError, match="no place on the map"):
        reach_many(place, ["m1", "nowhere"])
    with pytest.raises(UnknownName, match="gait"):
        reach_many(place, gait="gallop")
    with pytest.raises(ValueError, match="one turn or more"):
        reach_many(place, turns=0)
    assert reach_many(place, []) == ()


def test_warmup_says_whether_there_is_a_compiled_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tactical.warmup() is kernel.available()
    assert not kernel._warming
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert tactical.warmup() is False
    thread = kernel.warm_in_background()
    thread.join()
    assert thread.daemon


def test_what_odds_are_counted_with_is_imported_before_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    # else it is imported at the first rolls: for a tenth of a second the window would stand still
    from tactical.hosts import asyncio_server
    from tactical.viewer import app

    warmed: list[str] = []

    def warming(*late: str) -> None:
        warmed.extend(late)
        raise InterruptedError

    for opened in (app, asyncio_server):
        monkeypatch.setattr(opened, "warm_in_background", warming)
    with pytest.raises(InterruptedError):
        app.App.run(object.__new__(app.App))
    with pytest.raises(InterruptedError):
        asyncio.run(asyncio_server.serve())
    assert warmed == ["dyce", "dyce"]
    monkeypatch.setattr(kernel, "available", lambda: False)
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    before = gc.get_freeze_count()
    kernel.warm_in_background("colorsys").join()
    assert "colorsys" in sys.modules
    # what is imported by then is searched for garbage no more: that takes a tenth of a second each time
    assert gc.get_freeze_count() > before


def test_python_answers_while_the_compiled_tier_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    place = crowd()
    alone = dict(reach(place, "m0").costs)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(kernel, "_warming", [True])
    assert dict(reach(place, "m0", options={"ally_cost": 1}).costs) == alone
