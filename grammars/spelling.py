"""`Spelling`: the characters that a vocabulary's tokens can spell, for vocabularies that can't spell all of them.

A character counts if it can be spelled from every place where a token may end. There are two ways: byte by byte, or by
a token of its own if no other token ends inside that character. A text of such characters therefore always has tokens
for its rest, at any place. Characters that occur only in longer tokens do not count; no byte-level tokenizer has such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .regex import charset as cs
from .regex.charset import CharSet, from_ranges

_FIRST_CONTINUATION, _LAST_CONTINUATION = 0x80, 0xBF
# The first bytes of characters of 2, 3 and 4 bytes: lowest, highest, mask of the payload, first character.
_LEADS = ((0xC2, 0xDF, 0x1F, 0x80), (0xE0, 0xEF, 0x0F, 0x800), (0xF0, 0xF4, 0x07, 0x10000))


class Spelling:
    """Finds out which characters a vocabulary can spell.

    tokens: the bytes of all tokens; None for a token that stands for no text.
    characters: the characters that can be spelled.
    dead: ids of tokens that end with a begun character which no further tokens can complete.
    """

    def __init__(self, tokens: Sequence[bytes | None]) -> None:
        by_bytes = _spelled_by_bytes({token[0] for token in tokens if token and len(token) == 1})
        halves: set[bytes] = set()
        dead: list[int] = []
        whole: set[int] = set()
        for token_id, token in enumerate(tokens):
            half = _last_half(token) if token else b""
            if half and cs.intersection(_beginning_with(half), by_bytes):
                halves.add(half)
            elif half:
                dead.append(token_id)
            elif token and 1 < len(token) <= 4:
                whole.update(_only_character(token))
        alone = [code for code in whole if not any(half in halves for half in _halves(chr(code).encode()))]
        self.characters = from_ranges([*by_bytes, *((code, code) for code in alone)])
        self.dead = frozenset(dead)

    def can_spell(self, text: str) -> bool:
        """Return True if each of the text's characters can be spelled."""
        return all(cs.contains(self.characters, ord(char)) for char in text)


def _spelled_by_bytes(single: set[int]) -> CharSet:
    """Return the characters whose bytes are all in `single`."""
    found = [(byte, byte) for byte in single if byte < 0x80]
    runs = from_ranges(
        (byte - 0x80, byte - 0x80) for byte in single if _FIRST_CONTINUATION <= byte <= _LAST_CONTINUATION
    )
    for num_more, (lowest, highest, mask, first) in enumerate(_LEADS, start=1):
        payloads = [lead & mask for lead in range(lowest, highest + 1) if lead in single]
        blocks: Iterable[int] = payloads
        for _ in range(num_more - 1):
            blocks = [block * 64 + value for block in blocks for low, high in runs for value in range(low, high + 1)]
        spans = ((block * 64 + low, block * 64 + high) for block in blocks for low, high in runs)
        found += [(max(low, first), min(high, 0x10FFFF)) for low, high in spans if high >= first and low <= 0x10FFFF]
    return from_ranges(found)


def _last_half(token: bytes) -> bytes:
    """Return the begun bytes of a character at the end of a token.

    The answer is b"" if the token ends with a whole character, or if its bytes do not show where the character begins.
    """
    for length in range(1, min(3, len(token)) + 1):
        byte = token[-length]
        if byte < _FIRST_CONTINUATION:
            return b""
        if byte > _LAST_CONTINUATION:
            return token[-length:] if length < _num_bytes(byte) else b""
    return b""


def _num_bytes(lead: int) -> int:
    """Return the number of bytes of a character whose first byte is `lead` (0xC0 or more)."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _beginning_with(half: bytes) -> CharSet:
    """Return the characters whose bytes begin with `half`."""
    num_more = _num_bytes(half[0]) - len(half)
    lowest, highest, mask, first = _LEADS[_num_bytes(half[0]) - 2]
    if not lowest <= half[0] <= highest:
        return ()
    code = half[0] & mask
    for byte in half[1:]:
        code = code * 64 + (byte & 0x3F)
    low, high = code << 6 * num_more, ((code + 1) << 6 * num_more) - 1
    low, high = max(low, first), min(high, 0x10FFFF)
    return from_ranges([(low, high)]) if low <= high else ()


def _only_character(token: bytes) -> list[int]:
    """Return the code point of a token that is exactly one character; else an empty list."""
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return []
    return [ord(text)] if len(text) == 1 else []


def _halves(character: bytes) -> Iterator[bytes]:
    return (character[:length] for length in range(1, len(character)))
