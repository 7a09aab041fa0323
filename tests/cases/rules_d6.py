"""Answers to the worked cases of both D6 systems."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from types import ModuleType
from typing import Any

from _strip import strip

from tactical import Cell, Damage, Damaged, GivenRoll, Move, Rammed, Session
from tactical.errors import Refusal
from tactical.options import Options
from tactical.play import journey
from tactical.rules.dice import Pool, chance
from tactical.rules.efforts import HOUR, MINUTE
from tactical.rules.systems.d6 import d6_reup, d6_revised
from tactical.rules.systems.d6 import failures as d6_failures
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.systems.d6 import turn as d6_turn
from tactical.rules.turnstate import TurnState
from tactical.units import exact
from tactical.world.terrain import Terrain

Given = Mapping[str, Any]
SYSTEMS: dict[str, ModuleType] = {"d6-reup": d6_reup, "d6-revised": d6_revised}


def system(case: Given) -> ModuleType:
    return SYSTEMS[case["ruleset"]]


def stats_of(given: Given, case: Given, **more: object) -> Any:
    plain = {"kind": given.get("actor", "character"), "move": given.get("move", 10), **more}
    return system(case).RULESET.read_stats(plain)


def ground_of(given: Given, **facts: object) -> Terrain:
    known = {key: value for key, value in given.items() if key in ("level", "number")}
    return Terrain.of({**known, **facts})


def with_shifted(given: Given, case: Given, options: Options, speed: str, kind: str) -> Terrain:
    """The ground, its ``shifted_number`` standing for the level that `speed` shifts it to."""
    ground = ground_of(given)
    if "shifted_number" not in given:
        return ground
    need = d6.requirement(speed, ground.level, ground.number, options, edition=system(case).EDITION, kind=kind)
    return replace(ground, level_numbers=((need.level, given["shifted_number"]),))


def distance(given: Given, options: Options, case: Given) -> Given:
    shortest, full = d6.distances(exact(given["move"]), given["speed"], options, given.get("mode", "walk"))
    return {"full_m": full, "min_m": shortest}


def requirement(given: Given, options: Options, case: Given) -> Given:
    stats = stats_of(given, case)
    ground, stunt = ground_of(given["terrain"]), given.get("maneuver", 0)
    need = d6_turn.needed(stats, given["speed"], ground, options, system(case).EDITION, stunt)
    asked = system(case).demand(stats, TurnState(), options, given["speed"], (ground,), stunt)
    assert (asked.action, bool(asked.checks)) == (need.action, need.roll)
    return {"action": need.action, "roll": need.roll, "level": need.level, "number": need.number}


def told(outcome: d6_failures.Outcome) -> Given:
    names = ("action", "roll_required", "level", "number", "margin", "result", "posture", "dice_now", "dice_next")
    more = ("no_actions_now", "no_actions_next", "damage")
    found = {name: getattr(outcome, name) for name in (*names, *more)}
    return {**found, "moved_m": outcome.moved, "damage": None if outcome.damage is None else str(outcome.damage)}


def move(given: Given, options: Options, case: Given) -> Given:
    stats = stats_of(given, case)
    ground = with_shifted(given["terrain"], case, options, given["speed"], stats.kind)
    outcome = system(case).resolve(
        stats, TurnState(), options, given["speed"], exact(given["declared_m"]), (ground,), (given["roll"],),
        given.get("maneuver", 0),
    )  # fmt: skip
    assert not isinstance(outcome, Refusal)
    return told(outcome)


def several_grounds(given: Given, options: Options, case: Given) -> Given:
    stats, declared = stats_of(given, case), exact(given["declared_m"])
    crossed, start = [], Fraction(0)
    for stretch in given["strip"]:
        if start < declared:
            crossed.append(ground_of(stretch))
        start += exact(stretch["m"])
    rolls = (given["roll"],) if "roll" in given else ()
    outcome = system(case).resolve(stats, TurnState(), options, given["speed"], declared, crossed, rolls)
    assert not isinstance(outcome, Refusal)
    return told(outcome)


def declare(given: Given, options: Options, case: Given) -> Given:
    stats = stats_of(given, case, move=given["move"])
    gait = system(case).RULESET.profile(stats, TurnState(), options, "standing").gait(given["speed"])
    return {"legal": gait.minimum <= exact(given["declared_m"]) <= gait.budget}


def accel(given: Given, options: Options, case: Given) -> Given:
    return {"allowed": list(d6.allowed_speeds(given["previous"], given["actor"], 0, options))}


def pool(given: Given, options: Options, case: Given) -> Given:
    found = d6.pool_in_force(Pool.parse(given["code"]), given["actions"], given.get("extra_dice", 0), options)
    return {"code": str(found)}


def round_actions(given: Given, options: Options, case: Given) -> Given:
    need = d6_turn.needed(
        stats_of(given, case), given["speed"], ground_of(given["terrain"]), options, system(case).EDITION
    )
    found = d6.round_actions(need, given["other_actions"])
    return {"legal": found.legal, "actions_counted": found.counted, "map_dice": found.dice}


def moves_per_round(given: Given, options: Options, case: Given) -> Given:
    rules = system(case).RULESET
    stats, turn, legal = stats_of(given, case), TurnState(previous="cruising"), True
    for speed in given["speeds"]:
        legal = legal and rules.profile(stats, turn, options, "standing").gait(speed).refused is None
        turn = rules.after(stats, turn, options, speed, None)
    return {"legal": legal}


def skill(given: Given, options: Options, case: Given) -> Given:
    fields = {"climbing/jumping": "climbing"}
    named = {fields.get(name, name): code for name, code in {**given["skills"], **given["attributes"]}.items()}
    name, code = stats_of(given, case, **named).skill(given["mode"])
    return {"skill": name, "code": str(code)}


def band(given: Given, options: Options, case: Given) -> Given:
    return {"levels": [d6.band_of(number) for number in given["numbers"]]}


def preset(given: Given, options: Options, case: Given) -> Given:
    return {"levels": [Terrain(name).difficulty for name in given["names"]]}


def maneuver_class(given: Given, options: Options, case: Given) -> Given:
    return {"classes": [d6.maneuver_class(modifier) for modifier in given["modifiers"]]}


def capacity(given: Given, options: Options, case: Given) -> Given:
    strength = Pool.parse(given["strength"])
    return {
        "capacity": d6_reup.capacity(strength),
        "overloaded": d6_reup.overloaded(strength, given.get("carried", 0)),
    }


def probability(given: Given, options: Options, case: Given) -> Given:
    return {"p": chance(Pool.parse(given["code"]), given["at_least"], wild=options["wild_die"])}


def failure_bands(given: Given, options: Options, case: Given) -> Given:
    return d6_failures.failure_bands(Pool.parse(given["code"]), given["number"], wild=options["wild_die"])


def sequence(given: Given, options: Options, case: Given) -> Given:
    rules = system(case).RULESET
    stats = stats_of(given, case, code=given["code"], lost_moves=given.get("lost_moves", 0))
    turn, posture, told_rounds = TurnState(previous=given["previous"]), "standing", []
    for order in given["rounds"]:
        profile = rules.profile(stats, turn, options, posture)
        if profile.gait(order["speed"]).refused is not None:
            told_rounds.append({"legal": False})
            break
        ground = with_shifted(order["terrain"], case, options, order["speed"], stats.kind)
        demand = profile.demand(order["speed"], (ground,))
        rolls = (order["roll"],) if "roll" in order else ()
        outcome = rules.resolve(stats, turn, options, order["speed"], exact(order["declared_m"]), (ground,), rolls)
        assert not isinstance(outcome, Refusal)
        code = demand.checks[0].dice if demand.checks else None
        told_rounds.append({"legal": True, "moved_m": outcome.moved, "posture": outcome.posture, "code": code})
        turn, posture = (
            rules.next_turn(rules.after(stats, turn, options, order["speed"], outcome), options),
            outcome.posture or "standing",
        )
    return {"rounds": told_rounds}


def mixed_mode(given: Given, options: Options, case: Given) -> Given:
    profile = system(case).profile(stats_of(given, case), TurnState(), options, "standing")
    left, metres = profile.gait(given["speed"]).budget, []
    for segment in given["segments"]:
        mode = segment["mode"]
        pace = profile.pace(d6_turn.POOL, "standing", Terrain.of({mode: True} if mode != "walk" else {}), False)
        unit = pace.base * pace.joined(options["cost_stacking"])
        length = left / unit if segment["m"] == "rest" else exact(segment["m"])
        metres.append(length)
        left -= length * unit
    assert left >= 0
    return {"m": metres, "total_m": sum(metres)}


def second_skill(given: Given, options: Options, case: Given) -> Given:
    need = d6_turn.needed(
        stats_of(given, case), given["speed"], ground_of(given["terrain"]), options, system(case).EDITION
    )
    pools = (Pool.parse(given["run_code"]), Pool.parse(given["other_code"]))
    found = d6_reup.second_skill(need, pools, given["other_number"], (given["run_roll"], given["other_roll"]), options)
    return {
        "rolls": need.roll + 1,
        "run_code": str(found.run),
        "other_code": str(found.other),
        "run_ok": found.run_ok,
        "other_ok": found.other_ok,
        "legal": found.legal,
    }


def ways(
    rows: list[str], at: tuple[int, int], seen: tuple[tuple[int, int], ...]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way over straight steps from `at` to G that visits no cell twice."""
    col, row = at
    if rows[row][col] == "G":
        yield seen
        return
    for place in ((col + 1, row), (col - 1, row), (col, row + 1), (col, row - 1)):
        if 0 <= place[1] < len(rows) and 0 <= place[0] < len(rows[place[1]]) and place not in seen:
            yield from ways(rows, place, (*seen, place))


