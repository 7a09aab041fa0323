"""tactical: movement on tabletop battle maps.

Given a map, a creature or vehicle and a rule system it answers, exactly and with reasons: where can it get to, at what
price, by which way, at what risk, and why not there?

Names are imported where they are first used, so that ``import tactical`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tactical.errors import (
        Fault,
        MapError,
        PluginError,
        Refusal,
        RulesetError,
        SaveError,
        TacticalError,
        TooLong,
        UnknownName,
    )
    from tactical.formats import dump, load, load_with_report
    from tactical.movement.netgraph import MovementGraph
    from tactical.movement.plan import plan, reach_many
    from tactical.movement.reach import Reach, reach
    from tactical.movement.route import Line, Provocation, Route, State, Step
    from tactical.movement.turns.bands import Band
    from tactical.options import Options
    from tactical.play.commands import (
        Act,
        CloseDoor,
        Command,
        Damage,
        Dash,
        Disengage,
        EndTurn,
        Gait,
        GivenRoll,
        GoOn,
        Move,
        OpenDoor,
        Place,
        Posture,
        Push,
        Rest,
        Reveal,
        Roll,
        SetMover,
        Spend,
        StopHere,
    )
    from tactical.play.events import (
        Accepted,
        ActionTaken,
        AttackAnswered,
        AttackOffered,
        DoorClosed,
        DoorOpened,
        Ended,
        Event,
        Explored,
        FellShort,
        GaitChosen,
        Halted,
        HazardEntered,
        Hurt,
        MovementSpent,
        PostureChanged,
        Redone,
        Revealed,
        Rolled,
        RollNeeded,
        Stepped,
        TurnBegan,
        TurnEnded,
        Undone,
    )
    from tactical.play.happening import (
        Changed,
        Damaged,
        EffortFailed,
        Endangered,
        Placed,
        Pushed,
        PushStopped,
        Rammed,
        Recovered,
        Rested,
    )
    from tactical.play.session import Session
    from tactical.registry import __version__ as __version__
    from tactical.rules.ruleset import Ruleset, get_ruleset
    from tactical.rules.turnstate import TurnState
    from tactical.search.kernel import warmup
    from tactical.search.slices import Limit
    from tactical.show.rendering import render
    from tactical.units import Cell
    from tactical.wire.reading import from_json
    from tactical.wire.writing import to_json
    from tactical.world.battlemap import Battlemap, Link, Zone
    from tactical.world.edges.barriers import Barrier, DoorState, Kind
    from tactical.world.mover import Mover
    from tactical.world.terrain import Terrain


_HOME = {
    "__version__": "registry",
    "Accepted": "play.events", "Act": "play.commands", "ActionTaken": "play.events",
    "AttackAnswered": "play.events", "AttackOffered": "play.events", "Band": "movement.turns.bands",
    "Barrier": "world.edges.barriers", "Battlemap": "world.battlemap", "Cell": "units", "CloseDoor": "play.commands",
    "Command": "play.commands", "Dash": "play.commands", "Disengage": "play.commands",
    "DoorClosed": "play.events", "DoorOpened": "play.events", "DoorState": "world.edges.barriers",
    "EndTurn": "play.commands", "Ended": "play.events", "Event": "play.events", "Explored": "play.events",
    "Fault": "errors", "FellShort": "play.events", "Gait": "play.commands", "GaitChosen": "play.events",
    "GivenRoll": "play.commands", "GoOn": "play.commands", "Halted": "play.events",
    "HazardEntered": "play.events", "Hurt": "play.events", "Kind": "world.edges.barriers",
    "Limit": "search.slices", "Line": "movement.route",
    "Link": "world.battlemap", "MapError": "errors", "Move": "play.commands", "MovementGraph": "movement.netgraph",
    "MovementSpent": "play.events", "Mover": "world.mover", "OpenDoor": "play.commands", "Options": "options",
    "Place": "play.commands", "Placed": "play.happening", "PluginError": "errors", "Posture": "play.commands",
    "PostureChanged": "play.events", "Provocation": "movement.route", "Push": "play.commands",
    "PushStopped": "play.happening",
    "Pushed": "play.happening", "Reach": "movement.reach", "Recovered": "play.happening",
    "Redone": "play.events", "Refusal": "errors",
    "Damage": "play.commands", "Damaged": "play.happening", "EffortFailed": "play.happening",
    "Endangered": "play.happening",
    "Rammed": "play.happening",
    "Changed": "play.happening", "Rest": "play.commands", "Rested": "play.happening", "SetMover": "play.commands",
    "Reveal": "play.commands", "Revealed": "play.events", "Roll": "play.commands", "RollNeeded": "play.events",
    "Rolled": "play.events", "Route": "movement.route", "Ruleset": "rules.ruleset", "RulesetError": "errors",
    "SaveError": "errors", "Session": "play.session", "Spend": "play.commands", "State": "movement.route",
    "Step": "movement.route", "Stepped": "play.events", "StopHere": "play.commands", "TacticalError": "errors",
    "Terrain": "world.terrain", "TooLong": "errors", "TurnBegan": "play.events", "TurnEnded": "play.events",
    "TurnState": "rules.turnstate", "Undone": "play.events", "UnknownName": "errors", "Zone": "world.battlemap",
    "dump": "formats", "from_json": "wire.reading", "get_ruleset": "rules.ruleset", "load": "formats",
    "load_with_report": "formats", "plan": "movement.plan", "reach": "movement.reach",
    "reach_many": "movement.plan", "warmup": "search.kernel",
    "render": "show.rendering", "to_json": "wire.writing",
}  # fmt: skip

__all__ = [
    "Accepted", "Act", "ActionTaken", "AttackAnswered", "AttackOffered", "Band", "Barrier", "Battlemap", "Cell",
    "Changed", "CloseDoor", "Command", "Damage", "Damaged", "Dash", "Disengage", "DoorClosed", "DoorOpened",
    "DoorState", "EffortFailed", "EndTurn", "Endangered", "Ended", "Event", "Explored", "Fault", "FellShort", "Gait",
    "GaitChosen", "GivenRoll", "GoOn", "Halted", "HazardEntered", "Hurt", "Kind", "Limit", "Line", "Link", "MapError",
    "Move", "MovementGraph", "MovementSpent", "Mover", "OpenDoor", "Options", "Place", "Placed", "PluginError",
    "Posture", "PostureChanged", "Provocation", "Push", "PushStopped", "Pushed", "Rammed", "Reach", "Recovered",
    "Redone", "Refusal", "Rest", "Rested", "Reveal", "Revealed", "Roll", "RollNeeded", "Rolled", "Route", "Ruleset",
    "RulesetError", "SaveError", "Session", "SetMover", "Spend", "State", "Step", "Stepped", "StopHere",
    "TacticalError", "Terrain", "TooLong", "TurnBegan", "TurnEnded", "TurnState", "Undone", "UnknownName", "Zone",
    "dump", "from_json", "get_ruleset", "load", "load_with_report", "plan", "reach", "reach_many", "render", "to_json",
    "warmup",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"tactical.{_HOME[name]}"), name)
    raise AttributeError(f"module 'tactical' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
