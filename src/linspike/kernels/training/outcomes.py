"""Outcomes of a learning step, as a rule's step returns them."""

from __future__ import annotations

# SOLVED: the rule did what it set out to do. FALLBACK: it took its second choice. DEAD: no
# threshold gives the pattern a spike. UNCHANGED: nothing to do.
SOLVED, FALLBACK, DEAD, UNCHANGED = 0, 1, 2, 3
OUTCOMES = (SOLVED, FALLBACK, DEAD, UNCHANGED)
