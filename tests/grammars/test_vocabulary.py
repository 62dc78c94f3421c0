"""`Vocabulary` itself, on tokens written down here."""

from __future__ import annotations

import subprocess
import sys

import pytest

from guided.grammars.errors import InvalidInputError, TokenizerError
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.tiny_tokenizers import byte_level


def test_padding_beyond_the_tokenizer_stands_for_no_text() -> None:
    vocabulary = Vocabulary([b"a", b"b", None], [2], {"</s>": 2}, size=5)
    assert vocabulary.tokens == (b"a", b"b", None, None, None)
    assert vocabulary.size == 5


def test_size_is_the_number_of_tokens_unless_given() -> None:
    assert Vocabulary([b"a", None], [1]).size == 2


def test_join_skips_tokens_without_text() -> None:
    assert Vocabulary([b"\xe2\x82", None, b"\xac"], [1]).join([0, 2, 1]) == "€".encode()


@pytest.mark.parametrize("token_id", [-1, 2])
def test_join_refuses_ids_outside(token_id: int) -> None:
    with pytest.raises(InvalidInputError, match=f"{token_id} is outside the vocabulary of 2 tokens"):
        Vocabulary([b"a", None], [1]).join([0, token_id])


def test_a_model_narrower_than_the_tokenizer_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="vocab_size 1 is smaller than the tokenizer's 2 tokens"):
        Vocabulary([b"a", None], [1], size=1)


@pytest.mark.parametrize("token_id", [-1, 2])
def test_an_end_outside_is_refused(token_id: int) -> None:
    with pytest.raises(InvalidInputError, match="outside the vocabulary"):
        Vocabulary([b"a", None], [token_id])


def test_an_end_with_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="id 0 stands for the text b'a'"):
        Vocabulary([b"a", None], [0])


def test_empty_bytes_are_refused() -> None:
    with pytest.raises(InvalidInputError, match="token 1 is b''"):
        Vocabulary([b"a", b"", None], [2])


def test_equality_and_fingerprint_see_every_part() -> None:
    same = [Vocabulary([b"a", b"bc", None], [2]) for _ in range(2)]
    others = [
        Vocabulary([b"ab", b"c", None], [2]),
        Vocabulary([b"a", b"bc", None, None], [2]),
        Vocabulary([b"a", b"bc", None, None], [3]),
        Vocabulary([b"a", b"bc", None, None], [2, 3]),
        Vocabulary([b"a", None, None], [2]),
    ]
    assert same[0] == same[1]
    assert hash(same[0]) == hash(same[1])
    assert len({vocabulary.fingerprint for vocabulary in [*same, *others]}) == 1 + len(others)
    assert same[0] != "a vocabulary"


def test_missing_bytes_are_those_of_utf8_text_that_no_token_spells_alone() -> None:
    tokens = [bytes([byte]) for byte in range(256) if byte not in (0x41, 0xC0, 0xE2)]
    assert Vocabulary([*tokens, b"AB", None], [254]).missing_bytes == {0x41, 0xE2}


def test_a_tokenizer_without_end_needs_one_named() -> None:
    tokenizer = byte_level()
    tokenizer.add_special_tokens(["<end>"])
    with pytest.raises(TokenizerError, match="names no end-of-sequence token; pass eos_token_ids"):
        Vocabulary.from_tokenizer(tokenizer)
    end = tokenizer.token_to_id("<end>")
    assert Vocabulary.from_tokenizer(tokenizer, eos_token_ids=[end]).eos_token_ids == {end}


def test_an_added_token_named_as_end_loses_its_text() -> None:
    tokenizer = byte_level()
    tokenizer.add_tokens(["<|im_end|>", "<|other|>"])
    end = tokenizer.token_to_id("<|im_end|>")
    vocabulary = Vocabulary.from_tokenizer(tokenizer, vocab_size=300, eos_token_ids=[end])
    assert vocabulary.tokens[end] is None
    assert vocabulary.special_tokens == {"<|im_end|>": end}
    assert vocabulary.tokens[end + 1] == b"<|other|>"
    assert vocabulary.size == 300


def test_an_ordinary_token_named_as_end_is_refused() -> None:
    tokenizer = byte_level()
    with pytest.raises(InvalidInputError, match="stands for the text b'x'"):
        Vocabulary.from_tokenizer(tokenizer, eos_token_ids=[tokenizer.token_to_id("x")])


def test_repr_names_size_and_ends() -> None:
    assert repr(Vocabulary([b"a", None, None], [2, 1])) == "Vocabulary(size=3, eos_token_ids=[1, 2])"


def test_reading_imports_no_tokenizer_library() -> None:
    code = (
        "import sys, guided.grammars.vocabulary, guided.grammars.tokenizers\n"
        "names = {'torch', 'transformers', 'tokenizers', 'tiktoken', 'sentencepiece', 'mistral_common'}\n"
        "assert not names & set(sys.modules), names & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
