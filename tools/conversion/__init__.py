"""Cells and labels of version 1 of the store, as version 2 has them; one module per experiment.

Each module has two pure functions:

cell_of(old)
    New cell, as `Cell.to_json` of the experiment's cell type gives it, of an old cell. Every
    field must be there, also those with a default.
label_of(old)
    New label of an old row, as `RowKey.label` gives it.

`tools/convert_trials.py` lists the modules in CONVERTERS, by the id under which trials are stored
(cells) and of every experiment with rows (labels).
"""
