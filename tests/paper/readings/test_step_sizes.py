"""Implied step sizes: the search, rows, and what each case trains."""

from itertools import pairwise

import numpy as np
import pytest
from tests.support import large_digits
from tests.support.summaries import check_summary, follow

from linspike.cli.experiments import REGISTRY
from linspike.paper.common import iris, mnist
from linspike.paper.readings import step_sizes
from linspike.paper.readings.step_sizes import COUNTS, FINE, GRID, IRIS, MNIST, OTHER_STEP, STEP
from linspike.paper.report.numbers import PRINTED
from linspike.paper.tables import table4
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey, Status
from linspike.study.runner import find_missing, run, select_current
from linspike.study.store import Store
from linspike.study.tuning import TUNING_SEEDS
from linspike.study.workers import Serial

MADE = REGISTRY.load("step_sizes")
CASES = {case.row: case for case in step_sizes.CASES}
FILT, MST, EMLC = RowKey("short", "FILT"), RowKey(COUNTS, "MST"), RowKey(COUNTS, "EMLC")


def between(ends):
    """Outcomes of rows that learn between two step sizes; all others never do."""

    def record(cell, seed):
        low, high = ends.get(cell.row, (1.0, 0.0))
        level = CASES[cell.row].level
        inside = low < cell.eta < high
        return {"result": float(level + 5.0 * (2 * inside - 1)) if level > 1.0 else float(inside)}

    return record


def rows_of(trials, scale="laptop"):
    return {row.key: row for row in step_sizes.summarise(scale, trials).rows}


def etas_of(trials, row):
    return sorted({trial.cell.eta for trial in trials if trial.cell.row == row})


def test_every_case_has_the_number_that_the_paper_prints():
    tables = {
        "short": "table1",
        "long": "table1",
        COUNTS: "table2",
        IRIS: "table3",
        MNIST: "table4",
    }
    for case in step_sizes.CASES:
        task, method = case.row.scenario, case.row.method
        scenario = task if task in ("short", "long") else ""
        quantity = "test" if task in (IRIS, MNIST) else ""
        row = RowKey(scenario, method, quantity=quantity)
        printed = [
            one for one in PRINTED.values() if (one.experiment, one.row) == (tables[task], row)
        ]
        assert [one.value for one in printed] == [case.printed], case.row
        assert case.level == (case.printed if quantity else 0.5)


def test_plain_cases_train_as_the_tables_do():
    for table, task in (("table1", "short"), ("table1", "long"), ("table2", "")):
        cells = {cell.row: cell for cell in REGISTRY.load(table).cells("paper", [])}
        for case in step_sizes.CASES:
            row = RowKey(task, case.row.method)
            if case.row.scenario == (task or COUNTS) and not case.row.variant:
                own = step_sizes._make_cell("paper", case, 0.01).task_cell()
                of_table = cells[row]
                assert own.but(row=row, load=of_table.load) == of_table
    for method in iris.METHODS[2:]:
        case = CASES[RowKey(IRIS, method.name)]
        own = step_sizes._make_cell("paper", case, 0.01).task_cell()
        assert own.but(row=method.key()) == iris.make_cell("paper", method, 20)
    for cell in table4.cells("paper", [])[2:4]:
        case = CASES[RowKey(MNIST, cell.row.method)]
        own = step_sizes._make_cell("paper", case, 0.001).task_cell()
        assert own.validation
        assert own.images == 50_000
        assert own == cell.but(row=own.row, validation=True, images=50_000, other_ties=())


def test_variants_change_what_they_name():
    def inner(variant, row=FILT):
        return step_sizes._make_cell("paper", CASES[row.but(variant=variant)], 0.01).task_cell()

    plain = inner("")
    assert inner("no gap") == plain.vary("no gap", min_gap=0.0, min_onset=0.0)
    settings = {**plain.settings, "skip_below": 0.0}
    assert inner("always a step") == plain.vary("always a step", settings=settings)
    assert inner("window of Gardner").settings["window"] == "filt-gardner"
    assert inner("window of Gardner, no gap").min_gap == 0.0
    assert inner("by peak", EMLC).settings["weakest"] == "peak"
    halves = inner("random halves", RowKey(IRIS, "MST"))
    assert halves == inner("", RowKey(IRIS, "MST")).vary("random halves", stratified=False)


def test_loads_are_the_printed_ones():
    loads = {
        (case.row.scenario, case.row.method): step_sizes._make_cell("paper", case, 0.01).size
        for case in step_sizes.CASES
        if not case.row.variant and case.row.scenario not in (IRIS, MNIST)
    }
    assert loads["short", "ReSuMe"] == 19
    assert loads["long", "ReSuMe"] == 109
    assert loads[COUNTS, "EMLC"] == 165


