"""What the player does: moves, postures, gaits, actions, doors, answers to rolls and attacks, undo, the end of a turn.

Knows no pygame and no pixels: every act of mouse or keyboard is a method here or in `plan`, and can be tested as one.
`done` is what the last order brought about, for the window to play on the map.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.movement.route import Route, State
from tactical.play.commands import Act, Command, Dash, Disengage, Gait
from tactical.play.events import Accepted, Ended, FellShort, Halted, PostureChanged
from tactical.play.session import Session
from tactical.rules.checks import Check
from tactical.rules.ruleset import get_ruleset
from tactical.show import choices, rolls
from tactical.show.amounts import amount, band_named, unit_of
from tactical.show.choices import Choice
from tactical.show.labels import LABELS, say
from tactical.show.scene.route import step_bands
from tactical.units import Cell, spoken
from tactical.viewer.playing import asking
from tactical.viewer.playing.doors import Doors
from tactical.viewer.playing.table import Table

AHEAD = 3
"""Most turns to look ahead."""
DIGITS = 3
"""Most digits of a total."""


def whose(session: Session) -> str | None:
    """Whose hand it is in a game that goes on: of whoever is asked something, else of whose turn it is."""
    waiting = session.position.pending
    return (waiting.mover if waiting is not None else session.active) or None


class Hand(Doors):
    """The player's hand at a table."""

    def __init__(self, table: Table, selected: str | None = None) -> None:
        self.done: tuple[State, str, Accepted, Route | None] | None = None
        super().__init__(table, selected)

    # -- moving -------------------------------------------------------------------------------------------------------

    def click(self, cell: Cell) -> None:
        """Select who stands there, or go there."""
        if cell not in self.battlemap:
            return
        if self.table.pending is not None:
            self.tell(say("waiting"), warn=True)
            return
        someone = self.mover_at(cell)
        if someone is not None and someone.id != self.selected and not self.waypoints:
            self.select(someone.id)
            return
        self.hover, self.rested = cell, True
        self.go()

    def go(self) -> None:
        """Carry out the way that is shown; while a move waits, let it go on (or take its roll)."""
        if self.table.pending is not None:
            self.answer("go_on" if self.table.pending.what == "attack" else self.typed or "roll")
            return
        shown, route = self.shown, self.route
        self.going = route is None and self.target is not None and (bool(self._routing) or self.reach is None)
        if self.going:
            self.tell(say("reckoning"))
        elif isinstance(route, Refusal):
            self.refuse(route)
        elif route is not None and self.selected is not None:
            # what the player saw is what is asked for: out of date it is refused, and the way of now is shown
            self.take(shown or route)

    def go_safe(self, cell: Cell | None = None, by: str = "") -> None:
        """Go to a cell (by default where the way that is shown leads) sparing a risk, whatever more it costs.

        `by` is the risk: ``attacks``, or the ``chance`` not to get there; by default the first of them that there is.
        """
        if cell is not None:
            self.hover, self.rested = cell, True
        if not self.known(partial(self.go_safe, None, by)):
            return
        route = self.route
        if self.table.pending is not None and not isinstance(route, Refusal):
            self.tell(say("waiting"), warn=True)
        elif (route := self.granted(route)) is not None:
            doubtful = self.chance is not None and self.chance < 1 and not self.waypoints and not self.arrive
            self.wanted, self.by = route, by or ("chance" if doubtful and not route.provokes else "attacks")
            if not self.seek(asking.AT_ONCE):
                self.take_safe()

    def take_safe(self) -> None:
        """Take the way that was asked for without a risk, now that it is known whether there is one."""
        route, self.wanted = self.wanted, None
        if route is not None:
            risky = route.turn == 1 and (self.by == "chance" or bool(route.provokes))
            way = self.sparing(route) if risky else route
            if way is None or (self.by == "attacks" and way.provokes):
                self.tell(say("safe.none"), warn=True)
            else:
                self.take(way)

    def take(self, route: Route, **declared: Any) -> None:
        """Carry a way out, as far as the present turn goes; `declared` is what else there is to the move."""
        assert self.selected is not None
        before, bands = self.table.state(self.selected), self.reach.bands
        if route.turn > 1 and not route.turns[0].steps:
            # nothing of it is made this turn: it is planned, and no command
            self._keep(route)
            name = self.table.mover(self.selected).label
            self.tell(say("plan.later", cell=self.battlemap.name_of(route.end.cell), name=name))
            return
        done = self.granted(self.table.go(self.selected, route, **declared))
        if done is None:
            return
        self._keep(route)
        self.declared, self.priced = route, bands
        self._moved(before, self.selected, done)

    def answer(self, how: str) -> None:
        """Answer a move that waits: ``go_on``, ``stop_here``, ``roll``, ``passed``, ``failed``, or the total thrown."""
        waiting, check = self.table.pending, rolls.asked(self.session)
        if how == "total":
            how = self.typed
        if check is not None and rolls.unnumbered(check) and not self.number:
            self._take_number(check)
            return
        before = self.table.state(waiting.mover) if waiting is not None else None
        number = int(self.number) if check is not None and rolls.unnumbered(check) else None
        nothing = Refusal("play.nothing_to_do", {"mover": self.selected or ""})
        done = self.granted(self.table.answer(how, number) if how else nothing)
        if done is not None and waiting is not None and before is not None:
            self.typed = self.number = ""
            self._moved(before, waiting.mover, done)

    def _take_number(self, check: Check) -> None:
        """The game master's number for a roll that has none comes before its total."""
        found = check.with_number(int(self.typed)) if self.typed else None
        if found is None:
            self.tell(say("roll.number.first"), warn=True)
        elif self.granted(found) is not None:
            self.number, self.typed = self.typed, ""
            self.tell(say("roll.number.is", number=self.number))

    def give_number(self, number: str) -> None:
        """The game master's number, chosen from those that are offered."""
        self.typed = number
        self.answer("total")

    def type_digit(self, digit: str) -> None:
        """One more digit of the total thrown at the table."""
        if rolls.asked(self.session) is not None:
            self.typed = (self.typed + digit).lstrip("0")[:DIGITS]

    def back(self) -> None:
        """Take the last digit or waypoint back; without one drop the plan; a move that was struck at ends here."""
        if self.typed:
            self.typed = self.typed[:-1]
        elif self.number:
            self.number = ""
        elif self.table.pending is not None and self.table.pending.what == "attack":
            self.answer("stop_here")
        elif self.waypoints:
            self.waypoints.pop()
            self.tell(self.counted())
        else:
            self.forget()

    def _moved(self, before: State, mover: str, done: Accepted) -> None:
        """Tell what became of a move, and keep it for the window to play."""
        self._ways.pop("shown", None)
        self.done = (before, mover, done, self.declared)
        self._route = None
        told = self.table.told(done)
        for event in done.of(Ended):
            if isinstance(event, Ended):
                names = {"name": self.table.mover(mover).label, "cell": self.battlemap.name_of(event.cell)}
                ended = say("moved", cost=self._price(event.cost), **names)
                goal = self.rests[mover][-1].goal if self.rests.get(mover) else None
                if goal is not None and event.cell != goal:
                    ended = say("moved_part", goal=self.battlemap.name_of(goal), **names)
                told = f"{told}; {ended}" if told else ended
        self.tell(told, warn=bool(done.of(FellShort) or done.of(Halted)))
        self._to_floor()

    def _to_floor(self) -> None:
        """Look at the floor that the selected mover is on."""
        if self.selected is not None:
            self.level = self.table.state(self.selected).cell.level

    def _price(self, cost: Fraction) -> str:
        reach = self.about
        route = self.declared
        band = None
        if route is not None:
            # what was walked is of the turn that the way began in, and in the unit of the gait that paid for it
            paid = step_bands(route, self.priced)
            first = [one for step, one in zip(route.steps, paid, strict=True) if step.turn == 1]
            band = first[-1] if first else band_named(route.band, self.priced)
        return f"{amount(cost, band)} {unit_of(self.priced, reach.unit)}"

    # -- what is no move ----------------------------------------------------------------------------------------------

    def change_posture(self, posture: str) -> None:
        """Take a posture on the spot; with waypoints set it is the posture to arrive in."""
        if self.waypoints:
            self.arrive_in(posture)
            return
        if self.selected is None or posture == self.table.state(self.selected).posture:
            return
        if posture not in self.about.profile.postures:
            return
        done = self.granted(self.table.change_posture(self.selected, posture))
        if done is None:
            return
        cost = sum((event.cost for event in done if isinstance(event, PostureChanged)), Fraction(0))
        price = f"{spoken(cost)} {self.about.unit}" if cost else say("free")
        name = self.table.mover(self.selected).label
        self.tell(say("posture_changed", name=name, posture=LABELS.get(posture, posture), price=price))

    def choose_gait(self, name: str) -> None:
        """Move at this gait only; chosen already, at any gait again.  A gait that is not open tells why."""
        if self.selected is None:
            return
        chosen = self.session.position.status(self.selected).gait
        wanted = "" if name == chosen else name
        try:
            done = self._order(Gait(self.selected, wanted))
        except UnknownName as error:
            self.tell(str(error), warn=True)
            return
        if done is not None:
            label = self.table.mover(self.selected).label
            titles = {gait.name: gait.title or gait.name for gait in self.about.profile.gaits}
            words = say("gait.chosen", name=label, gait=titles[wanted]) if wanted else say("gait.open", name=label)
            self.tell(words)

    def step_gait(self, by: int) -> None:
        """The next (previous) gait that is open, then any gait again."""
        if self.selected is None:
            return
        about = self.about
        open_gaits = [gait.name for gait in about.profile.gaits if gait.name not in about.refused]
        if len(open_gaits) < 2:
            title = get_ruleset(about.ruleset).title
            self.tell(say("gait.none", rules=title), warn=True)
            return
        ring = ["", *open_gaits]
        chosen = self.session.position.status(self.selected).gait
        here = ring.index(chosen) if chosen in ring else 0
        wanted = ring[(here + by) % len(ring)]
        self.choose_gait(wanted or chosen)

    def act(self, name: str) -> None:
        """Take an action: ``act``, ``dash`` or ``disengage``."""
        if self.selected is None:
            return
        label = self.table.mover(self.selected).label
        ruleset = self.session.position.ruleset(self.selected)
        if ruleset.order is None and (name != "act" or ruleset.act is None):
            self.tell(say("no_actions", rules=get_ruleset(self.about.ruleset).title), warn=True)
            return
        orders: dict[str, Command] = {
            "act": Act(self.selected), "dash": Dash(self.selected), "disengage": Disengage(self.selected)
        }  # fmt: skip
        words = {"act": "acted", "dash": "dashed", "disengage": "disengaged"}
        if self._order(orders[name]) is not None:
            self.tell(say(words[name], name=label))

    def go_to_door(self, door: str) -> None:
        """Walk to a door and open it (or close it); the walk may be paused, and then the door stays as it is."""
        if not self.known(partial(self.go_to_door, door)):
            return
        way = self.granted(self.way_to_door(door))
        if way is None:
            return
        self.take(way)
        done = self.done
        if self.table.pending is None and self.selected and door in choices.doors_beside(self.session, self.selected):
            self.use_door(door)
            self.done = done

    @property
    def onward(self) -> Choice | None:
        """The button of Space: a move that waits goes on, else the plan is carried out as far as this turn goes.

        Without a plan, or with nothing left of the turn, it ends the turn.  None where nobody is selected.
        """
        if self.selected is None:
            return None
        waiting, way = self.table.pending, self.planned
        if waiting is not None:
            key = "attack" if waiting.what == "attack" else "total" if self.typed else "roll"
            check = rolls.asked(self.session)
            if check is not None and rolls.unnumbered(check) and not self.number:
                key = "number"
            return Choice("do", say(f"onward.{key}", typed=self.typed), "Space", on=True)
        here = self.table.state(self.selected).cell
        sought = way is None and self.destination not in (None, here)
        later = isinstance(way, Route) and any(step.turn > 1 for step in way.steps[:1])
        if not sought and (way is None or later or (isinstance(way, Refusal) and self.put_off)):
            return Choice("do", say("onward.end"), "Space")
        cell = self.battlemap.name_of(self.destination or here)
        if isinstance(way, Refusal):
            return Choice("do", say("onward.go", cell=cell), "Space", refused=way.text)
        near = way is None or way.turn == 1
        return Choice("do", say("onward.go" if near else "onward.towards", cell=cell), "Space", on=True)

    def do_next(self, seen: str | None = None) -> None:
        """Do what stands on the button of Space.

        `seen` is what stood on it when it was last painted: if that is no longer so, nothing is done but told.
        """
        choice = self.onward
        if choice is None:
            return
        if seen is not None and seen != choice.label:
            self.tell(say("onward.changed", now=choice.label), warn=True)
            return
        if choice.label != say("onward.end"):
            if self.table.pending is None and self.given_up():
                return
            hover, self.hover = self.hover, None
            self.go()
            # a way that is still worked out is that of the plan, wherever the pointer is
            self.hover = None if self.going else hover
            return
        if self.selected is not None:
            if self.granted(self.table.end_turn(self.selected)) is None:
                return
            if self.goal is None:
                self.forget()
            active = self.table.session.active
            if active and active != self.selected:
                self.select(active)
            if self.given_up():
                return
            name, turn = self.table.mover(self.selected).label, self.table.turn(self.selected).turn
            free = not self.session.position.order and len(self.table.ids) > 1
            key, goal = "turn_ended.free" if free else "turn_ended", self.goal
            if goal is not None and goal != self.table.state(self.selected).cell:
                key = "turn_ended.plan"
            self.tell(say(key, n=turn, name=name, goal=self.battlemap.name_of(goal) if goal is not None else ""))

    # -- taking back --------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take the last order back."""
        self._back_and_forth(self.table.undo, say("undone"))

    def redo(self) -> None:
        """Do it again."""
        self._back_and_forth(self.table.redo, say("redone"))

    def reset(self) -> None:
        """Take back everything since the turn began."""
        self._back_and_forth(self.table.reset, say("was_reset"))

    def _back_and_forth(self, act: Callable[[], Accepted | Refusal], words: str) -> None:
        before = self.session.active
        if self.granted(act()) is None:
            return
        self._taken_back()
        active = self.session.active
        if active not in ("", before, self.selected):
            self.select(active)
        self.typed = self.number = ""
        self.tell(words)
        self._to_floor()

    # -- looking ------------------------------------------------------------------------------------------------------

    def look_ahead(self) -> None:
        """One, two, three turns ahead, and one again."""
        self.turns = self.turns % AHEAD + 1
        self.tell(say("turns_ahead", n=self.turns))

    def change_level(self, by: int) -> None:
        """Look at the floor above or below."""
        if 0 <= self.level + by < len(self.battlemap.levels):
            self.level += by
            self.hover = None
            self.tell(say("level", name=self.battlemap.levels[self.level].name))
        else:
            here = self.battlemap.levels[self.level : self.level + 1] if len(self.battlemap.levels) > 1 else ()
            self.tell(say("no_more_levels", name=here[0].name) if here else say("no_levels"), warn=True)
