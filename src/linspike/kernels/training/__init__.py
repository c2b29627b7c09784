"""Training in compiled code: step protocol, step problem, chains, batches of chains."""
