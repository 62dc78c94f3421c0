"""Kernels of samplers and of attention: how they are compiled (compiled.py) and run in threads (rows.py)."""