def grid(given: Given, options: Options, case: Given) -> Given:
    assert options["diagonal"] == "none"
    rules, stats, rows = system(case), stats_of(given, case), given["rows"]
    legend = {glyph: ground_of(facts) for glyph, facts in given["legend"].items()}
    gait = rules.profile(stats, TurnState(previous="cruising"), options, "standing").gait(given["speed"])
    start = next((text.index("S"), row) for row, text in enumerate(rows) if "S" in text)
    found: dict[bool, Given] = {}
    for way in sorted(ways(rows, start, (start,)), key=len):
        metres = exact(given["cell_m"]) * (len(way) - 1)
        if not gait.minimum <= metres <= gait.budget:
            continue
        grounds = tuple(legend[rows[row][col]] for col, row in way[1:])
        checks = rules.demand(stats, TurnState(), options, given["speed"], grounds).checks
        found.setdefault(
            bool(checks), {"path_m": metres, "roll": bool(checks), "number": checks[0].number if checks else None}
        )
    shortest = min(found.values(), key=lambda way: way["path_m"], default=None)
    return {"shortest": shortest, "no_roll": found.get(False)}


def stamina(given: Given, options: Options, case: Given) -> Given:
    activity = given["activity"].removeprefix("vehicle_")
    kind = "vehicle" if given["activity"].startswith("vehicle_") else "character"
    efforts = system(case).efforts(stats_of({"actor": kind}, case), options)
    effort, seconds = journey.find(efforts, activity), exact(given["elapsed_min"]) * MINUTE
    planned = journey.plan(effort, seconds=seconds)
    assert not isinstance(planned, Refusal)
    fails = given.get("fail_check")
    margins = [0] * len(planned.rolls) if fails is None else [*([0] * (fails - 1)), given.get("fail_margin", 1)]
    found = journey.undertake(effort, journey.Margins(margins), seconds=seconds)
    assert not isinstance(found, Refusal)
    owed = found.owed
    told_owed: dict[str, Any] = {}
    if owed is not None and owed.repair is not None:
        told_owed = {"repair_level": owed.repair.level, "repair_min_hours": (owed.seconds or 0) / HOUR}
    elif owed is not None and owed.seconds is not None:
        told_owed = {"rest_min": owed.seconds / MINUTE}
    return {
        "checks": [{"at_min": roll.at / MINUTE, "level": roll.trial.level} for roll in found.rolls],
        "terrain_checks": planned.ground_times,
        "sleep_h": found.sleep / HOUR,
        "outcome": owed.kind if owed is not None else "ok",
        **told_owed,
    }


