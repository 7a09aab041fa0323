"""What a player may choose this moment: gaits, actions, doors, and what the speed ladder and endurance leave open.

Nothing here is a rule: gaits and their refusals come from the profile, what an order would be refused for from
`Session.why_not`.  So a new rule system shows its choices without a line of code here.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactical.errors import Refusal
from tactical.movement.reach import Reach
from tactical.play.commands import Act, CloseDoor, Command, Disengage, OpenDoor
from tactical.play.session import Session
from tactical.play.turn import Turn
from tactical.rules.profile import Gait
from tactical.show.labels import LABELS, say
from tactical.show.scene.legend import band_role
from tactical.units import Cell, spoken
from tactical.world.battlemap import Battlemap
from tactical.world.edges.barriers import DoorState, Kind
from tactical.world.grids import Point


@dataclass(frozen=True, slots=True)
class GaitButton:
    """A gait: how far it goes, its price in actions, and why it is `refused`; `chosen` for the moves to come."""

    name: str
    title: str
    range: str
    action: str
    role: str
    chosen: bool = False
    before: bool = False
    refused: str = ""
    short: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A button for an order: what it says, the command it gives, and why it is `refused`."""

    command: str
    label: str
    key: str = ""
    sign: str = ""
    refused: str = ""
    on: bool = False


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the speed ladder: `before` is the speed of the last round, `open` what the next round may be."""

    name: str
    title: str
    before: bool = False
    open: bool = True


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of something that runs out: turns of running, rounds before a test, Moves of a vehicle."""

    title: str
    left: int
    total: int
    note: str = ""


def gaits(reach: Reach, session: Session | None = None) -> tuple[GaitButton, ...]:
    """The gaits of this turn with those that are not open, slowest first as the rule system lists them."""
    if not isinstance(reach, Reach):
        return ()
    chosen = session.position.status(reach.mover.id).gait if session is not None else reach.gait
    refused = reach.refused
    before = str(reach.profile.facts.get("previous", ""))
    bands = {band.gait: band_role(reach.bands, band) for band in reach.bands if band.turn == 1}
    out = []
    for gait in reach.profile.gaits:
        reason = refused.get(gait.name)
        out.append(
            GaitButton(
                gait.name,
                gait.title or gait.name,
                gait_range(gait, reach),
                LABELS.get(f"action.{gait.action}", gait.action),
                bands.get(gait.name, ""),
                gait.name == chosen,
                gait.name == before,
                "" if reason is None else reason.text,
                "" if reason is None else _short(reason),
                _rolls(gait, reach) or _left(gait, reach),
            )
        )
    return tuple(out)


def gait_range(gait: Gait, reach: Reach) -> str:
    """How far a gait goes, in words: ``30 ft``, ``5 to 10 m``, ``60 m a turn``."""
    if gait.metres is not None:
        return say("gait.share", metres=spoken(gait.metres), unit="m", turn=reach.unit)
    if gait.minimum:
        return say("gait.ring", least=spoken(gait.minimum), most=spoken(gait.budget), unit=reach.unit)
    return say("gait.most", most=spoken(gait.budget), unit=reach.unit)


def _short(reason: Refusal) -> str:
    """The part of a refusal that says why, where it has one."""
    why = reason.params.get("why") or reason.params.get("what")
    return str(why) if why else reason.text


def _rolls(gait: Gait, reach: Reach) -> str:
    """The tests that this turn of a gait needs before it begins."""
    demand = reach.profile.demand
    checks = demand(gait.name, ()).checks if demand is not None else ()
    words = []
    for check in checks:
        sign = "≤" if check.under else "≥"
        words.append(f"{check.dice or check.skill} {sign} {check.number}" if check.number is not None else check.skill)
    return say("gait.rolls", rolls=", ".join(words)) if words else ""


def _left(gait: Gait, reach: Reach) -> str:
    """How many turns of a gait are left, where the rule system counts them (fact ``left``)."""
    counted = reach.profile.facts.get("left")
    found = counted.get(gait.name) if isinstance(counted, dict) else None
    # of none at all nothing is left: each turn of it is tested for
    return say("left.of", left=found[0], total=found[1]) if found and found[1] else ""


# -- actions ----------------------------------------------------------------------------------------------------------


