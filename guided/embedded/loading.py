"""Loads the packaged model: its network, its tokenizer and its config."""

from __future__ import annotations

import json

import torch
from safetensors.torch import load_file

from .chat_tokenizer import ChatTokenizer
from .files import PACKED_WEIGHTS, package_folder
from .int8 import dequantized
from .network import Config, LlamaNetwork


def load_network(dtype: torch.dtype | None = None) -> LlamaNetwork:
    """The network with its weights, on the CPU. dtype: type of the weights; None: float16, as in the standard files."""
    weights = dequantized(load_file(package_folder() / PACKED_WEIGHTS))
    if dtype is not None:
        weights = {name: weight.to(dtype) for name, weight in weights.items()}
    return LlamaNetwork(load_config(), weights, load_eos_token_ids()).eval()


def load_eos_token_ids() -> list[int]:
    """The ids of the tokens that end a text, from generation_config.json."""
    named = json.loads((package_folder() / "generation_config.json").read_text(encoding="utf-8"))["eos_token_id"]
    return [named] if isinstance(named, int) else list(named)


def load_chat_tokenizer() -> ChatTokenizer:
    """The model's tokenizer."""
    return ChatTokenizer(package_folder())


def load_config() -> Config:
    """The sizes of the model's network."""
    return Config.read(package_folder() / "config.json")
