"""Reading JSON map files: syntax faults by line and column, shape faults by path, all of them at once."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from tactical.errors import Fault
from tactical.formats import UnreadableFile, decode

_TOKEN = re.compile(r"(?<![\"\w])(-?Infinity|NaN)(?![\"\w])")


_VAST = re.compile(r"[0-9]{4000,}")


class _NotANumber(ValueError):
    pass


def read(data: bytes, source: str, twice: list[str] | None = None) -> Any:
    """The file's value; keys that an object has twice (the last one counts) are added to `twice`.

    Raises `UnreadableFile` with line and column for what is not JSON.
    """
    text = decode(data, source)

    def refuse(token: str) -> NoReturn:
        raise _NotANumber(token)

    def whole(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and twice is not None:
            seen: set[str] = set()
            twice.extend(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        return found

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=whole)
    except json.JSONDecodeError as error:
        # some of its messages end in "at", for the place that follows
        problem = error.msg.removesuffix(" at")
        message = "the file ends too early" if error.pos >= len(text.rstrip()) else f"not JSON: {problem}"
        raise UnreadableFile([_at(text, error.pos, message, source)]) from error
    except _NotANumber as error:
        match = _TOKEN.search(text)
        raise UnreadableFile([_at(text, match.start() if match else 0, f"{error} is not a number", source)]) from error
    except RecursionError:
        raise UnreadableFile([Fault("nested too deeply", source)]) from None
    except ValueError as error:
        # the one thing left that Python refuses: a whole number of thousands of digits
        match = _VAST.search(text)
        words = "a number of thousands of digits" if match else f"not JSON: {error}"
        raise UnreadableFile([_at(text, match.start() if match else 0, words, source)]) from error


def _at(text: str, position: int, message: str, source: str) -> Fault:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line, column = text.count("\n", 0, position) + 1, position - start + 1
    excerpt = text[start : end if end >= 0 else len(text)]
    if len(excerpt) > 120:
        # a file written on one line: show what stands around the fault, column counting from what is shown
        excerpt = ""
    return Fault(message, source, line, column, excerpt=excerpt)
