"""Sections of a report from the published numbers, with a few pictures instead of all."""

from linspike.cli.experiments import REGISTRY
from linspike.paper.report.findings import FINDINGS
from linspike.paper.report.findings.tables import OPENING
from linspike.paper.report.layout import LAYOUTS
from linspike.paper.report.numbers import rows_of
from linspike.paper.report.pivot import join
from linspike.paper.report.published import published_results
from linspike.paper.report.sections import Section
from linspike.study.panels import Line, Panel
from linspike.study.rows import RowKey

PANEL = Panel("Rising", "x", "y", (Line("a", [1, 2], [1, 2]),))


def known_keys():
    """Return every key that layouts, findings and printed numbers name, by its label."""
    keys = [key for name in REGISTRY.ids for key in rows_of(name)]
    keys += [key for each in (OPENING, *FINDINGS.values()) for _, key in each.numbers.values()]
    for layout in LAYOUTS.values():
        columns = [column for group in layout.groups for column in group.columns]
        keys += [join(row, column.fields) for row in layout.rows for column in columns]
    return {key.label: key for key in keys}


def published_sections(scale=""):
    """Return a section for each experiment; at smoke scale if asked for, with the same numbers."""
    keys = known_keys()
    sections = []
    for experiment in REGISTRY.load_all():
        results = published_results([experiment.id])
        if not results:  # a study that is not published yet
            continue
        if scale:
            results = [result._replace(scale=scale) for result in results]
        command = f"linspike reproduce {experiment.id} --scale {results[0].scale}"
        sections.append(
            Section(
                id=experiment.id,
                title=experiment.heading.title,
                place=experiment.heading.place,
                command=command,
                results=results,
                keys=[keys.get(each.row, RowKey(quantity=each.row)) for each in results],
                commands=[command] * len(results),
                panels=[PANEL] * (1 + len(sections) % 2),
                notes=["N = 500, 50 trials a load."],
                trials=max(result.n for result in results),
                seconds=60.0,
            )
        )
    return sections
