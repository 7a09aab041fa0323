"""A case asked by a command line, in this process: its exit code and its JSON."""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from tactical.cli import main
from tactical.options import Options


def asked(*words: str, text: str = "") -> tuple[int, dict[str, Any]]:
    """What a command line answers; MAP among its words is a file with `text` in it."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(said), redirect_stderr(io.StringIO()):
        file = Path(folder, "map.yaml")
        file.write_text(text, encoding="utf-8")
        status = main([str(file) if word == "MAP" else word for word in (*words, "--json")])
    return status, json.loads(said.getvalue())


def text_of(*words: str, text: str = "") -> str:
    """What a command line says to people."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(said), redirect_stderr(io.StringIO()):
        file = Path(folder, "map.yaml")
        file.write_text(text, encoding="utf-8")
        main([str(file) if word == "MAP" else word for word in words])
    return said.getvalue()


def told(options: Options) -> list[str]:
    """The options as a command line takes them."""
    tables = ("passing", "sharing", "house_pace")
    stated = {name: value for name, value in options.wire().items() if name not in tables and value is not None}
    return [
        word
        for name, value in stated.items()
        for word in ("--option", f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    ]


def stats_of(given: Mapping[str, object]) -> list[str]:
    """The stats as a command line takes them."""
    return [word for name, value in given.items() for word in ("--stat", f"{name}={value}")]


def as_json(document: Mapping[str, object]) -> str:
    """A map file: JSON is YAML as well."""
    return json.dumps(document)
