"""Solvers of the small problems that a learning step poses."""
