"""Tables of published results, by the name of their marker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tools.inserted.cells import (
    COUNT_RULES,
    FOUND,
    LIMIT,
    NONE,
    PROGRAM,
    PROJECTION,
    PSP_PROGRAM,
    TIME_RULES,
    best_cell,
    limit_cell,
    our_cell,
    paper_cell,
    share_cell,
    strict_cell,
)
from tools.inserted.formats import format_table
from tools.inserted.sources import Sources, format_field


@dataclass(frozen=True)
class Task:
    """A row of the README's table; labels have {} in place of the method.

    Every other rule named has all the other labels published; none is "-".
    """

    name: str
    experiment: str
    label: str
    other_labels: tuple[str, ...] = ()
    program: str = PROGRAM
    rules: tuple[str, ...] = COUNT_RULES


def _times(name: str, label: str, *others: str) -> Task:
    return Task(name, "table1", label, others, PSP_PROGRAM, TIME_RULES if others else ())


# EML was not run on data.
DATA_RULES = ("MST", "EMLC")


README_TASKS = (
    _times("short patterns, ms", "short, {}", "short, {}", "short, {}, tuned"),
    _times("short patterns, strict, ms", "short, {}, strict"),  # other rules were not run
    _times("one long pattern, ms", "long, {}", "long, {}", "long, {}, tuned"),
    _times("one long pattern, strict, ms", "long, {}, strict", "long, {}, strict, tuned"),
    Task("patterns in five classes", "table2", "{}", ("{}", "{}, tuned")),
    Task("Iris, test, %", "table3", "{}, test", ("{}, test", "{}, tuned, test"), rules=DATA_RULES),
    Task("MNIST, test, %", "table4", "{}, test", ("{}, test",), rules=DATA_RULES),
    Task(
        "MNIST, tuned, test, %", "table4", "{}, tuned, test", ("{}, tuned, test",), rules=DATA_RULES
    ),
)


def readme(sources: Sources) -> str:
    """Return the README's table."""
    rows = []
    for task in README_TASKS:
        program, projection = map(task.label.format, (task.program, PROJECTION))
        cells = [
            paper_cell(sources, task.experiment, program),
            our_cell(sources, task.experiment, program),
            our_cell(sources, task.experiment, projection),
            best_cell(sources, task.experiment, task.other_labels, task.rules),
            limit_cell(sources, task.experiment, task.label),
        ]
        rows.append([task.name, *cells])
    heads = ["task", "the paper", "its program, here", "DTA, here", "best other rule", LIMIT]
    return format_table(heads, rows)


def program(sources: Sources) -> str:
    """Return the paper's linear program with its preset beside the paper's numbers.

    On MNIST it had other bounds.
    """
    windows = [f"DTA {window} (paper's linear program)" for window in ("psp", "stdp", "filt")]
    named = [
        (f"{task}, {method.split()[1]} window, ms", "table1", f"{scenario}, {method}")
        for scenario, task in (("short", "short patterns"), ("long", "one long pattern"))
        for method in windows
    ]
    named += [
        ("patterns in five classes", "table2", PROGRAM),
        ("Iris, test, %", "table3", f"{PROGRAM}, test"),
    ]
    return _beside_the_paper(sources, "`DTA.paper()`", named)


def projection(sources: Sources) -> str:
    """Return the projection beside the paper's numbers for its DTA."""
    named = [
        ("short patterns, ms", "table1", f"short, {PROJECTION}"),
        ("one long pattern, ms", "table1", f"long, {PROJECTION}"),
        ("patterns in five classes", "table2", PROJECTION),
        ('the same, `count_target="gradient"`', "table2", f"{PROJECTION}, gradient"),
        ('the same, `count_target="halving"`', "table2", f"{PROJECTION}, halving"),
        ("Iris, test, %", "table3", f"{PROJECTION}, test"),
        ("MNIST, test, %, the paper's protocol", "table4", f"{PROJECTION}, test"),
        ("MNIST, test, %, tuned", "table4", f"{PROJECTION}, tuned, test"),
    ]
    return _beside_the_paper(sources, "`DTA()`", named)


def _beside_the_paper(sources: Sources, here: str, named: list[tuple[str, str, str]]) -> str:
    rows = []
    for name, experiment, label in named:
        ours = our_cell(sources, experiment, label)
        strict = strict_cell(sources, experiment, label)
        rows.append([name, paper_cell(sources, experiment, label), ours, strict])
    return format_table(["", "the paper", here, f"{here}, strict criterion"], rows)


def rules_times(sources: Sources) -> str:
    """Return the other rules at the common step size, desired times."""
    rows = []
    for rule in TIME_RULES:
        cells = [rule]
        for label in (f"short, {rule}", f"long, {rule}"):
            cells += [paper_cell(sources, "table1", label), our_cell(sources, "table1", label)]
        rows.append(cells)
    return format_table(["", "short, paper", "short, here", "long, paper", "long, here"], rows)


