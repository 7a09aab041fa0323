"""Draw the pictures of the README anew: ``python tests/house/pictures.py``.

A test holds them equal to what is drawn.
"""

from __future__ import annotations

from pathlib import Path

from tactical.cli import main

ASSETS = Path(__file__).parents[2] / "assets"
PICTURES = {"village.svg": "village --mover raven --turns 2 --to N9 --enemy"}


def draw(name: str, folder: Path) -> Path:
    """Draw one picture into `folder`."""
    target = folder / name
    status = main(["render", *PICTURES[name].split(), "-o", str(target)])
    if status:
        raise SystemExit(status)
    return target


if __name__ == "__main__":
    for picture in PICTURES:
        draw(picture, ASSETS)
