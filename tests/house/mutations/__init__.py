"""Small faults, each of which the tests must notice: ``python -m tests.house.mutations [NAME ...]`` tries them.

A file ``NAME.patch`` says in its first lines what is wrong then, the file it is in, and the tests that are to fail;
then come the text that stands there (between ``<<<`` and ``===``) and what it becomes (up to ``>>>``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
FORM = re.compile(r"(?P<says>.+)\n(?P<file>.+)\n(?P<tests>.+)\n<<<\n(?P<old>.+)\n===\n(?P<new>.+)\n>>>\n", re.DOTALL)


@dataclass(frozen=True)
class Mutation:
    """One fault: in which file what becomes what, and the tests (arguments of pytest) of which one must fail."""

    name: str
    says: str
    file: str
    tests: tuple[str, ...]
    old: str
    new: str

    def applied(self, root: Path) -> str:
        """The file's text with the fault in it.  Raises `LookupError` where its text is gone or stands there twice."""
        text = (root / self.file).read_text(encoding="utf-8")
        found = text.count(self.old)
        if found != 1:
            raise LookupError(f"{self.name}: its text stands {found} times in {self.file}:\n{self.old}")
        return text.replace(self.old, self.new)


def mutations() -> tuple[Mutation, ...]:
    """All of them, by name.  Raises `ValueError` for a file of another form."""
    found = []
    for path in sorted(HERE.glob("*.patch")):
        parts = FORM.fullmatch(path.read_text(encoding="utf-8"))
        if parts is None or "\n" in parts["says"] + parts["file"] + parts["tests"]:
            raise ValueError(f"{path.name} does not have the form of a mutation")
        tests = tuple(parts["tests"].split())
        found.append(Mutation(path.stem, parts["says"], parts["file"], tests, parts["old"], parts["new"]))
    return tuple(found)
