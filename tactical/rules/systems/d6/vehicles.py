"""What vehicles are like, and what damage to them takes and leaves, by state and face of the die (REV-40 … 51)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tactical.errors import Refusal
from tactical.options import Options
from tactical.rules.dice import Pool
from tactical.rules.outcomes import VehicleDamage
from tactical.rules.systems.d6 import tables as d6
from tactical.rules.systems.d6 import turn as d6_turn
from tactical.rules.turnstate import TurnState

# Vehicle damage: state -> faces of the die -> what is hit and how much of it.
DAMAGE: dict[str, dict[range, tuple[str, int]]] = {
    "lightly": {
        range(1, 4): ("maneuverability", 1),  # REV-40
        range(4, 5): ("weapon", 1),  # REV-41
        range(5, 7): ("moves", 1),  # REV-42
    },
    "heavily": {
        range(1, 4): ("maneuverability", 2),  # REV-43
        range(4, 7): ("moves", 2),  # REV-44
    },
    "severely": {range(3, 4): ("overloaded_generator", 0)},  # REV-45
}
SEVERE_COMMUNITY: dict[range, tuple[str, int]] = {  # REV-A13, by option only
    range(1, 3): ("power_plant_destroyed", 0),
    range(3, 4): ("overloaded_generator", 0),
    range(4, 5): ("weapons_out", 0),
    range(5, 6): ("structural_damage", 0),
    range(6, 7): ("destroyed", 0),
}
COUNTDOWN = ("overloaded_generator", "structural_damage")  # these take 1D rounds
NO_DICE = Pool(0)


@dataclass(frozen=True, slots=True)
class Stats(d6_turn.Stats):
    """A D6 character, creature or vehicle.

    A vehicle may give `kmh`, its all-out speed, instead of `move`; it has `weapons` mounted ones.
    """

    kmh: Fraction | None = None
    maneuverability: str = ""
    body_strength: str = ""
    weapons: int = 0

    def __post_init__(self) -> None:
        d6_turn.Stats.__post_init__(self)
        if self.kind == "vehicle" and self.move is None and self.kmh is None:
            raise ValueError("a vehicle needs move or kmh")
        if (self.kmh or 0) < 0:
            raise ValueError("km/h are at least 0")  # REUP-A35
        if self.weapons < 0:
            raise ValueError("weapons are at least 0")

    def enduring(self) -> tuple[str, str]:
        """What is rolled for keeping a speed up, and its code (REV-24, 27)."""
        return ("body strength", self.body_strength) if self.kind == "vehicle" else d6_turn.Stats.enduring(self)

    def metres(self, options: Options) -> Fraction:
        """Move; given both, it governs and km/h is narrative (REV-A16)."""
        if self.move is None and self.kmh is not None:
            return d6.move_of_kmh(self.kmh, options)
        return d6_turn.Stats.metres(self, options)

    def skill(self, mode: str) -> tuple[str, Pool | None]:
        """The skill rolled for `mode` and its pool, a vehicle's maneuverability included (REV-A20)."""
        if self.kind != "vehicle":
            return d6_turn.Stats.skill(self, mode)
        own = {"vehicle operation": self.vehicle_operation}
        name, pool = d6.skill_for("drive", own, {"mechanical": self.mechanical})
        if pool is not None and self.maneuverability:
            pool = pool.plus(Pool.parse(self.maneuverability))
        return name, Pool.parse(self.code) if self.code else pool


@dataclass(frozen=True, slots=True)
class Vehicle:
    """What damage changes in a vehicle: maneuverability, lost Moves (they add up, REV-46), mounted weapons.

    `event` names anything else: ``overloaded_generator`` (the vehicle explodes in `rounds`), ``not_in_source`` …
    """

    maneuverability: Pool = NO_DICE
    lost_moves: int = 0
    weapons: int = 0
    event: str = ""
    rounds: int | None = None

    @property
    def max_speed(self) -> str:
        """The highest speed the lost Moves leave (REV-47 … 50)."""
        return max_speed(self.lost_moves)

    @property
    def destroyed(self) -> bool:
        """Five lost Moves and more (REV-51, REV-A14)."""
        return self.lost_moves >= d6.DESTROYED or self.event == "destroyed"


