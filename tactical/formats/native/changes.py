"""What was changed of the things on a map, as the entries that a file over it holds: what is gone, other, or new.

`overlay` is the whole file of that kind: a native map over another one, holding only what a person has added to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields

from tactical.formats.native.write import barrier_part, link_part, mover_part, section, written, zone_part
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Barrier
from tactical.world.mover import Mover

Entry = Mapping[str, object]

_UNSAID: tuple[object, ...] = (None, "")
"""What an entry cannot say of a barrier: that something it had is no more."""


@dataclass(slots=True)
class Changes:
    """Of one kind of thing: the entries for those of the base, by their place there, and for what came."""

    kept: dict[int, Entry] = field(default_factory=dict)
    came: list[Entry] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        """All of them, for a file over the base."""
        return [*self.kept.values(), *self.came]


def changes(battlemap: Battlemap, base: Battlemap) -> dict[str, Changes]:
    """What makes `battlemap` of `base`, by kind of thing.

    Raises `ValueError` where zones of the base are changed.
    """
    if battlemap.zones[: len(base.zones)] != base.zones:
        raise ValueError("some zones are changed")
    names = battlemap.level_names
    new = battlemap.zones[len(base.zones) :]
    return {
        "barriers": _barriers(battlemap, base),
        "links": _links(battlemap, base),
        "zones": Changes(came=[zone_part(zone, names) for zone in new]),
        "movers": _movers(battlemap, base),
    }


def _ids(barriers: Sequence[Barrier]) -> dict[str, int]:
    """Where the barriers are that can be named."""
    count = Counter(barrier.id for barrier in barriers)
    return {barrier.id: n for n, barrier in enumerate(barriers) if barrier.id and count[barrier.id] == 1}


def _barriers(battlemap: Battlemap, base: Battlemap) -> Changes:
    out = Changes()
    mine, theirs = _ids(battlemap.barriers), _ids(base.barriers)
    left = Counter(battlemap.barriers)
    for n, barrier in enumerate(base.barriers):
        if left[barrier] > 0:
            left[barrier] -= 1
            continue
        now = battlemap.barriers[mine[barrier.id]] if theirs.get(barrier.id) == n and barrier.id in mine else None
        entry = _changed(now, barrier) if now is not None and left[now] > 0 else None
        if entry is not None and now is not None:
            left[now] -= 1
            out.kept[n] = entry
            continue
        place = {key: value for key, value in barrier_part(base, barrier).items() if key in _PLACE}
        named = theirs.get(barrier.id) == n
        out.kept[n] = {**({"id": barrier.id} if named else place), "gone": True}
    for barrier in battlemap.barriers:
        if left[barrier] > 0:
            left[barrier] -= 1
            out.came.append(barrier_part(battlemap, barrier))
    return out


_PLACE = frozenset({"cell", "side", "line", "kind", "level"})


def _changed(now: Barrier, before: Barrier) -> Entry | None:
    """What to say of a barrier of the base; None where that cannot be said without its place."""
    if (now.line, now.level) != (before.line, before.level):
        return None
    names = [one.name for one in fields(Barrier) if getattr(now, one.name) != getattr(before, one.name)]
    if now.kind is not before.kind and now.state is None and "state" in names:
        # a wall that was a door
        names.remove("state")
    if any(getattr(now, name) in _UNSAID for name in names):
        return None
    values = {name: getattr(now, name) for name in names}
    words = {name: value.value for name, value in values.items() if name in ("kind", "state")}
    return {"id": now.id, **values, **words}


def _links(battlemap: Battlemap, base: Battlemap) -> Changes:
    out, left, names = Changes(), Counter(battlemap.links), base.level_names
    for n, link in enumerate(base.links):
        if left[link] > 0:
            left[link] -= 1
            continue
        part = link_part(link, names)
        out.kept[n] = {key: part[key] for key in ("from", "to", "id") if key in part} | {"gone": True}
    for link in battlemap.links:
        if left[link] > 0:
            left[link] -= 1
            out.came.append(link_part(link, names))
    return out


def _movers(battlemap: Battlemap, base: Battlemap) -> Changes:
    out, names = Changes(), battlemap.level_names
    now = {mover.id: mover for mover in battlemap.movers}
    for n, mover in enumerate(base.movers):
        mine = now.pop(mover.id, None)
        if mine is None:
            out.kept[n] = {"id": mover.id, "gone": True}
        elif mine != mover:
            out.kept[n] = _other(mine, mover, names)
    out.came = [mover_part(mover, names) for mover in now.values()]
    return out


def _other(now: Mover, before: Mover, names: tuple[str, ...]) -> Entry:
    stated = [one.name for one in fields(Mover) if getattr(now, one.name) != getattr(before, one.name)]
    if "size" in stated or "size_class" in stated:
        stated = [*dict.fromkeys([*stated, "size", "size_class"])]
    values: dict[str, object] = {name: getattr(now, name) for name in stated}
    if "at" in values:
        values["at"] = mover_part(now, names).get("at")
    if "knows" in values:
        values["knows"] = sorted(now.knows)
    return {"id": now.id, **values}


_SAME = ("levels", "palette", "grid", "cell", "unit", "name")
"""The parts that a map must share with what it lies over."""


def overlay(
    battlemap: Battlemap,
    base: Battlemap,
    *,
    file: str,
    format: str = "",
    options: Mapping[str, object] | None = None,
    grid: Mapping[str, object] | None = None,
) -> str:
    """The text of a native map that makes `battlemap` of `file`, from which `base` is read with `options`.

    It holds what is gone, other and new of barriers, links and movers, zones after those of the base, and the rules;
    `grid` states `cell` and `unit` where the file does not.  Raises `ValueError` for any other difference.
    """
    return "\n".join(_lines(battlemap, base, file, format, options or {}, grid or {})) + "\n"


def _lines(
    battlemap: Battlemap,
    base: Battlemap,
    file: str,
    format: str,
    options: Mapping[str, object],
    grid: Mapping[str, object],
) -> Iterator[str]:
    for part in _SAME:
        mine, theirs = getattr(battlemap, part), getattr(base, part)
        if mine is not theirs and (part in ("levels", "palette", "grid") or mine != theirs):
            raise ValueError(f"its {part} are not those of {file}")
    found = changes(battlemap, base)
    yield "schema: 1"
    more = {"file": file, **({"format": format} if format else {}), **({"options": options} if options else {})}
    yield f"base: {written(more if len(more) > 1 else file)}"
    if grid:
        yield f"grid: {written(grid)}"
    if battlemap.rules and battlemap.rules != base.rules:
        yield f"rules: {written(battlemap.rules)}"
    for name, one in found.items():
        yield from section(name, one.entries)
