"""`model_config`: the `transformers` config of a GGUF file's model.

Only architectures in `ARCHITECTURES` are read. A value of the file that this module does not know might change what the
model computes, so such a file is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import ModelNotFoundError, UnsupportedModelError
from .gguf_header import Header, StoredTensor

ROPE_FACTORS = "rope_freqs.weight"
"""The tensor that divides the frequencies of rotary positions, in files of Llama 3.1 and later."""

_FIELDS = {
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "block_count": "num_hidden_layers",
    "feed_forward_length": "intermediate_size",
    "attention.head_count": "num_attention_heads",
    "attention.layer_norm_rms_epsilon": "rms_norm_eps",
}
"""Values that every file must have -> fields of the config."""
_READ_HERE = {
    *("attention.head_count_kv", "attention.key_length", "attention.value_length"),
    *("rope.dimension_count", "rope.freq_base", "rope.scaling.type", "rope.scaling.factor"),
}
_WITHOUT_EFFECT = {"vocab_size", "rope.scaling.finetuned", "rope.scaling.original_context_length"}
_ONLY_ZERO = {"expert_count", "expert_used_count"}


@dataclass(frozen=True)
class Architecture:
    """How one architecture's files are read.

    model_type: its name in `transformers`.
    fields: further values of a file -> fields of the config.
    has_permuted_heads: the rows of query and key weights are in another order than in `transformers`.
    norm_offset: number that the file adds to each norm weight; subtracted here.
    local_rope_base: base of rotary positions in layers with a sliding window; None: all layers have the same.
    scores_by_width: the model size (number of layers) that scales attention by hidden size / heads; other sizes by the
        head size.
    """

    model_type: str
    fields: Mapping[str, str] = field(default_factory=dict)
    has_permuted_heads: bool = False
    norm_offset: float = 0.0
    local_rope_base: float | None = None
    scores_by_width: int | None = None


_SLIDING_WINDOW = {"attention.sliding_window": "sliding_window"}
_SOFTCAPS = {
    "attn_logit_softcapping": "attn_logit_softcapping",
    "final_logit_softcapping": "final_logit_softcapping",
}
ARCHITECTURES: Mapping[str, Architecture] = {
    "llama": Architecture("llama", has_permuted_heads=True),
    "qwen2": Architecture("qwen2"),
    "qwen3": Architecture("qwen3"),
    "gemma2": Architecture("gemma2", _SLIDING_WINDOW | _SOFTCAPS, norm_offset=1.0, scores_by_width=46),
    "gemma3": Architecture(
        "gemma3_text",
        _SLIDING_WINDOW | _SOFTCAPS,
        norm_offset=1.0,
        local_rope_base=10_000.0,
        scores_by_width=62,
    ),
}
"""Names in GGUF files. Each has a test that compares logits with those of the model that the file was made of."""


def architecture_of(header: Header) -> Architecture:
    """The architecture of a file. Raises UnsupportedModelError if it is not in `ARCHITECTURES`."""
    known = ARCHITECTURES.get(header.architecture)
    if known is None:
        raise UnsupportedModelError(
            f"{str(header.path)!r}: GGUF files of architecture {header.architecture!r} are not supported; "
            f"supported: {', '.join(sorted(ARCHITECTURES))}; give a folder or hub name of the model instead"
        )
    return known


def model_config(header: Header, rope_factors: Any) -> Any:
    """The `transformers` config of the model.

    rope_factors: the numbers of the tensor `ROPE_FACTORS`, a list; None if the file has no such tensor.
    The file's tokenizer must have been checked. Raises UnsupportedModelError for an unsupported setting,
    ModelNotFoundError for a file that lacks values.
    """
    architecture = architecture_of(header)
    _check_keys(header, architecture)
    values = {name: _required(header, key) for key, name in _FIELDS.items()}
    values |= {name: header.value(key) for key, name in architecture.fields.items() if header.value(key) is not None}
    heads = values["num_attention_heads"]
    head_dim = header.value("attention.key_length", values["hidden_size"] // heads)
    for key in ("attention.value_length", "rope.dimension_count"):
        if header.value(key, head_dim) != head_dim:
            raise _unsupported(header, key, f"only the size of a head, {head_dim}, is supported")
    values |= {"head_dim": head_dim, "num_key_value_heads": header.value("attention.head_count_kv", heads)}
    if architecture.scores_by_width is not None:
        is_wide = values["num_hidden_layers"] == architecture.scores_by_width
        values["query_pre_attn_scalar"] = values["hidden_size"] // heads if is_wide else head_dim
    values["vocab_size"] = len(header.metadata["tokenizer.ggml.tokens"])
    _check_sizes(header, values)
    values["tie_word_embeddings"] = "output.weight" not in header.tensors
    for name in ("bos", "eos", "padding"):
        field_name = f"{'pad' if name == 'padding' else name}_token_id"
        values[field_name] = header.metadata.get(f"tokenizer.ggml.{name}_token_id")
    return _with_positions(header, architecture, values, rope_factors)


def _check_sizes(header: Header, values: Mapping[str, Any]) -> None:
    """Raise ModelNotFoundError for sizes that are not those of the tensors, before a model of these sizes is built."""
    width, head_dim = values["hidden_size"], values["head_dim"]
    shapes = {
        "token_embd.weight": (values["vocab_size"], width),
        "blk.0.attn_q.weight": (values["num_attention_heads"] * head_dim, width),
        "blk.0.attn_k.weight": (values["num_key_value_heads"] * head_dim, width),
        "blk.0.ffn_up.weight": (values["intermediate_size"], width),
    }
    for name, shape in shapes.items():
        found = header.tensors.get(name)
        if found is not None and found.shape != shape:
            raise wrong_shape(header, found, shape)
    for name in (*shapes, f"blk.{values['num_hidden_layers'] - 1}.attn_q.weight"):
        if name not in header.tensors:
            raise ModelNotFoundError(f"{str(header.path)!r} is incomplete: it has no tensor {name!r}; fetch it again")


def wrong_shape(header: Header, tensor: StoredTensor, shape: Sequence[int]) -> ModelNotFoundError:
    """The error for a tensor with another shape than the model needs."""
    return ModelNotFoundError(
        f"{str(header.path)!r} is damaged: tensor {tensor.name!r} has the shape {list(tensor.shape)}, "
        f"not {list(shape)}; fetch it again"
    )


def _with_positions(header: Header, architecture: Architecture, values: dict[str, Any], rope_factors: Any) -> Any:
    """The config with its rotary positions."""
    from transformers import AutoConfig

    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": header.value("rope.freq_base", 10_000.0)}
    scaling = header.value("rope.scaling.type", "none")
    if scaling == "linear":
        rope |= {"rope_type": "linear", "factor": header.value("rope.scaling.factor", 1.0)}
    elif scaling != "none":
        raise _unsupported(header, "rope.scaling.type", "only none and linear are supported")
    if rope_factors is not None:
        rope |= _llama3_rope(header, rope, rope_factors, values["head_dim"])
    if architecture.local_rope_base is None:
        values["rope_parameters"] = rope
    else:
        local = {"rope_type": "default", "rope_theta": architecture.local_rope_base}
        values["rope_parameters"] = {"full_attention": rope, "sliding_attention": local}
    config: Any = AutoConfig.for_model(architecture.model_type, **values)
    config.architectures = [_class_name(config)]
    return config


def _llama3_rope(header: Header, rope: Mapping[str, Any], factors: Any, head_dim: int) -> dict[str, Any]:
    """The parameters of Llama 3.1's positions that give a file's factors. Raises UnsupportedModelError for others."""
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    parameters = {
        "rope_type": "llama3",
        "factor": max(factors),
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    config = LlamaConfig(
        head_dim=head_dim, max_position_embeddings=131_072, rope_parameters={**rope, **parameters}
    )  # transformers only checks that the length exceeds the original one
    frequencies = ROPE_INIT_FUNCTIONS["llama3"](config, "cpu")[0].tolist()
    plain = [rope["rope_theta"] ** (-2 * index / head_dim) for index in range(head_dim // 2)]
    expected = [base / frequency for base, frequency in zip(plain, frequencies, strict=True)]
    is_same = len(expected) == len(factors) and all(
        abs(one - other) <= 1e-3 * other for one, other in zip(factors, expected, strict=True)
    )
    if not is_same:
        raise UnsupportedModelError(
            f"{str(header.path)!r}: the factors of {ROPE_FACTORS} are not those of Llama 3; "
            "give a folder or hub name of the model instead"
        )
    return parameters


def _class_name(config: Any) -> str:
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING

    model_class: Any = MODEL_FOR_CAUSAL_LM_MAPPING[type(config)]
    return str(model_class.__name__)


def _check_keys(header: Header, architecture: Architecture) -> None:
    known = _FIELDS.keys() | architecture.fields.keys() | _READ_HERE | _WITHOUT_EFFECT | _ONLY_ZERO
    prefix = header.architecture + "."
    for key in (key.removeprefix(prefix) for key in header.metadata if key.startswith(prefix)):
        if key not in known or (key in _ONLY_ZERO and header.value(key) != 0):
            raise _unsupported(header, key, "it may change what the model computes")


def _required(header: Header, key: str) -> Any:
    value = header.value(key)
    if value is None:
        raise ModelNotFoundError(
            f"{str(header.path)!r} is damaged: it has no {header.architecture}.{key}; fetch it again"
        )
    return value


def _unsupported(header: Header, key: str, reason: str) -> UnsupportedModelError:
    return UnsupportedModelError(
        f"{str(header.path)!r}: {header.architecture}.{key} = {header.value(key)!r} is not supported: {reason}"
    )
