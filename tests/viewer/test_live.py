"""The window's own loop, in real time and in a process of its own: what a user sees after a click."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygame")

from tests.viewer import live

ROOT = Path(__file__).parents[2]
CPU = 0.15
"""The share of a core that a window at rest may take at most; it takes about a tenth of that."""


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.viewer.live", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=8 * live.PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_token_is_drawn_where_it_was_sent(seen):
    assert seen["opened"]
    assert seen.get("stood"), "it is drawn where it stands at first"
    assert seen.get("arrived")
    assert seen.get("stays")


def test_the_tooltip_comes_and_says_why_not(seen):
    assert seen.get("refused")
    assert seen.get("refused")


def test_the_window_rests_when_nothing_happens(seen):
    assert seen.get("rested")
    assert seen.get("frames") == 0, "nothing is painted while nothing changes"
    assert seen.get("cpu", live.REST) < CPU * live.REST


def test_a_changed_file_is_read_again(seen):
    assert seen.get("reloaded")


def test_fingers_pinch_draw_and_press_long(seen):
    assert seen.get("pinched"), "two fingers apart draw the map larger"
    assert seen.get("long pressed"), "a finger that stays opens the menu"
    assert seen.get("let go"), "Esc closes it, 0 shows all again"
