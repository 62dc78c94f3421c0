"""Drafts: guesses at a row's next tokens, which the model reads in the same pass as the row's newest token.

Texts repeat much: names and numbers of the prompt, and their own words. So if the last bytes of a text occurred before,
the tokens that followed there are a good guess (prompt lookup decoding, Saxena 2023). Here the search is over bytes,
because the same word has different tokens after a quote and after a space. The model reads the draft after the row's
newest token and gives logits for each of its tokens. The row then draws token by token as usual, each from the logits
after the tokens that it has taken. From the first wrong guess on, the draft is dropped, with its keys and values. So
the tokens are those of a run without drafts, greedy and sampled alike. (Leviathan et al. 2023 have an acceptance test
instead of these draws.)

If a grammar forces bytes, they are a better guess. The last forced token is left to the model, which may take a longer
one. The guess is the token that rows mostly took for the same forced bytes, else the tokenizer's own. As a draft it
needs no pass of its own. Inside a quote of a source, the guess is the continuation of the source up to the end of a
phrase, followed by the end of the string and the bytes that are forced after it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

import torch

MAX_LOOKUP_TOKENS = 32_768  # number of last prompt tokens in which earlier text is searched
MIN_MATCH, MAX_MATCH = 3, 24  # least number of equal bytes before a guess, and largest number to compare
MAX_CANDIDATES = 8  # maximum number of earlier occurrences to compare
_HAS_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]")
FADING = 0.9  # factor by which a row's older drafts count less after each new one
WORTH_FROM = 0.3
"""Least probability of a guessed token together with all before it. PERF: on a CPU, the first guessed token of a pass
costs a quarter of a pass without it, further ones less.
"""


class PromptLookup:
    """A row's text so far, as bytes, to guess its continuation from earlier occurrences of its end.

    tokens: bytes of each token of the vocabulary; None for special tokens, at which guesses end.
    token_ids: tokens of the prompt.
    """

    def __init__(self, tokens: Sequence[bytes | None], token_ids: Sequence[int]) -> None:
        self._tokens = tokens
        self._token_ids: list[int] = []
        self._text = bytearray()
        self._ends: list[int] = []  # where each token ends in the text
        self.extend(token_ids[-MAX_LOOKUP_TOKENS:])

    def extend(self, token_ids: Sequence[int]) -> None:
        """Append tokens to the text."""
        pieces = [self._tokens[token_id] or b"" for token_id in token_ids]
        start = len(self._text)
        self._text += b"".join(pieces)
        self._ends += list(accumulate(map(len, pieces), initial=start))[1:]
        self._token_ids += token_ids

    def propose(self, most: int) -> list[int]:
        """The tokens that followed the best earlier occurrence of the text's last bytes, at most `most`; [] if none."""
        text, length = self._text, len(self._text)
        if most < 1 or length <= MIN_MATCH:
            return []
        suffix = bytes(text[-MIN_MATCH:])
        if not _HAS_WORD.search(suffix):
            return []  # punctuation says little of what follows it
        best_length, best_token = 0, 0
        end = length - 1
        for _ in range(MAX_CANDIDATES):
            start = text.rfind(suffix, 0, end)
            if start < 0:
                break
            end = start + MIN_MATCH
            token = bisect_left(self._ends, end)
            if self._ends[token] == end:
                matched = self._match_length(end)
                if matched > best_length:
                    best_length, best_token = matched, token
            end -= 1
        return [] if not best_length else self._following(best_token, most)

    def _match_length(self, end: int) -> int:
        """Number of equal bytes before position `end` and before the end of the text, at most MAX_MATCH."""
        text, length = self._text, MIN_MATCH
        while length < MAX_MATCH and length < end and text[end - length - 1] == text[-length - 1]:
            length += 1
        return length

    def _following(self, token: int, most: int) -> list[int]:
        """At most `most` tokens after the one at index `token`, up to the next special token."""
        following = self._token_ids[token + 1 : token + 1 + most]
        return list(takewhile(lambda token_id: self._tokens[token_id], following))


class Drafting:
    """Makes a row's drafts, and counts how often they were right.

    tokens: bytes of each token of the vocabulary; None for special tokens.
    token_ids: the row's tokens, prompt and output; the list grows.
    """

    def __init__(self, tokens: Sequence[bytes | None], token_ids: list[int]) -> None:
        self._row_tokens = token_ids
        self._num_seen = len(token_ids)
        self._lookup = PromptLookup(tokens, token_ids)
        self._num_right, self._num_tried = 1.0, 1.5

    def propose(self, most: int) -> list[int]:
        """The next draft, at most `length` tokens. [] if no earlier text fits, or if drafts were mostly wrong.

        Older drafts count less and less, so a row whose drafts failed gets drafts again later.
        """
        length = self.length(most)
        proposed = self._look_up(length) if length else []
        if not proposed:
            self._fade()
        return proposed

    def length(self, most: int) -> int:
        """Maximum number of tokens of a draft by the row's experience; at most `most`."""
        share, expected, length = self._num_right / self._num_tried, 1.0, 0
        while length < most and expected * share >= WORTH_FROM:
            expected, length = expected * share, length + 1
        return length

    def _look_up(self, most: int) -> list[int]:
        new = self._row_tokens[self._num_seen :]
        self._num_seen += len(new)
        self._lookup.extend(new)
        return self._lookup.propose(most)

    def note(self, num_right: int, num_tried: int) -> None:
        """Note the result of a draft.

        num_right: number of its tokens that the row took.
        num_tried: number of its tokens up to the first wrong one.
        """
        self._fade()
        self._num_right += num_right
        self._num_tried += num_tried

    def _fade(self) -> None:
        self._num_right += (1 - FADING) * (1.0 - self._num_right)
        self._num_tried += (1 - FADING) * (1.5 - self._num_tried)


@dataclass
class TokenDraft:
    """A guess at the tokens that a row takes in a step.

    token_ids: the guessed tokens.
    start: number of tokens that the row has before the step.
    forced: the bytes that the grammar forces here; b"": none.
    num_forced: number of leading guessed tokens that spell forced bytes. They don't count as experience for other
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
        """(k, V) logits from which the row's tokens from index `first` on were drawn, as far as the draft was right.

        token_ids: the row's tokens now.
        first: index of a token after the first one that the row drew in the step.
        Returns None if k is 0.
        """
        num_known = min(self.num_right(token_ids), len(token_ids) - self.start - 1)
        begin = first - self.start - 1
        if self.logits is None or num_known <= begin:
            return None
        return self.logits[self.first_logits_row + begin : self.first_logits_row + num_known]
