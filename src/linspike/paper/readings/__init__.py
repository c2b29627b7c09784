"""Readings of what the paper leaves open: which of them give its numbers."""
