"""`TorchPass`: a packed forward in plain torch on copies of the pages, on any device: the reference for the others."""

from __future__ import annotations

import torch
from torch.nn.functional import scaled_dot_product_attention

from .attention import AttentionOptions
from .plan import ChunkGroup, ForwardPlan
from .storage import KVStorage

CACHED_BYTES = 2 << 20
"""Maximum bytes of keys and values that a CPU copies for one call, unless one sequence has more. PERF: the cache holds
this much. 32 rows of 500 tokens take 38 ms in pieces of 1 or 2 MiB, 57 ms in pieces of 4 MiB, 90 ms in pieces of 32 MiB
and more (embedded model, one core).
"""
GATHERED_BYTES = 256 << 20
"""Like CACHED_BYTES, for devices other than a CPU."""


class TorchPass:
    """One packed forward: writes new keys and values to their slots, then attends to copies of the sequences' pages."""

    def __init__(self, plan: ForwardPlan, storage: KVStorage) -> None:
        self._plan = plan
        self._storage = storage

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
    ) -> torch.Tensor:
        """See `PagedPass.attend`."""
        model_dtype, dtype = query.dtype, self._storage.layout.dtype
        query, key, value = query.to(dtype), key.to(dtype), value.to(dtype)
        self._storage.write(layer, self._plan.slots, key.transpose(0, 1), value.transpose(0, 1))
        output = query.new_empty(query.shape[1], query.shape[0], value.shape[-1])
        self._attend(layer, query, options, output)
        return output.to(model_dtype)

    def _attend(self, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor) -> None:
        """Write the (T, H, D) output from the (H, T, D) query and the stored keys and values."""
        self._attend_groups(0, layer, query, options, output)

    def _attend_groups(
        self, begin: int, layer: int, query: torch.Tensor, options: AttentionOptions, output: torch.Tensor
    ) -> None:
        """Like `_attend`, for the chunks from index `begin` on."""
        is_cpu = query.device.type == "cpu"
        most = (CACHED_BYTES if is_cpu else GATHERED_BYTES) // self._storage.layout.bytes_per_position
        for group in self._plan.groups(begin, most):
            keys, values = self._gather(layer, group)
            needs_mask = options.softcap is not None or not group.is_causal(options.window)
            mask = group.mask(options.window, query.dtype) if needs_mask else None
            queries = query[:, group.tokens].view(len(query), group.num_chunks, -1, query.shape[2]).transpose(0, 1)
            attended = attend(queries, keys, values, options, mask)
            output[group.tokens] = attended.transpose(1, 2).flatten(0, 1)

    def _gather(self, layer: int, group: ChunkGroup) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies of keys and values, (B, kv heads, L, D). Positions beyond a sequence are 0: sums include them."""
        keys, values = (one[:, :, : group.length] for one in self._storage.gather(layer, group.pages))
        beyond = group.beyond()
        if beyond is not None:
            for one in (keys, values):
                one.masked_fill_(beyond[:, None, :, None], 0.0)
        return keys, values


def attend(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, options: AttentionOptions, mask: torch.Tensor | None
) -> torch.Tensor:
    """Attention of (B, H, C, D) queries over (B, kv heads, L, D) keys and values -> (B, H, C, D of the values).

    mask: additive, broadcasts to (B, H, C, L); None is the causal square (C = L).
    PERF: for single tokens, the heads that share a key head become positions, so keys and values are not repeated.
    """
    shape = query.shape
    if shape[2] == 1:
        query = query.reshape(len(query), keys.shape[1], -1, shape[3])
    if options.softcap is not None:
        assert mask is not None
        output = _attend_softcapped(query, keys, values, options.scaling, options.softcap, mask)
    else:
        output = scaled_dot_product_attention(
            query,
            keys,
            values,
            attn_mask=mask,
            is_causal=mask is None,
            scale=options.scaling,
            enable_gqa=query.shape[1] != keys.shape[1],
        )
    return output.reshape(*shape[:3], -1)


def _attend_softcapped(
    query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor, scaling: float, softcap: float, mask: torch.Tensor
) -> torch.Tensor:
    """Like `attend`, with capped scores, which torch's own function lacks. The softmax is in float32."""
    batch, num_heads, num_queries, _ = query.shape
    grouped = query.reshape(batch, keys.shape[1], -1, query.shape[-1])  # heads of a group one after another
    scores = torch.tanh(grouped @ keys.transpose(-1, -2) * (scaling / softcap)) * softcap
    scores = scores.view(batch, keys.shape[1], -1, num_queries, keys.shape[2]) + mask.unsqueeze(-4)
    weights = torch.softmax(scores, dim=-1, dtype=torch.float32).to(query.dtype)
    output = weights.flatten(2, 3) @ values
    return output.view(batch, num_heads, num_queries, -1)
