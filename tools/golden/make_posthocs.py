"""Make posthocs.json: Nemenyi's p-values as scikit-posthocs gives them, chi2 as scipy does.

scikit-posthocs is no test dependency. To make the file again, install it and run

    python -m tools.golden.make_posthocs
"""

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
from scikit_posthocs import posthoc_nemenyi_friedman
from scipy.stats import friedmanchisquare
from tools.golden.cases import make_rng, write_cases

SEED = 20060101

UNITS = (
    "'scores' has a row per trial and a column per method. 'nemenyi' is good to 1e-9; 'chi2' is "
    "corrected for ties, and null for two methods, which scipy refuses."
)

Case = tuple[str, np.ndarray]


def golden(case: Case) -> dict[str, object]:
    """Return the scores with what the programs make of them, as it goes into the file."""
    name, scores = case
    chi2 = float(friedmanchisquare(*scores.T).statistic) if scores.shape[1] > 2 else None
    p_values = posthoc_nemenyi_friedman(scores).to_numpy()
    return {"name": name, "scores": scores.tolist(), "chi2": chi2, "nemenyi": p_values.tolist()}


def cases(rng: np.random.Generator) -> Iterator[Case]:
    """Yield scores without ties and with many, of two methods to eight."""
    yield "paper", np.array([[3.0, 2.0, 1.0]] * 8 + [[3.0, 1.0, 2.0]] * 2)
    yield "unanimous", np.array([[1.0, 2.0, 3.0, 4.0]] * 6)
    for n_trials, n_methods in [(2, 2), (10, 2), (10, 3), (7, 4), (50, 4), (30, 8)]:
        lead = np.linspace(0.0, 1.0, n_methods)
        scores = np.round(lead + rng.normal(0.0, 1.0, (n_trials, n_methods)), 6)
        yield f"random-{n_trials}-{n_methods}", scores
    for n_trials, n_methods in [(10, 3), (50, 4), (20, 7)]:
        share = np.linspace(0.93, 0.97, n_methods)
        right = rng.binomial(75, share, (n_trials, n_methods))
        yield f"ties-{n_trials}-{n_methods}", right.astype(np.float64)


def main() -> None:
    """Judge all scores and write the file."""
    packages = ("scikit-posthocs", "scipy", "numpy")
    versions = {package: version(package) for package in packages}
    settings = {"seed": SEED, "units": UNITS}
    write_cases("posthocs", versions, settings, [golden(case) for case in cases(make_rng(SEED))])


if __name__ == "__main__":
    main()
