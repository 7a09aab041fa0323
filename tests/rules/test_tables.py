"""Every printed table of the five texts, transcribed and compared cell by cell with what the product says."""

from __future__ import annotations

from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from tactical.options import Options
from tactical.rules.dice import Pool
from tactical.rules.profile import Pace, Profile
from tactical.rules.ruleset import get_ruleset
from tactical.rules.systems import operator, shapers, twelve_second
from tactical.rules.systems.d6 import d6_reup, d6_revised, vehicles
from tactical.rules.systems.d6 import failures as d6_failures
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.systems.operator import acts as _operator_acts
from tactical.rules.systems.shapers import acts as _shapers_acts
from tactical.rules.systems.shapers import effort as _shapers_effort
from tactical.rules.systems.shapers import falls as _shapers_falls
from tactical.rules.systems.twelve_second import jumps as _twelve_second_jumps
from tactical.rules.turnstate import TurnState
from tactical.world.terrain import LEVEL_GUIDE, PLAIN, Terrain

HALF = Fraction(1, 2)


def rows(table: str) -> list[list[str]]:
    """The cells of a table written with bars."""
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]


def options_of(name: str, **given: object) -> Options:
    return get_ruleset(name).options_with(given)


def profile_of(name: str, turn: TurnState | None = None, posture: str = "standing", **stats: object) -> Profile:
    system = get_ruleset(name)
    return system.profile(system.read_stats(stats), turn or TurnState(), system.options_with(), posture)


# --- both D6 texts ---------------------------------------------------------------------------------------------------

BANDS = {"VE": (1, 5), "E": (6, 10), "M": (11, 15), "D": (16, 20), "VD": (21, 30)}  # REUP-08


@pytest.mark.parametrize(("level", "ends"), BANDS.items())
def test_level_bands(level: str, ends: tuple[int, int]) -> None:
    assert d6.LEVEL_BANDS[level] == ends


def test_heroic_is_open() -> None:
    assert d6.LEVEL_BANDS["H"] == (31, None)


DISTANCES = """
cautious | 5  | 5/2
cruising | 10 | 5
high     | 20 | 10
all_out  | 40 | 20
"""  # REUP-11, 15, 20, 24, 29; REV-03, 07, 10, 13, 17


@pytest.mark.parametrize("system", ["d6-reup", "d6-revised"])
@pytest.mark.parametrize(("speed", "full", "least"), rows(DISTANCES))
def test_distances_of_move_ten(system: str, speed: str, full: str, least: str) -> None:
    assert d6.distances(Fraction(10), speed, options_of(system)) == (Fraction(least), Fraction(full))
    gait = profile_of(system, TurnState(previous="high"), move=10).gait(speed)
    assert (gait.minimum, gait.budget) == (Fraction(least), Fraction(full))


CHARACTERS = """
stop     | y | y | y | - | -
cautious | y | y | y | y | -
cruising | y | y | y | y | y
high     | - | y | y | y | y
all_out  | - | - | y | y | y
"""  # REUP-30, 31; REV-18
VEHICLES = """
stop     | y | y | - | - | -
cautious | y | y | y | - | -
cruising | - | y | y | y | -
high     | - | - | y | y | y
all_out  | - | - | - | y | y
"""  # REV-19


@pytest.mark.parametrize(
    ("system", "kind", "row"),
    [
        *(("d6-reup", "character", row) for row in rows(CHARACTERS)),
        *(("d6-revised", "character", row) for row in rows(CHARACTERS)),
        *(("d6-revised", "vehicle", row) for row in rows(VEHICLES)),
    ],
)
def test_changes_of_speed(system: str, kind: str, row: list[str]) -> None:
    allowed = d6.allowed_speeds(row[0], kind, 0, options_of(system))
    assert ["y" if speed in allowed else "-" for speed in d6.SPEEDS] == row[1:]


NEEDS = """
VE | free           | action         | VE action         | E exclusive
E  | free           | action         | E action          | M exclusive
M  | free           | action         | M action          | D exclusive
D  | M action       | D action       | VD action         | H exclusive
VD | D action       | VD action      | H action          | H+10 exclusive
H  | VD action      | H action       | H+10 action       | H+20 exclusive
"""  # REUP-12, 13, 17, 18, 21, 22, 26, 27; REV-04 … REV-16


