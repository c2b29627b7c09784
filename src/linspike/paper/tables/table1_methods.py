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
PROJECTION = projection(schedule=ANNEALED)
MEASURED = (baseline("ReSuMe", "resume"), baseline("PSD", "psd"), baseline("FILT", "filt"))
FIRST_ERROR = baseline("first error", "first_error")
BEYOND = (
    FIRST_ERROR,
    baseline("FP", "fp"),
    baseline("HTP", "htp"),
    baseline("E-learning", "e_learning"),
)
ALL = (PROGRAM, PROJECTION, *MEASURED, *BEYOND)
