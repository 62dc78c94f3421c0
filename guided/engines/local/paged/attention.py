"""The attention function `guided_paged` of transformers' attention interface.

Models call it once a layer with the queries, keys and values of all packed tokens; the `PagedPass` that `answer_layers`
names answers. (A keyword to the model would do the same where models hand keywords on; StableLM and Nemotron do not.)
No mask function is registered under the name, so models make no mask.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from ....embedded.network import Network
from ....errors import UnsupportedModelError

ATTENTION_NAME = "guided_paged"
UNSUPPORTED_OPTIONS = ("s_aux", "sinks", "position_bias", "indices", "block_indices")
"""Keywords of layers that change what attention computes: learned sinks, relative positions, sparse attention."""


@dataclass(frozen=True, slots=True)
class AttentionOptions:
    """What a layer asks of its attention.

    scaling: factor of query times key. window: tokens a query attends to, itself included (None: all before it).
    softcap: scores become softcap * tanh(score / softcap).
    """

    scaling: float
    window: int | None
    softcap: float | None


class PagedPass(Protocol):
    """What answers the layers of one forward."""

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
    ) -> torch.Tensor:
        """query: (H, T, D), key and value: (kv heads, T, D) of a layer -> (T, H, D of the values)."""
        ...


_answering_pass: ContextVar[PagedPass] = ContextVar("guided_paged_pass")


@contextmanager
def answer_layers(paged_pass: PagedPass) -> Generator[None]:
    """Within the block, in this thread, paged_pass answers every call of the attention function."""
    token = _answering_pass.set(paged_pass)
    try:
        yield
    finally:
        _answering_pass.reset(token)


def use_paged_attention(model: Any) -> None:
    """Let the model's layers call `paged_attention`. transformers knows it as ATTENTION_NAME from then on."""
    if isinstance(model, Network):
        model.set_attention(paged_attention)
        return
    from transformers import AttentionInterface

    AttentionInterface.register(ATTENTION_NAME, paged_attention)  # again and again does no harm
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
    """What transformers calls: query (1, H, T, D), key and value (1, kv heads, T, D) -> (1, T, H, D), no weights.

    Raises UnsupportedModelError for a layer that asks for more than `AttentionOptions` say.
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
    return _answering_pass.get().attend(layer, query[0], key[0], value[0], options).unsqueeze(0), None
