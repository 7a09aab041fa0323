"""Shapes of a route: its legs with a chip each, posture changes, where bands and turns end, and what it risks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tactical.movement.route import Line, Route, Step
from tactical.movement.turns.bands import Band
from tactical.registry import WAYS
from tactical.show.amounts import amount, band_named, turn_word, unit_of
from tactical.show.icons import ICONS
from tactical.show.scene.legend import gait_roles
from tactical.show.scene.shapes import Chip, Mark, Shape, Stroke, Token
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover

Spot = Callable[[Cell], tuple[float, float]]
"""Where the middle of a body stands that is at a cell."""

NAMED_MODES = frozenset({"swim"})
"""Ways of going on the ground that a chip names; those that are no mode of going are named anyhow."""


def middle(battlemap: Battlemap, cell: Cell, size: int = 1) -> tuple[float, float]:
    """The middle of a body whose anchor is `cell`."""
    if size == 1:
        return battlemap.grid.centre(cell.col, cell.row)
    spots = [battlemap.grid.centre(part.col, part.row) for part in battlemap.body(cell, size)]
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def route_shapes(
    battlemap: Battlemap,
    route: Route,
    bands: Sequence[Band],
    level: int,
    *,
    mover: Mover | None = None,
    chance: str = "",
) -> Iterator[Shape]:
    """The route as lines by band, then rings and signs, the ghost at the end, and the chips, the total last.

    `chance` stands behind the total: that of getting there, in words.
    """
    size = mover.size if mover is not None else 1
    roles = step_roles(route, bands)

    def spot(cell: Cell) -> tuple[float, float]:
        return middle(battlemap, cell, size)

    yield from _lines(route, roles, spot, level)
    for n, step in enumerate(route.steps):
        following = roles[n + 1] if n + 1 < len(roles) else roles[n]
        if following != roles[n] and step.end.cell.level == level:
            yield Mark(f"ring:{roles[n]}", spot(step.end.cell), step.end.cell)
    for cell in route.stops[:-1]:
        if cell.level == level:
            yield Mark("stop", spot(cell), cell)
    for hazard, cell in route.hazards:
        if cell.level == level:
            yield Mark(f"hazard:{hazard}", spot(cell), cell)
    for provocation in route.provokes:
        if provocation.cell.level == level:
            yield Mark("provoke", spot(provocation.cell), provocation.cell)
    if route.steps and route.end.cell.level == level:
        posture = route.end.posture if mover is None else figure(mover, route.end.posture)
        yield Token("ghost", spot(route.end.cell), size, "", posture)
    yield from _chips(route, roles, bands, spot, level, chance)


def figure(mover: Mover, posture: str) -> str:
    """The figure on a token: a vehicle for what is driven (its stats say so), else the posture."""
    driven = mover.stats.get("kind") == "vehicle" or any(str(name).startswith("vehicle_") for name in mover.stats)
    return "vehicle" if driven and posture == "standing" else posture


def step_bands(route: Route, bands: Sequence[Band]) -> list[Band | None]:
    """The band that pays for each step, by the ledger where the route has one; None for one that is not open now."""
    paid = {n: line.band for line in route.lines for n in line.steps}
    now = [band for band in bands if band.turn == 1]
    out = []
    for n, step in enumerate(route.steps):
        band = band_named(paid.get(n, ""), bands)
        if band is None and step.turn > 1:
            band = next((one for one in bands if one.turn == step.turn), None)
        elif band is None and n not in paid:
            band = next((one for one in now if step.spent <= one.budget), now[0] if now else None)
        out.append(band)
    return out


def step_roles(route: Route, bands: Sequence[Band]) -> list[str]:
    """The role of each step: the band it is paid from, whether that is still open or not."""
    paid = {n: line.band for line in route.lines for n in line.steps}
    gaits = gait_roles(bands)
    out = []
    for n, (step, band) in enumerate(zip(route.steps, step_bands(route, bands), strict=True)):
        if step.turn > 1:
            out.append(f"turn:{step.turn}")
        else:
            out.append(gaits.get(paid.get(n, "") if band is None else band.name, "band:0"))
    return out


def _lines(route: Route, roles: list[str], spot: Spot, level: int) -> Iterator[Shape]:
    points: list[tuple[float, float]] = []
    role = ""
    for step, paid in zip(route.steps, roles, strict=True):
        if not step.moves:
            continue
        on_level = step.start.cell.level == step.end.cell.level == level
        # what covers no distance leads there all the same: through a link, a portal
        across = not step.distance
        if points and (paid != role or not on_level or across):
            yield Stroke(f"route:{role}", tuple(points))
            points = []
        if across and on_level:
            yield Stroke("route:link", (spot(step.start.cell), spot(step.end.cell)))
        elif on_level:
            points = points or [spot(step.start.cell)]
            points.append(spot(step.end.cell))
            role = paid
    if points:
        yield Stroke(f"route:{role}", tuple(points))


def _chips(
    route: Route, roles: list[str], bands: Sequence[Band], spot: Spot, level: int, chance: str
) -> Iterator[Shape]:
    paid = step_bands(route, bands)
    for steps in legs(route, roles):
        first = route.steps[steps[0]]
        if first.start.cell.level != level:
            continue
        text, icon = leg_words(route, steps, paid[steps[0]], unit_of(bands, route.unit))
        if not first.moves:
            yield Chip("posture", spot(first.start.cell), text, icon, place="below")
            continue
        ends = [spot(first.start.cell), spot(route.steps[steps[-1]].end.cell)]
        at = ((ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2)
        yield Chip(f"leg:{roles[steps[0]]}", at, text, icon, place="beside")
    yield from _events(route, roles, paid, spot, level, turn_word(bands))
    if route.steps and route.end.cell.level == level:
        band = band_named(route.band, bands) or paid[-1]
        budget = f" of {amount(route.spent + route.remaining, band)}" if route.remaining >= 0 else ""
        words = f"{amount(route.spent, band)}{budget} {unit_of(bands, route.unit)}"
        if route.turn > 1:
            words = f"{turn_word(bands)} {route.turn}: {words}"
        if chance:
            words = f"{words}, {chance}"
        yield Chip(f"total:{roles[-1]}", spot(route.end.cell), words, place="goal")


def _events(
    route: Route, roles: list[str], paid: Sequence[Band | None], spot: Spot, level: int, word: str
) -> Iterator[Shape]:
    """What happens on the way: rolls, and where bands and turns end."""
    for n, step in enumerate(route.steps):
        if step.check is not None and step.end.cell.level == level:
            number = f" {step.check.number}" if step.check.number is not None else f" {step.check.level}"
            yield Chip("check", spot(step.end.cell), f"{step.check.skill}{number}", "die", place="right")
        onward = roles[n + 1] if n + 1 < len(roles) else roles[n]
        gaits = onward.startswith("band:") and roles[n].startswith("band:")
        if gaits and onward != roles[n] and step.end.cell.level == level:
            band = paid[n]
            words = f"{'Move' if band is None else band.title} ends {amount(step.spent, band)}"
            yield Chip(f"end:{roles[n]}", spot(step.end.cell), words, place="left")
    for n, cell in enumerate(route.stops[:-1], 1):
        if cell.level == level:
            yield Chip("stop", spot(cell), f"end of {word} {n}", place="left")


def legs(route: Route, roles: Sequence[str]) -> list[list[int]]:
    """The steps in groups that a player sees as one: the same way, price, ground, band and direction of thought.

    The ledger's own lines are used where the route has them, cut where the steps are not neighbours.
    """
    line_of: dict[int, Line] = {n: line for line in route.lines for n in line.steps}
    out: list[list[int]] = []
    for n, step in enumerate(route.steps):
        before = route.steps[n - 1] if n else None
        same = (
            before is not None
            and out
            and step.moves == before.moves
            and step.moves
            and roles[n] == roles[n - 1]
            and step.cost == before.cost
            and step.way == before.way
            and step.turn == before.turn
            and line_of.get(n) is line_of.get(n - 1)
            and (n in line_of or step.ground == before.ground)
        )
        if same:
            out[-1].append(n)
        else:
            out.append([n])
    return out


def leg_words(route: Route, steps: Sequence[int], band: Band | None = None, unit: str = "") -> tuple[str, str]:
    """The words and the icon of a leg's chip: ``2 × 5``, ``fence 10``, ``+15 ft``, ``free``."""
    first: Step = route.steps[steps[0]]
    if not first.moves:
        cost = f"+{amount(first.cost, band)} {unit or route.unit}" if first.cost else "free"
        if first.door:
            return f"open door {first.door!r} {cost}", ""
        posture = first.end.posture
        return cost, posture if posture != first.start.posture and posture in ICONS else ""
    flats = [charge.name for charge in first.charges if charge.flat and charge.value]
    named = first.way in NAMED_MODES or (WAYS.has(first.way) and WAYS.get(first.way).leg_word == first.way)
    name = flats[0] if flats else first.way if named else ""
    each = amount(first.cost, band)
    price = each if len(steps) == 1 else f"{len(steps)} × {each}"
    return f"{name.replace('_', ' ')} {price}".strip(), ""
