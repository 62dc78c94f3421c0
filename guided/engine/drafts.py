"""Drafts: tokens that a row probably takes next, guessed from its own text and read in the same pass as its last one.

A text copies much: names and numbers from its prompt, and what it has written before. So where its last bytes stand in
it already, the tokens behind them there are a good guess (prompt lookup decoding, Saxena 2023, here over bytes, because
a word behind a quote is other tokens than behind a space). The model reads the draft with the row's newest token and
gives logits behind each. The row then draws token by token as ever, from the logits behind the tokens that it has
really taken; from the first one that differs on, the draft was in vain and its keys and values are forgotten. So the
tokens are those of a run without drafts, greedy and sampled alike (Leviathan et al. 2023, with the draws themselves in
place of their acceptance test).

Where a grammar forces bytes, they are a better guess: a row's last forced token is left to the model, which may take a
longer one. The guess is the token that is mostly taken where the same bytes are forced, else the tokenizer's own. Read
as a draft it costs no pass of its own. Inside of a string that must be a quote of a source, the guess is how the source
goes on, also behind forced bytes: up to a phrase's end, where the string is guessed to end, too, with what is forced
behind it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, takewhile

import torch

MAX_LOOKUP_TOKENS = 32_768  # of a prompt's end
MIN_MATCH, MAX_MATCH = 3, 24  # bytes that must stand there already, and that are compared
MAX_CANDIDATES = 8  # places that are compared
_HAS_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]")
FADING = 0.9  # what a row's last draft weighs against the one before
WORTH_FROM = 0.3
"""How probable a guessed token must be, with all before it. PERF: on a CPU the first one of a pass takes a quarter of
what a pass without it takes, the next ones less."""


class PromptLookup:
    """What a row's text has been so far, as bytes, to find what comes next where it repeats itself.

    tokens: the bytes of each token; None for special ones, across which nothing is proposed. token_ids: the prompt.
    """

    def __init__(self, tokens: Sequence[bytes | None], token_ids: Sequence[int]) -> None:
        self._tokens = tokens
        self._token_ids: list[int] = []
        self._text = bytearray()
        self._ends: list[int] = []  # where each token ends in the text
        self.extend(token_ids[-MAX_LOOKUP_TOKENS:])

    def extend(self, token_ids: Sequence[int]) -> None:
        """The text goes on with these tokens."""
        pieces = [self._tokens[token_id] or b"" for token_id in token_ids]
        start = len(self._text)
        self._text += b"".join(pieces)
        self._ends += list(accumulate(map(len, pieces), initial=start))[1:]
        self._token_ids += token_ids

    def propose(self, most: int) -> list[int]:
        """At most so many tokens that followed where the text's last bytes stood before, [] where they did not."""
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
        """How many bytes before that place are those at the text's end."""
        text, length = self._text, MIN_MATCH
        while length < MAX_MATCH and length < end and text[end - length - 1] == text[-length - 1]:
            length += 1
        return length

    def _following(self, token: int, most: int) -> list[int]:
        """What stands behind a token, up to one without bytes."""
        following = self._token_ids[token + 1 : token + 1 + most]
        return list(takewhile(lambda token_id: self._tokens[token_id], following))


class Drafting:
    """A row's drafts: where they come from, and how often they were right.

    token_ids: of the row, prompt and output; it grows.
    """

    def __init__(self, tokens: Sequence[bytes | None], token_ids: list[int]) -> None:
        self._row_tokens = token_ids
        self._num_seen = len(token_ids)
        self._lookup = PromptLookup(tokens, token_ids)
        self._num_right, self._num_tried = 1.0, 1.5

    def propose(self, most: int) -> list[int]:
        """The next draft: a token is in it if it is probable enough that the row takes it and all before.

        Each try counts less and less, so drafts that failed come back in time.
        """
        length = self.length(most)
        proposed = self._look_up(length) if length else []
        if not proposed:
            self._fade()
        return proposed

    def length(self, most: int) -> int:
        """How many tokens a draft may have, see `propose`."""
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
        """A draft was tried. num_tried: its tokens up to the first that was wrong."""
        self._fade()
        self._num_right += num_right
        self._num_tried += num_tried

    def _fade(self) -> None:
        self._num_right += (1 - FADING) * (1.0 - self._num_right)
        self._num_tried += (1 - FADING) * (1.5 - self._num_tried)


@dataclass
class Draft:
    """What a row is guessed to take in a step. start: how many tokens it has. logits: of the step, (N, V); those behind
    the draft's tokens begin with `first_logits_row`.

    forced: the bytes that a grammar forces there. num_forced: how many of the tokens are a guess at these; they say
    nothing of how good the row's other drafts are.
    """

    token_ids: list[int]
    start: int
    forced: bytes = b""
    num_forced: int = 0
    logits: torch.Tensor | None = None
    first_logits_row: int = 0

    def num_right(self, token_ids: Sequence[int]) -> int:
        """How many of its tokens the row, which has these by now, has taken."""
        new = token_ids[self.start : self.start + len(self.token_ids)]
        pairs = zip(new, self.token_ids, strict=False)
        return next((i for i, (taken, guessed) in enumerate(pairs) if taken != guessed), len(new))

    def next_logits_row(self, token_ids: list[int]) -> int | None:
        """Which row of the step's logits is behind the newest of the row's tokens; None where the draft has
        none, because the row has left it."""
        num_new = len(token_ids) - self.start
        is_right = 0 < num_new <= len(self.token_ids) and token_ids[self.start :] == self.token_ids[:num_new]
        return self.first_logits_row + num_new - 1 if is_right else None

    def logits_of(self, token_ids: Sequence[int], first: int) -> torch.Tensor | None:
        """(k, V), of the row's tokens from the first'th on as far as the draft had all before; None where k is 0.

        first: a token behind the one that the row drew first. It has these token_ids by now.
        """
        num_known = min(self.num_right(token_ids), len(token_ids) - self.start - 1)
        begin = first - self.start - 1
        if self.logits is None or num_known <= begin:
            return None
        return self.logits[self.first_logits_row + begin : self.first_logits_row + num_known]
