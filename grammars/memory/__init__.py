"""Typed memory: structs that kernels and Python share, each declared once. See `structs` and `docs/kernels.md`."""
