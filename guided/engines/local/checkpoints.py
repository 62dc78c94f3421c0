"""Loads weights from a checkpoint file of `torch.save`: a state dict in a folder with the config of its model.

The reader accepts only tensors and plain values, and never runs code from such a file.
"""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from ...errors import UnsupportedModelError

WRAPPERS = ("model", "state_dict", "model_state_dict")  # names under which training loops save the state dict
PREFIXES = ("module.", "_orig_mod.")  # prefixes that DistributedDataParallel and torch.compile add to keys
TELLS_KEYS: Mapping[str, Any] = {"output_loading_info": True, "ignore_mismatched_sizes": True}
"""Arguments with which `transformers` returns, beside the model, the keys that are absent or have another shape."""


def load_checkpoint(path: Path, dtype: torch.dtype | str) -> tuple[Any, Mapping[str, Any]]:
    """(the model of the folder's config with the file's weights, the report of `transformers` about its keys).

    Raises UnsupportedModelError for a file without a state dict.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, GenerationConfig

    config = AutoConfig.from_pretrained(path.parent, local_files_only=True)
    with torch.device("meta"):
        model_class: Any = type(AutoModelForCausalLM.from_config(config))  # type: ignore[no-untyped-call]
    model, info = model_class.from_pretrained(
        None, config=config, state_dict=_read_state_dict(path), dtype=dtype, **TELLS_KEYS
    )
    if (path.parent / "generation_config.json").is_file():
        model.generation_config = GenerationConfig.from_pretrained(path.parent, local_files_only=True)
    return model, info


def _read_state_dict(path: Path) -> dict[str, torch.Tensor]:
    try:
        saved = torch.load(path, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, EOFError, RuntimeError) as error:
        raise UnsupportedModelError(
            f"{str(path)!r} holds more than tensors and plain values, and code in a checkpoint is never run; "
            "save model.state_dict()"
        ) from error
    state = next((saved[key] for key in WRAPPERS if key in saved), saved) if isinstance(saved, dict) else saved
    if not isinstance(state, dict) or not state or not all(isinstance(one, torch.Tensor) for one in state.values()):
        raise UnsupportedModelError(
            f"{str(path)!r} holds no state dict, alone or under {', '.join(WRAPPERS)}; save model.state_dict()"
        )
    for prefix in PREFIXES:
        if all(key.startswith(prefix) for key in state):
            state = {key.removeprefix(prefix): one for key, one in state.items()}
    return state
