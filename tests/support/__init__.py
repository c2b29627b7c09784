"""Parts that tests share: the naive twin, strategies, tasks, the rule contract."""
