"""The results of requests: turns the events of an engine into text, chunks and completions."""
