"""Changes of logits by a request's parameters: penalties, logit bias, bad words, allowed tokens, early ends.

Each kind is an `Adjustment`. The state of all rows is in columns, which `LogitAdjustments` keeps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import torch

from guided.grammars.bitset import BITS_PER_WORD, num_words

from ..masks import AnyBitmask, apply_bitmask_inplace
from ..params.sampling_params import SamplingParams
from .columns import Columns, ColumnType

NO_ID = -1  # an unused entry in a list of token ids
MIN_SEEN_PLACES = 64
CPU_COLUMNS = 4096  # columns searched at once, a multiple of BITS_PER_WORD


class Adjustment(ABC):
    """A kind of adjustment. If a row's parameters don't ask for it, the row's columns are blank and nothing changes.

    name: class attribute; the field of `SamplingParams`, for messages.
    """

    name: ClassVar[str]
    columns: ClassVar[Mapping[str, ColumnType]]

    @abstractmethod
    def is_needed(self, params: SamplingParams) -> bool:
        """True if a row with these parameters needs this adjustment."""

    @abstractmethod
    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        """The column values of a new row, whether or not it needs this adjustment."""

    def accept_tokens(self, columns: Columns, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:  # noqa: B027
        """Record the token of each row. token_ids: (B,) int64, NO_TOKEN_ID for none. is_forced: (B,) bool or None."""

    def apply_inplace(self, columns: Columns, logits: torch.Tensor) -> None:  # noqa: B027
        """Adjust logits in place. logits: (B, V) float32 or float64."""


class Penalties(Adjustment):
    """Repetition, frequency and presence penalty, in this order.

    Repetition (prompt and output; Keskar et al., CTRL, 2019): positive logits are divided by p, others multiplied by p.
    Frequency and presence (output only): logit - frequency * count - presence * (count > 0).

    A row keeps a list of its distinct tokens with a count for each. The cost of a step therefore depends on the text's
    length, not on the vocabulary. Columns: seen_ids (B, C) int64, the distinct tokens, then NO_ID; output_counts (B, C)
    int32, their counts in the output (0: only in the prompt); num_seen (B,) int64; is_counted (B,) bool: the row has a
    penalty.
    """

    name = "penalties"
    columns: ClassVar = {
        "seen_ids": ColumnType(torch.int64, MIN_SEEN_PLACES, NO_ID),
        "output_counts": ColumnType(torch.int32, MIN_SEEN_PLACES),
        "num_seen": ColumnType(torch.int64),
        "repetition": ColumnType(torch.float32, None, 1.0),
        "frequency": ColumnType(torch.float32),
        "presence": ColumnType(torch.float32),
        "is_counted": ColumnType(torch.bool),
        "counts_forced": ColumnType(torch.bool),
    }

    def is_needed(self, params: SamplingParams) -> bool:
        return params.repetition_penalty != 1.0 or params.frequency_penalty != 0.0 or params.presence_penalty != 0.0

    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        seen = sorted(set(prompt)) if params.repetition_penalty != 1.0 else []
        return {
            "seen_ids": seen,
            "output_counts": [0] * len(seen),
            "num_seen": len(seen),
            "repetition": params.repetition_penalty,
            "frequency": params.frequency_penalty,
            "presence": params.presence_penalty,
            "is_counted": self.is_needed(params),
            "counts_forced": params.penalize_forced,
        }

    def accept_tokens(self, columns: Columns, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """Count the tokens. Every row must have room for one more token."""
        seen_ids, num_seen = columns["seen_ids"], columns["num_seen"]
        counts = columns["is_counted"] & (token_ids >= 0)
        if is_forced is not None:
            counts = counts & (columns["counts_forced"] | ~is_forced)
        is_place = (seen_ids == token_ids.unsqueeze(1)) & counts.unsqueeze(1)
        is_new = counts & ~is_place.any(dim=1)
        places = torch.arange(seen_ids.shape[1], device=seen_ids.device)
        is_new_place = (places == num_seen.unsqueeze(1)) & is_new.unsqueeze(1)
        seen_ids.copy_(torch.where(is_new_place, token_ids.unsqueeze(1), seen_ids))
        columns["output_counts"].add_(is_place | is_new_place)
        num_seen.add_(is_new)

    def apply_inplace(self, columns: Columns, logits: torch.Tensor) -> None:
        seen_ids = columns["seen_ids"]
        ids, counts = _as_indices(seen_ids), _fill_unused(seen_ids, columns["output_counts"])
        values = logits.gather(1, ids)
        repetition = columns["repetition"].unsqueeze(1)
        penalised = torch.where(values > 0, values / repetition, values * repetition)
        penalised = penalised - columns["frequency"].unsqueeze(1) * counts
        penalised = penalised - columns["presence"].unsqueeze(1) * (counts > 0)
        has_seen = (columns["num_seen"] > 0).unsqueeze(1)
        logits.scatter_(1, ids, torch.where(has_seen, penalised, values))


class LogitBias(Adjustment):
    """logits[token] += bias. Columns: bias_ids (B, K) int64, biases (B, K) float32; unused entries add 0 to token 0."""

    name = "logit_bias"
    columns: ClassVar = {"bias_ids": ColumnType(torch.int64, 0), "biases": ColumnType(torch.float32, 0)}

    def is_needed(self, params: SamplingParams) -> bool:
        return bool(params.logit_bias)

    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        bias = dict(params.logit_bias or {})
        return {"bias_ids": list(bias), "biases": list(bias.values())}

    def apply_inplace(self, columns: Columns, logits: torch.Tensor) -> None:
        logits.scatter_add_(1, columns["bias_ids"], columns["biases"].to(logits.dtype))


class BadWords(Adjustment):
    """Bans the token that would complete a bad word, which is a sequence of token ids whose other ids end the output.

    Only these exact sequences are banned: the same text in other tokens is another word. The prompt is not considered.
    Memory and a step's work grow with the words' total length, independent of the longest word.

    Columns: last_ids (B, D) int64, the distinct last tokens; words (B, M) int64, for each word the index of its last
    token in last_ids. For the T other tokens of all words: word_ids (B, T) int64; distances (B, T) int64, how many
    tokens before the newest one it must be; words_of (B, T) int64, its word. recent_ids (B, L) int64: the output's
    newest tokens, newest first.
    """

    name = "bad_words"
    columns: ClassVar = {
        "last_ids": ColumnType(torch.int64, 0, NO_ID),
        "words": ColumnType(torch.int64, 0, NO_ID),
        "word_ids": ColumnType(torch.int64, 0, NO_ID),
        "distances": ColumnType(torch.int64, 0),
        "words_of": ColumnType(torch.int64, 0),
        "recent_ids": ColumnType(torch.int64, 0, NO_ID),
    }

    def is_needed(self, params: SamplingParams) -> bool:
        return bool(params.bad_words)

    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        words = [[int(token_id) for token_id in word] for word in params.bad_words or ()]
        places = {last: i for i, last in enumerate(dict.fromkeys(word[-1] for word in words))}
        before = list(_tokens_before(words))
        return {
            "last_ids": list(places),
            "words": [places[word[-1]] for word in words],
            "word_ids": [token for token, _, _ in before],
            "distances": [distance for _, distance, _ in before],
            "words_of": [word for _, _, word in before],
            "recent_ids": [NO_ID] * max((len(word) - 1 for word in words), default=0),
        }

    def accept_tokens(self, columns: Columns, token_ids: torch.Tensor, is_forced: torch.Tensor | None) -> None:
        """Remember as many recent tokens as the longest word needs."""
        recent_ids = columns["recent_ids"]
        if recent_ids.shape[1]:
            newest = torch.cat([token_ids.unsqueeze(1), recent_ids[:, :-1]], dim=1)
            recent_ids.copy_(torch.where((token_ids >= 0).unsqueeze(1), newest, recent_ids))

    def apply_inplace(self, columns: Columns, logits: torch.Tensor) -> None:
        last_ids, words, word_ids = (columns[name] for name in ("last_ids", "words", "word_ids"))
        is_wrong = (word_ids >= 0) & (word_ids != columns["recent_ids"].gather(1, columns["distances"]))
        num_wrong = torch.zeros_like(words).scatter_add_(1, columns["words_of"], is_wrong.to(torch.int64))
        fits = (num_wrong == 0) & (words >= 0)
        is_bad = torch.zeros_like(last_ids).scatter_add_(1, words.clamp(min=0), fits.to(torch.int64)) > 0
        ids = _as_indices(last_ids)
        values = logits.gather(1, ids).masked_fill(_fill_unused(last_ids, is_bad), -torch.inf)
        logits.scatter_(1, ids, values)


class AllowList(Adjustment):
    """Bans all tokens except the allowed ones. Columns: allowed_ids (B, A) int64, then NO_ID; is_limited (B,) bool."""

    name = "allowed_token_ids"
    columns: ClassVar = {"allowed_ids": ColumnType(torch.int64, 0, NO_ID), "is_limited": ColumnType(torch.bool)}

    def is_needed(self, params: SamplingParams) -> bool:
        return params.allowed_token_ids is not None

    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        return {"allowed_ids": list(params.allowed_token_ids or ()), "is_limited": self.is_needed(params)}

    def apply_inplace(self, columns: Columns, logits: torch.Tensor) -> None:
        ids = _as_indices(columns["allowed_ids"])
        values = logits.gather(1, ids)
        logits.masked_fill_(columns["is_limited"].unsqueeze(1), -torch.inf)
        logits.scatter_(1, ids, values)


class EarlyEnds(Adjustment):
    """min_new_tokens: bans the tokens that end a row's text while it has too few tokens, after all other adjustments.

    Columns: end_ids (B, E) int64, then NO_ID; min_positions (B,) int64.
    """

    name = "min_new_tokens"
    columns: ClassVar = {"end_ids": ColumnType(torch.int64, 0, NO_ID), "min_positions": ColumnType(torch.int64)}

    def is_needed(self, params: SamplingParams) -> bool:
        return params.min_new_tokens > 0

    def row(self, params: SamplingParams, prompt: Sequence[int], eos_token_ids: Collection[int]) -> dict[str, Any]:
        ends = {*(params.stop_token_ids or ()), *(() if params.ignore_eos else eos_token_ids)}
        if not self.is_needed(params) or not ends:
            return {"end_ids": [], "min_positions": 0}
        return {"end_ids": sorted(ends), "min_positions": params.min_new_tokens}

    def ban_inplace(
        self,
        columns: Columns,
        logits: torch.Tensor,
        positions: torch.Tensor,
        bitmask: AnyBitmask | None,
        early_rows: torch.Tensor,
    ) -> torch.Tensor:
        """Ban the end of rows with fewer tokens than min_new_tokens, unless nothing else is allowed. Returns the latter
        rows, (B,) bool.

        early_rows: (R,) int64, rows that may have too few tokens; only these are searched.
        """
        ids = _as_indices(columns["end_ids"])
        values = logits.gather(1, ids)
        is_early = positions < columns["min_positions"]
        logits.scatter_(1, ids, values.masked_fill(is_early.unsqueeze(1), -torch.inf))
        overruled = torch.zeros_like(is_early)
        overruled[early_rows] = ~_has_token(logits, bitmask, early_rows)
        lifted = torch.where(overruled.unsqueeze(1), values, logits.gather(1, ids))
        logits.scatter_(1, ids, lifted)
        return overruled & ((lifted != -torch.inf) & _are_allowed(ids, bitmask)).any(dim=1)


def _fill_unused(ids: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    """Values beside lists of ids, with unused entries (NO_ID) set to the value of the row's first entry.

    Then a scatter to the ids writes equal values several times instead of different ones. ids, values: (B, L).
    """
    return torch.where(ids < 0, values[:, :1], values)


def _as_indices(ids: torch.Tensor) -> torch.Tensor:
    """Lists of ids, (B, L) int64, safe for gathering: unused entries repeat the first id, empty lists contain 0."""
    return _fill_unused(ids, ids).clamp(min=0)


def _tokens_before(words: list[list[int]]) -> Iterator[tuple[int, int, int]]:
    """For each token before a word's last one: the token, its distance from the newest token, and its word's number."""
    for number, word in enumerate(words):
        for distance, token_id in enumerate(word[-2::-1]):
            yield token_id, distance, number


def _has_token(logits: torch.Tensor, bitmask: AnyBitmask | None, rows: torch.Tensor) -> torch.Tensor:
    """For each row, whether any token is neither -inf nor masked, (R,) bool. rows: (R,) int64.

    On a CPU, columns are searched in pieces, since rows seldom need more than the first piece.
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
        # bool() runs only on a CPU, where it waits for no device: elsewhere the first piece is the last
        if start + width < num_columns and bool(has_token.all()):
            break
    return has_token


def _are_allowed(ids: torch.Tensor, bitmask: AnyBitmask | None) -> torch.Tensor:
    """True for each token that the mask allows, (B, L) bool. ids: (B, L)."""
    if bitmask is None:
        return torch.ones_like(ids, dtype=torch.bool)
    words = torch.as_tensor(bitmask).to(ids.device)
    places = ids // BITS_PER_WORD
    bits = words.gather(1, places.clamp(max=words.shape[1] - 1)) >> (ids % BITS_PER_WORD)
    return (bits & 1).to(torch.bool) & (places < words.shape[1])
