"""Solvers behind `solve`. PIQP and HiGHS serve rare paths and are optional packages."""

from linspike.constraints.backends.interior_point import central_point, interior_point
from linspike.constraints.backends.linear_program import least_l1, least_slack

__all__ = ["central_point", "interior_point", "least_l1", "least_slack"]
