"""Plug-ins of every kind that load well and fail when they are called.  `test_broken_plugins.py` offers them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import click

from tactical.errors import Refusal
from tactical.formats import Format, Report
from tactical.movement.graph.draft import Counter
from tactical.movement.graph.media import Medium
from tactical.movement.route import Step
from tactical.movement.ways import Way
from tactical.rules.checks import Check, Demand
from tactical.rules.profile import (
    Factor,
    FallLimits,
    Gait,
    JumpLimits,
    Pace,
    PostureChange,
    Profile,
)
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.show.drawers import Drawer
from tactical.units import Cell
from tactical.world.battlemap import Battlemap
from tactical.world.grids.square import Square


def boom(*args: Any, **kwargs: Any) -> Any:
    """What every broken function does."""
    raise KeyError("boom")


def nothing(*args: Any, **kwargs: Any) -> Any:
    """A function without an answer."""
    return None


# -- rule systems -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stats:
    """A mover with one number."""

    hops: Fraction = Fraction(30)


@dataclass(frozen=True, slots=True)
class BadStats:
    """Stats that fail when they are made."""

    hops: Fraction = Fraction(30)

    def __post_init__(self) -> None:
        boom()


def good(stats: Any, turn: Any, options: Any, posture: str) -> Profile:
    """A sound profile, from which the broken ones are made."""
    gaits = (Gait("move", Fraction(30), title="Move"),)
    changes = (PostureChange("standing", "prone", Fraction(0), "prone"),)
    return Profile(
        "broken", "ft", gaits, lambda *args: Pace(), ("standing", "prone"), changes, turn_budget="move", summary="hops"
    )


def saying(**changes: Any) -> Callable[..., Profile]:
    """A profile function: the sound one with something else in it."""
    return lambda *args: replace(good(*args), **changes)


def pacing(*given: Any, **more: Any) -> Callable[..., Profile]:
    """A profile whose pace is this."""
    return saying(pace=lambda *args: Pace(*given, **more))


def budget(value: Any, **more: Any) -> Callable[..., Profile]:
    """A profile whose only gait has this budget."""
    return saying(gaits=(Gait("move", value, **more),))


def falling(**limits: Any) -> Callable[..., Profile]:
    """A profile with a rule for falls."""
    return saying(fall=FallLimits(Fraction(0), **limits))


def jumping(**limits: Any) -> Callable[..., Profile]:
    """A profile with long jumps."""
    return saying(jump=JumpLimits(Fraction(10), Fraction(10), Fraction(0), **limits))


def system(profile: Callable[..., Any] = good, **more: Any) -> Ruleset:
    """A rule system; its name is set when all are known."""
    stats = more.pop("stats", Stats)
    return Ruleset("broken", "Broken", "ft", stats, profile, postures=("standing", "prone"), **more)


@dataclass(frozen=True)
class Outcome:
    """A move that went well."""

    moved: Fraction | None = None
    posture: str | None = None
    failed: bool = False
    result: str = "ok"


TO = ("path", "board.yaml", "--mover", "a", "--to", "C1")
TURNS = ("reach", "board.yaml", "--mover", "a", "--turns", "2")
REACH = ("reach", "board.yaml", "--mover", "a")
DECLARED = ("resolve", "board.yaml", "--mover", "a", "--to", "C1")
DROP = (*REACH, "--option", "ledge_down=drop")

Row = tuple[Ruleset, tuple[str, ...], str]
FLYING = jumping(fly=lambda approach: replace(good(0, 0, 0, ""), unit="ft"))
ROLLING = saying(demand=lambda gait, grounds: Demand("free", (Check("balance", 4, dice="d6"),)))

SYSTEMS: dict[str, Row] = {
    # the profile as a whole
    "profile-raises": (system(boom), REACH, "profile failed: KeyError: 'boom' (line "),
    "profile-none": (system(nothing), REACH, "profile: None is not a Profile"),
    "profile-arguments": (system(lambda: None), REACH, "profile failed: TypeError: "),
    "profile-option": (system(lambda s, t, o, p: o["typo"]), REACH, "profile failed: KeyError: 'typo' (line "),
    "gaits-none": (system(saying(gaits=())), REACH, "profile: it has no gaits"),
    "gaits-strange": (system(saying(gaits=("move",))), REACH, "profile: gaits holds 'move', which is not a Gait"),
    "postures-none": (system(saying(postures=())), REACH, "profile: it has no postures"),
    "turn-budget": (
        system(saying(turn_budget="fly")),
        TURNS,
        "profile: turn_budget is 'fly', which is none of its gaits",
    ),
    # budgets
    "budget-negative": (system(budget(Fraction(-5))), REACH, "profile: gait 'move': budget is -5, less than 0"),
    "budget-inf": (system(budget(float("inf"))), REACH, "profile: gait 'move': budget is inf, not an exact number"),
    "budget-nan": (system(budget(float("nan"))), REACH, "profile: gait 'move': budget is nan, not an exact number"),
    "budget-float": (system(budget(0.1)), REACH, "profile: gait 'move': budget is 0.1, not an exact number"),
    "budget-text": (system(budget("30")), REACH, "profile: gait 'move': budget is '30', not an exact number"),
    "budget-none": (system(budget(None)), REACH, "profile: gait 'move': budget and minimum are numbers, not None"),
    "minimum-negative": (
        system(budget(Fraction(30), minimum=Fraction(-1))),
        REACH,
        "profile: gait 'move': minimum is -1, less than 0",
    ),
    "refused-text": (system(budget(Fraction(30), refused="no")), REACH, "profile: 'no' is not a Refusal or None"),
    # paces
    "pace-raises": (
        system(saying(pace=boom)),
        REACH,
        "pace of standing on plain ground failed: KeyError: 'boom' (line ",
    ),
    "pace-none": (
        system(saying(pace=nothing)),
        REACH,
        "pace of standing on plain ground: None is not a Pace or Refusal",
    ),
    "pace-no-function": (system(saying(pace=Fraction(1))), REACH, "profile: pace is Fraction(1, 1), not a function"),
    "pace-negative": (
        system(pacing(base=Fraction(-1))),
        REACH,
        "pace of standing on plain ground: base is -1, less than 0",
    ),
    "pace-hill": (
        system(saying(pace=lambda pool, posture, ground, uphill: Pace(base=Fraction(1 - 2 * (ground.name == "hill"))))),
        REACH,
        "pace of standing on 'hill': base is -1, less than 0",
    ),
    "pace-inf": (
        system(pacing(base=float("inf"))),
        REACH,
        "pace of standing on plain ground: base is inf, not an exact",
    ),
    "pace-nan": (
        system(pacing(base=float("nan"))),
        REACH,
        "pace of standing on plain ground: base is nan, not an exact",
    ),
    "pace-float": (
        system(pacing(base=0.1)),
        REACH,
        "pace of standing on plain ground: base is 0.1, not an exact number",
    ),
    "factor-negative": (
        system(pacing(factors=(Factor("mud", Fraction(-2)),))),
        REACH,
        "pace of standing on plain ground: factor 'mud' is -2, less than 0",
    ),
    # what else is in a profile
    "change-negative": (
        system(saying(changes=(PostureChange("standing", "prone", Fraction(-1), "prone"),))),
        REACH,
        "profile: posture change 'standing' to 'prone': cost is -1, less than 0",
    ),
    "demand-raises": (system(saying(demand=boom)), TO, "demand of 'move' on 'grass'"),
    "demand-none": (system(saying(demand=nothing)), TO, ": None is not a Demand"),
    "fall-raises": (system(falling(damage=boom)), DROP, "fall.damage failed: KeyError: 'boom' (line "),
    "fall-negative": (system(falling(damage=lambda height: Fraction(-1))), DROP, "fall.damage: it is -1, less than 0"),
    "jump-raises": (system(jumping(fly=boom)), REACH, "jump.fly failed: KeyError: 'boom' (line "),
    "jump-strange": (system(FLYING), REACH, "jump.fly: Profile("),
    "jump-run-up": (
        system(jumping(fly=lambda approach: Refusal("move.jump_length"), run_up_for=boom)),
        REACH,
        "jump.run_up_for failed: KeyError: 'boom' (line ",
    ),
    # the turn and the rolls
    "after-raises": (system(after=boom), DECLARED, "after failed: KeyError: 'boom' (line "),
    "resolve-none": (system(ROLLING, resolve=nothing), (*DECLARED, "--roll", "4"), "resolve: None is no outcome"),
    "after-none": (system(after=nothing), DECLARED, "after: None is not a TurnState"),
    "next-raises": (system(next_turn=boom), TURNS, "next_turn failed: KeyError: 'boom' (line "),
    "next-none": (system(next_turn=nothing), TURNS, "next_turn: None is not a TurnState"),
    "next-spent": (
        system(next_turn=lambda turn, options: TurnState(2, Fraction(5))),
        TURNS,
        "next_turn: spent is 5, and a turn begins with 0",
    ),
    "resolve-raises": (system(ROLLING, resolve=boom), (*DECLARED, "--roll", "4"), "resolve failed: KeyError: 'boom'"),
    "odds-raises": (system(ROLLING, odds=boom), (*TO, "--odds"), "odds failed: KeyError: 'boom' (line "),
    "odds-sum": (
        system(ROLLING, odds=lambda *args: ((Outcome(), Fraction(1, 2)),)),
        (*TO, "--odds"),
        "odds: the chances add up to 1/2, not to 1",
    ),
    "odds-float": (
        system(ROLLING, odds=lambda *args: ((Outcome(), 0.5), (Outcome(), 0.5))),
        (*REACH, "--odds"),
        "odds: a chance is 0.5, not an exact number",
    ),
    "efforts-raise": (
        system(efforts=boom),
        ("journey", "--rules", "efforts-raise"),
        "efforts failed: KeyError: 'boom'",
    ),
    "sheet-raises": (system(sheet=boom), ("rulesets", "sheet-raises"), "sheet failed: KeyError: 'boom'"),
    "defaults-strange": (
        system(defaults={"typo": 1}),
        REACH,
        "its options or defaults: UnknownName: unknown option 'typo'",
    ),
    "stats-raise": (system(stats=BadStats), REACH, "its stats BadStats failed: KeyError: 'boom'"),
}
"""A broken rule system, a command line that meets what is broken, and what is said about it."""


SYSTEMS = {name: (replace(one, name=name), words, said) for name, (one, words, said) in SYSTEMS.items()}
ORDERS = replace(system(order=boom), name="order-raises")


def __getattr__(name: str) -> Any:
    # the entry points of the rule systems, under their names with _ for -
    wanted = name.replace("_", "-")
    if wanted in SYSTEMS:
        return SYSTEMS[wanted][0]
    raise AttributeError(name)


# -- formats ----------------------------------------------------------------------------------------------------------


def never(data: bytes, name: str) -> bool:
    """No file is of this type by its content."""
    return False


def empty(data: bytes, *, source: str, options: Any) -> tuple[Battlemap, Report]:
    """Any file is a small map."""
    return Battlemap.from_rows([".."]), Report("sniffing", source)


SNIFFING = Format("sniffing", "sniffing", (".sniff",), boom, empty)
LOADING = Format("loading", "loading", (".loading",), never, boom)
EMPTY = Format("empty", "empty", (".empty",), never, nothing)
DUMPING = Format("dumping", "dumping", (".dumping",), never, empty, boom)
LOSING = Format("losing", "losing", (".losing",), never, empty, lambda battlemap: "", nothing)

# -- ways -------------------------------------------------------------------------------------------------------------


def late(draft: Any) -> Iterator[Fraction]:
    """Costs that fail while they are listed."""
    yield Fraction(1)
    boom()


def unfit(writer: Any) -> None:
    """An edge between nodes that do not exist."""
    writer.edge(0, 10**9, 1, "unfit", 0)


def unnoted(writer: Any) -> None:
    """A price that was not among the costs."""
    writer.edge(0, 1, writer.draft.ticks(Fraction(1, 7)), "unnoted", 0)


def strange(writer: Any) -> None:
    """A jump where nothing can be jumped, and cheaper than walking."""
    site = writer.draft.site
    ends = [site.place(Cell(*at)) for at in ((0, 0), (2, 0))]
    writer.edge(writer.draft.node(0, ends[0]), writer.draft.node(0, ends[1]), 0, "jump", 0)


def mistaken(writer: Any) -> None:
    """An edge of its own, cheaper than walking, which its `explain` takes for something else."""
    site = writer.draft.site
    ends = [site.place(Cell(*at)) for at in ((0, 0), (2, 0))]
    writer.edge(writer.draft.node(0, ends[0]), writer.draft.node(0, ends[1]), 0, "mistaken", 0)


def taken_for_another(lattice: Any, edge: Any) -> Step:
    """A step that ends where it began."""
    return Step(lattice.state(edge.start), lattice.state(edge.start), "mistaken", Fraction(0))


def none_of(draft: Any) -> tuple[Fraction, ...]:
    """No costs."""
    return ()


COSTING = Way("costing", 900, boom)
LATE = Way("late", 901, late)
NEGATIVE = Way("negative", 902, lambda draft: (Fraction(-1),))
SHAPING = Way("shaping", 903, none_of, shape=boom)
WRITING = Way("writing", 904, none_of, write=boom)
UNFIT = Way("unfit", 905, none_of, write=unfit)
UNNOTED = Way("unnoted", 906, none_of, write=unnoted)
FAR = Way("far", 907, none_of, far=boom)
STRANGE = Way("strange", 909, none_of, write=strange)
MISTAKEN = Way("mistaken", 910, none_of, write=mistaken, explain=taken_for_another)
NOWHERE = Way("nowhere", 908, none_of, far=lambda battlemap: (("A1", "B1"),))


def medium(**functions: Any) -> Way:
    """A way with a medium, sound but for these functions of it."""
    sound = {
        "who": lambda mover: True,
        "pace": lambda profile, ground: Pace("soar"),
        "changes": lambda profile: [PostureChange("standing", "aloft", Fraction(0), "rise")],
        "solid": lambda site: site.solid,
    }
    return Way("aloft", 911, media=(Medium("aloft", **(sound | functions)),))


OPEN_TO = medium(who=boom)
PRICED = medium(pace=lambda profile, ground: None)
TAKEN_OFF = medium(changes=lambda profile: ["rise"])
ROCK = medium(solid=lambda site: [[]])
WALLS = medium(meets=lambda barrier: True)
SIZED = Way("sized", 912, counters=(Counter("heat", lambda draft: 0, lambda *asked: 0),))
COUNTED = Way("counted", 913, counters=(Counter("heat", lambda draft: 2, lambda *asked: "hot"),))

# -- drawers, grids, commands -----------------------------------------------------------------------------------------

DRAWING = Drawer("drawing", ".drawing", boom, "nothing")
BLANK = Drawer("blank", ".blank", nothing, "nothing")


class Bent(Square):
    """The square grid, bent: a body does not know what it covers."""

    name = "bent"

    def body(self, size: int) -> Any:
        raise KeyError("boom")


class Storing(Square):
    """A grid that says nothing about where cells are stored."""

    name = "storing"

    def store(self, col: Any, row: Any) -> Any:
        return None


class Blind(Square):
    """A grid without directions."""

    name = "blind"
    directions = ()


BENT, STORING, BLIND = (Bent(),), (Storing(),), (Blind(),)


@click.command()
def crash() -> None:
    """Fail."""
    boom()


CRASH = (crash,)
