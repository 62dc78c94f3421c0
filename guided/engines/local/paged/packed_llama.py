"""`PackedLlama`: a Llama on a CPU with packed weights, and one kernel for all that stands between two of its products.

PERF: `LlamaNetwork` calls torch about 65 times a layer, this a third of that. Such calls took half of the time of a
step of SmolLM2 135M with 8 rows in bfloat16; see `add_norm_rows`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ....embedded.network import Layer, LlamaNetwork, rotation
from ....kernels.rows import run_rows
from .attention import AttentionOptions, attend_layer
from .llama_kernels import add_norm_rows, gate_rows, rotate_rows
from .packed_weights import PackedLinear

Float32Array = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class PackedLlama(nn.Module):
    """Like the network that it is made of, for paged attention alone. Hidden states are float32 between products.

    network: on a CPU, with weights of one of `packed_types`.
    """

    def __init__(self, network: LlamaNetwork) -> None:
        super().__init__()
        config = network.config
        self.config, self.dtype, self.device = config, network.dtype, network.device
        self.layers = [_PackedLayer(layer, index) for index, layer in enumerate(network.layers)]
        self.output = PackedLinear(network.output.weight)
        self._tokens = network.tokens.detach()
        self._norm = _floats(network.norm)
        self._frequencies, self._length = rotation(config)

    def get_output_embeddings(self) -> nn.Module:
        """The output layer."""
        return self.output

    def forward(
        self, input_ids: torch.Tensor, position_ids: torch.Tensor, use_cache: bool, logits_to_keep: torch.Tensor
    ) -> SimpleNamespace:
        """Compute logits, see `LlamaNetwork.forward`. input_ids, position_ids: (1, T)."""
        assert not use_cache
        hidden = functional.embedding(input_ids[0], self._tokens).float()
        angles = position_ids[0, :, None] * self._frequencies
        room = _Room(self, len(hidden), (angles.cos() * self._length).numpy(), (angles.sin() * self._length).numpy())
        rows, added = hidden.numpy(), np.zeros(hidden.shape, np.float32)
        for layer in self.layers:
            added = layer.run(rows, added, room)
        normed = room.normed(rows, added, self._norm)[logits_to_keep]
        return SimpleNamespace(logits=self.output(normed)[None])


class _Room:
    """Arrays for T tokens that all layers of a forward write to.

    cos, sin: (T, D / 2), of the rotations.
    """

    def __init__(self, network: PackedLlama, num_tokens: int, cos: Float32Array, sin: Float32Array) -> None:
        config = network.config
        self.config, self.dtype, self.cos, self.sin = config, network.dtype, cos, sin
        self._normed = torch.empty(num_tokens, config.hidden_size)
        self._gated = torch.empty(num_tokens, config.intermediate_size)
        heads = (config.num_attention_heads, config.num_key_value_heads, config.num_key_value_heads)
        self.heads = [torch.empty(num_tokens, number, config.head_dim) for number in heads]
        self._arrays = self._normed.numpy(), self._gated.numpy()
        self._head_arrays = [one.numpy() for one in self.heads]

    def normed(self, rows: Float32Array, added: Float32Array, weight: Float32Array) -> torch.Tensor:
        """Add to the hidden states; their norms."""
        output = self._arrays[0]
        eps = np.float32(self.config.rms_norm_eps)
        _run(partial(add_norm_rows, rows, added, weight, eps, output), rows)
        return self._normed.to(self.dtype)

    def rotate(self, projected: Float32Array) -> None:
        """Fill `heads` with queries, keys and values."""
        _run(partial(rotate_rows, projected, self.cos, self.sin, *self._head_arrays), projected)

    def gated(self, both: Float32Array) -> torch.Tensor:
        """The gated feed-forward values."""
        _run(partial(gate_rows, both, self._arrays[1]), both)
        return self._gated.to(self.dtype)


class _PackedLayer:
    """A layer: attention, then a gated feed-forward network."""

    def __init__(self, layer: nn.Module, index: int) -> None:
        assert isinstance(layer, Layer)
        attention = layer.attention
        self._index = index
        self._options = AttentionOptions(attention.head_size**-0.5, None, None)
        self._projections = PackedLinear(_joined(attention.query, attention.key, attention.value))
        self._output = PackedLinear(attention.output.weight)
        self._gate_up = PackedLinear(_joined(layer.gate, layer.up))
        self._down = PackedLinear(layer.down.weight)
        self._norms = _floats(layer.input_norm), _floats(layer.inner_norm)

    def run(self, rows: Float32Array, added: Float32Array, room: _Room) -> Float32Array:
        """Add `added` and the result of attention to the hidden states. Returns what the next layer must add."""
        room.rotate(_array(self._projections(room.normed(rows, added, self._norms[0]))))
        query, key, value = (one.transpose(0, 1) for one in room.heads)
        attended = attend_layer(self._index, query, key, value, self._options).flatten(1).to(room.dtype)
        added = _array(self._output(attended))
        inner = room.normed(rows, added, self._norms[1])
        return _array(self._down(room.gated(_array(self._gate_up(inner)))))


def _run(kernel: Callable[[int, int], None], rows: Float32Array) -> None:
    run_rows(kernel, *rows.shape)


def _joined(*layers: nn.Linear) -> torch.Tensor:
    """The weights of layers with the same inputs, as one."""
    return torch.cat([layer.weight for layer in layers])


def _floats(weight: torch.Tensor) -> Float32Array:
    return weight.detach().float().numpy()


def _array(rows: torch.Tensor) -> Float32Array:
    return rows.float().numpy()
