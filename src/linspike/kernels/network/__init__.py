"""Two layers of neurons: forward, backward, the products of rows, chains."""
