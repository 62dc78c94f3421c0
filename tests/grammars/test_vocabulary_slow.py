"""`transformers` tokenizers written in Python: byte-level ones, and those over a SentencePiece model."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from transformers import AddedToken
from transformers.tokenization_utils_sentencepiece import SentencePieceBackend

from guided.grammars.errors import TokenizerError
from guided.grammars.tokenizers import TextPreparation, read_tokenizer
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.conftest import mistral_data
from tests.grammars.tiny_tokenizers import MARK, SlowByteLevel, sentencepiece_model

MISTRAL_V1 = mistral_data() / "tokenizer.model.v1"


def slow_sentencepiece(vocab_file: Path = MISTRAL_V1, **options: Any) -> SentencePieceBackend:
    names = {"unk_token": "<unk>", "bos_token": "<s>", "eos_token": "</s>"}
    vocab_file = vocab_file or mistral_data() / "tokenizer.model.v1"
    return SentencePieceBackend(vocab_file=str(vocab_file), **(names | options))


def test_slow_byte_level(texts: list[str]) -> None:
    tokenizer = SlowByteLevel(eos_token="<eos>")
    tokenizer.add_tokens(["<plain>", "два"])
    read = read_tokenizer(tokenizer)
    assert read.tokens[256:] == [b" a", None, b"<plain>", "два".encode()]
    assert read.eos_token_ids == {257}
    assert read.special_tokens == {"<eos>": 257}
    assert read.added_tokens == {"<plain>": 258, "два": 259}
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    for text in [*texts[:200], "x<plain>два a"]:
        assert vocabulary.join(tokenizer.encode(text, add_special_tokens=False)) == text.encode()


def test_an_added_token_that_is_spelled_like_bytes_is_refused() -> None:
    tokenizer = SlowByteLevel()
    tokenizer.add_tokens(["é"])
    with pytest.raises(TokenizerError, match="added token 'é' is spelled like bytes"):
        read_tokenizer(tokenizer)


def test_slow_byte_level_with_a_prefix() -> None:
    assert read_tokenizer(SlowByteLevel(add_prefix_space=True)).preparation == TextPreparation(" ", True)


@pytest.mark.parametrize(
    "change",
    [str.lower, str.strip, lambda text: unicodedata.normalize("NFKC", text), lambda text: " ".join(text.split())],
)
def test_a_slow_tokenizer_that_changes_text_is_refused(change: Any) -> None:
    with pytest.raises(TokenizerError, match=r"encoding the text .* gives tokens that join to"):
        read_tokenizer(SlowByteLevel(change=change))


def test_a_slow_tokenizer_that_decodes_otherwise_is_refused() -> None:
    tokenizer = SlowByteLevel()
    tokenizer.convert_tokens_to_string = lambda tokens: "".join(tokens).replace("Ġ", "_")
    with pytest.raises(TokenizerError, match="but converts to the text"):
        read_tokenizer(tokenizer)


def test_a_broken_byte_decoder_is_refused() -> None:
    tokenizer = SlowByteLevel()
    tokenizer.byte_decoder["a"] = 0
    with pytest.raises(TokenizerError, match="byte_decoder does not map"):
        read_tokenizer(tokenizer)


def test_slow_clean_up_is_refused() -> None:
    with pytest.raises(TokenizerError, match="clean_up_tokenization_spaces"):
        read_tokenizer(SlowByteLevel(clean_up_tokenization_spaces=True))


def test_slow_sentencepiece(texts: list[str], mistral_v1: Any) -> None:
    tokenizer = slow_sentencepiece()
    tokenizer.add_tokens([AddedToken("<plain>", special=False)])
    tokenizer.add_tokens(["<tool>"], special_tokens=True)
    read = read_tokenizer(tokenizer)
    assert read.tokens[:32000] == read_tokenizer(mistral_v1).tokens
    assert read.tokens[32000:] == [b"<plain>", None]
    assert read.special_tokens == {"<unk>": 0, "<s>": 1, "</s>": 2, "<tool>": 32001}
    assert read.eos_token_ids == {2}
    assert read.preparation == TextPreparation(" ", space_mark=MARK)
    for text in texts[:500]:
        ids = tokenizer.encode(text, add_special_tokens=False)
        joined = b"".join(read.tokens[token_id] or b"" for token_id in ids)
        assert joined == read.preparation.apply(text).encode(), text


@pytest.mark.parametrize(("text", "expected"), [(f"{MARK}the", b" the"), ("the", b"the")])
def test_an_added_token_that_is_a_piece_keeps_its_bytes(text: str, expected: bytes) -> None:
    tokenizer = slow_sentencepiece()
    tokenizer.add_tokens([AddedToken(text, special=False)])
    read = read_tokenizer(tokenizer)
    assert read.tokens[read.added_tokens[text]] == expected


def test_an_added_token_that_is_a_byte_piece_is_refused() -> None:
    tokenizer = slow_sentencepiece()
    tokenizer.add_tokens([AddedToken("<0x0A>", special=False)])
    with pytest.raises(TokenizerError, match=r"added token '<0x0A>' \(id 13\) also stands for b'\\n'"):
        read_tokenizer(tokenizer)


class _Shifted(SentencePieceBackend):
    """Ids that are one more than those of the model, as in tokenizers converted from fairseq."""

    @property
    def vocab_size(self) -> int:
        return int(self.sp_model.get_piece_size()) + 1

    def _convert_token_to_id(self, token: str) -> int:
        return int(self.sp_model.piece_to_id(token)) + 1

    def _convert_id_to_token(self, index: int) -> str:
        return str(self.sp_model.id_to_piece(index - 1)) if index else "<first>"


def test_ids_other_than_those_of_the_model_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(sentencepiece_model())
    with pytest.raises(TokenizerError, match="id 3 is None, but '<0x00>' in its SentencePiece model"):
        read_tokenizer(_Shifted(vocab_file=str(path), unk_token="<unk>", bos_token="<s>", eos_token="</s>"))


class _Lowering(SentencePieceBackend):
    def _tokenize(self, text: str, **kwargs: Any) -> list[str]:
        return list(super()._tokenize(text.lower(), **kwargs))


def test_a_sentencepiece_tokenizer_that_changes_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.model"
    path.write_bytes(sentencepiece_model())
    with pytest.raises(TokenizerError, match="encoding the text"):
        read_tokenizer(_Lowering(vocab_file=str(path), unk_token="<unk>", bos_token="<s>", eos_token="</s>"))
