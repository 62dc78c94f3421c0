"""How a request is sampled, constrained, ended, and how much it may ask for."""
