"""How a text is brought to its end in few tokens: distances, shortest completions, masks that leave room to close."""
