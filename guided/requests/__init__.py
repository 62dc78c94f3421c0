"""Turns what callers ask of a model into requests for engines."""