@pytest.mark.parametrize("text", [d6_reup, d6_revised])
@pytest.mark.parametrize("row", rows(NEEDS))
def test_what_a_move_needs(text: ModuleType, row: list[str]) -> None:
    for speed, cell in zip(d6.SPEEDS[1:], row[1:], strict=True):
        need = d6.requirement(speed, row[0], None, options_of(text.RULESET.name), edition=text.EDITION)
        assert " ".join([*([need.level] if need.roll else []), need.action]) == cell, speed


SHIFTS = """
VE | 3  | 3  | 3  | 8
E  | 8  | 8  | 8  | 13
M  | 13 | 13 | 13 | 18
D  | 17 | 12 | 22 | 32
VD | 22 | 17 | 32 | 42
VD | 28 | 20 | 38 | 48
H  | 33 | 23 | 43 | 53
H  | 45 | 30 | 55 | 65
"""  # REUP-A01, REUP-A02: ground, its number, at cautious, high and all-out


@pytest.mark.parametrize("row", rows(SHIFTS))
def test_numbers_after_a_shift(row: list[str]) -> None:
    level, number = row[0], int(row[1])
    for speed, wanted in zip(("cautious", "high", "all_out"), row[2:], strict=True):
        # an unrolled cautious move is only rolled for a stunt, here one that adds 1 (REUP-A21)
        stunt = 1 if speed == "cautious" and level in d6.EASY else 0
        need = d6.requirement(speed, level, number, options_of("d6-reup"), edition=d6_reup.EDITION, maneuver=stunt)
        assert need.number == int(wanted) + stunt, speed


FAILURES = """
slight_slip   | 1  | 3  | 1   | -1 | 0  | n | n | standing
slip          | 4  | 6  | 1/2 | -3 | -1 | n | n | standing
fall          | 7  | 10 | 1/2 | 0  | -2 | y | n | kneeling
minor_tumble  | 11 | 15 | 1/4 | 0  | 0  | y | y | prone
tumble        | 16 | 20 | 1/4 | 0  | 0  | y | y | prone
major_tumble  | 21 | 60 | 1/4 | 0  | 0  | y | y | prone
"""  # REUP-52 … 57; REV-31, 32


@pytest.mark.parametrize("row", rows(FAILURES))
def test_failures(row: list[str]) -> None:
    name, least, most = row[0], int(row[1]), int(row[2])
    for margin in (least, most):
        found = d6_failures.row_of(margin)
        assert found is not None
        told = [
            found.name, str(found.fraction), str(found.dice_now), str(found.dice_next),
            "ny"[found.no_actions_now], "ny"[found.no_actions_next], found.posture,
        ]  # fmt: skip
        assert told == [name, *row[3:]]
    before = d6_failures.row_of(least - 1)
    assert (before.name if before else "") != name


DAMAGE = """
minor_tumble | 0D | 0D | 0D | 1D
tumble       | 1D | 2D | 3D | 4D
major_tumble | 3D | 4D | 5D | 6D
"""  # REUP-55 … 58; REV-33, 34


@pytest.mark.parametrize("text", [d6_reup, d6_revised])
@pytest.mark.parametrize("row", rows(DAMAGE))
def test_damage_of_a_failure(text: ModuleType, row: list[str]) -> None:
    found = next(one for one in d6_failures.ROWS if one.name == row[0])
    options = options_of(text.RULESET.name)
    damages = [str(d6_failures.damage_of(found, speed, options, text.EDITION)) for speed in d6.SPEEDS[1:]]
    assert damages == row[1:]


def test_collision() -> None:  # REUP-58
    assert [str(d6_failures.collision(speed, options_of("d6-reup"))) for speed in d6.SPEEDS[1:]] == [
        "1D", "2D", "3D", "4D",
    ]  # fmt: skip


GUIDE = """
VE | flat_clear_ground clear_walkway calm_water
E  | uneven_minor_obstacles moderate_currents occasional_obstacles_in_water
M  | rough_many_obstacles confined_swim_space
D  | dense_crowd thick_forest very_rough_ground dark_tunnel falling_boulders rough_storm_or_predators
VD | minefield hazardous_crawl_way starship_breaking_apart clinging_to_vehicle dangerous_storm_large_waves
H  | avalanche collapsing_corridor tidal_wave hurricane
"""  # REUP-46


@pytest.mark.parametrize(("level", "names"), rows(GUIDE))
def test_guide_to_terrain(level: str, names: str) -> None:
    assert [Terrain(name).difficulty for name in names.split()] == [level] * len(names.split())
    assert set(LEVEL_GUIDE[level]) == set(names.split())


