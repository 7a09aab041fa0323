"""What a desk is asked that changes nothing: reaches, ways, chances, risks, pictures, and why a command is refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from tactical.errors import Refusal, UnknownName
from tactical.hosts import given as checked
from tactical.hosts import overlay
from tactical.hosts.bounds import Bounds
from tactical.hosts.given import Wrong
from tactical.movement.declare import declare_route
from tactical.movement.reach import Reach, reach, with_stunt
from tactical.play.commands import Command
from tactical.play.events import Accepted
from tactical.play.session import Session
from tactical.registry import RULESETS
from tactical.rules.ruleset import get_ruleset
from tactical.units import gait_name
from tactical.wire.reading import from_json
from tactical.wire.views import Reached, choices, told_clause, told_ruleset, usual_risk, weighed_cell, weighed_way
from tactical.wire.writing import SCHEMA, Writer, namer, to_json
from tactical.world.battlemap import Battlemap

Json = dict[str, Any]


class Questions:
    """Answers about the maps and sessions of one caller."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds
        self.maps: dict[str, Battlemap] = {}
        self.sessions: dict[str, Session] = {}
        self._cells = "pairs"

    def do_reach(
        self,
        mover: str,
        map: str = "",
        session: str = "",
        turns: int = 1,
        gait: str = "",
        options: Json | None = None,
        rules: str = "",
        odds: bool = False,
    ) -> Json:
        """Where a mover can get to: on a map from the start of a turn, in a session with what is left of it.

        With `odds` each cell has the best chance of ending there this turn, as ``tactical reach --odds`` tells it.
        """
        found = self._reach(mover, map, session, turns, gait, options, rules)
        plain = Reached.of(found)
        written = self._json(plain, found.battlemap)
        if odds:
            for one, row in zip(plain.reached, written["cells"], strict=True):
                row.update(weighed_cell(found, one))
        return {**written, **_asked(map, session)}

    def do_route(
        self,
        mover: str,
        to: Any,
        map: str = "",
        session: str = "",
        via: list[Any] | None = None,
        arrive: str = "",
        turns: int = 1,
        gait: str = "",
        options: Json | None = None,
        rules: str = "",
        odds: bool = False,
        stunt: int | None = None,
    ) -> Json:
        """The cheapest way to a cell with its ledger, or the refusal; a `gait` is that of every turn.

        With `odds` also the chance that nothing fails on it, where it may end, and the best chance of the cell.
        With `stunt` the move is a stunt, so much harder, as `move` takes it.
        """
        found = self._reach(mover, map, session, turns, gait, options, rules)
        battlemap = found.battlemap
        harder = with_stunt(found, stunt)
        if isinstance(harder, Refusal):
            return self._json(harder, battlemap)
        found = harder
        through = checked.cells(battlemap, self.bounds.through(via or []), "via")
        route = found.route(checked.cell(battlemap, to), via=through, arrive=arrive or None)
        if not route:
            return self._json(route, battlemap)
        heading = {**_asked(map, session), **_who(found), "options": found.options.wire()}
        if not odds:
            return {**self._json(route, battlemap), **heading}
        move, write = declare_route(found.query, route), partial(self._write, battlemap=battlemap)
        if isinstance(move, Refusal):
            return {**self._json(route, battlemap), **heading, "odds": {"refusal": write(move)}}
        weighed = weighed_way(found, move, route, write)
        return {**self._json(route.with_checks(move.checks), battlemap), **heading, "odds": weighed}

    def do_risks(
        self,
        mover: str,
        to: Any,
        map: str = "",
        session: str = "",
        by: str = "",
        gait: str = "",
        options: Json | None = None,
        rules: str = "",
    ) -> Json:
        """The ways to a cell this turn that no other beats in both cost and risk, or why there are none."""
        found = self._reach(mover, map, session, 1, gait, options, rules)
        by = by or usual_risk(found)
        write = partial(self._write, battlemap=found.battlemap)
        cell = checked.cell(found.battlemap, to)
        heading = {"schema": SCHEMA, "kind": "risks", **_asked(map, session), **_who(found), "unit": found.unit}
        return {**heading, "by": by, "to": write(cell), **choices(found, cell, by, write)}

    def do_why_not(self, session: str, command: Json) -> Json:
        """Whether a command would be refused, and why: ``refusal`` is null where it would not.  Nothing happens."""
        game = self._session(session)
        return {"refusal": self._write(game.why_not(self._command(game, command)), game.battlemap)}

    def do_rulesets(self, name: str = "", clause: str = "") -> Json:
        """The rule systems with their stats, postures, ground and options, one alone, or what a clause of it says."""
        if clause and not name:
            raise Wrong("request", "clause needs name, the rule system that it is of")
        if clause:
            return {"schema": SCHEMA, "kind": "clause", **told_clause(get_ruleset(name), clause)}
        chosen = [get_ruleset(name)] if name else [one for _, one in RULESETS]
        return {"schema": SCHEMA, "kind": "rulesets", "rulesets": [told_ruleset(one) for one in chosen]}

    def do_draw(
        self,
        mover: str,
        to: Any = None,
        map: str = "",
        session: str = "",
        turns: int = 1,
        gait: str = "",
        options: Json | None = None,
        rules: str = "",
        pixels: int = 32,
    ) -> Json:
        """A reach, and the way to a cell, as SVG to lay over the caller's own picture of the map."""
        found = self._reach(mover, map, session, turns, gait, options, rules)
        route = None if to is None else found.route(checked.cell(found.battlemap, to))
        return {"svg": overlay.svg(found, route, cell=pixels)}

    # -- what is meant -------------------------------------------------------------------------------------------------

    def _json(self, value: object, on: Battlemap | None = None) -> Json:
        """An answer with its cells as the request asks for them, and what happened in words to show."""
        told = {"text": [event.text for event in value]} if isinstance(value, Accepted) else {}
        return {**to_json(value, cells=self._cells, on=on), **told}

    def _write(self, value: object, battlemap: Battlemap) -> Any:
        """A part of an answer with its cells as the request asks for them."""
        return Writer(namer(self._cells, battlemap), whole=True).value(value)

    def _command(self, game: Session, command: object) -> Command:
        """A command as a request states it, in its own words or as the library writes it."""
        if not isinstance(command, Mapping):
            raise Wrong("value", "command: expected an object")
        asked = {"schema": SCHEMA, "kind": "command", **checked.in_own_words(game, command)}
        return from_json(asked, on=game.battlemap)  # type: ignore[no-any-return]

    def _session(self, handle: object) -> Session:
        found = self.sessions.get(handle) if isinstance(handle, str) else None
        if found is None:
            raise UnknownName("session", str(handle)[:60], self.sessions)
        return found

    def _battlemap(self, handle: object, session: object) -> Battlemap:
        checked.one_of(map=handle, session=session)
        if session:
            return self._session(session).battlemap
        found = self.maps.get(handle) if isinstance(handle, str) else None
        if found is None:
            unknown = UnknownName("map", str(handle)[:60], self.maps)
            raise Wrong("name", f"{unknown} (load it first)")
        return found

    def _reach(
        self, mover: str, map: str, session: str, turns: int, gait: str, options: Json | None, rules: str
    ) -> Reach:
        gait = gait_name(gait)
        checked.one_of(map=map, session=session)
        if session:
            for name, value in (("options", options), ("rules", rules)):
                if value:
                    raise Wrong("request", f"{name}: a session has its own; give a map, or leave it out")
            return self._session(session).reach(mover, turns=turns, gait=gait)
        battlemap = self._battlemap(map, "")
        return reach(battlemap, mover, turns=turns, gait=gait, options=options, rules=rules or None)


def _asked(map: str, session: str) -> Json:
    """What was asked about, by its handle."""
    return {"session": session} if session else {"map": map}


def _who(found: Reach) -> Json:
    """Whose question it was, and under which rules."""
    return {"mover": found.mover.id, "rules": found.ruleset}
