"""Pictures in one call: a map, a reach and a way, drawn by any drawer that is known."""

from __future__ import annotations

import inspect
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from tactical.errors import Refusal, UnknownName
from tactical.registry import DRAWERS

if TYPE_CHECKING:
    from tactical.movement.route import Route
    from tactical.show.drawers import Drawer
    from tactical.show.scene.scene import ReachLike
    from tactical.show.theme import Theme
    from tactical.world.battlemap import Battlemap


def render(
    battlemap: Battlemap,
    reach: ReachLike | None = None,
    route: Route | Refusal | None = None,
    *,
    drawer: str = "svg",
    theme: Theme | None = None,
    panel: bool = False,
    **look: Any,
) -> str | bytes:
    """The picture of a map, with what a mover can reach and the way it would take.

    `drawer` is the name of one (``svg``, ``text``, ``raster``, or a plug-in's) or a file's ending (``.png``).  `look`
    takes what `tactical.show.scene.scene.scene` takes (`costs`, `enemy`, `level` …) and the drawer's own options
    (``cell=64``); `panel` adds the panel beside the map.  Returns text, or bytes where the drawer makes a picture file.

    Raises `UnknownName` for a drawer nobody knows, `TypeError` for no map and for an option neither takes, `ValueError`
    for a level that does not exist, `ImportError` where the drawer needs a package that is not installed.
    """
    from tactical.show.scene.scene import scene
    from tactical.world.battlemap import Battlemap

    if not isinstance(battlemap, Battlemap):
        raise TypeError(f"the first is the map, then the reach and the way on it, not a {type(battlemap).__name__}")
    chosen: Drawer = drawer_for(drawer) if drawer.startswith(".") else DRAWERS.get(drawer)
    seen = inspect.signature(scene).parameters
    drawn = scene(battlemap, reach, route, **{name: value for name, value in look.items() if name in seen})
    if panel:
        # the panel speaks of games, which a bare picture need not know
        from tactical.show.panel import with_page

        drawn = with_page(drawn, reach, route)
    return chosen.draw(drawn, theme=theme, **{name: value for name, value in look.items() if name not in seen})


def drawer_for(target: str) -> Drawer:
    """The drawer for a file's ending (``map.svg``, ``.svg``).  Raises `UnknownName` that lists the known endings."""
    suffix = PurePath(target).suffix.lower() or target.lower()
    known = endings()
    if suffix not in known:
        raise UnknownName("picture ending", suffix, known)
    return known[suffix]


def endings() -> dict[str, Drawer]:
    """The known drawers by the ending of their files; where two share one, that of this package, then the first."""
    known: dict[str, Drawer] = {}
    for _, drawer in sorted(DRAWERS, key=lambda entry: not DRAWERS.ships(entry[0])):
        known.setdefault(drawer.suffix.lower(), drawer)
    return dict(sorted(known.items()))
