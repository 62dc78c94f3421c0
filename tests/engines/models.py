"""A tiny random model that vLLM's attention on CPUs takes: heads of 32. Its tokenizer is that of tests/guided."""

from __future__ import annotations

from pathlib import Path

from tests.guided.tiny_model import CHAT_TEMPLATE, MODEL_WIDTH, make_tokenizer, write_model

MAX_CONTEXT_TOKENS = 1024
HEAD_SIZE = 32


def make_model(folder: Path, *, tokenizer_folder: Path | None = None, seed: int = 0) -> Path:
    """Write its files into `folder`; returns it. tokenizer_folder: with the files of another tokenizer."""
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    if tokenizer_folder is None:
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=make_tokenizer(), eos_token="<|im_end|>", pad_token="<|pad|>", chat_template=CHAT_TEMPLATE
        )
        eos_token_ids = tokenizer.convert_tokens_to_ids(["<|im_end|>", "<|endoftext|>"])
        vocab_size = MODEL_WIDTH
    else:
        tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder)
        eos_token_ids = [tokenizer.eos_token_id]
        vocab_size = -(-len(tokenizer) // 256) * 256
    return write_model(
        folder,
        tokenizer,
        eos_token_ids,
        seed=seed,
        vocab_size=vocab_size,
        hidden_size=2 * HEAD_SIZE,
        intermediate_size=2 * HEAD_SIZE,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=HEAD_SIZE,
        max_position_embeddings=MAX_CONTEXT_TOKENS,
    )
