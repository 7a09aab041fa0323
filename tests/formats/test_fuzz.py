"""Readers given a few thousand files that somebody spoilt: a map, or the error that its document names, and no other.

Each file is made from a good one by a seeded chance, so that a failure comes back with its number.
"""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

import tactical
from tactical.errors import MapError, SaveError
from tactical.formats import load
from tactical.formats.movingai import scenarios
from tactical.hosts.stdio import serve
from tactical.play.commands import EndTurn, Move, Posture
from tactical.play.session import Session
from tactical.units import Cell
from tactical.wire import save
from tactical.wire.lines import Chain
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

from ._samples import FUZZ, YARD, uvtt

ROOT = Path(__file__).parents[2]
EVIL = [
    "1e300", "-1e300", "1e99999999", "NaN", "-1", "0", "", "~", "null", "true", "9" * 5000, "1/0", "0/0", "1:30",
    "a\\u0000b",
    "[]", "{}", "[[]]", "&a [*a]", "!!python/object:os.system x", "../../etc/passwd", "C4", "ZZZZZZZZ99999999", "-1,-1",
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"), "\\ud800", "\x85", "\u2028", "1000000000",
    "-999999999", "999999999.9999999", '"', "'", "}", "]", ":", "- ", "  ", "\t", "#", "|", ">",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 10**9, 10**18, 10**400, 0.5, 1e300, float("inf"), float("nan"), "", "a", "\x00",
    "\ud800",
    "9" * 5000, [], {}, [[]], {"x": 1}, [1, 2], [0, 0, 0, 0], "A1", "1/3", {"$fraction": "1/0"}, {"$cell": []},
    {"$map": [[[], 1]]}, {"$set": [[]]}, {"$tuple": 3},
]  # fmt: skip


