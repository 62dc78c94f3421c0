"""Whether a compiled grammar can generate a given text: what `guided check` and the server tell of documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from guided.grammars.errors import InvalidInputError

if TYPE_CHECKING:
    from guided.grammars.backends.base import CompiledGrammar


def allows(grammar: CompiledGrammar, text: bytes) -> bool:
    """True when the grammar can generate exactly these bytes; they are tried one by one, each as a token.

    The name of a special token stands for that token where the grammar takes it, and else for its characters.
    """
    matcher, vocabulary = grammar.matcher(), grammar.vocabulary
    by_bytes = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token and len(token) == 1}
    special_tokens = vocabulary.special_tokens.items()
    names = {name.encode(): token_id for name, token_id in special_tokens if token_id not in vocabulary.eos_token_ids}
    special = re.compile(b"|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or b"(?!)")
    place = 0
    while place < len(text):
        name = special.match(text, place)
        if name is not None and matcher.accept_token(names[name[0]]):
            place = name.end()
            continue
        byte = text[place : place + 1]
        if byte not in by_bytes:
            message = f"can't check documents with this tokenizer: it has no token for the single byte {byte!r}"
            raise InvalidInputError(message)
        if not matcher.accept_token(by_bytes[byte]):
            return False
        place += 1
    return matcher.is_accepting()
