"""Count everything ``by: oracle`` anew, with the oracle alone; say where counts ``by: hand`` differ from it."""

from __future__ import annotations

import sys

from tests.counts.blocks import by_oracle, files, read


def main() -> int:
    """Write the files anew; 1 where a hand count differs."""
    wrong = 0
    for path in files():
        remarks = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("count "):
                break
            remarks.append(line)
        blocks = []
        for count in read(path):
            found = by_oracle(count)
            if count.by.startswith("hand"):
                if not count.agrees(found):
                    wrong += 1
                    print(f"{path.name}: {count.name}: by hand {count.result}, the oracle {found}")
                found = count.result
            blocks.append("\n".join([*count.head, *found]))
        path.write_text("\n".join(remarks).rstrip() + "\n\n" + "\n\n".join(blocks) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