def rules_counts(sources: Sources) -> str:
    """Return the other rules at the common step size, counts and classes."""
    sections = (("table2", "{}"), ("table3", "{}, test"), ("table4", "{}, test"))
    rows = []
    for rule in ("EMLC", "MST"):
        cells = [rule]
        for experiment, label in sections:
            row = label.format(rule)
            cells += [paper_cell(sources, experiment, row), our_cell(sources, experiment, row)]
        rows.append(cells)
    tasks = ("five classes", "Iris, %", "MNIST, %")
    return format_table(["", *(f"{t}, {who}" for t in tasks for who in ("paper", "here"))], rows)


def tuned_times(sources: Sources) -> str:
    """Return every rule at its best setting, desired times."""
    rows = []
    for method in (PROJECTION, PSP_PROGRAM, *TIME_RULES):
        long = f"long, {method}, tuned"
        if f"long, {method}, strict" in sources.published["table1"]:
            strict = f"{our_cell(sources, 'table1', f'long, {method}, strict')}, untuned"
        else:
            strict = our_cell(sources, "table1", f"long, {method}, strict, tuned")
        cells = [our_cell(sources, "table1", label) for label in (f"short, {method}, tuned", long)]
        off = format_field(sources.row("table1", long), "off")
        rows.append([method.replace("DTA psp", "DTA"), *cells, off, strict])
    rows.sort(key=lambda row: -int(row[1].split()[0]))
    heads = ["", "short, ms", "one long pattern, ms", "its spikes off, %"]
    return format_table([*heads, "one long pattern, strict, ms"], rows)


def limit_shares(sources: Sources) -> str:
    """Return every rule's capacity in per cent of the exact limit, at its best setting."""
    rows = []
    for method in (FOUND, PROJECTION, PSP_PROGRAM, *TIME_RULES):
        cells = [method.replace("DTA psp", "DTA")]
        for scenario in ("short", "long"):
            strict, paper = f"{scenario}, {method}, strict", f"{scenario}, {method}"
            cells.append(share_cell(sources, (f"{strict}, tuned", strict)))
            cells.append(share_cell(sources, (f"{paper}, tuned", paper)))
        rows.append(cells)
    criteria = ("strict, %", "the paper's criterion, %")
    heads = [f"{name}, {how}" for name in ("short", "one long pattern") for how in criteria]
    return format_table(["", *heads], rows)


def signs(sources: Sources) -> str:
    """Return capacities with weights of fixed signs beside their exact limits."""
    rows = []
    for division in ("half excitatory", "80 % excitatory"):
        cells = [division]
        for task in ("short", "long"):
            labels = (f"{PROJECTION}, strict", LIMIT)
            cells += [our_cell(sources, "signs", f"{task}, {division}, {each}") for each in labels]
        rows.append(cells)
    names = ("short patterns", "one long pattern")
    heads = [f"{name}, {what}, ms" for name in names for what in ("DTA", LIMIT)]
    return format_table(["channels", *heads], rows)


def tuned_counts(sources: Sources) -> str:
    """Return every rule at its best setting, patterns in five classes."""
    variants = (f"{PROJECTION}, {name}" for name in ("gradient", "halving"))
    methods = (PROJECTION, *variants, PROGRAM, *COUNT_RULES)
    rows = [[method, our_cell(sources, "table2", f"{method}, tuned")] for method in methods]
    rows.sort(key=lambda row: -int(row[1].split()[0]))
    return format_table(["", "patterns in five classes"], rows)


def data_sets(sources: Sources) -> str:
    """Return test accuracies on data sets beyond the paper."""
    methods = (PROJECTION, "EMLC", "logistic regression", "RBF SVM", "random forest")
    names = {"braille7": "Braille letters, tactile spikes"}
    rows = [
        [names.get(name, name), *(our_cell(sources, "realdata", f"{name}, {m}") for m in methods)]
        for name in ("wine", "breast cancer", "digits", "braille7")
    ]
    return format_table(["test, %", *methods], rows)


def events(sources: Sources) -> str:
    """Return test accuracies on recordings of events."""
    columns = {
        "`make_event_classifier`": PROJECTION,
        "the same, all events": f"{PROJECTION}, all events",
        "the same, no delay lines": f"{PROJECTION}, no delay lines",
        "logistic regression": "logistic regression",
        "the same, 8 stretches": "logistic regression, 8 stretches",
    }
    names = {
        "digits, raw": "digits, 34 x 34 pixels",
        "digits, 2 x 2": "digits, pooled 2 x 2",
        "digits, 4 x 4": "digits, pooled 4 x 4",
        "braille7": "Braille letters",
    }
    found = sources.published["events"]
    rows = []
    for data, name in names.items():
        labels = [f"{data}, {method}" for method in columns.values()]
        cells = [our_cell(sources, "events", each) if each in found else NONE for each in labels]
        rows.append([name, *cells])
    return format_table(["test, %", *columns], rows)


TABLES: dict[str, Callable[[Sources], str]] = {
    "readme": readme,
    "program": program,
    "projection": projection,
    "rules-times": rules_times,
    "rules-counts": rules_counts,
    "tuned-times": tuned_times,
    "limit-shares": limit_shares,
    "signs": signs,
    "tuned-counts": tuned_counts,
    "data-sets": data_sets,
    "events": events,
}
