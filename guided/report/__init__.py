"""A page that shows what was found in texts, each value at its place."""
