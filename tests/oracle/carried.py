"""The oracle's plans over turns of movers that remember: every turn is begun anew from every state that one can end in.

What a turn leaves to the next is written down from the rule texts: the speed of the last round (REUP-30, REV-18, 19),
the rounds and tests of each gait (SHP-04 … 13, 33, 34), the turns run or swum (TWS-15 … 17).  No roll fails.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import count
from typing import Any, ClassVar, NamedTuple

from tests.oracle.board import Pos, exact
from tests.oracle.body import RATES, State
from tests.oracle.moves import Mover

Memory = tuple[tuple[str, int], ...]
"""What is remembered, by name; nothing is 0."""


class Gait(NamedTuple):
    """What a turn may be: its name, the least and the most that is spent, the mover's steps in it, and whether its roll
    cannot be passed."""

    name: str
    least: Fraction
    most: Fraction
    mover: Mover
    hopeless: bool = False


class Rules:
    """A rule system's turns, one after the other."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        self.scenario, self.given = scenario, scenario["mover"]
        self.mover_with = cache(self._mover_with)

    def _mover_with(self, changes: tuple[tuple[str, Any], ...]) -> Mover:
        return Mover({**self.scenario, "mover": {**self.given, **dict(changes)}})

    @property
    def farthest(self) -> Fraction:
        """What no turn spends more than."""
        return Fraction(1)

    def begin(self) -> Memory:
        """What is remembered in the first turn."""
        return ()

    def gaits(self, memory: Memory) -> Iterator[Gait]:
        """What a turn may be."""
        raise NotImplementedError

    def may_stop(self, memory: Memory) -> bool:
        """Whether a turn may pass without a move."""
        return True

    def may_set_out(self, gait: Gait, cell: Pos) -> bool:
        """Whether a turn of that gait may begin on a cell."""
        return True

    def mode(self, gait: Gait, cell: Pos) -> str:
        """In what way of going a cell is entered, where that is remembered."""
        return ""

    def after(self, memory: Memory, gait: str, modes: frozenset[str]) -> Memory:
        """What a turn leaves; of no gait: it stood still."""
        raise NotImplementedError


class D6(Rules):
    """Four speeds, half to all of each; at most two levels up or down a round, a vehicle one (REUP-11 … 30, REV-17)."""

    RUNGS = ("stop", "cautious", "cruising", "high", "all_out")

    @property
    def jump(self) -> int:
        return 1 if self.given.get("kind") == "vehicle" else 2

    @property
    def farthest(self) -> Fraction:
        return exact(self.given["move"]) * 4

    def begin(self) -> Memory:
        return (("speed", self.RUNGS.index(self.given.get("previous", "stop"))),)

    def gaits(self, memory: Memory) -> Iterator[Gait]:
        mover = self.mover_with(())
        for rung, times in ((1, Fraction(1, 2)), (2, Fraction(1)), (3, Fraction(2)), (4, Fraction(4))):
            if abs(rung - dict(memory)["speed"]) <= self.jump:
                far = exact(self.given["move"]) * times
                yield Gait(self.RUNGS[rung], far / 2, far, mover)

    def may_stop(self, memory: Memory) -> bool:
        return dict(memory)["speed"] <= self.jump

    def after(self, memory: Memory, gait: str, modes: frozenset[str]) -> Memory:
        return (("speed", self.RUNGS.index(gait or "stop")),)


class Shapers(Rules):
    """Four gaits with clocks of their own, and swimming with one too; a test that is due is passed if it can be."""

    ROUNDS: ClassVar = {"jog": 20, "run": 10, "sprint": 1, "swim": 1}
    HARDER: ClassVar = {"jog": 0, "run": 5, "sprint": 10, "swim": 0}

    def due(self, memory: Memory, name: str) -> bool:
        """Whether the coming round of a gait asks for a test first (SHP-A05)."""
        if name not in self.ROUNDS:
            return False
        known = dict(memory)
        free = int(self.given.get("pf", 0)) + (int(self.given.get("swimming", 0)) if name == "swim" else 0)
        paid = free + known.get(f"{name} passed", 0)
        return known.get(name, 0) >= paid * self.ROUNDS[name]

    def number(self, memory: Memory, name: str) -> int:
        """What the test of a gait must not be rolled above."""
        base = int(self.scenario["options"].get("effort_base_tn", 50))
        passed = dict(memory).get(f"{name} passed", 0)
        return base - self.HARDER[name] * passed + int(self.given.get("pf", 0)) + int(self.given.get("endurance", 0))

    def gaits(self, memory: Memory) -> Iterator[Gait]:
        for name in ("walk", "jog", "run", "sprint"):
            hopeless = self.due(memory, name) and self.number(memory, name) < 1
            yield Gait(name, Fraction(0), Fraction(1), self.mover_with((("gait", name),)), hopeless)

    def mode(self, gait: Gait, cell: Pos) -> str:
        return "swim" if gait.mover.board.get(cell, "water") == "deep" else gait.name

    def after(self, memory: Memory, gait: str, modes: frozenset[str]) -> Memory:
        known = dict(memory)
        for name in {gait, *modes} & set(self.ROUNDS):
            if self.due(memory, name):
                known[f"{name} passed"] = known.get(f"{name} passed", 0) + 1
            known[name] = known.get(name, 0) + 1
        return tuple(sorted(known.items()))


