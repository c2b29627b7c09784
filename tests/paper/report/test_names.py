"""Names that readers see."""

import pytest

from linspike.paper.report.names import is_dta, show_name


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("DTA psp (paper's linear program)", "DTA (linear program)"),
        ("DTA (paper's linear program), tuned", "DTA (linear program), tuned"),
        ("DTA stdp (paper's linear program)", "DTA stdp (linear program)"),
        ("DTA (projection), gradient", "DTA (projection), gradient"),
        ("slow/fast", "epochs at 20 to 30 ms over those above 50 ms"),
        ("PSD", "PSD"),
    ],
)
def test_shown_names(label, shown):
    assert show_name(label) == shown


def test_forms_of_dta():
    assert all(map(is_dta, ["DTA (projection)", "dta", "MST over DTA"]))
    assert not any(map(is_dta, ["MST", "EMLC", ""]))
