"""The set-up sheet: look of the window, rules and their options, stats of the selected mover.

Each row says what is set and what it means, steps to the next or the previous value, or lets it be written.  What
belongs to the game can be undone like a move.  Knows no pygame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from functools import partial
from typing import Any, get_type_hints

from tactical.errors import Refusal, TacticalError
from tactical.formats.native import read_words
from tactical.options import Option
from tactical.play.commands import SetMover
from tactical.play.session import Session
from tactical.registry import RULESETS
from tactical.rules.ruleset import Ruleset, get_ruleset
from tactical.show.labels import say
from tactical.show.sheet import HUGE, NORMAL, SMALL, Measure, Sheet
from tactical.units import show
from tactical.viewer.playing.hand import Hand
from tactical.viewer.playing.table import carried_over
from tactical.world.battlemap import Battlemap

ROW, HEAD, WIDE = 46.0, 84.0, 720.0
"""Height of a row and of what stands above them, and the sheet's width at the most."""
BETWEEN = "    "
"""What parts the keys that are told of."""
SHORT = 24
"""Letters of what a table says that stand beside its name."""
LONGEST = 60
"""Letters of a value at the most."""
STEPS = ("setup_up", "setup_down", "setup_far_up", "setup_far_down", "setup_first", "setup_last")
"""The commands that light another row."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: its `group`, name, value and meaning in words; `step` goes on by so many values, and may tell why not.

    `write` takes a value in words, and may tell why not.  One with neither is only told.
    """

    group: str
    name: str
    value: str
    doc: str = ""
    step: Callable[[int], str] | None = None
    write: Callable[[str], str] | None = None

    @property
    def title(self) -> str:
        """The name as it stands in the sheet: those of rules and maps begin small."""
        return self.name[:1].upper() + self.name[1:]


@dataclass
class Setup:
    """The sheet while it is open: the row that is lit, the place of the first one that is shown, what is written in
    the lit one (None: nothing is), and what is `sought`: only rows that have those words are shown.
    """

    chosen: int = 0
    first: int = 0
    written: str | None = None
    sought: str = ""

    def found(self, settings: Sequence[Setting]) -> list[int]:
        """The numbers of the rows that are shown: those with what is looked for, whichever part says it."""
        words = self.sought.lower().split()
        said = (f"{one.name} {one.group} {one.doc}".lower() for one in settings)
        return [n for n, text in enumerate(said) if all(word in text for word in words)]

    def begin(self, number: int, one: Setting) -> None:
        """Begin to write in a row: what is set there can be changed letter by letter."""
        self.chosen = number
        self.written = "" if one.value == say("setup.nothing") else one.value

    def type(self, letters: str) -> bool:
        """Write on, in the row that is written in, else in what is looked for; a backspace takes a letter away.

        False where a space is none of its letters.
        """
        words = self.sought if self.written is None else self.written
        if self.written is None and not words and letters == " ":
            return False
        words = words[:-1] if letters == "\b" else (words + letters)[:LONGEST]
        if self.written is None:
            self.sought, self.first = words, 0
        else:
            self.written = words
        return True

    def move(self, by: int, rows: Sequence[int], room: int) -> None:
        """Light another of the rows that are shown; they move along so that it is."""
        self.written = None
        if not rows:
            return
        here = rows.index(self.chosen) if self.chosen in rows else -1 if by > 0 else len(rows)
        place = min(max(here + by, 0), len(rows) - 1)
        self.chosen = rows[place]
        self.first = min(max(self.first, place - room + 1), place)

    def scroll(self, by: int, count: int, room: int) -> None:
        """Move the rows."""
        self.first = min(max(self.first + by, 0), max(0, count - room))


def of_game(hand: Hand) -> Iterator[Setting]:
    """Rules, the stats of the selected mover, and the options in force."""
    if hand.selected is None:
        return
    reach, mover = hand.about, hand.table.mover(hand.selected)
    ruleset = get_ruleset(reach.ruleset)
    rules = say("setup.rules")
    yield Setting(rules, say("setup.system"), ruleset.title, ruleset.summary, lambda by: change_rules(hand, by))
    group = say("setup.stats", name=mover.label)
    yield from _stats(hand, group, reach.query.stats)
    for name in reach.options:
        spec = reach.options.spec(name)
        value = reach.options[name]
        words = f"{spec.doc}  [{spec.clause}]"
        step = _option_step(hand, spec, value) if _can_step(spec, value) else None
        write = None if isinstance(value, bool) else partial(_write_option, hand, spec)
        yield Setting(say("setup.options"), name.replace("_", " "), _word(value), words, step, write)
    yield from tables_of(ruleset)


