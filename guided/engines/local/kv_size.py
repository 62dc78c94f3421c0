"""Computes the number of pages of keys and values that an engine keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ..settings import EngineSettings
from .paged.storage import stored_dtype

if TYPE_CHECKING:
    from transformers import PreTrainedModel

MAX_CPU_BYTES = 2**30
IDLE_CONTEXTS = 2
MAX_DEVICE_SHARE = 0.5  # share of a device's free memory for pages; the rest is for logits and activations


def kv_cache_pages(model: PreTrainedModel, settings: EngineSettings, max_context_tokens: int) -> int:
    """The number of pages that the settings ask for. By default: a whole context for each row of a full batch, if
    memory allows.
    """
    page_size = settings.page_size
    if settings.kv_cache_tokens is not None:
        return settings.kv_cache_tokens // page_size
    wanted = -(-max_context_tokens // page_size) * settings.max_batch_size
    fitting = _max_bytes(model.device) // (_bytes_per_token(model) * page_size)
    return max(1, min(wanted, fitting))


def max_idle_pages(device: torch.device, settings: EngineSettings, max_context_tokens: int) -> int | None:
    """Maximum number of pages that are kept only as cached prefixes, without a request; None: all pages.

    On a CPU, a page takes memory when it is first written. Unless the settings give a size, unused prefixes therefore
    take at most IDLE_CONTEXTS whole contexts. The process grows further only for requests that run at the same time.
    """
    if device.type != "cpu" or settings.kv_cache_tokens is not None:
        return None
    return IDLE_CONTEXTS * -(-max_context_tokens // settings.page_size)


def _max_bytes(device: torch.device) -> int:
    if device.type != "cuda":
        return MAX_CPU_BYTES
    free_bytes, _ = torch.cuda.mem_get_info(device)
    return int(free_bytes * MAX_DEVICE_SHARE)


def _bytes_per_token(model: PreTrainedModel) -> int:
    """Estimated bytes of the keys and values of one token in all layers, from the config."""
    config = model.config.get_text_config()
    num_heads = config.num_attention_heads
    num_kv_heads = getattr(config, "num_key_value_heads", None) or num_heads
    head_size = getattr(config, "head_dim", None) or config.hidden_size // num_heads
    return int(2 * config.num_hidden_layers * num_kv_heads * head_size * stored_dtype(model).itemsize)
