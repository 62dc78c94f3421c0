"""A page that shows what was found in texts, each value where it stands."""
