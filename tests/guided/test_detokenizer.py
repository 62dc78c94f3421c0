"""Token bytes to text: no character is shown before its last byte, none is lost, none is invented."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from guided.grammars.vocabulary import Vocabulary
from guided.output.detokenizer import Detokenizer


def decode_tokens(vocabulary: Vocabulary, token_ids: Iterable[int]) -> str:
    """The text of a whole output."""
    return "".join(map(Detokenizer(vocabulary).push, token_ids))


BYTES = Vocabulary([bytes([i]) for i in range(256)] + [None], eos_token_ids=[256])


@given(st.text())
def test_any_text_comes_back_from_its_bytes(text: str) -> None:
    assert decode_tokens(BYTES, text.encode()) == text


@given(st.text(min_size=1))
def test_no_replacement_character_while_a_character_is_split(text: str) -> None:
    detokenizer = Detokenizer(BYTES)
    shown = ""
    for byte in text.encode():
        shown += detokenizer.push(byte)
        assert text.startswith(shown)
    assert shown == text


def test_a_character_appears_with_its_last_byte() -> None:
    detokenizer = Detokenizer(BYTES)
    assert [detokenizer.push(byte) for byte in "é😀".encode()] == ["", "é", "", "", "", "😀"]


def test_tokens_without_text_add_nothing_and_break_nothing() -> None:
    assert decode_tokens(BYTES, [*"é".encode()[:1], 256, *"é".encode()[1:]]) == "é"


def test_a_character_cut_off_by_the_end_is_left_out() -> None:
    assert decode_tokens(BYTES, [*b"ok", *"😀".encode()[:3]]) == "ok"


def test_bytes_that_are_no_character_are_shown_as_such() -> None:
    assert decode_tokens(BYTES, [0x61, 0xFF, 0x62]) == "a\ufffdb"


def test_names_of_special_tokens_where_they_are_wanted() -> None:
    vocabulary = Vocabulary([*BYTES.tokens[:256], None, None], [257], {"<call>": 256, "<end>": 257})
    token_ids = [*b"a", 256, *b"b", 257]
    assert decode_tokens(vocabulary, token_ids) == "ab"
    detokenizer = Detokenizer(vocabulary, skips_special=False)
    assert "".join(detokenizer.push(token_id, is_end=token_id == 257) for token_id in token_ids) == "a<call>b"