def test_trials_are_of_tuning_and_the_same_for_all_step_sizes():
    for scale, count, on_mnist in (("laptop", 5, 1), ("paper", 30, 2)):
        for cell in step_sizes.cells(scale, []):
            seeds = step_sizes.seeds(scale, cell)
            assert len(seeds) == (on_mnist if cell.task == MNIST else count)
            assert seeds[0] == TUNING_SEEDS[0]


def test_the_search_goes_on_between_neighbours_until_they_are_fine():
    ends = (0.0005, 0.02)
    trials = follow(MADE, "laptop", between({FILT: ends}))
    etas = etas_of(trials, FILT)
    assert set(GRID) < set(etas)
    for low, high in pairwise(etas):
        crossed = any(low < end < high for end in ends)
        assert not crossed or high / low <= FINE
        assert crossed or high / low > 1.2
    # Two halvings bring a factor of 3 below 1.5, at both ends.
    assert len(etas) == len(GRID) + 4
    assert all(0.0003 <= eta <= 0.001 or 0.01 <= eta <= 0.03 for eta in set(etas) - set(GRID))
    others = {trial.cell.row for trial in trials} - {FILT}
    assert all(etas_of(trials, row) == list(GRID) for row in others if row.scenario != MNIST)
    rows = rows_of(trials)
    assert rows[FILT.but(quantity=STEP)].value == pytest.approx(0.02, rel=FINE - 1.0)
    assert rows[FILT.but(quantity=OTHER_STEP)].value == pytest.approx(0.0005, rel=FINE - 1.0)


def test_mnist_starts_from_a_grid_of_its_own():
    row = RowKey(MNIST, "EMLC")
    trials = follow(MADE, "laptop", between({row: (0.0, 0.00004)}))
    etas = etas_of(trials, row)
    assert set(step_sizes.MNIST_GRID) < set(etas)
    (gap,) = [(low, high) for low, high in pairwise(etas) if low < 0.00004 < high]
    assert gap[1] / gap[0] <= step_sizes.MNIST_FINE


def test_at_smoke_scale_there_is_the_grid_alone():
    trials = follow(MADE, "smoke", between({FILT: (0.0005, 0.02)}))
    assert etas_of(trials, FILT) == list(GRID)


def test_a_search_that_was_cut_off_finishes_its_grid_first():
    record = between({FILT: (0.0005, 0.02)})
    grid = [cell for cell in step_sizes.cells("laptop", []) if cell.row == FILT]
    whole = [t for t in follow(MADE, "laptop", record) if t.cell.row == FILT]
    first = [t for t in whole if t.cell.eta in GRID]

    def next_etas(trials):
        return [cell.eta for cell in step_sizes.cells("laptop", trials) if cell.row == FILT]

    assert len(grid) == len(GRID)
    assert len(next_etas(first)) == len(GRID) + 2
    assert next_etas(first[:-1]) == list(GRID)
    assert next_etas([t for t in first if t.seed != TUNING_SEEDS[2]]) == list(GRID)


def test_another_block_of_seeds_is_searched_as_well():
    record = between({FILT: (0.0005, 0.02)})
    trials = follow(MADE, "laptop", record, seed_block=1)
    assert len(etas_of(trials, FILT)) == len(GRID) + 4


def test_an_interrupted_run_selects_the_trials_of_a_whole_one():
    trials = follow(MADE, "laptop", between({FILT: (0.0005, 0.02)}))
    kept, missing = select_current(MADE, "laptop", trials)
    assert len(kept) == len(trials)
    assert not [cell for cell, _ in missing if cell.task != MNIST]


def test_a_rule_that_never_has_the_number_has_a_row_without_value():
    iris_mst = RowKey(IRIS, "MST")
    trials = follow(MADE, "laptop", between({iris_mst: (0.0, 1.0)}))
    rows = rows_of(trials)
    below, above = rows[FILT.but(quantity=STEP)], rows[iris_mst.but(quantity=STEP)]
    assert (below.value, below.lo, below.hi, below.status) == (None, None, None, Status.NO_RESULT)
    assert below.note == "no step size from 0.0001 to 0.1 gives it: always below"
    assert above.note.endswith("always above")
    assert FILT.but(quantity=OTHER_STEP) not in rows
    at = rows[iris_mst.but(quantity="at the stated step size")]
    assert (at.value, at.unit, at.note) == (pytest.approx(91.3), "%", "eta 0.01")


