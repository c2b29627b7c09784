"""Sentences about results: what agrees with the paper, what differs, and why."""

from linspike.paper.report.findings import curves, figures, tables, text
from linspike.paper.report.findings.finding import Finding

FINDINGS: dict[str, Finding] = {
    "table1": tables.TABLE1,
    "table2": tables.TABLE2,
    "table3": tables.TABLE3,
    "table4": tables.TABLE4,
    "fig1": figures.FIG1,
    "fig2": figures.FIG2,
    "fig3": figures.FIG3,
    "fig4": figures.FIG4,
    "fig5": figures.FIG5,
    "fig6": curves.FIG6,
    "fig7": curves.FIG7,
    "fig8": curves.FIG8,
    "fig9": curves.FIG9,
    "fig10": curves.FIG10,
    "figA1": curves.FIG_A1,
    "claims": text.CLAIMS,
    "ablation": text.ABLATION,
    "realdata": text.REALDATA,
}
