"""`serve --stdio`: every line gets its answer, whatever it holds, and the process lives."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import tactical
from tactical.hosts.asyncio_server import serve as serve_tcp
from tactical.hosts.bounds import LIMIT
from tactical.hosts.desk import Desk
from tactical.hosts.stdio import serve
from tests.formats._samples import portal, uvtt

SCRIPT = Path(__file__).with_name("drive.mjs")
SERVE = [sys.executable, "-m", "tactical", "serve", "--stdio"]


def ask(desk: Desk, **request: object) -> dict[str, Any]:
    """One request and its answer."""
    found: dict[str, Any] = json.loads(desk.answer(json.dumps(request).encode()))
    return found


def result(desk: Desk, **request: object) -> dict[str, Any]:
    """The result of a request that must be answered."""
    answer = ask(desk, id="x", **request)
    assert answer["ok"], answer
    assert answer["id"] == "x"
    found: dict[str, Any] = answer["result"]
    return found


def error(desk: Desk, **request: object) -> dict[str, Any]:
    """The error of a request that is wrong."""
    answer = ask(desk, id=1, **request)
    assert answer["ok"] is False, answer
    assert answer["id"] == 1
    found: dict[str, Any] = answer["error"]
    return found


@pytest.fixture
def desk() -> Iterator[Desk]:
    """A desk with the village on it as m1, and a game there as s2."""
    desk = Desk()
    result(desk, do="load", map="village")
    result(desk, do="begin", map="m1", seed=4)
    yield desk
    # whatever was asked, it still answers
    assert result(desk, do="map", map="m1")["kind"] == "map"


def test_a_map_is_read_with_import_options_and_below_another_file(desk: Desk, tmp_path: Path) -> None:
    drawn = uvtt(portals=[portal((3, 1), (3, 2), closed=False)]).decode()
    (tmp_path / "over.yaml").write_text("grid: {cell: 10}\nmovers: [{id: ann, at: A1}]\n", encoding="utf-8")
    over = str(tmp_path / "over.yaml")
    found = result(desk, do="load", content=drawn, options={"portals": "window-1:closed"}, overlay=over)
    assert found["movers"] == ["ann"]
    whole = result(desk, do="map", map=found["map"])
    battlemap = tactical.from_json(whole)
    assert isinstance(battlemap, tactical.Battlemap)
    assert (battlemap.cell, [one.id for one in battlemap.barriers if one.kind == "door"]) == (10, ["window-1"])
    for wrong, code in (
        ({"options": {"portal": "x"}}, "name"),
        ({"options": {"open_portals": "x"}}, "value"),
        ({"options": 3}, "value"),
        ({"overlay": 3}, "value"),
        ({"overlay": str(tmp_path / "gone.yaml")}, "file"),
    ):
        assert error(desk, do="load", content=drawn, **wrong)["code"] == code, wrong  # type: ignore[arg-type]


def test_reach_route_move_undo_save_open(desk: Desk) -> None:
    reach = result(desk, do="reach", map="m1", mover="raven", turns=2)
    assert reach["kind"] == "reach"
    assert {"move", "dash", "turn-2"} == {band["name"] for band in reach["bands"]}
    route = result(desk, do="route", session="s2", mover="raven", to="N9")
    assert route["kind"] == "route"
    assert route["cost"] == 50
    moved = result(desk, do="move", session="s2", mover="raven", to=[13, 8])
    assert moved["kind"] == "accepted"
    assert moved["events"][-1]["code"] == "attack.offered"
    assert len(moved["text"]) == len(moved["events"])
    went = result(desk, do="execute", session="s2", command={"do": "go-on", "mover": "raven"})
    assert went["events"][-1]["code"] == "move.ended"
    assert result(desk, do="undo", session="s2")["kind"] == "accepted"
    assert result(desk, do="redo", session="s2")["kind"] == "accepted"
    saved = result(desk, do="save", session="s2")
    again = result(desk, do="open", lines=saved["lines"])
    assert again["entries"] == 4
    assert result(desk, do="position", session=again["session"]) == result(desk, do="position", session="s2")
    early = result(desk, do="open", lines=saved["lines"], to=1)
    assert result(desk, do="position", session=early["session"])["pending"]["what"] == "attack"
    restored = result(desk, do="restore", snapshot=result(desk, do="snapshot", session="s2"))
    assert result(desk, do="position", session=restored["session"]) == result(desk, do="position", session="s2")
    assert result(desk, do="reset", session="s2")["events"][0]["count"] == 2
    assert result(desk, do="close", session="s2") == {}
    assert error(desk, do="undo", session="s2")["code"] == "name"


def test_a_refusal_is_an_answer(desk: Desk) -> None:
    refusal = result(desk, do="move", session="s2", mover="raven", to="N14")
    assert (refusal["kind"], refusal["code"]) == ("refusal", "move.impassable")
    assert "well" in refusal["text"]
    assert result(desk, do="route", map="m1", mover="raven", to="N14")["kind"] == "refusal"
    assert result(desk, do="redo", session="s2")["code"] == "play.nothing_to_redo"


def test_maps_come_by_content_and_as_json(desk: Desk) -> None:
    text = "schema: 1\nrows: |\n  ...\n  ...\nmovers:\n  - {id: a, at: A1, rules: plain}\n"
    loaded = result(desk, do="load", content=text)
    assert (loaded["cols"], loaded["rows"], loaded["movers"]) == (3, 2, ["a"])
    again = result(desk, do="load", json=result(desk, do="map", map=loaded["map"]))
    assert len(result(desk, do="reach", map=again["map"], mover="a")["cells"]) == 5


def test_an_overlay_comes_as_svg(desk: Desk) -> None:
    picture = result(desk, do="draw", map="m1", mover="raven", to="N9", cell=20)["svg"]
    assert picture.startswith("<svg")
    assert 'class="ground' not in picture


def test_help_names_every_request(desk: Desk) -> None:
    known = result(desk, do="help")
    assert {"load", "reach", "route", "begin", "move", "execute", "undo", "save", "open", "quit"} <= set(known)
    assert all(one["does"] for one in known.values())


WRONG: list[tuple[dict[str, object], str, str]] = [
    ({}, "request", "a request needs do"),
    ({"do": 7}, "request", "no request"),
    ({"do": "raech"}, "request", "did you mean 'reach'"),
    ({"do": "reach", "map": "m1"}, "request", "reach needs mover"),
    ({"do": "reach", "map": "m1", "mover": "raven", "turn": 2}, "request", "did you mean 'turns'"),
    ({"do": "reach", "map": "m9", "mover": "raven"}, "name", "unknown map 'm9'"),
    ({"do": "reach", "map": ["m1"], "mover": "raven"}, "name", "unknown map"),
    ({"do": "reach", "map": "m1", "mover": "ravn"}, "name", "did you mean 'raven'"),
    ({"do": "reach", "map": "m1", "mover": ["raven"]}, "value", "mover: expected a text"),
    ({"do": "reach", "map": "m1", "mover": "raven", "turns": 10**9}, "value", "turns: expected"),
    ({"do": "reach", "map": "m1", "mover": "raven", "options": {"diagonl": "none"}}, "name", "did you mean 'diagonal'"),
    ({"do": "reach", "map": "m1", "mover": "raven", "options": {"diagonal": "no"}}, "rules", "diagonal"),
    ({"do": "reach", "map": "m1", "mover": "raven", "options": 3}, "value", ""),
    ({"do": "route", "map": "m1", "mover": "raven", "to": "Q"}, "value", "not a cell"),
    ({"do": "route", "map": "m1", "mover": "raven", "to": {"x": 1}}, "value", "expected a cell"),
    ({"do": "route", "map": "m1", "mover": "raven", "to": "ZZ99"}, "value", "not on the map"),
    ({"do": "move", "session": "s1", "mover": "raven", "to": "N9"}, "name", "unknown session 's1'"),
    ({"do": "execute", "session": "s2", "command": {"do": "fly"}}, "value", "'fly' is not known"),
    ({"do": "execute", "session": "s2", "command": "dash"}, "value", "expected an object"),
    ({"do": "execute", "session": "s2", "command": {"do": "given-roll", "mover": "raven"}}, "value", "one of the two"),
    ({"do": "load", "map": "no-such-map"}, "name", "unknown sample map"),
    ({"do": "load"}, "request", "needs map"),
    ({"do": "load", "content": "rows: ["}, "map", ""),
    ({"do": "load", "content": "schema: 1\nrows: |\n  ..\n  ...\n"}, "map", ""),
    ({"do": "load", "json": {"schema": 1, "kind": "mover", "id": "a"}}, "value", "expected a map"),
    ({"do": "begin", "map": "m1", "seed": "x"}, "value", "seed"),
    ({"do": "begin", "map": "m1", "order": ["nobody"]}, "name", "unknown mover"),
    ({"do": "begin", "map": "m1", "rules": "chess"}, "name", "unknown rule system"),
    ({"do": "open", "lines": "hello\n"}, "save", "this is not a saved game"),
    ({"do": "open", "path": "/no/such/game"}, "file", "no such file"),
    ({"do": "save", "session": "s2", "path": "/no/such/folder/game"}, "file", "/no/such/folder/game: no such file"),
    ({"do": "restore", "snapshot": {}}, "save", "not a snapshot"),
]


@pytest.mark.parametrize(("request_", "code", "words"), WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_what_the_caller_gets_wrong_is_said(desk: Desk, request_: dict[str, object], code: str, words: str) -> None:
    found = error(desk, **request_)
    assert found["code"] == code, found
    assert words in found["text"]


def test_a_wrong_map_has_its_faults_with_their_lines(desk: Desk) -> None:
    found = error(desk, do="load", content="schema: 1\nrows: |\n  ..\n  ..\nmovers:\n  - {id: a, at: Z9}\n")
    assert found["faults"][0]["line"] == 6


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        (b"", None), (b"{", None), (b"null", None), (b"[1]", None), (b'"x"', None), (b"\xff\xfe\x00", None),
        (b'{"id": 7, "do": }', 7), (b'{"id": "seven", "do"', "seven"), (b'{"id": {}, "do": "help"}', None),
        (b"[" * 200_000, None), (b'{"id": 3, "do": ' + b"[" * 200_000, 3), (b'{"id": 1e999, "do": "help"}', None),
        (b'{"id": 5, "do": ' + b"9" * 5000 + b"}", 5),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_answered_too(line: bytes, request_: object) -> None:
    found = json.loads(Desk().answer(line))
    assert found["ok"] is False
    assert found["id"] == request_
    assert found["error"]["text"]
    # nothing of Python's own limits and settings
    assert not {"sys.set_int_max_str_digits", "recursion"} & set(found["error"]["text"].split())


def test_our_own_mistakes_end_nothing(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(session: str) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setitem(desk._requests, "undo", broken)
    assert error(desk, do="undo", session="s2") == {"code": "internal", "text": "ZeroDivisionError: oh"}
    assert "broken" in capsys.readouterr().err


def test_a_line_too_long_is_answered_and_skipped() -> None:
    lines = [
        b'{"id": 1, "do": "help"}', b'{"id": 2, "do": "load", "content": "' + b"x" * 300 + b'"}', b"", b"   ",
        b'{"id": 3, "do": "help"}', b"y" * 500, b'{"id": 4, "do": "quit"}', b'{"id": 5, "do": "help"}',
    ]  # fmt: skip
    out = BytesIO()
    serve(BytesIO(b"\n".join(lines) + b"\n"), out, limit=100)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [(one["id"], one["ok"]) for one in answers] == [(1, True), (2, False), (3, True), (None, False), (4, True)]
    assert answers[1]["error"]["code"] == "too-large"


def test_ten_megabytes_on_a_line_leave_the_process_alive() -> None:
    big = b'{"id": "big", "do": "load", "content": "' + b"x" * 10_000_000 + b'"}\n'
    assert len(big) > LIMIT
    done = subprocess.run(
        SERVE, input=big + b'{"id": 2, "do": "load", "map": "village"}\n{"id": 3', capture_output=True, timeout=120,
        check=True,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["id"], one["ok"]) for one in answers] == [("big", False), (2, True), (3, False)]
    assert not done.stderr


def test_node_drives_a_game() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, str(SCRIPT), *SERVE], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1] == "all well"


def test_the_asyncio_server_keeps_callers_apart() -> None:
    async def caller(port: int, mover: str) -> list[dict[str, Any]]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LIMIT)
        answers = []
        for request in (
            {"id": 1, "do": "load", "map": "village"},
            {"id": 2, "do": "begin", "map": "m1"},
            {"id": 3, "do": "reach", "session": "s2", "mover": mover},
            {"id": 4, "do": "close", "map": "m1"},
            {"id": 5, "do": "quit"},
        ):
            writer.write(json.dumps(request).encode() + b"\n")
            await writer.drain()
            answers.append(json.loads(await reader.readline()))
        writer.close()
        return answers

    async def all_at_once() -> list[list[dict[str, Any]]]:
        server = await serve_tcp()
        async with server:
            port = server.sockets[0].getsockname()[1]
            return await asyncio.gather(*[caller(port, mover) for mover in ("raven", "magpie", "hound") * 3])

    every = asyncio.run(all_at_once())
    assert [[one["ok"] for one in answers] for answers in every] == [[True] * 5] * 9
    movers = [answers[2]["result"]["mover"] for answers in every]
    assert movers == ["raven", "magpie", "hound"] * 3
    assert every[0][2] == every[3][2] == every[6][2]


def test_a_line_of_another_encoding_is_said_to_be_none_of_ours(desk: Desk) -> None:
    found = json.loads(desk.answer(b'{"id": 3, "do": "load", "map": "\xff"}'))
    assert (found["id"], found["error"]["code"], found["error"]["text"]) == (3, "json", "not UTF-8 JSON")


def test_a_map_that_was_not_loaded_is_to_be_loaded_first(desk: Desk) -> None:
    assert error(desk, do="begin", map="village")["text"].endswith("(load it first)")


def test_close_forgets_what_it_names_or_nothing(desk: Desk) -> None:
    assert error(desk, do="close") == {"code": "request", "text": "close needs session or map"}
    assert error(desk, do="close", session="s2", map="zzz")["code"] == "name"
    assert error(desk, do="close", session="zzz", map="m1")["code"] == "name"
    usage = result(desk, do="usage")
    assert (usage["maps"], usage["sessions"]) == (1, 1)
    result(desk, do="close", session="s2")
    assert result(desk, do="usage")["sessions"] == 0


def test_an_id_is_no_yes_or_no(desk: Desk) -> None:
    for odd in ("true", "1.5", "[1]"):
        answer = json.loads(desk.answer(f'{{"id":{odd},"do":"usage"}}'.encode()))
        assert (answer["id"], answer["ok"], answer["error"]["code"]) == (None, False, "id")


@pytest.mark.parametrize(
    ("known", "words"),
    [
        ({"raven": 5}, "known.raven: expected a list of cells"),
        ({"raven": "A1"}, "known.raven: expected a list of cells"),
        ({"Raven": ["A1"]}, "unknown mover or side 'Raven', did you mean 'raven'?"),
        ({"hereos": ["A1"]}, "unknown mover or side 'hereos', did you mean 'heroes'?"),
    ],
)
def test_who_knows_what_is_named_and_listed(desk: Desk, known: object, words: str) -> None:
    found = error(desk, do="begin", map="m1", known=known)
    assert found["text"].startswith(words), found


def test_open_needs_a_game(desk: Desk) -> None:
    assert error(desk, do="open") == {"code": "request", "text": "open needs path or lines"}


def test_dice_of_thousands_of_digits_are_none(desk: Desk) -> None:
    for dice in ("3d6+" + "9" * 5000, "9" * 5000 + "d6", "3D+" + "9" * 5000, "0d6", "0D+2"):
        answer = result(desk, do="execute", session="s2", command={"do": "roll", "dice": dice})
        assert answer["code"] == "play.no_dice"
        assert "sys." not in answer["text"]
        assert len(answer["text"]) < 200
    # nothing was thrown, so nothing is sealed
    result(desk, do="execute", session="s2", command={"do": "spend", "mover": "raven", "amount": 5})
    assert result(desk, do="undo", session="s2")["kind"] == "accepted"


def test_what_is_drawn_is_asked_as_a_reach_is(desk: Desk) -> None:
    plain = result(desk, do="draw", map="m1", mover="raven")["svg"]
    walk = result(desk, do="draw", map="m1", mover="raven", gait="move")["svg"]
    other = result(desk, do="draw", map="m1", mover="raven", options={"diagonal": "none"}, rules="operator")["svg"]
    assert len({plain, walk, other}) == 3
    assert error(desk, do="draw", session="s2", mover="raven", rules="plain")["code"] == "request"


def over_tcp(sent: bytes) -> list[Any]:
    """What the asyncio server answers to some bytes, until the caller's end."""

    async def talk() -> bytes:
        server = await serve_tcp()
        async with server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.sockets[0].getsockname()[1])
            writer.write(sent)
            writer.write_eof()
            answers = await reader.read()
            writer.close()
            return answers

    return [json.loads(line) for line in asyncio.run(talk()).splitlines()]


