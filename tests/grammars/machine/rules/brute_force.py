"""Masks made by trying every token byte by byte, and walks of random allowed tokens."""

from __future__ import annotations

import random

from guided.grammars.limits import Limits
from guided.grammars.native.general_grammar import GeneralGrammar
from guided.grammars.protocol import Matcher
from guided.grammars.rules.expressions import RuleGraph
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import mask_of

LETTERS = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), b"ab", b"ba", b"aab", b"bb", b"abab", b"aaaa", b"abba", None], [263]
)


def compiled(graph: RuleGraph, vocabulary: Vocabulary, limits: Limits | None = None) -> GeneralGrammar:
    """A grammar of rules."""
    return GeneralGrammar(GrammarSpec("ebnf", ""), vocabulary, graph, limits or Limits())


def tried_mask(matcher: Matcher, vocabulary: Vocabulary) -> list[int]:
    """The allowed tokens: text byte by byte, others as they are. The vocabulary's first 256 tokens are the bytes."""
    allowed = []
    for token_id, token in enumerate(vocabulary.tokens):
        scout = matcher.fork()
        if token is None:
            if token_id in vocabulary.eos_token_ids:
                is_allowed = scout.is_accepting()
                assert scout.accept_token(token_id) == is_allowed
            else:
                is_allowed = scout.accept_token(token_id)
        else:
            is_allowed = all(scout.accept_token(byte) for byte in token)
        if is_allowed:
            allowed.append(token_id)
    return allowed


def check_walk(
    matcher: Matcher, vocabulary: Vocabulary, rng: random.Random, num_tokens: int, completion: bytes = b""
) -> list[int]:
    """Accept random allowed tokens, checking masks, jump-forward and rollback on the way; the tokens accepted.

    completion: bytes whose tokens are taken in half of all cases, so that texts come to an end.
    """
    taken: list[int] = []
    masks: list[list[int]] = []
    while len(taken) < num_tokens:
        allowed = mask_of(matcher, vocabulary)
        assert allowed == tried_mask(matcher, vocabulary)
        assert allowed, "a dead end"
        assert matcher.is_accepting() == (not vocabulary.eos_token_ids.isdisjoint(allowed))
        masks.append(allowed)
        forced = matcher.find_jump_forward_bytes()
        scout = matcher.fork()
        assert all(scout.accept_token(byte) for byte in forced)
        printable = [token for token in allowed if not 127 < token < 256]
        near = [token for token in printable if (vocabulary.tokens[token] or b"?")[:1] in completion]
        token_id = rng.choice(near if near and rng.random() < 0.5 else printable or allowed)
        assert matcher.accept_token(token_id)
        taken.append(token_id)
        if token_id in vocabulary.eos_token_ids:
            assert matcher.is_terminated()
            assert mask_of(matcher, vocabulary) == []
            break
    back = rng.randint(0, len(taken))
    matcher.rollback(back)
    if back:
        assert mask_of(matcher, vocabulary) == masks[len(taken) - back]
    for token_id in taken[len(taken) - back :]:
        assert matcher.accept_token(token_id)
    return taken
