"""The oracle's mover: what is in its way and what distance costs it (sections 3 to 5 of the scenario file)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from tests.oracle.board import (
    BY_RULESET,
    CLASS_SIZE,
    CLASSES,
    DEFAULTS,
    SIZE_CLASS,
    Board,
    Pos,
    Side,
    exact,
    pairs_within,
)

SQRT2 = Fraction(141421356, 10**8)
RATES = {  # metres a turn by movement value below 25, below 43, below 55, and from 55
    "crawl": (4, 8, 12, 16), "walk": (16, 20, 24, 28), "run": (48, 60, 72, 94), "run_dodge": (28, 32, 36, 40),
    "wade": (4, 8, 12, 16), "swim": (8, 12, 16, 20),
}  # fmt: skip
MODES = {
    None: ("crawl", "walk", "run", "run_dodge"),
    "shallow": ("crawl", "walk"),
    "wading": ("wade", "swim"),
    "deep": ("swim",),
}
GAITS = {"walk": Fraction(1, 2), "jog": Fraction(1), "run": Fraction(2), "sprint": Fraction(4)}
RISING = ("standing", "crouched", "prone")


class State(NamedTuple):
    """All that the future of a move depends on, doors opened included."""

    pos: Pos
    posture: str = "standing"
    parity: int = 0
    run: Fraction = Fraction(0)
    doors: int = 0
    opened: frozenset[Side] = frozenset()
    squeezed: bool = False
    ajar: frozenset[Side] = frozenset()
    """Doors opened in place by a mover that forgets them when it walks away; one that does not has them in `opened`."""


class Move(NamedTuple):
    """One thing a mover may do: where it leads, its price, what it is, and whether it may provoke."""

    end: State
    cost: Fraction
    way: str
    strikes: bool = True


class Body:
    """A mover on a board under one rule system."""

    def __init__(self, scenario: Mapping[str, Any], *, truth: bool = False) -> None:
        self.ruleset: str = scenario["ruleset"]
        self.feet = self.ruleset in ("plain", "operator")
        self.board = Board(scenario["map"], self.feet)
        self.opt = DEFAULTS | BY_RULESET[self.ruleset] | dict(scenario.get("options", {}))
        self.truth = truth
        self.given: Mapping[str, Any] = scenario.get("mover", {})
        given = self.given
        size = given.get("size", 0)
        self.rank = given.get("class") or SIZE_CLASS.get(size, "medium")
        self.size = size or CLASS_SIZE[self.rank]
        self.start = self.board.pos(given["start"]) if given.get("start") else self.board.marked["S"]
        self.knows = {frozenset(self._side(side)) for side in given.get("knows", ())}
        self.goals: set[Pos] = set()
        self.limited = True
        self.forgetful = False
        """Forget opened doors behind the body: a door gone through twice is paid twice, and shut to diagonals."""
        self.others = [
            other
            for other in self.board.occupants
            if truth or not (other.hidden or all(self.dark(cell) for cell in other.cells))
        ]

    def _side(self, at: str) -> tuple[Pos, Pos]:
        name, way = at.rsplit(".", 1)
        pos = self.board.pos(name)
        return pos, self.board.neighbour(pos, way)

    # -- the mover ------------------------------------------------------------

    @cached_property
    def speed(self) -> Fraction:
        """The budget of a turn."""
        if not self.feet:
            return Fraction(1)
        return exact(self.given.get("speed", 30)) * exact(self.given.get("vehicle", {}).get("multiple", 1))

    @property
    def counts_run(self) -> bool:
        """Whether a run-up matters."""
        return self.ruleset == "operator" and self.given.get("str") is not None and not self.given.get("vehicle")

    def begin(self) -> State:
        """The state at the start of the question."""
        parity = int(self.given.get("diagonals", 0)) % 2 if self.opt["diagonal"] == "alternate" else 0
        return State(self.start, self.given.get("posture", "standing") if self.feet else "standing", parity)

    def rested(self, state: State) -> State:
        """The state in which the next turn begins."""
        keep = self.opt["parity_reset"] == "never"
        return state._replace(parity=state.parity if keep else 0, run=Fraction(0), doors=0)

    def extent(self, state: State) -> int:
        """Side of the body as it is now."""
        return self.size - 1 if state.squeezed else self.size

    def height(self, pos: Pos, size: int) -> Fraction:
        """How high a body stands: as high as the highest ground under it."""
        return max(self.board.elevation(cell) for cell in self.board.body(pos, size))

    def dark(self, pos: Pos) -> bool:
        """Not explored."""
        return pos in self.board.facts and bool(self.board.get(pos, "unknown")) and not self.truth

    def edges(self, a: Pos, b: Pos) -> Sequence[Mapping[str, Any]]:
        """What stands between two cells, as far as the mover knows: nothing where it has explored neither."""
        return () if self.dark(a) and self.dark(b) else self.board.edges.get(frozenset((a, b)), ())

    # -- what is in the way ------------------------------------------------------------

    def solid(self, pos: Pos) -> bool:
        """Off the map, impassable, or not explored."""
        board = self.board
        if pos not in board.facts or board.get(pos, "impassable"):
            return True
        return bool(board.get(pos, "unknown")) and self.opt["unknown_cells"] == "block" and not self.truth

    def lies_between(self, a: Pos, b: Pos, opened: frozenset[Side]) -> tuple[str, list[Fraction], int]:
        """What a straight step from a to b meets: ``free``, ``shut`` or ``paid`` with flat prices and doors to open."""
        z = min(self.board.elevation(a), self.board.elevation(b))
        flat: list[Fraction] = []
        doors = 0
        side = frozenset((a, b))
        every = self.edges(a, b)
        # a wall drawn through a doorway does not shut it: where there is a door, the door alone decides
        doorway = any(edge["kind"].startswith("door") for edge in every)
        for edge in every:
            if doorway and not edge["kind"].startswith("door"):
                continue
            if ("bottom" in edge and z < exact(edge["bottom"])) or ("top" in edge and z >= exact(edge["top"])):
                continue
            kind = edge["truth"] if self.truth and edge.get("truth") else edge["kind"]
            cost = edge.get("cost")
            if kind == "door-secret":
                kind = "door-closed" if side in self.knows or self.truth else "wall"
            if kind == "door-locked":
                kind = "door-closed" if cost is not None else "wall"
            if kind == "one-way":
                kind = "open" if (edge["from"], edge["to"]) == (a, b) else "wall"
            if kind == "door-closed":
                if side in opened:
                    continue
                if self.opt["door_policy"] == "block":
                    return "shut", [], 0
                flat.append(exact(self.opt["door_cost"] if cost is None else cost))
                doors += 1
            elif kind == "fence":
                if cost is None:
                    return "shut", [], 0
                flat.append(exact(cost))
            elif kind in ("wall", "window"):
                return "shut", [], 0
        return ("paid" if flat else "free"), flat, doors

    def stands(self, pos: Pos, size: int, opened: frozenset[Side], *, ghost: bool = False) -> bool:
        """Whether the body fits: cells passable and nothing between them (`ghost`: cells do not count, sides do)."""
        cells = self.board.body(pos, size)
        if not ghost and any(self.solid(cell) for cell in cells):
            return False
        return all(
            self.lies_between(a, b, opened)[0] == self.lies_between(b, a, opened)[0] == "free"
            for a, b in pairs_within(cells)
        )

    def enterable(self, pos: Pos, size: int, posture: str) -> bool:
        """Whether every covered cell lets the mover in: ground, height of the roof, hazards, enemies."""
        return all(self._enterable(cell, posture) for cell in self.board.body(pos, size))

    def _enterable(self, cell: Pos, posture: str) -> bool:
        get = self.board.get
        if get(cell, "gap") or not self.roof_allows(cell, posture):
            return False
        if get(cell, "climb") and self.climb_factor is None:
            return False
        if get(cell, "hazard") and self.opt["hazard_policy"] == "avoid" and cell not in self.goals:
            return False
        if self.ruleset == "shapers" and get(cell, "water") == "deep" and exact(self.given.get("swimming", 0)) < 1:
            return False
        if self.ruleset == "twelve-second" and not self.modes(cell):
            return False
        return not any(cell in other.cells and self.meets(other) is None for other in self.others)

    def roof_allows(self, cell: Pos, posture: str) -> bool:
        """Whether a cell's headroom allows a posture."""
        limit = self.board.get(cell, "headroom", "standing")
        return RISING.index(posture) >= RISING.index(limit)

    def meets(self, other: Any) -> str | None:
        """How another body is passed: ``ally``, ``enemy``, or not at all."""
        if other.side != "enemy":
            return "ally"
        apart = abs(CLASSES.index(other.rank) - CLASSES.index(self.rank))
        return "enemy" if apart >= exact(self.opt["enemy_size_gap"]) else None

    def stop(self, state: State, turn: int = 1) -> bool:
        """Whether a turn may end here."""
        for cell in self.board.body(state.pos, self.extent(state)):
            get = self.board.get
            if get(cell, "no_stop") or any(cell in other.cells for other in self.others):
                return False
            if get(cell, "water") == "deep" and not self.opt["deep_water_stop"]:
                return False
            if (cell, turn) in self.board.reserved:
                return False
        return True

    # -- prices ------------------------------------------------------------

    @cached_property
    def climb_factor(self) -> Fraction | None:
        value = self.given.get("climb_factor") or self.opt["climb_factor"]
        return None if value is None else exact(value)

    @cached_property
    def swim_factor(self) -> Fraction:
        return exact(self.given.get("swim_factor") or self.opt["swim_factor"])

    def factors(self, cell: Pos, posture: str, squeezed: bool, uphill: bool) -> list[Fraction]:
        """The factors of a cell, the crouch's not counted."""
        get = self.board.get
        out: list[Fraction] = []
        climbs, swims = bool(get(cell, "climb")), get(cell, "water") == "deep"
        if self.feet or self.ruleset.startswith("d6"):
            if climbs:
                assert self.climb_factor is not None
                out.append(self.climb_factor)
            if swims:
                out.append(self.swim_factor)
        if self.feet:
            out += [Fraction(2)] if get(cell, "difficult") else []
            out += [exact(get(cell, "factor", 1))] if self.ruleset == "plain" else []
            out += [Fraction(2)] if posture == "prone" and not climbs and not swims else []
        if self.ruleset == "twelve-second":
            worse = (bool(get(cell, "rough")), uphill)
            slow = Fraction(4) if self.opt["rough_reduction"] == "by_three_quarters" else Fraction(4, 3)
            count = sum(worse) if self.opt["uphill_and_rough"] == "twice" else int(any(worse))
            out += [slow] * count
        for kind, option in (("ally", "ally_cost"), ("enemy", "enemy_pass_cost")):
            if any(cell in other.cells and self.meets(other) == kind for other in self.others):
                out.append(exact(self.opt[option]))
        if squeezed:
            out.append(Fraction(2))
        return out

    def factor(self, cell: Pos, posture: str, squeezed: bool, uphill: bool = False) -> Fraction:
        """The joined factor of a cell."""
        found = self.factors(cell, posture, squeezed, uphill)
        stacking = self.opt["cost_stacking"]
        joined = Fraction(1)
        if stacking == "add":
            joined += sum(f - 1 for f in found)
        elif stacking == "max":
            joined = max([f for f in found if f != 1], default=Fraction(1))
        else:
            for f in found:
                joined *= f
        crouched = (
            posture == "crouched" and not self.board.get(cell, "climb") and self.board.get(cell, "water") != "deep"
        )
        return joined * 2 if crouched and self.feet else joined

    def modes(self, cell: Pos) -> list[str]:
        """The modes in which a mover of the twelve-second rules may cross a cell."""
        allowed = MODES[self.board.get(cell, "water")]
        if not self.opt["swim_in_wade_depth"] and "wade" in allowed:
            allowed = ("wade",)
        tired = ("run", "run_dodge", "swim") if self.given.get("exhausted") else ()
        return [m for m in self.given.get("modes", ("walk", "wade", "swim")) if m in allowed and m not in tired]

    def base(self, cell: Pos) -> Fraction:
        """Price of a unit of distance before factors."""
        if self.ruleset == "twelve-second":
            value = (
                exact(self.given["mv"])
                if "mv" in self.given
                else sum(exact(self.given[s]) for s in ("str", "dex", "end"))
            )
            column = sum(value >= limit for limit in (25, 43, 55))
            return 1 / Fraction(max(RATES[mode][column] for mode in self.modes(cell)))
        if self.ruleset == "shapers":
            if self.board.get(cell, "water") == "deep":
                return 2 / exact(self.given["ps"])
            return 1 / (exact(self.given["pa"]) * GAITS[self.given.get("gait", "walk")])
        return Fraction(1)

    def price(
        self, old: tuple[Pos, ...], new: tuple[Pos, ...], state: State, slant: bool
    ) -> tuple[Fraction, int, Fraction]:
        """Cost of a step's distance, the new parity, and the distance walked."""
        opt, board = self.opt, self.board
        uphill = max(map(board.elevation, new)) > max(map(board.elevation, old))
        if opt["pay_on"] == "leave":
            old, new = new, old
        chosen = {
            "max_entered": [cell for cell in new if cell not in old],
            "max_all": list(new),
            "median_all": list(new),
            "anchor": [new[0]],
        }[opt["body_cost"]]
        units = sorted((self.base(c) * self.factor(c, state.posture, state.squeezed, uphill), c) for c in chosen)
        unit, cell = units[-1]
        if opt["body_cost"] == "median_all":
            middle = len(units) // 2
            unit = units[middle][0] if len(units) % 2 else (units[middle - 1][0] + units[middle][0]) / 2
        base = self.base(cell)
        factor = unit / base
        side, parity = board.cell, state.parity
        if not slant or opt["diagonal"] == "equal":
            return side * unit, parity, side
        if opt["diagonal"] == "euclid":
            return side * unit * SQRT2, parity, side * SQRT2
        if factor > 1 and opt["difficult_diagonal"] == "as_two" and factor.denominator == 1:
            cells = sum(1 + (parity + n) % 2 for n in range(int(factor)))
            return side * base * cells, (parity + int(factor)) % 2, side * (1 + parity)
        count = 1 + parity
        if factor > 1 and opt["difficult_diagonal"] == "add_cell":
            return side * base * (count + factor - 1), 1 - parity, side * count
        return side * unit * count, 1 - parity, side * count
