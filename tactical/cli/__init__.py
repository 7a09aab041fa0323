"""The command line: exit codes, and `main`, which starts it.  A command is a file in `commands/`.

=====  ===============================================================
exit   means
=====  ===============================================================
0      done
1      the answer is no: out of reach, or `check` found faults
2      wrong use, or a file that cannot be read, written or is not known
3      an optional part is missing (pygame), or there is no display
130    interrupted from the keyboard
=====  ===============================================================

Results go to stdout and words to stderr.  Nothing heavy is imported before a command runs, so ``--help`` stays quick;
this file itself imports nothing, so that Ctrl-C is answered in words from the first moment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]

INTERRUPTED = 130


def main(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.  Nothing a user does wrong ends in a traceback."""
    # numpy's linear algebra, which nothing here asks for, would start a thread for each core on import
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from tactical.cli.program import run

        return run(sys.argv[1:] if args is None else args)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            print("interrupted", file=sys.stderr)
        return INTERRUPTED
