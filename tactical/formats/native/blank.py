"""A small native map over another map or a picture, for a person to fill in: what there is to say, each in one line.

What is only offered stands as comments, so that the file is a sound map as it is; a figure is put on the map by taking
the ``#`` away before its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tactical.formats._reading import between
from tactical.formats.native.write import written
from tactical.units import Cell, cell_name
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import Kind

LEGEND = """\
legend:
  ".": {terrain: ground}
  "#": {terrain: rock, impassable: true}"""
ZONES = """\
zones:
  # Ground that the file cannot say, by cells; take the # away."""
OFFERED: tuple[tuple[str, str, str, dict[str, object]], ...] = (
    ("%", "A1:B2", "brush", {"difficult": True}),
    ("%", "A1:B2", "scree", {"rough": True}),
    ("%", "A1:B2", "thicket", {"level": "D", "number": 17}),
    ("~", "C1:C2", "deep water", {"water": "deep"}),
)
"""Ground to begin with: sign, cells, name and facts; of each sign the first whose facts the rules read is offered."""
FIGURES = """\
movers:
  # Who stands where, one line a figure: take the # away and change what is not so (`tactical view` shows the cells)."""


def skeleton(
    battlemap: Battlemap,
    *,
    file: str,
    options: Mapping[str, object],
    grid: Mapping[str, object],
    format: str = "",
    rules: str = "",
    known_rules: tuple[str, ...] = (),
    stats: str = "",
    ground: Mapping[str, str] | None = None,
    movers: Mapping[str, str] | None = None,
) -> str:
    """The text of a native map over `file`, from which `battlemap` was read with `options`;
    `grid` states `cell` and `unit`.

    A picture becomes the map's own (``picture:``), below rows to draw in; any other file its ``base:``.  `stats` is an
    example of a figure's stats, `ground` what the rules read of ground, each fact with what it does (None: they do not
    say), `movers` figures that stand already, by cell.
    """
    lines = _lines(battlemap, file, options, grid, format, rules, known_rules, stats, ground, movers or {})
    return "\n".join(lines) + "\n"


def _lines(
    battlemap: Battlemap,
    file: str,
    options: Mapping[str, object],
    grid: Mapping[str, object],
    format: str,
    rules: str,
    known_rules: tuple[str, ...],
    stats: str,
    ground: Mapping[str, str] | None,
    movers: Mapping[str, str],
) -> Iterator[str]:
    picture = battlemap.picture if format == "picture" else None
    yield "schema: 1"
    yield f"name: {written(battlemap.name or 'New map')}"
    if picture is None:
        more = {"file": file, **({"format": format} if format else {}), **({"options": options} if options else {})}
        yield f"base: {written(more if len(more) > 1 else file)}"
    else:
        shown = {"file": file, "pixels": picture.pixels, "offset": picture.offset}
        yield f"picture: {written(shown, floats=True)}"
        grid = {"type": battlemap.grid.name, **grid}
    words = ", ".join(f"{key}: {said}" for key, said in grid.items())
    yield f"grid: {{{words}}}  # the side of a cell"
    if rules:
        others = ", ".join(one for one in known_rules if one != rules)
        yield f"rules: {written(rules)}{f'  # or {others}' if others else ''}"
    if picture is not None:
        yield LEGEND
        for sign, _, facts, does in _ground(ground):
            yield f"  {written(sign)}: {facts}{does}"
        yield "rows: |"
        yield from ["  " + "." * battlemap.cols] * battlemap.rows
    yield FIGURES
    example = {"id": "hero", "at": cell_name(_open_cell(battlemap), battlemap.level_names), "side": "heroes"}
    yield f"  # - {written(example)[:-1]}{f', stats: {stats}' if stats else ''}}}"
    for mover, cell in movers.items():
        yield f"  - {written({'id': mover, 'at': cell})[:-1]}{f', stats: {stats}' if stats else ''}}}"
    if picture is None:
        yield ZONES
        for _, cells, facts, does in _ground(ground):
            yield f"  # - {{cells: [{written(cells)}], {facts[1:]}{does}"
    yield from _doors(battlemap)


def _ground(known: Mapping[str, str] | None) -> Iterator[tuple[str, str, str, str]]:
    """Kinds of ground to begin with: sign, cells, facts, and as a comment what the facts do under these rules."""
    signs: set[str] = set()
    for sign, cells, name, facts in OFFERED:
        if sign not in signs and (known is None or facts.keys() <= known.keys()):
            signs.add(sign)
            does = "" if known is None else f"  # {known[next(iter(facts))]}"
            yield sign, cells, written({"terrain": name, **facts}), does


def _doors(battlemap: Battlemap) -> Iterator[str]:
    doors = [one for one in battlemap.barriers if one.id and one.kind in (Kind.DOOR, Kind.WINDOW)]
    if not doors:
        return
    yield "barriers:"
    yield "  # The doors and windows of the file: take the # away to change one (open, closed, locked, secret)."
    for door in doors:
        state = door.state.value if door.state else ""
        place = f"{state or door.kind.value}, between {between(battlemap, door)}"
        yield f"  # - {written({'id': door.id, 'kind': 'door', 'state': state or 'closed'})}  # {place}"


def _open_cell(battlemap: Battlemap) -> Cell:
    """A cell to begin on, as near to the middle of the first level as any that can be stood on."""
    import numpy as np

    good = np.array([not (kind.impassable or kind.gap or kind.swum) for kind in battlemap.palette])
    rows, cols = np.nonzero(good[battlemap.levels[0].ground])
    if not rows.size:
        return Cell(0, 0)
    standing = [mover for mover in battlemap.movers if mover.at is not None]
    taken = {cell for mover in standing for cell in battlemap.body(mover.at or (0, 0), mover.size)}
    away = np.hypot(cols - battlemap.cols / 2, rows - battlemap.rows / 2)
    nearest = (Cell(int(cols[n]), int(rows[n])) for n in np.argsort(away, kind="stable"))
    return next((cell for cell in nearest if cell not in taken), Cell(int(cols[0]), int(rows[0])))
