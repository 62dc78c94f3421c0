"""A Llama, run with torch alone: the embedded model's network, and that of other Llamas in our engine.

`transformers` runs the same files with the same logits. Importing its models takes longer than everything else before a
first answer, so the packaged model has its own network. The network's steps also take fewer calls of torch, which are
most of a small model's step: see `docs/speed.md`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import torch
from torch import nn
from torch.nn import functional

Weights = Mapping[str, torch.Tensor]
AttentionFunction = Callable[..., tuple[torch.Tensor, None]]
# rotations of a position's angle in the original context, between which YaRN interpolates
SLOWEST_TURNS, FASTEST_TURNS = 1, 32
OUTPUT_WEIGHT = "lm_head.weight"
FIXED_SETTINGS = {
    "model_type": "llama",
    "hidden_act": "silu",
    "attention_bias": False,
    "mlp_bias": False,
    "pretraining_tp": 1,
}
ROPE_SETTINGS = {
    "default": frozenset({"rope_type", "rope_theta"}),
    "yarn": frozenset({"rope_type", "rope_theta", "factor", "original_max_position_embeddings"}),
}
"""The settings of each supported kind of position embeddings."""


@dataclass(frozen=True)
class Config:
    """The network's settings in `config.json`, with the names used there."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    rms_norm_eps: float
    max_position_embeddings: int
    rope_parameters: dict[str, Any]
    is_encoder_decoder: bool = False

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the config from a file. Raises ValueError for settings that this network does not implement."""
        settings = json.loads(path.read_text(encoding="utf-8"))
        other = unsupported_setting(settings)
        if other is not None:
            raise ValueError(f"{path}: {other} is {settings.get(other)!r}, which the embedded model's network can't do")
        return cls.of(settings)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """The config of settings that this network implements."""
        return cls(**{name: settings[name] for name in cls.__dataclass_fields__ if name in settings})

    def get_text_config(self) -> Self:
        """The config itself, as for every text-only model."""
        return self


def unsupported_setting(settings: Mapping[str, Any]) -> str | None:
    """The name of a setting in a config.json that this network does not implement; None if it implements all."""
    for name, value in FIXED_SETTINGS.items():
        if settings.get(name) != value:
            return name
    rope = settings.get("rope_parameters")
    if not isinstance(rope, Mapping) or frozenset(rope) != ROPE_SETTINGS.get(str(rope.get("rope_type"))):
        return "rope_parameters"
    numbers = [value for name, value in rope.items() if name != "rope_type"]
    return None if all(isinstance(value, int | float) for value in numbers) else "rope_parameters"


def has_weights(config: Config, weights: Weights) -> bool:
    """True if the weights are those of such a model: all are there, with the right shapes, and no others.
    `OUTPUT_WEIGHT` may be absent.
    """
    shapes = {OUTPUT_WEIGHT: (config.vocab_size, config.hidden_size)} | _weight_shapes(config)
    found = {name: tuple(weight.shape) for name, weight in weights.items()}
    return {OUTPUT_WEIGHT: shapes[OUTPUT_WEIGHT]} | found == shapes


def _weight_shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """The shapes of all weights of such a model, by name, without that of an output layer of its own."""
    size, inner = config.hidden_size, config.intermediate_size
    queries, keys = (num * config.head_dim for num in (config.num_attention_heads, config.num_key_value_heads))
    parts: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj": (queries, size),
        "self_attn.k_proj": (keys, size),
        "self_attn.v_proj": (keys, size),
        "self_attn.o_proj": (size, queries),
        "mlp.gate_proj": (inner, size),
        "mlp.up_proj": (inner, size),
        "mlp.down_proj": (size, inner),
        "input_layernorm": (size,),
        "post_attention_layernorm": (size,),
    }
    shapes = {
        f"layers.{index}.{part}": shape for index in range(config.num_hidden_layers) for part, shape in parts.items()
    }
    shapes |= {"embed_tokens": (config.vocab_size, size), "norm": (size,)}
    return {f"model.{name}.weight": shape for name, shape in shapes.items()}


class LlamaNetwork(nn.Module):
    """Maps token ids to logits. The class has the attributes of a `transformers` model that the engine uses.

    config: the network's sizes.
    weights: content of model.safetensors. Without `OUTPUT_WEIGHT` the output layer has the weights of the input tokens.
    eos_token_ids: ids of the tokens that end a text.
    """

    _frequencies: torch.Tensor

    def __init__(self, config: Config, weights: Weights, eos_token_ids: list[int] | None) -> None:
        super().__init__()
        self.config = config
        self.generation_config = SimpleNamespace(eos_token_id=eos_token_ids)
        self.name_or_path = "embedded"
        self.tokens = _parameter(weights, "model.embed_tokens")
        self.layers = nn.ModuleList(Layer(config, weights, index) for index in range(config.num_hidden_layers))
        self.norm = _parameter(weights, "model.norm")
        self.output = linear(weights.get(OUTPUT_WEIGHT, self.tokens))
        frequencies, self._length = rotation(config)
        self.register_buffer("_frequencies", frequencies, persistent=False)
        self.set_attention(causal_attention)

    @property
    def device(self) -> torch.device:
        """Device of the weights."""
        return self.tokens.device

    @property
    def dtype(self) -> torch.dtype:
        """Type of the weights."""
        return self.tokens.dtype

    def num_parameters(self) -> int:
        """Number of trained parameters."""
        return sum(parameter.numel() for parameter in self.parameters())

    def get_output_embeddings(self) -> nn.Module:
        """The output layer."""
        return self.output

    def set_attention(self, function: AttentionFunction) -> None:
        """Set the attention function of all layers; it has the signature of `causal_attention`."""
        for layer in self.layers:
            assert isinstance(layer, Layer)
            layer.attention.function = function

    def forward(
        self,
        input_ids: torch.Tensor,
        position_ids: torch.Tensor | None = None,
        use_cache: bool = False,
        logits_to_keep: int | torch.Tensor = 0,
    ) -> SimpleNamespace:
        """Compute logits.

        input_ids, position_ids: (B, T), integers. None for positions: 0 to T - 1.
        use_cache: must be False, since the network keeps no keys and values itself.
        logits_to_keep: indices into T whose logits are wanted; 0: all.
        """
        assert not use_cache
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        hidden = functional.embedding(input_ids, self.tokens)
        angles = position_ids[..., None].float() * self._frequencies
        turned = torch.cat((angles, angles), dim=-1)[:, None]
        cos, sin = ((part * self._length).to(hidden.dtype) for part in (turned.cos(), turned.sin()))
        for layer in self.layers:
            hidden = layer(hidden, cos, sin)
        if isinstance(logits_to_keep, torch.Tensor):
            hidden = hidden[:, logits_to_keep]
        return SimpleNamespace(logits=self.output(_normed(hidden, self.norm, self.config)))


class Layer(nn.Module):
    """A layer: attention, then a gated feed-forward network. Each adds its result to its input."""

    def __init__(self, config: Config, weights: Weights, index: int) -> None:
        super().__init__()
        self._config = config
        name = f"model.layers.{index}"
        self.attention = Attention(config, weights, index)
        self.input_norm = _parameter(weights, f"{name}.input_layernorm")
        self.inner_norm = _parameter(weights, f"{name}.post_attention_layernorm")
        self.gate, self.up, self.down = (
            linear(weights[f"{name}.mlp.{part}_proj.weight"]) for part in ("gate", "up", "down")
        )

    def forward(self, hidden: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """Run the layer. hidden: (B, T, size); cos, sin: (B, 1, T, head)."""
        hidden = hidden + self.attention(_normed(hidden, self.input_norm, self._config), cos, sin)
        inner = _normed(hidden, self.inner_norm, self._config)
        gated = functional.silu(self.gate(inner)) * self.up(inner)
        down: torch.Tensor = self.down(gated)
        return hidden + down


class Attention(nn.Module):
    """Computes a layer's queries, keys and values, rotates them by position, and calls the attention function."""

    function: AttentionFunction

    def __init__(self, config: Config, weights: Weights, index: int) -> None:
        super().__init__()
        self.layer_idx = index
        self.head_size = config.head_dim
        self.query, self.key, self.value, self.output = (
            linear(weights[f"model.layers.{index}.self_attn.{part}_proj.weight"]) for part in "qkvo"
        )

    def forward(self, hidden: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
        """Run attention. hidden: (B, T, size); cos, sin: (B, 1, T, head)."""
        shape = (*hidden.shape[:2], -1, self.head_size)
        query, key, value = (layer(hidden).view(shape).transpose(1, 2) for layer in (self.query, self.key, self.value))
        query, key = (part * cos + _quarter_turn(part) * sin for part in (query, key))
        attended, _ = self.function(self, query, key, value, None, scaling=self.head_size**-0.5)
        output: torch.Tensor = self.output(attended.reshape(*hidden.shape[:2], -1))
        return output


def causal_attention(
    module: nn.Module, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, mask: None, *, scaling: float
) -> tuple[torch.Tensor, None]:
    """Causal attention: each token sees itself and the tokens before it.

    query, key, value: (B, heads, T, head). Returns (B, T, heads, head) and None.
    """
    attended = functional.scaled_dot_product_attention(
        query, key, value, is_causal=True, scale=scaling, enable_gqa=query.shape[1] != key.shape[1]
    )
    return attended.transpose(1, 2), None


def rotation(config: Config) -> tuple[torch.Tensor, float]:
    """The rotation of each pair of a head's numbers by one position, in radians, and the factor for the rotated
    vectors.

    The formulas are those of RoPE and, if the context was extended after training, of YaRN.
    """
    rope, size = config.rope_parameters, config.head_dim
    powers = rope["rope_theta"] ** (torch.arange(0, size, 2, dtype=torch.float32) / size)
    if rope["rope_type"] == "default":
        return 1.0 / powers, 1.0
    context, factor = rope["original_max_position_embeddings"], rope["factor"]

    def pair_of(turns: float) -> float:
        """Index of the pair of numbers that makes this many full rotations in the original context."""
        return size * math.log(context / (turns * 2 * math.pi)) / (2 * math.log(rope["rope_theta"]))

    first = max(math.floor(pair_of(FASTEST_TURNS)), 0)
    last = min(math.ceil(pair_of(SLOWEST_TURNS)), size - 1)
    slowed = ((torch.arange(size // 2, dtype=torch.float32) - first) / max(last - first, 0.001)).clamp(0, 1)
    return slowed / (factor * powers) + (1 - slowed) / powers, 0.1 * math.log(factor) + 1.0


def _quarter_turn(pairs: torch.Tensor) -> torch.Tensor:
    """Rotate pairs by a quarter turn: (x, y) -> (-y, x), where the first half of the vector holds all x."""
    first, second = pairs.chunk(2, dim=-1)
    return torch.cat((-second, first), dim=-1)


def _normed(hidden: torch.Tensor, weight: torch.Tensor, config: Config) -> torch.Tensor:
    return functional.rms_norm(hidden, weight.shape, weight, config.rms_norm_eps)


def linear(weight: torch.Tensor) -> nn.Linear:
    """A linear layer with a weight. torch would first fill the layer with random numbers, were it not on "meta"."""
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False, device="meta")
    layer.weight = weight if isinstance(weight, nn.Parameter) else nn.Parameter(weight, requires_grad=False)
    return layer


def _parameter(weights: Weights, name: str) -> nn.Parameter:
    """A parameter from a file's weights."""
    return nn.Parameter(weights[f"{name}.weight"], requires_grad=False)
