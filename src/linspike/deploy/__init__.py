"""What a grid simulator or quantised weights would change."""
