"""No code is alive in the tests alone, or nowhere: what nothing in the package uses has a reason here, or goes."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CALLED_BY_NAME = {
    "do_*": "requests of `serve --stdio`, found by the word in them",
    "RULESET DRAWER FORM backend": "what a rack or networkx looks for in a module",
    "__getattr__ __dir__": "Python asks for them: names of a package are imported when they are used",
    "__init_subclass__": "Python calls it for each class made from the part of a map file",
    "exit_code": "click reads it",
    "implicit": "the arguments of PyYAML's resolver, which calls it with them",
    "descend_resolver ascend_resolver": "PyYAML calls them",
    "schema_ arduous": "keys of a map file; `arduous` is a word of terrain that d6 looks up by name",
    "agile mobility bomb_suit shield": "stats of an operator, read by the names in its table of speeds",
    "buffer_text StartDoctypeDeclHandler EntityDeclHandler StartElementHandler EndElementHandler "
    "CharacterDataHandler SkippedEntityHandler": "expat reads them",
    "public": "expat gives it",
    "single_source_dijkstra_path single_source_dijkstra_path_length dijkstra_path dijkstra_path_length "
    "bidirectional_dijkstra all_pairs_dijkstra all_pairs_dijkstra_path all_pairs_dijkstra_path_length "
    "_pred __networkx_cache__ info": "networkx calls a backend and its graphs by these names",
    "memo": "copy.deepcopy gives it",
    "__signature__": "inspect reads it",
    "raised": "what Python hands to the end of a `with`",
    "bottomright": "pygame moves the box",
}
FOR_USERS = {
    "besides": "what an event tells besides its words",
    "from_segments from_picture seat": "maps made in Python from what other programs know",
    "scenarios": "the standard problems that come with a Moving AI map",
    "number_of_steps path_to pred": "a compiled graph and what a search of it found, for those who bring their own",
    "rgba": "the look of a role for a host that draws itself",
    "bake": "which steps of a map its barriers cut",
    "LOOKS": "the names a theme may give a look to",
    "grid_names": "the grids there are",
    "RECOVERIES": "the words an effort may be recovered by",
}
CASES = {
    "progress roll_required before_round": "a part of an answer that only the worked cases compare",
}
"""What is left to be told at the table, each with the clause that a worked case asks of it."""


def names() -> set[str]:
    return {name for part in (CALLED_BY_NAME, FOR_USERS, CASES) for words in part for name in words.split()}


@pytest.fixture(scope="module")
def unused() -> dict[str, str]:
    """What vulture takes for unused, and where."""
    vulture = pytest.importorskip("vulture")
    found = vulture.Vulture()
    found.scavenge([str(ROOT / "tactical")])
    parts = found.get_unused_code(min_confidence=60)
    return {one.name: f"{Path(one.filename).relative_to(ROOT)}:{one.first_lineno}" for one in parts}


def test_nothing_is_alive_in_tests_alone(unused: dict[str, str]) -> None:
    known = names()
    assert {name: at for name, at in unused.items() if name not in known and not name.startswith("do_")} == {}


def test_every_name_that_is_excused_is_there_and_needs_it(unused: dict[str, str]) -> None:
    assert {name for name in names() if "*" not in name and name not in unused} == set()
