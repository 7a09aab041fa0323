"""tactical: movement on tabletop battle maps.

Given a map, a creature or vehicle and a rule system it answers, exactly and with reasons: where can it get to, at what
price, by which way, at what risk, and why not there?

Names are imported where they are first used, so that ``import tactical`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tactical.errors import Fault, MapError, PluginError, Refusal, RulesetError, TacticalError, UnknownName
    from tactical.formats import dump, load, load_with_report
    from tactical.movement.bands import Band
    from tactical.movement.graph import MovementGraph
    from tactical.movement.planner import plan
    from tactical.movement.reach import Reach, reach
    from tactical.movement.route import Line, Provocation, Route, State, Step
    from tactical.options import Options
    from tactical.rules.ruleset import Ruleset, TurnState, get_ruleset
    from tactical.units import Cell
    from tactical.world.barriers import Barrier
    from tactical.world.battlemap import Battlemap, Link, Zone
    from tactical.world.mover import Mover
    from tactical.world.terrain import Terrain

__version__ = "0.1.0"

_HOME = {
    "Band": "movement.bands", "Barrier": "world.barriers", "Battlemap": "world.battlemap", "Cell": "units",
    "Fault": "errors", "Line": "movement.route", "Link": "world.battlemap", "MapError": "errors",
    "MovementGraph": "movement.graph", "Mover": "world.mover", "Options": "options", "PluginError": "errors",
    "Provocation": "movement.route", "Reach": "movement.reach", "Refusal": "errors", "Route": "movement.route",
    "Ruleset": "rules.ruleset", "RulesetError": "errors", "State": "movement.route", "Step": "movement.route",
    "TacticalError": "errors", "Terrain": "world.terrain", "TurnState": "rules.ruleset", "UnknownName": "errors",
    "Zone": "world.battlemap", "dump": "formats", "get_ruleset": "rules.ruleset", "load": "formats",
    "load_with_report": "formats", "plan": "movement.planner", "reach": "movement.reach",
}  # fmt: skip

__all__ = [
    "Band", "Barrier", "Battlemap", "Cell", "Fault", "Line", "Link", "MapError", "MovementGraph", "Mover", "Options",
    "PluginError", "Provocation", "Reach", "Refusal", "Route", "Ruleset", "RulesetError", "State", "Step",
    "TacticalError", "Terrain", "TurnState", "UnknownName", "Zone", "dump", "get_ruleset", "load",
    "load_with_report", "plan", "reach",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"tactical.{_HOME[name]}"), name)
    raise AttributeError(f"module 'tactical' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
