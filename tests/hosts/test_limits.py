"""What a question may take, and what is called off: nothing holds a core for longer, and nothing is lost by it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import tactical
from tactical.assets import maps
from tactical.hosts.asyncio_server import serve
from tactical.hosts.bounds import Bounds
from tactical.hosts.desk import Desk
from tactical.hosts.running import Running
from tactical.search.slices import Slices, whole

BRIEF = 1e-9
WIDE = json.dumps(
    {
        "schema": 1, "name": "wide", "rules": "d6-reup", "rows": "\n".join("." * 60 for _ in range(60)),
        "grid": {"type": "square", "cell": 1, "unit": "m"}, "movers": [{"id": "a", "at": "A1"}],
    }
)  # fmt: skip
"""A map on which a hundred turns under rules that remember take long enough to be called off."""


def shown(found: Any) -> str:
    return json.dumps(tactical.to_json(found), sort_keys=True)


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "reach": lambda b: [dict(tactical.reach(b, "kara", turns=2).costs)],
    "route": lambda b: shown(tactical.reach(b, "kara").route("E4")),
    "waypoints": lambda b: shown(tactical.reach(b, "kara", turns=2).route("D3", via=["C4", "E4"])),
    "why not": lambda b: shown(tactical.reach(b, "kara").route("V2")),
    "odds": lambda b: {cell: str(chance) for cell, chance in tactical.reach(b, "kara").chances.items()},
    "risks": lambda b: [str(risk) for risk in tactical.reach(b, "kara").risks("E4")],
    "plan": lambda b: shown(tactical.plan(b, "kara", "E4")),
    "many": lambda b: [dict(one.costs) for one in tactical.reach_many(b, ["kara", "vess"])],
}


class After(tactical.Limit):
    """A limit that is over when it is looked at for the n-th time."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.left = n

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            self.cancel()
        super().check()


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_given_up_anywhere_leaves_the_map_as_it_was(name: str) -> None:
    ask, fresh = QUESTIONS[name], tactical.load(maps("crossroads"))
    right, cut = ask(fresh), tactical.load(maps("crossroads"))
    for n in (0, 1, 6):
        with After(n) as limit, suppress(tactical.TooLong):
            assert ask(cut) == right
        assert n or limit.left < 0, "nothing of the question looks at its limit"
        assert ask(cut) == right


def test_what_never_ends_ends_with_its_limit() -> None:
    def endless() -> Slices[None]:
        while True:
            yield

    with pytest.raises(tactical.TooLong), tactical.Limit(0.01):
        whole(endless())


def test_a_command_given_up_was_never_given() -> None:
    game = tactical.Session.new(tactical.load(maps("crossroads")))
    before = game.position
    with pytest.raises(tactical.TooLong, match="more than 1e-09 s"), tactical.Limit(BRIEF):
        game.execute(tactical.Move("kara", "E4"))
    assert game.position == before
    assert not game.log
    assert game.execute(tactical.Move("kara", "E4"))


def test_the_tighter_of_two_limits_holds_and_neither_afterwards() -> None:
    battlemap = tactical.load(maps("village"))
    for outer, inner in ((BRIEF, 60), (60, BRIEF)):
        with pytest.raises(tactical.TooLong), tactical.Limit(outer), tactical.Limit(inner):
            tactical.reach(battlemap, "raven").cells()
    assert tactical.reach(battlemap, "raven").cells()


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "soon"])
def test_a_limit_is_more_than_nothing(seconds: Any) -> None:
    with pytest.raises(ValueError, match="seconds"):
        tactical.Limit(seconds)


def ask(desk: Desk, **request: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.answer(json.dumps(request).encode()))
    return found


def test_a_request_may_take_what_it_says_and_no_more_than_is_allowed() -> None:
    desk = Desk(Bounds(seconds=60))
    assert ask(desk, do="load", map="village")["ok"]
    reach = {"do": "reach", "map": "m1", "mover": "raven"}
    assert ask(desk, seconds=BRIEF, **reach)["error"]["code"] == "too-long"
    assert ask(desk, **reach)["ok"]
    for odd in (0, -1, "1", True, None):
        answer = ask(desk, seconds=odd, **reach)
        assert answer["ok"] is (odd is None), answer
    hasty = Desk(Bounds(seconds=BRIEF))
    hasty.maps = desk.maps
    assert ask(hasty, seconds=60, **reach)["error"]["code"] == "too-long"
    assert ask(desk, do="usage")["result"]["bounds"]["seconds"] == 60


