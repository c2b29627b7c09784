"""No number of a page that looks like a result is typed: it stands behind a marker."""

import re

import pytest
from tests.support.pages import BLOCK, DOCS, name_of, written_pages

# Decisions keep the numbers they were made with.
PAGES = [page for page in written_pages() if not page.is_relative_to(DOCS / "adr")]
NUMBER = r"(?<![\w.,/^-])\d+(?:\.\d+)?(?:e-?\d+)?"
RESULT = re.compile(
    rf"{NUMBER} ?(?:%|us\b|µs\b|s\b|seconds\b|x\b|points\b|patterns\b)"
    # Time constants, tolerances and short patterns are chosen, in whole milliseconds.
    r"|(?<![\w.,/-])\d+(?:\.\d+(?:e-?\d+)?|e-?\d+) ms\b"
    r"|(?<![\w.,/-])[1-9]\d{3,}(?: ms\b)?(?![\w/-]|\.\d)"
)
YEAR = re.compile(r"(?:19|20)\d\d")
# Chosen, by us or in the paper, or of the data: not results.
CONSTANTS = {
    "0.1 ms": "grid of other simulators",
    "1e-6 ms": "what solve_task takes for exact",
    "100 %": "a whole",
    "95 %": "level of intervals",
    "80 %": "part of a run at which steps stop shrinking",
    "60000": "training images of MNIST",
    "10000": "validation and test images of MNIST, inputs of figure 7",
    "5000": "images between two tests",
    "2000": "inputs of figure 7",
    "1000 ms": "length at which the van Rossum bound is printed",
    "17300 ms": "load of the paper",
    "355 patterns": "load of the paper",
    "1000000": "first seed for tuning",
}
EXCEPTIONS = {
    "docs/exactness": {
        "1e-12 ms": "tolerance of a test",
        "1e-5 ms": "tolerance of a test",
    },
    "docs/faq": {"1000": "cap on spikes"},
    "docs/howto/events": {
        "4 x": "pixels that are pooled",
        "0.5 ms": "an example in a wrong unit",
        "0.2 ms": "an example in a wrong unit",
        "1000": "ms in a second, hertz in a spike per millisecond",
    },
    "docs/howto/long_recordings": {"20 s": "an example", "43000": "product of the numbers before"},
    "docs/howto/own_spike_times": {
        "0.5 s": "length of a trial",
        "0.5 ms": "the same number, taken as milliseconds",
        "12 s": "length of the session",
        "1000": "ms in a second",
    },
    "docs/theory": {
        "17244 ms": "value of the formula before it",
        "8192": "most rows that a metric is the mean of",
        "0.2 ms": "value of the formula before it",
    },
    "docs/tutorial": {"0.9 ms": "an example"},
}


def typed_results(text):
    """What looks like a result in a text, without markers, code, formulas and links."""
    text = BLOCK.sub("", text)
    text = re.sub(r"<!-- table: .*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- number: .*? -->.*?<!-- end -->", "N", text)
    text = re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`", "C", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    found = (match[0] for match in RESULT.finditer(text))
    return [number for number in found if not YEAR.fullmatch(number)]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_results_are_inserted(page):
    allowed = {*CONSTANTS, *EXCEPTIONS.get(name_of(page), ())}
    assert not set(typed_results(page.read_text())) - allowed


@pytest.mark.parametrize(
    "text",
    ["95.4 %", "98%", "6.9 us", "0.163 ms", "2.3e-10 ms", "25200 ms", "25200", "3 s", "1.4 points",
     "419 patterns", "a capacity of 900 patterns", "70.3 x"],
)  # fmt: skip
def test_results_are_found(text):
    assert typed_results(f"It has {text}.")


@pytest.mark.parametrize(
    "text",
    ["20 ms", "2021", "`25200`", "<!-- number: a; b; ours -->25200<!-- end --> ms", "$T = 1000$",
     "[0019](adr/0019-annealed-steps.md)", "500 inputs", "arXiv 2103.12564", "```\n25200\n```"],
)  # fmt: skip
def test_other_numbers_are_not(text):
    assert not typed_results(f"It has\n{text}\nso.")
