"""Files around the package agree with each other: changelog, versions, interpreters."""

import re
import tomllib

from tests.support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]


def minor_versions(text):
    return sorted({int(minor) for minor in re.findall(r"\b3\.(\d+)\b", text)})


def test_the_changelog_begins_with_unreleased():
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    sections = [line for line in lines if line.startswith("## ")]
    assert sections[0] == "## [Unreleased]"
    for line in sections[1:]:
        assert re.fullmatch(r"## \[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}", line), line
    kinds = [line[4:] for line in lines if line.startswith("### ")]
    assert set(kinds) <= set(HEADINGS)


def test_the_citation_has_the_version_of_the_package():
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text()


def test_every_supported_python_is_tested():
    named = minor_versions(" ".join(PROJECT["classifiers"]))
    lowest, beyond = minor_versions(PROJECT["requires-python"])
    assert named == list(range(lowest, beyond))
    nox = re.search(r"python=(\[.*?\])", (ROOT / "noxfile.py").read_text())
    assert minor_versions(nox[1]) == named
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text()
    assert minor_versions(re.search(r"python: (\[.*?\])", workflow)[1]) == named
