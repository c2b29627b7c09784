"""Tables, claims and ablation at smoke scale: run, summarised, drawn from."""

from collections import Counter

import pytest
from tests.support.summaries import check_summary

from linspike.cli.experiments import REGISTRY
from linspike.paper.common.capacity_cells import DecodingCell
from linspike.paper.common.capacity_rows import GridPoint, select_point, tuning_cells
from linspike.paper.common.methods import ANNEALED, LINEAR_PROGRAM, PROJECTION, STEADY, baseline
from linspike.paper.report.collect import collect
from linspike.paper.report.published import published_results, read_published
from linspike.paper.report.verdicts import compare
from linspike.study.cells import Trial
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial

RUN = ("table1", "table2", "fig7", "table3", "fig8", "claims", "ablation", "realdata")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("tables") / "s.sqlite") as opened:
        for name in RUN:
            run(REGISTRY.load(name), "smoke", opened, Serial())
        yield opened


@pytest.mark.parametrize("name", RUN)
def test_every_row_has_a_value_or_says_why_not(store, name):
    made = REGISTRY.load(name)
    check_summary(made.summarise("smoke", store.trials(made, "smoke")))


def test_a_report_can_be_collected(store):
    sections = collect(store, REGISTRY.load_all(RUN))
    assert [section.id for section in sections] == list(RUN)
    for section in sections:
        assert section.trials > 0
        assert (section.seconds > 0.0) == (section.source == "")
        assert section.command == f"linspike reproduce {section.id} --scale smoke"
        assert section.results
        assert all(result.verdict != "better" for result in section.results)  # smoke is no claim
    assert sections[0].panels
    (empty,) = collect(store, [REGISTRY.load("fig3")])
    assert empty.trials == 0
    assert {result.verdict for result in empty.results} == {"not run"}


def test_published_results_name_experiments_that_exist():
    found = published_results(REGISTRY.ids)
    assert {result.id for result in found} <= set(REGISTRY.ids)
    assert read_published()["schema"] == 1


def test_the_paper_scale_has_the_papers_sizes():
    for name, epochs in (("table1", 500), ("table2", 100)):
        made = REGISTRY.load(name)
        cells = [cell for cell in made.cells("paper", []) if not cell.tuning]
        assert {cell.n_channels for cell in cells} == {500}
        assert {cell.max_epochs for cell in cells if cell.rule != "solve_task"} == {epochs}
        assert {len(made.seeds("paper", cell)) for cell in cells} == {50}


def tuned(cells):
    """Cells of tuned rows, without their tuning."""
    return [cell for cell in cells if TUNED in cell.row.variant and not cell.tuning]


def tune_all(made, scale, cells, record=None):
    """Trials of tuning cells, in which eta 0.003 with annealed steps learns."""
    return [
        Trial(cell, seed, {"learned": (record or _is_good)(cell), "epochs": 50})
        for cell in cells
        for seed in made.seeds(scale, cell)
    ]


def _is_good(cell):
    return cell.settings.get("eta") == 0.003 and cell.schedule == ANNEALED


def test_tuned_rows_appear_once_the_tuning_is_done():
    made = REGISTRY.load("table2")
    before = made.cells("laptop", [])
    tuning = [cell for cell in before if cell.tuning]
    assert len(tuning) == 8 * 14 * 4  # rules, settings, loads: as many for every rule
    done = tune_all(made, "laptop", tuning)
    rows = {cell.row: cell for cell in tuned(made.cells("laptop", done))}
    assert rows[RowKey(method="MST", variant=TUNED)].settings == {"eta": 0.003}
    assert rows[RowKey(method="MST", variant=TUNED)].schedule == ANNEALED
    assert not tuned(before)
    incomplete = tuned(made.cells("laptop", done[:-1]))  # of the last rule
    last = RowKey(method="EMLC by peak", variant=TUNED)
    assert {cell.row for cell in incomplete} == set(rows) - {last}


def test_other_rules_are_tuned_for_the_long_pattern_under_both_criteria():
    made = REGISTRY.load("table1")
    tuning = [cell for cell in made.cells("paper", []) if cell.tuning]
    rows = {cell.row for cell in tuning if cell.task == "long"}
    strict = {row for row in rows if row.criterion == "strict"}
    assert {row.but(criterion="") for row in strict} == {
        row for row in rows - strict if "DTA" not in row.method
    }
    for cell in tuning:
        assert (cell.criterion == "strict") == (cell.row in strict)
    settings = Counter(cell.row for cell in tuning if cell.load == tuning[0].load)
    assert set(settings.values()) == {14}
    key = RowKey("long", "FILT", "strict", TUNED)
    done = tune_all(made, "paper", [cell for cell in tuning if cell.row == key])
    (best,) = tuned(made.cells("paper", done))
    assert (best.row, best.criterion, best.schedule) == (key, "strict", ANNEALED)
    assert best.settings == {"eta": 0.003}
    assert not any(cell.tuning and cell.criterion == "strict" for cell in made.cells("laptop", []))


