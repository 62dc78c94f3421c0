"""`begins_with`: a check of the order of a struct's fields, for code that reads or writes several fields at once."""

from __future__ import annotations

from collections.abc import Sequence

from .layout import WORD
from .structs import Struct


def begins_with(struct: type[Struct], names: Sequence[str | None]) -> bool:
    """Return True if a struct begins with the named fields, one word each. None: a further word of the field before."""
    fields = struct.layout.fields
    return all(name is None or fields[name].offset == WORD * index for index, name in enumerate(names))
