"""Experiments by id, from the tables of several studies."""

import pytest

import linspike as ls
from linspike import beyond, paper
from linspike.cli.experiments import REGISTRY
from linspike.study.experiment import SCALES
from linspike.study.registry import Registry


def test_studies_are_joined_in_order():
    assert REGISTRY.ids == (*paper.EXPERIMENTS, *beyond.EXPERIMENTS)
    assert [found.id for found in REGISTRY.load_all(("all",))] == list(REGISTRY.ids)
    assert [found.id for found in REGISTRY.load_all(("fig3", "fig3"))] == ["fig3"]


def test_ids_that_are_unknown_or_taken():
    with pytest.raises(
        ls.ParameterError, match=r"'id' parameter of Registry must be one of .*fig1"
    ):
        REGISTRY.load("fig99")
    with pytest.raises(
        ls.ParameterError, match="must be an id that linspike.paper.claims does not"
    ):
        Registry(paper.EXPERIMENTS, {"claims": "elsewhere"})


@pytest.mark.parametrize("name", REGISTRY.ids)
def test_every_experiment_is_complete(name):
    found = REGISTRY.load(name)
    assert found.id == name
    assert found.heading.title
    assert found.heading.place
    for scale in SCALES:
        cells = found.cells(scale, [])
        assert cells
        for cell in cells:
            assert type(cell) is found.protocol.cell_type
            assert cell.scale == scale
            assert len(found.seeds(scale, cell)) >= 1
            assert found.protocol.cell_type.from_json(cell.to_json()) == cell
            assert cell.describe()
    needs = found.needs()
    assert needs == "" or "mnist" in needs or "braille7" in needs
    assert REGISTRY.load(found.store_id).source == ""
    assert REGISTRY.load(found.store_id).protocol.cell_type is found.protocol.cell_type
