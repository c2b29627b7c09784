"""A table of flowers and the model that the command line makes of it, once for each file."""

import pytest
from tests.support.flowers import flower_model, flower_table


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return flower_table(tmp_path_factory.mktemp("flowers"))


@pytest.fixture(scope="module")
def model(table):
    return flower_model(table)
