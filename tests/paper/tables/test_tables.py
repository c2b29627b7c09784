"""Tables, claims and ablation at smoke scale: run, summarised, drawn from."""

import json
from collections import Counter

import pytest

from linspike.paper.common.capacity_rows import Best, best_setting, contender, tuning_cells
from linspike.paper.report.collect import collect, largest_scale, published, published_results
from linspike.paper.report.verdicts import results
from linspike.rules.base import STEADY
from linspike.rules.dta import ANNEALED
from linspike.study.experiment import Trial
from linspike.study.registry import IDS, experiment
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Here

RUN = ("table1", "table2", "fig7", "table3", "fig8", "claims", "ablation", "realdata")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("tables") / "s.sqlite") as opened:
        for name in RUN:
            run(experiment(name), "smoke", opened, Here())
        yield opened


@pytest.mark.parametrize("name", RUN)
def test_every_row_has_a_value_or_says_why_not(store, name):
    found = experiment(name).summarise("smoke", store.trials(experiment(name).shelf, "smoke"))
    assert found.rows
    assert len({row.name for row in found.rows}) == len(found.rows)
    for row in found.rows:
        assert row.value is not None or row.note, row
        if row.value is not None and row.lo is not None and row.hi is not None:
            assert row.lo <= row.value <= row.hi
    assert found.notes
    assert json.dumps([row._asdict() for row in found.rows])


def test_a_report_can_be_collected(store):
    sections = collect(store, RUN)
    assert [section.id for section in sections] == list(RUN)
    for section in sections:
        assert section.trials > 0
        assert (section.seconds > 0.0) == (section.source == "")
        assert section.command == f"linspike reproduce {section.id} --scale smoke"
        assert section.results
        assert all(result.verdict != "better" for result in section.results)  # smoke is no claim
    assert sections[0].panels
    assert largest_scale(store, "fig1") is None
    (silent,) = collect(store, ["fig3"])
    assert silent.trials == 0
    assert {result.verdict for result in silent.results} == {"not run"}


def test_published_results_name_experiments_that_exist():
    found = published_results(IDS)
    assert {result.id for result in found} <= set(IDS)
    assert published()["schema"] == 1


def test_the_paper_scale_has_the_papers_sizes():
    for name, trials, n in (("table1", 50, 500), ("table2", 50, 500)):
        made = experiment(name)
        cells = [cell for cell in made.cells("paper", []) if not cell["tuning"]]
        assert {cell["n"] for cell in cells} == {n}
        assert {len(made.seeds("paper", cell)) for cell in cells} == {trials}
    assert {c["epochs"] for c in experiment("table1").cells("paper", [])} == {500}
    assert {c["epochs"] for c in experiment("table2").cells("paper", [])} == {100}


def test_tuned_rows_appear_once_the_tuning_is_done():
    made = experiment("table2")
    before = made.cells("laptop", [])
    tuning = [cell for cell in before if cell["tuning"]]
    assert len(tuning) == 7 * 14 * 4  # rules, settings, loads: as many for every rule
    done = [
        Trial(cell, seed, {"learned": _is_good(cell), "epochs": 50})
        for cell in tuning
        for seed in made.seeds("laptop", cell)
    ]
    best = [cell for cell in made.cells("laptop", done) if cell["row"] == "MST, best"]
    assert best[0]["settings"] == {"eta": 0.003}
    assert best[0]["anneal"] == ANNEALED
    assert not any(cell["row"].endswith("best") for cell in before)
    lacking = made.cells("laptop", done[:-1])  # of the last rule
    ready = ("DTA (paper's LP)", "DTA (ours)", "DTA (ours), gradient", "MST", "EML", "EMLC")
    assert {cell["row"] for cell in lacking if cell["row"].endswith("best")} == {
        f"{name}, best" for name in ready
    }


