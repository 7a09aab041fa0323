"""What rule systems were asked before: options in force, stats read and terms, kept for the next question.

Functions of a rule system are pure, so the same question has the same answer; a refusal or an error is not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from tactical.errors import RulesetError, UnknownName
from tactical.movement.graph.media import media_of, with_media
from tactical.options import ENGINE, Options
from tactical.registry import RULESETS
from tactical.rules.profile import Profile
from tactical.rules.ruleset import Ruleset
from tactical.rules.turnstate import TurnState
from tactical.values import Same
from tactical.world.battlemap import Battlemap
from tactical.world.mover import Mover
from tactical.world.store import Store

T = TypeVar("T")

_KEPT = Store(())

AT_FIRST = TurnState()
"""A turn in which nothing has been done."""


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
    return (*given, *map(type, given.values()), *given.values()) if given else ()


def options_in_force(ruleset: Ruleset, on_map: Mapping[str, object], given: Mapping[str, object]) -> Options:
    """The rule system's options as the map and then the caller set them; a map may set options of other systems too.

    Raises `UnknownName` (also where no system has an option that the map sets) or `RulesetError`.
    """

    def make() -> Options:
        chosen = ruleset.options_with()
        strange = [name for name in on_map if name not in chosen]
        known = {option.name for option in ENGINE} if strange else set()
        if any(name not in known for name in strange):
            known.update(option.name for _, system in RULESETS for option in system.options)
            for name in strange:
                if name not in known:
                    raise UnknownName("option", name, {*known, *chosen})
        return chosen.set({name: value for name, value in on_map.items() if name in chosen}).set(given)

    return _once(ruleset, ("options", Same(ruleset), _spelled(on_map), _spelled(given)), None, make)


def ruled(ruleset: Ruleset, mover: Mover) -> Ruleset:
    """The rule system as it is for a mover: with the media that ways of moving open to it."""
    media = media_of(mover)
    if not media:
        return ruleset
    return _once(ruleset, ("ruled", Same(ruleset), media), media, lambda: with_media(ruleset, media))


def stats_read(ruleset: Ruleset, given: Mapping[str, object]) -> Any:
    """A mover's stats as its rule system reads them.  Raises `RulesetError`."""
    # equal stats become the same ones, so that they are known again by their identity
    return _once(ruleset, ("stats", Same(ruleset), _spelled(given)), None, lambda: ruleset.read_stats(given))


@dataclass(frozen=True, eq=False)
class Terms:
    """One kind of question: movers of some stats under a rule system at a moment of their turn, wherever they stand."""

    ruleset: Ruleset
    stats: Any
    options: Options
    turn: TurnState
    posture: str
    said: Profile | None = None
    """What is taken for the rule system's word instead of it."""
    kept: dict[object, Any] = field(default_factory=dict, repr=False)
    """What others worked out from these alone."""

    @cached_property
    def profile(self) -> Profile:
        """What the rule system says about such a mover in such a turn.

        Raises `RulesetError` for falls it has no rule for.
        """
        found = self.said or self.ruleset.profile(self.stats, self.turn, self.options, self.posture)
        if self.options["ledge_down"] == "drop" and found.fall is None:
            raise RulesetError(f"option ledge_down: {self.ruleset.name} has no rule for falls, so nobody can drop")
        return found


def terms_of(ruleset: Ruleset, stats: Any, turn: TurnState, options: Options, posture: str) -> Terms:
    """The terms of a question, the very same ones for all questions alike."""
    memory = repr(sorted(turn.memory.items())) if turn.memory else ""
    state = (
        turn.turn, turn.spent, turn.left, turn.diagonals, turn.run_up, turn.doors, turn.dashes, turn.actions,
        turn.bonus_actions, turn.disengaged, turn.struck, turn.previous, memory,
    )  # fmt: skip
    key = ("terms", Same(ruleset), Same(stats), state, options, posture)
    return _once(ruleset, key, stats, lambda: Terms(ruleset, stats, options, turn, posture))


def asked_for(
    ruleset: Ruleset, battlemap: Battlemap, given: Mapping[str, object], stats: Mapping[str, object], posture: str
) -> Terms:
    """The terms on which a question at the beginning of a turn is asked: the rule system measured in the map's unit.

    Raises `UnknownName` or `RulesetError` for stats or options that do not exist.
    """

    def make() -> Terms:
        measured = ruleset.measured_in(battlemap.unit)
        chosen = options_in_force(measured, battlemap.options, given)
        return terms_of(measured, stats_read(measured, stats), AT_FIRST, chosen, posture)

    key = (
        "asked", Same(ruleset), battlemap.unit, posture, _spelled(battlemap.options), _spelled(given), _spelled(stats),
    )  # fmt: skip
    return _once(ruleset, key, None, make)
