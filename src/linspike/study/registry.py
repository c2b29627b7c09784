"""Experiments by id; the file of one is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

from linspike.errors import ParameterError
from linspike.study.experiment import Experiment


class Registry:
    """The experiments of one or more studies.

    Parameters
    ----------
    *tables : mapping of str to str
        Module of each experiment by its id, in the order in which they are shown. The module
        defines `EXPERIMENT`.

    Examples
    --------
    >>> registry = Registry({"table1": "linspike.paper.tables.table1"})
    >>> registry.load("table1").heading.place
    'Table 1'
    """

    def __init__(self, *tables: Mapping[str, str]) -> None:
        self._modules: dict[str, str] = {}
        for table in tables:
            for name, module in table.items():
                if name in self._modules:
                    domain = f"an id that {self._modules[name]} does not have"
                    raise ParameterError.of("id", "Registry", domain, name)
                self._modules[name] = module

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of all experiments, in order."""
        return tuple(self._modules)

    def load(self, name: str) -> Experiment:
        """Return the experiment of this id."""
        if name not in self._modules:
            raise ParameterError.of("id", "Registry", f"one of {self.ids}", name)
        found: Experiment = import_module(self._modules[name]).EXPERIMENT
        return found

    def load_all(self, names: Sequence[str] = ()) -> list[Experiment]:
        """Return the experiments of these ids; all without ids or with "all" among them."""
        chosen = self.ids if not names or "all" in names else names
        return [self.load(name) for name in dict.fromkeys(chosen)]
