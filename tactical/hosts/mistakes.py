"""What a caller is told that got something wrong, on every host alike."""

from __future__ import annotations

import json
import re
import sys
import traceback
from typing import Any

from tactical.errors import MapError, PluginError, RulesetError, SaveError, TacticalError, TooLong, UnknownName, seen
from tactical.wire.writing import dumps

_HEAD = re.compile(rb'\s*\{\s*"id"\s*:\s*(-?\d{1,18}|"(?:[^"\\]|\\.){0,100}")\s*(?:[,}]|$)')


def error_line(request: object, code: str, text: str, **more: object) -> str:
    """An answer that says what was wrong."""
    return dumps({"id": request, "ok": False, "error": {"code": code, "text": seen(text), **more}})


def id_of(line: bytes) -> object:
    """The id of a request that cannot be read as a whole, where it stands first; else None."""
    found = _HEAD.match(line[:200])
    try:
        return None if found is None else json.loads(found[1])
    except ValueError:
        return None


def said(error: Exception) -> tuple[str, str]:
    """The code and words of what went wrong; what is nobody's fault but ours is told on stderr."""
    kinds: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
        (UnknownName, "name"),
        (MapError, "map"),
        (SaveError, "save"),
        (RulesetError, "rules"),
        (PluginError, "plugin"),
        (TacticalError, "error"),
        ((RecursionError, MemoryError), "too-large"),
        (OSError, "file"),
        ((ValueError, TypeError), "value"),
    )
    if isinstance(error, TooLong):
        return "cancelled" if error.cancelled else "too-long", str(error)
    if isinstance(error, OSError) and error.filename:
        return "file", f"{error.filename}: {(error.strerror or str(error)).lower()}"
    for kind, code in kinds:
        if isinstance(error, kind):
            return code, str(error)[:2000]
    traceback.print_exc(file=sys.stderr)
    return "internal", f"{type(error).__name__}: {str(error)[:500]}"


def faults(error: Exception) -> dict[str, Any]:
    """Every fault of a map file with its place; nothing for other errors."""
    if not isinstance(error, MapError):
        return {}
    return {
        "faults": [
            {"text": fault.text, "file": fault.file, "line": fault.line, "column": fault.column, "path": fault.path}
            for fault in error.faults
        ]
    }
