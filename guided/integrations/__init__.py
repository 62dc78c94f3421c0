"""Grammars inside other people's generation loops. Each module imports its own framework; import the one you need."""
