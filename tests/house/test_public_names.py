"""The public names of `tactical`: nobody's script breaks because a name went away unnoticed."""

from __future__ import annotations

import tactical
from tactical.play.events import EVENT_TYPES

# fmt: off
NAMES = [
    "Accepted", "Act", "ActionTaken", "AttackAnswered", "AttackOffered", "Band", "Barrier", "Battlemap", "Cell",
    "Changed", "CloseDoor", "Command", "Damage", "Damaged", "Dash", "EffortFailed", "Endangered",
    "Disengage", "DoorClosed", "DoorOpened", "DoorState", "EndTurn",
    "Ended", "Event", "Explored", "Fault", "FellShort", "Gait", "GaitChosen", "GivenRoll", "GoOn", "Halted",
    "HazardEntered", "Hurt", "Kind", "Limit", "Line", "Link", "MapError", "Move", "MovementGraph", "MovementSpent",
    "Mover", "OpenDoor", "Options", "Place", "Placed", "PluginError", "Posture", "PostureChanged", "Provocation",
    "Push", "PushStopped", "Rammed",
    "Pushed", "Reach", "Recovered", "Redone", "Refusal", "Rest", "Rested", "Reveal", "Revealed", "Roll", "RollNeeded",
    "Rolled",
    "Route", "Ruleset", "RulesetError", "SaveError", "Session", "SetMover", "Spend", "State", "Step", "Stepped",
    "StopHere", "TacticalError", "Terrain", "TooLong", "TurnBegan", "TurnEnded", "TurnState", "Undone",
    "UnknownName", "Zone",
    "dump", "from_json", "get_ruleset", "load", "load_with_report", "plan", "reach", "reach_many", "render",
    "to_json", "warmup",
]
# fmt: on


def test_the_public_names_are_these() -> None:
    assert sorted(tactical.__all__) == sorted(NAMES)


def test_every_public_name_is_there_and_explained() -> None:
    for name in tactical.__all__:
        found = getattr(tactical, name)
        if callable(found):
            assert found.__doc__, name


def test_every_event_has_a_public_name() -> None:
    for kind in EVENT_TYPES:
        assert getattr(tactical, kind.__name__) is kind
