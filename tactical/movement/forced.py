"""Moving by force: a body that is pushed takes the very steps that it could walk, at no price and without a will.

The steps are those of the state graph, on the truth and at a forced pace.  So walls, windows, doors that are not open,
one-way sides, solid ground, closed corners, faces higher than a step and too low a roof stop a push as they stop a
walk; prices, difficult ground and hazards do not.  Three things differ: nobody opens a door, no creature makes room
(unless a cell is shared), and down over an edge one falls, as the rules have it and without a roll.

A vehicle that rams its target is here too.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tactical.errors import Refusal, UnknownName
from tactical.movement.graph.footing import ANY_DAMAGE
from tactical.movement.graph.lattice import Lattice
from tactical.movement.query import Query
from tactical.movement.route import State, Step
from tactical.movement.steps.explain import explain
from tactical.movement.steps.provoking import body
from tactical.movement.steps.refusal import why_cell, why_step, why_stop
from tactical.rules.profile import FallLimits, Pace, Profile
from tactical.rules.turnstate import TurnState
from tactical.search.slices import whole
from tactical.units import Cell
from tactical.values import once
from tactical.world.company import shares
from tactical.world.grids import neighbours
from tactical.world.mover import Mover
from tactical.world.site import Site
from tactical.world.terrain import Terrain
from tactical.world.window import Window

_OPTIONS = {"hazard_policy": "ignore", "door_policy": "block", "ledge_down": "drop"}
_NO_FALLS = FallLimits(Fraction(0), lambda height: Fraction(0))


def pushed(query: Query, state: State, cell: Cell, *, truth: bool = True) -> Step | Refusal:
    """The step of a body pushed from `state` to the neighbouring `cell`, its damage included; or what stops it there.

    Posture, counters and form stay as they are, the run-up is over.  With `truth` off: as far as the mover knows.
    """
    lattice = _lattice(query, state.cell, truth)
    node = lattice.node(state)
    edge = None if node is None else lattice.edge_to(node, cell, "step")
    if node is None or edge is None:
        reason = why_step(lattice, state, cell)
        return Refusal("move.no_fit", {"cell": query.battlemap.name_of(cell)}) if reason is None else reason
    step = explain(lattice, node, *edge)
    held = _held(lattice, step)
    if held is not None:
        return held
    end = state._replace(cell=cell, run_up=0)
    return replace(step, start=state, end=end, cost=Fraction(0), charges=(), check=None)


def why_no_rest(query: Query, step: Step) -> Refusal | None:
    """Why a push may not end where a step of it ends, or None where it may."""
    lattice = _lattice(query, step.end.cell, True)
    node = lattice.node(step.end)
    if node is not None and bool(lattice.stops[node]):
        return None
    reason = why_stop(lattice, step.end.cell)
    name = query.battlemap.name_of(step.end.cell)
    return Refusal("move.stop", {"cell": name, "why": "nobody may stop there"}) if reason is None else reason


def site_there(query: Query, cell: Cell) -> Site:
    """What is so about a cell, hazards and bodies included, whatever the mover knows."""
    return _lattice(query, cell, True).site


def _held(lattice: Lattice, step: Step) -> Refusal | None:
    """Whoever stands where the step leads and does not share a cell, as the refusal of the step."""
    site = lattice.site
    before = set(body(site, step.start))
    for cell in body(site, step.end):
        firm = [one for one in site.holders(cell) if not shares(site.mover, one, site.options)]
        if firm and cell not in before:
            who = ", ".join(one.label for one in firm)
            return Refusal("move.occupied", {"cell": site.battlemap.name_of(cell), "who": who})
    return None


def _lattice(query: Query, cell: Cell, truth: bool) -> Lattice:
    """The state graph of the pushed body about one cell: a push looks no farther than its next step."""
    forced = _forced(query, truth)
    window = Window.around(forced.battlemap, [cell], query.mover.size + 1)
    return whole(forced.drawing_of(forced.pool, window, limited=False))


def _forced(query: Query, truth: bool) -> Query:
    """The question of the same body without a will of its own."""

    def forced() -> Query:
        asked = query.in_truth() if truth else query
        return asked.changed(options=query.options.set(_OPTIONS)).under(_forced_profile(query.profile))

    return once(query.kept, ("forced", truth), forced)


def _forced_profile(profile: Profile) -> Profile:
    def pace(pool: str, posture: str, ground: Terrain, uphill: bool) -> Pace:
        own = profile.pace(pool, posture, ground, uphill)
        # barriers may stop single modes of moving, so the mode stays what it would be
        return Pace(own.mode if isinstance(own, Pace) else "walk", Fraction(0), on_foot=False)

    falls = replace(profile.fall or _NO_FALLS, accepted=ANY_DAMAGE, check=None)
    return replace(
        profile, pace=pace, changes=(), jump=None, ledge=None, fall=falls, uphill_matters=False, demand=None, holds=None
    )


def target_of(query: Query, target: str) -> Mover:
    """The mover that is to be rammed.  Raises `UnknownName` for one that the mover does not know of on the map."""
    known = {other.id: other for other in query.others if query.sight.sees(other)}
    if target not in known:
        raise UnknownName("mover to ram", target, known)
    return known[target]


def declared(query: Query, target: str) -> TurnState | Refusal:
    """The turn whose move is to end in ramming `target`, or why there is no ramming.  Raises `UnknownName`."""
    if query.ruleset.ramming is None:
        return Refusal("rules.not_covered", {"why": f"ramming under {query.ruleset.title}"})
    target_of(query, target)
    return query.ruleset.ramming(query.stats, query.turn, query.options, target)


def with_ram(query: Query, target: str) -> Query | Refusal:
    """The question how to move with a ram of `target` at the end, or why there is no ramming.  Raises `UnknownName`."""
    turn = declared(query, target)
    return turn if isinstance(turn, Refusal) else query.changed(turn=turn)


def why_not_beside(query: Query, end: State, target: str) -> Refusal | None:
    """The refusal of a ram from where the move ends, or None where that is beside the target.  Raises `UnknownName`."""
    other, battlemap = target_of(query, target), query.battlemap
    assert other.at is not None
    size = query.mover.size - end.squeezed
    own = set(battlemap.body(end.cell, size))
    touched = {cell for one in own for _, cell in neighbours(battlemap.grid, one)}
    if touched & set(battlemap.body(other.at, other.size)):
        return None
    return Refusal("move.not_beside", {"cell": battlemap.name_of(end.cell), "target": other.label})


def why_no_room(query: Query) -> Refusal | None:
    """Why a body may not be set down where a question begins, or None; asked on the truth."""
    query, cell = query.in_truth(), query.start.cell
    lattice = query.lattice(query.pool, Fraction(0))
    reason = why_cell(lattice, cell)
    return why_stop(lattice, cell) if reason is None or reason.code == "move.gap" else reason
