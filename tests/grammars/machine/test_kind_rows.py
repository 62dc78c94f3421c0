"""Rows of byte classes against a reading of every token."""

from __future__ import annotations

import codecs
import re

import numpy as np
import pytest

from guided.grammars.machine.byte_class_rows import USUAL
from guided.grammars.machine.lexemes.trie_kernels import BYTE_CLASSES, ODD, WIDE
from guided.grammars.machine.structs import ByteClassRow
from guided.grammars.machine.vocabulary_tables import VocabularyTables
from guided.grammars.vocabulary import Vocabulary

_PIECES = ("a", "b1", "_x", "7", '"', '",', "\\", " ", "\n", "é", "à", "\u0085", "€", "\ud7ff", "😀", "\U0010ffff", "z")
_BROKEN = (b"\x80", b"a\x80", b"\xc0\x80", b"\xe0\x80", b"\xed\xa0", b"\xf4\x90", b"\xf5", b"\xc3a", b"\xe2\x82 ")


def _vocabulary_tables() -> VocabularyTables:
    """Every byte, and pairs of pieces, also cut within a character."""
    pairs = [(first + second).encode() for first in _PIECES for second in _PIECES]
    texts = {*pairs, *[text[:-1] for text in pairs], *[text[1:] for text in pairs], *_BROKEN}
    texts |= {b"n" + text for text in _BROKEN} | {bytes([byte]) for byte in range(256)}
    tokens = sorted(texts - {b""})
    return VocabularyTables(Vocabulary([*tokens, None], [len(tokens)]))


def _is_of(token: bytes, kinds: int) -> bool:
    """True for the beginning of a text of nothing but some byte classes."""
    if re.search(rb"\xed[\xa0-\xbf]", token):  # a surrogate, which Python's decoder refuses only at its end
        return False
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(token)
    except UnicodeDecodeError:
        return False
    if not token.isascii() and kinds & (WIDE | ODD) != WIDE | ODD:
        return False
    return all(ord(char) >= 0x80 or int(BYTE_CLASSES[ord(char)]) & kinds for char in text)


def _tokens(row: ByteClassRow) -> list[int]:
    return np.flatnonzero(np.unpackbits(row.row.numpy().view(np.uint8), bitorder="little")).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("kinds", [*USUAL, int(BYTE_CLASSES[ord(" ")] | BYTE_CLASSES[ord('"')]) | WIDE | ODD])
@pytest.mark.parametrize("prefix", [b"", b"a", b"z", b'"'])
def test_tokens_of_some_kinds(kinds: int, prefix: bytes) -> None:
    vocabulary_tables = _vocabulary_tables()
    node = 0
    for byte in prefix:
        node = vocabulary_tables.child(node, byte) or 0
        assert node
    row = vocabulary_tables.tables.byte_class_rows[vocabulary_tables.byte_class_row(kinds, node)]
    nodes, tokens = row.nodes.numpy(), vocabulary_tables.vocabulary.tokens
    rests = {
        token_id: token[len(prefix) :] for token_id, token in enumerate(tokens) if token and token.startswith(prefix)
    }
    assert _tokens(row) == [token_id for token_id, rest in rests.items() if rest and _is_of(rest, kinds)]
    is_wide = kinds & (WIDE | ODD) == WIDE | ODD
    for byte in range(256):
        for node in nodes[row.starts[byte] : row.starts[byte + 1]].tolist():
            assert vocabulary_tables.trie.byte[node] == byte
            assert byte < 128 or not is_wide, "what is no UTF-8 is not listed"
    left = {token_id for node in nodes.tolist() for token_id in vocabulary_tables.tokens_under(node)}
    assert left.isdisjoint(_tokens(row))
    expected = {token_id for token_id, rest in rests.items() if rest and not _is_of(rest, kinds)}
    assert left <= expected if is_wide else left == expected


def test_the_usual_ones_are_there_from_the_beginning() -> None:
    vocabulary_tables = _vocabulary_tables()
    before = vocabulary_tables.num_bytes
    for kinds in USUAL:
        vocabulary_tables.byte_class_row(kinds, 0)
    assert vocabulary_tables.num_bytes == before
