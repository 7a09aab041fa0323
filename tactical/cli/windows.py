"""Opening the window from the command line, and why there may be none."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tactical.cli.answers import MissingPart, say
from tactical.cli.inputs import DEFAULT_RULES, mover_of, pairs, read_and_warn
from tactical.cli.pictures import INSTALL_VIEW, has_pygame


def open_game(path: Path, mover_id: str | None, look: Mapping[str, Any]) -> None:
    """Go on with a saved game in the window.  Raises `SaveError`, `MissingPart` where no window can be opened."""
    from tactical.viewer.app import NoDisplay, go_on

    try:
        go_on(path, mover_id, **look)
    except NoDisplay as error:
        raise MissingPart(str(error)) from error


def open_window(
    source: str,
    mover_id: str | None = None,
    rules: str | None = None,
    options: tuple[str, ...] = (),
    look: Mapping[str, Any] | None = None,
) -> None:
    """Open the viewer on a map until it is closed.  Raises `MissingPart` where no window can be opened."""
    from tactical.rules.ruleset import get_ruleset
    from tactical.show.scene.shapes import PictureWarning
    from tactical.viewer.app import NoDisplay, run

    battlemap = read_and_warn(source)
    if battlemap.picture is not None and battlemap.picture.flaw:
        say(f"{source}: warning: drawn without its picture: {battlemap.picture.flaw}")
        # told here, once: the window only leaves it out
        warnings.simplefilter("ignore", PictureWarning)
    chosen = pairs(options, "--option")
    ruleset = get_ruleset(rules or battlemap.rules or DEFAULT_RULES)
    ruleset.options_with(chosen)
    if mover_id is not None:
        mover_of(battlemap, mover_id)
    try:
        run(battlemap, mover_id, rules=rules, options=chosen, **(look or {}))
    except NoDisplay as error:
        raise MissingPart(str(error)) from error


def no_window() -> str:
    """Why no window can be opened here; empty if one can."""
    if not has_pygame():
        return f"the window needs pygame: {INSTALL_VIEW}"
    if os.environ.get("SDL_VIDEODRIVER") in ("dummy", "offscreen"):
        return "no display: SDL_VIDEODRIVER asks for none"
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")):
        if not os.environ.get("SDL_VIDEODRIVER"):
            return "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"
    return ""
