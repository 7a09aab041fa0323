"""What rule systems were asked before: options in force, stats read and profiles, kept for the next question.

Functions of a rule system are pure, so the same question has the same answer; a refusal or an error is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from tactical.options import Options
from tactical.rules.profile import Profile
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.values import Same
from tactical.world.store import Store

T = TypeVar("T")

_KEPT = Store(())


def _once(ruleset: Ruleset, key: Hashable, alive: object, make: Callable[[], T]) -> T:
    """What `make` gives, made once for a key; what the key names by identity is kept `alive` with it."""
    try:
        found: tuple[T, object] | None = _KEPT.get(key)
    except TypeError:
        # something in it cannot be looked up: so be it
        return make()
    if found is None:
        found = _KEPT.put(key, (make(), (ruleset, alive)))
    return found[0]


def _spelled(given: Mapping[str, object]) -> tuple[object, ...]:
    # True, 1 and 1.0 are one key and three values
    return tuple((name, type(value), value) for name, value in given.items())


def options_in_force(ruleset: Ruleset, on_map: Mapping[str, object], given: Mapping[str, object]) -> Options:
    """The rule system's options as the map and then the caller set them; a map may set options of other systems too.

    Raises `UnknownName` or `RulesetError`.
    """

    def make() -> Options:
        chosen = ruleset.options_with()
        return chosen.set({name: value for name, value in on_map.items() if name in chosen}).set(given)

    return _once(ruleset, ("options", Same(ruleset), _spelled(on_map), _spelled(given)), None, make)


def stats_read(ruleset: Ruleset, given: Mapping[str, object]) -> Any:
    """A mover's stats as its rule system reads them.  Raises `RulesetError`."""
    # equal stats become the same ones, so that they are known again by their identity
    return _once(ruleset, ("stats", Same(ruleset), _spelled(given)), None, lambda: ruleset.read_stats(given))


def profile_of(ruleset: Ruleset, stats: Any, turn: TurnState, options: Options, posture: str) -> Profile:
    """What the rule system says about such a mover in such a turn."""
    memory = repr(sorted(turn.memory.items())) if turn.memory else ""
    state = (
        turn.turn, turn.spent, turn.left, turn.diagonals, turn.run_up, turn.doors, turn.dashes, turn.actions,
        turn.bonus_actions, turn.disengaged, turn.struck, turn.previous, memory,
    )  # fmt: skip
    key = ("profile", Same(ruleset), Same(stats), state, options, posture)
    return _once(ruleset, key, stats, lambda: ruleset.profile(stats, turn, options, posture))
