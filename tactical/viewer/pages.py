"""Keys while a page lies over the map: it keeps them all, letters look for its rows, Esc closes it."""

from __future__ import annotations

import pygame

from tactical.viewer.controls import KEYS
from tactical.viewer.overlays.looking import Looking

OWN: dict[str, frozenset[str]] = {
    "help": frozenset(("help",)),
    "legend": frozenset(("legend",)),
    "list": frozenset(("maps",)),
    "menu": frozenset(("menu", "what")),
    "setup": frozenset(("setup", "undo", "redo", "larger", "smaller")),
}
"""What of the key table each page lets through besides its own steps: the key that opened it closes it."""
ALWAYS = frozenset(("drop", "quit"))
WITHOUT = pygame.KMOD_CTRL | pygame.KMOD_META | pygame.KMOD_ALT
PAGE = 20
"""Lines that PageUp and PageDown go through in the help."""
END = 100_000


def lets_through(page: str, command: str) -> bool:
    """Whether a command is one for the page that is open; all others wait until it is closed."""
    own = any(key.command == command and key.waits == page for key in KEYS)
    return own or command in ALWAYS or command in OWN[page]


def types(screen: Looking, event: pygame.event.Event) -> bool:
    """Write what is typed where the page that is open has room for it; True for what it took."""
    if event.mod & WITHOUT:
        return False
    if screen.help is not None:
        return _sought(screen, event)
    page = screen.setup
    if page is None:
        return False
    if page.written is not None and event.key == pygame.K_ESCAPE:
        page.written = None
    elif event.key == pygame.K_BACKSPACE:
        page.type("\b")
    elif event.unicode and event.unicode.isprintable():
        return page.type(event.unicode)
    else:
        return False
    return True


def _sought(screen: Looking, event: pygame.event.Event) -> bool:
    """A letter typed while the help is open looks for it there; arrows move its lines."""
    page = screen.help
    assert page is not None
    steps = {
        pygame.K_DOWN: 3, pygame.K_UP: -3, pygame.K_PAGEDOWN: PAGE, pygame.K_PAGEUP: -PAGE,
        pygame.K_HOME: -END, pygame.K_END: END,
    }  # fmt: skip
    if event.key in steps:
        page.first += steps[event.key]
    elif event.key == pygame.K_BACKSPACE:
        page.type("")
    else:
        return bool(event.unicode) and page.type(event.unicode)
    return True
