"""Table 1's scenarios and methods."""

from __future__ import annotations

from linspike.paper.common.capacity_cells import LONG_MS, SHORT_MS
from linspike.paper.common.methods import ANNEALED, baseline, linear_program, projection

SHORT, LONG, STRICT = "short", "long", "strict"
LOAD_MS = {SHORT: SHORT_MS, LONG: LONG_MS}

PROGRAM = linear_program("DTA psp (paper's linear program)")
PROGRAMS = (
    linear_program("DTA stdp (paper's linear program)", window="stdp"),
    PROGRAM,
    linear_program("DTA filt (paper's linear program)", window="filt"),
)
# None, the default: spikes within the tolerance stay where they are. Cells must name it.
PROJECTION = projection(schedule=ANNEALED, hold_tolerance=None)
MEASURED = (baseline("ReSuMe", "resume"), baseline("PSD", "psd"), baseline("FILT", "filt"))
FIRST_ERROR = baseline("first error", "first_error")
HTP = baseline("HTP", "htp")
BEYOND = (
    FIRST_ERROR,
    baseline("FP", "fp"),
    HTP,
    baseline("E-learning", "e_learning"),
)
ALL = (PROGRAM, PROJECTION, *MEASURED, *BEYOND)