class Twelve(Rules):
    """So many turns of running, dodging and swimming as one has Endurance, counted together (TWS-15 … 17, A09)."""

    POOLS: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "walk": ("walk", "wade", "swim"), "run": ("run", "walk", "wade", "swim"),
        "run_dodge": ("run_dodge", "walk", "wade", "swim"), "crawl": ("crawl", "wade", "swim"),
        "wade": ("walk", "wade"),
    }  # fmt: skip
    HARD: ClassVar = {"run", "run_dodge", "swim"}

    def gaits(self, memory: Memory) -> Iterator[Gait]:
        limit = self.given.get("endurance")
        if limit is not None and self.given.get("load") == "heavy":
            limit = max(int(limit) - 3, 0)
        tired = limit is not None and dict(memory).get("hard", 0) >= int(limit)
        pools = {"mixed": tuple(self.given["modes"])} if self.given.get("modes") else self.POOLS
        for name, modes in pools.items():
            if tired and (name in self.HARD or set(modes) <= self.HARD):
                continue
            changes = (("modes", modes), ("exhausted", tired or bool(self.given.get("exhausted"))))
            yield Gait(name, Fraction(0), Fraction(1), self.mover_with(changes))

    def may_set_out(self, gait: Gait, cell: Pos) -> bool:
        # spent in water over the neck one is stranded there (TWS-A12); ashore one may still wade in
        return gait.mover.board.get(cell, "water") != "deep" or bool(gait.mover.modes(cell))

    def mode(self, gait: Gait, cell: Pos) -> str:
        column = sum(exact(self.given["mv"]) >= limit for limit in (25, 43, 55))
        return max(gait.mover.modes(cell), key=lambda mode: RATES[mode][column])

    def after(self, memory: Memory, gait: str, modes: frozenset[str]) -> Memory:
        hard = dict(memory).get("hard", 0) + bool(modes & self.HARD)
        return (("hard", hard),)


SYSTEMS: dict[str, type[Rules]] = {"d6-reup": D6, "d6-revised": D6, "shapers": Shapers, "twelve-second": Twelve}


Spread = dict[tuple[State, frozenset[str]], Fraction]
"""The least that can have been spent in every state, by the modes of the way there."""


class Walks:
    """What one mover can come to from wherever it stands, for at most so much; steps and walks are worked out once."""

    def __init__(self, rules: Rules, gait: Gait, most: Fraction) -> None:
        self.rules, self.gait, self.most = rules, gait, most
        self.mover = gait.mover
        self.moves = cache(lambda state: tuple(self.mover.moves(state)))
        self.stops = cache(self.mover.stop)
        self.ends = cache(self._ends)

    def _ends(self, start: State) -> tuple[Spread, dict[Pos, Fraction]]:
        """Where a move may end, and the least of each cell."""
        found = {key: spent for key, spent in self._spread(start).items() if self.stops(key[0])}
        least: dict[Pos, Fraction] = {}
        for (state, _), spent in found.items():
            least[state.pos] = min(spent, least.get(state.pos, spent))
        return found, least

    def _spread(self, start: State) -> Spread:
        done: Spread = {}
        order = count()
        queue: list[tuple[Fraction, int, State, frozenset[str]]] = [(Fraction(0), next(order), start, frozenset())]
        while queue:
            spent, _, state, used = heapq.heappop(queue)
            if (state, used) in done:
                continue
            done[state, used] = spent
            for move in self.moves(state):
                after = spent + move.cost
                if after <= self.most:
                    mode = self.rules.mode(self.gait, move.end.pos) if move.end.pos != state.pos else ""
                    more = used | {mode} if mode else used
                    if (move.end, more) not in done:
                        heapq.heappush(queue, (after, next(order), move.end, more))
        return done


def plans(scenario: Mapping[str, Any], turns: int) -> dict[Pos, tuple[int, Fraction]]:
    """Per cell the first turn that can end there, and the least spent in it, in the first one at the gentlest gait."""
    rules = SYSTEMS[scenario["ruleset"]](scenario)
    walks: dict[Mover, Walks] = {}
    stander = rules.mover_with(())
    level = {(stander.begin(), rules.begin())}
    out: dict[Pos, tuple[int, Fraction]] = {}
    for number in range(1, turns + 1):
        after: set[tuple[State, Memory]] = set()
        best: dict[Pos, Fraction] = {}
        for start, memory in level:
            for gait in rules.gaits(memory):
                if not rules.may_set_out(gait, start.pos):
                    continue
                if gait.mover not in walks:
                    walks[gait.mover] = Walks(rules, gait, rules.farthest)
                found, least = walks[gait.mover].ends(start)
                # a cell of the first turn is shown at the gentlest gait that comes there
                gentler = set(best) if number == 1 else set()
                for (state, used), spent in found.items():
                    if state == start or spent > gait.most or least[state.pos] < gait.least:
                        continue
                    if (number == 1 or not gait.hopeless) and state.pos not in gentler:
                        best[state.pos] = min(spent, best.get(state.pos, spent))
                    if not gait.hopeless and number < turns:
                        after.add((gait.mover.rested(state), rules.after(memory, gait.name, used)))
            if rules.may_stop(memory) and stander.stop(start):
                after.add((stander.rested(start), rules.after(memory, "", frozenset())))
        for pos, spent in best.items():
            out.setdefault(pos, (number, spent))
        level = after
    out.pop(stander.start, None)
    return out
