"""What a clause id in a ledger says: the rulings common to all games, and where an id is looked up.

Each rule system adds its own table (`Ruleset.clauses`).  Every sentence is this project's; the game's book has its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from tactical.errors import UnknownName, nearest

if TYPE_CHECKING:
    from tactical.options import Options
    from tactical.rules.ruleset import Ruleset

COMMON: Mapping[str, str] = {
    "G-A01": "Numbers stay exact; a cell is entered only if what is left covers its whole price.",
    "G-A02": "Dice are added up plainly; a wild die is an option.",
    "G-A03": "Meeting the number that is asked for is a success.",
    "G-A04": "Where ground has prices they are summed along the way; where it asks for rolls there is one a move.",
    "G-A05": "No game here says what a diagonal step costs: the options diagonal and corner do.",
    "G-A06": "How long a round is matters only for efforts of minutes and hours.",
    "G-A07": "A step up is a slope as long as it rises no more than it is long; more is a ledge.",
    "G-A08": "What a game has no rule for is refused, or priced by the table's own house_pace.",
    "engine": "No game here has a rule for this: a choice of this engine, which an option changes where it has one.",
    "house_pace": "A pace the table has set itself with the option house_pace.",
}
"""Rulings that hold in every system, by id."""


def explain(ruleset: Ruleset, clause: str) -> tuple[str, str, list[str]]:
    """A clause or ruling in words: its id as it is written, the sentence, and the options that decide it.

    Raises `UnknownName` for an id the system does not use; `known` holds those it does.
    """
    known = all_clauses(ruleset)
    wanted = clause.strip().lstrip("*").lower()
    found = next((name for name in known if name.lower() == wanted), None)
    if found is None:
        raise UnknownName(f"clause of {ruleset.name}", clause, known)
    options = [name for name, by in _deciding(ruleset.options_with()) if found in (by, name)]
    return found, known[found], options


def all_clauses(ruleset: Ruleset) -> Mapping[str, str]:
    """Every clause and ruling a system can name, with its sentence (empty where only an option's own words tell)."""
    by_option = {clause: "" for _, clause in _deciding(ruleset.options_with())}
    return {**by_option, **COMMON, **ruleset.clauses}


def nearest_clause(ruleset: Ruleset, clause: str) -> str:
    """The id most like `clause`, or an empty string."""
    return nearest(clause.upper(), all_clauses(ruleset))


def _deciding(options: Options) -> Iterator[tuple[str, str]]:
    for name in options:
        yield name, options.spec(name).clause