def tables_of(ruleset: Ruleset) -> Iterator[Setting]:
    """The tables of a rule system, a row each, to be read: nothing in them can be set."""
    for title, table in ({} if ruleset.sheet is None else ruleset.sheet()).items():
        group = say("setup.table")
        if not isinstance(table, Mapping):
            yield Setting(group, title, _word(table))
            continue
        for name, row in table.items():
            words = (
                "; ".join(f"{_spaced(key)}: {_word(one)}" for key, one in row.items())
                if isinstance(row, Mapping)
                else _word(row)
            )
            short = len(words) <= SHORT
            yield Setting(group, f"{title}, {_spaced(name)}", words if short else "", "" if short else words)


def _spaced(name: object) -> str:
    return str(name).replace("_", " ")


def _word(value: object) -> str:
    if isinstance(value, bool):
        return say("setup.yes" if value else "setup.no")
    if isinstance(value, tuple):
        pairs = (": ".join(map(_word, one)) if isinstance(one, tuple) else _word(one) for one in value)
        return ", ".join(pairs) or say("setup.nothing")
    if isinstance(value, (int, Fraction)):
        return show(Fraction(value))
    return say("setup.nothing") if value in (None, "") else str(value)


# -- stats ------------------------------------------------------------------------------------------------------------


def _stats(hand: Hand, group: str, stats: Any) -> Iterator[Setting]:
    if not is_dataclass(stats):
        return
    hints = get_type_hints(type(stats))
    for one in fields(stats):
        value = getattr(stats, one.name)
        kind = hints.get(one.name)
        step = None
        if isinstance(value, bool):
            step = _stat_step(hand, one.name, partial(_other, value))
        elif isinstance(value, (int, Fraction)):
            step = _stat_step(hand, one.name, partial(_further, value))
        elif value is None and kind is not None and ("int" in str(kind) or "Fraction" in str(kind)):
            step = _stat_step(hand, one.name, lambda by: 0)
        write = None if isinstance(value, bool) else partial(_write_stat, hand, one.name, isinstance(value, tuple))
        doc = "" if step is not None else say("setup.by_hand")
        yield Setting(group, one.name.replace("_", " "), _word(value), doc, step, write)


def _write_stat(hand: Hand, name: str, several: bool, words: str) -> str:
    """Set a stat to what was written, as a map's file writes it; nothing takes it away."""
    assert hand.selected is not None
    given = words.strip()
    if several and given and not given.startswith("["):
        given = f"[{given}]"
    try:
        stats = read_words(f"{name}: {given}") if given else {name: None}
        done = hand.table.do(SetMover(hand.selected, stats))
    except (TacticalError, ValueError) as error:
        return str(error)
    return done.text if isinstance(done, Refusal) else ""


def _other(value: bool, by: int) -> bool:
    return not value


def _further(value: int | Fraction, by: int) -> int | Fraction:
    return max(0, value + by * _stride(value))


def _stride(value: int | Fraction) -> int:
    return 5 if value >= 10 and value % 5 == 0 else 1


def _stat_step(hand: Hand, name: str, after: Callable[[int], object]) -> Callable[[int], str]:
    def step(by: int) -> str:
        assert hand.selected is not None
        done = hand.table.do(SetMover(hand.selected, {name: after(by)}))
        return done.text if isinstance(done, Refusal) else ""

    return step


# -- options and rules ------------------------------------------------------------------------------------------------


def _can_step(spec: Option, value: object) -> bool:
    return len(spec.values) > 1 or (spec.number and isinstance(value, (int, Fraction))) or (spec.number and spec.empty)


def next_value(spec: Option, value: object, by: int) -> object:
    """The value of an option that comes after another: the next of its words, else the next number."""
    if spec.values and value in spec.values:
        ring = list(spec.values) + ([None] if spec.empty else [])
        here = next(n for n, one in enumerate(ring) if one is value or one == value)
        return ring[(here + by) % len(ring)]
    if value is None or isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        return spec.values[0] if spec.values else (spec.least or Fraction(0)) + 1
    after = value + by * _stride(value)
    if spec.least is not None and after < spec.least:
        return None if spec.empty else spec.least
    return after


def _write_option(hand: Hand, spec: Option, words: str) -> str:
    given = words.strip() or (None if spec.empty else "")
    options = {**hand.session.position.options, spec.name: given}
    return _begin_anew(hand, lambda: Session(hand.session.position.changed(options=options)))


def _option_step(hand: Hand, spec: Option, value: object) -> Callable[[int], str]:
    def step(by: int) -> str:
        position = hand.session.position
        options = {**position.options, spec.name: next_value(spec, value, by)}
        return _begin_anew(hand, lambda: Session(position.changed(options=options)))

    return step