def collision(given: Given, options: Options, case: Given) -> Given:
    return {"damage": [str(d6_failures.collision(speed, options, given["actor"])) for speed in given["speeds"]]}


PILOT = {"kind": "vehicle", "move": 20, "code": "9D", "previous": "high"}


def ram(given: Given, options: Options, case: Given) -> Given:
    far = {"cautious": 2, "cruising": 4, "high": 8, "all_out": 16}[given["speed"]]
    game = strip("d6-revised", PILOT, [given["terrain"]] * (far + 1), cell=Fraction(5), others={far + 1: PILOT},
                 options={"vehicle_failure": "as_character", **case.get("options", {})})  # fmt: skip
    asked = game.execute(Move("kit", Cell(far, 0), gait=given["speed"], ram=f"foe{far + 1}"))
    if not asked:
        return {"legal": False}
    done = game.execute(GivenRoll("kit", given["roll"]))
    (rammed,) = (event for event in done if isinstance(event, Rammed))
    return {
        "legal": True,
        "number": rammed.number,
        "ram_number": rammed.ram_number,
        "actions_counted": 1 - rammed.dice,
        "map_dice": rammed.dice,
        "outcome": rammed.outcome,
        "margin": rammed.margin,
    }


def damaged(game: Session, *dice: tuple[str, int, int | None]) -> Damaged:
    """The vehicle after the dice of some damage states."""
    (last,) = [event for one in dice for event in game.execute(Damage("kit", *one)) if isinstance(event, Damaged)][-1:]
    return last


