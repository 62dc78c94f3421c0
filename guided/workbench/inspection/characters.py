"""Find which bytes and characters may come next, from a mask, and put sets of characters into words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from guided.grammars.bitset import Bitmask, allocate_bitmask, allowed_token_ids
from guided.grammars.protocol import Matcher
from guided.grammars.vocabulary import Vocabulary

from .schema_words import listed

_Item = TypeVar("_Item")

MAX_EXAMPLES = 24
MAX_LEADS = 4  # maximum number of lead bytes that `characters_of` completes to a character
_NAMES = {
    " ": "a space",
    "\t": "a tab",
    "\n": "a newline",
    "\r": "a carriage return",
    '"': 'a quote (")',
    "'": "an apostrophe (')",
    "\\": "a backslash (\\)",
    ",": "a comma (,)",
    ".": "a dot (.)",
    ":": "a colon (:)",
    "-": "a minus (-)",
}
_RANGES = (("0", "9", "a digit"), ("a", "z", "a letter a-z"), ("A", "Z", "a letter A-Z"))
_PRINTABLE = range(0x20, 0x7F)
_PRINTABLE_SET, _ASCII = frozenset(map(chr, _PRINTABLE)), frozenset(map(chr, range(0x80)))
_FEW_MISSING = 3  # `character_words` says "any ... but ..." where at most this many characters are missing


class NextCharacters(NamedTuple):
    """The characters and special tokens that may come next.

    ascii: the allowed characters below U+0080.
    others: allowed characters from U+0080 on, one example for each chosen lead byte.
    continues: the allowed bytes 0x80 to 0xBF, which continue a character.
    tokens: the names of the allowed special tokens.
    depends_only_on_mask: True if every matcher with the same mask gets the same answer.
    """

    ascii: tuple[str, ...]
    others: tuple[str, ...]
    continues: tuple[int, ...]
    tokens: tuple[str, ...]
    depends_only_on_mask: bool

    @property
    def examples(self) -> list[str]:
        """Up to MAX_EXAMPLES characters, spread over the allowed ones; unprintable ones only where there are no
        others.
        """
        printable = [one for one in self.ascii if ord(one) in _PRINTABLE]
        chosen = [*_spread(printable, MAX_EXAMPLES - 4), *self.others[:4]]
        return chosen or list(self.ascii[:MAX_EXAMPLES])

    @property
    def words(self) -> list[str]:
        """All allowed characters and tokens in words."""
        found = character_words(self.ascii)
        if self.others:
            found.append(f"a character beyond ASCII, such as {self.others[0]}")
        if self.continues:
            found.append("the rest of a character that is begun")
        return found + [f"the token {name}" for name in self.tokens]


def next_characters(matcher: Matcher, vocabulary: Vocabulary) -> NextCharacters:
    """Return the characters that may come next. The matcher does not change."""
    return characters_of(allowed_now(matcher, vocabulary), matcher, vocabulary)


def allowed_now(matcher: Matcher, vocabulary: Vocabulary) -> Bitmask:
    """Return the matcher's mask: int32, shape (1, W)."""
    bitmask = allocate_bitmask(1, vocabulary.size)
    matcher.fill_bitmask(bitmask)
    return bitmask


def characters_of(bitmask: Bitmask, matcher: Matcher, vocabulary: Vocabulary) -> NextCharacters:
    """Do what `next_characters` does, for a matcher whose mask (int32, shape (1, W)) is already known."""
    allowed = allowed_token_ids(bitmask[0], vocabulary.size)
    first = _first_bytes(allowed, vocabulary)
    named: list[int] = allowed[vocabulary.first_bytes[allowed] < 0].tolist()
    names = [vocabulary.written(one) for one in named if one not in vocabulary.eos_token_ids]
    leads = [byte for byte in first if byte >= 0xC0]
    return NextCharacters(
        ascii=tuple(chr(byte) for byte in first if byte < 0x80),
        others=tuple(filter(None, [_character_from(matcher, vocabulary, byte) for byte in _spread(leads, MAX_LEADS)])),
        continues=tuple(byte for byte in first if 0x80 <= byte < 0xC0),
        tokens=tuple(name.decode("utf-8", "replace") for name in names if name),
        depends_only_on_mask=not leads,
    )


