"""`match_text`: find how far a text is valid, the character that stops it, and the characters allowed instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.watch import checkpoint

from .describe import Describer
from .expected import Expected

BYTES_A_CHECKPOINT = 1024  # number of bytes that are read between two checkpoints: 1 to 3 ms


@dataclass(frozen=True)
class TextMatch:
    """The valid part of a text, and the allowed continuations there.

    Attributes:
        is_accepted: True if the whole text is valid.
        is_beginning: True if the grammar reads the whole text and needs more.
        num_bytes, num_chars: size of the part that the grammar reads; the whole text, unless a character stops it.
        line, column: the place after the read part, in characters from 1.
        found: the character at that place that stops the text; None when nothing stops it.
        expected: the allowed continuations at that place.
    """

    is_accepted: bool
    is_beginning: bool
    num_bytes: int
    num_chars: int
    line: int
    column: int
    found: str | None
    expected: Expected


class _Read(NamedTuple):
    matcher: Matcher
    num_bytes: int
    is_whole: bool


class Acceptor:
    """Tries texts on one grammar. Keep an `Acceptor` for several texts: its tables of the vocabulary are made once."""

    def __init__(self, grammar: CompiledGrammar) -> None:
        vocabulary = grammar.vocabulary
        self._grammar = grammar
        self._by_bytes = vocabulary.byte_ids
        self._names = {
            name: token_id for token_id, name in vocabulary.names.items() if token_id not in vocabulary.eos_token_ids
        }
        longest_first = sorted(self._names, key=len, reverse=True)
        self._special = re.compile(b"|".join(map(re.escape, longest_first)) or b"(?!)")

    def allows(self, text: bytes) -> bool:
        """Return True if the grammar can generate exactly these bytes.

        Each byte counts as one token. The name of a special token stands for the token where the grammar allows the
        token, and for its characters elsewhere. Calls `checkpoint` about every BYTES_A_CHECKPOINT bytes, so that a
        `Watch` can stop a long check.

        Raises:
            InvalidInputError: when the vocabulary has no token for a byte of the text.
        """
        read = self._read(text)
        return read.is_whole and read.matcher.is_accepting()

    def match(self, text: bytes) -> TextMatch:
        """Return how far a text is valid. Reads the text and raises as `allows` does."""
        read = self._read(text)
        num_bytes = read.num_bytes
        if not read.is_whole:
            inside = num_bytes - _beginning_of_character(text, num_bytes)
            read.matcher.rollback(inside)
            num_bytes -= inside
        before = text[:num_bytes].decode("utf-8", "replace")
        is_accepted = read.is_whole and read.matcher.is_accepting()
        return TextMatch(
            is_accepted=is_accepted,
            is_beginning=read.is_whole and not is_accepted,
            num_bytes=num_bytes,
            num_chars=len(before),
            line=before.count("\n") + 1,
            column=len(before) - (before.rfind("\n") + 1) + 1,
            found=None if read.is_whole else text[num_bytes : num_bytes + 4].decode("utf-8", "replace")[:1],
            expected=Describer(self._grammar).describe(read.matcher),
        )

    def _read(self, text: bytes) -> _Read:
        """Read the text up to the first byte that the grammar does not allow."""
        matcher = self._grammar.matcher()
        place, next_checkpoint = 0, 0
        while place < len(text):
            if place >= next_checkpoint:
                checkpoint()
                next_checkpoint = place + BYTES_A_CHECKPOINT
            name = self._special.match(text, place)
            if name is not None and matcher.accept_token(self._names[name[0]]):
                place = name.end()
                continue
            if not matcher.accept_token(self._token_of(text[place : place + 1])):
                return _Read(matcher, place, is_whole=False)
            place += 1
        return _Read(matcher, place, is_whole=True)

    def _token_of(self, byte: bytes) -> int:
        if byte not in self._by_bytes:
            message = f"can't check documents with this tokenizer: it has no token for the single byte {byte!r}"
            raise InvalidInputError(message)
        return self._by_bytes[byte]


def match_text(grammar: CompiledGrammar, text: str) -> TextMatch:
    """Return how far a text is valid. The name of a special token stands for the token.

    Args:
        grammar: the compiled grammar.
        text: the text.

    Raises:
        InvalidInputError: if the vocabulary has no token for a byte of the text.
        LimitExceededError: if reading the text exceeds a limit of the grammar.
    """
    return Acceptor(grammar).match(text.encode("utf-8", "surrogatepass"))


def _beginning_of_character(text: bytes, place: int) -> int:
    """Return where the character begins that contains a place."""
    while place > 0 and place < len(text) and 0x80 <= text[place] < 0xC0:
        place -= 1
    return place
