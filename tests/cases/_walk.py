"""A walk of a scenario, token by token, in a game: each is a command, as a player gives it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from _maps import board, mover_of, named

from tactical import (
    Accepted,
    Act,
    ActionTaken,
    AttackOffered,
    Cell,
    Dash,
    Disengage,
    EndTurn,
    GoOn,
    Move,
    MovementSpent,
    Posture,
    PostureChanged,
    Push,
    Pushed,
    Refusal,
    Session,
    SetMover,
    Spend,
    Stepped,
    TurnEnded,
    Undone,
)
from tactical.play.commands import Leg
from tactical.units import exact

Scenario = Mapping[str, Any]
KIT = "mover"
POSTURES = {"stand": "standing", "crouch": "crouched", "prone": "prone"}
WORDS = {posture: word for word, posture in POSTURES.items()}


def order(scenario: Scenario, session: Session, token: str) -> Accepted | Refusal:
    """One token of a walk that is no step."""
    word, _, rest = token.partition(":")
    simple = {
        "act": Act(KIT), "dash": Dash(KIT), "bonus_dash": Dash(KIT, bonus=True), "disengage": Disengage(KIT),
        "end_turn": EndTurn(KIT), **{name: Posture(KIT, posture) for name, posture in POSTURES.items()},
    }  # fmt: skip
    if word in simple:
        return session.execute(simple[word])
    if word == "adjust":
        return session.execute(Spend(KIT, exact(rest)))
    if word == "push":
        way = session.route(KIT, named(scenario, rest))
        return session.execute(Push(KIT, way.cells[1:])) if way else way
    if word == "reset" or (session.log and isinstance(session.log[-1].done, EndTurn)):
        # the table's undo takes the end of a turn back as well; what a turn itself has to take back is what a reset is
        return session.reset_turn()
    return session.undo()


def leg(scenario: Scenario, token: str) -> Leg | None:
    """A token that is a step."""
    word, sign, rest = token.partition(":")
    if sign and word in ("jump", "link"):
        return Leg(named(scenario, rest), word)
    plain = {"act", "dash", "bonus_dash", "disengage", "end_turn", "adjust", "push", "reset", "undo", *POSTURES}
    return None if word in plain else Leg(named(scenario, token))


def begun(scenario: Scenario) -> Session:
    """A game on the scenario's map in which the mover has done what the scenario says."""
    mover, turn = mover_of(scenario)
    there = board(scenario)
    mover = replace(mover, id=KIT)
    session = Session.new(there.with_(movers=(*there.movers, mover)), options=scenario.get("options", {}))
    done = {name: getattr(turn, name) for name in ("spent", "diagonals") if getattr(turn, name)}
    if done:
        session.execute(SetMover(KIT, turn=done))
    return session


class Walked:
    """A walk token by token: the game, the steps that wait for a cell to stop in, and what was met on the way."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.session = scenario, begun(scenario)
        self.waiting: list[Leg] = []
        self.why: list[list[str]] = []
        self.attacks: list[list[Any]] = []

    def go(self, number: int, token: str) -> Refusal | None:
        """Carry out a token; why not."""
        step = leg(self.scenario, token)
        if step is None:
            if self.waiting:
                return self.moved(self.waiting, number)
            shown = self.shown(self.at(), POSTURES.get(token, ""))
            done = order(self.scenario, self.session, token)
            self.why.append(["adjust"] if token.startswith("adjust") else shown if token in POSTURES else [])
            return None if done else done
        self.waiting.append(step)
        shown = self.shown(step.cell, self.session.position.mover(KIT).posture)
        refused = self.moved(self.waiting, number)
        if refused is None:
            self.waiting = []
            self.why.append(shown)
        # who may not stop there goes on with the next step
        return None if refused is not None and refused.code == "move.stop" else refused

    def at(self) -> Cell:
        return self.session.position.status(KIT).state.cell

    def shown(self, cell: Cell, arrive: str) -> list[str]:
        """What the way there is shown to be charged for."""
        way = self.session.route(KIT, cell, arrive=arrive)
        if not way:
            return []
        charges = [charge for step in way.steps for charge in step.charges]
        return sorted(charge.name for charge in charges if charge.flat or charge.value != 1)

    def moved(self, legs: Sequence[Leg], number: int) -> Refusal | None:
        """Go these steps; why not."""
        done = self.session.execute(Move(KIT, legs[-1].cell, legs=legs))
        if not done:
            return done
        while done and done.of(AttackOffered):
            # what hides is offered to the game master alone
            for offered in done.of(AttackOffered):
                back = next(n for n, one in enumerate(reversed(legs)) if one.cell == offered.to)
                self.attacks += [] if offered.hidden else [[offered.enemy, number - back]]
            done = self.session.execute(GoOn(KIT))
        return None

    def ledger(self) -> list[list[Any]]:
        """The lines of the turn, as the log of the game tells them."""
        lines: list[list[list[Any]]] = []
        for entry in self.session.log:
            if any(isinstance(event, TurnEnded) for event in entry.events):
                lines = []
                continue
            for event in entry.events:
                if isinstance(event, Undone):
                    del lines[len(lines) - event.count :]
                    break
            else:
                found = [line for event in entry.events if (line := self.line(event))]
                # a push is one line, however far it went
                lines.append(found[-1:] if isinstance(entry.done, Push) else found)
        return [line for one in lines for line in one]

    def line(self, event: Any) -> list[Any] | None:
        name = self.session.battlemap.name_of
        match event:
            case Stepped(way="link"):
                return [f"link:{name(event.cell)}", event.cost]
            case Stepped():
                return [name(event.cell), event.cost]
            case PostureChanged():
                return [WORDS[event.posture], event.cost]
            case ActionTaken():
                return [event.action, 0]
            case Pushed():
                return [f"push:{name(event.cell)}", 0]
            case MovementSpent():
                return [f"adjust:{event.amount}", event.amount]
        return None


def clipped(scenario: Scenario, tokens: Sequence[str]) -> bool:
    """Whether so much of a walk can be gone."""
    legs = [one for token in tokens if (one := leg(scenario, token))]
    return begun(scenario).why_not(Move(KIT, legs[-1].cell, legs=legs)) is None
