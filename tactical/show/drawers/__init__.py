"""Drawers: a scene becomes text, SVG or pixels.  One file each, offering ``DRAWER``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Drawer:
    """A way to draw: `draw(scene, **options)` returns text, or bytes for a picture file; `suffix` is the file's.

    `summary` says in a few words what it makes, `needs` names the modules it imports only when it draws.  Options a
    drawer does not know raise `TypeError`.  All drawers take `theme`, a `tactical.show.theme.Theme`.
    """

    name: str
    suffix: str
    draw: Callable[..., str | bytes]
    summary: str = ""
    needs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.suffix.startswith(".") or len(self.suffix) < 2:
            raise ValueError(f"drawer {self.name}: a suffix is a file's ending such as '.svg', not {self.suffix!r}")
