"""A whole task as one linear program: can these spike times be learned, and with which weights."""
