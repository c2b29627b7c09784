"""Reproduction of Nguyen and Chu, arXiv 2103.12564, and nothing else."""

# Module of each experiment, in the order of the paper.
EXPERIMENTS = {
    "fig1": "linspike.paper.figures.fig1",
    "fig2": "linspike.paper.figures.fig2",
    "fig3": "linspike.paper.figures.fig3",
    "fig4": "linspike.paper.figures.fig4",
    "table1": "linspike.paper.tables.table1",
    "fig5": "linspike.paper.figures.fig5",
    "table2": "linspike.paper.tables.table2",
    "fig6": "linspike.paper.figures.fig6",
    "fig7": "linspike.paper.figures.fig7",
    "table3": "linspike.paper.tables.table3",
    "fig8": "linspike.paper.figures.fig8",
    "table4": "linspike.paper.tables.table4",
    "fig9": "linspike.paper.figures.fig9",
    "fig10": "linspike.paper.figures.fig10",
    "figA1": "linspike.paper.figures.fig_a1",
    "claims": "linspike.paper.claims",
    "step_sizes": "linspike.paper.readings.step_sizes",
    "program": "linspike.paper.readings.program",
    "mnist_readings": "linspike.paper.readings.mnist_readings",
}