def test_other_rules_enter_the_long_pattern_at_their_best_under_both_criteria():
    made = experiment("table1")
    tuning = [cell for cell in made.cells("paper", []) if cell["tuning"]]
    kinds = {(cell["row"], cell["scenario"], cell["criterion"]) for cell in tuning}
    strict = {row for row, scenario, criterion in kinds if criterion == "strict"}
    assert {row.removesuffix(", strict") for row in strict} == {
        row
        for row, scenario, criterion in kinds
        if (scenario, criterion) == ("long", "paper") and "DTA" not in row
    }
    settings = Counter(cell["row"] for cell in tuning if cell["load"] == tuning[0]["load"])
    assert set(settings.values()) == {14}
    done = [
        Trial(cell, seed, {"learned": _is_good(cell), "epochs": 50})
        for cell in tuning
        if cell["row"] == "tuning long, FILT, strict"
        for seed in made.seeds("paper", cell)
    ]
    best = [cell for cell in made.cells("paper", done) if cell["row"].endswith("best")]
    assert [cell["row"] for cell in best] == ["long, FILT, strict, best"]
    assert best[0]["criterion"] == "strict"
    assert best[0]["settings"] == {"eta": 0.003}
    assert best[0]["anneal"] == ANNEALED
    assert not any(
        cell["tuning"] and cell["criterion"] == "strict" for cell in made.cells("laptop", [])
    )


def test_the_strict_criterion_has_a_panel_of_its_own():
    made = experiment("table1")
    cells = [cell for cell in made.cells("paper", []) if not cell["tuning"]]
    record = {"learned": False, "epochs": 500, "desired": 9, "missed": 9, "extra": 0}
    short, long, strict = made.summarise("paper", [Trial(c, 0, record) for c in cells]).panels
    labels = {line.name for line in strict.lines}
    assert labels == {"DTA (ours)", "DTA psp (paper's LP)"} <= {line.name for line in long.lines}
    assert "DTA (ours), strict" in {line.name for line in short.lines}


@pytest.mark.parametrize(("learns_at_usual_loads", "chosen"), [(True, 0.001), (False, 0.003)])
def test_low_loads_choose_where_nothing_is_learned_at_the_usual_ones(learns_at_usual_loads, chosen):
    made = experiment("table1")
    tuning = [c for c in made.cells("paper", []) if c["row"] == "tuning long, FP"]
    low = sorted({cell["load"] for cell in tuning})[:2]

    def learned(cell):
        if cell["load"] in low:
            return cell["settings"]["eta"] == 0.003
        return learns_at_usual_loads and cell["settings"]["eta"] == 0.001 and cell["load"] < 100

    done = [
        Trial(cell, seed, {"learned": learned(cell), "epochs": 50})
        for cell in tuning
        for seed in made.seeds("paper", cell)
    ]
    best = [cell for cell in made.cells("paper", done) if cell["row"] == "long, FP, best"]
    assert best[0]["settings"] == {"eta": chosen}
    assert not any(c["row"] == "long, FP, best" for c in made.cells("paper", done[1:]))


def _is_good(cell):
    return cell["settings"].get("eta") == 0.003 and cell["anneal"] == ANNEALED


def test_best_is_most_learned_then_fewest_wrong_spikes_then_fastest():
    who = contender("X", "psd")
    cells = tuning_cells({"row": "X", "epochs": 500}, who, [10])
    assert best_setting([], who, 1) is None
    nothing = {"learned": False, "epochs": 500, "missed": 9, "extra": 0}
    records = [dict(nothing) for _ in cells]
    records[2] = {**nothing, "missed": 3}
    trials = [Trial(cell, 0, record) for cell, record in zip(cells, records, strict=True)]
    assert best_setting(trials, who, 1) == Best(who.values[1], STEADY)
    trials[4] = Trial(cells[4], 0, {"learned": True, "epochs": 90, "missed": 0, "extra": 0})
    trials[5] = Trial(cells[5], 0, {"learned": True, "epochs": 40, "missed": 1, "extra": 0})
    assert best_setting(trials, who, 1) == Best(who.values[2], ANNEALED)
    assert best_setting(trials, who, 1, by_spikes=True) == Best(who.values[2], STEADY)


def test_running_away_early_is_no_merit():
    who = contender("X", "mst")
    cells = tuning_cells({"row": "X", "epochs": 100}, who, [10, 20])
    lost = {"learned": False, "epochs": 100}
    trials = [Trial(cell, 0, lost) for cell in cells]
    trials[0] = trials[0]._replace(record={"learned": True, "epochs": 40})
    trials[2] = trials[2]._replace(record={"learned": True, "epochs": 90})
    trials[3] = trials[3]._replace(record={"learned": False, "epochs": 1})
    assert best_setting(trials, who, 2) == Best(who.values[0], STEADY)


def test_rows_beside_the_papers(store):
    summary = experiment("table2").summarise("smoke", store.trials("table2", "smoke"))
    found = {result.row: result for result in results("table2", "smoke", summary)}
    assert found["MST"].paper == 110
    assert found["DTA (ours)"].paper == found["DTA (paper's LP)"].paper == 355
