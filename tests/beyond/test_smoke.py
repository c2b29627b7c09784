"""Studies of delays and layers at smoke scale: they run to their end, and the report shows them."""

import pytest
from tests.support.summaries import check_summary

from linspike.cli.experiments import REGISTRY
from linspike.paper.report.collect import collect
from linspike.paper.report.layout import LAYOUTS
from linspike.paper.report.pivot import arrange
from linspike.study.runner import find_missing, run
from linspike.study.store import Store
from linspike.study.workers import Serial

RUN = ("delays", "layers", "jitter", "delay_data")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.delenv("LINSPIKE_DATA_DIR", raising=False)
    with Store(tmp_path_factory.mktemp("studies") / "s.sqlite") as opened:
        for name in RUN:
            run(REGISTRY.load(name), "smoke", opened, Serial())
        yield opened
    patch.undo()


@pytest.mark.parametrize("name", RUN)
def test_every_row_has_a_value_or_says_why_not(store, name):
    made = REGISTRY.load(name)
    assert find_missing(made, "smoke", store) == []
    summary = made.summarise("smoke", store.trials(made, "smoke"))
    check_summary(summary)
    assert summary.panels


def test_cells_come_back_from_the_store_as_they_were(store):
    for made in REGISTRY.load_all(RUN):
        trials = store.trials(made, "smoke")
        cells = {cell.digest: cell for cell in made.cells("smoke", trials)}
        assert {trial.cell.digest for trial in trials} <= set(cells)
        for trial in trials:
            assert trial.cell == cells[trial.cell.digest]


def test_tables_have_the_rows_of_their_layouts(store):
    for section in collect(store, REGISTRY.load_all(RUN)):
        assert section.id in LAYOUTS
        table = arrange(section)
        filled = [cell for _, cells in table.rows for cell in cells if cell.result is not None]
        assert len(table.rows) > 1
        assert len(filled) >= 2 * len(table.heads)
