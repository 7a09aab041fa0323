"""What holds for the whole suite."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# no test judges a time: a loaded machine is no fault of the code
settings.register_profile("tactical", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("tactical")
