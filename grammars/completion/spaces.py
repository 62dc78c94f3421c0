"""`Spaces`: the least whitespace that must stand at each context of a document."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..machine.codes import code_at, context_of

_BYTES = b" \t\n\r"


class Spaces:
    """The least whitespace by one whitespace table; see `whitespace_table`.

    table: tables of several documents.
    first: first row of this document's table.
    """

    def __init__(self, table: NDArray[np.generic], first: int) -> None:
        self._table = table.view(np.int32).reshape(-1, 8)[first:]
        self._known: dict[int, bytes] = {}

    def at(self, code: int) -> bytes:
        """Return the whitespace that must come first in a structural code (context << 6 | whitespace state)."""
        known = self._known.get(code)
        if known is None:
            known = self._known[code] = self._find(code)
        return known

    def of(self, context: int) -> bytes:
        """Return the least whitespace that must stand at a context."""
        return self.at(code_at(context))

    def _find(self, code: int) -> bytes:
        waiting = [(code, b"")]
        seen = {code}
        for here, written in waiting:
            if self._table[here, 4]:
                return written
            for byte, following in zip(_BYTES, self._table[here, :4].tolist(), strict=True):
                if following >= 0 and following not in seen:
                    seen.add(following)
                    waiting.append((following, written + bytes([byte])))
        raise AssertionError(f"whitespace can end at every place, {context_of(code)} too")