def test_the_strict_criterion_has_a_panel_of_its_own():
    made = REGISTRY.load("table1")
    cells = [cell for cell in made.cells("paper", []) if not cell.tuning]
    cells = [cell for cell in cells if cell.rule != "solve_task"]
    record = {"learned": False, "epochs": 500, "desired": 9, "missed": 9, "extra": 0}
    summary = made.summarise("paper", [Trial(c, 0, record) for c in cells])
    titles = ["Short patterns, common setting", "One long pattern, common setting"]
    assert [panel.title for panel in summary.panels] == titles
    assert [len(panel.lines) for panel in summary.panels] == [8, 8]
    strict = [panel for panel in summary.details if panel.title.endswith("strict criterion")]
    both = [PROJECTION, LINEAR_PROGRAM]
    assert [[line.name for line in panel.lines] for panel in strict] == [both, both]


@pytest.mark.parametrize(("learns_at_usual_loads", "chosen"), [(True, 0.001), (False, 0.003)])
def test_low_loads_choose_where_nothing_is_learned_at_the_usual_ones(learns_at_usual_loads, chosen):
    made = REGISTRY.load("table1")
    key = RowKey("long", "FP", variant=TUNED)
    tuning = [cell for cell in made.cells("paper", []) if cell.tuning and cell.row == key]
    low = sorted({cell.load for cell in tuning})[:2]

    def learned(cell):
        if cell.load in low:
            return cell.settings["eta"] == 0.003
        return learns_at_usual_loads and cell.settings["eta"] == 0.001 and cell.load < 100

    done = tune_all(made, "paper", tuning, learned)
    (best,) = tuned(made.cells("paper", done))
    assert (best.row, best.settings) == (key, {"eta": chosen})
    assert not tuned(made.cells("paper", done[1:]))


def cells_to_tune(method, max_epochs, loads):
    base = DecodingCell(
        scale="paper", row=method.key(), rule=method.rule, n_channels=5, max_epochs=max_epochs
    )
    return tuning_cells(base, method, loads)


def test_best_is_most_learned_then_fewest_wrong_spikes_then_fastest():
    method = baseline("X", "psd")
    cells = cells_to_tune(method, 500, [10])
    assert select_point([], method, 1) is None
    nothing = {"learned": False, "epochs": 500, "missed": 9, "extra": 0}
    records = [dict(nothing) for _ in cells]
    records[2] = {**nothing, "missed": 3}
    trials = [Trial(cell, 0, record) for cell, record in zip(cells, records, strict=True)]
    assert select_point(trials, method, 1) == GridPoint(method.grid[1], STEADY)
    trials[4] = Trial(cells[4], 0, {"learned": True, "epochs": 90, "missed": 0, "extra": 0})
    trials[5] = Trial(cells[5], 0, {"learned": True, "epochs": 40, "missed": 1, "extra": 0})
    assert select_point(trials, method, 1) == GridPoint(method.grid[2], ANNEALED)
    assert select_point(trials, method, 1, by_spikes=True) == GridPoint(method.grid[2], STEADY)


def test_running_away_early_is_no_merit():
    method = baseline("X", "mst")
    cells = cells_to_tune(method, 100, [10, 20])
    lost = {"learned": False, "epochs": 100}
    trials = [Trial(cell, 0, lost) for cell in cells]
    trials[0] = trials[0]._replace(record={"learned": True, "epochs": 40})
    trials[2] = trials[2]._replace(record={"learned": True, "epochs": 90})
    trials[3] = trials[3]._replace(record={"learned": False, "epochs": 1})
    assert select_point(trials, method, 2) == GridPoint(method.grid[0], STEADY)


def test_rows_beside_the_papers(store):
    made = REGISTRY.load("table2")
    summary = made.summarise("smoke", store.trials(made, "smoke"))
    found = {result.row: result for result in compare("table2", "smoke", summary)}
    assert found["MST"].paper == 110
    assert found[PROJECTION].paper == found["DTA (paper's linear program)"].paper == 355
