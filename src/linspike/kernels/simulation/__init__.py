"""Exact simulation: membrane equations, event tables, one neuron, many neurons."""
