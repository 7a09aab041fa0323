"""What users call, measured against what else they could call: rows of one table.

Every row asks all engines the same questions on the same map, compares their answers, and only then runs them, in turn
and from varied places.  A peer that answers otherwise is shown as such and not timed.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np

from tactical import Battlemap, Cell, EndTurn, Move, Mover, Session, load, plan, reach, reach_many
from tactical.movement.query import ask
from tactical.movement.reach import Reach
from tactical.movement.turns.planned import remembers
from tactical.rules.ruleset import Ruleset
from tactical.wire import save
from tactical.world.battlemap import Level
from tactical.world.terrain import Terrain
from tests.bench.cold import TARGET, YARDSTICK, user_seconds
from tests.bench.peers import Ground, installed
from tests.bench.turns import MOVERS, board, by_networkx, forgetful

OPTIONS = {"corner": "free", "diagonal": "equal"}
MAPS = Path(__file__).parents[2] / "maps"
SAMPLES = sorted(path.stem for path in MAPS.glob("*.yaml"))
Place = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """One line of the table.

    `times` are the medians in milliseconds of processor time by engine, `spread` the quartiles, `wants` says how many
    times as fast as an engine the product has to be; `most` bounds its milliseconds on a quiet machine.  Where it is
    not time that was measured, `unit` says what.
    """

    name: str
    times: Mapping[str, float]
    spread: Mapping[str, tuple[float, float]]
    wants: Mapping[str, float] = field(default_factory=dict)
    most: float | None = None
    beat: float = 0.0
    otherwise: tuple[str, ...] = ()
    unit: str = "ms"

    @property
    def ratios(self) -> dict[str, float]:
        """How many times as long each other engine takes."""
        return {name: time / self.times["tactical"] for name, time in self.times.items() if name != "tactical"}

    @property
    def met(self) -> bool:
        """Whether the targets are met."""
        fast = all(self.ratios.get(name, wanted) >= wanted for name, wanted in self.wants.items())
        return fast and (self.most is None or self.times["tactical"] <= self.most)


def beat() -> int:
    """The calibration loop: what the machine does meanwhile."""
    return sum(n * n for n in range(100_000))


def race(name: str, engines: Mapping[str, Callable[[], object]], *, rounds: int = 7, per: int = 1, **more: Any) -> Row:
    """Run engines in turn; times are those of one of `per` questions."""
    samples: dict[str, list[float]] = {engine: [] for engine in (*engines, "beat")}
    order = [*engines.items(), ("beat", beat)]
    for _, call in order:
        call()
    for turn in range(rounds):
        for engine, call in order[turn % len(order) :] + order[: turn % len(order)]:
            begin = time.process_time()
            call()
            samples[engine].append((time.process_time() - begin) * 1000 / (1 if engine == "beat" else per))
    times = {engine: median(found) for engine, found in samples.items()}
    spread = {engine: (quantiles(found)[0], quantiles(found)[2]) for engine, found in samples.items()}
    calibration = times.pop("beat")
    return Row(name, times, spread, beat=calibration, **more)


def place(side: int, seed: int = 0) -> tuple[Battlemap, Ground]:
    """A square map with a fifth of its cells closed and three kinds of ground, for us and for the others."""
    rng = np.random.default_rng(seed)
    free, factor = rng.random((side, side)) >= 0.2, rng.choice((1, 2, 4), size=(side, side))
    palette = (*(Terrain(factor=Fraction(kind)) for kind in (1, 2, 4)), Terrain(impassable=True))
    ground = np.where(free, np.searchsorted((1, 2, 4), factor), 3).astype(np.uint16)
    return Battlemap((Level("ground", ground),), palette), Ground(free, factor)


def spots(ground: Ground, count: int, seed: int = 1) -> list[Place]:
    """Free cells in a random order, as (row, col)."""
    found = np.argwhere(ground.free).tolist()
    order = np.random.default_rng(seed).permutation(len(found))[:count]
    return [(found[n][0], found[n][1]) for n in order]


def walker(at: Place, cells: int, name: str = "walker") -> Mover:
    """A mover of the plain rules, three postures, with so many cells of budget."""
    return Mover(name, "plain", {"speed": 5 * cells}, Cell(at[1], at[0]))


def costs_of(found: Any) -> dict[Place, float]:
    """A reach as peers give theirs."""
    return {(cell.row, cell.col): float(cost / 5) for cell, cost in found.costs.items()}


def agreed(
    ours: Callable[[Place], dict[Place, float]], peers: Mapping[str, Callable[[Place], Any]], starts: list[Place]
) -> tuple[list[str], list[str]]:
    """The peers whose answers are ours, and those who answer otherwise."""
    same = {name: all(ask(at) == ours(at) for at in starts[:3]) for name, ask in peers.items()}
    return [name for name, equal in same.items() if equal], [name for name, equal in same.items() if not equal]


def bounded(cells: int, wants: Mapping[str, float], *, side: int = 100, count: int = 40) -> Row:
    """`dict(reach.costs)` on a kept map."""
    battlemap, ground = place(side)
    starts = spots(ground, count)
    # who asks has its mover; peers have their graphs
    movers = {at: walker(at, cells) for at in starts}

    def ours(at: Place) -> object:
        return dict(reach(battlemap, movers[at], options=OPTIONS).costs)

    peers = {"heapq": ground.heapq(cells), "networkx": ground.networkx(cells)}
    for name in ("scipy", "rustworkx", "igraph", "networkit", "tcod"):
        if installed(name):
            peers[name] = getattr(ground, name)(cells)
    alike, otherwise = agreed(lambda at: costs_of(reach(battlemap, walker(at, cells), options=OPTIONS)), peers, starts)
    engines: dict[str, Callable[[], object]] = {"tactical": lambda: [ours(at) for at in starts]}
    for name in alike:
        engines[name] = lambda ask=peers[name]: [ask(at) for at in starts]  # type: ignore[misc]
    title = f"reach and its cells, {cells} cells of budget, {side} x {side}"
    return race(title, engines, per=count, wants=wants, otherwise=tuple(otherwise))


def ways(side: int = 300, away: int = 38, count: int = 6) -> Row:
    """`plan` to a goal some cells off, against A*."""
    battlemap, ground = place(side)
    free = set(map(tuple, np.argwhere(ground.free).tolist()))
    pairs = [(at, (at[0], at[1] + away)) for at in spots(ground, 40 * count) if (at[0], at[1] + away) in free][:count]

    def ours(start: Place, goal: Place) -> Any:
        return plan(battlemap, walker(start, 4 * away), Cell(goal[1], goal[0]), options=OPTIONS)

    peers = {"networkx A*": ground.astar()}
    if installed("rustworkx"):
        peers["rustworkx A*"] = ground.rustworkx_astar()
    if installed("pathfinding"):
        peers["python-pathfinding"] = ground.pathfinding()
    otherwise = [
        name for name, ask in peers.items() if any(ask(*pair) != float(ours(*pair).cost / 5) for pair in pairs)
    ]
    engines: dict[str, Callable[[], object]] = {"tactical": lambda: [ours(*pair) for pair in pairs]}
    for name in peers.keys() - otherwise:
        engines[name] = lambda ask=peers[name]: [ask(*pair) for pair in pairs]  # type: ignore[misc]
    title = f"plan, {away} cells off, {side} x {side}"
    return race(title, engines, per=len(pairs), wants={"networkx A*": 3}, otherwise=tuple(otherwise))


def many(read: bool, count: int = 200, cells: int = 12) -> Row:
    """`reach_many` for all movers of a map, read out or not, against a loop."""
    battlemap, ground = place(100)
    starts = spots(ground, count)
    movers = [walker(at, cells, f"m{n}") for n, at in enumerate(starts)]
    crowded = battlemap.with_(movers=movers)
    loop = ground.networkx(cells)
    alone = reach_many(battlemap, movers[:3], others=(), options=OPTIONS)
    assert [costs_of(one) for one in alone] == [loop(at) for at in starts[:3]]

    def ours() -> object:
        found = reach_many(crowded, options=OPTIONS)
        return [dict(one.costs) for one in found] if read else found

    engines: dict[str, Callable[[], object]] = {"tactical": ours, "networkx": lambda: [loop(at) for at in starts]}
    title = f"reach_many, {count} movers, " + ("all read out" if read else "answers left lazy")
    return race(title, engines, rounds=5, wants={"networkx": 4 if read else 20})


def games(name: str = "village") -> Iterator[Row]:
    """Commands on a sample map, each undone at once: a shown route beside that of a reach, a cell beside a reach."""
    battlemap = load(MAPS / f"{name}.yaml")
    mover = next(one for one in battlemap.movers if one.at is not None)
    game = Session.new(battlemap, seed=1)
    kept = game.reach(mover.id)
    cell = max(kept.cells(), key=lambda one: (kept.cost(one), one))
    route = kept.route(cell)
    assert route, f"{mover.id} does not come to {cell}"

    def played(to: Any) -> Callable[[], object]:
        def call() -> object:
            done = game.execute(Move(mover.id, to))
            assert done, str(done)
            back = game.undo()
            assert back, str(back)
            return done

        return call

    shown: dict[str, Callable[[], object]] = {
        "tactical": played(route), "reach.route, kept": lambda: kept.route(cell),
        "reach.route, anew": lambda: game.reach(mover.id).route(cell),
    }  # fmt: skip
    yield race(f"execute(Move) with a shown route, {name}", shown, rounds=15, wants={"reach.route, kept": 1 / 2})
    named: dict[str, Callable[[], object]] = {
        "tactical": played(cell), "plain reach": lambda: dict(reach(battlemap, mover).costs)
    }  # fmt: skip
    yield race(f"execute(Move) with a cell, {name}", named, rounds=15, wants={"plain reach": 2 / 3})
    hover: dict[str, Callable[[], object]] = {"tactical": lambda: kept.route(cell)}
    yield race(f"hover route on a kept reach, {name}", hover, rounds=15)


def opening(commands: int = 5000) -> Row:
    """Opening a long saved game, beside fifty of its commands carried out."""
    battlemap = load(MAPS / "village.yaml")
    game = Session.new(battlemap, seed=1, order=["raven"])
    here = game.position.status("raven").state.cell
    there = min(cell for cell in game.reach("raven").cells() if cell != here)
    while len(game.log) < commands:
        to = there if game.position.status("raven").state.cell == here else here
        game.execute(Move("raven", to))
        assert game.execute(EndTurn("raven"))
    data = "".join(save.lines(game)).encode("ascii")

    def fifty() -> None:
        for _ in range(25):
            to = there if game.position.status("raven").state.cell == here else here
            assert game.execute(Move("raven", to))
            assert game.execute(EndTurn("raven"))

    assert Session.load(data).position == game.position
    engines: dict[str, Callable[[], object]] = {"tactical": lambda: Session.load(data), "50 executes": fifty}
    return race(f"open a saved game of {commands} commands", engines, rounds=5, wants={"50 executes": 1})


def chances(name: str) -> Row:
    """The Odds layer of the mover of a sample map that takes longest for it."""
    battlemap = load(MAPS / f"{name}.yaml")

    def layer(mover: str) -> Row:
        return race(
            f"Odds layer, {name} ({mover})",
            {"tactical": lambda: dict(reach(battlemap, mover).chances)},
            rounds=3,
            most=50,
        )

    found = [layer(one.id) for one in battlemap.movers if one.at is not None]
    return max(found, key=lambda row: row.times["tactical"] / row.beat)


def reasons(name: str, count: int = 20) -> Iterator[Row]:
    """Why some cells cannot be ended on: the first asked about, and one of those after it."""
    battlemap = load(MAPS / f"{name}.yaml")
    mover = next(one.id for one in battlemap.movers if one.at is not None)
    known = reach(battlemap, mover)
    every = (Cell(col, row, level) for level in range(len(battlemap.levels)) for row in range(battlemap.rows)
             for col in range(battlemap.cols))  # fmt: skip
    cells = [cell for cell in every if known.why_not(cell) is not None]
    cells = cells[:: max(len(cells) // count, 1)]

    def first() -> list[object]:
        found = reach(battlemap, mover)
        return [found.cost(cells[0]), found.why_not(cells[0])]

    asked = [known]

    def later() -> list[object]:
        return [asked[0].why_not(cell) for cell in cells]

    yield race(f"why not, the first cell asked about, {name}", {"tactical": first}, rounds=3, most=20)
    yield race(f"why not, a later cell, {name}", {"tactical": later}, rounds=3, per=len(cells), most=5)


def walls(count: int = 100_000, side: int = 1000) -> Row:
    """The first question about twelve cells on a new map of many walls."""
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, side, (2, count))
    lies = rng.random(count) < 0.5
    lines = np.stack([x, y, x + lies, y + ~lies], axis=1).tolist()
    battlemaps = [Battlemap.from_segments(lines, cell_px=1, size=(side, side)) for _ in range(4)]
    middle = walker((side // 2, side // 2), 12)

    def first() -> object:
        return dict(reach(battlemaps.pop(), middle).costs)

    return race(f"first reach among {count} walls, 12 cells", {"tactical": first}, rounds=3, most=200)


def diagonals(count: int = 2000, side: int = 200) -> Row:
    """All of a map baked that is crossed by walls at any angle."""
    rng = np.random.default_rng(2)
    begin = rng.random((count, 2)) * side
    end = np.clip(begin + (rng.random((count, 2)) - 0.5) * 20, 0, side)
    lines = np.concatenate([begin, end], axis=1).tolist()
    battlemaps = [Battlemap.from_segments(lines, cell_px=1, size=(side, side)) for _ in range(4)]
    title = f"{count} walls at any angle over {side} x {side}"
    return race(title, {"tactical": lambda: battlemaps.pop().crossings(0)}, rounds=3, most=1000)


def risks(name: str) -> Row:
    """The ways to the dearest cell of the first mover's reach by what they risk, the riskiest word counts."""
    battlemap = load(MAPS / f"{name}.yaml")
    mover = next(one.id for one in battlemap.movers if one.at is not None)
    cell = max(reach(battlemap, mover).costs.items(), key=lambda one: (one[1], one[0]))[0]

    def asked() -> object:
        words = ("attacks", "exposures", "damage", "number", "chance")
        return [reach(battlemap, mover).risks(cell, by) for by in words]

    return race(f"risks of a cell, {name}", {"tactical": asked}, rounds=3, per=5, most=50)


