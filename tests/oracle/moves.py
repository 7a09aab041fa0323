"""The oracle's steps: what a mover may do in one state, and what it costs (sections 5 to 9 of the scenario file)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property

from tests.oracle.board import CORNERS, Pos, Side, exact
from tests.oracle.body import RISING, Body, Move, State


class Mover(Body):
    """A mover whose `moves` list what it may do in a state."""

    def moves(self, state: State) -> Iterator[Move]:
        """Everything the mover may do."""
        yield from self.rises(state)
        yield from self.squeezes(state)
        for way in self.board.straight:
            yield from self.straight(state, way)
        if self.board.grid == "square" and self.opt["diagonal"] != "none":
            for way in CORNERS:
                yield from self.slanted(state, way)
        yield from self.through_links(state)
        yield from self.jumps(state)
        yield from self.opens(state)

    def rises(self, state: State) -> Iterator[Move]:
        """Changes of posture."""
        if not self.feet or self.given.get("vehicle"):
            return
        half = exact(self.given.get("speed", 30)) // 2
        stand = half if self.opt["stand_cost"] == "half_speed" else exact(self.opt["stand_cost"])
        for wanted in RISING:
            if wanted == state.posture:
                continue
            cost: Fraction | int = 0
            if state.posture == "prone":
                if self.speed == 0:
                    continue
                cost = stand
            elif RISING.index(wanted) < RISING.index(state.posture):
                cost = exact(self.opt["crouch_stand_cost"])
            if all(self.roof_allows(cell, wanted) for cell in self.board.body(state.pos, self.extent(state))):
                yield Move(state._replace(posture=wanted, run=Fraction(0)), Fraction(cost), "posture", False)

    def squeezes(self, state: State) -> Iterator[Move]:
        """Squeezing and straightening out."""
        if not self.opt["squeeze"] or self.size < 2:
            return
        other = state._replace(squeezed=not state.squeezed, run=Fraction(0))
        fits = self.stands(state.pos, self.extent(other), state.opened)
        if fits and self.enterable(state.pos, self.extent(other), state.posture):
            yield Move(other, Fraction(0), "squeeze", False)

    def cross(
        self, pos: Pos, way: str, size: int, opened: frozenset[Side]
    ) -> tuple[Pos, list[Fraction], set[Side]] | None:
        """A straight step of a body: where to, flat prices, doors to open; None where something is shut."""
        end = self.board.neighbour(pos, way)
        old, flat, doors, fences = set(self.board.body(pos, size)), [], set(), []
        for cell in old:
            ahead = self.board.neighbour(cell, way)
            if ahead in old:
                continue
            kind, prices, opening = self.lies_between(cell, ahead, opened)
            if kind == "shut":
                return None
            if opening:
                doors.add(frozenset((cell, ahead)))
                flat += prices
            else:
                fences += prices
        # a body gets over all its fences at once, the dearest counts; each door is opened for itself
        return end, flat + ([max(fences)] if fences else []), doors

    def straight(self, state: State, way: str) -> Iterator[Move]:
        """A straight step."""
        size = self.extent(state)
        crossed, known = self.cross(state.pos, way, size, state.opened), state.opened
        if crossed is not None and crossed[2] & state.ajar:
            if not state.ajar < crossed[2]:
                return
            known = state.opened | state.ajar
            crossed = self.cross(state.pos, way, size, known)
        if crossed is None:
            return
        end, flat, doors = crossed
        opened = known | doors
        if not self.stands(end, size, opened) or not self.enterable(end, size, state.posture):
            return
        # a fence is climbed (OPR-15), which ends a run-up
        extra, climbed = sum(flat, Fraction(0)), len(flat) > len(doors)
        dz = self.height(end, size) - self.height(state.pos, size)
        if abs(dz) > self.step_height:
            rule = self.opt["ledge_up" if dz > 0 else "ledge_down"]
            if rule == "climb" and self.climb_factor is not None:
                extra += abs(dz) * self.climb_factor
                climbed = True
            elif not (rule == "drop" and dz < 0 and self.survives(-dz)):
                return
        yield from self.arrive(state, end, size, extra, opened, len(doors), False, climbed)

    def survives(self, height: Fraction) -> bool:
        """Whether a fall does no more damage than the mover accepts (shapers)."""
        if self.ruleset != "shapers":
            return False
        size = exact(self.given["size_m"])
        if height <= size / 4:
            return True
        metres = Fraction(height // 1) if self.opt["fall_metres"] == "whole" else height
        return 2 * metres + size - exact(self.given.get("pf", 0)) <= exact(self.given.get("accept_damage", 0))

    @cached_property
    def step_height(self) -> Fraction:
        """The height of an ordinary step."""
        value = self.opt["step_height"]
        return exact(self.opt["slope_max"]) * self.board.cell if value == "cell" else exact(value)

    def arrive(
        self,
        state: State,
        end: Pos,
        size: int,
        extra: Fraction,
        opened: frozenset[Side],
        doors: int,
        slant: bool,
        climbed: bool,
    ) -> Iterator[Move]:
        """The move that a legal step is."""
        limit = self.opt["door_limit"]
        if doors and limit is not None and self.limited and state.doors + doors > limit:
            return
        old, new = self.board.body(state.pos, size), self.board.body(end, size)
        if self.forgetful:
            opened = frozenset(side for side in opened if side <= set(new))
        cost, parity, walked = self.price(old, new, state, slant)
        run = Fraction(0)
        paying = state.pos if self.opt["pay_on"] == "leave" else end
        on_foot = not self.board.get(paying, "climb") and self.board.get(paying, "water") != "deep"
        if self.counts_run and state.posture == "standing" and on_foot and not climbed:
            run = min(state.run + walked, Fraction(10))
        count = state.doors + doors if limit is not None and self.limited else 0
        ajar = state.ajar if not opened & state.ajar and self.remembers(state.ajar, end) else frozenset()
        yield Move(State(end, state.posture, parity, run, count, opened, state.squeezed, ajar), cost + extra, "step")

    @cached_property
    def double(self) -> set[frozenset[Side]]:
        """The doors that some straight step of the body meets together, too many to be opened in one turn."""
        limit = self.opt["door_limit"]
        if limit is None or not self.limited:
            return set()
        out: set[frozenset[Side]] = set()
        for size in {self.size, self.size - 1 if self.opt["squeeze"] else self.size} - {0}:
            for pos in self.board.facts:
                for way in self.board.straight:
                    crossed = self.cross(pos, way, size, frozenset())
                    if crossed is not None and len(crossed[2]) > limit:
                        end = crossed[0]
                        if not any(self.solid(c) for at in (pos, end) for c in self.board.body(at, size)):
                            out.add(frozenset(crossed[2]))
        return out

    def opens(self, state: State) -> Iterator[Move]:
        """Opening a door of a double one without a step."""
        if not self.double or state.doors >= self.opt["door_limit"]:
            return
        body = set(self.board.body(state.pos, self.extent(state)))
        for cell in body:
            for way in self.board.straight:
                ahead = self.board.neighbour(cell, way)
                side = frozenset((cell, ahead))
                if ahead in body or side in state.opened | state.ajar:
                    continue
                if not any(side in group for group in self.double):
                    continue
                kind, flat, doors = self.lies_between(cell, ahead, state.opened)
                if kind == "shut" or not doors:
                    continue
                after = state._replace(doors=state.doors + 1)
                if not self.forgetful:
                    after = after._replace(opened=state.opened | {side})
                elif any(state.ajar | {side} < group for group in self.double):
                    after = after._replace(ajar=state.ajar | {side})
                else:
                    continue
                yield Move(after, sum(flat, Fraction(0)), "open-door", False)

    def remembers(self, ajar: frozenset[Side], pos: Pos) -> bool:
        """Whether a body at a place is still beside the door of which it opened a leaf."""
        body = set(self.board.body(pos, self.size))
        return any(ajar < group and any(side & body and not side <= body for side in group) for group in self.double)

    def slanted(self, state: State, way: str) -> Iterator[Move]:
        """A diagonal step."""
        size, board, corner = self.extent(state), self.board, self.opt["corner"]
        end = board.neighbour(state.pos, way)
        if not all(cell in board.facts for cell in board.body(end, size)):
            return
        rise = self.height(end, size) - self.height(state.pos, size)
        dz, falls = abs(rise), rise < 0
        if dz > self.step_height and not (falls and self.opt["ledge_down"] == "drop" and self.survives(dz)):
            return
        first, second = CORNERS[way]
        routes = [self.route(state, legs, size, ghost=corner == "free") for legs in ((first, second), (second, first))]
        free = [found is not None and not found[1] for found in routes]
        if all(free) or (any(free) and corner != "both_open"):
            options: list[tuple[Fraction, frozenset[Side]]] = [(Fraction(0), frozenset())]
        elif corner == "one_open" and self.opt["door_diagonal"] == "price":
            options = [(found[0], found[1]) for found in routes if found is not None and len(found[1]) == 1]
        else:
            return
        for flat, doors in options:
            opened = state.opened | doors
            if self.stands(end, size, opened) and self.enterable(end, size, state.posture):
                yield from self.arrive(state, end, size, flat, opened, len(doors), True, False)

    def route(
        self, state: State, legs: tuple[str, str], size: int, *, ghost: bool
    ) -> tuple[Fraction, frozenset[Side]] | None:
        """One way round a corner: the price and the doors in it; None where it is closed (fences close it)."""
        at, price, opened = state.pos, Fraction(0), state.opened
        for n, leg in enumerate(legs):
            crossed = self.cross(at, leg, size, opened)
            if crossed is None:
                return None
            at, flat, doors = crossed
            if len(flat) != len(doors):
                return None
            price += sum(flat, Fraction(0))
            opened |= doors
            if not self.stands(at, size, opened, ghost=ghost and n == 0):
                return None
            if n == 0 and self.opt["corner_occupants"] == "block" and not ghost:
                held = [other for other in self.others if self.meets(other) is None]
                if any(cell in other.cells for cell in self.board.body(at, size) for other in held):
                    return None
        return price, opened - state.opened

    def through_links(self, state: State) -> Iterator[Move]:
        """Stairs, ladders, portals."""
        size = self.extent(state)
        for start, end, cost in self.board.links:
            if start != state.pos or self.dark(start):
                continue
            if self.stands(end, size, state.opened) and self.enterable(end, size, state.posture):
                yield Move(state._replace(pos=end, run=Fraction(0)), cost, "link", False)

    def jumps(self, state: State) -> Iterator[Move]:
        """Jumps over gaps, and onto what is higher than a step."""
        if not self.counts_run or state.posture != "standing" or self.size != 1 or self.board.grid != "square":
            return
        board, longest = self.board, exact(self.given["str"])
        for way in board.straight:
            yield from self.high_jump(state, way)
            at, width = state.pos, 0
            while True:
                ahead = board.neighbour(at, way)
                if self.lies_between(at, ahead, state.opened)[0] != "free" or self.solid(ahead):
                    break
                at = ahead
                if board.get(at, "gap"):
                    width += 1
                    continue
                length = width * board.cell
                reach = longest if state.run >= 10 else Fraction(longest // 2)
                level = abs(board.elevation(at) - board.elevation(state.pos)) <= self.step_height
                landed = state._replace(pos=at, run=Fraction(0))
                if width and length <= reach and level and self.enterable(at, 1, "standing") and self.stop(landed, -1):
                    yield Move(landed, length + board.cell * self.factor(at, "standing", False), "jump")
                break

    def high_jump(self, state: State, way: str) -> Iterator[Move]:
        """A jump onto the next cell: 3 feet and the modifier of Strength high, half of it from standing (OPR-39, 41).

        Its feet are paid, and the ground it lands on (OPR-42).
        """
        end = self.board.neighbour(state.pos, way)
        if self.lies_between(state.pos, end, state.opened)[0] != "free" or self.solid(end):
            return
        running = max(3 + (int(self.given["str"]) - 10) // 2, 0)
        rise = self.board.elevation(end) - self.board.elevation(state.pos)
        landed = state._replace(pos=end, run=Fraction(0))
        if not self.step_height < rise <= (running if state.run >= 10 else running // 2):
            return
        if self.enterable(end, 1, "standing") and self.stop(landed, -1):
            yield Move(landed, rise + self.board.cell * self.factor(end, "standing", False), "jump")
