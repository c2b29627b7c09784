"""The linear program of one learning step: assemble, solve, certify."""

from linspike.constraints.problem import Problem, assemble
from linspike.constraints.solve import Solution, solve

__all__ = ["Problem", "Solution", "assemble", "solve"]
