import os

from hypothesis import HealthCheck, settings

# Tests read stderr; those of the line itself set this anew.
os.environ["LINSPIKE_QUIET"] = "1"

# Uncompiled kernels are about a thousand times slower: fewer examples there.
uncompiled = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
settings.register_profile(
    "linspike",
    deadline=None,
    max_examples=30 if uncompiled else 100,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("linspike")
