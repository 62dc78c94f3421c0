"""`check_tokens`: checks that the tokens that a grammar names exist in a vocabulary."""

from __future__ import annotations

from ..errors import GrammarError
from ..vocabulary import Vocabulary
from .expressions import RuleGraph, TokenRef


def check_tokens(graph: RuleGraph, vocabulary: Vocabulary) -> None:
    """Raise GrammarError for an unknown token id, or for the id of a token that ends the whole text."""
    for name, part in graph.foreign:
        if isinstance(part, TokenRef):
            for token_id in sorted(part.token_ids):
                if not 0 <= token_id < vocabulary.size:
                    size = vocabulary.size
                    raise GrammarError(f"rule {name!r} names token {token_id}; the vocabulary has ids below {size}")
                if token_id in vocabulary.eos_token_ids:
                    known = vocabulary.names.get(token_id, b"").decode("utf-8", "replace")
                    token = f"token {token_id} ({known})" if known else f"token {token_id}"
                    raise graph.error(
                        name, f"names {token}, which ends the text: remove it, a text ends with its grammar"
                    )
