"""The spellings of texts whose characters may be written in another case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...quotes import cases, spellings

_BACKSLASH = 0x5C


def spelled_otherwise(characters: Sequence[bytes]) -> Iterator[bytes]:
    """A text's other spellings, shorter ones first.

    characters: as they stand in a JSON string, each in the case in which characters are compared, which takes the
        fewest bytes.
    """
    choices = [_spellings(one) for one in characters]
    others = [[one for one in some if len(one) == len(some[0])] for some in choices]
    as_long = (b"".join(parts) for parts in product(*others))
    next(as_long)  # the text itself
    yield from as_long
    longer = (b"".join(parts) for parts in product(*choices))
    num_bytes = sum(map(len, characters))
    yield from sorted((text for text in longer if len(text) > num_bytes), key=len)


def rests_of_characters(begun: bytes, alphabet: NDArray[np.uint32]) -> list[bytes]:
    """What makes a character of its first bytes in UTF-8: one of a text, or one that counts as another.

    alphabet: uint32 (k,), the characters of the text.
    """
    points = {*alphabet.tolist(), *spellings()[0].tolist()}
    spelled = (chr(point).encode() for point in sorted(points))
    return [one[len(begun) :] for one in spelled if one.startswith(begun)]


def _spellings(character: bytes) -> list[bytes]:
    """Those of a character, itself first; an escape has no other."""
    if len(character) > 1 and character[0] == _BACKSLASH:
        return [character]
    point = ord(character.decode())
    return [character, *(chr(one).encode() for one in cases().get(point, ()) if one != point)]
