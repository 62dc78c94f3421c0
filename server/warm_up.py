"""`import_grammars`: imports what the first grammar of each kind needs, before any request waits for it."""

from __future__ import annotations

from typing import Any

from guided.grammars import allocate_bitmask, compile_grammar
from guided.grammars.vocabulary import Vocabulary
from guided.workbench.inspection.match import Acceptor

GRAMMARS: tuple[dict[str, Any], ...] = (
    {"json_schema": {"type": "object", "properties": {"a": {"type": "string"}}}},
    {"regex": "a+"},
    {"ebnf": 'root ::= "a" | "b" root'},
    {"choice": ["a", "b"]},
    {"structural_tag": {"type": "structural_tag", "format": {"type": "any_text"}}},
)
"""One grammar of each kind."""


def import_grammars() -> None:
    """Compile and use a small grammar of each kind, with a vocabulary of bytes.

    The first grammar of a kind costs a third of a second, nearly all of it imports. Other requests' steps are slow
    meanwhile.
    """
    vocabulary = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
    for arguments in GRAMMARS:
        grammar = compile_grammar(vocabulary, **arguments)
        matcher, bitmask = grammar.matcher(), allocate_bitmask(1, vocabulary.size)
        matcher.fill_bitmask(bitmask)
        matcher.find_jump_forward_bytes()
        for token_id in matcher.find_shortest_completion():
            matcher.accept_token(token_id)
        Acceptor(grammar).allows(b"a")
