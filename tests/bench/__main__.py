"""Print the whole table: public calls first, then the kernel.

    python -m tests.bench [--quick] [--json] [--python] [--only public|kernel]

Peers that are installed run in the same process, in turn with the product, on the same map and from the same places,
and their answers are compared first (extra ``bench``).  Times are medians of processor time and their quartiles; look
at the ratios, and at times as multiples of the calibration loop.  With ``--python`` the public calls run without the
compiled tier.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any

from tactical.search.kernel import available, warmup
from tests.bench import memory
from tests.bench.inputs import rows as inputs
from tests.bench.peers import absent
from tests.bench.public import Row, rows


def shown(row: Row) -> str:
    """A row as a line of text."""
    low, high = row.spread["tactical"]
    beats = f" {row.times['tactical'] / row.beat:8.3f} beats" if row.unit == "ms" else " " * 15
    ours = f"{row.times['tactical']:9.3f} {row.unit} [{low:.3f}-{high:.3f}]{beats}"
    others = ", ".join(f"{name} {ratio:.2f}x" for name, ratio in sorted(row.ratios.items(), key=lambda one: one[1]))
    wanted = ", ".join(f">= {least:g}x {name}" for name, least in row.wants.items())
    wanted += f"<= {row.most:g} {row.unit}" if row.most is not None else ""
    verdict = ("met" if row.met else "MISSED") if wanted else ""
    odd = f"  (another answer: {', '.join(row.otherwise)})" if row.otherwise else ""
    return f"{row.name:<58}{ours}  {others}{odd}\n{'':<60}{wanted} {verdict}".rstrip()


def as_json(row: Row) -> dict[str, Any]:
    """A row as an object: everything in milliseconds, or what its unit says."""
    return {
        "name": row.name, row.unit: dict(row.times), "quartiles": dict(row.spread), "ratios": row.ratios,
        "beat": row.beat, "wants": dict(row.wants), "most": row.most, "met": row.met,
        "otherwise": list(row.otherwise),
    }  # fmt: skip


def main() -> int:
    """Print the table; 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="How fast it is, and how fast others.")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.add_argument("--python", action="store_true", help="without the compiled tier")
    parser.add_argument("--only", choices=["public", "kernel"], help="half of the table")
    given = parser.parse_args()
    found: list[Row] = []
    missing = absent()
    if given.only != "kernel":
        compiled = not given.python and warmup()
        if not given.json:
            print(f"not installed: {', '.join(missing) or 'nothing'}; compiled tier: {'yes' if compiled else 'no'}")
        for row in chain(rows(given.quick), memory.rows(given.quick), () if given.quick else inputs()):
            found.append(row)
            if not given.json:
                print(shown(row), flush=True)
    met, kernel = all(row.met for row in found), []
    if given.only != "public" and available():
        script = [sys.executable, str(Path(__file__).with_name("ratios.py"))]
        script += [word for word, wanted in (("--quick", given.quick), ("--json", given.json)) if wanted]
        done = subprocess.run(script, check=False, text=True, stdout=subprocess.PIPE if given.json else None)
        met = met and not done.returncode
        kernel = json.loads(done.stdout) if given.json else []
    if given.json:
        rows_ = [as_json(row) for row in found]
        print(json.dumps({"absent": missing, "rows": rows_, "kernel": kernel}, indent=1))
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
