"""The searches that a reach is made of: one for each pool of gaits, on the graph that is kept for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from tactical.movement.turns.bands import searched_by, whole_turn
from tactical.movement.turns.memoryless import Asked, Turns
from tactical.movement.turns.usual import Answer, note
from tactical.movement.turns.wanted import Wanted
from tactical.search.slices import Slices
from tactical.units import Cell


def searching(wanted: Wanted, answers: Sequence[Answer] | None) -> Slices[list[Turns]]:
    """In slices: the searches of a reach; what those of a usual question found is laid on the mover's own graph."""
    query, kept = wanted.query, wanted.query.terms.kept
    key = ("searches", *(gait.name for gait in wanted.gaits), wanted.gait, wanted.turns, wanted.arrive, wanted.narrow)
    asked: list[Asked] | None = kept.get(key)
    if asked is None:
        asked = kept[key] = list(_asked(wanted))
    out = []
    for n, (pool, most, exact, upright, ahead, turns) in enumerate(asked):
        lattice = yield from query.drawing(
            pool, most, limited=wanted.limited, exact=exact, turns=ahead, upright=upright
        )
        search = turns(lattice)
        if answers is not None and lattice.bare is answers[n].lattice:
            out.append(search.settle(answers[n].settled))
        elif (node := lattice.node(query.start)) is not None:
            yield
            out.append((yield from search.running(node, ahead, target=_target(search, wanted.goal))))
    if answers is None:
        note(wanted, asked, out)
    return out


def _asked(wanted: Wanted) -> Iterator[Asked]:
    """What is searched for a reach, of all of which only its terms, gaits and turns are looked at."""
    query, gaits = wanted.query, wanted.gaits
    # who may arrive in any posture, or in the first, gains nothing by others; but where costs do not simply add up the
    # search's own ways are taken, and of equal ones which it finds first hangs on what else is searched
    plain = query.options["grid_rounding"] == "cover_full_cost" and query.options["dash_pool"] != "separate"
    upright = wanted.narrow and plain and wanted.arrive in ("", query.profile.postures[0])
    # where a step may be made with any rest, its price hangs on the gait's budget: each gait is searched by itself
    alone = query.options["grid_rounding"] != "cover_full_cost"
    for pool, budget, only, last in searched_by(gaits, alone):
        steady = wanted.later_by_pool.get(pool) if last else None
        ahead = 1 if steady is None else wanted.turns
        whole = None if steady is None else whole_turn(query, steady)
        later = budget if whole is None else whole.budget
        # a rest smaller than any step counts where a step may be made with any rest
        exact_rest = (budget, later) if alone else ()
        most = budget - query.turn.spent + (ahead - 1) * later
        turns = partial(
            Turns, first=budget, later=later, spent=query.turn.spent, portion=query.portion(pool), gait=only,
            rings=tuple((g.minimum, g.budget) for g in gaits if g.pool == pool and only in ("", g.name)),
            later_rings=() if whole is None else ((whole.minimum, later),),
            may_stay=bool(query.profile.facts.get("may_stop", True)),
        )  # fmt: skip
        yield Asked(pool, most, exact_rest, upright, ahead, turns)


def _target(search: Turns, goal: Cell | None) -> int:
    """The node behind which a search for a goal need not look, or -1: where a cell is one state only."""
    place = None if goal is None else search.lattice.site.place(goal)
    one = len(search.lattice.draft.layers) == 1
    return search.lattice.draft.node(0, place) if one and place is not None else -1
