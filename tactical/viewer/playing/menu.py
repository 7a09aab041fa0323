"""Menus: what can be done on a cell, at a door, with a token; the game master's orders; what the window can do.

Knows no pygame.  A row gives a word of the key table, or an order of the game; one that would be refused says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tactical.errors import Refusal
from tactical.movement.route import Route
from tactical.play.commands import (
    CloseDoor,
    Command,
    Damage,
    Dash,
    EndTurn,
    OpenDoor,
    Place,
    Push,
    Rest,
    Reveal,
    Roll,
    SetMover,
    Spend,
)
from tactical.show import choices
from tactical.show.amounts import amount, band_named, unit_of
from tactical.show.labels import LABELS, say
from tactical.show.sheet import NORMAL, SMALL, Measure, Sheet
from tactical.units import Cell, spoken
from tactical.viewer.playing import declaring
from tactical.viewer.playing.hand import Hand
from tactical.world.edges.barriers import DoorState
from tactical.world.grids import Grid, Point, neighbours
from tactical.world.mover import Mover

HEAD, ROW, WIDE = 36.0, 26.0, 360.0
"""Height of the title and of a row, and the width of a column at the most."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing to do: its words, what it gives, the key that does it too, and why it is `refused`."""

    label: str
    order: str | Command
    key: str = ""
    refused: str = ""
    on: bool = False


@dataclass
class Menu:
    """Rows about a `cell` and the `door` there (None: nothing on the map), beside a pixel; `chosen` is lit.

    Until it is `painted` no row of it can be meant: what lies under the pointer is of the menu before.
    """

    title: str
    rows: tuple[Row, ...]
    at: tuple[int, int]
    cell: Cell | None = None
    door: str = ""
    chosen: int = -1
    painted: bool = False

    @property
    def refused(self) -> str:
        """Why the row that is lit cannot be taken; empty where it can, and where none is lit."""
        return self.rows[self.chosen].refused if self.chosen >= 0 else ""

    def step(self, by: int) -> None:
        """Light the next (previous) row that can be taken."""
        for _ in self.rows:
            self.chosen = (self.chosen + by) % len(self.rows) if self.chosen >= 0 else 0 if by > 0 else -1
            self.chosen %= len(self.rows)
            if not self.rows[self.chosen].refused:
                return

    def point(self, command: str) -> bool:
        """Light the row under the pointer, which gives this command; True if that is another one."""
        before = self.chosen
        kind, _, number = command.partition(":")
        self.chosen = int(number) if kind == "row" and self.painted else -1
        return before != self.chosen


def there(hand: Hand, cell: Cell, door: str = "") -> tuple[Row, ...]:
    """What the selected mover can do on a cell or at the `door` there, and what there is to learn."""
    hand.point_at(cell)
    hand.rested = True
    rows = [*_going(hand, cell), *_door(hand, door)]
    someone = hand.mover_at(cell)
    if someone is not None and someone.id != hand.selected:
        rows[:0] = [Row(say("menu.select", name=someone.label), f"who:{someone.id}"), *_ram(hand, someone)]
    if someone is not None and someone.id == hand.selected:
        rows += _postures(hand)
        rows += _acts(hand)
    rows.append(Row(say("menu.inspect"), "inspect"))
    if someone is None:
        rows.append(Row(say("menu.walker"), "walker", "I"))
    rows.append(Row(say("menu.master"), "master"))
    return tuple(rows)


def _going(hand: Hand, cell: Cell) -> Iterator[Row]:
    route = hand.route
    if hand.selected is None or route is None:
        return
    name = hand.battlemap.name_of(cell)
    if isinstance(route, Refusal):
        yield Row(say("menu.go", cell=name, price=""), "go", "Enter", route.text)
        return
    yield Row(say("menu.go", cell=name, price=_price(hand, route)), "go", "Enter")
    for other in hand.others:
        yield Row(other.label, other.command, other.key)
    for words, page, order in declaring.offered(hand, cell, route):
        yield Row(words, page, "", _why(hand, order))
    yield Row(say("menu.waypoint"), "waypoint", "Ctrl-Enter")
    yield Row(say("menu.unpin" if cell in hand.pins else "menu.pin"), "pin", "Shift-Enter", on=cell in hand.pins)
    if hand.session.position.ruleset(hand.selected).order is not None:
        order = Dash(hand.selected)
        yield Row(say("menu.dash"), order, "H", _why(hand, order))


def _ram(hand: Hand, target: Mover) -> Iterator[Row]:
    way = declaring.ramming(hand, target)
    if way is not None:
        why = way.text if isinstance(way, Refusal) else ""
        price = "" if isinstance(way, Refusal) else _price(hand, way)
        yield Row(say("menu.ram", name=target.label, price=price), f"ram:{target.id}", refused=why)


