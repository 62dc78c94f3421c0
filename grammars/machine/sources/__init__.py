"""Source texts, for quotes of them: as they are spelled, and their sorted suffixes."""
