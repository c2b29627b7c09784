"""Every experiment that the command line knows."""

from __future__ import annotations

from linspike import beyond, paper
from linspike.study.registry import Registry

REGISTRY = Registry(paper.EXPERIMENTS, beyond.EXPERIMENTS)
