"""Drafts: guesses at a row's next tokens, which the model reads in the same pass as the row's newest token.

Texts repeat much: names and numbers of the prompt, and their own words. If the last bytes of a text occurred before,
the tokens that followed there are a good guess (prompt lookup decoding, Saxena 2023). Here the search is over bytes,
because the same word has different tokens after a quote and after a space. The model reads the draft after the row's
newest token and gives logits for each of its tokens. The row then draws token by token as usual, each from the logits
after the tokens that it has taken. From the first wrong guess on, the draft is dropped, with its keys and values. A run
without drafts gives the same tokens, greedy and sampled alike. (Leviathan et al. 2023 have an acceptance test instead
of these draws.)

If a grammar forces bytes, they are a better guess. The last forced token is left to the model, which may take a longer
one. The guess is the token that rows mostly took for the same forced bytes, else the tokenizer's own. A draft needs no
pass of its own. Inside a quote, the guess is the continuation of the source up to the end of a phrase. Then come the
end of the string and the bytes that are forced after it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, islice, takewhile

import torch

MAX_LOOKUP_TOKENS = 32_768  # number of last prompt tokens that are searched for earlier text
MIN_MATCH, MAX_MATCH = 3, 24  # least number of equal bytes before a guess, and largest number to compare
MIN_FREE_MATCH = 6
"""Like MIN_MATCH, without a grammar. With SmolLM2, 12 % of 75 guesses after 3 to 5 equal bytes of a free text were
right, and 70 % of 86 after more bytes. Under schemas 52 % of 27 and 68 % of 34 were.
"""
MAX_CANDIDATES = 8  # maximum number of earlier occurrences to compare
FIRST_RIGHT, FIRST_TRIED = 1.0, 1.5  # a row's counts of right and of tried guesses before its first draft
FADING = 0.9  # factor for the counts of older drafts, applied after each new draft
WORTH_FROM = 0.3
"""Least probability of a guessed token together with all before it. PERF: on a CPU, the first guessed token of a pass
costs a quarter of a pass without it, further ones less.
"""
_HAS_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]")


class PromptLookup:
    """Finds earlier occurrences of the last bytes of a row's text, prompt and output.

    The object keeps the text as bytes, because joining a long text takes as long as the masks of a step.

    tokens: bytes of each token of the vocabulary; None for special tokens, at which guesses end.
    token_ids: the row's tokens now.
    """

    def __init__(self, tokens: Sequence[bytes | None], token_ids: Sequence[int]) -> None:
        self._tokens = tokens
        self._first = max(0, len(token_ids) - MAX_LOOKUP_TOKENS)  # index of the first token of the text
        self._text = bytearray()
        self._ends = array("q")  # index in the text where each token ends

    def propose(self, token_ids: Sequence[int], most: int, min_match: int = MIN_MATCH) -> list[int]:
        """The tokens that followed the best earlier occurrence of the text's last bytes, at most `most`; [] if there is
        none.

        token_ids: the row's tokens now: those of the last call, and perhaps more.
        min_match: least number of equal bytes, default 3.
        """
        self._extend(token_ids[self._first + len(self._ends) :])
        text, ends = self._text, self._ends
        suffix = bytes(text[-min_match:])
        if most < 1 or len(text) <= min_match or not _HAS_WORD.search(suffix[-MIN_MATCH:]):
            return []  # punctuation says little of the text after it
        start = text.rfind(suffix, 0, len(text) - 1)
        best_length, best_token = 0, 0
        for _ in range(MAX_CANDIDATES):
            if start < 0:
                break
            end = start + min_match
            token = bisect_left(ends, end)
            if ends[token] == end:
                matched = _match_length(text, end, min_match)
                if matched > best_length:
                    best_length, best_token = matched, token
            start = text.rfind(suffix, 0, end - 1)
        behind = self._first + best_token + 1
        following = token_ids[behind : behind + most] if best_length else []
        return list(takewhile(lambda token_id: self._tokens[token_id], following))

    def _extend(self, token_ids: Sequence[int]) -> None:
        """Append tokens to the text."""
        pieces = [self._tokens[token_id] or b"" for token_id in token_ids]
        self._ends.extend(islice(accumulate(map(len, pieces), initial=len(self._text)), 1, None))
        self._text += b"".join(pieces)


def _match_length(text: bytearray, end: int, length: int) -> int:
    """Number of equal bytes before position `end` and before the end of the text, at most MAX_MATCH.

    length: number of bytes that are known to be equal.
    """
    while length < MAX_MATCH and length < end and text[end - length - 1] == text[-length - 1]:
        length += 1
    return length


class RowDrafts:
    """The basis of a row's drafts: its text, and the share of its guessed tokens that were right.

    lookup: attribute; the text, searched for earlier occurrences; None before the first search.
    """

    def __init__(self) -> None:
        self.lookup: PromptLookup | None = None
        self._num_right, self._num_tried = FIRST_RIGHT, FIRST_TRIED  # guessed tokens; older ones count less

    def worth_length(self, most: int) -> int:
        """Number of guessed tokens, at most `most`, that the row will probably enough take, by its experience."""
        share, expected, length = self._num_right / self._num_tried, 1.0, 0
        while length < most and expected * share >= WORTH_FROM:
            expected, length = expected * share, length + 1
        return length

    def propose(
        self, tokens: Sequence[bytes | None], token_ids: Sequence[int], most: int, min_match: int = MIN_MATCH
    ) -> list[int]:
        """A guess from earlier occurrences of the row's last bytes, with as many tokens as are worth a try.

        tokens: bytes of each token of the vocabulary, see `PromptLookup`.
        token_ids: the row's tokens now.
        most: maximum number of tokens.
        min_match: least number of equal bytes, default 3.
        """
        length, proposed = self.worth_length(most), list[int]()
        if length:
            if self.lookup is None:
                self.lookup = PromptLookup(tokens, token_ids)
            proposed = self.lookup.propose(token_ids, length, min_match)
        if not proposed:
            self._fade()
        return proposed

    def note(self, num_right: int, num_tried: int) -> None:
        """Count a draft's guessed tokens. num_right: right ones. num_tried: number of compared tokens."""
        self._fade()
        self._num_right += num_right
        self._num_tried += num_tried

    def _fade(self) -> None:
        """Let older guesses count less, so that drafts come back some time after failures."""
        self._num_right += (1 - FADING) * (FIRST_RIGHT - self._num_right)
        self._num_tried += (1 - FADING) * (FIRST_TRIED - self._num_tried)


