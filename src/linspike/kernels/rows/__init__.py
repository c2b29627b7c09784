"""Window rows X(t), reset sums, and the peak of the drive |X(t)|^2."""
