"""Small tokenizers made on the spot, one function for each family."""

from __future__ import annotations

import io
import re
from typing import Any

import sentencepiece
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizer
from transformers.convert_slow_tokenizer import bytes_to_unicode

MARK = "\u2581"
ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())
_BYTE_TOKENS = [f"<0x{byte:02X}>" for byte in range(256)]


def byte_level(
    normalizer: Any = None, pre_tokenizer: Any = None, decoder: Any = None, alphabet: list[str] = ALPHABET, **model: Any
) -> Tokenizer:
    """A byte-level BPE over `alphabet` with one merge, "Ġa"."""
    vocabulary = {character: i for i, character in enumerate([*alphabet, "Ġa"])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, **({"merges": [("Ġ", "a")]} | model)))
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizer or pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoder or decoders.ByteLevel()
    return tokenizer


def metaspace(
    normalizer: Any = None,
    pre_tokenizer: Any = None,
    decoder: Any = None,
    byte_tokens: list[str] = _BYTE_TOKENS,
    **model: Any,
) -> Tokenizer:
    """A BPE with byte fallback and "▁" for spaces; without arguments the pipeline of the first Llama tokenizers."""
    pieces = ["<unk>", *byte_tokens, MARK, "a", "b", f"{MARK}a", f"{MARK}b"]
    options = {"unk_token": "<unk>", "fuse_unk": True, "byte_fallback": True} | model
    tokenizer = Tokenizer(
        models.BPE(vocab={piece: i for i, piece in enumerate(pieces)}, merges=[(MARK, "a"), (MARK, "b")], **options)
    )
    if normalizer is None and pre_tokenizer is None:
        normalizer = normalizers.Sequence([normalizers.Prepend(MARK), normalizers.Replace(" ", MARK)])
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    if pre_tokenizer is not None:
        tokenizer.pre_tokenizer = pre_tokenizer
    tokenizer.decoder = decoder or metaspace_decoder()
    return tokenizer


def metaspace_decoder(*more: Any) -> Any:
    """Replace, ByteFallback, Fuse, and Strip of one leading space unless `more` replaces the last two."""
    ending = more or (decoders.Fuse(), decoders.Strip(" ", 1, 0))
    return decoders.Sequence([decoders.Replace(MARK, " "), decoders.ByteFallback(), *ending])


def sentencepiece_model(**options: Any) -> bytes:
    """A serialised SentencePiece model with byte fallback, trained on two sentences."""
    output = io.BytesIO()
    defaults = {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity"}
    defaults |= {"vocab_size": 300, "remove_extra_whitespaces": False, "hard_vocab_limit": False, "minloglevel": 2}
    sentences = ["the cat sat on the mat", "a dog ran  far"] * 20
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(sentences), model_writer=output, **(defaults | options)
    )
    return output.getvalue()


class SlowByteLevel(PreTrainedTokenizer):
    """A byte-level tokenizer in plain Python, one token a byte and "Ġa"; `change` is applied to each text first."""

    def __init__(self, change: Any = str, add_prefix_space: bool = False, **kwargs: Any) -> None:
        self.change = change
        self.add_prefix_space = add_prefix_space
        self.byte_encoder = bytes_to_unicode()
        self.byte_decoder = {character: byte for byte, character in self.byte_encoder.items()}
        self.encoder = {character: i for i, character in enumerate([*ALPHABET, "Ġa"])}
        super().__init__(**kwargs)

    @property
    def vocab_size(self) -> int:
        return len(self.encoder)

    def get_vocab(self) -> dict[str, int]:
        return self.encoder | self.added_tokens_encoder

    def _tokenize(self, text: str, **kwargs: Any) -> list[str]:
        text = self.change(text)
        if self.add_prefix_space and not text.startswith(" "):
            text = " " + text
        return re.findall("Ġa|.", "".join(self.byte_encoder[byte] for byte in text.encode()))

    def _convert_token_to_id(self, token: str) -> int:
        return self.encoder[token]

    def _convert_id_to_token(self, index: int) -> str:
        return {i: token for token, i in self.encoder.items()}[index]

    def convert_tokens_to_string(self, tokens: list[str]) -> str:
        return bytes(self.byte_decoder[character] for character in "".join(tokens)).decode(errors="replace")
