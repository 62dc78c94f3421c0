"""Turns callers' prompts, options and grammars into requests for engines."""
