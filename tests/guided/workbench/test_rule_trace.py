"""The trace of rules: what it says may come next is what the machine allows, for random texts of all dialects."""

from __future__ import annotations

from typing import Any

import pytest

from guided import compile_grammar
from guided.grammars.ebnf import read_ebnf
from guided.grammars.errors import GuidedError
from guided.workbench.inspection import rule_trace
from guided.workbench.inspection.match import match_text
from guided.workbench.inspection.rule_trace import RuleTrace, live_transitions
from guided.workbench.inspection.samples import sample_texts
from tests.cases.ebnf_cases import EBNF_CASES
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

VOCABULARY = byte_vocabulary()
ARITHMETIC = """root ::= expr
expr ::= term (("+" | "-") term)*
term ::= factor (("*" | "/") factor)*
factor ::= number | "(" expr ")"
number ::= [0-9]+ ("." [0-9]+)?
"""
TABLE = [
    ("", 'factor: "("; or number: a digit', ["root", "expr", "term", "factor"]),
    (
        "(1",
        'more of number: a digit or "."; or more of term: "/" or "*"; or more of expr: "-" or "+"; '
        'or more of factor: ")"',
        ["root", "expr", "term", "factor", "expr", "term", "factor", "number"],
    ),
    ("1.", "more of number: a digit", ["root", "expr", "term", "factor", "number"]),
]


@pytest.mark.parametrize(("text", "words", "path"), TABLE)
def test_words(text: str, words: str, path: list[str]) -> None:
    found = match_text(compile_grammar(VOCABULARY, ebnf=ARITHMETIC, dialect="gbnf"), text).expected
    assert set(found.text.split("; or ")) == set(words.split("; or "))
    assert list(found.rules) == path


def test_left_recursion_and_empty_rules() -> None:
    graph = read_ebnf('start: start a "x" | a\na: | "y"', "lark")
    trace = RuleTrace(graph)
    trace.feed("yyxx")
    assert {character(one) for one in trace.next_terminals} == {"x", "y"}


def character(one: rule_trace.NextTerminal) -> str:
    ((charset, _),) = one.language.transitions()
    return chr(charset[0][0])


def test_it_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_trace, "MAX_ITEMS", 40)
    found = match_text(compile_grammar(VOCABULARY, ebnf=ARITHMETIC, dialect="gbnf"), "1+1+1+1").expected
    assert (found.rules, found.text) == ((), 'a digit, "*", "+", a minus (-), a dot (.) or "/" or the end of the text')


@pytest.mark.parametrize("case", EBNF_CASES, ids=lambda case: case.name)
def test_says_what_the_machine_allows(case: Any) -> None:
    try:
        graph = read_ebnf(case.grammar, case.dialect)
    except GuidedError:
        pytest.skip("it names tokens")
    if graph.foreign:
        pytest.skip("it has documents or tokens")
    grammar = compile_grammar(VOCABULARY, ebnf=case.grammar, dialect=case.dialect)
    texts = [*case.accepts, *sample_texts(grammar, 3, max_bytes=20)]
    for text in texts:
        trace, matcher = RuleTrace(graph), grammar.matcher()
        for letter in [*text[:30], None]:
            told = {
                code
                for one in trace.next_terminals
                for charset, _ in live_transitions(one.language)
                for low, high in charset
                for code in range(low, min(high, 0x7F) + 1)
            }
            assert told == {code for code in range(0x80) if accept_bytes(matcher.fork(), bytes([code]))}
            if letter is not None:
                trace.feed(letter)
                assert accept_bytes(matcher, letter.encode())
        assert not trace.is_lost
