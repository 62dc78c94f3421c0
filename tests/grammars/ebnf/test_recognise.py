"""Which dialect a text is written in, when nobody says so."""

from __future__ import annotations

import pytest

from guided.grammars import library
from guided.grammars.ebnf import read_ebnf
from guided.grammars.errors import InvalidGrammarError, InvalidInputError
from tests.cases.ebnf_cases import EBNF_CASES, EbnfCase

from .recogniser import accepts

SEVERAL_MEANINGS = {"gbnf two hexadecimal digits only", "xgrammar long hexadecimal escape"}


@pytest.mark.parametrize("case", EBNF_CASES, ids=lambda case: case.name)
def test_tables(case: EbnfCase) -> None:
    if case.name in SEVERAL_MEANINGS:
        with pytest.raises(InvalidInputError, match="something else in each of the dialects gbnf, xgrammar; name one"):
            read_ebnf(case.grammar)
        return
    found, named = read_ebnf(case.grammar), read_ebnf(case.grammar, case.dialect)
    assert (list(found.rules), found.start) == (list(named.rules), named.start)
    assert [text for text in case.accepts if not accepts(found, text)] == []
    assert [text for text in case.rejects if accepts(found, text)] == []


@pytest.mark.parametrize("name", library.names())
def test_ready_grammars(name: str) -> None:
    grammar = library.get(name)
    if grammar.kind == "ebnf":
        found, named = read_ebnf(grammar.source), read_ebnf(grammar.source, grammar.dialect)
        assert (list(found.rules), found.start) == (list(named.rules), named.start)


def test_a_comment_of_gbnf_may_be_a_character_of_w3c() -> None:
    with pytest.raises(InvalidInputError, match="each of the dialects gbnf, xgrammar, w3c"):
        read_ebnf('root ::= "a" #x20')


@pytest.mark.parametrize("text", ["", "hello", "{}", "# start: x"])
def test_no_rule(text: str) -> None:
    with pytest.raises(InvalidInputError, match="in none of the dialects gbnf, xgrammar, w3c, lark: it has no rule"):
        read_ebnf(text)


@pytest.mark.parametrize("text", ['digit = "0" | "1" ;\nnumber = digit, { digit } ;', '<digit> ::= "1"', 'a = "b"'])
def test_rules_of_iso_ebnf_are_told_apart(text: str) -> None:
    with pytest.raises(InvalidInputError, match=r"it has no rule; it looks like ISO EBNF or BNF: .* name ::= \.\.\."):
        read_ebnf(text)


def test_the_error_is_that_of_the_dialect_that_got_farthest() -> None:
    with pytest.raises(InvalidGrammarError) as caught:
        read_ebnf('root ::= "a"\n  | b')
    assert caught.value.reason == (
        "read as xgrammar: the rule b is not defined; as gbnf: a rule goes on in the next line only after | and inside "
        "parentheses; expected a rule (name ::= ...) in line 2; as w3c: the rule b is not defined in line 2"
    )
    with pytest.raises(InvalidGrammarError, match="the rule foo is not defined"):
        read_ebnf("start: foo")
