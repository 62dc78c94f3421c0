"""Tokens that a grammar names by their ids or by what the tokenizer calls them."""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.expressions import TokenRef
from ..vocabulary import Vocabulary
from .source import GrammarSource, similar
from .syntax import Foreign


def tokens_by_id(source: GrammarSource, ids: Iterable[range], offset: int, is_negated: bool = False) -> Foreign:
    """One token out of ranges of ids; is_negated: one of all others that may stand in a text."""
    vocabulary = _vocabulary(source, offset)
    chosen: set[int] = set()
    for part in ids:
        if part.stop > vocabulary.size:
            reason = f"token {part.stop - 1} is outside the vocabulary of {vocabulary.size} tokens"
            raise source.error(reason, offset)
        chosen.update(part)
    return _reference(source, vocabulary, frozenset(chosen), offset, is_negated)


def token_by_name(source: GrammarSource, name: str, offset: int, is_negated: bool = False) -> Foreign:
    """The token that the tokenizer writes as `name`; is_negated: one of all others that may stand in a text."""
    vocabulary = _vocabulary(source, offset)
    token_id = vocabulary.special_tokens.get(name)
    if token_id is None:
        encoded = name.encode("utf-8", "surrogatepass")
        if encoded not in vocabulary.tokens:
            hint = similar(name, vocabulary.special_tokens)
            raise source.error(f"the vocabulary has no token {name}{hint}; write text as a string", offset)
        token_id = vocabulary.tokens.index(encoded)
    return _reference(source, vocabulary, frozenset([token_id]), offset, is_negated)


def _reference(
    source: GrammarSource, vocabulary: Vocabulary, ids: frozenset[int], offset: int, is_negated: bool
) -> Foreign:
    if is_negated:
        ids = vocabulary.text_token_ids - ids
    if not ids:
        raise source.error("no token is left", offset)
    return Foreign(TokenRef(ids), offset)


def _vocabulary(source: GrammarSource, offset: int) -> Vocabulary:
    if source.vocabulary is None:
        raise source.error("a token can only be named in a grammar that is read for a vocabulary", offset)
    return source.vocabulary
