"""Findings of the page as a whole and of the paper's tables."""

from __future__ import annotations

from linspike.paper.common.methods import LINEAR_PROGRAM as LP
from linspike.paper.common.methods import PROJECTION as DTA
from linspike.paper.report.findings.finding import Check, Finding, locate
from linspike.paper.report.printed import PSP_PROGRAM as PSP_LP
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey


def _tuned(key: RowKey) -> RowKey:
    return key.but(variant=TUNED)


def _at_low_step(key: RowKey) -> RowKey:
    return key.but(variant="eta 0.001")


def _test(method: str, variant: str = "") -> RowKey:
    return RowKey(method=method, variant=variant, quantity="test")


_LONG_STRICT = RowKey("long", criterion="strict")
_TIMES = locate(
    "table1",
    dta=RowKey("short", DTA),
    no_gap=RowKey("short", DTA, variant="no gap"),
    dta_long=RowKey("long", DTA),
    dta_long_best=RowKey("long", DTA, variant=TUNED),
    dta_strict=_LONG_STRICT.but(method=DTA),
    lp=RowKey("short", PSP_LP),
    lp_long=RowKey("long", PSP_LP),
    lp_stdp=RowKey("short", "DTA stdp (paper's linear program)"),
    lp_filt=RowKey("short", "DTA filt (paper's linear program)"),
    psd=RowKey("short", "PSD"),
    psd_long=RowKey("long", "PSD"),
    filt=RowKey("short", "FILT"),
    filt_best=RowKey("short", "FILT", variant=TUNED),
    htp_best=RowKey("short", "HTP", variant=TUNED),
    htp_strict=_LONG_STRICT.but(method="HTP", variant=TUNED),
    e_best=RowKey("short", "E-learning", variant=TUNED),
    e_long_best=RowKey("long", "E-learning", variant=TUNED),
    e_strict=_LONG_STRICT.but(method="E-learning", variant=TUNED),
)
_CLASSES = locate(
    "table2",
    counts=RowKey(method=DTA),
    counts_best=_tuned(RowKey(method=DTA)),
    counts_lp=RowKey(method=LP),
    per_row=RowKey(method=LP, variant="fallback step per row"),
    gradient=RowKey(method=DTA, variant="gradient"),
    gradient_best=RowKey(method=DTA, variant="gradient, tuned"),
    mst=RowKey(method="MST"),
    mst_best=_tuned(RowKey(method="MST")),
    mst_low=_at_low_step(RowKey(method="MST")),
    emlc=RowKey(method="EMLC"),
    emlc_best=_tuned(RowKey(method="EMLC")),
    emlc_low=_at_low_step(RowKey(method="EMLC")),
)
_STRICT_LEAD = Check("dta_strict", "ahead of", "htp_strict", times=2.0)

OPENING = Finding(
    (
        "DTA learns as much as the paper prints, and more: its linear program {lp} ms of short "
        "patterns and {lp_long} ms of one long pattern (paper: {lp:paper} and {lp_long:paper}), "
        "linspike's projection {dta} and {dta_long} ms. Part of the lead on short patterns depends "
        "on desired spikes that keep 5 ms apart: without that gap the projection learns {no_gap} "
        "ms.",
        "For spike times DTA leads where every spike must come within 1 ms (strict): {dta_strict} "
        "ms of one long pattern, twice the next rule (HTP, tuned: {htp_strict}). The paper's "
        "criterion is lax for long patterns, and under it E-learning, tuned, leads "
        "({e_long_best}).",
        "For classification the paper's lead does not hold once all rules are tuned: MST and EMLC "
        "learn {mst_best} and {emlc_best} patterns (paper: {mst:paper} and {emlc:paper}), DTA "
        "{counts_best}, or {gradient_best} along the gradient of the critical threshold. Iris is a "
        "tie; on MNIST the paper's protocol gives {mnist} %, not {mnist:paper} %.",
    ),
    {
        **_TIMES,
        **_CLASSES,
        **locate("table3", iris=_test(DTA), iris_emlc=_test("EMLC"), iris_mst=_test("MST")),
        **locate("table4", mnist=_test(LP)),
    },
    (
        Check("lp", "is", "better"),
        Check("lp_long", "is", "better"),
        Check("dta", "ahead of", "lp"),
        Check("dta_long", "ahead of", "lp_long"),
        Check("dta", "ahead of", "no_gap"),
        _STRICT_LEAD,
        Check("htp_strict", "ahead of", "e_strict"),
        Check("e_long_best", "ahead of", "dta_long_best"),
        Check("mst_best", "ahead of", "counts_best"),
        Check("emlc_best", "level with", "counts_best"),
        Check("gradient_best", "ahead of", "mst_best"),
        Check("iris", "level with", "iris_emlc"),
        Check("iris", "level with", "iris_mst"),
        Check("mnist", "is", "short"),
    ),
    ("confirmed", "spike times", "classification"),
)

