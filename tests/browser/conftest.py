import pytest
from tests.support.browser import open_browser


@pytest.fixture(scope="session")
def browser():
    """One browser for all pages."""
    with open_browser() as opened:
        yield opened
