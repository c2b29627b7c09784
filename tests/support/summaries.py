"""What holds for the summary of every experiment, and a run whose outcomes are known."""

import json

from tests.support.pictures import check_pictures

from linspike.study.cells import Trial
from linspike.study.rows import Status


def check_summary(found):
    """Every row has a value or says why not, and rows are told apart."""
    assert found.rows
    assert len({row.key.label for row in found.rows}) == len(found.rows)
    for row in found.rows:
        empty = row.value is row.lo is row.hi is None
        assert empty == (row.status != Status.MEASURED), row
        assert row.value is not None or row.note, row
        if row.value is not None and row.lo is not None and row.hi is not None:
            assert row.lo <= row.value <= row.hi
    assert found.notes
    check_pictures(found)
    assert json.dumps([row.key.label for row in found.rows])


def follow(experiment, scale, record, *, seed_block=0, rounds=60):
    """Return all trials of a search whose records are those of `record(cell, seed)`."""
    done = {}
    for _ in range(rounds):
        cells = experiment.cells(scale, list(done.values()))
        new = {
            (cell.digest, seed): Trial(cell.but(seed_block=seed_block), seed, record(cell, seed))
            for cell in cells
            for seed in experiment.seeds(scale, cell)
            if (cell.digest, seed) not in done
        }
        if not new:
            return list(done.values())
        done.update(new)
    raise AssertionError("the search does not end")
