"""Parts that several tables and figures of the paper share."""
