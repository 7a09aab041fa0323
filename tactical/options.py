"""Options: rulings a table may decide for itself, as typed fields with a default and a clause.

The engine's own options stand here (they hold for every rule system); each rule system adds its own table.  A map
file, the Python API and ``--option name=value`` set them alike; an unknown name or value is refused with the nearest
known one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tactical.errors import RulesetError, UnknownName, meant
from tactical.units import exact, wire

COMPANY = r"(ally|neutral|enemy)([+~-][0-9]+)?"
YES = {"true", "yes", "on", "1"}
NO = {"false", "no", "off", "0"}
NONE = {"null", "none", "~", ""}


@dataclass(frozen=True, slots=True)
class Option:
    """One option.

    `values` are the words it may take; `number` also (or only) allows numbers, `empty` allows null.  A boolean option
    has the values ``True`` and ``False``; `table` allows a mapping of word to number, `text` any text (a number too).
    A number that is a `length` is in the map's unit.  `decides` says for surfaces what a rule system's own option is
    about: the ``level`` of ground that states none, whether pools of dice are ``wild``.
    """

    name: str
    default: object
    doc: str
    values: tuple[object, ...] = ()
    number: bool = False
    empty: bool = False
    table: bool = False
    words: str = ""
    least: Fraction | None = Fraction(0)
    whole: bool = False
    clause: str = "engine"
    text: bool = False
    length: bool = False
    decides: str = ""

    def parse(self, value: object) -> object:
        """`value` as this option holds it.  Raises `RulesetError` naming what is allowed."""
        if self.table:
            return self._parse_table(value)
        if self.text and isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value).strip()
        for known in self._alike(value):
            return known
        if self.number and not isinstance(value, bool):
            try:
                found = exact(value)
            except ValueError:
                pass
            else:
                self._check_range(found)
                return found
        raise RulesetError(f"option {self.name}: {value!r} is not one of {self.allowed()}{self._hint(value)}")

    def _alike(self, value: object) -> Iterator[object]:
        """What of the words, yes and no, and null that it may take is meant, if any is."""
        if isinstance(value, str):
            text = value.strip()
            if True in self.values and text.lower() in YES | NO:
                yield text.lower() in YES
            elif text in self.values:
                yield text
            elif self.empty and text.lower() in NONE:
                yield None
        elif isinstance(value, bool):
            yield from (known for known in self.values if isinstance(known, bool) and known is value)
        elif value is None and self.empty:
            yield None

    def _check_range(self, found: Fraction) -> None:
        if self.least is not None and found < self.least:
            raise RulesetError(f"option {self.name}: {wire(found)} is less than {wire(self.least)}")
        if self.whole and found.denominator != 1:
            raise RulesetError(f"option {self.name}: {wire(found)} is not a whole number")

    def _parse_table(self, value: object) -> object:
        if value is None or value == "":
            return ()
        pairs: Iterable[tuple[object, object]]
        if isinstance(value, Mapping):
            pairs = value.items()
        elif isinstance(value, tuple):
            pairs = value
        else:
            parts = [part.split(":", 1) for part in str(value).strip("{} ").split(",") if part.strip()]
            if any(len(part) != 2 for part in parts):
                raise RulesetError(f"option {self.name}: write {{word: number, …}}, not {value!r}")
            pairs = [(part[0], part[1]) for part in parts]
        try:
            table = tuple(sorted((str(word).strip(), exact(number)) for word, number in pairs))
        except ValueError as error:
            raise RulesetError(f"option {self.name}: {error}") from error
        for word, found in table:
            self._check_range(found)
            if self.words and not re.fullmatch(self.words, word):
                raise RulesetError(f"option {self.name}: {word!r} is none of its words ({self.doc})")
        return table

    def _hint(self, value: object) -> str:
        return meant(str(value), [str(known) for known in self.values])

    def allowed(self) -> str:
        """What may be written, in words."""
        words = [str(value).lower() if isinstance(value, bool) else str(value) for value in self.values]
        words += ["a number"] if self.number else []
        words += ["null"] if self.empty else []
        words += ["a table of word: number"] if self.table else []
        words += ["a text"] if self.text else []
        return ", ".join(words)


def choice(name: str, values: tuple[object, ...], doc: str, clause: str = "engine", **more: Any) -> Option:
    """An option that takes one of `values`; the first is the default."""
    return Option(name, values[0], doc, values=values, clause=clause, **more)


def flag(name: str, default: bool, doc: str, clause: str = "engine", **more: Any) -> Option:
    """A yes-or-no option."""
    return Option(name, default, doc, values=(True, False), clause=clause, **more)


def number(name: str, default: object, doc: str, clause: str = "engine", **more: Any) -> Option:
    """An option that takes a number (or one of `values`, or null where `empty`).

    Raises `RulesetError` for a default that is none of these.
    """
    found = Option(name, default, doc, number=True, clause=clause, **more)
    return replace(found, default=found.parse(default))


ENGINE: tuple[Option, ...] = (
    choice("diagonal", ("equal", "none", "alternate", "euclid"), "what a diagonal step counts, in cells", "G-A05"),
    choice("parity_reset", ("turn", "never"), "when the count of alternate diagonals starts anew"),
    choice(
        "difficult_diagonal",
        ("multiply", "add_cell", "as_two"),
        "alternate diagonals on hindering ground: cell x D x F, cell x (D + F - 1), or F diagonals one after the other",
    ),
    choice("corner", ("both_open", "one_open", "free"), "which corners a diagonal may cut", "G-A05"),
    choice("corner_occupants", ("ignore", "block"), "block: a creature that blocks the mover closes a corner too"),
    choice("pay_on", ("enter", "leave"), "whose ground prices a step: the cell entered or the cell left"),
    choice("cost_stacking", ("multiply", "add", "max"), "how several cost factors join", "OPR-A01"),
    choice(
        "body_cost",
        ("max_entered", "max_all", "median_all", "anchor"),
        "which of a large body's cells prices its step",
    ),
    flag("squeeze", False, "a body of 2 x 2 and more may squeeze into the next smaller square at factor 2"),
    number("ally_cost", 1, "factor for passing an ally or a bystander"),
    number("enemy_size_gap", 2, "size classes between mover and enemy from which the enemy can be passed"),
    number("enemy_pass_cost", 2, "factor for passing an enemy of another size"),
    Option("step_height", "cell", "height of an ordinary step up or down", ("cell",), number=True, clause="G-A07"),
    number("slope_max", 1, "rise per run that is still a slope; a step_height of its own wins", "G-A07"),
    choice("ledge_up", ("climb", "refuse"), "a rise of more than a step"),
    choice("ledge_down", ("climb", "drop", "refuse"), "a fall of more than a step"),
    number("climb_factor", 2, "cost of one unit climbed; null: no climbing", "OPR-15", empty=True),
    number("swim_factor", 2, "cost of one unit swum", "OPR-16"),
    flag("deep_water_stop", True, "a turn may end in deep water"),
    choice("door_policy", ("open", "block"), "block: a plan never opens a closed door"),
    number("door_cost", 0, "price of opening a closed door", "OPR-50", length=True),
    number("door_limit", None, "closed doors opened per turn; null: any", "OPR-50", empty=True, whole=True),
    choice("door_diagonal", ("straight_only", "price"), "price: with corner one_open a diagonal may open a door"),
    Option(
        "low_wall_cost",
        "climb",
        "price of vaulting a low wall that states none; climb: one cell at the climbing surcharge",
        ("climb",),
        number=True,
        empty=True,
    ),
    choice(
        "dash_pool", ("one_pool", "separate"), "Dash adds to one pool, or every move is a pool of its own", "OPR-27"
    ),
    Option("stand_cost", "half_speed", "price of standing up", ("half_speed",), True, clause="OPR-18", length=True),
    number("crouch_stand_cost", 5, "price of rising from a crouch", "OPR-24", length=True),
    choice("reach_walls", ("block", "ignore"), "whether walls stop an enemy's reach"),
    choice("strikes", ("leaving", "none"), "whether enemies may strike at who leaves their reach", "OPR-32"),
    choice("hazard_policy", ("avoid", "ignore"), "avoid: a hazard is entered only if it is the cell asked for"),
    choice("unknown_cells", ("block", "plain"), "how unexplored cells are planned over"),
    number("jump_chance", 1, "the least chance of success of a jump that plans make; 1: only sure jumps, 0: any"),
    choice("ring", ("shortest", "walk"), "minimum distances: by the shortest way, or any walk may use the distance up"),
    choice(
        "grid_rounding",
        ("cover_full_cost", "enter_if_any_left", "first_cell"),
        "when a step that costs more than what is left may be made",
        "G-A01",
    ),
    Option(
        "passing",
        (),
        "factor for passing a body, 0 for never: ally, neutral, enemy, each also as enemy+2 (two classes larger or "
        "more), enemy-2 (smaller), enemy~2 (either)",
        table=True,
        words=COMPANY,
    ),
    Option(
        "sharing",
        (),
        "1 where a move may end in a cell that another body holds: ally, neutral, enemy, each also as enemy+2",
        table=True,
        words=COMPANY,
    ),
    Option(
        "house_pace",
        (),
        "a game master's own factor for a mode the text does not cover: walk, crawl, climb, swim",
        table=True,
        words="walk|crawl|climb|swim",
        clause="G-A08",
    ),
)


class Options(Mapping[str, Any]):
    """All options in force, engine and rule system together: an immutable mapping with `set` as the copying change."""

    __slots__ = ("_hash", "_specs", "_values")

    def __init__(self, specs: Mapping[str, Option], values: Mapping[str, object]) -> None:
        self._specs, self._values = specs, dict(values)
        self._hash: int | None = None

    @classmethod
    def build(
        cls,
        own: Iterable[Option] = (),
        defaults: Mapping[str, object] | None = None,
        given: Mapping[str, object] | None = None,
        inert: Iterable[str] = (),
    ) -> Options:
        """Options of the engine plus a rule system's `own`; `defaults` are the system's for the engine's options.

        Options of the engine that are `inert`, having nothing to decide under the system, stay as they are and are not
        known to who looks or sets.
        """
        specs = {option.name: option for option in (*ENGINE, *own)}
        values = {name: option.default for name, option in specs.items()}
        inert = tuple(inert)
        for name in (*(defaults or {}), *inert):
            if name not in specs:
                raise UnknownName("option", name, specs)
        for name, value in (defaults or {}).items():
            values[name] = specs[name].parse(value)
        for name in inert:
            del specs[name]
        return cls(specs, values).set(given or {})

    def set(self, given: Mapping[str, object]) -> Options:
        """A copy with some options changed.  Raises `UnknownName` or `RulesetError`."""
        values = dict(self._values)
        for name, value in given.items():
            if name not in self._specs:
                raise UnknownName("option", name, self._specs)
            values[name] = self._specs[name].parse(value)
        return Options(self._specs, values)

    def scaled(self, scale: Fraction) -> Options:
        """The same with every length so many times as long: as another unit has it."""
        longer = {name: value * scale for name, value in self.lengths().items()}
        return Options(self._specs, {**self._values, **longer})

    def lengths(self) -> dict[str, Fraction]:
        """The options that hold a length, with what they hold."""
        values = ((name, self._values[name]) for name, option in self._specs.items() if option.length)
        return {name: value for name, value in values if isinstance(value, Fraction)}

    def spec(self, name: str) -> Option:
        """What `name` may be set to, and where it comes from."""
        return self._specs[name]

    def deciding(self, about: str) -> str:
        """The option that decides about something (`Option.decides`); empty where there is none."""
        return next((name for name, option in self._specs.items() if option.decides == about), "")

    def wire(self) -> dict[str, object]:
        """The options as JSON carries them."""
        out: dict[str, object] = {}
        for name in self:
            value = self._values[name]
            if isinstance(value, Fraction):
                out[name] = wire(value)
            elif isinstance(value, tuple):
                out[name] = {word: wire(factor) for word, factor in value}
            else:
                out[name] = value
        return out

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __contains__(self, name: object) -> bool:
        return name in self._specs

    def __len__(self) -> int:
        return len(self._specs)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(sorted((name, repr(value)) for name, value in self._values.items())))
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and self._values == other._values
