"""Measures a user's own grammar on a user's own model; `guided bench` prints the results."""
