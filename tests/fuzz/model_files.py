"""Damaged GGUF files: `python -m tests.fuzz.model_files --seconds 600 --seed 1`.

A file of a tiny model gets another value, or other bytes before its weights. It is converted, or refused with a typed
error that names the file or the tensor.
"""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch

from guided.errors import ModelNotFoundError, UnsupportedModelError
from guided.models.converted import converted_folder
from tests.guided.models.tiny_gguf import byte_level_tokenizer, model_values, sentence_tokenizer, tiny_model, write_gguf

from .command import Case, main

VALUES: list[Any] = [
    *(0, 1, 2, 3, 7, 255, 2**32 - 1, -1, -(2**31), True, False),
    *(0.0, -1.0, 1e-6, 1e30, float("nan"), float("inf"), 0.5),
    *("", "1", "llama", "none", "{% if %}", "\u2581"),
    *([0], [1, 2], ["a", "b"], [0.5, 1.5], [True], ["a b"]),
]
TOKENIZERS = {"llama": byte_level_tokenizer, "gemma3": sentence_tokenizer}


@cache
def _model(architecture: str) -> Any:
    return tiny_model(architecture, len(TOKENIZERS[architecture]()["tokens"]))


@cache
def _file(architecture: str) -> tuple[bytes, int]:
    """(a whole file, where its weights begin)."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_gguf(Path(folder) / "m.gguf", architecture, _model(architecture), TOKENIZERS[architecture]())
        return path.read_bytes(), int(gguf.GGUFReader(path).data_offset)


def look(case: Case) -> list[str]:
    """Convert one damaged file. Any error but the two that are documented is a fault."""
    architecture = case.rng.choice(sorted(TOKENIZERS))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GUIDED_CACHE_DIR"] = folder
        path = Path(folder) / "m.gguf"
        damage = _other_bytes if case.rng.random() < 0.5 else _other_value
        told = damage(case, path, architecture)
        try:
            converted_folder(path, "float32")
            case.counts["converted"] += 1
        except (ModelNotFoundError, UnsupportedModelError) as error:
            case.counts["refused"] += 1
            return [] if str(path) in str(error) else [f"{told}: names no file: {error}"]
        except Exception as error:  # noqa: BLE001 - a fault of any kind is told
            return [f"{told}: {type(error).__name__}: {error}"]
    return []


def _other_bytes(case: Case, path: Path, architecture: str) -> str:
    whole, start = _file(architecture)
    damaged = bytearray(whole)
    places = [case.rng.randrange(start) for _ in range(case.rng.choice([1, 1, 2, 8]))]
    for place in places:
        damaged[place] = case.rng.choice([0, 1, 255, damaged[place] ^ 1 << case.rng.randrange(8)])
    path.write_bytes(damaged)
    return f"{architecture}, bytes {places}"


def _other_value(case: Case, path: Path, architecture: str) -> str:
    model, tokenizer = _model(architecture), TOKENIZERS[architecture]()
    value = case.rng.choice(VALUES)
    values = {**model_values(model.config), "rope.freq_base": 1e4, "attention.value_length": 8}
    values |= {"rope.scaling.type": "none", "rope.scaling.factor": 2.0, "rope.dimension_count": 8}
    key = case.rng.choice([*values, *tokenizer])
    changed = {key: value}
    if key in values:
        write_gguf(path, architecture, model, tokenizer, values=changed)
    else:
        write_gguf(path, architecture, model, tokenizer | changed)
    return f"{architecture}, {key} = {value!r}"


if __name__ == "__main__":
    np.seterr(all="ignore")
    torch.set_num_threads(1)
    main(look, __doc__ or "")
