"""From plain values to the parts of a native file, with every fault of shape at its place in the file."""

from __future__ import annotations

from dataclasses import dataclass

from tactical.formats._positions import Document, Path
from tactical.formats.native.models import MapFile
from tactical.formats.native.shape import Notes, found


@dataclass(slots=True)
class Shaped:
    """The file's content in parts, and the notes of what was left out."""

    model: MapFile
    notes: Notes

    def origin(self, part: str, index: int) -> Path:
        """The path in the file of an item of the model."""
        kept = self.notes.origins.get(part)
        return (part, kept[index] if kept is not None else index)

    @property
    def broken(self) -> set[Path]:
        """Where something was left out."""
        return self.notes.broken

    def cut(self, path: Path, *keys: str) -> bool:
        """Whether one of some keys was left out of the thing at `path`."""
        return any((*path, key) in self.broken for key in keys)

    def lost(self, part: str) -> bool:
        """Whether anything of a part was left out."""
        return any(path[0] == part for path in self.broken)


def validate(document: Document) -> Shaped | None:
    """The content of a file as parts; faults are noted in the document.  None if it is no mapping at all."""
    if not isinstance(document.value, dict):
        document.fault(f"expected a mapping of keys to values, found {found(document.value)}")
        return None
    notes = Notes(document)
    return Shaped(MapFile.read(document.value, notes, ()), notes)
