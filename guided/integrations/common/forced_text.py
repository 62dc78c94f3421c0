"""`ForcedText`: the bytes that a grammar forces next in a text, in the tokens of the model's tokenizer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from guided.grammars.bitset import Bitmask, allocate_bitmask, bit, pack_token_ids
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

from .closing import Closing
from .speller import SpelledBytes, TokenSpeller

MAX_SPELLED_BYTES = 2048
"""Maximum number of forced bytes that are looked for and spelled at once. A long constant would hold up all requests of
an engine for seconds.
"""


@dataclass(frozen=True)
class _Spelling:
    """Tokens of forced bytes.

    token_ids: the tokens that must come.
    rest: further tokens, which depend on what follows the bytes; None: it is decided whether they must come.
    has_more: there are more forced bytes. They are spelled after `token_ids`.
    is_in_time: the budget has room for all tokens.
    ends: only the end of the text may follow.
    """

    token_ids: tuple[int, ...] = ()
    rest: tuple[int, ...] | None = None
    has_more: bool = False
    is_in_time: bool = True
    ends: bool = False


_LEFT_TO_MODEL = _Spelling()

Place = tuple[bytes | None, int, _Spelling | None, int]
"""A place of one text, see `ForcedText.place`."""

START: Place = (None, 0, None, 0)
"""A place where nothing is known yet: at the start of a text, and wherever the place is not inside of forced bytes."""


class ForcedText:
    """What a grammar forces at the present place of one text.

    Forced bytes are spelled in the tokenizer's own tokens. Tokens that depend on the bytes after them are left to the
    model, unless the document ends with them.

    Near the end of its budget, a text takes only tokens after which the text can still be completed. Forced bytes may
    then get other tokens than the tokenizer's.

    vocabulary: the grammar's vocabulary.
    speller: spells forced bytes; None: the model chooses every token.
    is_private: True: the speller does not keep the forced bytes. They may be text of a source, which must not outlive
        its request.
    The matcher that the methods get is the text's own, at the present place.
    """

    def __init__(self, vocabulary: Vocabulary, speller: TokenSpeller | None, *, is_private: bool = False) -> None:
        self._vocabulary = vocabulary
        self._speller = speller
        self._spellings: dict[bytes, SpelledBytes] | None = {} if is_private else None  # None: the speller's own cache
        self._max_bytes = MAX_SPELLED_BYTES + vocabulary.longest_token
        # The forced bytes begin at `_start`; None: not computed yet. `_spelling` is of the first MAX_SPELLED_BYTES. A
        # forced token that begins in these also ends in `_bytes`.
        self._bytes: bytes | None = None
        self._start = 0
        self._spelling: _Spelling | None = None  # None: the bytes are not spelled yet
        self._next = 0  # index of the next token in the spelling

    @property
    def place(self) -> Place:
        """The present place, for `go_back`."""
        return self._bytes, self._start, self._spelling, self._next

    @property
    def is_inside(self) -> bool:
        """True inside of forced bytes, so that the place can't be found anew. Elsewhere it is the same as START."""
        return self._start > 0 or self._next > 0

    def go_back(self, place: Place) -> None:
        """Return to an earlier place of the text."""
        self._bytes, self._start, self._spelling, self._next = place

    @property
    def spelled_token(self) -> int | None:
        """The next token of the spelling; None if the bytes are not spelled, or the model chooses."""
        spelling = self._spelling
        return spelling.token_ids[self._next] if spelling and self._next < len(spelling.token_ids) else None

    @property
    def ends(self) -> bool:
        """True if only the end of the text may follow, as far as `find_token` has looked."""
        return self._spelling is not None and self._spelling.ends and self.spelled_token is None

    def find_token(self, matcher: Matcher, tokens_left: int | None, closing: Closing) -> int | None:
        """The token that must come next; None: the model chooses, or only the end may follow.

        tokens_left: number of tokens that the text may still get, including this one; None: no limit.
        """
        if self._speller is None or (self._spelling is None and not self._find_bytes(matcher)):
            return None
        if self._spelling is None:
            self._spelling, self._next = self._spell(matcher, tokens_left, closing), 0
        token_id, spelling = self.spelled_token, self._spelling
        if token_id is None and spelling.rest is not None:
            self._spelling = self._with_rest(matcher, spelling, spelling.rest)
            token_id = self.spelled_token
        if token_id is None or tokens_left is None or self._spelling.is_in_time:
            return token_id
        return token_id if self._fits(matcher, token_id, tokens_left, closing) else None

    def forces(self, matcher: Matcher, token_id: int) -> bool:
        """True if all bytes of a token must come next. Tokens without bytes are never forced."""
        forced = self._find_bytes(matcher)
        token = self._vocabulary.tokens[token_id] if forced else None
        return bool(token) and forced.startswith(token or b"", self._start)

    def accept(self, token_id: int, *, is_forced: bool) -> None:
        """Go on behind a token that the matcher has accepted. is_forced: the result of `forces` before that."""
        assert self._bytes is not None, "`forces` computes them"
        self._start += len(self._vocabulary.tokens[token_id] or b"")
        is_over = not is_forced or self._start >= min(len(self._bytes), MAX_SPELLED_BYTES)
        spelling = self._spelling
        if spelling is not None and token_id == self.spelled_token:
            self._next += 1
            if spelling.has_more and self._next == len(spelling.token_ids):
                is_over, self._spelling, self._next = True, None, 0
        else:
            self._spelling, self._next = None if is_over or spelling is None else _LEFT_TO_MODEL, 0
        if is_over:
            self._bytes, self._start = None, 0

    def find_unspelled(self, matcher: Matcher) -> tuple[bytes, tuple[int, ...]]:
        """Forced bytes whose tokens the model chooses, since a longer token may come, and their spelling.

        (b"", ()) if the next token is already decided.
        """
        if self._speller is None or self.spelled_token is not None:
            return b"", ()
        forced = self._next_bytes(matcher)
        return forced, self._spelling_of(self._speller, forced).token_ids if forced else ()

    def _find_bytes(self, matcher: Matcher) -> bytes:
        if self._bytes is None:
            self._bytes, self._start = matcher.find_jump_forward_bytes(self._max_bytes), 0
        return self._bytes

    def _next_bytes(self, matcher: Matcher) -> bytes:
        """The forced bytes that are spelled together, from here on."""
        return self._find_bytes(matcher)[self._start : MAX_SPELLED_BYTES]

    def _spell(self, matcher: Matcher, tokens_left: int | None, closing: Closing) -> _Spelling:
        assert self._speller is not None
        forced = self._next_bytes(matcher)
        if not forced:
            return _LEFT_TO_MODEL
        spelled = self._spelling_of(self._speller, forced)
        if not spelled.token_ids:
            return _LEFT_TO_MODEL
        has_more = len(self._find_bytes(matcher)) > MAX_SPELLED_BYTES
        is_in_time = tokens_left is None or closing.fits(matcher, spelled.token_ids, tokens_left)
        sure, rest = spelled.token_ids[: spelled.num_sure], spelled.token_ids[spelled.num_sure :]
        return _Spelling(sure, None if has_more else rest, has_more, is_in_time)

    def _spelling_of(self, speller: TokenSpeller, forced: bytes) -> SpelledBytes:
        if self._spellings is None:
            return speller.spell(forced)
        found = self._spellings.get(forced)
        if found is None:
            found = self._spellings[forced] = speller.spell_anew(forced)
        return found

    def _with_rest(self, matcher: Matcher, spelling: _Spelling, rest: tuple[int, ...]) -> _Spelling:
        """Decide about the unsure tokens of a spelling, after the sure ones: they are forced if the document ends
        there.
        """
        num_taken = 0
        try:
            while num_taken < len(rest) and matcher.accept_token(rest[num_taken]):
                num_taken += 1
            ends = num_taken == len(rest) and matcher.is_accepting() and allows_only_end(matcher, self._vocabulary)
        finally:
            matcher.rollback(num_taken)
        return replace(spelling, token_ids=spelling.token_ids + (rest if ends else ()), rest=None, ends=ends)

    def _fits(self, matcher: Matcher, token_id: int, tokens_left: int, closing: Closing) -> bool:
        """True if the budget would not exclude the token."""
        if tokens_left < 1:
            return False
        one_token = allocate_bitmask(1, self._vocabulary.size)
        one_token[0, token_id // 32] = bit(token_id)
        return not closing.restrict(matcher, one_token, 0, tokens_left)


def allows_only_end(matcher: Matcher, vocabulary: Vocabulary) -> bool:
    """True if the mask of the present state allows only end tokens."""
    bitmask = allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask)
    return not np.any(bitmask[0] & ~_row_of(vocabulary.eos_token_ids, vocabulary.size))


@lru_cache(maxsize=8)
def _row_of(token_ids: frozenset[int], vocab_size: int) -> Bitmask:
    return pack_token_ids(sorted(token_ids), vocab_size)
