"""`dry`: "don't repeat yourself", a penalty that grows with the length of the repetition that a token would continue.

P. E. Weidmann, "DRY: A modern repetition penalty that reliably prevents looping" (text-generation-webui, pull request
5677, 2024). Let x_1 .. x_L be the prompt and output so far. For each i < L let m_i be the length of the longest common
suffix of x_1 .. x_i and x_1 .. x_L without a sequence breaker (at most 50, as in the original). For a token t that is
no breaker, let m(t) be the largest m_i with x_{i+1} = t. If m(t) >= allowed_length:

    logit(t) -= multiplier * base ** (m(t) - allowed_length)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from ..params.checks import shown
from ..params.sampling_params import MAX_TOKENS
from .base import CustomLogitProcessor
from .errors import ProcessorParamsError
from .rows import ProcessorRow, RowGroup
from .token_lists import TokenId

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary

MAX_MATCH = 50  # tokens; longer matches count as this long, which bounds the power
MAX_BREAKER_TEXTS = 64
MAX_BREAKER_TOKENS = 10_000
MAX_PENALTY = 1e30  # far below the limit of float32, far above any logit
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class DryParams:
    """The parameters of `dry`.

    multiplier: strength, in logits; 0 is off.
    base: factor for each further token of the match.
    allowed_length: shortest match with a penalty, in tokens.
    sequence_breakers: texts that end matches; each token that contains one is a breaker. At most MAX_BREAKER_TEXTS.
    sequence_breaker_token_ids: further breakers, by id; at most MAX_BREAKER_TOKENS.
    range: number of last tokens to consider, prompt included; None: all.
    """

    multiplier: Annotated[float, Field(ge=0, le=100)] = 0.8
    base: Annotated[float, Field(ge=1, le=100)] = 1.75
    allowed_length: Annotated[int, Field(ge=1, le=MAX_TOKENS)] = 2
    sequence_breakers: Annotated[tuple[str, ...], Field(max_length=MAX_BREAKER_TEXTS)] = ("\n", ":", '"', "*")
    sequence_breaker_token_ids: Annotated[tuple[TokenId, ...], Field(max_length=MAX_BREAKER_TOKENS)] = ()
    range: Annotated[int, Field(ge=1, le=MAX_TOKENS)] | None = None


class SuffixMatches:
    """The match lengths m_i of a growing text.

    A new token x sets m_i = m_{i-1} + 1 where x_i = x, and 0 elsewhere. So an update costs as much as x has earlier
    places. The initial text is read at once: only earlier places of its last token can have a match. They are compared
    backwards together, for at most MAX_MATCH tokens. 60,000 equal tokens take 20 ms.

    breakers: token ids that end matches.
    token_ids: the text so far, (L,) integers.
    """

    def __init__(self, breakers: frozenset[int], token_ids: Sequence[int] | Ints) -> None:
        self._breakers = breakers
        text = np.asarray(token_ids, dtype=np.int64)
        self._length = len(text)
        self._ids: Ints = np.concatenate([text, np.empty(64, dtype=np.int64)])
        self._matches: Ints = np.zeros(len(self._ids) + 1, dtype=np.int64)  # match of place i at index i + 1
        self._places = _places_of(text, breakers)  # token -> array of its places, and how many entries are used
        self._live: Ints = np.empty(0, dtype=np.int64)  # places with a match
        if self._length:
            places, count = self._places.get(int(text[-1]), (self._live, 1))
            self._live = places[: count - 1]  # without the last place
            self._compare_backwards()

    def append(self, token_id: int) -> None:
        """Add a token."""
        if self._length == len(self._ids):
            self._ids = np.concatenate([self._ids, np.empty_like(self._ids)])
            self._matches = np.concatenate([self._matches, np.zeros_like(self._matches)])
        places = self._live[:0] if token_id in self._breakers else self._earlier(token_id)
        grown = self._matches[places] + 1
        self._matches[self._live + 1] = 0
        self._matches[places + 1] = grown
        self._live = places
        self._ids[self._length] = token_id
        self._length += 1

    def _compare_backwards(self) -> None:
        """Compute the matches of the live places."""
        last, places, length = self._length - 1, self._live, 0
        while len(places) and length < MAX_MATCH:
            self._matches[places + 1] += 1
            length += 1
            if length > last or int(self._ids[last - length]) in self._breakers:
                return
            places = places[places >= length]
            places = places[self._ids[places - length] == self._ids[last - length]]

    def longest(self, window: int | None) -> tuple[Ints, Ints]:
        """The tokens that would lengthen a match, and for each its longest match; two (N,) int64.

        window: number of last tokens to consider; None: all.
        """
        first = 0 if window is None else max(0, self._length - window)
        places = self._live[np.searchsorted(self._live, first) :]
        lengths = np.minimum(self._matches[places + 1], np.minimum(places - first + 1, MAX_MATCH))
        token_ids, groups = np.unique(self._ids[places + 1], return_inverse=True)
        longest = np.zeros(len(token_ids), dtype=np.int64)
        np.maximum.at(longest, groups, lengths)
        return token_ids, longest

    def _earlier(self, token_id: int) -> Ints:
        """The earlier places of a token. Also records its new place."""
        places, count = self._places.get(token_id, (self._live[:0], 0))
        if count == len(places):
            places = np.concatenate([places, np.empty(max(4, count), dtype=np.int64)])
        places[count] = self._length
        self._places[token_id] = (places, count + 1)
        return places[:count]


class Dry(CustomLogitProcessor):
    """Penalises tokens that would continue a repetition, see the module."""

    params_type = DryParams
    order = 30
    is_trusted = True

    def check_params(self, params: Any, vocabulary: Vocabulary | None) -> None:
        """Check that the vocabulary has tokens with the breaker texts. Raises ProcessorParamsError."""
        _breakers_of(params.sequence_breakers, params.sequence_breaker_token_ids, vocabulary)

    def start(self, row: ProcessorRow) -> None:
        """Read the prompt."""
        params = row.params
        breakers, row.state["breakers"] = _breakers_of(
            params.sequence_breakers, params.sequence_breaker_token_ids, row.vocabulary
        )
        row.state["matches"] = SuffixMatches(breakers, row.token_ids)

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        """Read the token."""
        row.state["matches"].append(token_id)

    def __call__(self, logits: torch.Tensor, custom_param_list: RowGroup) -> torch.Tensor:
        """Subtract the penalties, of all rows at once."""
        parts = [(i, *_penalties(row)) for i, row in enumerate(custom_param_list)]
        rows = np.repeat([i for i, _, _ in parts], [len(token_ids) for _, token_ids, _ in parts])
        if len(rows):
            places = (
                torch.from_numpy(rows).to(logits.device),
                torch.from_numpy(np.concatenate([token_ids for _, token_ids, _ in parts])).to(logits.device),
            )
            penalties = torch.from_numpy(np.concatenate([values for _, _, values in parts]))
            logits[places] -= penalties.to(logits.device, logits.dtype)
        return logits


def _penalties(row: ProcessorRow) -> tuple[Ints, NDArray[np.float64]]:
    """The penalised tokens of a row, and their penalties."""
    params = row.params
    token_ids, lengths = row.state["matches"].longest(params.range)
    keep = (lengths >= params.allowed_length) & ~np.isin(token_ids, row.state["breakers"])
    excess = lengths[keep] - params.allowed_length
    penalties = params.multiplier * np.power(params.base, excess.astype(np.float64))
    return token_ids[keep], np.minimum(penalties, MAX_PENALTY)


def _places_of(text: Ints, breakers: frozenset[int]) -> dict[int, tuple[Ints, int]]:
    """For each token that is no breaker: its places in a text in order, and their number."""
    if not len(text):
        return {}
    order = np.argsort(text, kind="stable")
    tokens, firsts = np.unique(text[order], return_index=True)
    places = np.split(order, firsts[1:])
    return {
        token_id: (found, len(found))
        for token_id, found in zip(tokens.tolist(), places, strict=True)
        if token_id not in breakers
    }


@lru_cache(maxsize=64)
def _breakers_of(
    texts: tuple[str, ...], token_ids: tuple[int, ...], vocabulary: Vocabulary | None
) -> tuple[frozenset[int], Ints]:
    """All breakers, as a set and as a sorted (N,) int64 array. Cached, so that the engine reuses the result of a
    request's check.
    """
    breakers = frozenset(token_ids).union(*[tokens_with(text, vocabulary) for text in texts])
    return breakers, np.array(sorted(breakers), dtype=np.int64)


def tokens_with(text: str, vocabulary: Vocabulary | None) -> frozenset[int]:
    """The tokens whose bytes contain the text. Raises ProcessorParamsError if there are none."""
    if vocabulary is None:
        raise ProcessorParamsError(
            "dry: sequence_breakers as text need the model's vocabulary; give sequence_breaker_token_ids, and "
            "sequence_breakers=[]"
        )
    found = _ids_of_tokens_with(text.encode(), vocabulary) if text else frozenset()
    if not found:
        raise ProcessorParamsError(
            f"dry: sequence_breakers: no single token holds {shown(text)}; give texts within one token, or their ids"
        )
    return found


def _ids_of_tokens_with(wanted: bytes, vocabulary: Vocabulary) -> frozenset[int]:
    """The ids of tokens that contain the bytes `wanted` (at least one byte). Compares all places of the joined tokens
    together.
    """
    content, ends = _joined_tokens(vocabulary)
    places = np.flatnonzero(content[: max(len(content) - len(wanted) + 1, 0)] == wanted[0])
    for offset in range(1, len(wanted)):
        if not len(places):
            break
        places = places[content[places + offset] == wanted[offset]]
    token_ids = np.searchsorted(ends, places, side="right")
    return frozenset(token_ids[places + len(wanted) <= ends[token_ids]].tolist())


@lru_cache(maxsize=4)
def _joined_tokens(vocabulary: Vocabulary) -> tuple[NDArray[np.uint8], Ints]:
    """The bytes of all tokens joined, (N,) uint8, and the end of each, (V,) int64."""
    tokens = [token or b"" for token in vocabulary.tokens]
    return np.frombuffer(b"".join(tokens), dtype=np.uint8), np.cumsum([len(token) for token in tokens])
