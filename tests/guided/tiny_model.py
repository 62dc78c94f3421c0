"""A tiny random model in standard Hugging Face files, for tests: made in milliseconds, deterministic, offline.

The tokenizer is a byte-level BPE: all 256 bytes, a few merges and special tokens. The model is a two-layer Llama whose
logits are wider than the tokenizer (padding ids), with two end-of-sequence ids in its generation config. Its text is
noise; under a grammar the noise is still valid, which is what the tests are about.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

MERGES = [
    ("t", "h"),
    ("th", "e"),
    ("i", "n"),
    ("Ġ", "the"),
    ('"', ":"),
    ("a", "n"),
    ("an", "d"),
    ("1", "2"),
    ('"', ","),
]
SPECIAL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>"]
MODEL_WIDTH = 280  # padded: the tokenizer has 256 + 9 + 4 = 269 entries
MAX_CONTEXT_TOKENS = 1024

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
SCHEMA_CHAT_TEMPLATE = (
    "{% if response_schema is defined %}{{ response_schema | tojson + '\n' }}{% endif %}" + CHAT_TEMPLATE
)
WALKING_CHAT_TEMPLATE = (
    "{% macro walk(node) %}{% for key, value in node.properties | items %}{{ key + ' ' + walk(value) }}{% endfor %}"
    "{% if '$ref' in node %}{{ walk(response_schema['$defs'].N) }}{% endif %}"
    "{% for branch in node.anyOf or [] %}{{ walk(branch) }}{% endfor %}{% endmacro %}"
    "{% if response_schema is defined %}{{ walk(response_schema) }}{% endif %}" + CHAT_TEMPLATE
)
"""Follows `$ref` to `$defs/N` and fails on `properties` that are no object: for schemas that must not get so far."""


def make_tokenizer() -> Tokenizer:
    """The byte-level BPE tokenizer as a `tokenizers.Tokenizer`, special tokens included."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {symbol: token_id for token_id, symbol in enumerate(alphabet)}
    for left, right in MERGES:
        vocab[left + right] = len(vocab)
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=MERGES))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL_TOKENS])
    return tokenizer


def make_tiny_model(
    folder: Path,
    *,
    chat_template: str | None = CHAT_TEMPLATE,
    json_whitespace: str | None = None,
    max_context_tokens: int = MAX_CONTEXT_TOKENS,
    seed: int = 0,
) -> Path:
    """Write config.json, model.safetensors, generation_config.json and the tokenizer's files into `folder`; returns it.

    chat_template: None writes a tokenizer without one; SCHEMA_CHAT_TEMPLATE is one that shows the response schema.
    json_whitespace: the tokenizer's stated preference ("compact"), left out when None.
    """
    from transformers import PreTrainedTokenizerFast

    options = {} if json_whitespace is None else {"json_whitespace": json_whitespace}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=make_tokenizer(), eos_token="<|im_end|>", pad_token="<|pad|>", **options
    )
    tokenizer.chat_template = chat_template
    return write_model(
        folder,
        tokenizer,
        tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"]),
        seed=seed,
        vocab_size=MODEL_WIDTH,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=max_context_tokens,
    )


def write_model(folder: Path, tokenizer: Any, eos_token_ids: list[int], *, seed: int, **sizes: int) -> Path:
    """Write the files of a random Llama and its tokenizer into `folder`; returns it. sizes: fields of `LlamaConfig`."""
    import torch
    from transformers import GenerationConfig, LlamaConfig, LlamaForCausalLM

    config = LlamaConfig(
        **sizes,
        initializer_range=0.3,
        bos_token_id=None,
        eos_token_id=eos_token_ids,
        pad_token_id=tokenizer.pad_token_id,
        tie_word_embeddings=False,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    model.generation_config = GenerationConfig(eos_token_id=eos_token_ids, pad_token_id=tokenizer.pad_token_id)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
