"""Critical thresholds, their gradient, graded counts, and the dynamic threshold."""
