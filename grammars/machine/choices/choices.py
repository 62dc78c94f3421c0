"""`ChoiceAutomaton`: one of a list of strings. No states are built: a state is a range of the sorted words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...limits import Limits
from ...watch import checkpoint, paced, sort_inplace
from .. import layout as at
from ..codes import end_choice_of, first_choice_of
from ..machine_automaton import MachineAutomaton
from ..vocabulary_tables import VocabularyTables


class ChoiceAutomaton(MachineAutomaton):
    """The tables of one list of different words, at least one, and its configurations; see `RunningAutomaton`."""

    def __init__(self, texts: Sequence[str], vocabulary_tables: VocabularyTables, limits: Limits) -> None:
        super().__init__(vocabulary_tables, limits)
        words = [text.encode() for text in paced(texts)]
        sort_inplace(words)
        checkpoint()
        starts = np.zeros(len(words) + 1, dtype=np.int32)
        np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)), out=starts[1:])
        self.machine.choice_text = self._text = np.frombuffer(b"".join(words), dtype=np.uint8)
        self.machine.choice_starts = self._starts = starts
        self.start = self.config((at.CHOICE << at.TAG_SHIFT | len(words), 0))

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        return super().num_bytes + self._text.nbytes + self._starts.nbytes

    @property
    def max_length(self) -> int:
        """Number of bytes of the longest word."""
        return int(np.diff(self._starts).max())

    def word(self, index: int) -> bytes:
        """Return one of the sorted words."""
        start, end = self._starts[index : index + 2].tolist()
        return self._text[start:end].tobytes()

    def words_of(self, code: int) -> tuple[int, int]:
        """Return the words of a CHOICE code: the first, and one past the last."""
        return first_choice_of(code), end_choice_of(code)

    def word_lengths(self, low: int, high: int) -> NDArray[np.int32]:
        """Return the number of bytes of each of the words low .. high - 1, int32."""
        return np.diff(self._starts[low : high + 1])
