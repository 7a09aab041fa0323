"""What words of a Tiled map mean: properties, classes and names of layers as facts of the ground."""

from __future__ import annotations

import math
from typing import Any

from tactical.world.terrain import FACTS, PLAIN

BLOCKING = ("blocked", "blocking", "block", "collision", "collisions", "collide", "collides", "solid", "wall", "walls")
"""Properties that stop movement where they are true, classes that do, and layers that do where they have a tile."""
OPEN = ("walkable", "passable")
PRICES = ("cost", "movement_cost", "movementcost", "move_cost")
CLASSES: dict[str, dict[str, object]] = {
    **{word: {"impassable": True} for word in BLOCKING},
    "difficult": {"difficult": True},
    "difficult terrain": {"difficult": True},
    "rough": {"rough": True},
    "water": {"water": "shallow"},
    "shallow water": {"water": "shallow"},
    "deep water": {"water": "deep"},
    "climb": {"climb": True},
    "pit": {"gap": True},
    "lava": {"hazard": "lava"},
    "fire": {"hazard": "fire"},
}
_YES, _NO = ("true", "yes", "1", "on"), ("false", "no", "0", "off", "")


def of_property(name: str, value: Any) -> dict[str, object] | None:
    """The facts a property states; None for one that says nothing of the ground."""
    word = name.strip().lower()
    if word in BLOCKING:
        return {"impassable": True} if _truth(value) else {}
    if word in OPEN:
        return {} if _truth(value) else {"impassable": True}
    if word in PRICES:
        return _price(value)
    if word == "terrain" and isinstance(value, str):
        return _checked("terrain", value)
    if word not in FACTS:
        return None
    if isinstance(getattr(PLAIN, word), bool) or word == "uphill":
        truth = _truth(value)
        # of slopes it means something that one is no way up
        return None if truth is None else {word: truth} if truth or word == "uphill" else {}
    return _checked(word, value)


def of_class(name: str) -> dict[str, object] | None:
    """The facts of a class; None for one nobody knows."""
    return CLASSES.get(name.strip().lower().replace("_", " ").replace("-", " "))


def _checked(word: str, value: Any) -> dict[str, object] | None:
    if isinstance(value, (dict, list)) or value is None:
        return None
    try:
        if word == "terrain":
            from tactical.values import word as text

            text(value, "a terrain's name")
        else:
            PLAIN.with_facts({word: value})
    except (TypeError, ValueError):
        return None
    return {word: value}


def _price(value: Any) -> dict[str, object] | None:
    try:
        price = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if not math.isfinite(price) or price < 0 or price > 1000:
        return {"impassable": True} if price > 1000 or price < 0 else None
    if price in (0, 1):
        return {}
    return {"difficult": True} if price == 2 else {"factor": str(round(price, 3))}


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()[:20]
    return True if text in _YES else False if text in _NO else None
