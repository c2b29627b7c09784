"""Compiled loops: arrays and scalars in, no project types; the only place that imports numba."""
