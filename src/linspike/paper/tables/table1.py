"""Table 1: how long an input a neuron can be taught to answer with desired times.

Short patterns (400 ms each, more and more of them) and one long pattern. Every rule at the paper's
common step size and at its best of fourteen settings (seven step sizes, each steady and annealed),
tuned at a few loads on seeds of their own. Under the strict criterion, which is much harder for the
long pattern than the paper's: DTA as it is and, at paper scale, other rules at their best. And with
plain Poisson targets beside those with gap and onset.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from linspike.paper.common.capacity_rows import (
    Best,
    Contender,
    best_setting,
    contender,
    learn,
    ours,
    outcomes,
    papers_programme,
    row_of,
    search_cells,
    setting_of,
    tuning_cells,
    tuning_seeds,
)
from linspike.rules.base import STEADY
from linspike.rules.dta import ANNEALED
from linspike.study.capacity import Search, capacity_bound
from linspike.study.experiment import (
    Cell,
    Experiment,
    Line,
    Mark,
    Panel,
    Record,
    Row,
    Summary,
    Trial,
)
from linspike.study.selection import TUNING
from linspike.study.tasks import Task, encoding

SHORT = 400.0
LONG_STEP = 100.0
STRICT_PANEL = "One long pattern, strict criterion"

PAPERS = (
    papers_programme("DTA stdp (paper's LP)", window="stdp"),
    papers_programme("DTA psp (paper's LP)"),
    papers_programme("DTA filt (paper's LP)", window="filt"),
)
OURS = ours("DTA (ours)", schedule=ANNEALED)
MEASURED = (contender("ReSuMe", "resume"), contender("PSD", "psd"), contender("FILT", "filt"))
BEYOND = (
    contender("first error", "first_error"),
    contender("FP", "fp"),
    contender("HTP", "htp"),
    contender("E-learning", "e_learning"),
)

PER_ROW = papers_programme("DTA psp (paper's LP), fallback step per row", fallback_per="row")
TUNED = (PAPERS[1], OURS, *MEASURED, *BEYOND)

# Trials a load, channels, epochs, and seeds for tuning at each of its loads.
SIZES = {
    "smoke": {"trials": 2, "n": 60, "epochs": 30, "tuning": 0},
    "laptop": {"trials": 10, "n": 500, "epochs": 500, "tuning": 2},
    "paper": {"trials": 50, "n": 500, "epochs": 500, "tuning": 3},
}


class Contest(NamedTuple):
    """Where rules enter at their best; loads are shares of the bound."""

    scenario: str
    criterion: str
    rules: tuple[Contender, ...]
    tuned_at: tuple[float, ...]
    start: float  # where the search begins
    dta_start: float
    low: tuple[float, ...] = ()  # for rules that learn nothing at tuned_at, whatever their setting
    scales: tuple[str, ...] = ("laptop", "paper")  # where there is tuning

    def name_of(self, who: Contender) -> str:
        """The row of a rule at its best, but for the ending "best"."""
        strict = ", strict" if self.criterion == "strict" else ""
        return f"{who.name}{strict}"

    def tuned(self, who: Contender) -> Contender:
        """A rule under the name that its tuning goes by."""
        return who._replace(name=f"{self.scenario}, {self.name_of(who)}")


# Tuning needs loads on both sides of what a rule can learn: where all settings learn all, or
# nothing in between, the fastest would win instead of the one that learns most.
USUAL = (0.3, 0.7, 1.1, 1.5)
FINE = (0.02, 0.06, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.67, 0.75)
CONTESTS = (
    Contest("short", "paper", TUNED, USUAL, 0.6, 1.0),
    Contest("long", "paper", TUNED, USUAL, 0.5, 1.0, low=(0.02, 0.06)),
    Contest("long", "strict", (*MEASURED, *BEYOND), FINE, 0.3, 0.3, scales=("paper",)),
)


def _base(
    scale: str, scenario: str, who: Contender, value: float, row: str, **more: object
) -> Cell:
    size = SIZES[scale]
    return {
        "scale": scale,
        "row": f"{scenario}, {row}",
        "scenario": scenario,
        "tuning": False,
        "rule": who.rule,
        "settings": {**who.settings, who.parameter: value},
        "n": size["n"],
        "epochs": size["epochs"],
        "criterion": "paper",
        "min_gap": 5.0,
        "min_onset": 10.0,
        **more,
    }


def _load(scale: str, scenario: str, share: float) -> int:
    """The load that is this share of the bound."""
    bound = capacity_bound(SIZES[scale]["n"], 0.005, 20.0, 5.0)
    return max(2, int(share * bound / (SHORT if scenario == "short" else LONG_STEP)))


def _search(scale: str, contest: Contest, base: Cell) -> Search:
    share = contest.dta_start if base["rule"].startswith("dta") else contest.start
    scenario = contest.scenario
    return Search(_load(scale, scenario, share), 1, 2, _load(scale, scenario, 3.0))


def _rows(scale: str, trials: Sequence[Trial]) -> list[tuple[Contest, Cell]]:
    """One base cell for every row that can be searched now; best settings need their tuning."""
    found = []
    for contest in CONTESTS:
        rows = _plain_rows(scale, contest)
        if scale in contest.scales:
            rows += _best_rows(scale, contest, trials)
        found += [(contest, row) for row in rows]
    return found


def _plain_rows(scale: str, contest: Contest) -> list[Cell]:
    """Rules without tuning, and what becomes of DTA under other conditions."""
    scenario, strict = contest.scenario, {"criterion": "strict"}
    program = PAPERS[1]
    papers_strict = _base(
        scale, scenario, program, program.common, f"{program.name}, strict", **strict
    )
    if contest.criterion == "strict":
        return [papers_strict]
    papers = (program,) if scale == "smoke" else PAPERS
    rows = [
        _base(scale, scenario, who, who.common, who.name)
        for who in (*papers, OURS, *MEASURED, *BEYOND)
    ]
    rows.append(_base(scale, scenario, OURS, OURS.common, "DTA (ours), strict", **strict))
    if scenario == "short":  # for the long pattern it is in the strict contest
        rows.append(papers_strict)
    plain = {"min_gap": 0.0, "min_onset": 0.0}
    rows.append(_base(scale, scenario, OURS, OURS.common, "DTA (ours), no gap", **plain))
    steady = OURS._replace(settings={"schedule": STEADY})
    rows.append(_base(scale, scenario, steady, OURS.common, "DTA (ours), steady"))
    rows.append(_base(scale, scenario, PER_ROW, PER_ROW.common, PER_ROW.name))
    return rows


def _best_rows(scale: str, contest: Contest, trials: Sequence[Trial]) -> list[Cell]:
    """Every rule at its best setting, where its tuning is done."""
    rows: list[Cell] = []
    for who in contest.rules:
        best = _chosen(scale, contest, contest.tuned(who), trials)
        if best is not None:
            more = {"anneal": best.pace, "criterion": contest.criterion}
            name = f"{contest.name_of(who)}, best"
            rows.append(_base(scale, contest.scenario, who, best.value, name, **more))
    return rows


def _chosen(scale: str, contest: Contest, tuned: Contender, trials: Sequence[Trial]) -> Best | None:
    """The best setting of a rule; None until its tuning is done."""
    seeds = SIZES[scale]["tuning"]
    mine = [trial for trial in trials if trial.cell["row"] == f"{TUNING}{tuned.name}"]
    loads = [_load(scale, contest.scenario, share) for share in contest.tuned_at]
    usual = [trial for trial in mine if trial.cell["load"] in loads]
    by_spikes = contest.criterion == "strict"
    if any(trial.record["learned"] for trial in usual):
        return best_setting(usual, tuned, seeds * len(loads), by_spikes=by_spikes)
    desired = seeds * len((*loads, *contest.low))
    return best_setting(mine, tuned, desired, by_spikes=by_spikes)


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """Tuning first, then every load that the searches ask for."""
    found: list[Cell] = []
    for contest in CONTESTS:
        if scale not in contest.scales:
            continue
        shares = (*contest.tuned_at, *contest.low)
        loads = [_load(scale, contest.scenario, share) for share in shares]
        more = {"criterion": contest.criterion}
        for who in contest.rules:
            base = _base(scale, contest.scenario, who, who.common, who.name, **more)
            found += tuning_cells(base, contest.tuned(who), loads)
    for contest, base in _rows(scale, trials):
        search = _search(scale, contest, base)
        found += search_cells(base, search, trials, SIZES[scale]["trials"])
    return found


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """Trials of a cell."""
    if cell["tuning"]:
        return tuning_seeds(SIZES[scale]["tuning"])
    return range(SIZES[scale]["trials"])


def _task(cell: Cell, seed: int) -> Task:
    gaps = {"min_gap": cell["min_gap"], "min_onset": cell["min_onset"]}
    if cell["scenario"] == "short":
        return encoding(seed, cell["load"], duration=SHORT, n_channels=cell["n"], **gaps)
    return encoding(seed, 1, duration=LONG_STEP * cell["load"], n_channels=cell["n"], **gaps)


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Chains of one load."""
    return learn(cell, [_task(cell, seed) for seed in seeds], seeds)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Capacities in milliseconds, with the bound, and the share learned against the load."""
    bound = capacity_bound(SIZES[scale]["n"], 0.005, 20.0, 5.0)
    rows = [Row("bound", bound, bound, bound, 0, "ms", "estimate, no trials")]
    for scenario, unit in (("short", SHORT), ("long", LONG_STEP)):
        names = sorted({t.cell["row"] for t in trials if t.cell["scenario"] == scenario})
        names = [name for name in names if not name.startswith(TUNING)]
        rows += [row_of(name, trials, "ms", unit, _remark(name, trials)) for name in names]
    rows += _lower(rows)
    return Summary(tuple(rows), _panels(trials, bound), _notes(scale))


def _lower(rows: Sequence[Row]) -> list[Row]:
    """The best that a rule the paper measures reaches in its worse scenario, at the common step."""
    most = {row.name: row.hi if row.value is None else row.value for row in rows}
    value = {name: math.inf if found is None else found for name, found in most.items()}
    pairs = [(f"short, {who.name}", f"long, {who.name}") for who in MEASURED]
    if not all(name in value for pair in pairs for name in pair):
        return []
    lower = max(min(value[short], value[long]) for short, long in pairs)
    note = "of ReSuMe, PSD and FILT: the largest of their smaller capacities"
    return [Row("lower capacity of other rules", lower, None, None, 0, "ms", note)]


def _remark(name: str, trials: Sequence[Trial]) -> str:
    """The setting of a row, and the spikes that were wrong where it counted as learned."""
    mine = [trial for trial in trials if trial.cell["row"] == name]
    learned = [trial.record for trial in mine if trial.record["learned"]]
    step = setting_of(mine[0].cell)
    if not learned:
        return step
    wrong = sum(record["missed"] + record["extra"] for record in learned)
    share = 100.0 * wrong / max(1, sum(record["desired"] for record in learned))
    return f"{step}; when learned {share:.1f} % of spikes beyond 1 ms"


def _panels(trials: Sequence[Trial], bound: float) -> tuple[Panel, ...]:
    """The share learned against the load; for the long pattern one panel for each criterion."""
    rows = {trial.cell["row"]: trial.cell for trial in trials if not trial.cell["tuning"]}
    short = [row for row, cell in rows.items() if cell["scenario"] == "short"]
    strict = [row for row, cell in rows.items() if cell["criterion"] == "strict"]
    groups = (
        ("Short patterns", SHORT, short),
        ("One long pattern", LONG_STEP, set(rows) - {*short, *strict}),
        (STRICT_PANEL, LONG_STEP, set(strict) - set(short)),
    )
    return tuple(
        _panel(title, unit, sorted(names), trials, bound)
        for title, unit, names in groups
        if names or title != STRICT_PANEL
    )


def _panel(
    title: str, unit: float, names: list[str], trials: Sequence[Trial], bound: float
) -> Panel:
    lines = []
    for name in names:
        found = outcomes(trials, name)
        loads = sorted(found)
        shares = [sum(found[load].values()) / len(found[load]) for load in loads]
        label = name.split(", ", 1)[1]
        if title == STRICT_PANEL:  # its title says it, and colours go by the label
            label = label.replace(", strict", "")
        lines.append(Line(label, [unit * load for load in loads], shares))
    return Panel(
        title,
        "length of input (ms)",
        "share of trials learned",
        tuple(lines),
        marks=(Mark("x", bound, "bound"), Mark("y", 0.5, "half")),
    )


def _notes(scale: str) -> tuple[str, ...]:
    size = SIZES[scale]
    return (
        f"N = {size['n']}, rates 0.005, {size['trials']} trials a load, {size['epochs']} epochs.",
        "Desired trains keep 5 ms apart and begin after 10 ms, except in the rows 'no gap'.",
        "The paper's criterion is lax for long patterns: see the share of spikes beyond 1 ms.",
    )


EXPERIMENT = Experiment(
    id="table1",
    title="Capacity for desired times: the longest input that half of the trials learn",
    place="Table 1",
    cells=cells,
    seeds=seeds,
    trials=trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 0.6 if cell["scenario"] == "long" else 0.3,
)
