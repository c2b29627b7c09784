"""Sentences about results: what agrees with the paper, what differs, and why."""

from linspike.paper.report.findings import (
    beyond,
    claims,
    delays_and_layers,
    figures_of_learning,
    figures_of_neurons,
    readings,
    tables,
)
from linspike.paper.report.findings.finding import Finding

FINDINGS: dict[str, Finding] = {
    "table1": tables.TABLE1,
    "table2": tables.TABLE2,
    "table3": tables.TABLE3,
    "table4": tables.TABLE4,
    "fig1": figures_of_neurons.FIG1,
    "fig2": figures_of_neurons.FIG2,
    "fig3": figures_of_neurons.FIG3,
    "fig4": figures_of_neurons.FIG4,
    "fig5": figures_of_neurons.FIG5,
    "fig6": figures_of_learning.FIG6,
    "fig7": figures_of_learning.FIG7,
    "fig8": figures_of_learning.FIG8,
    "fig9": figures_of_learning.FIG9,
    "fig10": figures_of_learning.FIG10,
    "figA1": figures_of_learning.FIG_A1,
    "claims": claims.CLAIMS,
    "step_sizes": readings.STEP_SIZES,
    "program": readings.PROGRAM,
    "mnist_readings": readings.MNIST_READINGS,
    "ablation": beyond.ABLATION,
    "realdata": beyond.REALDATA,
    "events": beyond.EVENTS,
    "signs": beyond.SIGNS,
    "delays": delays_and_layers.DELAYS,
    "layers": delays_and_layers.LAYERS,
    "jitter": delays_and_layers.JITTER,
    "delay_data": delays_and_layers.DELAY_DATA,
}