def turns(count: int = 20) -> Row:
    """A reach of many turns with its cells, beside that of a quarter of them: what a thousand states take.

    More turns cover more ground, so what has to stay as it is is the price of a state, not that of a turn.
    """
    battlemap = Battlemap.from_cells(400, 400)
    mover = walker((200, 200), 6)

    def asked(turns: int) -> Callable[[], object]:
        return lambda: dict(reach(battlemap, mover, turns=turns).costs)

    fewer = count // 4
    few = f"{fewer} turns"
    engines = {"tactical": asked(count), few: asked(fewer)}
    row = race(f"a thousand states of a reach of {count} turns and its cells", engines, rounds=3, wants={few: 2 / 3})
    states = {name: reach(battlemap, mover, turns=n).stats[0] / 1000 for name, n in (("tactical", count), (few, fewer))}
    times = {name: time / states[name] for name, time in row.times.items()}
    spread = {name: (row.spread[name][0] / states[name], row.spread[name][1] / states[name]) for name in states}
    return replace(row, times=times, spread=spread)


def later(rules: str) -> Row:
    """Three turns of a rule system with their cells, beside two, one, and as many by networkx on the same states.

    A system that remembers may take five times as long as it would if it forgot.
    """
    battlemap = board(rules)

    def asked(turns: int, rules: Ruleset | None = None) -> Callable[[], object]:
        # what a question keeps must not help the next one
        return lambda: dict(Reach(ask(battlemap, "m", rules=rules), turns=turns).costs)

    engines = {
        "tactical": asked(3),
        "2 turns": asked(2),
        "1 turn": asked(1),
        "networkx, 1 turn": by_networkx(battlemap),
        "networkx, 3 turns": by_networkx(battlemap, 3),
    }
    if not remembers(ask(battlemap, "m")):
        return race(f"reach of 3 turns, {rules}", engines, rounds=3)
    engines["forgetful"] = asked(3, forgetful(battlemap))
    return race(f"reach of 3 turns, {rules}", engines, rounds=3, wants={"forgetful": 0.2})