@dataclass
class TokenDraft:
    """A guess at the tokens that a row takes in a step.

    token_ids: the guessed tokens.
    start: number of tokens that the row has before the step.
    forced: the bytes that the grammar forces here; b"": none.
    num_forced: number of leading guessed tokens that spell forced bytes. These don't count as experience for other
        drafts.
    logits: (N, V), the step's logits; None before the pass.
    first_logits_row: row of `logits` after the first guessed token.
    """

    token_ids: list[int]
    start: int
    forced: bytes = b""
    num_forced: int = 0
    logits: torch.Tensor | None = None
    first_logits_row: int = 0

    def num_right(self, token_ids: Sequence[int]) -> int:
        """Number of guessed tokens that the row has taken. token_ids: the row's tokens now."""
        new = token_ids[self.start : self.start + len(self.token_ids)]
        pairs = zip(new, self.token_ids, strict=False)
        return next((i for i, (taken, guessed) in enumerate(pairs) if taken != guessed), len(new))

    def next_logits_row(self, token_ids: list[int]) -> int | None:
        """The row of the step's logits after the row's newest token; None if the row has taken another token than the
        draft.

        token_ids: the row's tokens now.
        """
        num_new = len(token_ids) - self.start
        is_right = 0 < num_new <= len(self.token_ids) and token_ids[self.start :] == self.token_ids[:num_new]
        return self.first_logits_row + num_new - 1 if is_right else None

    def logits_of(self, token_ids: Sequence[int], first: int) -> torch.Tensor | None:
        """(k, V) logits of the draws of the row's tokens from index `first` on, as far as the draft was right.

        token_ids: the row's tokens now.
        first: index of a token; larger than the index of the first token drawn in the step.
        Returns None if k is 0.
        """
        num_known = min(self.num_right(token_ids), len(token_ids) - self.start - 1)
        begin = first - self.start - 1
        if self.logits is None or num_known <= begin:
            return None
        return self.logits[self.first_logits_row + begin : self.first_logits_row + num_known]
