"""The public names of `tactical`: nobody's script breaks because a name went away unnoticed."""

from __future__ import annotations

import tactical

# fmt: off
NAMES = [
    "Accepted", "Act", "Band", "Barrier", "Battlemap", "Cell", "CloseDoor", "Command", "Dash", "Disengage",
    "DoorState", "EndTurn", "Fault", "Gait", "GivenRoll", "GoOn", "Kind", "Line", "Link", "MapError", "Move",
    "MovementGraph", "Mover", "OpenDoor", "Options", "Place", "PluginError", "Posture", "Provocation", "Push",
    "Reach", "Refusal", "Reveal", "Roll", "Route", "Ruleset", "RulesetError", "SaveError", "Session", "Spend",
    "State", "Step", "StopHere", "TacticalError", "Terrain", "TurnState", "UnknownName", "Zone", "dump",
    "from_json", "get_ruleset", "load", "load_with_report", "plan", "reach", "render", "to_json",
]
# fmt: on


def test_the_public_names_are_these() -> None:
    assert sorted(tactical.__all__) == sorted(NAMES)


def test_every_public_name_is_there_and_explained() -> None:
    for name in tactical.__all__:
        found = getattr(tactical, name)
        if callable(found):
            assert found.__doc__, name
