"""One folder a case, by format: an ``input``, and the ``expected`` map, ``report.txt`` or ``faults.txt`` it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tactical.errors import MapError
from tactical.formats import dump, load, load_with_report

CASES = sorted(path.parent for path in Path(__file__).parent.glob("*/*/input.*"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_case(case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(case)
    (file,) = Path().glob("input.*")
    if Path("faults.txt").exists():
        with pytest.raises(MapError) as caught:
            load(file)
        assert str(caught.value) == Path("faults.txt").read_text().rstrip("\n")
        return
    found, report = load_with_report(file)
    (expected,) = Path().glob("expected.*")
    assert found == load(expected)
    assert load(str(dump(found)).encode(), format="native") == found
    if Path("report.txt").exists():
        assert str(report) == Path("report.txt").read_text().rstrip("\n")


def test_there_are_cases() -> None:
    assert len({case.parent.name for case in CASES}) >= 11
