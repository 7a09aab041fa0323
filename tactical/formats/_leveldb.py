"""A folder in which a program keeps its records as LevelDB: the packs and worlds of Foundry since version 11.

Only a library can read one (the extra ``tactical[leveldb]``), and it writes into what it opens: a copy is opened, and
the folder stays as it is.  A scene holds only the ids of its parts, which are put back in their places here.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from tactical.errors import Fault
from tactical.formats import UnreadableFile

NEEDED = "this is a LevelDB folder: pip install 'tactical[leveldb]', or in Foundry choose Export Data of the scene"
MOST_RECORDS = 2_000_000
PART = b"!scenes."
DEEPEST = 4


def is_one(folder: Path) -> bool:
    """Whether a folder is such a database."""
    return (folder / "CURRENT").is_file() and any(folder.glob("MANIFEST-*"))


def content(folder: Path, limit: int) -> bytes:
    """The scenes of a database with all their parts, as one JSON object.

    Raises `UnreadableFile` where no library reads it here, it is broken, or it is larger than `limit`.
    """
    name = str(folder)
    try:
        import plyvel
    except ImportError:
        raise UnreadableFile([Fault(NEEDED, name)]) from None
    found = [one for one in folder.iterdir() if one.is_file() and not one.is_symlink()]
    size = sum(one.stat().st_size for one in found)
    if size > limit:
        raise UnreadableFile([Fault(f"the folder has {size} bytes, more than the limit of {limit}", name)])
    with tempfile.TemporaryDirectory() as copy:
        for one in found:
            if one.name != "LOCK":
                shutil.copyfile(one, Path(copy) / one.name)
        try:
            database = plyvel.DB(copy, create_if_missing=False)
        except plyvel.Error as error:
            raise UnreadableFile([Fault(f"the LevelDB folder cannot be read: {error}", name)]) from error
        try:
            return json.dumps({"scenes": _scenes(database, name, limit)}).encode()
        except plyvel.Error as error:
            raise UnreadableFile([Fault(f"the LevelDB folder is broken: {error}", name)]) from error
        finally:
            database.close()


def _scenes(database: Any, name: str, limit: int) -> list[Any]:
    """Every scene, its lists of ids replaced by what they name, the parts of parts too."""
    records: dict[str, Any] = {}
    read = 0
    for prefix in (b"!scenes!", PART):
        for key, value in database.iterator(prefix=prefix):
            read += len(value)
            if len(records) >= MOST_RECORDS or read > 4 * limit:
                raise UnreadableFile([Fault("there are too many records", name)])
            try:
                records[key.decode()] = json.loads(value)
            except (ValueError, RecursionError):
                raise UnreadableFile([Fault(f"the record {key[:60]!r} is not JSON", name)]) from None
    return [_whole(records, key[1:], record) for key, record in records.items() if key.startswith("!scenes!")]


def _whole(records: dict[str, Any], key: str, record: Any, depth: int = 0) -> Any:
    """A record, the ids in its lists replaced by what they name: ``scenes.walls!s.w`` belongs to ``scenes!s``."""
    if not isinstance(record, dict) or depth > DEEPEST:
        return record
    kinds, _, ids = key.partition("!")
    for name, value in record.items():
        if isinstance(value, list):
            keys = [f"{kinds}.{name}!{ids}.{one}" if isinstance(one, str) else "" for one in value]
            record[name] = [
                _whole(records, own, records[f"!{own}"], depth + 1) if f"!{own}" in records else one
                for own, one in zip(keys, value, strict=True)
            ]
    return record
