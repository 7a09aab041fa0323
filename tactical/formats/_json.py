"""Reading JSON map files: syntax faults by line and column, shape faults by path, all of them at once."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from tactical.errors import Fault
from tactical.formats import UnreadableFile, decode

_TOKEN = re.compile(r"(?<![\"\w])(-?Infinity|NaN)(?![\"\w])")


class _NotANumber(ValueError):
    pass


def read(data: bytes, source: str) -> Any:
    """The file's value.  Raises `UnreadableFile` with line and column for what is not JSON."""
    text = decode(data, source)

    def refuse(token: str) -> NoReturn:
        raise _NotANumber(token)

    try:
        return json.loads(text, parse_constant=refuse)
    except json.JSONDecodeError as error:
        message = "the file ends too early" if error.pos >= len(text.rstrip()) else f"not JSON: {error.msg}"
        raise UnreadableFile([_at(text, error.pos, message, source)]) from error
    except _NotANumber as error:
        match = _TOKEN.search(text)
        raise UnreadableFile([_at(text, match.start() if match else 0, f"{error} is not a number", source)]) from error
    except RecursionError:
        raise UnreadableFile([Fault("nested too deeply", source)]) from None
    except ValueError as error:
        raise UnreadableFile([Fault(f"not JSON: {error}", source)]) from error


def _at(text: str, position: int, message: str, source: str) -> Fault:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line, column = text.count("\n", 0, position) + 1, position - start + 1
    excerpt = text[start : end if end >= 0 else len(text)]
    if len(excerpt) > 120:
        # a file written on one line: show what stands around the fault, column counting from what is shown
        excerpt = ""
    return Fault(message, source, line, column, excerpt=excerpt)