def _price(hand: Hand, route: Route) -> str:
    band = band_named(route.band, hand.reach.bands)
    words = f"{amount(route.cost, band)} {unit_of(hand.reach.bands, hand.reach.unit)}"
    return f"{words}, {band.title}" if band is not None else words


def _door(hand: Hand, door: str) -> Iterator[Row]:
    if not door or hand.selected is None:
        return
    for choice in choices.doors(hand.session, hand.selected):
        if choice.command == f"door:{door}":
            yield Row(choice.label, choice.command, "D", choice.refused)
            return
    name = choices.door_name(door)
    if hand.reach is None:
        yield Row(say("menu.door", name=name, price=""), f"far_door:{door}")
        return
    way = hand.way_to_door(door)
    if isinstance(way, Refusal):
        yield Row(say("menu.door", name=name, price=""), f"far_door:{door}", "", way.text)
    else:
        yield Row(say("menu.door", name=name, price=_price(hand, way)), f"far_door:{door}")


def _postures(hand: Hand) -> Iterator[Row]:
    about = hand.about
    for n, posture in enumerate(about.profile.postures):
        if posture != about.start.posture:
            yield Row(LABELS.get(f"posture.{posture}", posture), f"posture_{posture}", str(n + 1))


def _acts(hand: Hand) -> Iterator[Row]:
    assert hand.selected is not None
    if hand.session.position.ruleset(hand.selected).order is not None:
        yield Row(say("menu.dash"), "dash", "H", _why(hand, Dash(hand.selected)))
    for choice in choices.acts(hand.session, hand.selected):
        yield Row(choice.label, choice.command, choice.key, choice.refused, on=choice.on)
    for words, page in declaring.named(hand):
        yield Row(words, page)
    onward = hand.onward
    if onward is not None and onward.label == say("onward.end"):
        yield Row(say("menu.end"), "do", "Space")


def _why(hand: Hand, order: Command) -> str:
    reason = hand.session.why_not(order)
    return "" if reason is None else reason.text


# -- the game master's orders -----------------------------------------------------------------------------------------


def master(hand: Hand, cell: Cell, door: str = "") -> tuple[Row, ...]:
    """What the game master can do on a cell: to who stands there, else with the selected mover."""
    someone = next((m for m in hand.battlemap.movers if m.at and cell in hand.battlemap.body(m.at, m.size)), None)
    found = list(_to_token(hand, someone) if someone is not None else _to_cell(hand, cell))
    if hand.selected is not None:
        for barrier in hand.battlemap.barriers:
            if barrier.id == door and barrier.state is DoorState.SECRET:
                found.append((say("master.door", name=door), Reveal(hand.selected, doors=(door,))))
    found += _to_door(hand, door)
    return tuple(Row(words, order, refused=_why(hand, order)) for words, order in found)


def _to_door(hand: Hand, door: str) -> Iterator[tuple[str, Command]]:
    """A door opens and closes for the game master from anywhere, and for nothing."""
    for barrier in hand.battlemap.barriers:
        if door and barrier.id == door and barrier.state is not DoorState.SECRET:
            name = choices.door_name(door)
            if barrier.state is DoorState.OPEN:
                yield say("master.close", name=name), CloseDoor(door)
            else:
                yield say("master.open", name=name), OpenDoor(door)


def _to_cell(hand: Hand, cell: Cell) -> Iterator[tuple[str, Command]]:
    if hand.selected is None:
        return
    mover = hand.table.mover(hand.selected)
    name = hand.battlemap.name_of(cell)
    yield say("master.place", name=mover.label, cell=name), Place(mover.id, cell)
    if mover.at is not None and (line := straight(hand, mover.at, cell)):
        yield say("master.push", name=mover.label, cell=name), Push(mover.id, line)
    if hand.table.known(mover.id) is not None:
        yield say("master.reveal", cell=name, name=mover.label), Reveal(mover.id, cells=(cell,))


