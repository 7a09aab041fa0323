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
    if not site.strikers:
        return list(steps), []
    marked, found = [], []
    done = {(1, enemy) for enemy in struck}
    for n, step in enumerate(steps):
        left = [] if disengaged and step.turn == 1 else left_by(site, step)
        by = [enemy for enemy in left if (step.turn, enemy) not in done]
        for enemy in by:
            done.add((step.turn, enemy))
            found.append(Provocation(enemy, step.start.cell, n, source))
        marked.append(replace(step, provokes=tuple(by)) if by else step)
    return marked, found


def left_by(site: Site, step: Step) -> list[str]:
    """The enemies from within whose reach a step takes the body to wholly outside it, by id."""
    if not step.moves or (WAYS.has(step.way) and not WAYS.get(step.way).provokes):
        return []
    (i, j), level = site.battlemap.grid.store(step.start.cell.col, step.start.cell.row), step.start.cell.level
    # no step of any grid changes a coordinate of its storage by more than 1
    near = (enemy for enemy, at, arm in site.strikers
            if at is None or (at[0] == level and abs(at[1] - i) <= arm and abs(at[2] - j) <= arm))  # fmt: skip
    return [enemy.id for enemy in near if _leaves(site, enemy, step)]


def _leaves(site: Site, enemy: Mover, step: Step) -> bool:
    near = site.threatened_by(enemy)
    before = any(cell in near for cell in body(site, step.start))
    return before and not any(cell in near for cell in body(site, step.end))


def body(site: Site, state: State) -> Iterable[Cell]:
    """The cells that the mover covers in a state."""
    size = site.mover.size - 1 if state.squeezed else site.mover.size
    return [state.cell] if size <= 1 else site.footprint_cells(state.cell, size)