def lines(*requests: dict[str, Any]) -> bytes:
    return "".join(json.dumps(one) + "\n" for one in requests).encode()


LONG = ({"id": 1, "do": "load", "content": WIDE}, {"id": 2, "do": "reach", "map": "m1", "mover": "a", "turns": 100})
AFTER = (
    {"id": 3, "do": "reach", "map": "m1", "mover": "a", "turns": 100},
    {"id": 4, "do": "cancel", "of": 2},
    {"id": 5, "do": "cancel", "of": 3},
    {"id": 3, "do": "reach", "map": "m1", "mover": "a"},
    {"id": 6, "do": "quit"},
)
TOLD = [(1, ""), (2, "cancelled"), (3, "cancelled"), (4, ""), (5, ""), (3, ""), (6, "")]


def told(answers: bytes) -> list[tuple[int, str]]:
    every = [json.loads(line) for line in answers.splitlines()]
    return [(one["id"], one.get("error", {}).get("code", "")) for one in every]


def test_a_cancel_ends_what_is_under_way_and_nothing_else() -> None:
    def endless() -> Slices[None]:
        running.heed(b'{"id": 7, "do": "cancel", "of": 1}')
        yield
        running.heed(b'{"id": 8, "do": "cancel", "of": 2}')
        while True:
            yield

    running = Running()
    with running.under(1, None):
        pass
    with pytest.raises(tactical.TooLong, match="called off"), running.under(2, 20):
        whole(endless())
    with running.under(3, None):
        tactical.reach(tactical.load("village"), "raven").cells()


def test_a_cancel_says_whether_it_called_anything_off() -> None:
    desk = Desk()
    assert ask(desk, id=1, do="help")["ok"]
    for of in (1, 99, "no such"):
        assert ask(desk, id=2, do="cancel", of=of)["result"] == {"cancelled": False}
    desk.running.heed(b'{"id": 4, "do": "cancel", "of": 3}')
    assert ask(desk, id=3, do="usage")["error"]["code"] == "cancelled"
    assert ask(desk, id=4, do="cancel", of=3)["result"] == {"cancelled": True}
    assert ask(desk, id=5, do="cancel", of=3)["result"] == {"cancelled": False}
    assert ask(desk, id=3, do="usage")["ok"]
    for odd in (None, 1.5, [1], True):
        assert ask(desk, id=6, do="cancel", of=odd)["error"]["code"] == "value"


def test_what_is_under_way_or_waits_is_called_off_over_stdio() -> None:
    process = subprocess.run(
        [sys.executable, "-m", "tactical", "serve", "--stdio"],
        input=lines(*LONG, *AFTER),
        capture_output=True,
        check=True,
    )
    assert told(process.stdout) == TOLD


def test_what_is_under_way_or_waits_is_called_off_over_tcp() -> None:
    async def talk() -> bytes:
        server = await serve()
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname()[:2])
        writer.write(lines(*LONG, *AFTER))
        answers = await reader.read()
        writer.close()
        server.close()
        return answers

    assert told(asyncio.run(talk())) == TOLD


def test_a_host_that_keeps_its_pipe_open_is_not_waited_for_after_quit() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tactical", "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(lines({"id": 1, "do": "quit"}))
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["ok"]
    assert process.wait(30) == 0
    process.stdin.close()
    process.stdout.close()


def test_a_library_calls_off_what_another_thread_asks() -> None:
    battlemap, caught = tactical.load(WIDE.encode()), []
    limit, begun = tactical.Limit(), threading.Event()

    def asking() -> None:
        try:
            with limit:
                begun.set()
                tactical.reach(battlemap, "a", turns=100).cells()
        except tactical.TooLong as error:
            caught.append(error.cancelled)

    thread = threading.Thread(target=asking)
    thread.start()
    begun.wait(30)
    limit.cancel()
    thread.join(60)
    assert caught == [True]
