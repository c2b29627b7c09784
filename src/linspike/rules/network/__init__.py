"""Rules that teach a network: both layers change in one step."""
