"""Every feature of every dialect: the texts that a grammar takes and refuses."""

from __future__ import annotations

import pytest

from guided.grammars.ebnf import read_ebnf
from guided.grammars.ebnf.lark_literals import COMMON_NAMES, common_terminal
from guided.grammars.regex import algebra as lang
from tests.cases.ebnf_cases import COMMON_CASES, EBNF_CASES, EbnfCase

from .recogniser import accepts


@pytest.mark.parametrize("case", EBNF_CASES, ids=lambda case: case.name)
def test_texts(case: EbnfCase) -> None:
    graph = read_ebnf(case.grammar, case.dialect)
    assert [text for text in case.accepts if not accepts(graph, text)] == []
    assert [text for text in case.rejects if accepts(graph, text)] == []


@pytest.mark.parametrize("name", COMMON_NAMES)
def test_common_terminals(name: str) -> None:
    language = common_terminal(name)
    taken, refused = COMMON_CASES[name]
    assert [text for text in taken if not lang.matches(language, text)] == []
    assert [text for text in refused if lang.matches(language, text)] == []


def test_notes_tell_what_does_not_matter() -> None:
    lookahead = read_ebnf('root ::= "a" (= "b")', "xgrammar")
    assert lookahead.notes == ("the lookahead of rule root does not change the language; it is ignored",)
    regexes = read_ebnf('root[capture] ::= Regex("a(?=.)b") Regex("(?!x).")', "xgrammar")
    assert [note.split(" (")[0] for note in regexes.notes] == [
        "assertions of a regex",
        "the option capture of rule root does not change the language; it is ignored",
    ]
    graph = read_ebnf('%llguidance {"no_forcing": true}\nstart.2: A\nA.3: /a(?=.)b/\nb[capture]: "c"', "lark")
    assert [note.split(" does")[0].split(" (")[0] for note in graph.notes] == [
        "no_forcing",
        "the priority of start",
        "the priority of A",
        "the capture of b",
        "assertions of a regex",
    ]
