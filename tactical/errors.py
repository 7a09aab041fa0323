"""What can go wrong, by whose fault.

=====================  =========================================================
a file is wrong        `MapError`, carrying every `Fault` of the file at once
a rule system is wrong `RulesetError`; a plug-in: `PluginError`
an unknown name        `UnknownName` (a `LookupError`) with the nearest known one
a question is too long `TooLong`, where the caller set a `Limit`, or called the question off
the caller misuses us  builtin `ValueError` / `TypeError`
the move is illegal    a `Refusal`: a value, never an exception
=====================  =========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Any, Literal

CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
"""What no name may hold: control characters, what turns the direction of text about, what no XML file can hold."""
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
_LONGEST, _WIDEST = 600, 2000
UNSAID = "it cannot be read, and its format does not say why"


def seen(text: str) -> str:
    """A text as it may be shown, on a terminal or in XML: lines and tabs stay, other controls become ``\ufffd``."""
    return _UNSEEN.sub("\ufffd", text)


def _short(text: str) -> str:
    """A text that somebody's file is quoted in, not longer than anybody reads."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 4 :]}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a map, with its place.  `line` and `column` count from 1; 0 means unknown.

    What is quoted from the file is shortened, and shown without control characters.
    """

    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    path: str = ""
    hint: str = ""
    excerpt: str = ""

    def __post_init__(self) -> None:
        for name in ("text", "path", "hint"):
            object.__setattr__(self, name, seen(_short(getattr(self, name))))
        object.__setattr__(self, "excerpt", seen(self.excerpt) if len(self.excerpt) <= _WIDEST else "")

    def __str__(self) -> str:
        place = ":".join([seen(self.file) or "map", *([str(self.line), str(self.column)] if self.line else [])])
        words = f"{place}: {self.path + ': ' if self.path else ''}{self.text}"
        if self.hint:
            words += f"{',' if self.hint.startswith('did you mean') else ''} {self.hint}"
        if self.excerpt and self.line:
            number = f"{self.line:>6} | "
            words += f"\n{number}{self.excerpt}\n{' ' * (len(number) + max(self.column - 1, 0))}^"
        return words


class TacticalError(Exception):
    """Everything this library raises on its own account."""

    def __reduce__(self) -> tuple[Any, ...]:
        # an exception is otherwise made anew from its message alone, which is not what most of these are made from
        return _remade, (type(self), self.args), vars(self)


def _remade(kind: type[TacticalError], args: tuple[object, ...]) -> TacticalError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class MapError(TacticalError):
    """A map file that cannot be used; `faults` holds everything found wrong with it, and is never empty."""

    def __init__(self, faults: Iterable[Fault] | str) -> None:
        told = (Fault(faults),) if isinstance(faults, str) else tuple(faults)
        # whoever counts faults would take a file that cannot be read for a sound one
        self.faults: tuple[Fault, ...] = tuple(one if one.text.strip() else replace(one, text=UNSAID) for one in told)
        self.faults = self.faults or (Fault(UNSAID),)
        super().__init__("\n".join(str(fault) for fault in self.faults))


class RulesetError(TacticalError):
    """A rule system, or what was given to one (stats, option values), is wrong."""


class PluginError(TacticalError):
    """A file in a rack, or another package's entry point, does not do what its rack asks for."""


class SaveError(TacticalError):
    """A saved game that cannot be used; `line` counts from 1, 0 means the file as a whole."""

    def __init__(self, text: str, line: int = 0) -> None:
        self.text, self.line = text, line
        super().__init__(f"line {line}: {text}" if line else text)


class TooLong(TacticalError):
    """A question was given up: it took longer than its `Limit`, or was called off (`cancelled`)."""

    def __init__(self, text: str, cancelled: bool = False) -> None:
        super().__init__(text)
        self.cancelled = cancelled


