"""Rule graphs as networks: what is regular is folded, what is recursive is cut, components."""

from __future__ import annotations

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, InvalidStructuralTagError, UnsatisfiableError
from guided.grammars.limits import Limits
from guided.grammars.memory.components import components
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import Choice, CountedRepeat, RuleGraph, RuleRef, Sequence, Terminal
from guided.grammars.rules.network import build_network
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.vocabularies import byte_vocabulary, mask_of

VOCABULARY = byte_vocabulary()


def _text(string: str) -> Terminal:
    return Terminal(lang.text(string))


def test_regular_rules_become_one_terminal() -> None:
    graph = RuleGraph(
        {
            "start": Sequence((RuleRef("word"), CountedRepeat(Sequence((_text(","), RuleRef("word"))), 0, None))),
            "word": CountedRepeat(Choice((_text("a"), _text("b"))), 1, 3),
            "unused": _text("x"),
        },
        "start",
    )
    network = build_network(graph, Limits())
    assert list(network.rules) == [""]
    assert len(network.flags) == 2
    (language, _) = network.position(0).terminals[0]
    assert [text for text in ("ab,b", "aaa", "", "aaaa", "a,") if lang.matches(language, text)] == ["ab,b", "aaa"]


def test_only_what_comes_after_brackets_is_cut() -> None:
    graph = RuleGraph(
        {
            "sum": Sequence((RuleRef("call"), CountedRepeat(Sequence((_text("+"), RuleRef("call"))), 0, None))),
            "call": Sequence((RuleRef("name"), CountedRepeat(RuleRef("arguments"), 0, None))),
            "arguments": Sequence((_text("("), RuleRef("sum"), _text(")"))),
            "name": Choice((_text("f"), Sequence((_text("["), RuleRef("sum"), _text("]"))))),
        },
        "sum",
    )
    network = build_network(graph, Limits())
    cut = [position for position in network.positions if position.is_cut]
    assert len(cut) == 2
    assert all(len(position.terminals) == 1 and not position.calls for position in cut)


def test_components_come_after_those_they_lead_to() -> None:
    graph = {"a": "bc", "b": "d", "c": "a", "d": "e", "e": "d", "f": ""}
    found = [sorted(component) for component in components(list(graph), lambda node: graph[node])]
    assert sorted(found) == [["a", "c"], ["b"], ["d", "e"], ["f"]]
    assert found.index(["d", "e"]) < found.index(["b"]) < found.index(["a", "c"])


def test_vocabulary_without_some_bytes() -> None:
    vocabulary = Vocabulary([b"a", b"b", b"(", b")", "é".encode(), None], [5])
    grammar = compile_grammar(
        vocabulary, ebnf='root ::= "a" | "(" root ")" | "x" | "{" root', dialect="gbnf", cache=None
    )
    matcher = grammar.matcher()
    assert mask_of(matcher, vocabulary) == [0, 2]
    with pytest.raises(UnsatisfiableError):
        compile_grammar(vocabulary, regex="x+", cache=None)
    with pytest.raises(UnsatisfiableError):
        compile_grammar(vocabulary, choice=["x", "y"], cache=None)
    matcher = compile_grammar(vocabulary, choice=["x", "ba", "é"], cache=None).matcher()
    assert mask_of(matcher, vocabulary) == [1, 4]


def test_arguments() -> None:
    with pytest.raises(InvalidInputError, match="exactly one grammar, 2 are given"):
        compile_grammar(VOCABULARY, regex="a", ebnf='root ::= "a"')
    with pytest.raises(InvalidInputError, match="dialect applies to ebnf only"):
        compile_grammar(VOCABULARY, regex="a", dialect="gbnf")
    with pytest.raises(InvalidInputError, match="ebnf is a bytes"):
        compile_grammar(VOCABULARY, ebnf=b"x")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="structural_tag is a list"):
        compile_grammar(VOCABULARY, structural_tag=[])  # type: ignore[arg-type]
    with pytest.raises(InvalidStructuralTagError, match="not JSON"):
        compile_grammar(VOCABULARY, structural_tag="{")
    with pytest.raises(InvalidInputError, match="json_schema only"):
        compile_grammar(VOCABULARY, choice=["a"], whitespace="compact")
