"""Every way that a situation asks a command line for is the same as a request, and as a move in a game."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tactical.cli import main
from tactical.hosts.desk import Desk
from tests.surface.asking import map_of
from tests.surface.test_situations import SITUATIONS

ELSEWHERE = ("--dc", "--stunt")
"""What only a move in a game takes, and no request for a way."""
DEFAULTS = (None, "", [], {}, False, 0, 1, "move", "walk", "d20", "free", "standing", "turn", "cell")
"""What a request leaves out where it is the ordinary."""
WAYS = [
    one
    for one in SITUATIONS
    if str(one.get("run", "")).startswith("path ") and not any(word in one["run"] for word in ELSEWHERE)
]


def asked(words: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    """A command line as a request, its options, and the posture at the start."""
    given, options, posture = iter(shlex.split(words)[2:]), {}, ""
    request: dict[str, Any] = {}
    for word in given:
        name = word.removeprefix("--")
        if name == "option":
            key, _, value = next(given).partition("=")
            options[key] = yaml.safe_load(value.replace(":", ": ")) if ":" in value else value
        elif name == "posture":
            posture = next(given)
        elif name == "odds":
            request["odds"] = True
        else:
            value = next(given)
            request[name] = int(value) if name == "turns" else value.replace("-", "_") if name == "gait" else value
    return request, options, posture


def ask(desk: Desk, **request: Any) -> Any:
    return json.loads(desk.answer(json.dumps({"id": 1, **request}).encode()))["result"]


def within(brief: Any, full: Any) -> bool:
    """Whether what leaves its defaults out says the same as what says them all."""
    if isinstance(brief, dict):
        return all(within(brief.get(key), value) for key, value in full.items()) and brief.keys() <= full.keys()
    if isinstance(brief, list):
        return len(brief) == len(full) and all(map(within, brief, full))
    return brief == full or (brief is None and full in DEFAULTS)


# every second one, for the time it takes, and all plans over turns
@pytest.mark.parametrize(
    "situation",
    [one for n, one in enumerate(WAYS) if n % 2 or "--turns" in one["run"] or "dash" in one["run"]],
    ids=lambda one: one["id"],
)
def test_they_agree(situation: Mapping[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    request, options, posture = asked(situation["run"])
    kit = situation.get("kit", "") + (f"posture: {posture}, " if posture else "")
    file = tmp_path / "map.yaml"
    file.write_text(map_of({**situation, "kit": kit}), encoding="utf-8")
    main([str(file) if word == "MAP" else word for word in situation["run"].split()] + ["--json"])
    said = json.loads(capsys.readouterr().out)
    desk = Desk()
    ask(desk, do="load", map=str(file))
    way = ask(desk, do="route", map="m1", options=options, cells="names", **request)
    ask(desk, do="begin", map="m1", options=options)
    moved = ask(
        desk, do="move", session="s2", cells="names", **{key: value for key, value in request.items() if key != "odds"}
    )
    if "refusal" in said:
        assert (way["kind"], way["code"], way["params"]) == ("refusal", *map(said["refusal"].get, ("code", "params")))
        assert (moved["kind"], moved["code"], moved["params"]) == ("refusal", way["code"], way["params"])
        return
    for key in ("cost", "remaining", "checks", "rounds", "ledger", "provokes", "steps"):
        assert within(way.get(key), said[key]), key
    assert within(way.get("odds"), said.get("odds"))
    first, last = said["rounds"][0], moved["events"][-1]
    if last["code"] == "roll.needed":
        wanted = first["checks"][0]
        assert [last["check"].get(key) for key in ("skill", "number")] == [wanted["skill"], wanted["number"]]
    elif last["code"] == "move.ended":
        assert first["checks"] == []
        assert last["cost"] == first["spent"]
        if len(said["rounds"]) == 1:
            assert last["remaining"] == said["remaining"]
    else:
        assert last["code"] == "attack.offered"
        assert said["provokes"]
