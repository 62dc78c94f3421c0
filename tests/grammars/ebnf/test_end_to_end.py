"""EBNF through `compile_grammar` and the native machine: the tables byte by byte, masks, tokens, random walks."""

from __future__ import annotations

import random

import pytest

from guided.grammars import compile_grammar, library
from guided.grammars.ebnf import read_ebnf
from guided.grammars.errors import InvalidGrammarError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from tests.cases.ebnf_cases import EBNF_CASES, EbnfCase
from tests.cases.library_cases import LIBRARY_CASES
from tests.grammars.vocabularies import BYTES, accept_bytes, accepted_ids, byte_vocabulary, mask_of

from .recogniser import accepts

VOCABULARY = byte_vocabulary()
THINK, END_THINK, EOS, AB = 258, 259, 260, 257
SPECIAL = Vocabulary(
    [*BYTES, b"<b>", b"ab", None, None, None], [EOS], {"<think>": THINK, "</think>": END_THINK, "<eos>": EOS}
)
A, B, X = b"abx"


def allows(grammar: CompiledGrammar, text: str) -> bool:
    """True if the grammar can write the text, byte by byte, and end there."""
    matcher = grammar.matcher()
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize("case", EBNF_CASES, ids=lambda case: case.name)
def test_dialects(case: EbnfCase) -> None:
    grammar = compile_grammar(VOCABULARY, ebnf=case.grammar, dialect=case.dialect)
    assert [text for text in case.accepts if not allows(grammar, text)] == []
    assert [text for text in case.rejects if allows(grammar, text)] == []


@pytest.mark.parametrize("name", library.names())
def test_library(name: str) -> None:
    grammar = compile_grammar(VOCABULARY, **library.get(name).arguments)
    assert [text for text in LIBRARY_CASES[name].accepts if not allows(grammar, text)] == []
    assert [text for text in LIBRARY_CASES[name].rejects if allows(grammar, text)] == []


@pytest.mark.parametrize("name", [name for name in library.names() if library.get(name).kind == "ebnf"])
def test_random_walks_end_in_texts_of_the_grammar(name: str) -> None:
    source = library.get(name)
    grammar, graph = compile_grammar(VOCABULARY, **source.arguments), read_ebnf(source.source, source.dialect)
    rng = random.Random(3)
    for _ in range(3):
        matcher, written = grammar.matcher(), b""
        while not matcher.is_terminated():
            allowed = mask_of(matcher, VOCABULARY)
            if len(written) < 12 and rng.random() < 0.1:
                assert allowed == accepted_ids(matcher, VOCABULARY)
            ends = [token_id for token_id in allowed if token_id in VOCABULARY.eos_token_ids]
            assert bool(ends) == matcher.is_accepting()
            token_id = ends[0] if ends and len(written) > 20 else _likely(allowed, rng)
            assert matcher.accept_token(token_id)
            written += VOCABULARY.tokens[token_id] or b""
            if len(written) > 400:
                break  # no short way out: it is not this test's to find one
        else:
            assert accepts(graph, written.decode())


def _likely(allowed: list[int], rng: random.Random) -> int:
    """One of the ids, printable ASCII where there is some, so that texts do not stay in strings."""
    printable = [token_id for token_id in allowed if 32 <= token_id < 127]
    return rng.choice(printable or allowed)


@pytest.mark.parametrize(
    ("dialect", "grammar", "token_ids", "is_allowed"),
    [
        ("gbnf", 'root ::= <think> [a-z]* </think> "x"', [THINK, A, AB, END_THINK, X], True),
        ("gbnf", 'root ::= <think> [a-z]* </think> "x"', [A], False),
        ("gbnf", "root ::= <[258]> !<[97]>* <b>", [THINK, B, 256], True),
        ("gbnf", "root ::= <[258]> !<[97]>* <b>", [THINK, A], False),
        ("xgrammar", 'root ::= Token(258, 259) "ab" ExcludeToken(98)', [END_THINK, A, B, A], True),
        ("xgrammar", 'root ::= Token(258, 259) "ab" ExcludeToken(98)', [THINK, AB, B], False),
        ("xgrammar", 'root ::= TokenTagDispatch((258, x), excludes=(97,))\nx ::= "x"', [B, THINK, X, B], True),
        ("xgrammar", 'root ::= TokenTagDispatch((258, x), excludes=(97,))\nx ::= "x"', [THINK, B], False),
        ("xgrammar", 'root ::= TokenTagDispatch((258, x), loop_after_dispatch=false)\nx ::= "x"', [A, THINK, X], True),
        ("xgrammar", 'root ::= TokenTagDispatch((258, x), loop_after_dispatch=false)\nx ::= "x"', [THINK, X, B], False),
        ("lark", "start: <think> /[a-z]+/ <[259]> <[^97-98]>?", [THINK, A, END_THINK, X], True),
        ("lark", "start: <think> /[a-z]+/ <[259]> <[^97-98]>?", [THINK, A, END_THINK, A], False),
        ("lark", "start: <[*]> <[97,100-101]>", [THINK, A], True),
        ("lark", "start: <[*]> <[97,100-101]>", [THINK, B], False),
    ],
)
def test_tokens(dialect: str, grammar: str, token_ids: list[int], is_allowed: bool) -> None:
    matcher = compile_grammar(SPECIAL, ebnf=grammar, dialect=dialect).matcher()
    taken = all(matcher.accept_token(token_id) for token_id in token_ids)
    assert (taken and matcher.is_accepting()) == is_allowed


@pytest.mark.parametrize(
    ("dialect", "grammar", "reason"),
    [
        ("lark", "start: <thnik>", "the vocabulary has no token <thnik>; did you mean <think>?"),
        ("lark", "start: <[700]>", "token 700 is outside the vocabulary of 261 tokens"),
        ("lark", "start: <[9-3]>", "the range 9-3 is empty"),
        ("lark", "start: <[x]>", "ids of tokens are written <[7]>"),
        ("lark", "start: A\nA: <think>", "a token can't be a part of a terminal"),
        ("gbnf", "root ::= <[x]>", "a token is written <name> or <[id]>"),
        ("gbnf", "root ::= <[99999999999999999999]>", "a token is written <name> or <[id]>"),
        ("xgrammar", "root ::= Token(261)", "token 261 is outside the vocabulary of 261 tokens"),
        ("xgrammar", "root ::= TokenTagDispatch((3, root), (3, root))", "token 3 is named twice"),
    ],
)
def test_tokens_that_are_not_there(dialect: str, grammar: str, reason: str) -> None:
    with pytest.raises(InvalidGrammarError) as caught:
        compile_grammar(SPECIAL, ebnf=grammar, dialect=dialect)
    assert reason in caught.value.reason
