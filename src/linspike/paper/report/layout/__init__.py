"""Shapes of the page's tables: which rows are shown, and what stands in their columns."""

from linspike.paper.report.layout.beyond import BEYOND
from linspike.paper.report.layout.shapes import Layout
from linspike.paper.report.layout.tables import PAPER

# Experiments without an entry show rows with a number in the paper first.
LAYOUTS: dict[str, Layout] = {**PAPER, **BEYOND}
