"""The searches that a reach is made of: one for each pool of gaits, on the graph that is kept for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from tactical.movement.turns.bands import searched_by, whole_turn
from tactical.movement.turns.carried import Carried
from tactical.movement.turns.memoryless import Turns
from tactical.movement.turns.planned import remembers
from tactical.movement.turns.usual import note
from tactical.search.slices import Slices
from tactical.units import Cell

if TYPE_CHECKING:
    from tactical.movement.graph.lattice import Lattice
    from tactical.movement.reach import Reach


class Asked(NamedTuple):
    """One search that a reach is made of, wherever its mover stands: what `Query.lattice` and `Turns` are told."""

    pool: str
    most: Fraction
    exact: tuple[Fraction, ...]
    upright: bool
    ahead: int
    turns: Callable[[Lattice], Turns]


def reaching(found: Reach) -> Slices[Reach]:
    """In slices: a reach is worked out, so that whatever it is asked then is told at once.

    Nobody else may read it before the end.
    """
    if found.turns > 1 and remembers(found.query):
        yield from carrying(found)
    elif found.answers is None:
        begun = perf_counter()
        found.searches = yield from searching(found)
        found.seconds += perf_counter() - begun
    yield
    _ = found.arrivals
    return found


def carrying(found: Reach) -> Slices[Carried]:
    """In slices: the turns of a reach are searched as its rules remember them."""
    begun = perf_counter()
    made = Carried(found.query, found.turns, found.gait, found.reserve, found.arrive, found.limited)
    yield
    # known before it is run: on the way the first turn is read
    found.carried, found.searches = made, (yield from made.beginning(found.gaits))
    yield from made.running(found.first_turn)
    found.seconds = perf_counter() - begun
    return made


def searching(found: Reach) -> Slices[list[Turns]]:
    """In slices: the searches of a reach; what those of a usual question found is laid on the mover's own graph."""
    query, kept, answers = found.query, found.query.terms.kept, found.answers
    key = ("searches", *(gait.name for gait in found.gaits), found.gait, found.turns, found.arrive, found.narrow)
    asked: list[Asked] | None = kept.get(key)
    if asked is None:
        asked = kept[key] = list(_asked(found, found.narrow))
    out = []
    for n, (pool, most, exact, upright, ahead, turns) in enumerate(asked):
        lattice = query.lattice(pool, most, limited=found.limited, exact=exact, turns=ahead, upright=upright)
        search = turns(lattice)
        if answers is not None and lattice.bare is answers[n].lattice:
            out.append(search.settle(answers[n].settled))
        elif (node := lattice.node(query.start)) is not None:
            yield
            out.append((yield from search.running(node, ahead, target=_target(search, found.goal))))
    if answers is None:
        note(found, asked, out)
    return out


def _asked(found: Reach, narrow: bool) -> Iterator[Asked]:
    """What is searched for a reach, of all of which only its terms, gaits and turns are looked at."""
    query, gaits = found.query, found.gaits
    # who may arrive in any posture, or in the first, gains nothing by others; but where costs do not simply add up the
    # search's own ways are taken, and of equal ones which it finds first hangs on what else is searched
    plain = query.options["grid_rounding"] == "cover_full_cost" and query.options["dash_pool"] != "separate"
    upright = narrow and plain and found.arrive in ("", query.profile.postures[0])
    # where a step may be made with any rest, its price hangs on the gait's budget: each gait is searched by itself
    alone = query.options["grid_rounding"] != "cover_full_cost"
    for pool, budget, only, last in searched_by(gaits, alone):
        steady = found.later_by_pool.get(pool) if last else None
        ahead = 1 if steady is None else found.turns
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