def max_speed(lost_moves: int) -> str:
    """The highest speed after so many lost Moves; stop where the drive is disabled (REV-47 … 50)."""
    return d6.LOST_CAP[min(lost_moves, len(d6.LOST_CAP) - 1)]


def damage(vehicle: Vehicle, state: str, die: int, options: Options, *, countdown: int | None = None) -> Vehicle:
    """The vehicle after the 1D of its damage state (``lightly``, ``heavily``, ``severely``) (REV-40 … 45).

    `countdown` is the further 1D of rounds that some results take.  Raises `ValueError` for another state or face.
    """
    if state not in DAMAGE:
        raise ValueError(f"damage state {state!r} is not one of {', '.join(DAMAGE)}")
    if not 1 <= die <= 6:
        raise ValueError(f"a die shows 1 to 6, not {die}")
    community = state == "severely" and options["severe_table"] == "community"
    table = SEVERE_COMMUNITY if community else DAMAGE[state]
    hit, amount = next((result for faces, result in table.items() if die in faces), ("not_in_source", 0))
    match hit:
        case "maneuverability":
            return _less_maneuverable(vehicle, amount, options)
        case "moves":
            return replace(vehicle, lost_moves=vehicle.lost_moves + amount)
        case "weapon":
            # the unarmed lose nothing (REV-A23), and are told so
            event = "weapon_lost" if vehicle.weapons else "no_weapon_to_lose"
            return replace(vehicle, weapons=max(vehicle.weapons - amount, 0), event=event)
        case "weapons_out":
            return replace(vehicle, weapons=0, event=hit)
    return replace(vehicle, event=hit, rounds=countdown if hit in COUNTDOWN else None)


def _less_maneuverable(vehicle: Vehicle, dice: int, options: Options) -> Vehicle:
    """Dice of maneuverability lost; at 0D already, Moves instead (REV-40, 43, REV-A12)."""
    has = vehicle.maneuverability
    if has == NO_DICE:
        return replace(vehicle, lost_moves=vehicle.lost_moves + dice)
    if has.dice >= dice:
        return replace(vehicle, maneuverability=Pool(has.dice - dice, has.pips))
    spilled = dice - has.dice if options["maneuverability_spill"] else 0
    return replace(vehicle, maneuverability=NO_DICE, lost_moves=vehicle.lost_moves + spilled)


def harm(
    stats: Stats, turn: TurnState, options: Options, state: str, die: int, countdown: int | None
) -> VehicleDamage | Refusal:
    """A vehicle's stats and round after the 1D of its damage state; `wants` names dice that are still missing.

    Refused for what is no vehicle, another state, a face that no die has.
    """
    if stats.kind != "vehicle":
        return Refusal("rules.not_covered", {"why": f"damage states are for vehicles, not for a {stats.kind}"})
    if state not in DAMAGE:
        return Refusal("rules.not_covered", {"why": f"damage state {state!r} is not one of {', '.join(DAMAGE)}"})
    for thrown in (die, countdown):
        if thrown is not None and not 1 <= thrown <= 6:
            return Refusal("play.no_dice", {"why": f"a die shows 1 to 6, not {thrown}"})
    has = Pool.parse(stats.maneuverability) if stats.maneuverability else NO_DICE
    before = Vehicle(has, stats.lost_moves, stats.weapons, "destroyed" if stats.destroyed else "")
    after = damage(before, state, die, options, countdown=countdown)
    destroyed = before.destroyed or after.destroyed
    left: dict[str, Any] = {"lost_moves": after.lost_moves, "weapons": after.weapons, "destroyed": destroyed}
    if after.maneuverability != has:
        left["maneuverability"] = str(after.maneuverability)
    changed = {name: value for name, value in left.items() if value != getattr(stats, name)}
    memory = dict(turn.memory)
    if after.rounds is not None:
        memory["countdown"] = after.rounds
    wants = "1D" if after.event in COUNTDOWN and countdown is None else ""
    event = after.event if after.event != "destroyed" or not before.destroyed else ""
    return VehicleDamage(
        changed, replace(turn, memory=memory), str(after.maneuverability), after.lost_moves, after.max_speed,
        after.weapons, destroyed, event, after.rounds, wants,
    )  # fmt: skip
