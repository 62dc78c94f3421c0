"""`write_weights`: a GGUF file's tensors as safetensors files, with the names and shapes of `transformers`.

Tensors are read and dequantised one at a time; a file takes `SHARD_BYTES` of memory before it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch

from guided.grammars.extras import require

from ..errors import ModelNotFoundError, UnsupportedModelError
from .gguf_config import ROPE_FACTORS, Architecture, architecture_of, wrong_shape
from .gguf_header import Header, StoredTensor, reading

SHARD_BYTES = 2 << 30
"""Most bytes of weights in one file."""


def write_weights(
    header: Header, config: Any, folder: Path, dtype: torch.dtype, advance: Callable[[int], None]
) -> None:
    """Write the weights of a model into a folder.

    config: the model's `transformers` config.
    advance: called with the number of bytes of each tensor that is done.
    Raises UnsupportedModelError for tensors that the model does not have, ModelNotFoundError for missing ones.
    """
    from safetensors.torch import save_file

    names = _names(header, config)
    shards: list[list[str]] = []
    for tensors in _shards(_weights(header, config, names, dtype, advance)):
        save_file(tensors, folder / _shard_name(len(shards)), metadata={"format": "pt"})
        shards.append(list(tensors))
    if len(shards) == 1:
        (folder / _shard_name(0)).rename(folder / "model.safetensors")
        return
    places = {name: _shard_name(index) for index, held in enumerate(shards) for name in held}
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")


def read_tensor(header: Header, tensor: StoredTensor) -> torch.Tensor:
    """A tensor of the file, float32. Raises UnsupportedModelError for a storage type without a decoder."""
    gguf = require("gguf", "a GGUF file")
    block, block_bytes = gguf.constants.GGML_QUANT_SIZES[tensor.kind]
    kind = gguf.GGMLQuantizationType(tensor.kind)
    with reading(header.path):
        stored = np.fromfile(header.path, np.uint8, tensor.num_bytes, offset=tensor.start)
        rows = stored.reshape(*tensor.shape[:-1], tensor.shape[-1] // block * block_bytes)
    try:
        values = gguf.quants.dequantize(rows, kind)
    except NotImplementedError as error:
        raise UnsupportedModelError(
            f"{str(header.path)!r}: tensor {tensor.name!r} is stored as {kind.name}, which can't be read"
        ) from error
    return torch.from_numpy(np.ascontiguousarray(values, np.float32)).reshape(tensor.shape)


def _shard_name(index: int) -> str:
    return f"model-{index + 1:05}.safetensors"


def _shards(weights: Iterator[tuple[str, torch.Tensor]]) -> Iterator[dict[str, torch.Tensor]]:
    tensors: dict[str, torch.Tensor] = {}
    num_bytes = 0
    for name, weight in weights:
        if tensors and num_bytes + weight.nbytes > SHARD_BYTES:
            yield tensors
            tensors, num_bytes = {}, 0
        tensors[name] = weight
        num_bytes += weight.nbytes
    yield tensors


def _weights(
    header: Header, config: Any, names: Mapping[str, str], dtype: torch.dtype, advance: Callable[[int], None]
) -> Iterator[tuple[str, torch.Tensor]]:
    """(name in `transformers`, weight) of each tensor. names: names in the file -> names in `transformers`."""
    architecture = architecture_of(header)
    for name, tensor in header.tensors.items():
        if name in names:
            weight = _as_in_transformers(read_tensor(header, tensor), name, config, architecture)
            yield names[name], weight.to(dtype).contiguous()
        advance(tensor.num_bytes)


def _as_in_transformers(weight: torch.Tensor, name: str, config: Any, architecture: Architecture) -> torch.Tensor:
    if name.endswith("norm.weight") and architecture.norm_offset:
        return weight - architecture.norm_offset
    if architecture.has_permuted_heads and (".attn_q." in name or ".attn_k." in name):
        num_heads = config.num_attention_heads if ".attn_q." in name else config.num_key_value_heads
        # The file has the two halves of a head that rotate together side by side.
        pairs = weight.reshape(num_heads, -1, 2, *weight.shape[1:])
        return pairs.transpose(1, 2).reshape(weight.shape)
    return weight


def _names(header: Header, config: Any) -> dict[str, str]:
    """The file's names of all tensors that the model needs -> their names in `transformers`."""
    from transformers import AutoModelForCausalLM

    gguf = require("gguf", "a GGUF file")
    kinds = {name: kind for kind, name in gguf.MODEL_ARCH_NAMES.items()}
    table = gguf.get_tensor_name_map(kinds[header.architecture], config.num_hidden_layers)
    with torch.device("meta"):
        model: Any = AutoModelForCausalLM.from_config(config)  # type: ignore[no-untyped-call]
    names: dict[str, str] = {}
    for name, weight in model.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        own = table.get_name(name, try_suffixes=(".weight", ".bias"))
        tensor = header.tensors.get(own)
        if tensor is None:
            raise ModelNotFoundError(f"{str(header.path)!r} is incomplete: it has no tensor for {name}; fetch it again")
        if tensor.shape != tuple(weight.shape):
            raise wrong_shape(header, tensor, weight.shape)
        names[own] = name
    others = [name for name in header.tensors if name not in names and name != ROPE_FACTORS]
    if others:
        raise UnsupportedModelError(
            f"{str(header.path)!r} has tensors that {type(model).__name__} does not have: {others[0]} "
            f"({len(others)} in all); give a folder or hub name of the model instead"
        )
    return names
