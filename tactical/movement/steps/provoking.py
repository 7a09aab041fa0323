"""Opportunity attacks: which steps invite them, and whose (OPR-32, OPR-A17)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tactical.movement.route import Provocation, State, Step
from tactical.registry import WAYS
from tactical.rules.profile import Source
from tactical.units import Cell
from tactical.world.mover import Mover
from tactical.world.site import Site


def provoke(
    site: Site,
    steps: Sequence[Step],
    *,
    disengaged: bool = False,
    struck: frozenset[str] = frozenset(),
    source: Source = Source(),
) -> tuple[list[Step], list[Provocation]]:
    """Which steps invite which opportunity attacks: leaving an enemy's reach, once per enemy and turn (OPR-32)."""
    marked, found = [], []
    done = {(1, enemy) for enemy in struck}
    for n, step in enumerate(steps):
        by = (
            []
            if disengaged and step.turn == 1
            else [enemy for enemy in site.enemies if (step.turn, enemy.id) not in done and leaves(site, enemy, step)]
        )
        for enemy in by:
            done.add((step.turn, enemy.id))
            found.append(Provocation(enemy.id, step.start.cell, n, source))
        marked.append(replace(step, provokes=tuple(enemy.id for enemy in by)) if by else step)
    return marked, found


def leaves(site: Site, enemy: Mover, step: Step) -> bool:
    """Whether a step takes the body from within an enemy's reach to wholly outside it."""
    if not step.moves or _far(site, enemy, step.start.cell) or (WAYS.has(step.way) and not WAYS.get(step.way).provokes):
        return False
    near = site.threatened_by(enemy)
    before = any(cell in near for cell in body(site, step.start))
    return before and not any(cell in near for cell in body(site, step.end))


def _far(site: Site, enemy: Mover, cell: Cell) -> bool:
    """Whether an enemy is too far away to reach a body at a cell, walls or no walls: then nobody asks about these."""
    if enemy.at is None or enemy.at.level != cell.level:
        return enemy.at is not None
    store = site.battlemap.grid.store
    (i, j), (k, m) = store(enemy.at.col, enemy.at.row), store(cell.col, cell.row)
    # no step of any grid changes a coordinate of its storage by more than 1
    return bool(max(abs(i - k), abs(j - m)) > site.reach(enemy) + enemy.size + site.mover.size)


def body(site: Site, state: State) -> Iterable[Cell]:
    """The cells that the mover covers in a state."""
    size = site.mover.size - 1 if state.squeezed else site.mover.size
    return [state.cell] if size <= 1 else site.footprint_cells(state.cell, size)
