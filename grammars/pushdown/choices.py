"""`ChoiceAutomaton`: one of a list of strings. No states are built: places are ranges of the sorted words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..automaton import layout as at
from ..automaton.automaton import Config, Tail
from ..automaton.lexicon import Lexicon
from ..automaton.patches import Patches
from ..automaton.turnstile import Turnstile
from ..limits import Limits
from .choice_masks import advance_choice, begin_choice, fill_choice, word_byte
from .structs import ChoiceMachine

_PLACE_BYTES = 600


class ChoiceAutomaton:
    """The tables of one list of different words, at least one. See `PushdownAutomaton` for the methods."""

    has_guards = False
    is_worn = False

    def __init__(self, texts: Sequence[str], lexicon: Lexicon, limits: Limits | None = None) -> None:
        words = sorted([text.encode() for text in texts])
        starts = np.zeros(len(words) + 1, dtype=np.int32)
        np.cumsum(np.fromiter(map(len, words), dtype=np.int64, count=len(words)), out=starts[1:])
        self.limits = Limits() if limits is None else limits
        self.lexicon = lexicon
        self.lock = Turnstile(lexicon.lock)
        self.machine = ChoiceMachine(lexicon.tables)
        self._address = self.machine.address
        self.machine.text = self._text = np.frombuffer(b"".join(words), dtype=np.uint8)
        self.machine.starts = self._starts = starts
        self._patches = Patches(self.machine.patch)
        self._places: dict[tuple[int, int], Config] = {}
        self.start = self._place(len(words), 0)
        self.ended = Config(at.DONE, 0, False)
        self.ended.base = lexicon.zero_row

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        words = self._text.nbytes + self._starts.nbytes
        return words + self._patches.num_bytes + _PLACE_BYTES * len(self._places)

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

    def make_mask(self, place: Config) -> None:
        """Fill in a place's mask."""
        with self.lock:
            if place.base:
                return
            begin_choice(self._address, place.code, place.stack)
            base, patch, num_changed = fill_choice(self._address)
            place.patch, place.num_changed = patch, num_changed
            place.base = base

    def follow(self, place: Config, token_id: int, tail: Tail) -> Config | None:
        """The place after a token (of text); None when it is not allowed."""
        code = advance_choice(self._address, place.code, place.stack, token_id)
        if code < 0:
            return None
        depth = place.stack + len(self.lexicon.token_bytes(token_id))
        following = self._place(code, depth)
        if token_id < self.lexicon.vocabulary.size:
            place.note(token_id, following)
        return following

    def is_allowed(self, place: Config, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        return self.follow(place, token_id, tail) is not None

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """True: there are no guards."""
        return True

    def uncertain_tokens(self, place: Config, tail: Tail) -> Iterable[int]:
        """None: masks are exact."""
        return ()

    def forced_byte(self, place: Config, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        low, high = place.code >> 32, place.code & at.MASK32
        first: int = word_byte(self._address, low, place.stack)
        return first if first >= 0 and first == word_byte(self._address, high - 1, place.stack) else None

    def _place(self, code: int, depth: int) -> Config:
        place = self._places.get((code, depth))
        if place is None:
            is_complete = word_byte(self._address, code >> 32, depth) < 0
            place = self._places[code, depth] = Config(code, depth, is_complete)
        return place
