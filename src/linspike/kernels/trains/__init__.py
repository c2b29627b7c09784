"""Distances between spike trains, spike matching, and convergence criteria."""
