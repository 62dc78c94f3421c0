"""The attention function `guided_paged` of transformers' attention interface.

A model calls it once for each layer, with the queries, keys and values of all packed tokens. The `PagedPass` that was
given to `answer_layers` computes the result. (Keywords of the model's call would do the same, but StableLM and Nemotron
do not pass them on.) No mask function is registered under the name, so models make no mask.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from ....embedded.network import LlamaNetwork
from ....errors import UnsupportedModelError

ATTENTION_NAME = "guided_paged"
UNSUPPORTED_OPTIONS = ("s_aux", "sinks", "position_bias", "indices", "block_indices")
"""Keywords of layers that change the result of attention: learned sinks, relative positions, sparse attention."""


@dataclass(frozen=True, slots=True)
class AttentionOptions:
    """The options of a layer's attention.

    scaling: factor of query times key.
    window: number of tokens that a query attends to, including itself; None: all tokens before it.
    softcap: scores become softcap * tanh(score / softcap); None: no change.
    """

    scaling: float
    window: int | None
    softcap: float | None


class PagedPass(Protocol):
    """Computes the attention of all layers in one forward."""

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
    ) -> torch.Tensor:
        """The attention of one layer, (T, H, D of the values). query: (H, T, D). key, value: (kv heads, T, D)."""
        ...


_answering_pass: ContextVar[PagedPass] = ContextVar("guided_paged_pass")


@contextmanager
def answer_layers(paged_pass: PagedPass) -> Generator[None]:
    """Context manager: in its block, in this thread, `paged_pass` computes every call of the attention function."""
    token = _answering_pass.set(paged_pass)
    try:
        yield
    finally:
        _answering_pass.reset(token)


def attend_layer(
    layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
) -> torch.Tensor:
    """The attention of one layer, as the pass of `answer_layers` computes it. For the arguments see `PagedPass`."""
    return _answering_pass.get().attend(layer, query, key, value, options)


def use_paged_attention(model: Any) -> None:
    """Let the model's layers call `paged_attention`. transformers knows it as ATTENTION_NAME from then on."""
    if isinstance(model, LlamaNetwork):
        model.set_attention(paged_attention)
        return
    from transformers import AttentionInterface

    AttentionInterface.register(ATTENTION_NAME, paged_attention)  # registering twice is harmless
    model.set_attn_implementation(ATTENTION_NAME)


def paged_attention(
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    sliding_window: int | None = None,
    softcap: float | None = None,
    **others: Any,
) -> tuple[torch.Tensor, None]:
    """The attention function for transformers. Returns ((1, T, H, D), None): no attention weights.

    query: (1, H, T, D).
    key, value: (1, kv heads, T, D).
    Raises UnsupportedModelError for a layer that needs more than `AttentionOptions`.
    """
    if attention_mask is not None:
        raise UnsupportedModelError(f"{type(module).__name__} makes its own attention mask, which pages can't honour")
    for name in UNSUPPORTED_OPTIONS:
        if others.get(name) is not None:
            raise UnsupportedModelError(
                f"{type(module).__name__} asks for attention with {name!r}, which pages can't do"
            )
    options = AttentionOptions(query.shape[-1] ** -0.5 if scaling is None else scaling, sliding_window, softcap)
    layer: Any = module.layer_idx
    return attend_layer(layer, query[0], key[0], value[0], options).unsqueeze(0), None
