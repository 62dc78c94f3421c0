"""`ChoiceAutomaton`: one of a list of strings. No states are built: a state is a range of the sorted words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.running import CONFIG_BYTES, RunningAutomaton
from ..automaton.tables import Mask
from ..automaton.tails import Tail
from ..automaton.turnstile import Turnstile
from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from .choice_masks import advance_choice, begin_choice, fill_choice, word_byte
from .structs import ChoiceMachine

State = tuple[int, int]
"""first word << 32 | last word + 1, of those that begin as the text does; and how many bytes of them are written."""


class ChoiceAutomaton(RunningAutomaton[State]):
    """The tables of one list of different words, at least one, and its configurations; see `RunningAutomaton`."""

    def __init__(self, texts: Sequence[str], vocabulary_tables: VocabularyTables, limits: Limits | None = None) -> None:
        words = sorted([text.encode() for text in texts])
        starts = np.zeros(len(words) + 1, dtype=np.int32)
        np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)), out=starts[1:])
        self.limits = Limits() if limits is None else limits
        self.vocabulary_tables = vocabulary_tables
        self.lock = Turnstile(vocabulary_tables.lock)
        self.has_guards = False
        self.machine = ChoiceMachine(vocabulary_tables.tables)
        self._address = self.machine.address
        self.machine.text = self._text = np.frombuffer(b"".join(words), dtype=np.uint8)
        self.machine.starts = self._starts = starts
        super().__init__((at.DEAD, 0))
        self.start = self.config((len(words), 0))

    @property
    def num_bytes(self) -> int:
        """See `RunningAutomaton.num_bytes`."""
        words = self._text.nbytes + self._starts.nbytes
        return words + self.machine.num_bytes + CONFIG_BYTES * len(self.states_at)

    @property
    def is_worn(self) -> bool:
        """See `RunningAutomaton.is_worn`."""
        return self.vocabulary_tables.is_full

    @property
    def max_length(self) -> int:
        """The bytes of the longest word."""
        return int(np.diff(self._starts).max())

    def word(self, index: int) -> bytes:
        """One of the sorted words."""
        start, end = self._starts[index : index + 2].tolist()
        return self._text[start:end].tobytes()

    def word_lengths(self, low: int, high: int) -> NDArray[np.int32]:
        """The bytes of the words low .. high - 1, int32."""
        return np.diff(self._starts[low : high + 1])

    def is_complete_at(self, config: int) -> bool:
        """See `RunningAutomaton.is_complete_at`."""
        words, depth = self.states_at[config]
        return config != self.ended and bool(word_byte(self._address, words >> 32, depth) < 0)

    def _make_mask(self, state: State) -> tuple[Mask, tuple[int, ...]]:
        begin_choice(self._address, *state)
        mask: Mask = fill_choice(self._address)
        return mask, ()

    def _step(self, state: State, token_id: int, tail: Tail) -> tuple[State | None, bool]:
        words: int = advance_choice(self._address, *state, token_id)
        return (words, state[1] + len(self.vocabulary_tables.token_bytes(token_id))) if words >= 0 else None, True

    def _only_byte(self, state: State) -> int:
        words, depth = state
        first: int = word_byte(self._address, words >> 32, depth)
        return first if first == word_byte(self._address, (words & at.MASK32) - 1, depth) else -1
