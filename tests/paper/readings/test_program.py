"""The search for the settings of the paper's program: its three rounds, and distances."""

import math

import pytest
from tests.support.summaries import check_summary, follow

from linspike.cli.experiments import REGISTRY
from linspike.paper.common.methods import LINEAR_PROGRAM, STEADY
from linspike.paper.readings import program
from linspike.paper.readings.program import COUNTS, DESIGN, FIRST, LAST, LONG, MAIN, SHORT, START
from linspike.paper.report.numbers import PRINTED
from linspike.rules.dta import DTA
from linspike.study.analysis import capacity
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey
from linspike.study.runner import find_missing, run
from linspike.study.store import Store
from linspike.study.tuning import TUNING_SEEDS
from linspike.study.workers import Serial

MADE = REGISTRY.load("program")
BEST, THIRD = "bound 0.1, fallback 0.01 per row", "bound 0.2, fallback 0.001 per row"


def learn_to(shares):
    """Outcomes of settings that learn to a share of the printed capacity; 0.4 unless named."""

    def record(cell, seed):
        target = cell.task, cell.settings["window"]
        share = shares.get((cell.row.variant, target), shares.get(cell.row.variant, 0.4))
        most = share * program.PRINTED[target] / program.PER_LOAD[target[0]]
        return {"learned": cell.load <= most, "epochs": 9}

    return record


