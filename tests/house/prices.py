"""The README's table: one way on the sample map crossroads, priced by each of the five rule systems.

``python -m tests.house.prices`` prints it.
"""

from __future__ import annotations

import tactical
from tactical.assets import maps
from tactical.errors import Refusal
from tactical.movement.declare import Declared, declare
from tactical.movement.ledger import ledger
from tactical.movement.query import ask
from tactical.movement.turns.planned import planned
from tactical.rules.profile import SHARES
from tactical.units import Cell, show

WAY = "M6 N6 O6 P6 Q6 R6 S6 T6 T5"
HEAD = ("rules", "gait", "price", "what costs more", "rolls")


def cheapest(battlemap: tactical.Battlemap, mover: tactical.Mover, cells: list[Cell]) -> Declared:
    """The way declared at the first gait that it suits."""
    query = ask(battlemap, mover, start=cells[0], others=())
    reasons = []
    for gait in query.profile.gaits:
        move = declare(query, gait.name, cells)
        if not isinstance(move, Refusal):
            return move
        reasons.append(move.text)
    raise AssertionError(f"{mover.id} cannot go this way: {reasons}")


def row(move: Declared) -> tuple[str, ...]:
    """One line of the table."""
    query, gait = move.query, move.gait
    unit = query.profile.unit
    dear = [
        f"{line.text.split('  ')[0]} x {show(charge.value)} ({charge.source.clause})"
        for line in ledger(query, move.steps, planned(query, query.site_everywhere, move.steps, (), gait, ()), ())
        for charge in move.steps[line.steps[0]].charges
    ]
    rolls = [f"{check.skill}, {check.level} {check.number} ({check.source})" for check in move.checks]
    length = f"{show(move.length)} {unit}" if unit not in SHARES else f"{show(move.length)} of a {unit}"
    clause = gait.source.clause
    title = (gait.title or gait.name) + (f" ({clause})" if clause else "")
    return query.ruleset.name, title, length, "; ".join(dict.fromkeys(dear)) or "nothing", "; ".join(rolls) or "none"


def table() -> str:
    """The whole table in Markdown."""
    battlemap = tactical.load(maps("crossroads"))
    cells = [battlemap.cell_named(name) for name in WAY.split()]
    lines = [HEAD, tuple("---" for _ in HEAD)]
    lines += [row(cheapest(battlemap, mover, cells)) for mover in battlemap.movers]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


if __name__ == "__main__":
    print(table())
