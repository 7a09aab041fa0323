"""Pictures of a map for commands: text on the terminal, or a file by its ending."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tactical.cli.answers import MissingPart, refuse_inputs, say, waiting, write_file
from tactical.errors import UnknownName

if TYPE_CHECKING:
    from tactical.movement.reach import Reach
    from tactical.show.drawers import Drawer
    from tactical.show.theme import Theme
    from tactical.world.battlemap import Battlemap

INSTALL_VIEW = "pip install 'tactical[view]'"


def has_pygame() -> bool:
    """Whether a pygame is installed, found out without importing it."""
    return find_spec("pygame") is not None


def read_for(battlemap: Battlemap) -> list[str]:
    """The files that a map is drawn from: its own, and its picture's."""
    path = getattr(battlemap.picture.read, "path", None) if battlemap.picture is not None else None
    return [str(name) for name in (battlemap.source, path) if name]


def drawer_for(target: str) -> Drawer:
    """The drawer for a file's ending.  Raises `click.UsageError` for none, `MissingPart` where it cannot draw here."""
    from tactical.show import rendering

    try:
        drawer = rendering.drawer_for(target)
    except UnknownName as error:
        known = rendering.endings()
        made = "; ".join(f"{suffix} {one.summary}" for suffix, one in known.items())
        raise click.UsageError(f"{target!r}: a picture is written as {', '.join(known)}: {made}") from error
    if "pygame" in drawer.needs and not has_pygame():
        raise MissingPart(f"{drawer.suffix} pictures need pygame: {INSTALL_VIEW} (.svg needs nothing)")
    missing = [module for module in drawer.needs if module != "pygame" and find_spec(module) is None]
    if missing:
        raise MissingPart(f"{drawer.suffix} pictures need {', '.join(missing)} (.svg needs nothing)")
    return drawer


def theme_of(path: str | None) -> Theme | None:
    """The theme of a file; None for the one that ships.  Raises `click.BadParameter` for one that cannot be used."""
    if path is None:
        return None
    from tactical.show.theme import load

    try:
        return load(Path(path))
    except (OSError, ValueError) as error:
        raise click.BadParameter(f"{path}: {error}", param_hint="--theme") from error


def draw(
    target: str,
    battlemap: Battlemap,
    found: Reach | None = None,
    /,
    *,
    theme: Theme | None = None,
    ruler: bool = True,
    **look: Any,
) -> bytes:
    """The picture of a map, with a reach on it if there is one, in the format of `target`'s ending.

    Commands call cells by their names, so column letters and row numbers stand beside it unless `ruler` is false.
    """
    from tactical.show.rendering import render

    if drawer_for(target).rulers:
        look["ruler"] = ruler
    try:
        with telling(), waiting(f"drawing {target}"):
            content = render(battlemap, found, drawer=os.path.splitext(target)[1] or target, theme=theme, **look)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return content if isinstance(content, bytes) else content.encode()


@contextmanager
def telling() -> Iterator[None]:
    """What drawing has to tell is told as everything else is; a map's picture that cannot be drawn is no error."""
    from tactical.show.scene.shapes import PictureWarning

    told: list[warnings.WarningMessage] = []
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", PictureWarning)
            yield
    finally:
        pictures = [one for one in told if issubclass(one.category, PictureWarning)]
        for other in (one for one in told if one not in pictures):
            # a plug-in that drawing had to leave out
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
        for text in dict.fromkeys(str(one.message) for one in pictures):
            say(f"warning: {text}")


def write_picture(target: str, battlemap: Battlemap, found: Reach | None = None, /, **look: Any) -> None:
    """Draw into the file `target`, which may be no file that the map was read from."""
    refuse_inputs(target, read_for(battlemap))
    write_file(target, draw(target, battlemap, found, **look))


def text_of(battlemap: Battlemap, found: Reach | None = None, /, **look: Any) -> str:
    """The map as text with bands and a legend; plain ASCII where the terminal cannot show more."""
    from tactical.show.rendering import render

    with telling():
        content = render(battlemap, found, drawer="text", ascii=not speaks_unicode(), colour=wants_colour(), **look)
    return str(content).rstrip("\n")


def speaks_unicode() -> bool:
    """Whether stdout can carry signs beyond ASCII."""
    import codecs

    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        return codecs.lookup(encoding).name.startswith("utf")
    except LookupError:
        return False


def wants_colour() -> bool:
    """Whether stdout is a terminal whose user has not asked for plain text (``NO_COLOR``)."""
    return bool(getattr(sys.stdout, "isatty", bool)()) and not os.environ.get("NO_COLOR")
