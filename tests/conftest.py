"""What holds for the whole suite."""

from __future__ import annotations

import gc
import os

from hypothesis import HealthCheck, settings

# a process that a test starts is as light as a user's: it may keep its byte code, whatever the machine of the run says
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# no test judges a time: a loaded machine is no fault of the code; more examples on request
EXAMPLES = int(os.environ.get("TACTICAL_EXAMPLES", "30"))
settings.register_profile(
    "tactical", deadline=None, max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("tactical")


def pytest_collection_finish() -> None:
    """The tests themselves stay to the end: they are searched for garbage no more."""
    gc.collect()
    gc.freeze()
