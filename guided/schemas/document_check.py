"""Whether a compiled grammar can generate given texts: what `guided check` and the server tell of documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from guided.grammars.errors import InvalidInputError
from guided.grammars.watch import checkpoint

if TYPE_CHECKING:
    from guided.grammars.protocol import CompiledGrammar

BYTES_A_CHECKPOINT = 1024  # 1 to 3 ms


class DocumentCheck:
    """Tries texts on one grammar. What it must know of the vocabulary is looked up once, for all of them."""

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
        """True when the grammar can generate exactly these bytes; they are tried one by one, each as a token.

        The name of a special token stands for that token where the grammar takes it, and else for its characters.
        Calls `checkpoint` as it goes on, so that a `Watch` can end it.
        """
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
                return False
            place += 1
        return matcher.is_accepting()

    def _token_of(self, byte: bytes) -> int:
        if byte not in self._by_bytes:
            message = f"can't check documents with this tokenizer: it has no token for the single byte {byte!r}"
            raise InvalidInputError(message)
        return self._by_bytes[byte]