STUNTS = [(1, "minor"), (5, "minor"), (6, "moderate"), (10, "moderate"), (11, "high"), (15, "high"), (16, "extreme")]


@pytest.mark.parametrize(("modifier", "name"), STUNTS)  # REUP-49, REV-29
def test_stunts(modifier: int, name: str) -> None:
    assert d6.maneuver_class(modifier) == name


LADDERS = """
d6-reup    | character | all_out      | 60    | VE E M D VD H | rest
d6-reup    | character | high         | 600   | VE E M D VD H | rest
d6-reup    | character | march        | 10800 | VE E M D VD H | sleep
d6-reup    | character | forced_march | 7200  | VE E M D VD H | sleep
d6-revised | character | all_out      | 60    | VE E M D VD H | rest
d6-revised | character | high         | 600   | VE E M D VD H | rest
d6-revised | vehicle   | all_out      | 600   | VE E M D VD H | strain
d6-revised | vehicle   | high         | 3600  | VE E M D VD H | strain
"""  # REUP-36 … 43; REV-21 … 25, 27


@pytest.mark.parametrize("row", rows(LADDERS))
def test_long_distance(row: list[str]) -> None:
    system = get_ruleset(row[0])
    assert system.efforts is not None
    stats = system.read_stats({"kind": row[1], "move": 10})
    effort = next(one for one in system.efforts(stats, system.options_with()) if one.name == row[2])
    assert effort.interval == int(row[3])
    assert effort.trial is not None
    assert effort.setback is not None
    assert [effort.trial(n).level for n in range(1, 7)] == row[4].split()
    failed = effort.setback(Fraction(100), 1, 5)
    assert failed.kind == row[5]
    if row[5] in ("rest", "strain"):
        assert failed.seconds == 200  # twice the time kept up


HITS = """
lightly  | maneuverability 1 | maneuverability 1 | maneuverability 1 | weapon | moves 1 | moves 1
heavily  | maneuverability 2 | maneuverability 2 | maneuverability 2 | moves 2 | moves 2 | moves 2
severely | not_in_source | not_in_source | overloaded_generator | not_in_source | not_in_source | not_in_source
"""  # REV-40 … 45


@pytest.mark.parametrize("row", rows(HITS))
def test_vehicle_damage(row: list[str]) -> None:
    whole = vehicles.Vehicle(Pool(3), 0, 2)
    for die, cell in enumerate(row[1:], start=1):
        after = vehicles.damage(whole, row[0], die, options_of("d6-revised"), countdown=4)
        told = {
            f"maneuverability {3 - after.maneuverability.dice}": after.maneuverability != whole.maneuverability,
            "weapon": after.weapons == 1,
            f"moves {after.lost_moves}": bool(after.lost_moves),
            after.event: after.event not in ("", "weapon_lost"),
        }
        assert [name for name, hit in told.items() if hit] == [cell], die


def test_a_vehicle_without_maneuverability_loses_moves() -> None:  # REV-40, REV-43
    bare = vehicles.Vehicle()
    for state, lost in (("lightly", 1), ("heavily", 2)):
        assert vehicles.damage(bare, state, 2, options_of("d6-revised")).lost_moves == lost


LOST = ["all_out", "high", "cruising", "cautious", "stop"]


@pytest.mark.parametrize(("lost", "speed"), list(enumerate(LOST)))  # REV-47 … 50
def test_lost_moves_cap_the_speed(lost: int, speed: str) -> None:
    assert vehicles.max_speed(lost) == speed
    assert vehicles.Vehicle(lost_moves=lost).destroyed is False
    assert vehicles.Vehicle(lost_moves=5).destroyed  # REV-51


@pytest.mark.parametrize(("speed", "kmh"), [("all_out", 200), ("high", 100), ("cruising", 50), ("cautious", 25)])
def test_kilometres_an_hour(speed: str, kmh: int) -> None:  # REV-52, 53
    assert d6_revised.kmh_of(Fraction(200), speed) == kmh


# --- twelve-second ---------------------------------------------------------------------------------------------------

RATES = """
crawl     | 4  | 8  | 12 | 16
walk      | 16 | 20 | 24 | 28
run       | 48 | 60 | 72 | 94
run_dodge | 28 | 32 | 36 | 40
wade      | 4  | 8  | 12 | 16
swim      | 8  | 12 | 16 | 20
"""  # TWS-05 … 10
COLUMNS = [(0, 24, "Weakling"), (25, 42, "Average"), (43, 54, "Strong"), (55, 120, "Super")]  # TWS-03


