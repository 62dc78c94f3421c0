"""The vocabulary trie, and its copy on disk."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from guided.grammars.machine.lexemes import disk_cache
from guided.grammars.machine.lexemes.trie import VocabularyTrie, build_trie
from guided.grammars.machine.lexemes.trie_kernels import BYTE_CLASSES, ODD, ODD_RANGES, WIDE
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import byte_vocabulary

TOKENS = [b"b", b"ab", b"a", b"abc", b"ab", "é".encode(), "é\u2003".encode(), b"\xe2\x80", b"x\x80", b"Z9", None, None]
VOCABULARY = Vocabulary(TOKENS, [11])


def _node(trie: VocabularyTrie, text: bytes) -> int:
    node = 0
    for byte in text:
        children = range(trie.first_child[node], trie.first_child[node + 1])
        node = next(child for child in children if trie.byte[child] == byte)
    return node


@pytest.mark.parametrize("vocabulary", [VOCABULARY, byte_vocabulary()])
def test_tokens_and_subtrees(vocabulary: Vocabulary) -> None:
    trie = build_trie(vocabulary)
    tokens = {i: token for i, token in enumerate(vocabulary.tokens) if token is not None}
    assert sorted(trie.sorted_ids.tolist()) == sorted(tokens)
    for text in set(tokens.values()):
        node = _node(trie, text)
        own = trie.sorted_ids[trie.token_start[node] : trie.own_end[node]].tolist()
        under = trie.sorted_ids[trie.token_start[node] : trie.token_end[node]].tolist()
        assert sorted(own) == [i for i, token in tokens.items() if token == text]
        assert sorted(under) == [i for i, token in tokens.items() if token.startswith(text)]
        children = trie.byte[trie.first_child[node] : trie.first_child[node + 1]].tolist()
        assert children == sorted(
            {token[len(text)] for token in tokens.values() if token.startswith(text) and token != text}
        )


def test_bytes_of_tokens_and_of_bytes() -> None:
    trie = build_trie(VOCABULARY)
    texts = [trie.text[start:end].tobytes() for start, end in zip(trie.text_start, trie.text_start[1:], strict=False)]
    assert texts == [token or b"" for token in TOKENS] + [bytes([byte]) for byte in range(256)]


def test_kinds_of_what_is_below() -> None:
    trie = build_trie(VOCABULARY)
    assert trie.below[_node(trie, b"a")] == BYTE_CLASSES[ord("b")]
    assert BYTE_CLASSES[ord("a")] == BYTE_CLASSES[ord("z")] != BYTE_CLASSES[ord("A")]
    assert trie.below[_node(trie, b"Z")] == BYTE_CLASSES[ord("0")]
    assert trie.below[_node(trie, "é".encode())] == WIDE | ODD
    assert trie.below[_node(trie, b"x")] & ~int(np.bitwise_or.reduce(BYTE_CLASSES)) & ~(WIDE | ODD)
    odd = "".join(chr(low) + chr(high) for low, high in ODD_RANGES)
    plain = (
        "".join(chr(low - 1) + chr(high + 1) for low, high in ODD_RANGES if low not in (0x80, 0xFEC0))
        + "\u00c0\uff00日😀\ud7ff\ue000"
    )
    for text, expected in ((odd, WIDE | ODD), (plain, WIDE)):
        for char in text:
            assert build_trie(Vocabulary([char.encode(), None], [1])).below[0] == expected, ascii(char)


def test_characters() -> None:
    trie = build_trie(VOCABULARY)
    for text in (b"abc", "é\u2003".encode(), b"Z9"):
        assert trie.chars[_node(trie, text)] == len(text.decode())
    assert trie.most_chars[_node(trie, b"a")] == 3
    assert trie.most_chars[0] == 3
    counted = {TOKENS[token]: int(count) for token, count in zip(trie.sorted_ids, trie.sorted_chars, strict=True)}
    assert counted["é\u2003".encode()] == 2
    assert counted[b"abc"] == 3


def test_disk_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "new" / "folder"))
    vocabulary = Vocabulary([*byte_vocabulary().tokens[:300], *[None] * 10_000], [10_200])
    built = disk_cache.cached_trie(vocabulary)
    (file,) = (tmp_path / "new" / "folder").iterdir()
    assert vocabulary.fingerprint in file.name
    monkeypatch.setattr(disk_cache, "build_trie", lambda _: pytest.fail("not read from disk"))
    _assert_same(disk_cache.cached_trie(vocabulary), built)
    monkeypatch.undo()
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "new" / "folder"))
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    for damaged in (bytes(data), b"", b"PK no archive", bytes(data[: len(data) // 3])):
        file.write_bytes(damaged)
        _assert_same(disk_cache.cached_trie(vocabulary), built)


def test_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "file"))
    vocabulary = Vocabulary([b"a", b"b", *[None] * 10_000], [10_001])
    _assert_same(disk_cache.cached_trie(vocabulary), build_trie(vocabulary))


def _assert_same(first: VocabularyTrie, second: VocabularyTrie) -> None:
    for field in fields(VocabularyTrie):
        assert np.array_equal(getattr(first, field.name), getattr(second, field.name)), field.name