TABLE1 = Finding(
    (
        "The linear program reaches its printed capacities, {lp} ms of short patterns and "
        "{lp_long} ms of one long pattern, and is best with the psp window. PSD learns {psd} and "
        "{psd_long} ms (printed: {psd:paper} and {psd_long:paper}). The projection is ahead of "
        "every rule on short patterns.",
        "FILT is short at the common setting ({filt} ms, printed {filt:paper}), but tuned it is "
        "above the printed number ({filt_best}); tuned HTP comes near the projection "
        "({htp_best}). On one long pattern tuned E-learning leads under the paper's criterion "
        "({e_long_best} ms); under the strict one it falls to {e_strict}, and the projection keeps "
        "{dta_strict}.",
    ),
    _TIMES,
    (
        Check("lp", "is", "better"),
        Check("lp_long", "is", "better"),
        Check("lp", "ahead of", "lp_stdp"),
        Check("lp", "ahead of", "lp_filt"),
        Check("psd", "is", "reproduced"),
        Check("psd_long", "is", "reproduced"),
        Check("dta", "ahead of", "htp_best"),
        Check("htp_best", "ahead of", "filt_best"),
        Check("htp_best", "ahead of", "e_best"),
        Check("filt", "is", "short"),
        Check("filt_best", "is", "better"),
        Check("e_long_best", "ahead of", "dta_long_best"),
        Check("dta_strict", "ahead of", "e_strict"),
        _STRICT_LEAD,
    ),
)

TABLE2 = Finding(
    (
        "The linear program learns {per_row} patterns (printed: {per_row:paper}) if a step that "
        "has no feasible solution is sized for each row. The projection learns {counts}, and "
        "{gradient} along the gradient of the critical threshold, more than any other rule.",
        "As the paper describes it the linear program is short ({counts_lp}). MST and EMLC learn "
        "{mst} and {emlc} patterns, not {mst:paper} and {emlc:paper}; they come near the printed "
        "numbers at a step size of 0.001 alone ({mst_low} and {emlc_low}).",
    ),
    _CLASSES,
    (
        Check("per_row", "is", "reproduced"),
        Check("counts_lp", "is", "short"),
        Check("counts", "ahead of", "counts_lp"),
        Check("gradient", "ahead of", "mst_best"),
        Check("gradient_best", "ahead of", "mst_best"),
        Check("mst_best", "ahead of", "emlc_best"),
        Check("mst", "is", "better"),
        Check("emlc", "is", "better"),
        Check("mst", "ahead of", "mst_low"),
        Check("emlc", "ahead of", "emlc_low"),
    ),
)

TABLE3 = Finding(
    (
        "Both forms of DTA have the paper's accuracy on test flowers: {lp:range} % and {dta:range} "
        "% (paper: {lp:paper}).",
        "DTA has no lead: EMLC and MST reach {emlc} and {mst} %, not {emlc:paper} and "
        "{mst:paper}, and tuned rules are level. At a step size of 0.001, which the paper states "
        "for MNIST, EMLC and MST stay at {emlc_low} and {mst_low} %.",
    ),
    locate(
        "table3",
        lp=_test(LP),
        dta=_test(DTA),
        emlc=_test("EMLC"),
        mst=_test("MST"),
        dta_best=_test(DTA, TUNED),
        emlc_best=_test("EMLC", TUNED),
        mst_best=_test("MST", TUNED),
        emlc_low=_test("EMLC", "eta 0.001"),
        mst_low=_test("MST", "eta 0.001"),
    ),
    (
        Check("lp", "is", "reproduced"),
        Check("dta", "is", "reproduced"),
        Check("emlc", "is", "better"),
        Check("mst", "is", "better"),
        Check("dta_best", "level with", "emlc_best"),
        Check("dta_best", "level with", "mst_best"),
        Check("dta", "ahead of", "emlc_low"),
        Check("dta", "ahead of", "mst_low"),
    ),
)

TABLE4 = Finding(
    (
        "With a slow membrane, two spikes and graded ties DTA is above the printed accuracy and "
        "level with the same features without spikes: linear program {lp_best} %, projection "
        "{dta_best} %, network without spikes {cnn} %.",
        "Under the paper's protocol both forms of DTA are short, {lp} and {dta} % (printed: "
        "{lp:paper}), and MST is ahead of them ({mst} %, printed {mst:paper}), a little also when "
        "tuned ({mst_best} %). The paper does not state the scale of activations, the treatment of "
        "ties, and the bounds; each changes the accuracy by points.",
    ),
    locate(
        "table4",
        lp=_test(LP),
        dta=_test(DTA),
        mst=_test("MST"),
        cnn=_test("CNN"),
        lp_best=_test(LP, TUNED),
        dta_best=_test(DTA, TUNED),
        mst_best=_test("MST", TUNED),
    ),
    (
        Check("lp_best", "is", "better"),
        Check("dta_best", "is", "better"),
        Check("lp_best", "level with", "cnn"),
        Check("dta_best", "level with", "cnn"),
        Check("lp", "is", "short"),
        Check("dta", "is", "short"),
        Check("mst", "ahead of", "dta"),
        Check("mst", "ahead of", "lp"),
        Check("mst_best", "above", "dta_best"),
    ),
)
