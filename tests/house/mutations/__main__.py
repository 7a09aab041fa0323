"""Apply each fault to a copy and demand that the tests notice; a table of what did, exit code 1 where one did not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.house.mutations import ROOT, Mutation, mutations

PARTS = ("tactical", "tests", "maps", "assets", "pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE")


def copied(to: Path) -> None:
    """The tree, without what is only kept."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, to / part, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            shutil.copy(ROOT / part, to / part)


def tried(mutation: Mutation, copy: Path) -> tuple[bool, str]:
    """Whether a test failed, and which."""
    file = copy / mutation.file
    before = file.read_text(encoding="utf-8")
    file.write_text(mutation.applied(copy), encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *mutation.tests],
            cwd=copy, capture_output=True, text=True, check=False,
            # compiled files bear times in whole seconds: a file changed back may look like the one before
            env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1", "SDL_VIDEODRIVER": "dummy"},
        )  # fmt: skip
    finally:
        file.write_text(before, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return done.returncode == 1 and failed is not None, failed[1] if failed else done.stdout[-300:].strip()


def main(names: list[str]) -> int:
    """Try those of these names, or all."""
    known = [one for one in mutations() if not names or one.name in names]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copied(copy)
        for mutation in known:
            noticed, by = tried(mutation, copy)
            missed += not noticed
            print(f"{'red ' if noticed else 'MISSED'}  {mutation.name:28}  {by}", flush=True)
    print(f"{len(known) - missed} of {len(known)} noticed")
    return 1 if missed or not known else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
