"""The picture of a check: a line per size of weights, over the time step."""

import numpy as np
import pytest

import linspike as ls

PATTERNS = ls.poisson_patterns(12, n_channels=30, duration=100.0, rate=0.02, rng=0)
MODEL = ls.Model(ls.SRM(), np.random.default_rng(0).normal(0.1, 0.2, (2, 30)))


def test_lines_show_the_rows(tmp_path):
    report = ls.deploy_check(MODEL, PATTERNS, dts=[1.0, 0.1], bits=[3])
    ax = ls.plot_deploy_check(report)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["exact", "0.1", "1"]
    assert [line.get_label() for line in ax.lines] == ["full weights", "3 bits"]
    rows = {(row.dt, row.bits): 100.0 * row.count_changed for row in report.rows}
    full, few = [line.get_ydata() for line in ax.lines]
    assert list(full) == [0.0, rows[0.1, None], rows[1.0, None]]
    assert list(few) == [rows[None, 3], rows[0.1, 3], rows[1.0, 3]]
    assert max(full) > 0.0
    ax.figure.savefig(tmp_path / "check.png")


def test_accuracies_are_dashed():
    report = ls.deploy_check(MODEL, PATTERNS, labels=[0, 1] * 6, dts=[1.0])
    ax = report.plot()
    dashed = [line for line in ax.lines if line.get_linestyle() == "--"]
    shown = 100.0 * np.array([report.reference.accuracy, report.rows[0].accuracy])
    assert list(dashed[0].get_ydata()) == list(shown)
    assert "right class" in ax.get_ylabel()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "full weights",
        "right class",
    ]


def test_drawing_into_given_axes():
    report = ls.deploy_check(MODEL, PATTERNS, dts=[1.0])
    ax = ls.plot_raster(PATTERNS)
    assert ls.plot_deploy_check(report, ax=ax) is ax


def test_what_is_no_report():
    with pytest.raises(ls.ParameterError, match="'report' .* must be a DeployReport. Got 3 inst"):
        ls.plot_deploy_check(3)
