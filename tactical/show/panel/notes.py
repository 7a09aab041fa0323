"""What the way risks and uses up: attacks, rolls, hazards, actions, turns."""

from __future__ import annotations

from tactical.show import brief
from tactical.show.panel import Moment, Section, remark
from tactical.show.rolls import Note


def data(moment: Moment) -> tuple[Note, ...]:
    """The remarks on the way."""
    if moment.way is None:
        return ()
    return brief.notes(moment.reach.battlemap, moment.reach, moment.way, patient=moment.patient)


SECTION = Section("notes", 100, data, remark)
