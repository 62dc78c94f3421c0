"""`no_repeat_ngram`: no run of n tokens is written twice.

Paulus, Xiong, Socher, "A Deep Reinforced Model for Abstractive Summarization" (2017), section 2.5, uses trigrams;
transformers calls the option `no_repeat_ngram_size`. Here a window and a whitelist are added. Let x_1 .. x_L be the
prompt and output so far, and S the first place in the window. A token t is excluded if it is not in the whitelist and
some i >= S has x_i .. x_{i+n-2} = x_{L-n+2} .. x_L and x_{i+n-1} = t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import torch
from pydantic import Field

from .base import CustomLogitProcessor
from .rows import ProcessorRow, RowGroup
from .token_lists import TokenId


@dataclass(frozen=True)
class NoRepeatNgramParams:
    """The parameters of `no_repeat_ngram`.

    ngram_size: n, in tokens.
    window_size: number of last tokens to consider, prompt included; None: all. Fewer than n exclude nothing.
    whitelist_token_ids: tokens that may always be written, such as those of table cells.
    """

    ngram_size: Annotated[int, Field(ge=1)]
    window_size: Annotated[int, Field(ge=1)] | None = None
    whitelist_token_ids: tuple[TokenId, ...] = ()


class NgramIndex:
    """Maps each run of n - 1 tokens to the tokens that followed it, and to where each such run of n tokens last
    began.
    """

    def __init__(self, ngram_size: int, token_ids: Sequence[int]) -> None:
        self.ngram_size = ngram_size
        self.num_tokens = 0
        self._tail: tuple[int, ...] = ()  # the last n - 1 tokens
        self._starts: dict[tuple[int, ...], dict[int, int]] = {}
        for token_id in token_ids:
            self.append(token_id)

    def append(self, token_id: int) -> None:
        """Add a token."""
        if len(self._tail) == self.ngram_size - 1:
            followers = self._starts.setdefault(self._tail, {})
            followers.pop(token_id, None)  # keeps followers in the order of their last place
            followers[token_id] = self.num_tokens - self.ngram_size + 1
        self.num_tokens += 1
        if self.ngram_size > 1:
            self._tail = (*self._tail, token_id)[-(self.ngram_size - 1) :]

    def repeated(self, window_size: int | None) -> list[int]:
        """The tokens that would repeat an n-gram of the last `window_size` tokens; None: of the whole text."""
        first = 0 if window_size is None else self.num_tokens - window_size
        found = []
        for token_id, start in reversed(self._starts.get(self._tail, {}).items()):
            if start < first:
                break
            found.append(token_id)
        return found


class NoRepeatNgram(CustomLogitProcessor):
    """Bans repeated runs of n tokens, see the module. If the grammar allows only a repetition, the request ends with
    NoAllowedTokenError.
    """

    params_type = NoRepeatNgramParams
    order = 20
    is_trusted = True

    def start(self, row: ProcessorRow) -> None:
        """Index the prompt."""
        row.state["index"] = NgramIndex(row.params.ngram_size, row.token_ids.tolist())
        row.state["whitelist"] = frozenset(row.params.whitelist_token_ids)

    def accept_token(self, row: ProcessorRow, token_id: int) -> None:
        """Add the new token to the row's index of n-grams."""
        row.state["index"].append(token_id)

    def __call__(self, logits: torch.Tensor, custom_param_list: RowGroup) -> torch.Tensor:
        """Exclude the tokens. The cost depends on the number of excluded tokens, not on the text's length."""
        pairs = [
            (i, token_id)
            for i, row in enumerate(custom_param_list)
            for token_id in row.state["index"].repeated(row.params.window_size)
            if token_id not in row.state["whitelist"]
        ]
        if pairs:
            flat = torch.tensor(pairs, dtype=torch.int64, device=logits.device)
            logits[flat[:, 0], flat[:, 1]] = -torch.inf
        return logits
