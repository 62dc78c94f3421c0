"""Engines: token ids in, token ids out. `base.py` is the interface, `registry.py` the names; each engine is a file."""
