"""Reproduction of Nguyen and Chu, arXiv 2103.12564, and nothing else."""
