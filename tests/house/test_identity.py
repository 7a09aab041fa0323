"""Nothing is kept by `id`: the number of an object that is gone is given to the next one, and answers for it.

What tells things apart by identity keeps the thing itself and compares with `is`.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tactical

ROOM = Path(tactical.__path__[0])


def ids(text: str) -> list[int]:
    """The lines that ask for the `id` of an object, or hand the function on."""
    tree = ast.parse(text)
    return sorted(
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id == "id" and isinstance(node.ctx, ast.Load)
    )


@pytest.mark.parametrize("file", sorted(ROOM.rglob("*.py")), ids=lambda file: str(file.relative_to(ROOM)))
def test_no_cache_is_keyed_by_the_number_of_an_object(file: Path) -> None:
    assert ids(file.read_text(encoding="utf-8")) == []


def test_the_check_finds_what_it_forbids() -> None:
    assert ids("key = (id(reach), 3)\nkept[id(a)] = 1\nthing.id\nf(id=3)\nsorted(x, key=id)") == [1, 2, 5]
