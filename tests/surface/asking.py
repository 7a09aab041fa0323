"""Situations a user may be in, asked at the program's surfaces: a command line, or requests to `serve --stdio`.

A situation names `rules`, the `row` (or `rows`) of a map and the `stats` of the mover `kit` on it, more of the map file
under `more`, another `grid`, other `units` than those of its system, more of `kit` itself (its size), and either `run`
(words of one command; MAP is the file) or `play` (requests one after the other, each a list of the request and what to
expect of its answer; begun on the map, as kit).
`exit` is the exit code of a command.

`expect` maps paths in the answer (``a.b[0].c``, ``[*]`` for each of a list) to values; numbers are equal as fractions.
With ``has``, ``not`` or ``len`` before it a path is asked for a value among many, its absence, or the length.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from pathlib import Path
from typing import Any

from tactical.cli import main
from tactical.hosts.desk import Desk

GROUND = """\
  ".": {terrain: floor, level: VE, number: 3}
  "e": {terrain: field, level: E, number: 9}
  "m": {terrain: rough, level: M, number: 12}
  "d": {terrain: scree, level: D, number: 19}
  "v": {terrain: jungle, level: VD, number: 23}
  "H": {terrain: slide, level: H, number: 35}
  "t": {terrain: dark_tunnel}
  "s": {terrain: lake, level: E, number: 7, swim: true}
  "r": {terrain: stones, rough: true, difficult: true}
  "c": {terrain: crag, climb: true, difficult: true}
  "K": {terrain: wet rope, climb: true, slick: true}
  "f": {terrain: ford, depth: 1.6}
  "W": {terrain: lake, water: deep}
  "C": {terrain: rapids, water: deep, current: strong}
  "_": {terrain: gap, gap: true}
"""
UNITS = {"operator": "cell: 5, unit: ft"}


def map_of(situation: Mapping[str, Any]) -> str:
    """The map file of a situation."""
    rules = situation["rules"]
    units = situation.get("units", UNITS.get(rules, "cell: 1, unit: m"))
    rows = "\n".join(f"  {row}" for row in situation.get("rows", [situation.get("row", "." * 60)]))
    return (
        f"schema: 1\ngrid: {{type: {situation.get('grid', 'square')}, {units}}}\nrules: {rules}\n"
        f"legend:\n{GROUND}{situation.get('legend', '')}rows: |\n{rows}\n"
        f"movers:\n  - {{id: kit, at: A1, side: us, {situation.get('kit', '')}"
        f"stats: {{{situation.get('stats', '')}}}}}\n"
        f"{situation.get('more', '')}"
    )


def faults(situation: Mapping[str, Any], folder: Path, *, real: bool = False) -> Iterator[str]:
    """What is not as expected; `real` asks through processes of their own, else all is asked in this one."""
    file = folder / "map.yaml"
    file.write_text(map_of(situation), encoding="utf-8")
    if "run" in situation:
        words = [str(file) if word == "MAP" else word for word in str(situation["run"]).split()]
        status, out = (_program if real else _inside)([*words, "--json"])
        if status != situation.get("exit", 0):
            yield f"exit {status}: {out[-300:]}"
        yield from differences(json.loads(out or "{}"), situation["expect"])
        return
    asks: list[dict[str, Any]] = [{"do": "load", "map": str(file)}]
    asks.append({"do": "begin", "map": "m1", "options": situation.get("options", {})})
    asks += [{"do": "execute", "session": "s2", "command": {"mover": "kit", **one[0]}} for one in situation["play"]]
    lines = [json.dumps({"id": n, **ask}) for n, ask in enumerate(asks)]
    answers = _served(lines) if real else [Desk().answer(b"{}"), *_desk(lines)][1:]
    for n, (one, line) in enumerate(zip(situation["play"], answers[2:], strict=True), 1):
        for fault in differences(json.loads(line).get("result", {}), one[1] if len(one) > 1 else {}):
            yield f"request {n}: {fault} ({str(line)[:300]})"


def _inside(words: Sequence[str]) -> tuple[int, str]:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        status = main(words)
    return status, out.getvalue()


def _program(words: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-m", "tactical", *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def _desk(lines: Sequence[str]) -> list[bytes | str]:
    desk = Desk()
    return [desk.answer(line.encode()) for line in lines]


def _served(lines: Sequence[str]) -> list[bytes | str]:
    asked = "\n".join([*lines, json.dumps({"id": -1, "do": "quit"})]) + "\n"
    command = [sys.executable, "-m", "tactical", "serve", "--stdio"]
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
    return list(done.stdout.splitlines()[: len(lines)])


def differences(answer: Any, expected: Mapping[str, Any]) -> Iterator[str]:
    """Where an answer is not what was expected."""
    for key, wanted in expected.items():
        verb, _, path = key.rpartition(" ")
        values = list(values_at(answer, path))
        if verb == "len":
            found: Any = len(values[0]) if len(values) == 1 and isinstance(values[0], list) else len(values)
            right = found == wanted
        elif verb:
            found, right = values, any(same(value, wanted) for value in values) == (verb == "has")
        else:
            found = values[0] if len(values) == 1 and "[*]" not in path else values
            right = same(found, wanted)
        if not right:
            yield f"{key}: expected {wanted!r}, found {found!r}"


def values_at(answer: Any, path: str) -> Iterator[Any]:
    """The values at a path; a missing one is None."""
    values = [answer]
    for part in re.findall(r"[^.\[\]]+|\[-?\d+\]|\[\*\]", path):
        if part == "[*]":
            values = [one for value in values for one in (value or [])]
        elif part.startswith("["):
            at = int(part[1:-1])
            values = [
                value[at] if isinstance(value, list) and -len(value) <= at < len(value) else None for value in values
            ]
        else:
            values = [value.get(part) if isinstance(value, dict) else None for value in values]
    yield from values


def same(found: Any, wanted: Any) -> bool:
    """Whether two values are the same, numbers as fractions."""
    if isinstance(wanted, list):
        return isinstance(found, list) and len(found) == len(wanted) and all(map(same, found, wanted))
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(same(found.get(key), value) for key, value in wanted.items())
    if isinstance(found, bool) or isinstance(wanted, bool) or None in (found, wanted):
        return found is wanted
    try:
        return Fraction(str(found)) == Fraction(str(wanted))
    except (ValueError, ZeroDivisionError):
        return bool(found == wanted)
