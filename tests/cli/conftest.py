"""Run a command line in this process and see what it answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tactical.cli import main


@dataclass
class Answer:
    """What a command line did: exit code, result and words."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        found = json.loads(self.out)
        assert isinstance(found, dict)
        assert list(found)[:2] == ["schema", "kind"]
        assert found["schema"] == 1
        return found


Run = Callable[..., Answer]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    # no window may open in a test, whatever the machine it runs on has
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")

    def go(*words: str) -> Answer:
        status = main(list(words))
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Answer(status, said.out, said.err)

    return go
