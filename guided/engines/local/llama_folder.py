"""Loads a folder with a plain Llama without `transformers`, into the network that the engine runs.

PERF: `LLM("smollm2")` in a new process, seconds of processor time on a busy machine: 2.85. With `transformers` for the
tokenizer alone 3.65, for both 5.3.
"""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from ...embedded.network import FIXED_SETTINGS, OUTPUT_WEIGHT, Config, LlamaNetwork, has_weights, unsupported_setting
from .folder_tokenizer import read_tokenizer

WEIGHTS_FILE = "model.safetensors"
OTHER_FILES = ("adapter_config.json", f"{WEIGHTS_FILE}.index.json")  # files that change or replace the weights
TOKENIZER_CLASS = "TokenizersBackend"
_TYPES: dict[Any, type] = {"int": int, "float": float}
NUMBERS = {field.name: _TYPES[field.type] for field in fields(Config) if field.type in _TYPES}
"""The settings of the network that are numbers, with their types. The only other one it needs is `rope_parameters`."""


def load_llama(folder: Path, dtype: torch.dtype) -> LlamaNetwork | None:
    """The network with a folder's weights, on the CPU. None if the folder is not a plain Llama in one file of weights.

    dtype: type of the weights. Products' weights of this type lie in the mapped file; others are converted.
    Raises SafetensorError for a damaged file of weights.
    """
    settings = _plain_settings(folder)
    if settings is None:
        return None
    config, weights = Config.of(settings), load_file(folder / WEIGHTS_FILE)
    is_tied = settings.get("tie_word_embeddings", False)
    if not has_weights(config, weights) or is_tied is (OUTPUT_WEIGHT in weights):
        return None
    converted = {name: weight.to(dtype, copy=not _is_packed(name)) for name, weight in weights.items()}
    return LlamaNetwork(config, converted, _ends(folder, settings)).eval()


def _is_packed(name: str) -> bool:
    """True for weights that `PackedLlama` copies itself. All other weights must be copied here, since the mapped file
    is closed when the network is packed.
    """
    return "_proj." in name or name == OUTPUT_WEIGHT


def load_plain_tokenizer(folder: Path) -> Any:
    """A plain Llama's tokenizer, with the tokens and prompts of the one that `AutoTokenizer` loads. None if only
    `AutoTokenizer` can load it.
    """
    named = _read_json(folder / "tokenizer_config.json")
    if named.get("tokenizer_class") != TOKENIZER_CLASS or "auto_map" in named or _plain_settings(folder) is None:
        return None
    own = read_tokenizer(folder)
    if own is not None:
        return own
    from transformers import TokenizersBackend

    return TokenizersBackend.from_pretrained(folder, local_files_only=True)


def _plain_settings(folder: Path) -> dict[str, Any] | None:
    """The content of config.json, with the default values of a Llama; None if our network can't run the folder."""
    if not (folder / WEIGHTS_FILE).is_file() or any((folder / name).exists() for name in OTHER_FILES):
        return None
    settings = _read_json(folder / "config.json")
    if settings.get("model_type") != FIXED_SETTINGS["model_type"] or "quantization_config" in settings:
        return None
    if settings.get("rope_scaling") is not None or settings.get("is_causal", True) is not True:
        return None  # transformers supports both settings, our network neither
    settings = FIXED_SETTINGS | settings
    numbers_fit = all(isinstance(settings.get(name), kind) for name, kind in NUMBERS.items())
    return settings if numbers_fit and unsupported_setting(settings) is None else None


def _ends(folder: Path, settings: dict[str, Any]) -> list[int] | None:
    """The ids of the tokens that end a text: those of generation_config.json, or of config.json without that file."""
    path = folder / "generation_config.json"
    named = (_read_json(path) if path.is_file() else settings).get("eos_token_id")
    return [named] if isinstance(named, int) else named


def _read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file; {} if there is none. `transformers` reports a broken file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
