"""Write golden cases as JSON: what the scripts of this folder share."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from tests.support.paths import GOLDEN


def make_rng(seed: int) -> np.random.Generator:
    """Return a generator whose numbers do not depend on NumPy's default."""
    return np.random.Generator(np.random.PCG64(seed))


def write_cases(
    name: str, versions: dict[str, str], settings: dict[str, Any], cases: list[dict[str, object]]
) -> None:
    """Write tests/golden/`name`.json: a header, then one case a line, so that a change shows.

    Parameters
    ----------
    name : str
        Name of the file and of the script, make_`name`.
    versions : dict
        Versions of the programs that computed the cases.
    settings : dict
        The rest of the header: seed, units, tolerances.
    cases : list of dict
        Plain data, one entry a case.
    """
    header = {"command": f"python -m tools.golden.make_{name}", "versions": versions, **settings}
    head = json.dumps(header, indent=1).removesuffix("\n}")
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (GOLDEN / f"{name}.json").write_text(f'{head},\n "cases": [\n{lines}\n]}}\n')