def change_rules(hand: Hand, by: int) -> str:
    """Play by the next rule system that takes everybody's stats; options go back to its own."""
    names = list(RULESETS.names())
    here = names.index(hand.about.ruleset)
    why = ""
    for n in range(1, len(names)):
        name = names[(here + by * n) % len(names)]
        before = hand.session.position
        bare = Session(before.changed(options={}))
        why = _begin_anew(hand, partial(_under, bare, hand.battlemap, name))
        if not why:
            return ""
    return why


def _under(session: Session, battlemap: Battlemap, rules: str) -> Session:
    return carried_over(session, battlemap, rules)[0]


def _begin_anew(hand: Hand, make: Callable[[], Session]) -> str:
    """Go on with another session, if it holds for everybody; why not, else."""
    before = hand.table.session
    try:
        hand.table.replace(make())
        for name in hand.table.ids:
            _ = hand.table.about(name).profile
    except (TacticalError, ValueError) as error:
        hand.table.undo_replaced(before)
        return str(error)
    hand.forget()
    hand.pins.clear()
    return ""


# -- the sheet --------------------------------------------------------------------------------------------------------


def rows_in(height: float) -> int:
    """How many rows there is room for."""
    return max(1, int((height - HEAD - 34) // ROW))


def sheet_of(
    measure: Measure, width: float, height: float, setup: Setup, settings: Sequence[Setting],
    told: tuple[str, bool] = ("", False),
) -> Sheet:  # fmt: skip
    """The sheet: rows give ``set:2:1`` (the third one, a value on), ``set:2:-1``, ``write:2``.

    `told` is the last message and whether it warns.
    """
    wide, room = min(WIDE, width - 24), rows_in(height)
    rows = setup.found(settings)
    shown = [(n, settings[n]) for n in rows[setup.first : setup.first + room]]
    sheet = Sheet(wide, measure, height=HEAD + ROW * max(1, len(shown)) + 34)
    sheet.plate((0, 0, wide, sheet.height), "panel", "line", 10)
    title = sheet.words(say("setup"), (20, 14), HUGE)
    keys = sheet.as_many(say("setup.keys").split(BETWEEN), SMALL, wide - title[2] - 60, BETWEEN)
    sheet.words(keys, (wide - 20, 20), SMALL, "dim", "right")
    box = (12.0, 46.0, wide - 24, 28.0)
    sheet.plate(box, "bar", "accent_line" if setup.sought else "line", 5)
    sheet.words(setup.sought or say("help.filter"), (24, 53), SMALL, "text" if setup.sought else "faint", "left",
                wide - 48)  # fmt: skip
    if not shown:
        sheet.words(say("help.nothing"), (24, HEAD + 12), SMALL, "dim", "left", wide - 48)
    value_at = wide - min(240.0, wide * 0.42)
    for place, (n, one) in enumerate(shown):
        y = HEAD + ROW * place
        box = (12.0, y, wide - 24, ROW - 4)
        sheet.plate(box, "card", "accent_line" if n == setup.chosen else "card", 5)
        middle = y + 7 if one.doc else y + 15
        named = sheet.words(one.title, (24, middle), NORMAL, "text", "left", value_at - 40)
        group = one.group[:1].upper() + one.group[1:]
        sheet.words(group, (named[0] + named[2] + 12, middle + 1), SMALL, "faint", "left",
                    max(20, value_at - named[0] - named[2] - 24))  # fmt: skip
        alone = not (one.value or one.step or one.write)
        sheet.words(one.doc, (24, y + 25), SMALL, "dim", "left", wide - 48 if alone else value_at - 36)
        right = wide - 24.0
        field = (value_at + 32, y + 7, right - value_at - 64, 28.0)
        if n == setup.chosen and setup.written is not None:
            sheet.plate(field, "bar", "accent_line", 5)
            words = f"{setup.written}_"
            while len(words) > 1 and measure(words, NORMAL) > field[2] - 12:
                words = words[1:]
            sheet.words(words, (field[0] + 6, y + 15), NORMAL, "text", "left", field[2] - 10)
            continue
        if one.step is not None:
            for label, by, at in (("»", 1, right - 26), ("«", -1, value_at)):
                sheet.pill((at, y + 7, 26, 28), label, f"set:{n}:{by}")
        if one.write is not None:
            sheet.button(field, f"write:{n}", say("setup.write"))
        sheet.words(one.value, ((value_at + right) / 2, y + 15), NORMAL, "accent_line", "middle",
                    right - value_at - 64)  # fmt: skip
    words = say("setup.of", first=setup.first + 1, last=setup.first + len(shown), all=len(rows)) if shown else ""
    foot = sheet.words(words, (wide - 20, sheet.height - 24), SMALL, "dim", "right")
    message, warn = told
    sheet.words(message, (20, sheet.height - 24), SMALL, "warn_line" if warn else "dim", "left", foot[0] - 40)
    return sheet
