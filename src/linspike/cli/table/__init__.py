"""Commands for a table of numbers: fit a classifier, predict with it, evaluate it."""
