"""Plug-ins that raise nothing and give back the right types, and yet say what cannot be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tactical.errors import Fault, MapError
from tactical.formats import Format

# -- formats ----------------------------------------------------------------------------------------------------------


def refusing(faults: Any) -> Callable[..., Any]:
    """Refuses every file, in so many words."""

    def load(data: bytes, *, source: str, options: object) -> Any:
        raise MapError(faults)

    return load


def never(data: bytes, name: str) -> bool:
    """Knows no content; its files are known by their ending."""
    return False


WORDLESS = Format("wordless", "wordless", (".wordless",), never, refusing([]))
SILENT = Format("silent", "silent", (".silent",), never, refusing(""))
BLANKLY = Format("blankly", "blankly", (".blankly",), never, refusing([Fault(" ")]))
