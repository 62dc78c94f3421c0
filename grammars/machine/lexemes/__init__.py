"""What one lazy DFA reads, over all tokens of a vocabulary."""
