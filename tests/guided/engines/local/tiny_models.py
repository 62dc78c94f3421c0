"""Tiny random models of several architectures, and full recomputation with them: the reference for cached keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import transformers

VOCAB_SIZE = 97
MAX_POSITIONS = 256
WINDOW = 11  # no multiple of a page, shorter than the tests' sequences

SIZES = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": 48,
    "intermediate_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": MAX_POSITIONS,
    "initializer_range": 0.3,  # wide: attention must matter to the logits
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
MIXED_LAYERS = ["sliding_attention", "full_attention", "sliding_attention"]
GPT2_SIZES = {"vocab_size": VOCAB_SIZE, "n_embd": 48, "n_layer": 3, "n_head": 6, "n_positions": MAX_POSITIONS}
GPT2_SIZES |= {"initializer_range": 0.3, "bos_token_id": 1, "eos_token_id": 2}

CONFIGS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", "LlamaForCausalLM", SIZES),
    "qwen3": ("Qwen3Config", "Qwen3ForCausalLM", SIZES),
    "mistral-window": ("MistralConfig", "MistralForCausalLM", SIZES | {"sliding_window": WINDOW}),
    "gemma2-softcap": (
        "Gemma2Config",
        "Gemma2ForCausalLM",
        SIZES | {"sliding_window": WINDOW, "layer_types": MIXED_LAYERS, "attn_logit_softcapping": 2.0},
    ),
    "gemma3-mixed": (
        "Gemma3TextConfig",
        "Gemma3ForCausalLM",
        SIZES | {"sliding_window": WINDOW, "layer_types": MIXED_LAYERS},
    ),
    "gpt2": ("GPT2Config", "GPT2LMHeadModel", GPT2_SIZES),
}


def make_model(name: str, dtype: torch.dtype = torch.float32, **changes: Any) -> Any:
    """One of CONFIGS with deterministic random weights, in evaluation mode."""
    config_class, model_class, sizes = CONFIGS[name]
    torch.manual_seed(0)
    config = getattr(transformers, config_class)(**(sizes | changes))
    return getattr(transformers, model_class)(config).to(dtype).eval()


def recompute(model: Any, token_ids: Sequence[int]) -> torch.Tensor:
    """The logits after each of the tokens, (T, V) float32, by one forward of the model without any cache."""
    with torch.inference_mode():
        logits: torch.Tensor = model(input_ids=torch.tensor([list(token_ids)]), use_cache=False).logits[0].float()
    return logits


def random_tokens(num_tokens: int, seed: int = 0) -> list[int]:
    """Token ids in range, the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(3, VOCAB_SIZE, (num_tokens,), generator=generator).tolist()
