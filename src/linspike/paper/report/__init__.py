"""The paper's printed numbers, verdicts, and the report page."""
