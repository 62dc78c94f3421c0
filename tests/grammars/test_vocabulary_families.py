"""Hugging Face pipelines made on the spot: what each family's tokens are, and what can't be read exactly."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import bytes_to_unicode

from guided.grammars.errors import TokenizerError
from guided.grammars.tokenizers import ReadTokenizer, TextPreparation, read_tokenizer
from guided.grammars.tokenizers.byte_level import BYTE_OF_CHARACTER
from guided.grammars.tokenizers.hf_fast import named_eos_ids
from tests.grammars.tiny_tokenizers import ALPHABET, MARK, byte_level, metaspace, metaspace_decoder

TEXTS = ["a", " a", "a b", "  a  ", "\n\t", "é€😀", "e\u0301", MARK, f"x{MARK}y", "Ġ", "<0x41>", "", " ", "A\x00B"]


def join(read: ReadTokenizer, tokenizer: Tokenizer, text: str) -> bytes:
    return b"".join(read.tokens[token_id] or b"" for token_id in tokenizer.encode(text).ids)


def check_texts(tokenizer: Tokenizer, expected: TextPreparation, texts: list[str] = TEXTS) -> ReadTokenizer:
    read = read_tokenizer(tokenizer)
    assert read.preparation == expected
    for text in texts:
        assert join(read, tokenizer, text) == expected.apply(text).encode(), text
    return read


def test_the_byte_level_alphabet_is_that_of_gpt2() -> None:
    assert {character: byte for byte, character in bytes_to_unicode().items()} == BYTE_OF_CHARACTER


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        (byte_level(), TextPreparation()),
        (byte_level(pre_tokenizer=pre_tokenizers.ByteLevel(add_prefix_space=True)), TextPreparation(" ", True)),
        (byte_level(normalizer=normalizers.NFC()), TextPreparation(normalization="NFC")),
        (byte_level(decoder=decoders.Sequence([decoders.ByteLevel()])), TextPreparation()),
        (
            byte_level(
                normalizer=normalizers.Sequence([normalizers.NFC(), normalizers.ByteLevel()]),
                pre_tokenizer=pre_tokenizers.Split(Regex("Ġ"), "merged_with_next"),
            ),
            TextPreparation(normalization="NFC"),
        ),
        (
            byte_level(
                pre_tokenizer=pre_tokenizers.Sequence(
                    [
                        pre_tokenizers.Split(Regex(r"\s"), "isolated"),
                        pre_tokenizers.Digits(individual_digits=True),
                        pre_tokenizers.Punctuation("contiguous"),
                        pre_tokenizers.ByteLevel(add_prefix_space=False),
                    ]
                )
            ),
            TextPreparation(),
        ),
    ],
)
def test_byte_level_pipelines(tokenizer: Tokenizer, expected: TextPreparation) -> None:
    read = check_texts(tokenizer, expected)
    assert read.tokens[256] == b" a"
    assert {token for token in read.tokens[:256] if token} == {bytes([byte]) for byte in range(256)}


@pytest.mark.parametrize(
    ("tokenizer", "expected"),
    [
        (metaspace(), TextPreparation(" ", space_mark=MARK)),
        (metaspace(normalizer=normalizers.Replace(" ", MARK)), TextPreparation(space_mark=MARK)),
        (
            metaspace(
                normalizer=normalizers.Replace(" ", MARK),
                pre_tokenizer=pre_tokenizers.Split(" ", "merged_with_previous"),
                decoder=metaspace_decoder(decoders.Fuse()),
            ),
            TextPreparation(space_mark=MARK),
        ),
        (
            metaspace(pre_tokenizer=pre_tokenizers.Metaspace(MARK, "always")),
            TextPreparation(" ", True, space_mark=MARK),
        ),
        (
            metaspace(pre_tokenizer=pre_tokenizers.Metaspace(MARK, "first", split=False)),
            TextPreparation(" ", True, space_mark=MARK),
        ),
        (
            metaspace(normalizer=normalizers.NFC(), pre_tokenizer=pre_tokenizers.Metaspace(MARK, "never")),
            TextPreparation(normalization="NFC", space_mark=MARK),
        ),
    ],
)
def test_metaspace_pipelines(tokenizer: Tokenizer, expected: TextPreparation) -> None:
    read = check_texts(tokenizer, expected)
    assert read.tokens[0] is None
    assert read.special_tokens == {"<unk>": 0}
    assert read.tokens[1 + 0xE2] == b"\xe2"
    assert [read.tokens[tokenizer.token_to_id(piece)] for piece in (MARK, f"{MARK}a", "b")] == [b" ", b" a", b"b"]


def test_unigram_with_byte_fallback_is_read() -> None:
    pieces = [("<unk>", 0.0), *((f"<0x{byte:02X}>", -9.0) for byte in range(256)), (MARK, -1.0), (f"{MARK}a", -1.0)]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=0, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(MARK, "always")
    tokenizer.decoder = metaspace_decoder()
    # The library's Unigram finds byte tokens in the text too, so "<0x41>" is "A" to it.
    texts = [text for text in TEXTS if text != "<0x41>"]
    read = check_texts(tokenizer, TextPreparation(" ", True, space_mark=MARK), texts)
    assert read.tokens[-1] == b" a"
    assert read.special_tokens == {"<unk>": 0}


def test_added_and_special_tokens() -> None:
    tokenizer = byte_level()
    tokenizer.add_tokens([AddedToken("<plain>", rstrip=True), AddedToken("два", normalized=False), "\t\t"])
    tokenizer.add_special_tokens(["<s>"])
    read = read_tokenizer(tokenizer)
    assert read.tokens[257:] == [b"<plain>", "два".encode(), b"\t\t", None]
    assert read.added_tokens == {"<plain>": 257, "два": 258, "\t\t": 259}
    assert read.special_tokens == {"<s>": 260}
    assert read.eos_token_ids == frozenset()
    assert join(read, tokenizer, "x<plain>   два\t\t.<s>") == "x<plain>два\t\t.".encode()


def test_added_tokens_take_the_bytes_that_they_decode_to_in_metaspace() -> None:
    tokenizer = metaspace()
    tokenizer.add_tokens([AddedToken("<raw>", normalized=False), AddedToken("<normal>", normalized=True)])
    tokenizer.add_tokens([AddedToken(MARK * 2, normalized=False)])
    read = read_tokenizer(tokenizer)
    anchor = tokenizer.token_to_id("a")
    for text, token_id in read.added_tokens.items():
        assert b"a" + (read.tokens[token_id] or b"") == tokenizer.decode([anchor, token_id]).encode(), text
    assert read.tokens[read.added_tokens[MARK * 2]] == b"  "


@pytest.mark.parametrize("text", ["é", "Ġ"])
def test_an_added_token_that_decodes_to_other_bytes_is_refused(text: str) -> None:
    tokenizer = byte_level()
    tokenizer.add_tokens([text])
    with pytest.raises(TokenizerError, match=rf"added token '{text}' .* decodes to"):
        read_tokenizer(tokenizer)


def test_an_added_token_that_spells_a_byte_token_is_refused() -> None:
    tokenizer = metaspace()
    tokenizer.add_tokens([AddedToken("<0x4b>", normalized=False)])
    with pytest.raises(TokenizerError, match=r"'<0x4b>' .* decodes to b'K'"):
        read_tokenizer(tokenizer)


def test_gaps_in_the_ids_have_no_text() -> None:
    vocabulary = {character: i for i, character in enumerate(ALPHABET)} | {"Ġthe": 300}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    read = read_tokenizer(tokenizer)
    assert len(read.tokens) == 301
    assert read.tokens[256:] == [None] * 44 + [b" the"]


def test_bytes_that_a_byte_level_vocabulary_lacks_do_not_stop_the_reading() -> None:
    read = read_tokenizer(byte_level(alphabet=[character for character in ALPHABET if character != "ñ"]))
    assert b"\xf1" not in read.tokens
    assert len(read.tokens) == 256


def test_strings_outside_the_byte_alphabet_stand_for_themselves_as_in_the_decoder() -> None:
    tokenizer = byte_level(alphabet=[*ALPHABET, "x y", "„"])
    read = read_tokenizer(tokenizer)
    assert [read.tokens[256], read.tokens[257]] == [b"x y", "„".encode()]
    assert tokenizer.decode([256, 257]) == "x y„"


def test_transformers_names_the_end_and_the_special_tokens() -> None:
    backend = byte_level()
    backend.add_tokens(["<bos>", "<plain>"])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, eos_token="<eos>", bos_token="<bos>")
    read = read_tokenizer(tokenizer)
    assert read.eos_token_ids == {tokenizer.eos_token_id}
    assert read.special_tokens == {"<bos>": 257, "<eos>": tokenizer.eos_token_id}
    assert read.added_tokens == {"<plain>": 258}


@pytest.mark.parametrize(("named", "expected"), [(None, set()), (2, {2}), ([2, 5], {2, 5})])
def test_the_end_is_none_one_or_a_list(named: Any, expected: set[int]) -> None:
    assert named_eos_ids(SimpleNamespace(eos_token_id=named)) == expected


def test_a_pad_token_taken_from_the_vocabulary_keeps_its_text() -> None:
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=byte_level(), eos_token="<eos>")
    tokenizer.pad_token_id = 0
    assert read_tokenizer(tokenizer).tokens[0] == b"!"


def test_clean_up_is_refused_where_it_takes_effect() -> None:
    options: dict[str, Any] = {"tokenizer_object": byte_level(), "clean_up_tokenization_spaces": True}
    assert read_tokenizer(PreTrainedTokenizerFast(**options)).tokens[256] == b" a"
    options["clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output"] = True
    with pytest.raises(TokenizerError, match=r"set tokenizer\.clean_up_tokenization_spaces = False"):
        read_tokenizer(PreTrainedTokenizerFast(**options))


def _word_piece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##a": 2}, unk_token="[UNK]"))
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _unigram_without_fallback() -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0), (MARK, -1.0)], unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(MARK)
    tokenizer.decoder = decoders.Metaspace(MARK)
    return tokenizer


class _OwnPreTokenizer:
    def pre_tokenize(self, text: Any) -> None: ...


_ADD_SPACE = pre_tokenizers.ByteLevel(add_prefix_space=True)

REFUSALS: dict[str, tuple[Tokenizer, str]] = {
    "WordPiece": (_word_piece(), "its model is WordPiece, not BPE or Unigram"),
    "word level": (Tokenizer(models.WordLevel({"a": 0}, unk_token="a")), "its model is WordLevel"),
    "Unigram without fallback": (_unigram_without_fallback(), "its decoder is Metaspace"),
    "BPE without fallback": (metaspace(byte_fallback=False), "no byte_fallback, so unknown characters are lost"),
    "missing byte token": (metaspace(byte_tokens=["<0x00>"]), "255 of the 256 byte tokens are missing, such as <0x01>"),
    "word ends": (byte_level(end_of_word_suffix="</w>"), "marks words with end_of_word_suffix='</w>'"),
    "word prefix": (byte_level(continuing_subword_prefix="##", merges=[]), "continuing_subword_prefix='##'"),
    "no decoder": (Tokenizer(models.BPE()), "its decoder is missing"),
    "BPE decoder": (byte_level(decoder=decoders.BPEDecoder()), "its decoder is BPEDecoder"),
    "CTC decoder": (byte_level(decoder=decoders.CTC()), "its decoder is CTC"),
    "lower case": (byte_level(normalizer=normalizers.Lowercase()), "its normalizer Lowercase.* changes or drops text"),
    "NFKC": (byte_level(normalizer=normalizers.NFKC()), "its normalizer NFKC"),
    "nested": (
        byte_level(normalizer=normalizers.Sequence([normalizers.Sequence([normalizers.StripAccents()])])),
        "its normalizer StripAccents",
    ),
    "quotes": (metaspace(normalizer=normalizers.Replace("``", '"')), "its normalizer Replace"),
    "regex normalizer": (metaspace(normalizer=normalizers.Replace(Regex(" +"), MARK)), "its normalizer Replace"),
    "NFKC metaspace": (metaspace(normalizer=normalizers.NFKC()), "its normalizer NFKC"),
    "strip": (metaspace(normalizer=normalizers.Strip()), "its normalizer Strip"),
    "other prefix": (metaspace(normalizer=normalizers.Prepend("x")), "its normalizer Prepend"),
    "unmarked spaces": (metaspace(normalizer=normalizers.NFC()), "nothing writes spaces so"),
    "whitespace": (byte_level(pre_tokenizer=pre_tokenizers.Whitespace()), "its pre-tokenizer Whitespace"),
    "removed": (
        byte_level(pre_tokenizer=pre_tokenizers.Split(" ", "removed")),
        "its pre-tokenizer Split.*changes or drops text",
    ),
    "not byte-level": (byte_level(pre_tokenizer=pre_tokenizers.Digits()), "text passes 0 ByteLevel steps"),
    "twice byte-level": (byte_level(normalizer=normalizers.ByteLevel()), "text passes 2 ByteLevel steps"),
    "space before each piece": (
        byte_level(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(), _ADD_SPACE])),
        "puts a space before every piece",
    ),
    "mark before each piece": (
        metaspace(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(), pre_tokenizers.Metaspace(MARK)])),
        "puts a space before every piece",
    ),
    "two prefixes": (
        metaspace(normalizer=normalizers.Prepend(MARK), pre_tokenizer=pre_tokenizers.Metaspace(MARK, "always")),
        "its pre-tokenizer Metaspace",
    ),
    "other mark": (metaspace(pre_tokenizer=pre_tokenizers.Metaspace("_")), "its pre-tokenizer Metaspace"),
    "strip each token": (
        metaspace(decoder=metaspace_decoder(decoders.Strip(" ", 1, 0))),
        "its decoder goes on with Strip",
    ),
    "strip two": (
        metaspace(decoder=metaspace_decoder(decoders.Fuse(), decoders.Strip(" ", 2, 0))),
        r"its decoder goes on with Fuse \+ Strip",
    ),
    "late replace": (
        metaspace(decoder=metaspace_decoder(decoders.Fuse(), decoders.Replace("a", "b"))),
        r"its decoder goes on with Fuse \+ Replace",
    ),
    "regex decoder": (
        metaspace(decoder=decoders.Sequence([decoders.Replace(Regex(MARK), " "), decoders.ByteFallback()])),
        "its decoder Replace",
    ),
    "written in Python": (
        byte_level(pre_tokenizer=pre_tokenizers.PreTokenizer.custom(_OwnPreTokenizer())),
        "can't be serialised",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_can_not_be_read_exactly_is_refused(name: str) -> None:
    tokenizer, reason = REFUSALS[name]
    with pytest.raises(TokenizerError, match="tokenizer can't be read exactly: ") as caught:
        read_tokenizer(tokenizer)
    assert re.search(reason, str(caught.value))


@pytest.mark.parametrize(
    ("thing", "message"),
    [
        (None, "can't read a tokenizer of type NoneType .known: transformers fast, "),
        (3, "of type int"),
        ("gpt2", "'gpt2' is a path; load the tokenizer, or use Vocabulary.from_file"),
        (PreTrainedTokenizerFast, "is a class; pass a tokenizer of that class"),
    ],
)
def test_what_is_no_tokenizer_is_refused(thing: Any, message: str) -> None:
    with pytest.raises(TokenizerError, match=message):
        read_tokenizer(thing)