def over_pipes(sent: bytes) -> list[Any]:
    """What `serve --stdio` answers to the same."""
    target = BytesIO()
    serve(BytesIO(sent), target)
    return [json.loads(line) for line in target.getvalue().splitlines()]


@pytest.mark.parametrize(
    "sent",
    [
        b'{"id":1,"do":"load","map":"village"}\n{"id":2,"do":"close","map":"m1"}',
        b'\n  \n{"id":1,"do":"help"}\n\n',
        b'{"id":1,"do":"load","map":"village"}\n{"id":2,"do":"'
        + b"x" * (LIMIT + 10)
        + b'"}\n{"id":3,"do":"map","map":"m1"}\n',
        b'{"id":1,"do":"' + b"x" * (3 * LIMIT),
        b"",
        b"\xff\n[1]\nnull",
    ],
    ids=["no end of line", "empty lines", "a line too long", "too long to the end", "nothing", "no requests"],
)  # fmt: skip
def test_both_servers_answer_the_same_lines_alike(sent: bytes) -> None:
    assert over_tcp(sent) == over_pipes(sent)


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is another matter there")
def test_an_interrupted_server_ends_without_a_traceback() -> None:
    import signal
    import socket

    # a run in the background is deaf to Ctrl-C, and so would be all that it starts
    hears = "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    runs = "runpy.run_module('tactical.hosts.asyncio_server', run_name='__main__')"
    command = [sys.executable, "-u", "-c", f"{hears}; {runs}", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().rsplit(b":", 1)[1])
            with socket.create_connection(("127.0.0.1", port)) as caller:
                caller.sendall(b'{"id":1,"do":"usage"}\n')
                assert b'"ok":true' in caller.recv(10_000)
                process.send_signal(signal.SIGINT)
                _, told = process.communicate(timeout=60)
        finally:
            process.kill()
    assert told == b""


