"""SentencePiece models and tekken files: made on the spot, broken, and the real ones read without their libraries."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
import sentencepiece

from guided.grammars.errors import TokenizerError
from guided.grammars.tokenizers import TextPreparation, read_tokenizer, read_tokenizer_file
from guided.grammars.tokenizers.sentencepiece_model import read_sentencepiece_model
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.conftest import mistral_data
from tests.grammars.tiny_tokenizers import MARK, byte_level, sentencepiece_model

MODELS = ["tokenizer.model.v1", "mistral_instruct_tokenizer_240323.model.v3"]


@pytest.mark.parametrize("name", MODELS)
def test_mistral_models_are_the_same_from_file_and_library(name: str) -> None:
    from mistral_common.tokens.tokenizers.sentencepiece import SentencePieceTokenizer

    path = mistral_data() / name
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    read = read_tokenizer_file(path)
    assert read == read_tokenizer(processor) == read_tokenizer(SentencePieceTokenizer(path))
    ids = range(processor.get_piece_size())
    assert [i for i in ids if read.tokens[i] is None] == [
        i for i in ids if processor.IsControl(i) or processor.IsUnknown(i)
    ]
    assert read.special_tokens["[INST]" if "instruct" in name else "<s>"] == (3 if "instruct" in name else 1)
    assert read.eos_token_ids == {processor.eos_id()}


def test_tekken_is_the_same_from_file_and_library(tekken: Any) -> None:
    path = mistral_data() / "tekken_240718.json"
    vocabulary = Vocabulary.from_file(path)
    assert vocabulary == Vocabulary.from_tokenizer(tekken)
    assert vocabulary.special_tokens == read_tokenizer(tekken).special_tokens
    assert (vocabulary.size, vocabulary.eos_token_ids) == (131072, {2})
    assert vocabulary.tokens[1000:1256] == tuple(bytes([byte]) for byte in range(256))


def test_wrappers_of_mistral_tokenizers() -> None:
    from mistral_common.tokens.tokenizers.mistral import MistralTokenizer
    from transformers.tokenization_mistral_common import MistralCommonBackend

    path = str(mistral_data() / "mistral_instruct_tokenizer_240323.model.v3")
    expected = Vocabulary.from_file(path)
    assert Vocabulary.from_tokenizer(MistralTokenizer.from_file(path)) == expected
    assert Vocabulary.from_tokenizer(MistralCommonBackend(path)) == expected


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"model_type": "unigram"},
        {"add_dummy_prefix": False},
        {"eos_piece": "<end>", "control_symbols": ["<c>"]},
        {"user_defined_symbols": ["<tool>", MARK * 2]},
    ],
)
def test_trained_models(options: dict[str, Any], texts: list[str]) -> None:
    data = sentencepiece_model(**options)
    processor = sentencepiece.SentencePieceProcessor(model_proto=data)
    read = read_tokenizer(processor)
    prefix = " " if options.get("add_dummy_prefix", True) else ""
    assert read.preparation == TextPreparation(prefix, space_mark=MARK)
    assert read.eos_token_ids == {processor.eos_id()}
    for text in [*texts[:300], "the  <tool> cat"]:
        joined = b"".join(read.tokens[token_id] or b"" for token_id in processor.encode(text))
        assert joined == read.preparation.apply(text).encode(), text


def test_a_model_without_end_names_none() -> None:
    data = sentencepiece_model(eos_id=-1)
    assert read_sentencepiece_model(data).eos_token_ids == frozenset()
    assert sentencepiece.SentencePieceProcessor(model_proto=data).eos_id() == -1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"byte_fallback": False, "vocab_size": 40}, "no byte fallback, so unknown characters are lost"),
        ({"normalization_rule_name": "nmt_nfkc"}, "its normalisation table changes characters"),
        ({"remove_extra_whitespaces": True}, "it removes extra whitespace"),
        ({"treat_whitespace_as_suffix": True}, "it marks a space after a word"),
        ({"model_type": "char"}, "its type is char, not unigram or bpe"),
    ],
)
def test_models_that_lose_text_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(TokenizerError, match=reason):
        read_sentencepiece_model(sentencepiece_model(**options))


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        (b"\x1a\x02\x28\x00", "does not mark spaces"),  # normalizer_spec.escape_whitespaces = false
        (b"\x2a\x03\x12\x01x", "normalisation table"),  # denormalizer_spec.precompiled_charsmap = "x"
    ],
)
def test_settings_that_the_trainer_does_not_write(extra: bytes, reason: str) -> None:
    with pytest.raises(TokenizerError, match=reason):
        read_sentencepiece_model(sentencepiece_model() + extra)


def test_a_model_without_all_byte_pieces_is_refused() -> None:
    data = sentencepiece_model()
    assert data.count(b"<0x41>") == 1
    broken = data.replace(b"<0x41>", b"<0x42>")
    with pytest.raises(TokenizerError, match="no byte piece for 1 of the 256 bytes, such as <0x41>"):
        read_sentencepiece_model(broken)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds no pieces"),
        (b"plain text, not a model", "not a SentencePiece model"),
        (b"\x0a\xff", "not a SentencePiece model: broken varint"),
        (b"\x0a\x7fshort", "runs past the end"),
        (b"\x0a\x03\x0a\x01\xff", "not a SentencePiece model"),
        (b"\x08\x01", "a number stands where a message is expected"),
        (b"{]", "not a tekken JSON file"),
        (b"{}", "not a tekken JSON file: KeyError"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "tokenizer.bin"
    path.write_bytes(content)
    with pytest.raises(TokenizerError, match=reason) as caught:
        Vocabulary.from_file(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match=r"can't read the tokenizer file .*none.json': No such file"):
        Vocabulary.from_file(tmp_path / "none.json")
    with pytest.raises(TokenizerError, match="Is a directory"):
        Vocabulary.from_file(tmp_path)


def tekken_data(**changes: Any) -> dict[str, Any]:
    entry = [{"rank": rank, "token_bytes": base64.b64encode(bytes([rank])).decode()} for rank in range(256)]
    entry.append({"rank": 256, "token_bytes": base64.b64encode(b"never used").decode()})
    config = {"default_vocab_size": 260, "default_num_special_tokens": 4, "version": "v11"}
    special = [{"rank": 1, "token_str": "<s>"}, {"rank": 2, "token_str": "</s>"}, {"rank": 0, "token_str": "<unk>"}]
    return {"config": config, "vocab": entry, "special_tokens": special} | changes


def test_a_small_tekken_file(tmp_path: Path) -> None:
    path = tmp_path / "any name"
    path.write_text(json.dumps(tekken_data()))
    vocabulary = Vocabulary.from_file(path, vocab_size=300)
    assert vocabulary.tokens == (None,) * 4 + tuple(bytes([byte]) for byte in range(256)) + (None,) * 40
    assert vocabulary.special_tokens == {"<s>": 1, "</s>": 2, "<unk>": 0, "<SPECIAL_3>": 3}
    assert vocabulary.eos_token_ids == {2}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"vocab": []}, "does not hold the ranks 0 to 255 in order"),
        ({"vocab": [{"rank": 5, "token_bytes": ""}] * 256}, "does not hold the ranks"),
        ({"special_tokens": None}, "lists no special tokens"),
        ({"special_tokens": [{"rank": 1, "token_str": "<s>"}]}, "no '</s>'"),
        ({"special_tokens": [{"rank": 9, "token_str": "</s>"}]}, "more special tokens than the 4"),
        ({"vocab": [{"rank": rank, "token_bytes": "?"} for rank in range(256)]}, "not a tekken JSON file: Error"),
    ],
)
def test_broken_tekken_files_are_refused(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    path = tmp_path / "tekken.json"
    path.write_text(json.dumps(tekken_data(**changes)))
    with pytest.raises(TokenizerError, match=reason):
        Vocabulary.from_file(path)


def test_a_tokenizer_json_is_the_same_from_file_and_library(tmp_path: Path) -> None:
    backend = byte_level()
    backend.add_special_tokens(["<s>", "</s>"])
    backend.add_tokens(["b c"])
    path = tmp_path / "tokenizer.json"
    backend.save(str(path))
    assert read_tokenizer_file(path) == read_tokenizer(backend)
    content = json.loads(path.read_text(encoding="utf-8"))
    for change, told in (
        ({"model": {**content["model"], "type": "Unigram"}}, "its model is Unigram, not BPE"),
        ({"added_tokens": [{**token, "id": token["id"] + 9} for token in content["added_tokens"]]}, "has the id"),
        ({"decoder": {}}, "its file has no 'type'"),
    ):
        path.write_text(json.dumps(content | change), encoding="utf-8")
        with pytest.raises(TokenizerError, match=told):
            read_tokenizer_file(path)
