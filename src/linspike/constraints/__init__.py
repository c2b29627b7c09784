"""The linear constraints of one learning step, and of a whole task: assemble, solve, certify."""

from linspike.constraints.problem import Problem, assemble
from linspike.constraints.solve import Solution, solve
from linspike.constraints.task.solution import Constraint, TaskSolution
from linspike.constraints.task.solve import solve_task

__all__ = ["Constraint", "Problem", "Solution", "TaskSolution", "assemble", "solve", "solve_task"]
