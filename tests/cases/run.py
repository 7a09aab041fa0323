"""Run worked cases: ``python tests/cases/run.py [--pending FILE] [FILE.yaml ...]`` (no file: all beside this one).

A file with ``cases:`` is answered by the `KINDS` of the modules ``rules_*.py`` beside this one, a file with
``scenarios:`` by ``scenarios.py``.  Every failing id is printed with what was expected and what came; the last line
is ``N passed, M failed``.  Only the keys a case asserts are compared, exactly; a kind nobody answers is a failure.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from tactical.errors import Refusal, TacticalError
from tactical.rules.ruleset import get_ruleset
from tactical.units import exact, wire

HERE = Path(__file__).parent
ROOT_FORM = re.compile(r"(?:(?P<whole>[-+]?[0-9/]+)(?=[-+]))?(?P<times>[-+]?[0-9/]*)\*?sqrt2")
SQRT2_EXACT = 2**0.5
TOLERANCE = 1e-6


@dataclass(frozen=True)
class Result:
    """One case: its id and, where it failed, what was expected and what was found."""

    id: str
    problem: str = ""
    note: str = ""

    @property
    def passed(self) -> bool:
        return not self.problem


def load(path: Path) -> ModuleType:
    """A module beside this one, by its file."""
    name = f"tactical_cases_{path.stem}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@cache
def kinds() -> dict[str, Callable[..., Mapping[str, Any]]]:
    """Every kind of rule case and the function that answers it."""
    found: dict[str, Callable[..., Mapping[str, Any]]] = {}
    for path in sorted(HERE.glob("rules_*.py")):
        for kind, function in load(path).KINDS.items():
            assert kind not in found, f"{path.name}: kind {kind} is answered twice"
            found[kind] = function
    return found


def answer_case(case: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the product says to a rule case."""
    known = kinds()
    if case["kind"] not in known:
        raise LookupError(f"no module answers kind {case['kind']}")
    options = get_ruleset(case["ruleset"]).options_with(case.get("options", {}))
    return known[case["kind"]](case["given"], options, case)


def answer_scenario(scenario: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the product says to a map scenario."""
    path = HERE / "scenarios.py"
    if not path.exists():
        raise LookupError("there is no scenarios.py")
    found: Mapping[str, Any] = load(path).run_scenario(scenario)
    return found


def differences(expected: Any, found: Any, where: str = "") -> Iterator[str]:
    """Where `found` is not what was expected; mappings are compared over the expected keys only."""
    if isinstance(expected, Mapping):
        if not isinstance(found, Mapping):
            yield f"{where or 'answer'}: expected {expected}, found {plain(found)}"
            return
        for key, value in expected.items():
            place = f"{where}.{key}" if where else str(key)
            if key not in found:
                yield f"{place}: expected {value}, found nothing"
            else:
                yield from differences(value, found[key], place)
    elif isinstance(expected, list):
        if not isinstance(found, Sequence) or isinstance(found, str) or len(found) != len(expected):
            yield f"{where}: expected {expected}, found {plain(found)}"
            return
        for index, value in enumerate(expected):
            yield from differences(value, found[index], f"{where}[{index}]")
    elif not same(expected, found):
        yield f"{where}: expected {expected!r}, found {plain(found)!r}"


def same(expected: Any, found: Any) -> bool:
    """Two leaves are the same: numbers exactly, root forms within a millionth, words and truth values as they are."""
    if isinstance(expected, bool) or isinstance(found, bool) or expected is None or found is None:
        return expected is found
    number = as_number(found)
    if number is not None:
        if isinstance(expected, str) and "sqrt2" in expected:
            root = root_value(expected)
            return root is not None and abs(float(number) - root) <= TOLERANCE
        wanted = as_number(expected)
        return wanted is not None and wanted == number
    return str(expected) == str(found)


def as_number(value: Any) -> Fraction | None:
    """The value as an exact number, or nothing."""
    if isinstance(value, (int, float, Fraction)) or (isinstance(value, str) and re.fullmatch(r"-?\d+(/\d+)?", value)):
        return exact(value)
    return None


def root_value(text: str) -> float | None:
    """The value of ``5+10*sqrt2`` and its short forms."""
    match = ROOT_FORM.fullmatch(text.replace(" ", ""))
    if match is None:
        return None
    whole = Fraction(match["whole"]) if match["whole"] else Fraction(0)
    times = match["times"]
    factor = Fraction(times + "1" if times in ("", "+", "-") else times)
    return float(whole) + float(factor) * SQRT2_EXACT


def plain(value: Any) -> Any:
    """An answer as it would stand in a case file."""
    if isinstance(value, Fraction):
        return wire(value)
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    return str(value) if isinstance(value, Refusal) else value


def check(case: Mapping[str, Any], answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Result:
    """Put one case to the product."""
    try:
        found = answer(case)
    except (LookupError, TacticalError) as error:
        return Result(case["id"], f"{type(error).__name__}: {error}")
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return Result(case["id"], f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})")
    wrong = list(differences(case["expect"], found))
    return Result(case["id"], "; ".join(wrong), str(case.get("working", "")))


def run_file(path: Path) -> Iterator[Result]:
    """All cases of one file, in its order.  Raises `ValueError` for a file that holds neither shape."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    if "cases" in document:
        yield from (check(case, answer_case) for case in document["cases"])
    elif "scenarios" in document:
        yield from (check(case, answer_scenario) for case in document["scenarios"])
    else:
        raise ValueError(f"{path}: neither cases nor scenarios")


def main(arguments: Sequence[str]) -> int:
    """Print the failures of all files named, then the two counts."""
    names = list(arguments)
    pending: set[str] = set()
    while "--pending" in names:
        at = names.index("--pending")
        lines = Path(names[at + 1]).read_text(encoding="utf-8").splitlines()
        pending |= {line.split("#")[0].strip() for line in lines} - {""}
        del names[at : at + 2]
    files = [Path(name) for name in names] or sorted(HERE.glob("*.yaml"))
    passed, failed, waiting = 0, 0, 0
    for path in files:
        for result in run_file(path):
            if result.passed:
                passed += 1
                if result.id in pending:
                    print(f"{result.id}: pending, but it passes")
                continue
            label = "pending " if result.id in pending else ""
            waiting += bool(label)
            failed += not label
            print(f"{label}{result.id}: {result.problem}" + (f"  [{result.note}]" if result.note else ""))
    if waiting:
        print(f"{waiting} pending")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