def vehicle_damage(given: Given, options: Options, case: Given) -> Given:
    stats = {**PILOT, **{name: given[name] for name in ("maneuverability", "lost_moves", "weapons")}}
    game = strip("d6-revised", stats, [{"level": "VE"}] * 3, cell=Fraction(5), options=case.get("options", {}))
    now = damaged(game, (given["state"], given["die"], given.get("countdown_die")))
    return {
        "maneuverability": now.maneuverability,
        "lost_moves": now.lost_moves,
        "weapons": now.weapons,
        "max_speed": now.max_speed,
        "event": now.event,
        "explodes_in_rounds": now.rounds,
    }


def lost_moves(given: Given, options: Options, case: Given) -> Given:
    game = strip("d6-revised", PILOT, [{"level": "VE"}] * 3, cell=Fraction(5), options=case.get("options", {}))
    by_loss = {-1: ("lightly", 6, None), -2: ("heavily", 6, None), 1: ("lightly", 6, None), 2: ("heavily", 6, None)}
    now = damaged(game, *(by_loss[lost] for lost in given["results"]))
    return {"total": now.lost_moves, "max_speed": now.max_speed, "destroyed": now.destroyed}


def vehicle_speed(given: Given, options: Options, case: Given) -> Given:
    kmh = exact(given["kmh"])
    stats = d6_revised.RULESET.read_stats({"kind": "vehicle", "kmh": kmh})
    return {
        **{speed: d6_revised.kmh_of(kmh, speed) for speed in d6_revised.KMH_SHARE},
        "move_m": stats.metres(options),
        "all_out_m": d6.distances(stats.metres(options), "all_out", options)[1],
    }


KINDS: dict[str, Callable[[Given, Options, Given], Given]] = {
    "d6_distance": distance,
    "d6_requirement": requirement,
    "d6_move": move,
    "d6_strip": several_grounds,
    "d6_declare": declare,
    "d6_accel": accel,
    "d6_pool": pool,
    "d6_round_actions": round_actions,
    "d6_moves_per_round": moves_per_round,
    "d6_skill": skill,
    "d6_band": band,
    "d6_terrain_preset": preset,
    "d6_maneuver_class": maneuver_class,
    "d6_capacity": capacity,
    "d6_probability": probability,
    "d6_failure_bands": failure_bands,
    "d6_sequence": sequence,
    "d6_mixed_mode": mixed_mode,
    "d6_second_skill": second_skill,
    "d6_grid": grid,
    "d6_stamina": stamina,
    "d6_collision": collision,
    "d6_ram": ram,
    "d6_vehicle_damage": vehicle_damage,
    "d6_lost_moves": lost_moves,
    "d6_vehicle_speed": vehicle_speed,
}