def test_a_posture_that_does_not_exist_is_an_error(desk: Desk) -> None:
    for request in (
        {"do": "route", "map": "m1", "mover": "raven", "to": "N9", "arrive": "flying"},
        {"do": "move", "session": "s2", "mover": "raven", "to": "N9", "arrive": "flying"},
        {"do": "execute", "session": "s2", "command": {"do": "posture", "mover": "raven", "posture": "flying"}},
        {"do": "execute", "session": "s2",
         "command": {"do": "place", "mover": "raven", "at": "N9", "posture": "flying"}},
    ):  # fmt: skip
        found = error(desk, **request)
        assert found["code"] == "name"
        assert found["text"].startswith("unknown posture 'flying'")


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        (
            {"do": "save", "session": "s2", "path": "/no-such-folder/x.jsonl"},
            "/no-such-folder/x.jsonl: no such file or directory",
        ),
        ({"do": "open", "path": "/no-such-folder/x.jsonl"}, "/no-such-folder/x.jsonl: no such file or directory"),
        (
            {"do": "load", "map": "/no-such-folder/x.yaml"},
            "/no-such-folder/x.yaml: no such file, and no sample map of that name",
        ),
        ({"do": "reach", "map": "m1", "mover": None}, "mover: expected a text, found null"),
        (
            {"do": "reach", "map": "m1", "mover": "raven", "turns": True},
            "turns: expected a whole number from 1 to 1000, found true",
        ),
    ],
)
def test_what_is_wrong_is_told_in_words_and_as_it_was_sent(desk: Desk, request_: dict[str, Any], words: str) -> None:
    assert ask(desk, **request_)["error"]["text"] == words


