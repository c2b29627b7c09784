"""Sentences about results: what agrees with the paper, what differs, and why."""

from linspike.paper.report.findings import figures, tables, text
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
    "fig6": figures.FIG6,
    "fig7": figures.FIG7,
    "fig8": figures.FIG8,
    "fig9": figures.FIG9,
    "fig10": figures.FIG10,
    "figA1": figures.FIG_A1,
    "claims": text.CLAIMS,
    "ablation": text.ABLATION,
    "realdata": text.REALDATA,
}
