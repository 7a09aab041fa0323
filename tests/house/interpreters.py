"""Run the tests on request over interpreters, with the oldest and the newest packages that the project declares.

    python tests/house/interpreters.py [--oldest | --newest] [--keep FOLDER] PYTHON... [-- WORDS FOR PYTEST]

Each PYTHON (a path, or a name such as python3.13) gets environments of its own, made with pip from a package index.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DECLARED = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?>=([0-9.]+)(?:; *(.*))?$")
LATER = {
    "PyYAML": (3, 12), "scipy": (3, 12), "shapely": (3, 12), "numba": (3, 13), "numpy": (3, 13),
    "pygame": (3, 13),
}  # fmt: skip
"""From which Python on the oldest release that is declared is not made for it: there the newest is taken."""


def oldest(python: tuple[int, int]) -> Iterator[str]:
    """What is declared, each at its lowest version, as pip takes it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for line in (*project["dependencies"], *extras["view"], *extras["test"]):
        found = DECLARED.match(line)
        if found is None or found[1] == "tactical":
            if found is None and not line.startswith("tactical"):
                yield line
            continue
        name, version, marker = found.groups()
        pinned = name if python >= LATER.get(name, (99, 0)) else f"{name}=={version}"
        yield f"{pinned}; {marker}" if marker else pinned


def version_of(python: str) -> tuple[int, int]:
    """Major and minor version of an interpreter.  Raises `OSError`, `subprocess.CalledProcessError`."""
    code = "import sys; print(*sys.version_info[:2])"
    words = subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return int(words[0]), int(words[1])


def prepared(python: str, folder: Path, packages: list[str]) -> Path:
    """The interpreter of an environment with the project and these packages; one that is there is used again."""
    inner = folder / "bin" / "python"
    if not inner.exists():
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    given = [f"{ROOT}[test]"] if not packages else [str(ROOT), *packages]
    subprocess.run([str(inner), "-m", "pip", "install", "-q", "-e", *given], check=True)
    return inner


def main(words: list[str]) -> int:
    """The number of environments whose tests failed."""
    more = words[words.index("--") + 1 :] if "--" in words else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("python", nargs="+")
    parser.add_argument("--oldest", action="store_true", help="only the oldest packages")
    parser.add_argument("--newest", action="store_true", help="only the newest packages")
    parser.add_argument("--keep", type=Path, help="keep the environments in this folder, and use what is there")
    given = parser.parse_args(words[: words.index("--")] if "--" in words else words)
    ends = [end for end in ("oldest", "newest") if getattr(given, end) or not (given.oldest or given.newest)]
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        for python in given.python:
            version = version_of(python)
            for end in ends:
                name = f"{version[0]}.{version[1]}-{end}"
                packages = list(oldest(version)) if end == "oldest" else []
                inner = prepared(python, (given.keep or Path(scratch)) / name, packages)
                command = [str(inner), "-m", "pytest", "-p", "no:cacheprovider", *more]
                print(f"== {name}: {' '.join(command)}", flush=True)
                if subprocess.run(command, cwd=ROOT, env={**os.environ}, check=False).returncode:
                    failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all passed")
    return len(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
