"""The command that serves the lab."""