def spoilt(data: bytes, chance: Random) -> bytes:
    """A file with a few of its bytes or words replaced, doubled, cut or moved."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        length = chance.choice([1, 1, 2, 5, 20])
        if kind == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + data[at + length :]
        elif kind == 2:
            data = data[:at] + data[at : at + length] * chance.choice([2, 3, 50]) + data[at + length :]
        elif kind == 3:
            data = data[: chance.randrange(len(data) + 1)]
        elif kind in (4, 5):
            word = chance.choice(EVIL).encode("utf-8", "surrogatepass")
            data = data[:at] + word + data[at + (length if kind == 4 else 0) :]
        else:
            other = chance.randrange(len(data) + 1)
            data = data[:at] + data[other : other + 40] + data[at:]
    return data


def twisted(value: Any, chance: Random) -> Any:
    """A value of JSON with one of its parts replaced, taken away or put elsewhere."""
    if chance.random() < 0.12 or not isinstance(value, (dict, list)) or not value:
        return chance.choice(VALUES)
    if isinstance(value, list):
        at = chance.randrange(len(value))
        kind = chance.randrange(8)
        if kind == 0:
            return value[:at] + value[at + 1 :]
        if kind == 1:
            return [*value, value[at]]
        return [*value[:at], twisted(value[at], chance), *value[at + 1 :]]
    key = chance.choice(list(value))
    kind = chance.randrange(10)
    if kind == 0:
        return {name: part for name, part in value.items() if name != key}
    if kind == 1:
        return {**value, chance.choice(["", "x", "\x00", "$cell", *value]): value[key]}
    return {**value, key: twisted(value[key], chance)}


def used(battlemap: Battlemap) -> None:
    """What everybody does with a map: it may be strange, but not break."""
    assert isinstance(battlemap, Battlemap)
    faults = battlemap.faults()
    if faults or battlemap.cols * battlemap.rows > 400:
        return
    tactical.render(battlemap)
    with contextlib.suppress(tactical.TacticalError):
        cells = (Cell(col, row) for row in range(battlemap.rows) for col in range(battlemap.cols))
        start = next((cell for cell in cells if not battlemap.terrain(cell).impassable), None)
        if start is not None:
            tactical.reach(battlemap, Mover("fuzz", at=start), rules="plain")


SMALL = [path for path in sorted((ROOT / "maps" / "small").glob("*.yaml")) if "base" not in path.read_text("utf-8")]


@pytest.mark.parametrize("number", range(8 * FUZZ))
def test_native_maps(number: int) -> None:
    chance = Random(number)
    texts = [YARD, *(path.read_text(encoding="utf-8") for path in SMALL)]
    for _ in range(60):
        data = spoilt(chance.choice(texts).encode(), chance)
        with contextlib.suppress(MapError):
            used(load(data, name="map.yaml"))


@pytest.mark.parametrize("number", range(8 * FUZZ))
def test_native_maps_with_a_part_twisted(number: int) -> None:
    chance = Random(100 + number)
    texts = [YARD, *(path.read_text(encoding="utf-8") for path in SMALL)]
    for _ in range(40):
        value = yaml.load(chance.choice(texts), Loader=yaml.BaseLoader)
        for _ in range(chance.randint(1, 3)):
            value = twisted(value, chance)
        data = yaml.safe_dump(json.loads(json.dumps(value, default=str)), allow_unicode=False)
        with contextlib.suppress(MapError):
            used(load(data.encode("utf-8", "replace"), name="map.yaml"))


@pytest.mark.parametrize("number", range(8 * FUZZ))
def test_universal_vtt_files(number: int) -> None:
    chance = Random(200 + number)
    for n in range(80):
        if n % 2:
            data = spoilt(uvtt(), chance)
        else:
            value = json.loads(uvtt())
            for _ in range(chance.randint(1, 3)):
                value = twisted(value, chance)
            data = json.dumps(value).encode()
        with contextlib.suppress(MapError):
            used(load(data, name="cave.dd2vtt"))


ARENA = b"type octile\nheight 3\nwidth 4\nmap\n.@T.\nG.SW\n....\n"
PROBLEMS = b"version 1\n0\ta.map\t4\t3\t0\t0\t3\t2\t4.24264069\n1 b.map 4 3 0 0 1 0 1\n"


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_movingai_files(number: int) -> None:
    chance = Random(300 + number)
    for _ in range(150):
        with contextlib.suppress(MapError):
            used(load(spoilt(ARENA, chance), name="arena.map", format="movingai"))
        with contextlib.suppress(MapError):
            scenarios(spoilt(PROBLEMS, chance))
    for length in ("1e99999999", "1e9999999", "9" * 5000, "-1e999999999", "1/3", "nan", "inf", "1_000"):
        with contextlib.suppress(MapError):
            scenarios(b"version 1\n0 m 3 2 0 0 1 1 " + length.encode())


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_files_of_no_known_format(number: int) -> None:
    chance = Random(400 + number)
    for _ in range(150):
        data = spoilt(chance.choice([YARD.encode(), uvtt(), ARENA, b"<?xml?><map>", bytes(40), b"PK\3\4"]), chance)
        with contextlib.suppress(MapError):
            used(load(data, name=chance.choice(["", "a", "a.yaml", "a.json", "a.map", "a.dd2vtt", "a.xml", "a.\x00"])))


CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/*/input.*"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_any_file_of_a_case(case: Path, tmp_path: Path) -> None:
    """Every format, with the files that lie beside it: one of them is spoilt at a time."""
    chance = Random(str(case.relative_to(ROOT)))
    whole = {
        path.name: path.read_bytes() for path in case.iterdir() if path.stem not in ("expected", "report", "faults")
    }
    (main,) = (name for name in whole if name.startswith("input."))
    for name, data in whole.items():
        (tmp_path / name).write_bytes(data)
    for _ in range(12 * FUZZ):
        name = chance.choice(sorted(whole))
        (tmp_path / name).write_bytes(spoilt(whole[name], chance))
        with contextlib.suppress(MapError, OSError):
            used(load(tmp_path / main))
        (tmp_path / name).write_bytes(whole[name])


def played() -> Session:
    movers = (Mover("a", at=(0, 0), rules="plain", side="x"), Mover("b", at=(3, 1), rules="plain", side="y"))
    barriers = (tactical.Barrier(((1, 0), (1, 1)), "door", "gate", "closed"),)
    session = Session.new(
        Battlemap.from_rows(
            ["....", ".~.#"], {"~": {"difficult": True}}, movers=movers, barriers=barriers, rules="plain"
        )
    )
    session.execute(Move("a", Cell(1, 0)))
    session.execute(Move("a", Cell(2, 0)))
    return session


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_values_for_hosts(number: int) -> None:
    chance = Random(500 + number)
    session = played()
    values = [tactical.to_json(session.battlemap), tactical.to_json(session.position)]
    values.append(tactical.to_json(tactical.reach(session.battlemap, "a").route(Cell(2, 1))))
    for _ in range(150):
        value = twisted(chance.choice(values), chance)
        with contextlib.suppress(ValueError):
            found = tactical.from_json(value)
            if isinstance(found, Battlemap):
                used(found)


@cache
def long_game() -> str:
    """A saved game with a noted position in it, and commands after that."""
    session = played()
    for n in range(51):
        assert session.execute(Posture("a", ["prone", "standing"][n % 2]))
        session.execute(EndTurn("a"))
    return "".join(save.lines(session))


def _saved(chance: Random) -> Callable[[], object]:
    text = long_game()
    if chance.random() < 0.5:
        data = spoilt(text.encode(), chance)
        return lambda: Session.load(data)
    lines = [{key: part for key, part in json.loads(line).items() if key != "digest"} for line in text.splitlines()]
    noted = [n for n, line in enumerate(lines) if "at" in line]
    at = chance.choice(noted) if chance.random() < 0.4 else chance.randrange(len(lines))
    lines[at] = twisted(lines[at], chance)
    # somebody puts the digests right, so that what reads the lines gets to see them
    chain = Chain()
    made = b"".join(chain.line(json.dumps(line, separators=(",", ":")).encode()) for line in lines)

    def opened() -> None:
        session = Session.load(made)
        session.undo()
        tuple(session.log)

    return opened


@pytest.mark.parametrize("number", range(4 * FUZZ))
def test_saved_games_and_snapshots(number: int) -> None:
    chance = Random(600 + number)
    snapshot = json.loads(json.dumps(played().snapshot()))
    for _ in range(25):
        with contextlib.suppress(SaveError):
            _saved(chance)()
        with contextlib.suppress(SaveError):
            Session.restore(twisted(snapshot, chance))


REQUESTS: list[dict[str, Any]] = [
    {"id": 1, "do": "load", "map": "village"}, {"do": "load", "content": YARD}, {"do": "map", "map": "m1"},
    {"do": "reach", "map": "m1", "mover": "raven", "turns": 1, "options": {"diagonal": "none"}},
    {"do": "route", "map": "m1", "mover": "raven", "to": "N9", "via": [[1, 1]]},
    {"do": "begin", "map": "m1", "seed": 7},
    {"do": "move", "session": "s3", "mover": "raven", "to": [1, 2], "gait": "dash"}, {"do": "undo", "session": "s3"},
    {"do": "draw", "map": "m1", "mover": "raven", "cell": 32}, {"do": "open", "lines": "{}"},
    {"do": "execute", "session": "s3", "command": {"do": "posture", "mover": "raven", "posture": "prone"}},
    {"do": "restore", "snapshot": {"kind": "snapshot"}}, {"do": "position", "session": "s3"}, {"do": "help"},
]  # fmt: skip


@pytest.mark.parametrize("number", range(3 * FUZZ))
def test_requests_on_stdio(
    number: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = Random(700 + number)
    lines = [json.dumps(one) for one in REQUESTS]
    for _ in range(60):
        one = twisted(chance.choice(REQUESTS), chance)
        if isinstance(one, dict) and one.get("do") == "quit":
            continue
        lines.append(json.dumps(one))
        lines.append(
            spoilt(json.dumps(chance.choice(REQUESTS)).encode(), chance)
            .decode("utf-8", "replace")
            .replace("\n", " ")
            .replace("\r", " ")
            or "x"
        )
    lines = [line for line in lines if line.strip()]
    out = io.BytesIO()
    serve(io.BytesIO("\n".join(lines).encode("utf-8", "replace")), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert len(answers) == len(lines)
    assert not [answer for answer in answers if not answer["ok"] and answer["error"]["code"] == "internal"]
    assert "Traceback" not in capsys.readouterr().err
