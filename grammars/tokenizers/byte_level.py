"""The byte-level alphabet: one printable character for each of the 256 bytes, as GPT-2 introduced it.

Byte-level vocabularies write their tokens in these characters ("Ġthe" is b" the").
"""

from __future__ import annotations


def _alphabet() -> dict[str, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    shifted = {chr(256 + position): byte for position, byte in enumerate(others)}
    return {chr(byte): byte for byte in printable} | shifted


BYTE_OF_CHARACTER: dict[str, int] = _alphabet()


def decode_byte_level(token: str) -> bytes:
    """Return the bytes of a token: by the alphabet, or as UTF-8 when the token has a character outside the alphabet."""
    try:
        return bytes(map(BYTE_OF_CHARACTER.__getitem__, token))
    except KeyError:
        return token.encode()
