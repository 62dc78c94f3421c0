"""Real tokenizers: every token against its own library's decoder, and thousands of texts there and back."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from transformers import LlamaTokenizer
from transformers.tokenization_utils_base import generate_merges

from guided.grammars.tokenizers import TextPreparation, read_tokenizer
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.tiny_tokenizers import MARK

if TYPE_CHECKING:
    import sentencepiece
    import tiktoken
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer

Encode = Callable[[str], list[int]]


@pytest.fixture(scope="session")
def llama(mistral_v1: sentencepiece.SentencePieceProcessor) -> Any:
    """The v1 SentencePiece model as a fast tokenizer: metaspace and byte fallback in `tokenizers`."""
    pieces = {mistral_v1.id_to_piece(i): i for i in range(mistral_v1.get_piece_size())}
    scores = {piece: mistral_v1.get_score(i) for piece, i in pieces.items()}
    return LlamaTokenizer(vocab=pieces, merges=generate_merges(pieces, scores))


@pytest.fixture(scope="session")
def encoders(
    deepseek: Any, llama: Any, cl100k: tiktoken.Encoding, tekken: Tekkenizer, mistral_v1: Any
) -> dict[str, tuple[Any, Encode]]:
    """Tokenizer and its plain encoding, without special tokens."""
    return {
        "deepseek": (deepseek, lambda text: list(deepseek.encode(text, add_special_tokens=False))),
        "llama": (llama, lambda text: list(llama.encode(text, add_special_tokens=False))),
        "cl100k": (cl100k, cl100k.encode_ordinary),
        "tekken": (tekken, lambda text: tekken.encode(text, bos=False, eos=False)),
        "mistral_v1": (mistral_v1, mistral_v1.encode),
    }


@pytest.fixture(scope="session")
def vocabularies(encoders: dict[str, tuple[Any, Encode]]) -> dict[str, Vocabulary]:
    return {name: Vocabulary.from_tokenizer(tokenizer) for name, (tokenizer, _) in encoders.items()}


BAR = "\uff5c"  # in the names of DeepSeek's added tokens
NAMES = ("deepseek", "llama", "cl100k", "tekken", "mistral_v1")
EXPECTED = {
    "deepseek": (129280, {1}, 1230, TextPreparation()),
    "llama": (32000, {2}, 3, TextPreparation(" ", True, space_mark=MARK)),
    "cl100k": (100277, {100257}, 3 + 18, TextPreparation()),  # 3 special tokens and 18 ids that nothing uses
    "tekken": (131072, {2}, 1000, TextPreparation()),
    "mistral_v1": (32000, {2}, 3, TextPreparation(" ", space_mark=MARK)),
}


@pytest.mark.parametrize("name", NAMES)
def test_size_ends_and_tokens_without_text(
    name: str, encoders: dict[str, tuple[Any, Encode]], vocabularies: dict[str, Vocabulary]
) -> None:
    size, ends, num_without_text, preparation = EXPECTED[name]
    vocabulary = vocabularies[name]
    assert vocabulary.size == size
    assert vocabulary.eos_token_ids == ends
    assert vocabulary.tokens.count(None) == num_without_text
    assert vocabulary.missing_bytes == frozenset()
    assert read_tokenizer(encoders[name][0]).preparation == preparation


@pytest.mark.parametrize("name", NAMES)
def test_texts_there_and_back(
    name: str, texts: list[str], encoders: dict[str, tuple[Any, Encode]], vocabularies: dict[str, Vocabulary]
) -> None:
    for text in texts:
        expected = EXPECTED[name][3].apply(text).encode()
        assert vocabularies[name].join(encoders[name][1](text)) == expected, text


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_any_text_there_and_back(
    name: str, text: str, encoders: dict[str, tuple[Any, Encode]], vocabularies: dict[str, Vocabulary]
) -> None:
    prepared = EXPECTED[name][3].apply(text)
    assert vocabularies[name].join(encoders[name][1](text)) == prepared.encode()


@pytest.mark.parametrize("name", ["deepseek", "llama"])
def test_every_token_is_what_the_fast_decoder_says(
    name: str, encoders: dict[str, tuple[Any, Encode]], vocabularies: dict[str, Vocabulary]
) -> None:
    vocabulary, tokenizer = vocabularies[name], encoders[name][0]
    anchor = vocabulary.tokens.index(b"a")  # keeps the decoder from taking a space off the token
    ids = [i for i, token in enumerate(vocabulary.tokens) if token is not None and _is_text(token)]
    decoded = tokenizer.backend_tokenizer.decode_batch([[anchor, i] for i in ids])
    assert [b"a" + (vocabulary.tokens[i] or b"") for i in ids] == [text.encode() for text in decoded]


def test_every_token_is_what_sentencepiece_says(mistral_v1: Any, vocabularies: dict[str, Vocabulary]) -> None:
    vocabulary = vocabularies["mistral_v1"]
    anchor = vocabulary.tokens.index(b"a")
    ids = [i for i, token in enumerate(vocabulary.tokens) if token is not None and _is_text(token)]
    decoded = mistral_v1.decode([[anchor, i] for i in ids])
    assert [b"a" + (vocabulary.tokens[i] or b"") for i in ids] == [text.encode() for text in decoded]


def test_the_two_readers_of_one_model_agree(vocabularies: dict[str, Vocabulary]) -> None:
    assert vocabularies["llama"] == vocabularies["mistral_v1"]


def test_parts_of_characters_there_and_back(cl100k: tiktoken.Encoding, vocabularies: dict[str, Vocabulary]) -> None:
    rng = random.Random(3)
    for _ in range(1000):
        piece = rng.randbytes(rng.randint(1, 12))
        assert vocabularies["cl100k"].join(cl100k._encode_single_piece(piece)) == piece


def test_added_texts_and_special_tokens_of_deepseek(deepseek: Any, vocabularies: dict[str, Vocabulary]) -> None:
    vocabulary = vocabularies["deepseek"]
    text = f"<{BAR}User{BAR}>Hi<{BAR}Assistant{BAR}>ok<|EOT|>"
    ids = deepseek.encode(text, add_special_tokens=False)
    assert len(ids) == 5
    assert vocabulary.join(ids) == text.encode()
    assert vocabulary.special_tokens[f"<{BAR}end▁of▁sentence{BAR}>"] == 1
    assert vocabulary.join([*ids, 1]) == text.encode()


def test_several_ends(deepseek: Any) -> None:
    eot = deepseek.convert_tokens_to_ids("<|EOT|>")
    vocabulary = Vocabulary.from_tokenizer(deepseek, vocab_size=129536, eos_token_ids=[1, eot])
    assert vocabulary.eos_token_ids == {1, eot}
    assert vocabulary.tokens[eot] is None
    assert vocabulary.size == 129536


def test_gaps_of_cl100k_have_no_text(vocabularies: dict[str, Vocabulary]) -> None:
    vocabulary = vocabularies["cl100k"]
    assert vocabulary.tokens[100256] is None
    assert set(vocabulary.tokens[100257:]) == {None}
    assert 100256 not in vocabulary.special_tokens.values()


def _is_text(token: bytes) -> bool:
    try:
        token.decode()
    except UnicodeDecodeError:
        return False
    return True