def character_words(characters: Sequence[str]) -> list[str]:
    """Put a set of ASCII characters into words: named ranges such as "a digit" first, then the other characters."""
    left, found = frozenset(characters), list[str]()
    for whole, name in ((_ASCII, "any ASCII character"), (_PRINTABLE_SET, "any printable ASCII character")):
        missing = sorted(whole - left)
        if len(missing) <= _FEW_MISSING:
            but = f" but {listed([name_of(one) for one in missing], 'and')}" if missing else ""
            left -= whole
            found.append(f"{name}{but}")
    for low, high, name in _RANGES:
        whole = frozenset({chr(code) for code in range(ord(low), ord(high) + 1)})
        if whole <= left:
            left -= whole
            found.append(name)
    return found + [name for run in _runs(sorted(map(ord, left))) for name in _run_words(run)]


def name_of(character: str) -> str:
    """Return the word or the quoted sign for a character: "a comma (,)", '"q"', "U+0007"."""
    if character in _NAMES:
        return _NAMES[character]
    return f'"{character}"' if character.isprintable() else f"U+{ord(character):04X}"


def _runs(codes: Iterable[int]) -> list[list[int]]:
    """Cut ascending codes into runs of neighbours of one kind: digits, capitals, small letters or control
    characters.
    """
    runs: list[list[int]] = []
    for code in codes:
        if runs and runs[-1][-1] == code - 1 and _kind(runs[-1][-1]) == _kind(code) is not None:
            runs[-1].append(code)
        else:
            runs.append([code])
    return runs


def _kind(code: int) -> str | None:
    character = chr(code)
    if code not in _PRINTABLE:
        return "control" if character not in _NAMES else None
    return (
        "digit"
        if character.isdigit()
        else ("upper" if character.isupper() else "lower")
        if character.isalpha()
        else None
    )


def _run_words(run: list[int]) -> list[str]:
    if len(run) < 3:
        return [name_of(chr(code)) for code in run]
    ends = "-".join([chr(code) if code in _PRINTABLE else name_of(chr(code)) for code in (run[0], run[-1])])
    return [
        {"digit": f"a digit {ends}", "control": f"a control character {ends}"}.get(
            _kind(run[0]) or "", f"a letter {ends}"
        )
    ]


def _character_from(matcher: Matcher, vocabulary: Vocabulary, byte: int) -> str | None:
    """Return an allowed character that begins with a byte.

    Returns None when a byte on the way has no token of its own, or when the grammar takes no complete character.
    """
    scout, text, waiting = matcher.fork(), bytearray(), [byte]
    length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
    while waiting and len(text) < length:
        token_id = vocabulary.byte_ids.get(bytes([waiting[-1]]))
        if token_id is None or not scout.accept_token(token_id):
            return None
        text.append(waiting[-1])
        allowed = allowed_token_ids(allowed_now(scout, vocabulary)[0], vocabulary.size)
        waiting = [one for one in _first_bytes(allowed, vocabulary) if 0x80 <= one < 0xC0]
    try:
        return text.decode() if len(text) == length else None
    except UnicodeDecodeError:
        return None


def _first_bytes(allowed: NDArray[np.int64], vocabulary: Vocabulary) -> list[int]:
    """Return the first bytes of the allowed tokens that have a text, ascending."""
    found: list[int] = np.unique(vocabulary.first_bytes[allowed]).tolist()
    return [byte for byte in found if byte >= 0]


def _spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """Return at most `most` items, evenly spread over all."""
    if len(items) <= most:
        return list(items)
    places = np.linspace(0, len(items) - 1, most).round().astype(int).tolist()
    return [items[place] for place, before in zip(places, [-1, *places], strict=False) if place != before]
