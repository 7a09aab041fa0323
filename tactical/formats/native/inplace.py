"""A native file changed in place: what was changed on its map, and not one line more, so that comments stay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from tactical.formats._positions import Document, Path
from tactical.formats.native.changes import Entry, changes
from tactical.formats.native.read import placed
from tactical.formats.native.things import BASE
from tactical.formats.native.write import barrier_part, link_part, mover_part, written
from tactical.world.battlemap import Battlemap


def edited(text: str, source: str, battlemap: Battlemap) -> str:
    """The text of a native file, changed so that it gives `battlemap`, which differs from its own map in barriers,
    links, zones that came, movers and rules.  Comments stay, but for those of an entry that is taken out.

    Raises `ValueError` for a file that is not written in lines (JSON), and where the difference is another one.
    """
    found = placed(text.encode(), source)
    if not isinstance(found.document.root, yaml.MappingNode) or found.document.root.flow_style:
        raise ValueError("the file is not written line by line")
    old, sheet = found.battlemap, _Sheet(found.document)
    under = found.base or old.with_(barriers=(), links=(), zones=(), movers=())
    if battlemap.zones[: len(old.zones)] != old.zones:
        raise ValueError("some zones are changed")
    before, now = changes(old, under), changes(battlemap, under)
    parts: dict[str, list[Entry]] = {
        "barriers": [barrier_part(old, barrier) for barrier in old.barriers],
        "links": [link_part(link, old.level_names) for link in old.links],
        "movers": [mover_part(mover, old.level_names) for mover in old.movers],
    }
    for kind, entries in parts.items():
        said = found.said[kind]
        new = list(_said(said, before[kind].kept, now[kind].kept, sheet))
        changing = {path for paths in said.values() for path in paths}
        own = [(path, entry) for path, entry in zip(found.paths[kind], entries, strict=True)
               if path != BASE and path not in changing]  # fmt: skip
        new += _own(own, before[kind].came, now[kind].came, sheet)
        sheet.add(kind, new)
    sheet.add("zones", now["zones"].came[len(before["zones"].came) :])
    if battlemap.rules and battlemap.rules != old.rules:
        sheet.set("rules", battlemap.rules)
    return sheet.done()


def _said(
    said: Mapping[int, Sequence[Path]], before: Mapping[int, Entry], now: Mapping[int, Entry], sheet: _Sheet
) -> Iterable[Entry]:
    """What the file is to say anew of things of its base; what it says of them otherwise is dropped."""
    for n in dict.fromkeys((*before, *now)):
        if before.get(n) != now.get(n):
            for path in said.get(n, ()):
                sheet.drop(path)
            if n in now:
                yield now[n]


def _own(
    own: Sequence[tuple[Path, Entry]], before: Sequence[Entry], now: Sequence[Entry], sheet: _Sheet
) -> Iterable[Entry]:
    """What the file has to hold anew; its entries for what is gone are dropped, those of another of that id changed."""
    left = Counter(map(repr, now))
    # one that the base has just so as well is not among those that came
    left += Counter(repr(entry) for _, entry in own) - Counter(map(repr, before))
    gone = []
    for path, entry in own:
        if left[repr(entry)] > 0:
            left[repr(entry)] -= 1
        else:
            gone.append((path, entry))
    new = []
    for entry in now:
        if left[repr(entry)] > 0:
            left[repr(entry)] -= 1
            new.append(entry)
    for path, entry in gone:
        other = next((one for one in new if "id" in entry and one.get("id") == entry["id"]), None)
        if other is None:
            sheet.drop(path)
        else:
            sheet.put(path, other)
            new.remove(other)
    return new


@dataclass(slots=True)
class _Sheet:
    """The lines of a file, and what is to be done with them."""

    document: Document
    lines: list[str] = field(init=False)
    dropped: set[Path] = field(default_factory=set)
    _other: dict[Path, str] = field(default_factory=dict)
    _new: dict[int, list[str]] = field(default_factory=dict)
    _gone: set[int] = field(default_factory=set)
    _instead: dict[int, str] = field(default_factory=dict)
    _last: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lines = list(self.document.lines)

    def drop(self, path: Path) -> None:
        """Take an entry of a list out."""
        self.dropped.add(path)
        around = self.document.nodes(path[:-1])[1]
        if not around.flow_style:
            node = self.document.nodes(path)[1]
            self._gone.update(range(node.start_mark.line, _end(node)[0] + 1))

    def put(self, path: Path, entry: Entry) -> None:
        """Write an entry of a list anew."""
        around, node = self.document.nodes(path[:-1])[1], self.document.nodes(path)[1]
        if around.flow_style:
            self._other[path] = _entry(entry, str(path[-2]))
            return
        line, (last, column) = node.start_mark.line, _end(node)
        words = _entry(entry, str(path[-2]))
        rest = self.lines[last][column:] if last == line or node.flow_style else ""
        self._gone.update(range(line + 1, last + 1))
        self._instead[line] = self.lines[line][: node.start_mark.column] + words + rest

    def add(self, kind: str, entries: Sequence[Entry]) -> None:
        """Put entries at the end of one of the file's lists, which is begun where there is none."""
        key, node = self.document.nodes((kind,))
        items = node.value if isinstance(node, yaml.SequenceNode) else []
        left = [n for n in range(len(items)) if (kind, n) not in self.dropped]
        words = [_entry(entry, kind) for entry in entries]
        if key is None:
            if words:
                self._last += [f"{kind}:", *(f"  - {one}" for one in words)]
            return
        if not items or node.flow_style:
            if words or len(left) < len(items) or any((kind, n) in self._other for n in left):
                kept = [self._other.get((kind, n)) or self._slice(items[n]) for n in left]
                self._begun(key, node, [f"  - {one}" for one in (*kept, *words)])
            return
        first = items[0].start_mark
        indent = self.lines[first.line].rfind("-", 0, first.column)
        self._new.setdefault(_end(items[-1])[0], []).extend(f"{' ' * indent}- {one}" for one in words)
        if not left and not words:
            line = key.start_mark.line
            self._instead[line] = self.lines[line].replace(":", ": []", 1)

    def set(self, name: str, value: str) -> None:
        """Write one word of the file anew."""
        key, node = self.document.nodes((name,))
        if key is None:
            self._new.setdefault(-1, []).append(f"{name}: {written(value)}")
            return
        line = key.start_mark.line
        after = self.lines[line][node.end_mark.column :] if node.end_mark.line == line else ""
        self._instead[line] = f"{name}: {written(value)}{after}"

    def done(self) -> str:
        """The text as it is now."""
        out = list(self._new.get(-1, ()))
        for n, line in enumerate(self.lines):
            if n not in self._gone:
                out.append(self._instead.get(n, line))
            out += self._new.get(n, ())
        while out and not out[-1].strip():
            out.pop()
        return "\n".join([*out, *self._last]) + "\n"

    def _begun(self, key: Any, node: Any, rows: list[str]) -> None:
        """A list that was empty, or written in brackets, line by line."""
        first, (last, column) = key.start_mark.line, _end(node)
        self._instead[first] = f"{key.value}:{self.lines[last][column:]}"
        if not rows:
            self._instead[first] = f"{key.value}: []"
        self._gone.update(range(first + 1, last + 1))
        self._new.setdefault(last, []).extend(rows)

    def _slice(self, node: Any) -> str:
        line, column = node.start_mark.line, node.start_mark.column
        last, end = _end(node)
        whole: str = self.lines[line]
        if last == line:
            return whole[column:end]
        return " ".join([whole[column:], *self.lines[line + 1 : last], self.lines[last][:end]])


def _entry(entry: Entry, kind: str) -> str:
    return written(entry, floats=kind == "barriers")


def _end(node: Any) -> tuple[int, int]:
    """The line and column behind the last thing of a node; a block's own mark lies before whatever comes next."""
    while isinstance(node, (yaml.MappingNode, yaml.SequenceNode)) and not node.flow_style and node.value:
        node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
    return node.end_mark.line, node.end_mark.column
