"""Drawers: a scene becomes text, SVG or pixels.  One file each, offering ``DRAWER``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from tactical.guard import Ward, any_of, guard

if TYPE_CHECKING:
    from tactical.show.scene.shapes import Scene
    from tactical.show.theme import Theme

WARDS = {"draw": Ward(any_of(str, bytes), (ImportError,), options=True)}
"""How a drawer's function is guarded."""


class Draw(Protocol):
    """How a drawer draws; what else it is told (``ruler``, ``scale`` …) are options of its own."""

    def __call__(self, scene: Scene, /, *, theme: Theme | None = None) -> str | bytes: ...


@dataclass(frozen=True, slots=True)
class Drawer:
    """A way to draw: `draw(scene, **options)` returns text, or bytes for a picture file; `suffix` is the file's.

    `summary` says in a few words what it makes, `needs` names the modules it imports only when it draws; one with
    `rulers` takes ``ruler=True`` for the names of columns and rows beside the map.  Options a drawer does not know
    raise `TypeError`, a package it needs and does not find `ImportError`.  All drawers take `theme`, a
    `tactical.show.theme.Theme`.  A drawer that fails otherwise ends in a `PluginError` that names it.
    """

    name: str
    suffix: str
    draw: Draw
    summary: str = ""
    needs: tuple[str, ...] = ()
    rulers: bool = False

    def __post_init__(self) -> None:
        guard(self, "drawer", WARDS)
        if not self.suffix.startswith(".") or len(self.suffix) < 2:
            raise ValueError(f"drawer {self.name}: a suffix is a file's ending such as '.svg', not {self.suffix!r}")
