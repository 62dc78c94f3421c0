"""The CPU backend: sampling in compiled loops that select instead of sorting, rows spread over threads."""

from .backend import NumbaSampler

__all__ = ["NumbaSampler"]
