"""Files that the lab opens and writes."""
