"""The form that games are saved in, as a session asks for it: JSON lines."""

from __future__ import annotations

from tactical.play.session import SaveForm
from tactical.wire import save

FORM: SaveForm = save
