"""What the lab says in words: about a step, about rules, about a whole task."""