@pytest.fixture(scope="module")
def whole():
    """All trials of a search in which one setting has the printed numbers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(capacity, "DRAWS", 20)
        yield follow(MADE, "laptop", learn_to({BEST: 1.0, f"{BEST}, no gap": 0.7, THIRD: 0.6}))


def second_round(cells):
    return {cell.row.variant for cell in cells if cell.task == LONG}


def last_round(cells):
    long = [cell for cell in cells if cell.task == LONG]
    return {cell.row.variant for cell in long if cell.settings["window"] != "psp"}


def test_every_printed_number_is_that_of_the_table():
    for (task, window), value in program.PRINTED.items():
        name = f"DTA {window} (paper's linear program)"
        place = ("table1", RowKey(task, name))
        if task == COUNTS:
            place = ("table2", RowKey(method=LINEAR_PROGRAM))
        found = [one.value for one in PRINTED.values() if (one.experiment, one.row) == place]
        assert found == [value], place


def test_the_preset_is_in_the_design_with_the_settings_of_the_table():
    preset = {**DTA.paper().settings(), "schedule": STEADY}
    alike = [
        name
        for name, one in DESIGN.items()
        if not one.changes and {**program.SHARED, **one.settings}.items() <= preset.items()
    ]
    assert alike == [program.PRESET]
    settings = [(tuple(sorted(one.settings.items())), str(one.changes)) for one in DESIGN.values()]
    assert len(set(settings)) == len(DESIGN)


def test_settings_that_differ_for_times_alone_share_their_counts():
    names = {name: program.counts_name(name) for name in DESIGN}
    assert names[START] == names[f"{START}, always a step"] == START
    assert names[f"{START}, strict criterion, no gap"] == START
    assert names[f"{BEST}, no gap"] == BEST
    assert names[f"{START}, margin 0.1"] == f"{START}, margin 0.1"
    cells = [cell for cell in program.cells("paper", []) if cell.task == COUNTS]
    assert sorted(cell.row.variant for cell in cells) == sorted(set(names.values()))
    assert len({cell.digest for cell in cells}) == len(cells)


def test_settings_that_share_their_counts_would_learn_the_same():
    cells = program.cells("smoke", [])
    (base,) = [cell for cell in cells if cell.task == COUNTS and cell.row.variant == START]
    expected = program.train_chains(base, [0, 1])
    for name, setting in DESIGN.items():
        if program.counts_name(name) == START:
            settings = {**base.settings, **setting.settings}
            other = base.but(settings=settings, **setting.changes)
            assert program.train_chains(other, [0, 1]) == expected, name


def test_every_setting_is_tried_on_short_patterns_with_every_window():
    cells = program.cells("paper", [])
    short = {(cell.row.variant, cell.settings["window"]) for cell in cells if cell.task == SHORT}
    assert short == {(name, window) for name in DESIGN for window in ("psp", "stdp", "filt")}
    assert second_round(cells) == set()
    for cell in cells:
        setting = DESIGN[cell.row.variant]
        assert all(cell.settings[name] == value for name, value in setting.settings.items())
        changes = {} if cell.task == COUNTS else setting.changes
        assert all(getattr(cell, name) == value for name, value in changes.items())
        assert set(program.seeds("paper", cell)) <= set(TUNING_SEEDS)


def test_the_second_round_has_the_nearest_settings_and_the_first(whole):
    cells = program.cells("laptop", whole)
    assert {BEST, f"{BEST}, no gap", THIRD, START} <= second_round(cells)
    assert len(second_round(cells)) <= 2 * program.NEAREST + 1


def test_the_last_round_has_other_windows_of_the_first_and_of_those_nearest_with_psp(whole):
    cells = program.cells("laptop", whole)
    assert BEST in last_round(cells)
    assert START in last_round(cells)
    assert len(last_round(cells)) <= program.FINALISTS + 1
    windows = {cell.settings["window"] for cell in cells if cell.row.variant == BEST}
    assert windows == {"psp", "stdp", "filt"}


def test_the_last_round_waits_for_the_whole_second(whole):
    before = [
        trial
        for trial in whole
        if trial.cell.task != LONG or trial.cell.settings["window"] == "psp"
    ]
    assert last_round(program.cells("laptop", before))
    lost = next(trial for trial in before if trial.cell.task == LONG)
    rest = [trial for trial in before if trial is not lost]
    assert last_round(program.cells("laptop", rest)) == set()


def test_the_second_round_waits_for_the_whole_first(whole):
    first = [trial for trial in whole if trial.cell.task != LONG]
    assert second_round(program.cells("laptop", first))
    for lost in (first[0], first[len(first) // 2], first[-1]):
        rest = [trial for trial in first if trial is not lost]
        cells = program.cells("laptop", rest)
        assert second_round(cells) == set()
        assert lost.cell.digest in {cell.digest for cell in cells}


def test_the_first_goes_on_once_even_if_it_is_among_the_nearest(monkeypatch):
    monkeypatch.setattr(capacity, "DRAWS", 20)
    trials = follow(MADE, "laptop", learn_to({START: 1.0}))
    cells = [cell for cell in program.cells("laptop", trials) if cell.task == LONG]
    assert START in second_round(cells)
    assert len(second_round(cells)) <= 2 * program.NEAREST
    assert len({cell.digest for cell in cells}) == len(cells)


def test_another_block_of_seeds_has_a_second_round_too(monkeypatch):
    monkeypatch.setattr(capacity, "DRAWS", 20)
    trials = follow(MADE, "laptop", learn_to({BEST: 1.0}), seed_block=1)
    assert BEST in second_round(trial.cell for trial in trials)


def distance(name, trials, targets):
    return program.distance(name, program.group_trials(trials), targets)


def test_distances_are_sums_of_logarithms(whole):
    assert distance(BEST, whole, FIRST) < 0.04 * len(FIRST)
    assert distance(START, whole, FIRST) == pytest.approx(len(FIRST) * math.log(1 / 0.4), rel=0.05)
    assert distance(START, whole, FIRST[:1]) == pytest.approx(math.log(1 / 0.4), rel=0.05)
    long = [(LONG, "psp"), *LAST]
    everything = distance(BEST, whole, FIRST) + distance(BEST, whole, long)
    assert distance(BEST, whole, program.PRINTED) == pytest.approx(everything)


def test_more_than_printed_is_as_far_as_less(monkeypatch):
    monkeypatch.setattr(capacity, "DRAWS", 20)
    target = (SHORT, "psp")
    record = learn_to({(START, target): 1.5, (BEST, target): 1 / 1.5})
    trials = follow(MADE, "laptop", record)
    one, two = (distance(name, trials, [target]) for name in (START, BEST))
    assert one == pytest.approx(math.log(1.5), abs=0.04)
    assert two == pytest.approx(math.log(1.5), abs=0.04)


def test_a_setting_without_a_capacity_is_infinitely_far(whole):
    other = next(name for name in DESIGN if name not in second_round(t.cell for t in whole))
    assert distance(other, whole, FIRST) < math.inf
    assert distance(other, whole, MAIN) == math.inf
    silent = [t._replace(record={"learned": False, "epochs": 9}) for t in whole]
    assert distance(BEST, silent, FIRST) == math.inf


def test_rows_name_capacities_and_distances_nearest_first(whole):
    summary = program.summarise("laptop", whole)
    check_summary(summary)
    rows = {row.key: row for row in summary.rows}
    assert rows[RowKey(SHORT, "psp", variant=BEST)].value == pytest.approx(18100.0, rel=0.03)
    assert rows[RowKey(COUNTS, "psp", variant=BEST)].value == pytest.approx(355.0, rel=0.03)
    assert RowKey(COUNTS, "psp", variant=f"{BEST}, no gap") not in rows
    cells = [trial.cell for trial in whole]
    for quantity, names in (
        ("distance, short and counts", set(DESIGN)),
        ("distance, psp", second_round(cells)),
        ("distance, all", last_round(cells)),
    ):
        found = [row for row in summary.rows if row.key.quantity == quantity]
        assert {row.key.variant for row in found} == names
        assert found[0].key.variant == BEST
        values = [row.value for row in found]
        assert values == sorted(values)
    assert len(summary.details) == len(program.PRINTED)
    for panel, printed in zip(summary.details, program.PRINTED.values(), strict=True):
        assert {row.reference for row in panel.forest.rows} == {printed}
        assert {BEST, START} < {row.name for row in panel.forest.rows}


def test_a_first_round_alone_has_a_summary(whole):
    first = [trial for trial in whole if trial.cell.task == SHORT]
    summary = program.summarise("laptop", first)
    check_summary(summary)
    assert not any(row.key.quantity for row in summary.rows)
    with pytest.raises(NotEnoughTrials, match="No setting of the paper's program has trials"):
        program.summarise("laptop", [])


def test_a_smoke_run(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        number = run(MADE, "smoke", store, Serial())
        assert find_missing(MADE, "smoke", store) == []
        trials = store.trials(MADE, "smoke")
    assert len(trials) == number
    assert START in second_round(trial.cell for trial in trials)
    check_summary(program.summarise("smoke", trials))
