"""Loading the model of the package: its network, its tokenizer and its config."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors.torch import load_file

from . import model_path
from .chat_tokenizer import ChatTokenizer
from .network import Config, Network


def is_embedded(name: str) -> bool:
    """Whether a model's name is the folder of the model in the package."""
    return bool(name) and Path(name).resolve() == model_path().resolve()


def load_network(dtype: torch.dtype | None = None) -> Network:
    """The network with its weights, on the CPU. dtype: of the weights; None: as they are in the file."""
    weights = load_file(model_path() / "model.safetensors")
    if dtype is not None:
        weights = {name: weight.to(dtype) for name, weight in weights.items()}
    return Network(load_config(), weights, load_eos_token_ids()).eval()


def load_eos_token_ids() -> list[int]:
    """The ids that end a text, as generation_config.json names them."""
    named = json.loads((model_path() / "generation_config.json").read_text(encoding="utf-8"))["eos_token_id"]
    return [named] if isinstance(named, int) else list(named)


def load_chat_tokenizer() -> ChatTokenizer:
    """The model's tokenizer."""
    return ChatTokenizer(model_path())


def load_config() -> Config:
    """The model's sizes."""
    return Config.read(model_path() / "config.json")
