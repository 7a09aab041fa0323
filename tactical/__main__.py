"""``python -m tactical`` is the command line."""

import sys

from tactical.cli import main

sys.exit(main())
