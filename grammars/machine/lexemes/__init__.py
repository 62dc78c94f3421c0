"""The lazy DFAs of lexemes, and their steps over all tokens of a vocabulary."""