def test_gaits_are_known_however_they_are_written_and_turns_have_one_limit() -> None:
    from tests.play.test_changes import D6, Game

    game = Game(D6.replace("RULES", "d6-reup").replace("level: D, number: 18", "level: VE, number: 3"))
    assert {one["gait"] for one in game.ask(do="reach", map="m1", mover="kit", gait="All out")["bands"]} == {"all_out"}
    assert game.ask(do="route", map="m1", mover="kit", to="Z1", gait="all-out")["cost"] == 25
    assert game.move("Z1", "all-out")["kind"] == "accepted"
    game.do("given-roll", passed=True)
    game.do("end-turn")
    assert game.do("gait", gait="all-out")["kind"] == "accepted"
    assert game.ask(do="reach", map="m1", mover="kit", turns=1000)["kind"] == "reach"
    assert game.answer(do="reach", map="m1", mover="kit", turns=1001)["ok"] is False


def test_a_file_that_is_no_game_is_not_saved_over(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "hall.yaml"
    path.write_text("schema: 1\n")
    told = error(desk, do="save", session="s2", path=str(path))
    assert told["code"] == "save"
    assert told["text"].startswith(f"{path}: this file is no saved game")
    assert path.read_text() == "schema: 1\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ({"do": "place", "mover": "raven", "to": "C4"}, "place: unknown key 'to'"),
        ({"do": "damage", "mover": "raven", "points": 3}, "damage: unknown key 'points'"),
        ({"do": "move"}, "move: missing mover, to"),
    ],
)
def test_a_command_that_is_wrong_is_named_with_the_keys_it_has(
    desk: Desk, command: dict[str, object], said: str
) -> None:
    text = error(desk, do="execute", session="s2", command=command)["text"]
    assert said in text
    if "unknown" in said:
        assert "(known: mover, " in text


def test_a_total_of_the_table_and_its_move_are_taken_back() -> None:
    from tests.play.test_changes import D6, Game

    game = Game(D6.replace("RULES", "d6-reup"))
    before = game.ask(do="position", session="s2")
    assert game.move("E1", "cruising")["events"][-1]["code"] == "roll.needed"
    game.do("given-roll", total=9)
    for _ in range(2):
        assert game.ask(do="undo", session="s2")["kind"] == "accepted"
    assert game.ask(do="position", session="s2") == before
    assert game.ask(do="undo", session="s2")["code"] == "move.nothing_to_undo"
    for _ in range(2):
        assert game.ask(do="redo", session="s2")["kind"] == "accepted"