@pytest.mark.parametrize("row", rows(RATES))
def test_metres_a_turn(row: list[str]) -> None:
    options = options_of("twelve-second")
    for (low, high, name), cell in zip(COLUMNS, row[1:], strict=True):
        for value in (Fraction(low), Fraction(high)):
            assert twelve_second.rate(row[0], value, options) == int(cell)
            assert twelve_second.rating(value) == name


JUMPS = [(6, 9, "1"), (10, 15, "3/2"), (16, 21, "2"), (22, 27, "5/2"), (28, 33, "3"), (34, 39, "7/2"), (41, 90, "4")]


@pytest.mark.parametrize(("low", "high", "number"), JUMPS)  # TWS-22
def test_jump_numbers(low: int, high: int, number: str) -> None:
    options = options_of("twelve-second")
    assert [_twelve_second_jumps.base_number(Fraction(n), options) for n in (low, high)] == [Fraction(number)] * 2


MODIFIERS = """
standing | 1   |
running  | 2   |
high     | 1/2 |
backward | 1/2 |
"""  # TWS-18, 19, 20


@pytest.mark.parametrize("row", rows(MODIFIERS))
def test_kinds_of_jump(row: list[str]) -> None:
    jump = _twelve_second_jumps.Jump(row[0], run_up=Fraction(99))
    final = _twelve_second_jumps.jump_number(Fraction(3), False, False, jump, options_of("twelve-second"))
    assert final == 3 * Fraction(row[1])


CIRCUMSTANCES: list[tuple[dict[str, Any], Fraction]] = [
    ({"bad_ground": True}, Fraction(-1)),  # TWS-25
    ({"ep": Fraction(3)}, -HALF),  # TWS-26
    ({"ep": Fraction(9)}, -3 * HALF),
    ({"held": (HALF,)}, -HALF),  # TWS-27
    ({"rise": HALF}, Fraction(-1)),  # TWS-30
    ({"rise": Fraction(2)}, Fraction(-4)),
    ({"drop": Fraction(3)}, Fraction(1)),  # TWS-31
]


@pytest.mark.parametrize(("given", "change"), CIRCUMSTANCES)
def test_circumstances_of_a_jump(given: dict[str, Any], change: Fraction) -> None:
    options = options_of("twelve-second")
    bare, worse = (
        _twelve_second_jumps.jump_number(Fraction(3), False, False, jump, options)
        for jump in (_twelve_second_jumps.Jump(), _twelve_second_jumps.Jump(**given))
    )
    assert worse - bare == change


@pytest.mark.parametrize(("acrobatics", "stocky", "change"), [(True, False, 1), (False, True, -1)])  # TWS-23, 24
def test_traits_of_a_jumper(acrobatics: bool, stocky: bool, change: int) -> None:
    jump = _twelve_second_jumps.Jump()
    final = _twelve_second_jumps.jump_number(Fraction(3), acrobatics, stocky, jump, options_of("twelve-second"))
    assert final == 3 + change


SUCCESS = [("0", 20, None), ("-2", 20, None), ("1/2", 4, -1), ("1", 1, 4)]


@pytest.mark.parametrize(("difference", "chance", "recovery"), SUCCESS)  # TWS-34, 35, 36
def test_jump_success(difference: str, chance: int, recovery: int | None) -> None:
    row = _twelve_second_jumps.row_of(Fraction(difference), options_of("twelve-second"))
    assert (row.chance, row.recovery) == (chance, recovery)


# --- operator --------------------------------------------------------------------------------------------------------

SPEEDS = """
         | 30
agile    | 35
mobility | 35
bomb_suit | 20
shield   | 20
slowed   | 15
"""  # OPR-03 … 07, 09


@pytest.mark.parametrize(("flag", "feet"), rows(SPEEDS))
def test_operator_speeds(flag: str, feet: str) -> None:
    stats = operator.RULESET.read_stats({flag: True} if flag else {})
    assert operator.speed(stats, options_of("operator")) == int(feet)


