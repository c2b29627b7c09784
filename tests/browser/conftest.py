import subprocess
import sys

import pytest
from tests.support.browser import open_browser
from tests.support.lab_page import LabVisit, Served


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def lab_server():
    """One lab for all pages of it."""
    for package in ("starlette", "uvicorn"):
        pytest.importorskip(package, reason="the extra lab is not installed")
    command = [sys.executable, "-m", "linspike", "lab", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield Served(process.stdout.readline().strip())
        process.terminate()


@pytest.fixture
def lab_visit(browser, lab_server):
    """A page of the lab, without errors and requests to other places when it is closed."""
    opened = LabVisit(browser, lab_server)
    yield opened
    opened.close()
    assert opened.errors == []
    assert opened.foreign == []
