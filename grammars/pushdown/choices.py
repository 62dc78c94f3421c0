"""`ChoiceAutomaton`: one of a list of strings. No states are built: configurations are ranges of the sorted words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.automaton import Config, Tail
from ..automaton.patches import Patches
from ..automaton.turnstile import Turnstile
from ..automaton.vocabulary_tables import VocabularyTables
from ..limits import Limits
from .choice_masks import advance_choice, begin_choice, fill_choice, word_byte
from .structs import ChoiceMachine

_CONFIG_BYTES = 600


class ChoiceAutomaton:
    """The tables of one list of different words, at least one. See `PushdownAutomaton` for the methods."""

    has_guards = False
    is_worn = False

    def __init__(self, texts: Sequence[str], vocabulary_tables: VocabularyTables, limits: Limits | None = None) -> None:
        words = sorted([text.encode() for text in texts])
        starts = np.zeros(len(words) + 1, dtype=np.int32)
        np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)), out=starts[1:])
        self.limits = Limits() if limits is None else limits
        self.vocabulary_tables = vocabulary_tables
        self.lock = Turnstile(vocabulary_tables.lock)
        self.machine = ChoiceMachine(vocabulary_tables.tables)
        self._address = self.machine.address
        self.machine.text = self._text = np.frombuffer(b"".join(words), dtype=np.uint8)
        self.machine.starts = self._starts = starts
        self._patches = Patches(self.machine.patch)
        self._configs: dict[tuple[int, int], Config] = {}
        self.start = self._config_of_state(len(words), 0)
        self.ended = Config(at.DONE, 0, False)
        self.ended.base = vocabulary_tables.zero_row

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the vocabulary tables'."""
        words = self._text.nbytes + self._starts.nbytes
        return words + self._patches.num_bytes + _CONFIG_BYTES * len(self._configs)

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

    def make_mask(self, config: Config) -> None:
        """Fill in a configuration's mask."""
        with self.lock:
            if config.base:
                return
            begin_choice(self._address, config.code, config.stack)
            base, patch, num_changed = fill_choice(self._address)
            config.patch, config.num_changed = patch, num_changed
            config.base = base

    def follow(self, config: Config, token_id: int, tail: Tail) -> Config | None:
        """The configuration after a token (of text); None when it is not allowed."""
        code = advance_choice(self._address, config.code, config.stack, token_id)
        if code < 0:
            return None
        depth = config.stack + len(self.vocabulary_tables.token_bytes(token_id))
        following = self._config_of_state(code, depth)
        if token_id < self.vocabulary_tables.vocabulary.size:
            config.note(token_id, following)
        return following

    def is_allowed(self, config: Config, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(config, token_id, tail) is not None

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """True: there are no guards."""
        return True

    def uncertain_tokens(self, config: Config, tail: Tail) -> Iterable[int]:
        """None: masks are exact."""
        return ()

    def forced_byte(self, config: Config, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        low, high = config.code >> 32, config.code & at.MASK32
        first: int = word_byte(self._address, low, config.stack)
        return first if first >= 0 and first == word_byte(self._address, high - 1, config.stack) else None

    def _config_of_state(self, code: int, depth: int) -> Config:
        config = self._configs.get((code, depth))
        if config is None:
            is_complete = word_byte(self._address, code >> 32, depth) < 0
            config = self._configs[code, depth] = Config(code, depth, is_complete)
        return config
