"""Errors are values too: they come back unchanged from another process, where most batch work is done."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

import tactical
from tactical.errors import Fault, MapError, PluginError, RulesetError, SaveError, TacticalError, UnknownName

ERRORS: tuple[TacticalError, ...] = (
    MapError([Fault("no rows", "a.yaml", 3, 1, "rows", "say 'rows: |'", "rowz: |"), Fault("no name")]),
    MapError("wrong as a whole"),
    UnknownName("mover", "ravne", ["raven", "wolf"]),
    SaveError("not JSON", 7),
    SaveError("empty"),
    RulesetError("no such stat"),
    PluginError("no DRAWER"),
)


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_an_error_pickles_unchanged(error: TacticalError) -> None:
    error.add_note("seen in passing")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.args == error.args
    assert again.__notes__[-1] == "seen in passing"


def _load_broken(text: str) -> None:
    tactical.load(text.encode(), name="broken.yaml")


def _name_nobody(name: str) -> None:
    tactical.get_ruleset(name)


def test_errors_come_back_whole_from_another_process() -> None:
    text = "schema: 1\nrows: |\n  ..?\n  ..\n"
    with pytest.raises(MapError) as here:
        _load_broken(text)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(MapError) as there:
            pool.submit(_load_broken, text).result(60)
        assert there.value.faults == here.value.faults
        assert len(there.value.faults) > 1
        with pytest.raises(UnknownName, match="did you mean 'operator'") as unknown:
            pool.submit(_name_nobody, "operatr").result(60)
        assert (unknown.value.kind, unknown.value.nearest) == ("rule system", "operator")