COSTS: list[tuple[str, Terrain, int]] = [
    ("standing", PLAIN, 1),  # OPR-13
    ("standing", Terrain(difficult=True), 2),  # OPR-14
    ("standing", Terrain(climb=True), 2),  # OPR-15
    ("standing", Terrain(swim=True), 2),  # OPR-16
    ("prone", PLAIN, 2),  # OPR-17
    ("crouched", PLAIN, 2),  # OPR-08, OPR-23
    ("prone", Terrain(difficult=True), 4),  # OPR-20
]


@pytest.mark.parametrize(("posture", "ground", "factor"), COSTS)
def test_operator_costs(posture: str, ground: Terrain, factor: int) -> None:
    pace = profile_of("operator").pace("", posture, ground, False)
    assert isinstance(pace, Pace)
    assert pace.base * pace.joined("multiply") == factor


CHANGES = [
    ("prone", "standing", 15),
    ("standing", "prone", 0),
    ("standing", "crouched", 0),
    ("crouched", "standing", 5),
]


@pytest.mark.parametrize(("start", "end", "cost"), CHANGES)  # OPR-18, 19, 24
def test_operator_postures(start: str, end: str, cost: int) -> None:
    known = {(change.start, change.end): change.cost for change in profile_of("operator").changes}
    assert known[start, end] == cost


LEAPS = """
15 | long | 15 | 7
15 | high | 5  | 2
8  | high | 2  | 1
"""  # OPR-37 … 39, 41


@pytest.mark.parametrize(("strength", "kind", "running", "standing"), rows(LEAPS))
def test_operator_jumps(strength: str, kind: str, running: str, standing: str) -> None:
    jump = _operator_acts.long_jump if kind == "long" else _operator_acts.high_jump
    options = options_of("operator")
    found = [jump(int(strength), Fraction(run_up), options) for run_up in (10, 0)]
    assert found == [int(running), int(standing)]


# --- shapers ---------------------------------------------------------------------------------------------------------

GAITS = """
walk   | 1/2 | 2
jog    | 1   | 4
run    | 2   | 8
sprint | 4   | 16
"""  # SHP-01, 02, 03, 06, 10


@pytest.mark.parametrize(("gait", "each", "of_four"), rows(GAITS))
def test_metres_a_round(gait: str, each: str, of_four: str) -> None:
    assert shapers.rate(gait, 1) == Fraction(each)
    assert shapers.rate(gait, 4) == Fraction(of_four)
    assert profile_of("shapers", pa=4).gait(gait).metres == Fraction(of_four)


CLOCKS = """
jog    | 4 x 60 | 60 | 55 55 55
run    | 4 x 30 | 30 | 55 50 45
sprint | 4 x 3  | 3  | 55 45 35
swim   | 6 x 3  | 3  | 55 55 55
"""  # SHP-04, 05, 07 … 09, 11 … 13, 33, 34: free time, period, target numbers of PF 4, Endurance 1, Swimming 2


@pytest.mark.parametrize(("gait", "free", "period", "numbers"), rows(CLOCKS))
def test_efforts_of_shapers(gait: str, free: str, period: str, numbers: str) -> None:
    stamina, options = _shapers_effort.Stamina(4, 1, 2), options_of("shapers")
    units, seconds = free.split(" x ")
    assert _shapers_effort.free_seconds(gait, stamina, options) == int(units) * int(seconds)
    assert _shapers_effort.unit_seconds(gait, options) == int(period)
    assert [str(_shapers_effort.test_tn(gait, n, stamina, options)) for n in range(3)] == numbers.split()


BASES = [(4, "2/5", "12/5", "5"), (0, "0", "2", "3"), (10, "1", "3", "8")]


@pytest.mark.parametrize(("strength", "up", "standing", "running"), BASES)  # SHP-16, 17, 18
def test_jumps_of_shapers(strength: int, up: str, standing: str, running: str) -> None:
    vertical, along = _shapers_acts.jump_bases(strength)
    assert (vertical, along) == (Fraction(up), {"standing": Fraction(standing), "running": Fraction(running)})


FALLS = [(10, 5, "5/2", 0), (10, 5, "3", 11), (10, 5, "10", 25), (2, 5, "1/2", 0), (2, 5, "1", 0), (2, 0, "1", 4)]


@pytest.mark.parametrize(("size", "fortitude", "height", "damage"), FALLS)  # SHP-23 … 26
def test_falls_of_shapers(size: int, fortitude: int, height: str, damage: int) -> None:
    options = options_of("shapers")
    assert _shapers_falls.fall_damage(Fraction(height), Fraction(size), fortitude, options) == damage
