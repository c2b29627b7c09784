"""An experiment that needs no neuron: its records follow from cell and seed."""

from dataclasses import dataclass

from linspike.study.cells import RowCell
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.rows import RowKey


@dataclass(frozen=True, kw_only=True)
class ToyCell(RowCell):
    """A row at a load."""

    load: int

    def describe(self):
        """Return the row's label and the load."""
        return f"{super().describe()}, load {self.load}"


def cells(scale, trials):
    """Return the next load after each one that was learned, up to 3."""
    learned = [trial.cell.load for trial in trials if trial.record["learned"]]
    loads = range(1, max(learned, default=0) + 2)
    return [ToyCell(scale=scale, row=RowKey(method="toy"), load=load) for load in loads]


def run_trials(cell, seeds):
    """Return one record per seed."""
    return [{"learned": cell.load < 3, "seed": seed} for seed in seeds]


def toy_experiment(name="toy", **changes):
    """Return the experiment under a name, with other functions of its protocol."""
    protocol = Protocol(
        ToyCell, cells, lambda scale, cell: range(2), run_trials, lambda scale, trials: Summary()
    )
    return Experiment(Heading(name, "Test", "Toy"), protocol).change(**changes)