def _to_token(hand: Hand, mover: Mover) -> Iterator[tuple[str, Command]]:
    session, name = hand.session, mover.label
    ruleset = session.position.ruleset(mover.id)
    if hand.selected is not None and hand.selected != mover.id and mover.at is not None:
        here = hand.table.state(hand.selected).cell
        grid = hand.battlemap.grid
        beyond = _nearest(grid, mover.at, grid.centre(here.col, here.row), -1)
        if beyond is not None and beyond in hand.battlemap:
            yield say("master.push", name=name, cell=hand.battlemap.name_of(beyond)), Push(mover.id, (beyond,))
        yield say("master.seen", name=name), Reveal(hand.selected, movers=(mover.id,))
        yield from _strike(hand, mover)
    cost = hand.battlemap.cell
    yield say("master.spend", amount=spoken(cost), unit=hand.battlemap.unit, name=name), Spend(mover.id, cost)
    yield say("master.give", amount=spoken(cost), unit=hand.battlemap.unit, name=name), Spend(mover.id, -cost)
    state, about = session.position.status(mover.id).state, hand.table.about(mover.id)
    for posture in about.profile.postures:
        if posture != state.posture:
            words = say("master.posture", name=name, posture=LABELS.get(posture, posture))
            yield words, Place(mover.id, state.cell, posture)
    for side in sorted({one.side for one in hand.battlemap.movers if one.side} - {mover.side}):
        yield say("master.side", name=name, side=side), SetMover(mover.id, side=side)
    if ruleset.harm is not None:
        for damage in ("lightly", "heavily", "severely"):
            yield say("master.damage", name=name, state=damage), Damage(mover.id, damage)
    words = say("master.show" if mover.hidden else "master.hide", name=name)
    yield words, SetMover(mover.id, hidden=not mover.hidden)
    yield say("master.rest", name=name), Rest(mover.id)
    yield say("master.roll", name=name), Roll(mover.id, "d20")
    yield say("master.end", name=name), EndTurn(mover.id)


def _strike(hand: Hand, foe: Mover) -> Iterator[tuple[str, Command]]:
    """A foe's strike at the selected mover is spent for this turn, or is to be had again, where the rules know any."""
    about, mover = hand.about, hand.mover
    if mover is None or not about.query.strikes or mover.towards(foe) != "enemy":
        return
    struck = hand.table.turn(mover.id).struck
    words = say("master.not_struck" if foe.id in struck else "master.struck", name=foe.label, who=mover.label)
    yield words, SetMover(mover.id, turn={"struck": sorted(struck ^ {foe.id})})


def straight(hand: Hand, start: Cell, end: Cell) -> tuple[Cell, ...]:
    """The cells from one to another as straight as the grid goes, without the first; empty between floors."""
    grid = hand.battlemap.grid
    out: list[Cell] = []
    here = start
    while here != end and start.level == end.level:
        after = _nearest(grid, here, grid.centre(end.col, end.row))
        if after is None:
            return ()
        out.append(after)
        here = after
    return tuple(out)


def _nearest(grid: Grid, here: Cell, goal: Point, sign: int = 1) -> Cell | None:
    """The neighbour that is nearest to a point (with `sign` -1 the farthest); None where none is nearer than `here`."""

    def far(cell: Cell) -> float:
        x, y = grid.centre(cell.col, cell.row)
        return sign * ((x - goal[0]) ** 2 + (y - goal[1]) ** 2)

    best = min((cell for _, cell in neighbours(grid, here)), key=far, default=here)
    return best if far(best) < far(here) else None


# -- the window's own -------------------------------------------------------------------------------------------------


def window(rows: Sequence[tuple[str, str, bool | None]]) -> tuple[Row, ...]:
    """The rows of the window's menu: (command, key, whether it is on)."""
    return tuple(Row(say(f"window.{command}"), command, key, on=bool(on)) for command, key, on in rows)


def sheet_of(measure: Measure, menu: Menu, width: float, height: float) -> Sheet:
    """The menu on a sheet of a width and height at the most, in columns where it is too long; rows give ``row:0`` …"""
    fit = max(1, int((height - HEAD - 8) // ROW))
    columns = -(-len(menu.rows) // fit) or 1
    rows = -(-len(menu.rows) // columns) if columns > 1 else len(menu.rows)
    wide = max(measure(menu.title, NORMAL) + 30, *(measure(row.label, SMALL) + measure(row.key, SMALL) + 64
                                                   for row in menu.rows), 160.0)  # fmt: skip
    wide = min(wide, WIDE, width / columns)
    sheet = Sheet(wide * columns, measure, height=HEAD + 4 + ROW * rows + 8)
    sheet.plate((0, 0, sheet.width, sheet.height), "panel", "line", 8)
    sheet.words(menu.title, (14, 13), NORMAL, "text", "left", sheet.width - 28)
    for n, row in enumerate(menu.rows):
        left, y = wide * (n // rows), HEAD + ROW * (n % rows)
        box = (left + 6.0, y, wide - 12, ROW - 2)
        if n == menu.chosen:
            sheet.plate(box, "accent" if not row.refused else "card", "accent_line" if not row.refused else "line", 4)
        ink = "faint" if row.refused else "text"
        if row.refused or row.on:
            name, tint = ("cross", "bad_line") if row.refused else ("check", "good_line")
            sheet.sign(name, (left + 20, y + 12), 5, tint)
        key = sheet.words(row.key, (left + wide - 14, y + 6), SMALL, "dim", "right")
        sheet.words(row.label, (left + 32, y + 6), SMALL, ink, "left", key[0] - left - 40)
        sheet.button(box, f"row:{n}", row.refused)
    return sheet
