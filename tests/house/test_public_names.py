"""The public names of `tactical`: nobody's script breaks because a name went away unnoticed."""

from __future__ import annotations

import tactical

# fmt: off
NAMES = [
    "Band", "Barrier", "Battlemap", "Cell", "Fault", "Line", "Link", "MapError", "MovementGraph", "Mover",
    "Options", "PluginError", "Provocation", "Reach", "Refusal", "Route", "Ruleset", "RulesetError", "State",
    "Step", "TacticalError", "Terrain", "TurnState", "UnknownName", "Zone", "dump", "get_ruleset", "load",
    "load_with_report", "plan", "reach",
]
# fmt: on


def test_the_public_names_are_these() -> None:
    assert sorted(tactical.__all__) == sorted(NAMES)


def test_every_public_name_is_there_and_explained() -> None:
    for name in tactical.__all__:
        found = getattr(tactical, name)
        if callable(found):
            assert found.__doc__, name
