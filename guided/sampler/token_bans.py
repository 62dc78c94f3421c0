"""What a request adds to logits or rules out by token id: logit bias, bad words, allowed tokens, early ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import torch

from guided.grammars.bitset import BITS_PER_WORD, num_words

from ..masks import AnyBitmask, apply_bitmask_inplace
from ..params.sampling_params import SamplingParams
from .columns import Column
from .row_state import NO_ID, Adjustment, RowState, as_indices, fill_unused

CPU_COLUMNS = 4096  # looked through at once, a multiple of BITS_PER_WORD


class LogitBias(Adjustment):
    """logits[token] += bias. Columns: ids (B, K) int64, values (B, K) float32; unused places add 0 to token 0."""

    name = "logit_bias"
    specs: ClassVar = {"ids": Column(torch.int64, (0,)), "values": Column(torch.float32, (0,))}

    @staticmethod
    def is_needed(params: SamplingParams) -> bool:
        """See `RowState.is_needed`."""
        return bool(params.logit_bias)

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """See `RowState.add`."""
        biases = [dict(row.logit_bias or {}) for row in params]
        self.columns.append(
            {"ids": [list(bias) for bias in biases], "values": [list(bias.values()) for bias in biases]}
        )

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """See `Adjustment.apply_inplace`."""
        logits.scatter_add_(1, self.columns["ids"], self.columns["values"].to(logits.dtype))


class BadWords(Adjustment):
    """Bans the token that would complete a bad word: a sequence of token ids whose others the output just ended with.

    Only these very sequences are bad: the same text in other tokens is another word. The prompt is not looked at.
    Memory and a step's work grow with the words' tokens together, however long the longest of them is.

    Columns: last_ids (B, D) int64, the distinct last tokens; words (B, M) int64, the place in last_ids of each word's
    last token; for the T tokens before these, of all words one after the other, tokens (B, T) int64, distances (B, T)
    int64, how many tokens before the newest one it must be, and words_of (B, T) int64, which word it belongs to;
    recent (B, L) int64, the output's newest tokens, the newest first.
    """

    name = "bad_words"
    specs: ClassVar = {
        "last_ids": Column(torch.int64, (0,), NO_ID),
        "words": Column(torch.int64, (0,), NO_ID),
        "tokens": Column(torch.int64, (0,), NO_ID),
        "distances": Column(torch.int64, (0,)),
        "words_of": Column(torch.int64, (0,)),
        "recent": Column(torch.int64, (0,), NO_ID),
    }

    @staticmethod
    def is_needed(params: SamplingParams) -> bool:
        """See `RowState.is_needed`."""
        return bool(params.bad_words)

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """See `RowState.add`."""
        sequences = [[[int(token_id) for token_id in word] for word in row.bad_words or ()] for row in params]
        places = [{last: i for i, last in enumerate(dict.fromkeys(word[-1] for word in words))} for words in sequences]
        lengths = [max((len(word) - 1 for word in words), default=0) for words in sequences]
        before = [list(_tokens_before(words)) for words in sequences]
        self.columns.append(
            {
                "last_ids": [list(place) for place in places],
                "words": [[place[word[-1]] for word in words] for words, place in zip(sequences, places, strict=True)],
                "tokens": [[token for token, _, _ in row] for row in before],
                "distances": [[distance for _, distance, _ in row] for row in before],
                "words_of": [[word for _, _, word in row] for row in before],
                "recent": [[NO_ID] * length for length in lengths],
            }
        )

    def accept_tokens(self, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """See `RowState.accept_tokens`."""
        recent = self.columns["recent"]
        if recent.shape[1]:
            recent.copy_(torch.cat([token_ids.unsqueeze(1), recent[:, :-1]], dim=1))

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """See `Adjustment.apply_inplace`."""
        last_ids, words, tokens = (self.columns[name] for name in ("last_ids", "words", "tokens"))
        is_wrong = (tokens >= 0) & (tokens != self.columns["recent"].gather(1, self.columns["distances"]))
        num_wrong = torch.zeros_like(words).scatter_add_(1, self.columns["words_of"], is_wrong.to(torch.int64))
        fits = (num_wrong == 0) & (words >= 0)
        is_bad = torch.zeros_like(last_ids).scatter_add_(1, words.clamp(min=0), fits.to(torch.int64)) > 0
        ids = as_indices(last_ids)
        values = logits.gather(1, ids).masked_fill(fill_unused(last_ids, is_bad), -torch.inf)
        logits.scatter_(1, ids, values)


class AllowedTokens(Adjustment):
    """Bans all but the allowed tokens. Columns: ids (B, A) int64, NO_ID past the last; is_limited (B,) bool."""

    name = "allowed_token_ids"
    specs: ClassVar = {"ids": Column(torch.int64, (0,), NO_ID), "is_limited": Column(torch.bool)}

    @staticmethod
    def is_needed(params: SamplingParams) -> bool:
        """See `RowState.is_needed`."""
        return params.allowed_token_ids is not None

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """See `RowState.add`."""
        self.columns.append(
            {
                "ids": [list(row.allowed_token_ids or ()) for row in params],
                "is_limited": [self.is_needed(row) for row in params],
            }
        )

    def apply_inplace(self, logits: torch.Tensor) -> None:
        """See `Adjustment.apply_inplace`."""
        ids = as_indices(self.columns["ids"])
        values = logits.gather(1, ids)
        logits.masked_fill_(self.columns["is_limited"].unsqueeze(1), -torch.inf)
        logits.scatter_(1, ids, values)


class EarlyEnds(RowState):
    """min_new_tokens: bans the tokens that end a row's text while it has fewer.

    Columns: end_ids (B, E) int64, NO_ID past the last; min_positions (B,) int64.
    """

    name = "min_new_tokens"
    specs: ClassVar = {"end_ids": Column(torch.int64, (0,), NO_ID), "min_positions": Column(torch.int64)}

    @staticmethod
    def is_needed(params: SamplingParams) -> bool:
        """See `RowState.is_needed`."""
        return params.min_new_tokens > 0

    def add(self, params: Sequence[SamplingParams], prompts: Sequence[Sequence[int]]) -> None:
        """See `RowState.add`."""
        ends = [self._end_ids(row) for row in params]
        minima = [row.min_new_tokens if ids else 0 for row, ids in zip(params, ends, strict=True)]
        self.columns.append({"end_ids": ends, "min_positions": minima})

    def ban_inplace(
        self, logits: torch.Tensor, positions: torch.Tensor, bitmask: AnyBitmask | None, early_rows: torch.Tensor
    ) -> torch.Tensor:
        """Ban the ends of rows before their min_new_tokens; but not where nothing else is left. (B,) bool: those rows.

        early_rows: (R,) int64, the rows that may have too few tokens; only these are looked through.
        """
        ids = as_indices(self.columns["end_ids"])
        values = logits.gather(1, ids)
        is_early = positions < self.columns["min_positions"]
        logits.scatter_(1, ids, values.masked_fill(is_early.unsqueeze(1), -torch.inf))
        overruled = torch.zeros_like(is_early)
        overruled[early_rows] = ~_has_token(logits, bitmask, early_rows)
        lifted = torch.where(overruled.unsqueeze(1), values, logits.gather(1, ids))
        logits.scatter_(1, ids, lifted)
        return overruled & ((lifted != -torch.inf) & _are_allowed(ids, bitmask)).any(dim=1)

    def _end_ids(self, params: SamplingParams) -> list[int]:
        if not self.is_needed(params):
            return []
        return sorted({*(params.stop_token_ids or ()), *(() if params.ignore_eos else self.eos_token_ids)})


def _tokens_before(words: list[list[int]]) -> Iterator[tuple[int, int, int]]:
    """Of the tokens before the words' last ones: the token, its distance from the newest one, its word's number."""
    for number, word in enumerate(words):
        for distance, token_id in enumerate(word[-2::-1]):
            yield token_id, distance, number


def _has_token(logits: torch.Tensor, bitmask: AnyBitmask | None, rows: torch.Tensor) -> torch.Tensor:
    """Whether these rows have any token that is neither at -inf nor masked, (R,) bool. rows: (R,) int64.

    On a CPU the columns are looked through piece by piece: rows seldom need more than the first.
    """
    words = None if bitmask is None else torch.as_tensor(bitmask).to(logits.device)[rows]
    num_columns = logits.shape[1]
    width = CPU_COLUMNS if logits.device.type == "cpu" else num_columns
    has_token = torch.zeros(len(rows), dtype=torch.bool, device=logits.device)
    for start in range(0, num_columns, width):
        part = logits[:, start : start + width].index_select(0, rows)
        if words is not None:
            first = start // BITS_PER_WORD
            apply_bitmask_inplace(part, words[:, first : first + num_words(part.shape[1])])
        has_token |= (part != -torch.inf).any(dim=1)
        if start + width < num_columns and bool(has_token.all()):  # only on a CPU, which need not be waited for
            break
    return has_token


def _are_allowed(ids: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """Whether the mask allows these tokens, bool (B, L) like the ids."""
    if bitmask is None:
        return torch.ones_like(ids, dtype=torch.bool)
    words = torch.as_tensor(bitmask).to(ids.device)
    places = ids // BITS_PER_WORD
    bits = words.gather(1, places.clamp(max=words.shape[1] - 1)) >> (ids % BITS_PER_WORD)
    return (bits & 1).to(torch.bool) & (places < words.shape[1])
