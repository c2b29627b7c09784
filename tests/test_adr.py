"""Decision records: uniform headers, statuses that lead somewhere, a complete table."""

import re

import pytest
from tests.support.paths import ROOT

FOLDER = ROOT / "docs" / "adr"
RECORDS = sorted(path.name for path in FOLDER.glob("[0-9]*.md"))
HEADER = re.compile(
    r"# (?P<number>\d{4}): (?P<title>[^\n]+)\n\n"
    r"- Date: (?P<date>\d{4}-\d{2}-\d{2})\n"
    r"- Status: (?P<status>[^\n]+)\n\n"
)
LINK = r"\[(\d{4})\]\((\d{4}-[a-z0-9-]+\.md)\)"
STATUS = re.compile(rf"accepted|superseded (in part )?by {LINK}(, {LINK})*")
every_record = pytest.mark.parametrize("name", RECORDS)


def header_of(name):
    found = HEADER.match((FOLDER / name).read_text())
    assert found, f"{name} does not begin with title, date and status"
    return found


@every_record
def test_header(name):
    header = header_of(name)
    assert header["number"] == name[:4]
    assert STATUS.fullmatch(header["status"]), header["status"]


@every_record
def test_a_superseding_record_is_later_and_names_the_earlier(name):
    for number, target in re.findall(LINK, header_of(name)["status"]):
        assert target.startswith(number)
        assert number > name[:4]
        assert name[:4] in (FOLDER / target).read_text()


def test_numbers_have_no_gaps():
    assert [name[:4] for name in RECORDS] == [f"{n:04d}" for n in range(1, len(RECORDS) + 1)]


def test_the_table_lists_every_record_as_it_is():
    rows = re.findall(r"^\| \[.*\|$", (FOLDER / "README.md").read_text(), flags=re.MULTILINE)
    shown = []
    for name in RECORDS:
        header = header_of(name)
        title = header["title"][0].upper() + header["title"][1:]
        shown.append(f"| [{name[:4]}]({name}) | {title} | {header['date']} | {header['status']} |")
    assert rows == shown


@every_record
def test_links_lead_to_files(name):
    for target in re.findall(r"\]\(([^)#:]+)\)", (FOLDER / name).read_text()):
        assert (FOLDER / target).exists(), target
