"""`KVStorage`: the keys and values of all layers, in pages, on the model's device."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

Float32Array = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
HALF_TYPES = frozenset({torch.float16, torch.bfloat16})


@dataclass(frozen=True)
class KVLayout:
    """The shape of one token's keys and values in every layer.

    key_dim, value_dim: sizes of a head of keys and of values; equal in most models.
    dtype: type of the stored keys and values, see `stored_dtype`.
    """

    num_layers: int
    num_kv_heads: int
    key_dim: int
    value_dim: int
    dtype: torch.dtype
    device: torch.device

    @property
    def bytes_per_position(self) -> int:
        """Bytes of one token's key and value in one layer."""
        return self.num_kv_heads * (self.key_dim + self.value_dim) * self.dtype.itemsize


def stored_dtype(model: Any) -> torch.dtype:
    """The type of a model's stored keys and values: its own, but float32 for half precision on a CPU.

    PERF: torch's attention in bfloat16 took a fifth of a step of SmolLM2 with 8 rows of 100 tokens; the kernel that
    reads float32 in place takes 1 %.
    """
    dtype: torch.dtype = model.dtype
    return torch.float32 if model.device.type == "cpu" and dtype in HALF_TYPES else dtype


class KVStorage:
    """Two tensors, `keys` and `values`, [layers, pages, page_size, kv_heads, head_dim].

    A token's slot is page * page_size + offset. Keys are stored after RoPE, as attention reads them. Slots without a
    token may contain anything, also infinities.
    """

    def __init__(self, layout: KVLayout, num_pages: int, page_size: int) -> None:
        self.layout = layout
        self.page_size = page_size
        shape = (layout.num_layers, num_pages, page_size, layout.num_kv_heads)
        # The memory is not set to zero, so that unused pages are never touched.
        self.keys = torch.empty(*shape, layout.key_dim, dtype=layout.dtype, device=layout.device)
        self.values = torch.empty(*shape, layout.value_dim, dtype=layout.dtype, device=layout.device)
        self._slot_keys = [layer.flatten(0, 1) for layer in self.keys]
        self._slot_values = [layer.flatten(0, 1) for layer in self.values]

    @cached_property
    def layer_arrays(self) -> list[tuple[Float32Array, Float32Array]]:
        """The same memory as numpy arrays: (keys, values) of each layer. Only for float32 on the CPU."""
        return [(keys.numpy(), values.numpy()) for keys, values in zip(self.keys, self.values, strict=True)]

    def write(self, layer: int, slots: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> None:
        """Store T tokens. slots: (T,) int64; keys, values: (T, kv_heads, head_dim)."""
        self._slot_keys[layer].index_copy_(0, slots, keys)
        self._slot_values[layer].index_copy_(0, slots, values)

    def gather(self, layer: int, pages: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies of keys and values. pages: (B, P) int64 -> two of (B, kv_heads, P * page_size, head_dim), strided."""
        flat = pages.flatten()
        gathered = (self.keys[layer].index_select(0, flat), self.values[layer].index_select(0, flat))
        keys, values = (one.view(len(pages), -1, *one.shape[2:]).transpose(1, 2) for one in gathered)
        return keys, values

    def copy_page(self, source: int, target: int) -> None:
        """Copy a page of all layers onto another."""
        self.keys[:, target] = self.keys[:, source]
        self.values[:, target] = self.values[:, source]
