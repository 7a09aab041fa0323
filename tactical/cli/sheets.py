"""Sheets: a rule system's tables as people read them at the table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from tactical.units import spoken

INDENT = "  "


def sheet_words(tables: Mapping[str, object]) -> str:
    """All tables of a rule system, one after the other."""
    lines: list[str] = []
    for title, table in tables.items():
        if isinstance(table, Mapping):
            lines += ["", f"{_capital(title)}:", *_table(table)]
        else:
            lines += ["", f"{_capital(title)}: {_value(table)}"]
    return "\n".join(lines[1:])


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(table: Mapping[str, object]) -> list[str]:
    """A mapping as rows; with mappings or sequences as values, as columns under their own heads."""
    rows: list[list[str]] = []
    if table and all(isinstance(value, Mapping) for value in table.values()):
        heads = list(dict.fromkeys(str(key) for value in table.values() for key in _mapping(value)))
        rows.append(["", *(head.replace("_", " ") for head in heads)])
        for name, value in table.items():
            cells = {str(key): inner for key, inner in _mapping(value).items()}
            rows.append([str(name).replace("_", " "), *(_value(cells.get(head, "")) for head in heads)])
    else:
        for name, value in table.items():
            cells_ = [_value(one) for one in value] if isinstance(value, (tuple, list)) else [_value(value)]
            rows.append([str(name).replace("_", " "), *cells_])
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(max(len(row) for row in rows))]
    return [INDENT + INDENT.join(f"{cell:<{widths[n]}}" for n, cell in enumerate(row)).rstrip() for row in rows]


def _mapping(value: object) -> Mapping[object, object]:
    assert isinstance(value, Mapping)
    return value


def _value(value: object) -> str:
    if isinstance(value, Fraction):
        return spoken(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (tuple, list)):
        return ", ".join(_value(one) for one in value)
    return str(value)
