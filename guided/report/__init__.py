"""A page that shows the values found in texts, each at its place."""
