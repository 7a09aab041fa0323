"""A desk that answers requests: one JSON object in, one out.  What carries them is somebody else's business.

    {"id": 1, "do": "load", "map": "village"}             {"id": 1, "ok": true, "result": {"map": "m1", ...}}
    {"id": 2, "do": "reach", "map": "m1", "mover": "raven"}
    {"id": 3, "do": "begin", "map": "m1", "seed": 7}      {"id": 3, "ok": true, "result": {"session": "s1", ...}}
    {"id": 4, "do": "move", "session": "s1", "mover": "raven", "to": "N9"}

A cell is read as ``"N9"`` or ``[13, 8]``; answers write numbers, and names where the request holds
``"cells": "names"``.  A refusal is an answer like any other (``"kind": "refusal"``); an error
(``"ok": false``) is what the caller got wrong, and never ends the desk.  ``help`` lists the requests.  Any request
may say how many ``"seconds"`` of work it is worth, and ``{"do": "cancel", "of": 2}`` calls off one that is not yet
answered: it then ends in the error ``too-long`` or ``cancelled``, and the ``cancel`` in ``"cancelled": true``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from tactical.errors import Refusal, meant
from tactical.formats import load_with_report
from tactical.hosts import given as checked
from tactical.hosts.bounds import Bounds
from tactical.hosts.fields import FIELDS, helped, read
from tactical.hosts.given import Wrong
from tactical.hosts.mistakes import error_line, faults, id_of, said
from tactical.hosts.questions import Json, Questions
from tactical.hosts.running import Running
from tactical.play.commands import Move
from tactical.play.events import Accepted
from tactical.play.session import Session
from tactical.units import gait_name
from tactical.wire import save
from tactical.wire.reading import from_json
from tactical.wire.writing import dumps
from tactical.world.battlemap import Battlemap


class Desk(Questions):
    """Maps and sessions of one caller, by handles ``m1``, ``s2`` …, whose numbers count maps and sessions together."""

    def __init__(self, bounds: Bounds | None = None) -> None:
        super().__init__(bounds or Bounds())
        self.done = False
        self.running = Running()
        self._made = self._asked = 0
        self._requests: dict[str, Callable[..., Any]] = {
            name.removeprefix("do_").replace("_", "-"): getattr(self, name) for name in dir(self) if name[:3] == "do_"
        }

    def answer(self, line: bytes) -> str:
        """The answer to one line.  Whatever stands in it, an answer comes of it."""
        request: object = None
        self._asked += 1
        try:
            try:
                data = json.loads(line)
            except UnicodeDecodeError as error:
                raise Wrong("json", "not UTF-8 JSON") from error
            except RecursionError as error:
                raise Wrong("json", "nested too deeply") from error
            except json.JSONDecodeError as error:
                raise Wrong("json", f"not a JSON object: {str(error)[:200]}") from error
            except ValueError as error:
                # what Python says of it names its own settings
                raise Wrong("json", "a number has too many digits") from error
            if not isinstance(data, dict):
                raise Wrong("json", "a request is a JSON object")
            request = data.pop("id", None)
            if isinstance(request, (dict, list, float, bool)):
                request = None
                raise Wrong("id", "an id is a whole number or a text")
            with self.running.under(request, self.bounds.time(data.pop("seconds", None))):
                return dumps({"id": request, "ok": True, "result": self._do(data)})
        except Wrong as wrong:
            found = id_of(line) if request is None else request
            return dumps({"id": found, "ok": False, "error": wrong.error})
        except Exception as error:
            return error_line(request, *said(error), **faults(error))

    def _do(self, data: Json) -> Any:
        name, known = data.pop("do", None), ", ".join(sorted(self._requests))
        if name is None:
            raise Wrong("request", f"a request needs do (known: {known})")
        handler = self._requests.get(name) if isinstance(name, str) else None
        if handler is None:
            hint = meant(str(name), self._requests)
            raise Wrong("request", f"do: no request {str(name)[:60]!r}{hint} (known: {known})")
        self._cells = data.pop("cells", "pairs")
        FIELDS["cells"].check(self._cells, "cells")
        return handler(**read(str(name), handler, data))

    # -- maps ---------------------------------------------------------------------------------------------------------

    def do_help(self, about: str = "") -> Json:
        """Every request with its fields, or one alone; about ``commands``, what execute and why-not take."""
        return helped(self._requests, about)

    def do_load(
        self, map: str = "", content: str = "", json: Json | None = None, format: str = "",
        options: Json | None = None, overlay: str = "",
    ) -> Json:  # fmt: skip
        """Read a map: a file or sample by its name (below another file), a file's content, or a map as JSON."""
        checked.one_of(map=map, content=content, json=json)
        self.bounds.room_for("maps", len(self.maps))
        report: list[str] = []
        if json is not None:
            if format or options or overlay:
                raise Wrong("request", "format, options and overlay are of a file; json is a map as to_json writes it")
            battlemap = from_json(json)
            if not isinstance(battlemap, Battlemap):
                raise Wrong("value", "json: expected a map")
        else:
            source: Path | bytes = content.encode() if content else self.bounds.map_file(map)
            more: Json = {"options": options, "overlay": self.bounds.path(overlay) if overlay else None}
            battlemap, told = load_with_report(source, format=format or None, **more)
            report = [str(line) for line in told.lines]
        self.bounds.fits(battlemap)
        handle = self._handle("m")
        self.maps[handle] = battlemap
        about = {"cols": battlemap.cols, "rows": battlemap.rows, "levels": list(battlemap.level_names)}
        movers = [mover.id for mover in battlemap.movers]
        return {"map": handle, "name": battlemap.name, **about, "movers": movers, "report": report}

    def do_map(self, map: str = "", session: str = "") -> Json:
        """The whole map as JSON, as it is now."""
        return self._json(self._battlemap(map, session))

    # -- sessions -----------------------------------------------------------------------------------------------------

    def do_begin(
        self,
        map: str,
        rules: str = "",
        options: Json | None = None,
        order: list[Any] | None = None,
        seed: int = 0,
        known: dict[str, list[Any]] | None = None,
    ) -> Json:
        """Begin a game on a map."""
        self.bounds.room_for("sessions", len(self.sessions))
        battlemap = self._battlemap(map, "")
        seen = {name: checked.cells(battlemap, cells, f"known.{name}") for name, cells in (known or {}).items()}
        session = Session.new(battlemap, rules=rules, options=options, order=order or (), seed=seed, known=seen)
        return self._opened(session)

    def do_execute(self, session: str, command: Json) -> Json:
        """Give a command (``{"do": "posture", "mover": ..., "posture": ...}``): what happened, or the refusal."""
        game = self._session(session)
        return self._json(game.execute(self._command(game, command)), game.battlemap)

    def do_move(
        self,
        session: str,
        mover: str,
        to: Any,
        via: list[Any] | None = None,
        arrive: str = "",
        gait: str = "",
        cost: int | str | None = None,
        turns: int = 1,
        ram: str = "",
        stunt: int | None = None,
        then: str = "",
        dcs: list[int | None] | None = None,
    ) -> Json:
        """Move to a cell by the cheapest way, at the `cost` shown (if given): what happened, or the refusal.

        Of a way over several `turns` the first turn is carried out.  `ram` names a mover that is rammed at the end,
        `then` a second skill used there (``climbing=10``); `dcs` are numbers for the stretches on the way.
        """
        game = self._session(session)
        through = tuple(checked.cells(game.battlemap, self.bounds.through(via or []), "via"))
        move = Move(
            mover,
            checked.cell(game.battlemap, to),
            through,
            arrive,
            gait_name(gait),
            cost=None if cost is None else checked.price(cost, "cost"),
            turns=turns,
            ram=ram,
            stunt=stunt,
            then=then,
            dcs=dcs,
        )
        return self._json(game.execute(move), game.battlemap)

    def do_undo(self, session: str) -> Json:
        """Take back the last command."""
        return self._changed(session, Session.undo)

    def do_redo(self, session: str) -> Json:
        """Do again what was taken back."""
        return self._changed(session, Session.redo)

    def do_reset(self, session: str) -> Json:
        """Take back everything of this turn, or since its last action that is no movement."""
        return self._changed(session, Session.reset_turn)

    def do_position(self, session: str) -> Json:
        """Everything that is so now."""
        return self._json(self._session(session).position)

    def do_save(self, session: str, path: str = "") -> Json:
        """The game as JSON lines: into a file where a path is given, else as text."""
        game = self._session(session)
        if path:
            game.save(self.bounds.path(path))
            return {"path": path, "entries": len(game.log)}
        return {"lines": "".join(save.lines(game, cells=self._cells)), "entries": len(game.log)}

    def do_open(self, path: str = "", lines: str = "", to: int | None = None) -> Json:
        """Open a saved game, as far as an entry of its log."""
        self.bounds.room_for("sessions", len(self.sessions))
        checked.one_of(path=path, lines=lines)
        if not path and not lines:
            raise Wrong("request", "open needs path or lines")
        source: Path | bytes = self.bounds.path(path) if path else lines.encode()
        return self._opened(Session.load(source, to))

    def do_snapshot(self, session: str) -> Json:
        """The game as one JSON object."""
        return save.snapshot(self._session(session), cells=self._cells)

    def do_restore(self, snapshot: Json) -> Json:
        """Open the game of a snapshot."""
        self.bounds.room_for("sessions", len(self.sessions))
        return self._opened(Session.restore(snapshot))

    def do_close(self, session: str = "", map: str = "") -> Json:
        """Forget a session or a map, or one of each."""
        if not session and not map:
            raise Wrong("request", "close needs session or map")
        # both are looked up before one is forgotten
        kept = self._session(session) if session else None, self._battlemap(map, "") if map else None
        if kept[0] is not None:
            del self.sessions[session]
        if kept[1] is not None:
            del self.maps[map]
        return {}

    def do_usage(self) -> Json:
        """What this caller holds, what it may hold at most, and how long the process has worked."""
        held = {"maps": len(self.maps), "sessions": len(self.sessions), "requests": self._asked}
        bounds = {name: value for name, value in vars(self.bounds).items() if name != "root"}
        entries = sum(len(game.log) for game in self.sessions.values())
        return {**held, "entries": entries, "ms": round(process_time() * 1000), "bounds": bounds}

    def do_cancel(self, of: Any) -> Json:
        """Call off the request with the id `of`; ``cancelled`` is false if it was answered already, or never came."""
        # it was called off when the line came, before its turn
        return {"cancelled": self.running.answered(of)}

    def do_quit(self) -> Json:
        """Close the desk."""
        self.done = True
        return {}

    # -- handles -------------------------------------------------------------------------------------------------------

    def _changed(self, session: str, act: Callable[[Session], Accepted | Refusal]) -> Json:
        game = self._session(session)
        return self._json(act(game), game.battlemap)

    def _handle(self, letter: str) -> str:
        self._made += 1
        return f"{letter}{self._made}"

    def _opened(self, session: Session) -> Json:
        self.bounds.fits(session.battlemap)
        handle = self._handle("s")
        self.sessions[handle] = session
        return {"session": handle, "active": session.active, "entries": len(session.log)}