class UnknownName(TacticalError, LookupError):
    """A name nobody registered.  The message lists the nearest known one and all others, or what to do (`hint`)."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.kind, self.name, self.known = kind, name, tuple(sorted(known))
        self.nearest = nearest(name, self.known)
        told = f": {hint}" if hint else f" (known: {', '.join(self.known) or 'none'})"
        shown = repr(name) if len(name) <= 60 else f"{name[:40]!r}…"
        super().__init__(f"unknown {kind} {shown}{hinted(self.nearest)}{told}")


def nearest(name: str, known: Iterable[str], alike: float = 0.6) -> str:
    """The known name most like `name`, or an empty string when nothing is near; `alike` is 1 for the very same."""
    import difflib

    found = difflib.get_close_matches(name, list(known), n=1, cutoff=alike)
    return found[0] if found else ""


def hinted(near: str, before: str = ", ") -> str:
    """``did you mean 'near'?`` with what stands `before` it, or nothing where nothing is near."""
    return f"{before}did you mean {near!r}?" if near else ""


def meant(name: str, known: Iterable[str], alike: float = 0.6, before: str = ", ") -> str:
    """`hinted` of the known name that is most like `name`."""
    return hinted(nearest(name, known, alike), before)


_EXACT = re.compile(r"-?[0-9]{1,18}(/[0-9]{1,18}|\.[0-9]{3,18})")
_COUNTED = re.compile(r"\{(\w+)\} (\{(?:unit|word)\}|(?:\w+ )*\w+\(s\))")
_LENGTHS = ("ft", "m")


def counted(number: object, words: str) -> str:
    """So many of something: ``1 roll``, ``2 rolls``, ``0.4 turns``; units of length stay as they are (``2 ft``)."""
    return f"{number} {_plural(number, words)}"


def _plural(number: object, words: str) -> str:
    return words if str(number) == "1" or words in _LENGTHS or not words else f"{words}s"


def _spoken(value: object) -> str:
    """A parameter in words: an exact number with two decimals at the most."""
    text = str(value)
    if not _EXACT.fullmatch(text):
        return text
    return f"{floor(Fraction(text) * 100 + Fraction(1, 2)) / 100:.2f}".rstrip("0").rstrip(".")


class _Given(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return ""


# Every refusal's words, in one place and ready for translation.  The code is the contract, the words are not.
REFUSALS: dict[str, str] = {
    "move.budget": "{short} {unit} short: costs {cost}, has {budget}{note}",
    "move.unreachable": "no way to {cell}",
    "move.far": "out of reach: at least {cost} {unit} away, has {budget}",
    "move.via": "no way to {cell} through {via} within the budget",
    "move.too_long": "not found out whether a way leads to {cell} through {via}: more than {most} states (place, "
    "posture, doors opened, turn) are not looked at; ask for fewer turns or waypoints at once",
    "move.barred": "no way to {cell}: {by}",
    "move.off_map": "{cell} is not on the map",
    "move.impassable": "{cell} is impassable ({terrain})",
    "move.no_fit": "the body does not fit at {cell}{why}",
    "move.gap": "{cell} is a gap: it can only be jumped over",
    "move.occupied": "{cell} is held by {who}",
    "move.stop": "may not end at {cell}: {why}",
    "move.wall": "{what} between {start} and {cell}",
    "move.door": "{what} between {start} and {cell}",
    "move.one_way": "{start} to {cell} is the wrong way through a one-way barrier",
    "move.one_way_link": "the {what} between {start} and {cell} is one-way: it can only be taken the other way",
    "move.corner": "the corner between {start} and {cell} is closed{why}",
    "move.diagonal": "no diagonal steps are allowed (option diagonal: none)",
    "move.height": "{rise} {unit} between {start} and {cell} is more than a step",
    "move.fall": "a fall of {fall} {unit} to {cell} does {damage} damage, plans accept {accepted}",
    "move.headroom": "{cell} is too low for {posture}",
    "move.posture": "that needs another posture than {posture}",
    "move.posture_change": "cannot go from {posture} to {wanted}",
    "move.mode": "{why}",
    "move.not_adjacent": "{cell} is not a neighbour of {start}",
    "move.run_up": "needs {need} {unit} of run-up directly before{how}, has {has}{note}",
    "move.jump_length": "the jump is {length} {unit}, the longest possible is {longest}",
    "move.jump_chance": "the jump succeeds with a chance of {chance}, less than option jump_chance: {least}",
    "move.doors": "{doors} closed door(s) on the way to {cell}{note}, no more than {limit} can be opened in a turn",
    "move.door_limit": "no more than {limit} closed door(s) may be opened in a turn",
    "move.action": "no action left for {what}",
    "move.hazard": "{cell} is a hazard ({hazard}); plans avoid it unless it is named",
    "move.unknown": "{cell} is not explored",
    "move.no_way": "no {way} leads from {start} to {cell}{why}",
    "move.no_link": "no stairs, ladder or portal from {start} to {cell}",
    "move.min_distance": "{length} {unit} is less than the gait's minimum of {minimum}{note}",
    "move.max_distance": "{length} {unit} is more than the gait's {maximum}",
    "move.not_beside": "{cell} is not beside {target}",
    "move.rest": "it must have {what} first",
    "move.speed_change": "{gait} is not possible{after}: {why}",
    "move.stretch": "the {cost} {unit} from {start} to {to}{note} must be made in one turn, which has {budget}",
    "move.turns": "not within {turns} {word}{ever}",
    "move.stale": "the way to {cell} {then} when it was shown and {now} now",
    "move.nothing_to_undo": "there is nothing to undo",
    "move.too_dear": "a step here costs {cost} {unit}, more than any whole {word}{gait} has ({budget}); see option "
    "grid_rounding",
    "play.not_your_turn": "it is {active}'s turn, not {mover}'s",
    "play.waiting": "{mover}'s move waits for {what}",
    "play.not_waiting": "no move of {mover} waits for {what}",
    "play.nothing_to_redo": "there is nothing to do again",
    "play.sealed": "undo stops here: {why}",
    "play.nothing_to_do": "{mover} is there already",
    "play.ram_far": "nowhere beside {target} can be got to this turn",
    "play.door_far": "{door} is not beside {mover}",
    "play.door_state": "{door} is {state}",
    "play.door_held": "{door} cannot be closed: {who} stands in it",
    "play.door_waits": "{door} cannot be closed this turn: no more than {limit} door(s) can be handled in a turn",
    "play.gives_back": "no more can be given back than the {spent} {unit} spent this turn",
    "play.no_dice": "{why}",
    "play.total_needed": "how {far} decides what happens: give the total",
    "play.not_placed": "{mover} does not stand on the map",
    "rules.not_covered": "the rules do not cover this: {why}",
    "rules.number_level": "{number} is no number for {what}: level {level} has {low} to {high}",
    "rules.number_missing": "{what} has {having}; give one{how}",
}


_BROUGHT: dict[str, str] = {}


def bring(owner: str, words: Mapping[str, str]) -> None:
    """Refusals of a plug-in's own, ``owner.code``, with their words; whoever makes the plug-in brings them.

    Raises `TypeError` for a code that does not begin with the owner's name, and for words that are no text.
    """
    for code, text in words.items():
        if not code.startswith(f"{owner}.") or not isinstance(text, str):
            raise TypeError(f"a refusal of {owner!r} is called {owner}.… and has words, not {code!r}: {text!r:.60}")
    _BROUGHT.update(words)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer "no" as a value: a dotted code and its parameters.

    `body` among them says that a smaller body would pass.
    Where a rule is why, `clause` (and `ruling`, where its text is silent) among them names it, and the words end in it.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The refusal in words a player understands."""
        words = REFUSALS.get(self.code) or _BROUGHT.get(self.code, self.code)
        template = _COUNTED.sub(self._count, words)
        # a parameter that was not given is left out of the sentence
        words = template.format_map(_Given({key: _spoken(value) for key, value in self.params.items()}))
        if self.params.get("body"):
            words += f", in the way of a body of {self.params['body']}"
        sources = [str(self.params[name]) for name in ("clause", "ruling") if self.params.get(name)]
        return f"{words} ({', '.join(sources)})" if sources else words

    def _count(self, found: re.Match[str]) -> str:
        """The words after a number in the number's own form."""
        named = found[2].strip("{}")
        words = str(self.params.get(named, "")) if named != found[2] else named.removesuffix("(s)")
        return f"{{{found[1]}}} {_plural(self.params.get(found[1], ''), words)}"

    def __bool__(self) -> Literal[False]:
        # `if route:` reads as "if there is a route"
        return False

    def __str__(self) -> str:
        return self.text
