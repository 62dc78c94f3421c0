"""The attention function `guided_paged` of transformers' attention interface, and its plain torch implementation.

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
from torch.nn.functional import scaled_dot_product_attention

from ...embedded.network import Network
from ...errors import UnsupportedModelError
from .plan import ForwardPlan, PrefillSpan
from .storage import KVStorage

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


class TorchPass:
    """One packed forward: writes the new keys and values to their slots, then attends to the sequences' pages.

    max_row_tokens: for the plan; rows gather the pages of their sequence for every token, so they are single tokens.
    """

    max_row_tokens = 1

    def __init__(self, plan: ForwardPlan, storage: KVStorage) -> None:
        self._plan = plan
        self._storage = storage

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
    ) -> torch.Tensor:
        """See `PagedPass.attend`."""
        self._storage.write(layer, self._plan.slots, key.transpose(0, 1), value.transpose(0, 1))
        output = query.new_empty(query.shape[1], query.shape[0], value.shape[-1])
        n = self._plan.num_row_tokens
        if n:
            self._attend_rows(layer, query[:, :n], options, output[:n])
        for span in self._plan.spans:
            output[span.start : span.stop] = self._prefill(layer, query[:, span.start : span.stop], span, options)
        return output

    def _attend_rows(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        """query: (H, n, D); output: (n, H, D), written. Heads that share a key head take the place of query positions,
        so keys and values are not repeated."""
        rows = self._plan.rows
        keys, values = self._storage.gather(layer, rows.pages)
        grouped = query.transpose(0, 1).reshape(len(rows), keys.shape[1], -1, query.shape[-1])
        mask = rows.mask(options.window, query.dtype)
        output[:] = attend(grouped, keys, values, options, mask=mask).reshape(output.shape)

    def _prefill(self, layer: int, query: torch.Tensor, span: PrefillSpan, options: AttentionOptions) -> torch.Tensor:
        """query: (H, C, D) -> (C, H, D)."""
        keys, values = (one[:, :, : span.length] for one in self._storage.gather(layer, span.pages))
        is_causal = span.is_causal(options.window)
        mask = None if is_causal and options.softcap is None else span.mask(options.window, query.dtype)
        return attend(query[None], keys, values, options, mask=mask)[0].transpose(0, 1)


def attend(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, options: AttentionOptions, mask: torch.Tensor | None
) -> torch.Tensor:
    """Attention of (B, H, C, D) queries over (B, kv heads, L, D) keys and values -> (B, H, C, D of the values).

    mask: additive, broadcasts to (B, H, C, L); None is the causal square (C = L).
    """
    if options.softcap is not None:
        assert mask is not None
        return _attend_softcapped(query, keys, values, options.scaling, options.softcap, mask)
    return scaled_dot_product_attention(
        query,
        keys,
        values,
        attn_mask=mask,
        is_causal=mask is None,
        scale=options.scaling,
        enable_gqa=query.shape[1] != keys.shape[1],
    )


def _attend_softcapped(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, scaling: float, softcap: float, mask: torch.Tensor
) -> torch.Tensor:
    """The same with capped scores, which torch's own function does not have; the softmax is in float32."""
    batch, num_heads, num_queries, _ = query.shape
    grouped = query.reshape(batch, keys.shape[1], -1, query.shape[-1])  # heads of a group one after another
    scores = torch.tanh(grouped @ keys.transpose(-1, -2) * (scaling / softcap)) * softcap
    scores = scores.view(batch, keys.shape[1], -1, num_queries, keys.shape[2]) + mask.unsqueeze(-4)
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
    output = weights.flatten(2, 3) @ values
    return output.view(batch, num_heads, num_queries, -1)
