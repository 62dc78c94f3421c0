"""Lists of whole texts."""
