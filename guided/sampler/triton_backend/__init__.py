"""The GPU backend: sampling in Triton kernels that select instead of sorting, several programs a row."""

from .backend import TritonSampler

__all__ = ["TritonSampler"]
