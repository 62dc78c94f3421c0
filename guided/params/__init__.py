"""How a request is sampled, constrained and ended, and how much it may ask for."""
