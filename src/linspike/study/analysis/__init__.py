"""From trials to numbers: capacities, intervals, accuracies, learning curves and tests."""
