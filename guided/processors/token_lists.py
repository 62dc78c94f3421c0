"""`DisallowedTokens`: excludes a fixed set of tokens. Also the type of token ids in parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import torch
from pydantic import AfterValidator, Field, ValidationInfo

from .base import CustomLogitProcessor
from .errors import ProcessorParamsError
from .rows import RowGroup

if TYPE_CHECKING:
    from guided.grammars.vocabulary import Vocabulary


def check_token_id(name: str, token_id: int, vocabulary: Vocabulary | None) -> None:
    """Raise ProcessorParamsError for an id outside the vocabulary. name: the processor's name."""
    if vocabulary is not None and token_id >= vocabulary.size:
        raise ProcessorParamsError(
            f"{name}: token_ids: {token_id} is outside the vocabulary; ids are in [0, {vocabulary.size - 1}]"
        )


def _in_vocabulary(token_id: int, info: ValidationInfo) -> int:
    name, vocabulary = info.context or ("", None)  # set by `read_params`
    check_token_id(name, token_id, vocabulary)
    return token_id


TokenId = Annotated[int, Field(ge=0), AfterValidator(_in_vocabulary)]
"""A token id; checked against the vocabulary if that is known."""


@dataclass(frozen=True)
class TokenList:
    """token_ids: at least one id, each in the vocabulary."""

    token_ids: Annotated[tuple[TokenId, ...], Field(min_length=1)]


class DisallowedTokens(CustomLogitProcessor):
    """Excludes the tokens of `token_ids`: logits[r, t] = -inf for every t in the row's list."""

    params_type = TokenList
    order = 10
    is_trusted = True

    def __call__(self, logits: torch.Tensor, custom_param_list: RowGroup) -> torch.Tensor:
        def make() -> tuple[torch.Tensor, torch.Tensor]:
            pairs = [(i, token_id) for i, row in enumerate(custom_param_list) for token_id in row.params.token_ids]
            flat = torch.tensor(pairs, dtype=torch.int64, device=logits.device)
            return flat[:, 0], flat[:, 1]

        rows, columns = custom_param_list.cached(("token_ids", logits.device), make)
        logits[rows, columns] = -torch.inf
        return logits
