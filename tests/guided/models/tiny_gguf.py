"""Tiny GGUF files of random models, written by the `gguf` package, beside the models that they are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import torch
from tokenizers import pre_tokenizers
from transformers import AutoConfig, AutoModelForCausalLM

from tests.guided.tiny_model import CHAT_TEMPLATE, MERGES, SPECIAL_TOKENS

KINDS = {name: kind for kind, name in gguf.MODEL_ARCH_NAMES.items()}
MODEL_TYPES = {"gemma3": "gemma3_text"}
CONTROL, NORMAL = gguf.TokenType.CONTROL, gguf.TokenType.NORMAL


def byte_level_tokenizer(pre: str = "smollm") -> dict[str, Any]:
    """Metadata of a byte-level BPE with a few merges; every value may be replaced."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokens = [*SPECIAL_TOKENS, *alphabet, *(left + right for left, right in MERGES)]
    return {
        "model": "gpt2",
        "pre": pre,
        "tokens": tokens,
        "token_type": [CONTROL if token in SPECIAL_TOKENS else NORMAL for token in tokens],
        "merges": [f"{left} {right}" for left, right in MERGES],
        "bos_token_id": 1,
        "eos_token_id": 2,
        "add_bos_token": False,
    }


def sentence_tokenizer() -> dict[str, Any]:
    """Metadata of a SentencePiece vocabulary with all bytes and a few pieces."""
    texts = ["\u2581", "t", "h", "e", "th", "\u2581th", "the"]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *texts]
    kinds = [gguf.TokenType.UNKNOWN, CONTROL, CONTROL, *[gguf.TokenType.BYTE] * 256, *[NORMAL] * len(texts)]
    return {
        "model": "llama",
        "tokens": tokens,
        "token_type": kinds,
        "scores": [float(-index) for index in range(len(tokens))],
        "bos_token_id": 1,
        "eos_token_id": 2,
        "unknown_token_id": 0,
        "add_bos_token": True,
        "add_space_prefix": False,
    }


def tiny_model(architecture: str, vocab_size: int, **fields: Any) -> Any:
    """A random model of an architecture of GGUF files, in float32. fields: of its config."""
    sizes: dict[str, Any] = {
        "vocab_size": vocab_size,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 8,
        "max_position_embeddings": 128,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "tie_word_embeddings": architecture.startswith("gemma"),
    }
    config = AutoConfig.for_model(MODEL_TYPES.get(architecture, architecture), **sizes | fields)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        model = AutoModelForCausalLM.from_config(config)
        for name, weight in model.named_parameters():
            if name.endswith("norm.weight"):
                torch.nn.init.normal_(weight, std=0.1)
    return model.eval()


def write_gguf(
    path: Path,
    architecture: str,
    model: Any,
    tokenizer: dict[str, Any],
    *,
    kind: gguf.GGMLQuantizationType = gguf.GGMLQuantizationType.F32,
    values: dict[str, Any] | None = None,
    tensors: dict[str, Any] | None = None,
) -> Path:
    """Write a model's file; returns its path.

    kind: how matrices are stored. values: further values of the architecture. tensors: further tensors.
    """
    config = model.config
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_string("tokenizer.chat_template", CHAT_TEMPLATE)
    for key, value in (model_values(config) | (values or {})).items():
        _add(writer, f"{architecture}.{key}", value)
    for key, value in tokenizer.items():
        _add(writer, f"tokenizer.ggml.{key}", value)
    for name, weight in {**_tensors(architecture, model), **(tensors or {})}.items():
        stored = weight.numpy()
        if kind != gguf.GGMLQuantizationType.F32 and weight.ndim == 2:
            writer.add_tensor(name, gguf.quants.quantize(stored, kind), raw_dtype=kind)
        else:
            writer.add_tensor(name, stored)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def model_values(config: Any) -> dict[str, Any]:
    """The values of the architecture that every file has."""
    return {
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads,
        "attention.head_count_kv": config.num_key_value_heads,
        "attention.key_length": config.head_dim,
        "attention.layer_norm_rms_epsilon": config.rms_norm_eps,
    }


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        (writer.add_uint32 if value >= 0 else writer.add_int32)(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, value)


def _tensors(architecture: str, model: Any) -> dict[str, torch.Tensor]:
    """The weights as llama.cpp stores them."""
    table = gguf.get_tensor_name_map(KINDS[architecture], model.config.num_hidden_layers)
    found = {}
    for name, weight in model.state_dict().items():
        if name == "lm_head.weight" and model.config.tie_word_embeddings:
            continue
        own = table.get_name(name, try_suffixes=(".weight", ".bias"))
        assert own is not None, name
        if architecture == "llama" and (".attn_q." in own or ".attn_k." in own):
            heads = model.config.num_attention_heads if ".attn_q." in own else model.config.num_key_value_heads
            weight = weight.reshape(heads, 2, -1, *weight.shape[1:]).swapaxes(1, 2).reshape(weight.shape)
        if architecture.startswith("gemma") and own.endswith("norm.weight"):
            weight = weight + 1
        found[own] = weight.contiguous()
    return found
