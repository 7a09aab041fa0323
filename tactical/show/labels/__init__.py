"""Every word of the window, in one place and ready for translation.

Only characters that pygame's built-in font has; a test checks them all.
"""

from __future__ import annotations

from tactical.show.labels.editing import EDITING
from tactical.show.labels.playing import PLAYING

LABELS: dict[str, str] = {**PLAYING, **EDITING}


def say(key: str, /, **values: object) -> str:
    """The words for a key with its values filled in."""
    # a word that a plug-in brings is said as it is
    return LABELS[key].format(**values) if key in LABELS else key