def process(rounds: int = 5) -> Row:
    """``tactical reach village`` from start to exit, beside a process that asks networkx the like."""
    commands = {
        "tactical": [sys.executable, "-m", "tactical", "reach", "village", "--mover", "raven"],
        "networkx": [sys.executable, "-c", YARDSTICK],
    }
    samples: dict[str, list[float]] = {name: [] for name in commands}
    # as on a user's machine: byte code is kept, whatever the machine of the run says
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(rounds + 1):
        for name, command in commands.items():
            samples[name].append(user_seconds(command, environment) * 1000)
    times = {name: median(found[1:]) for name, found in samples.items()}
    spread = {name: (quantiles(found[1:])[0], quantiles(found[1:])[2]) for name, found in samples.items()}
    return Row("process: tactical reach village", times, spread, {"networkx": 1 / TARGET}, beat=race("", {}).beat)


def rows(quick: bool = False) -> Iterator[Row]:
    """All rows, the cheap ones first."""
    compiled = {"networkx": 10.0, "scipy": 1.0}
    yield bounded(12, compiled)
    yield bounded(24, compiled)
    yield ways()
    yield many(False)
    yield many(True)
    yield from games()
    if not quick:
        yield opening()
        for name in SAMPLES:
            yield chances(name)
        for name in SAMPLES:
            yield risks(name)
        for name in SAMPLES:
            yield from reasons(name)
        yield turns()
        for rules in MOVERS:
            yield later(rules)
        yield walls()
        yield diagonals()
        yield process()