@pytest.mark.parametrize(
    ("ends", "ratio", "note"),
    [
        ((0.012, 0.012), 1.0, "one step size lies in all intervals"),
        ((0.04, 0.002), 20.0, "none lies in all intervals"),
    ],
)
def test_step_sizes_of_a_table_agree_or_not(ends, ratio, note):
    chosen = {MST: (0.0, ends[0]), EMLC: (0.0, ends[1]), FILT: (0.0, 0.02)}
    rows = rows_of(follow(MADE, "laptop", between(chosen)))
    quantity = "largest over smallest implied step size"
    found = rows[RowKey("table 2", quantity=quantity)]
    assert found.value == pytest.approx(ratio, rel=0.6)
    assert (found.n, found.note) == (2, note)
    assert RowKey("table 1", quantity=quantity) not in rows  # one step size agrees with itself


def test_variants_do_not_count_for_the_agreement_of_a_table():
    by_peak = EMLC.but(variant="by peak")
    chosen = {MST: (0.0, 0.012), EMLC: (0.0, 0.012), by_peak: (0.0, 0.0005)}
    rows = rows_of(follow(MADE, "laptop", between(chosen)))
    found = rows[RowKey("table 2", quantity="largest over smallest implied step size")]
    assert found.value == pytest.approx(1.0)
    assert rows[by_peak.but(quantity=STEP)].value < 0.001


def test_only_trials_that_all_step_sizes_have_count():
    trials = [t for t in follow(MADE, "smoke", between({})) if t.cell.row == FILT]
    first, second = sorted({trial.seed for trial in trials})
    learned = [
        t._replace(record={"result": float(t.cell.eta > 0.002 and t.seed == second)})
        for t in trials
        if (t.cell.eta, t.seed) != (0.1, first)
    ]
    row = rows_of(learned)[FILT.but(quantity=STEP)]
    assert row.n == 1
    assert row.value == pytest.approx(np.sqrt(0.001 * 0.003))
    assert rows_of(learned)[FILT.but(quantity="at the stated step size")].value == 1.0
    apart = [t for t in trials if (t.seed == first) == (t.cell.eta < 0.002)]
    with pytest.raises(NotEnoughTrials, match="No rule has trials at two step sizes"):
        step_sizes.summarise("smoke", apart)


def test_without_trials_there_is_no_summary():
    trials = [t for t in follow(MADE, "smoke", between({})) if t.cell.eta == 0.001]
    for done in ([], trials):
        with pytest.raises(NotEnoughTrials, match="No rule has trials at two step sizes"):
            step_sizes.summarise("smoke", done)


def test_pictures_show_plain_rules_against_the_level():
    summary = step_sizes.summarise("laptop", follow(MADE, "laptop", between({MST: (0.0, 0.02)})))
    check_summary(summary)
    assert [len(panel.lines) for panel in summary.details] == [3, 3, 2, 2, 2]
    counts, of_iris = summary.details[2:4]
    assert [(mark.axis, mark.value) for mark in counts.marks] == [("x", 0.01), ("y", 0.5)]
    assert [mark.value for mark in of_iris.marks] == [0.01, 86.3, 84.8]
    line = counts.lines[0]
    assert [x for x, y in zip(line.x, line.y, strict=True) if y == 1.0] == [
        x for x in line.x if x < 0.02
    ]


def test_without_images_the_rest_is_run(monkeypatch):
    monkeypatch.setattr(step_sizes, "mnist_missing", lambda: "no images")
    tasks = {cell.task: MADE.unable(cell) for cell in step_sizes.cells("smoke", [])}
    assert {task for task, why in tasks.items() if why} == {MNIST}
    assert mnist.VALIDATION == 10_000


def test_a_smoke_run(monkeypatch, tmp_path):
    read = large_digits.install(monkeypatch)
    monkeypatch.setattr(step_sizes, "mnist_missing", lambda: "")
    with Store(tmp_path / "s.sqlite") as store:
        number = run(MADE, "smoke", store, Serial())
        trials = store.trials(MADE, "smoke")
        assert len(trials) == number
        assert find_missing(MADE, "smoke", store) == []
    assert set(read) == {"train"}  # no test image
    assert {trial.cell.task for trial in trials} == set(step_sizes.STATED)
    check_summary(step_sizes.summarise("smoke", trials))
    for trial in trials:
        result = trial.record["result"]
        assert 0.0 <= result <= 100.0
        assert trial.cell.task in (IRIS, MNIST) or result in (0.0, 1.0)
    last = trials[-1]
    assert MADE.trials(last.cell, [last.seed]) == [last.record]
