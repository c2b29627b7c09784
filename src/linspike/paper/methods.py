"""Names of methods in rows of tables and figures."""

PROJECTION = "DTA (projection)"
LINEAR_PROGRAM = "DTA (paper's linear program)"
