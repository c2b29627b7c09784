"""Convert published trials and results from version 1 of the store's format to version 2.

python -m tools.convert_trials results/paper/trials.jsonl.gz
python -m tools.convert_trials src/linspike/paper/report/published.json

Each file is rewritten in place. Values stay as they are; cells, keys of records and labels of rows
get their new names. A file of version 2 is refused.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from tools.conversion.common import convert_record

from linspike.study.cells import hash_cell
from linspike.study.export import pack_trials

VERSION = 2
# Module of tools/conversion for each experiment; without one, cells and labels stay as they are.
CONVERTERS: dict[str, str] = {
    "fig1": "figures",
    "fig2": "fig2",
    "fig3": "figures",
    "fig4": "figures",
    "table1": "table1",
    "fig5": "fig5",
    "table2": "table2",
    "fig6": "fig6",
    "fig7": "fig7",
    "table3": "table3",
    "fig8": "fig8",
    "table4": "table4",
    "fig9": "fig9",
    "fig10": "fig10",
    "figA1": "figures",
    "claims": "claims",
    "ablation": "ablation",
    "realdata": "realdata",
}


def convert_cell(experiment: str, cell: dict[str, Any]) -> dict[str, Any]:
    """Return an old cell of trials stored under this id as it is written today."""
    converter = CONVERTERS.get(experiment)
    if converter is None:
        return cell
    found: dict[str, Any] = import_module(f"tools.conversion.{converter}").cell_of(cell)
    return found


def convert_label(experiment: str, label: str) -> str:
    """Return the label of an old row of this experiment as it is printed today."""
    converter = CONVERTERS.get(experiment)
    if converter is None:
        return label
    found: str = import_module(f"tools.conversion.{converter}").label_of(label)
    return found


def convert_row(experiment: str, row: dict[str, Any]) -> dict[str, Any]:
    """Return a published row with today's label, and with today's words in its note."""

    def name_row(match: re.Match[str]) -> str:
        return f"{match[1]}{convert_label(experiment, match[2])}."

    note = row["note"].replace("wanted", "desired").replace(", decay ", ", decay rate ")
    note = note.replace("Wilcoxon; DTA minus", "difference to")
    wrong = r"when learned, missed and extra spikes are \1 % of the desired ones"
    note = re.sub(r"when learned ([\d.]+) % of spikes beyond 1 ms", wrong, note)
    note = re.sub(r"(Beside the paper's number for )(.*)\.$", name_row, note)
    return {**row, "row": convert_label(experiment, row["row"]), "note": note}


def convert_trial(line: dict[str, Any]) -> dict[str, Any]:
    """Return one line of an old export as version 2 has it."""
    return {
        **line,
        "version": VERSION,
        "cell": convert_cell(line["experiment"], line["cell"]),
        "record": convert_record(line["record"]),
    }


def convert_export(path: Path) -> None:
    """Rewrite an export of a store."""
    lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    if any("version" in line for line in lines):
        raise SystemExit(f"{path} is converted already.")
    converted = [convert_trial(line) for line in lines]
    # In the order in which the store exports them.
    converted.sort(key=lambda line: (line["experiment"], hash_cell(line["cell"]), line["seed"]))
    texts = [json.dumps(line, sort_keys=True) for line in converted]
    path.write_bytes(pack_trials(texts, compress=True))


def convert_published(path: Path) -> None:
    """Rewrite the rows of published results."""
    published = json.loads(path.read_text())
    published["rows"] = [convert_row(row["id"], row) for row in published["rows"]]
    path.write_text(json.dumps(published, indent=1) + "\n")


def main() -> None:
    """Convert the files named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    for path in parser.parse_args().files:
        (convert_published if path.suffix == ".json" else convert_export)(path)


if __name__ == "__main__":
    main()
