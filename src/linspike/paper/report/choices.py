"""What the paper leaves open, and what is taken (docs/adr/0013)."""

from __future__ import annotations

from typing import NamedTuple


class Choice(NamedTuple):
    """Something the paper does not say, what is taken, and the parameter that changes it."""

    experiments: tuple[str, ...]
    left_open: str
    taken: str
    parameter: str


_LEARNED = ("table1", "fig5", "table2", "fig6", "fig7", "claims", "ablation")
_TIMES = ("table1", "fig5", "claims", "ablation")
_COUNTS = ("fig4", "table2", "fig6", "claims")

OPEN = (
    Choice(_LEARNED, "threshold", "1; only ratios to it matter", "SRM(threshold=)"),
    Choice(
        _LEARNED,
        "initial weights",
        "normal, mean 0.01 and deviation 0.01, as for MNIST",
        "study.tasks",
    ),
    Choice(
        _TIMES,
        "distances of desired spikes",
        "5 ms apart and 10 ms after the start, at the stated rate",
        "encoding(min_gap=, min_onset=)",
    ),
    Choice(
        _LEARNED,
        "which feasible solution of the linear program",
        "smallest weight change (projection); the analytic centre (paper's linear program)",
        "DTA(), DTALinearProgram()",
    ),
    Choice(
        _LEARNED,
        "bounds and margin",
        "0.4 and 0.1 thresholds (projection); 0.01 and 1e-6 (paper's linear program)",
        "DTA(bound=, margin=)",
    ),
    Choice(
        _TIMES,
        "which spikes are constraints",
        "those beyond 0.5 ms of a desired time (projection); all (paper's linear program)",
        "DTA(match_tolerance=)",
    ),
    Choice(
        ("table1", "table2", "fig7", "claims"),
        "length of the steps, epoch by epoch",
        "1.5 times the projection at first, half of it at last (projection); steady (all others)",
        "schedule=",
    ),
    Choice(
        _LEARNED,
        "a step on patterns that are right",
        "always (paper's linear program, desired times); none (all others)",
        "skip_below=",
    ),
    Choice(
        ("table1", "table2", "claims"),
        "step without a feasible solution",
        "0.01/sqrt(rows) a row (paper's linear program); the paper prints 0.001 and 0.01",
        "DTALinearProgram(fallback_step=, fallback_per=)",
    ),
    Choice(
        _COUNTS,
        "which of the thresholds with the desired count",
        "table 2: none is needed, but in rows of halving and of the paper's linear program; "
        "elsewhere: the first that interval halving meets",
        "DTA(count_target=)",
    ),
    Choice(("table2", "fig7"), "classes of patterns", "in turn, so balanced", "decoding"),
    Choice(
        ("table1", "table2", "fig6", "claims"),
        "step size of the other rules",
        "the paper's 0.01; beside it the best of fourteen, tuned on other seeds",
        "eta=",
    ),
    Choice(
        ("table2", "fig6", "claims"),
        "EML and EMLC in detail",
        "reconstructed; the weakest spike is that with the smallest slope",
        "EMLC(weakest=)",
    ),
    Choice(("table1",), "FP and HTP", "reconstructed; not run by the paper", "tolerance="),
    Choice(
        ("fig2", "fig3", "claims"),
        "lag from an input to its desired spike",
        "7 ms; 2.8 ms beside it",
        "paper.figures.fig3",
    ),
)
