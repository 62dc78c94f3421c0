"""What comes back: events of an engine as text, pieces and completions."""
