"""Paged keys and values: many sequences of different lengths in one packed forward of a transformers model.

`PagedModel` is what an engine uses; `docs/ARCHITECTURE.md` tells which parts of transformers are used.
"""

from .model import PagedModel
from .sequence import Chunk, PagedSequence

__all__ = ["Chunk", "PagedModel", "PagedSequence"]
