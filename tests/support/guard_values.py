"""Values as guards keep them: digests, six digits, and the machine on which digests hold."""

from __future__ import annotations

import hashlib
import json
import platform
from importlib import metadata

import numba
import numpy as np
import scipy.linalg  # noqa: F401  (its BLAS is to be seen)
from llvmlite import binding
from threadpoolctl import threadpool_info

DIGITS = 6
FIRST = 4
PARTS = ("numpy", "numba", "llvmlite", "scipy", "scikit-learn", "piqp", "highspy")
VECTORS = ("avx", "fma", "sse4", "neon", "sve")


def digest(*arrays):
    """SHA-256 of the arrays' bytes, as float64 in little endian."""
    whole = hashlib.sha256()
    for array in arrays:
        whole.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return whole.hexdigest()


def digest_text(*texts):
    """SHA-256 of the texts, one a line."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def canonical(value):
    """JSON with one spelling for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def rounded(value):
    """The value with six significant digits."""
    return float(f"{float(value):.{DIGITS}g}")


def shown(array):
    """Norm and first few values, rounded."""
    flat = np.asarray(array, dtype=np.float64).ravel()
    return [rounded(np.linalg.norm(flat)), *(rounded(value) for value in flat[:FIRST])]


def host():
    """What last bits depend on: instructions used by each library, and versions."""
    name = numba.config.CPU_NAME or binding.get_host_cpu_name()
    features = numba.config.CPU_FEATURES or binding.get_host_cpu_features().flatten()
    on = [part[1:] for part in features.split(",") if part.startswith("+")]
    dispatched = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    blas = {part.get("architecture", "") for part in threadpool_info()} - {""}
    versions = {part: metadata.version(part) for part in PARTS}
    return {
        "cpu": name,
        "vectors": sorted(part for part in on if part.startswith(VECTORS)),
        "numpy": sorted(dispatched),
        "blas": sorted(blas),
        "versions": {**versions, "libc": " ".join(platform.libc_ver())},
    }
