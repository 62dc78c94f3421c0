"""Strings that texts of rules must not contain: terminals alone, and strings that several terminals spell together."""

from __future__ import annotations

import itertools
import random

import pytest

from guided.grammars.errors import UnsupportedGrammarError
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import JsonDocument, RuleGraph, Sequence, Terminal, TokenRef
from guided.grammars.rules.substrings import _Boundaries, _Search, spelled_by_several, without_substrings
from guided.grammars.spec import GrammarSpec
from tests.grammars.rules.oracle import accepts, random_graph
from tests.grammars.vocabularies import byte_vocabulary

TEXTS = ["".join(letters) for size in range(5) for letters in itertools.product("ab", repeat=size)]
VOCABULARY = byte_vocabulary()
DOCUMENT = JsonDocument(GrammarSpec("json_schema", "{}"))
NO_TEXT = TokenRef(frozenset(VOCABULARY.eos_token_ids))
LETTER = TokenRef(frozenset([ord("a")]))


@pytest.mark.parametrize("seed", range(60))
def test_random_grammars_against_the_oracle(seed: int) -> None:
    """Without an error exactly the texts without the strings are left. Strings across a boundary are not missed."""
    rng = random.Random(seed)
    graph = random_graph(rng, 1 + seed % 3)
    banned = tuple(rng.sample(["aa", "bb", "ab", "ba", "aab", "bab", "abb"], rng.randint(1, 2)))
    across = _Boundaries(graph.rules, lambda _: None).across(graph.start, banned)
    assert set(across) >= {one for one in banned if _Search(graph.rules, one, lambda _: None).may_find(graph.start)}
    try:
        narrowed = without_substrings(graph, banned, VOCABULARY)
    except UnsupportedGrammarError:
        assert across
        return
    for text in TEXTS:
        is_text = accepts(graph, text) and not any(one in text for one in banned)
        assert accepts(narrowed, text) == is_text, text


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (("a", "b"), "ab"),
        (("a", DOCUMENT, "b"), None),
        (("a", NO_TEXT, "b"), "ab"),
        (("b", LETTER, "b"), "ab"),
        ((LETTER, DOCUMENT), "ab"),
        (("b", "a"), None),
        (("xab", "a"), None),
    ],
)
def test_documents_and_tokens(parts: tuple[str | JsonDocument | TokenRef, ...], found: str | None) -> None:
    """A document separates the texts around it; a token without text does not; a token with one may be any text."""
    rule = Sequence(tuple([Terminal(lang.text(part)) if isinstance(part, str) else part for part in parts]))
    graph = RuleGraph({"root": rule}, "root")

    def separates(part: JsonDocument | TokenRef) -> bool | None:
        return True if isinstance(part, JsonDocument) else None if part is LETTER else False

    assert spelled_by_several(graph, ["zz", "ab"] if LETTER not in parts else ["ab"], separates) == found
