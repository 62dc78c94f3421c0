"""Strings that texts of rules must not contain: terminals alone, and strings that several terminals spell together."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from guided.grammars.errors import LimitExceededError, UnsupportedGrammarError
from guided.grammars.regex import algebra as lang
from guided.grammars.rules import substrings
from guided.grammars.rules.expressions import JsonDocument, RuleGraph, Sequence, Terminal, TokenRef
from guided.grammars.rules.substrings import _Boundaries, _Search, spelled_by_several, without_substrings
from guided.grammars.spec import GrammarSpec, StyledWriting
from tests.grammars.rules.oracle import accepts, random_graph
from tests.grammars.vocabularies import byte_vocabulary

TEXTS = ["".join(letters) for size in range(5) for letters in itertools.product("ab", repeat=size)]
VOCABULARY = byte_vocabulary()
DOCUMENT = JsonDocument(GrammarSpec("json_schema", "{}"))
STYLED = JsonDocument(GrammarSpec("json_schema", "{}", styled=StyledWriting("glm_xml")))
NO_TEXT = TokenRef(frozenset(VOCABULARY.eos_token_ids))
LETTER = TokenRef(frozenset([ord("a")]))


@pytest.mark.parametrize("seed", range(60))
def test_random_grammars_against_the_oracle(seed: int) -> None:
    """Without an error exactly the texts without the strings are left. Strings across a boundary are not missed."""
    rng = random.Random(seed)
    graph = random_graph(rng, 1 + seed % 3)
    banned = tuple(rng.sample(["aa", "bb", "ab", "ba", "aab", "bab", "abb"], rng.randint(1, 2)))
    across = _Boundaries(graph.rules, True).across(graph.start, banned)
    assert set(across) >= {one for one in banned if _Search(graph.rules, one, True).may_find(graph.start)}
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
        (("b", LETTER), "ba"),
        ((LETTER, NO_TEXT, "b"), "ab"),
        (("b", LETTER, "a"), None),
        ((LETTER, DOCUMENT), None),
        ((LETTER, STYLED, "b"), "ab"),
        ((LETTER, STYLED, DOCUMENT, "b"), None),
        (("b", "a"), None),
        (("xab", "a"), None),
    ],
)
def test_documents_and_tokens(parts: tuple[str | JsonDocument | TokenRef, ...], found: str | None) -> None:
    """A document separates the texts around it. A token has its own text, or none."""
    rule = Sequence(tuple([Terminal(lang.text(part)) if isinstance(part, str) else part for part in parts]))
    graph = RuleGraph({"root": rule}, "root")
    if found is None:
        assert without_substrings(graph, ("zz", "ab"), VOCABULARY).rules
        return
    with pytest.raises(UnsupportedGrammarError, match=f"may spell '{found}' together"):
        without_substrings(graph, ("zz", found), VOCABULARY)


@pytest.mark.parametrize("part", [DOCUMENT, LETTER])
def test_documents_and_tokens_of_any_text(part: JsonDocument | TokenRef) -> None:
    graph = RuleGraph({"root": Sequence((Terminal(lang.text("a")), part)), "unused": NO_TEXT}, "root")
    assert spelled_by_several(graph, ["zz"], documents_separate=False) == "zz"


def test_the_limit_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """No field of `Limits` raises it, and the message says so."""
    monkeypatch.setattr(substrings, "_BUDGET", 10)
    letters = Terminal(lang.repeat(lang.text("a"), 0, 20))
    graph = RuleGraph({"root": Sequence((letters, Terminal(lang.text("b"))))}, "root")
    message = r"states_of_excluded_strings = 10 states exceeded \(.* together\); it is fixed: make the grammar simpler"
    with pytest.raises(LimitExceededError, match=message):
        without_substrings(graph, ("ab",), VOCABULARY)


def test_tokens_whose_text_holds_a_banned_string() -> None:
    """They are left out; the others stay."""
    rule = Sequence((TokenRef(frozenset(b"abc")), DOCUMENT))
    changed = without_substrings(RuleGraph({"root": rule}, "root"), ("b", "cc"), VOCABULARY).rules["root"]
    assert isinstance(changed, Sequence)
    assert changed.parts[0] == TokenRef(frozenset(b"ac"))


@pytest.mark.parametrize(
    ("ids", "message"), [(range(20, 100), "a set of 80 tokens; the maximum is 64"), ([200], "part of a character")]
)
def test_tokens_that_are_not_searched(ids: Iterable[int], message: str) -> None:
    graph = RuleGraph({"root": Sequence((TokenRef(frozenset(ids)), DOCUMENT))}, "root")
    with pytest.raises(UnsupportedGrammarError, match=f"can't be applied to .*{message}; use text instead of tokens"):
        without_substrings(graph, ("TODO",), VOCABULARY)
