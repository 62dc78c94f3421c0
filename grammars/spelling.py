"""`Spelling`: which characters a vocabulary's tokens can spell, where that is not all of them.

A character counts when it can be spelled from every place at which a token may end: byte by byte, or by a token of its
own that no other token goes halfway into. So from any place of a text of such characters there are tokens for the rest
of it. Characters that only longer tokens hold do not count; no byte-level tokenizer has such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .regex import charset as cs
from .regex.charset import CharSet, from_ranges

_FIRST_CONTINUATION, _LAST_CONTINUATION = 0x80, 0xBF
# The first byte of characters of 2, 3 and 4 bytes: lowest and highest, its payload's mask, the first character.
_LEADS = ((0xC2, 0xDF, 0x1F, 0x80), (0xE0, 0xEF, 0x0F, 0x800), (0xF0, 0xF4, 0x07, 0x10000))


class Spelling:
    """tokens: the bytes of all tokens of a vocabulary, None where one stands for no text.

    characters: those that can be spelled. dead: the tokens that end where a text of these could not go on.
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
        """True when each of the characters can be spelled."""
        return all(cs.contains(self.characters, ord(char)) for char in text)


def _spelled_by_bytes(single: set[int]) -> CharSet:
    """The characters all of whose bytes are in a set."""
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
    """The bytes of the character inside of which a token ends; b"" when it does not, or does not say in which."""
    for length in range(1, min(3, len(token)) + 1):
        byte = token[-length]
        if byte < _FIRST_CONTINUATION:
            return b""
        if byte > _LAST_CONTINUATION:
            return token[-length:] if length < _num_bytes(byte) else b""
    return b""


def _num_bytes(lead: int) -> int:
    """How many bytes a character has that begins with this one (0xC0 or more)."""
    return 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4


def _beginning_with(half: bytes) -> CharSet:
    """The characters whose bytes begin so."""
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
    """The code point of a token that is one character; else nothing."""
    try:
        text = token.decode()
    except UnicodeDecodeError:
        return []
    return [ord(text)] if len(text) == 1 else []


def _halves(character: bytes) -> Iterator[bytes]:
    return (character[:length] for length in range(1, len(character)))
