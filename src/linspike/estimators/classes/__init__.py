"""Classes: labels and samples, how neurons name a class, and how they learn to."""