def acts(session: Session, mover: str) -> tuple[Choice, ...]:
    """The actions of a turn that are no movement, where the rule system counts actions."""
    ruleset = session.position.ruleset(mover)
    if ruleset.order is None and ruleset.act is None:
        return ()
    turn = session.position.status(mover).turn
    orders: list[tuple[str, str, Command, bool]] = [
        ("act", "A", Act(mover), False),
        ("disengage", "X", Disengage(mover), turn.disengaged),
    ]
    return tuple(
        Choice(name, say(f"act.{name}"), key, {"disengage": "shield", "act": "hand"}[name],
               _refused(session, command), on)
        for name, key, command, on in orders
        if name == "act" or ruleset.order is not None
    )  # fmt: skip


def _refused(session: Session, command: Command) -> str:
    reason = session.why_not(command)
    return "" if reason is None else reason.text


# -- doors ------------------------------------------------------------------------------------------------------------


def doors(session: Session, mover: str) -> tuple[Choice, ...]:
    """The doors within arm's reach: open or close them; locked ones say so."""
    out = []
    for door in doors_beside(session, mover):
        command = door_order(session, mover, door)
        opening = isinstance(command, OpenDoor)
        price = _door_price(session, mover, door) if opening else ""
        reason = _refused(session, command)
        label = say("door.open" if opening else "door.close", name=door_name(door), price=price).strip()
        out.append(Choice(f"door:{door}", label, "D", "door", reason))
    return tuple(out)


def door_name(door: str) -> str:
    """What to call a door: its id in words, "door" added where the id does not say it."""
    words = door.replace("-", " ").replace("_", " ")
    return words if "door" in words or "gate" in words else f"{words} door"


def doors_beside(session: Session, mover: str) -> tuple[str, ...]:
    """The doors that a mover knows of and has a hand on, nearest first."""
    position = session.position
    battlemap = position.query(mover).battlemap
    here = position.status(mover).state.cell
    who = position.mover(mover)
    out = []
    for barrier in battlemap.barriers:
        if barrier.kind is not Kind.DOOR or not barrier.id:
            continue
        if barrier.level != here.level or _distance(battlemap, here, who.size, barrier.line) > 1.1:
            continue
        reason = session.why_not(door_order(session, mover, barrier.id))
        if reason is None or reason.code != "play.door_far":
            out.append((_distance(battlemap, here, who.size, barrier.line), barrier.id))
    return tuple(door for _, door in sorted(out))


def _distance(battlemap: Battlemap, here: Cell, size: int, line: tuple[Point, Point]) -> float:
    middle = (line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2
    near = float("inf")
    for cell in battlemap.body(here, size):
        x, y = battlemap.grid.centre(cell.col, cell.row)
        near = min(near, ((x - middle[0]) ** 2 + (y - middle[1]) ** 2) ** 0.5)
    return near


def door_order(session: Session, mover: str, door: str) -> OpenDoor | CloseDoor:
    """The order that changes a door as the mover sees it: an open one is closed, any other opened."""
    barriers = session.position.query(mover).battlemap.barriers
    is_open = any(barrier.id == door and barrier.state is DoorState.OPEN for barrier in barriers)
    return CloseDoor(door, mover) if is_open else OpenDoor(door, mover)


def _door_price(session: Session, mover: str, door: str) -> str:
    query = session.position.query(mover)
    price = Turn.begin(query).door_price(session.position.door(door))
    return f"({spoken(price)} {query.profile.unit})" if price else ""


# -- ladders and what runs out ----------------------------------------------------------------------------------------


def ladder(reach: Reach) -> tuple[Rung, ...]:
    """The speed ladder, slowest first, where the speed of the last round matters."""
    if not isinstance(reach, Reach):
        return ()
    speeds = reach.query.ruleset.speeds
    allowed = reach.profile.facts.get("allowed", ())
    before = reach.profile.facts.get("previous", "")
    titles = {gait.name: gait.title or gait.name for gait in reach.profile.gaits}
    return tuple(
        Rung(name, titles.get(name, name.replace("_", "-").capitalize()), name == before,
             name in allowed if isinstance(allowed, tuple) else True)
        for name in speeds
    )  # fmt: skip


def left(reach: Reach) -> tuple[Left, ...]:
    """What has run out for good: the Moves that a vehicle has lost."""
    if not isinstance(reach, Reach):
        return ()
    out = []
    lost = int(str(reach.profile.facts.get("lost", 0)))
    if lost:
        most = max(len(reach.query.ruleset.speeds) - 1, lost)
        out.append(Left(say("left.moves"), most - lost, most, say("left.lost", n=lost)))
    return tuple(out)
