"""Completion: how to end a text in few tokens: distances, shortest completions, masks that leave room to close."""
