"""Recursion of all kinds, deep nesting, endless and empty rules, limits; the other methods of matchers."""

from __future__ import annotations

import random

import pytest

from guided.grammars.errors import GrammarError, InvalidInputError, LimitExceededError, UnsatisfiableError
from guided.grammars.limits import Limits
from guided.grammars.regex import algebra as lang
from guided.grammars.rules.expressions import (
    EMPTY,
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)
from guided.grammars.rules.network import build_network
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.rules.brute_force import LETTERS, check_walk, compiled
from tests.grammars.vocabularies import byte_vocabulary, mask_of

BYTES = byte_vocabulary()


def text(string: str) -> Terminal:
    return Terminal(lang.text(string))


def seq(*parts: Expression) -> Sequence:
    return Sequence(parts)


def any_of(*options: Expression) -> Choice:
    return Choice(options)


rule = RuleRef
digits = Terminal(lang.repeat(lang.chars(((48, 57),)), 1))

ARITHMETIC = RuleGraph(
    {
        "sum": any_of(seq(rule("sum"), text("+"), rule("product")), rule("product")),
        "product": any_of(seq(rule("product"), text("*"), rule("value")), rule("value")),
        "value": any_of(digits, seq(text("("), rule("sum"), text(")"))),
    },
    "sum",
)


def accepts(graph: RuleGraph, string: str) -> bool:
    matcher = compiled(graph, BYTES).matcher()
    return all(matcher.accept_token(byte) for byte in string.encode()) and matcher.is_accepting()


def test_arithmetic() -> None:
    for string in ("1", "1+2*(3+4)", "((1))*2", "(1+2)*(3)+4"):
        assert accepts(ARITHMETIC, string), string
    for string in ("", "1+", "(1", "1)", "()", "1**2"):
        assert not accepts(ARITHMETIC, string), string


def test_indirect_and_hidden_left_recursion() -> None:
    indirect = RuleGraph(
        {"a": any_of(seq(rule("b"), text("x")), text("1")), "b": any_of(seq(rule("a"), text("y")), text("2"))}, "a"
    )
    assert [string for string in ("1", "2x", "1yx", "2xyx", "1yxyx", "1x", "2", "2y") if accepts(indirect, string)] == [
        *("1", "2x", "1yx", "2xyx", "1yxyx")
    ]
    hidden = RuleGraph(
        {"a": any_of(seq(rule("e"), rule("a"), text("x")), text("1")), "e": any_of(EMPTY, text("e"))}, "a"
    )
    assert [string for string in ("1", "1x", "e1x", "ee1xx", "e1xx", "e1", "ee1x") if accepts(hidden, string)] == [
        *("1", "1x", "e1x", "ee1xx", "e1xx")
    ]
    circular = RuleGraph({"a": any_of(rule("a"), rule("b"), text("1")), "b": any_of(rule("a"), text("2"))}, "a")
    assert [string for string in ("1", "2", "", "11") if accepts(circular, string)] == ["1", "2"]


def test_only_the_empty_text() -> None:
    matcher = compiled(RuleGraph({"a": any_of(EMPTY, seq(rule("a"), rule("a")))}, "a"), BYTES).matcher()
    assert matcher.is_accepting()
    assert mask_of(matcher, BYTES) == sorted(BYTES.eos_token_ids)


def test_ambiguous_palindromes() -> None:
    graph = RuleGraph({"s": any_of(*[seq(text(c), rule("s"), text(c)) for c in "ab"], text("a"), EMPTY)}, "s")
    for string in ("", "a", "aa", "bab", "abba", "abaaba", "bbabb", "abbaabbaabba"):
        assert accepts(graph, string), string
    for string in ("b", "ab", "aba", "aabab", "abab"):
        assert not accepts(graph, string), string


def test_200_levels_deep() -> None:
    matcher = compiled(ARITHMETIC, BYTES).matcher()
    for _ in range(200):
        assert matcher.accept_token(ord("("))
    assert matcher.accept_token(ord("1"))
    for level in range(200):
        assert not matcher.is_accepting(), level
        assert ord(")") in mask_of(matcher, BYTES)
        assert matcher.accept_token(ord(")"))
    assert matcher.is_accepting()
    assert ord(")") not in mask_of(matcher, BYTES)


def test_states_do_not_grow_with_depth() -> None:
    grammar = compiled(ARITHMETIC, BYTES)
    sizes = []
    for depth in (10, 300):
        matcher = grammar.matcher()
        assert all(matcher.accept_token(byte) for byte in b"(" * depth + b"1" + b")" * depth)
        sizes.append(len(grammar._automaton.states))
    assert sizes[0] == sizes[1]


def test_tokens_that_close_several_levels() -> None:
    vocabulary = Vocabulary([*(bytes([byte]) for byte in range(256)), b")))", b"1)", b"))+((", b"((1+", None], [260])
    for seed in range(10):
        check_walk(compiled(ARITHMETIC, vocabulary).matcher(), vocabulary, random.Random(seed), 20, b")")


def test_repeats_of_rules() -> None:
    pair = seq(text("("), any_of(rule("s"), EMPTY), text(")"))
    graph = RuleGraph({"s": CountedRepeat(pair, 2, 3)}, "s")
    assert [n for n in range(5) if accepts(graph, "()" * n)] == [2, 3]
    assert accepts(graph, "(()())()")
    assert not accepts(graph, "(())()")


def test_rules_that_never_end_and_undefined_rules() -> None:
    with pytest.raises(GrammarError, match="rule 'b' never ends"):
        build_network(RuleGraph({"a": any_of(rule("b"), text("x")), "b": seq(text("y"), rule("b"))}, "a"), Limits())
    with pytest.raises(GrammarError, match="rule 'a' refers to 'c', which is not defined"):
        build_network(RuleGraph({"a": any_of(rule("c"), text("x"))}, "a"), Limits())
    with pytest.raises(InvalidInputError, match="start rule 'z'"):
        build_network(RuleGraph({"a": text("x")}, "z"), Limits())
    nothing = Terminal(lang.intersect(lang.text("a"), lang.repeat(lang.text("b"), 0)))
    with pytest.raises(UnsatisfiableError):
        build_network(RuleGraph({"a": seq(text("x"), nothing)}, "a"), Limits())
    assert accepts(RuleGraph({"a": any_of(seq(text("x"), nothing), text("y"))}, "a"), "y")
    with pytest.raises(UnsatisfiableError):
        build_network(RuleGraph({"a": TokenRef(frozenset())}, "a"), Limits())


def test_limits() -> None:
    many = RuleGraph({"a": seq(text("("), CountedRepeat(any_of(rule("a"), text("x")), 0, 1000), text(")"))}, "a")
    with pytest.raises(LimitExceededError, match="max_automaton_states"):
        build_network(many, Limits(max_automaton_states=500))
    long = RuleGraph({"a": any_of(seq(text("("), rule("a"), text(")")), text("y" * 60))}, "a")
    matcher = compiled(long, BYTES, Limits(max_automaton_states=30)).matcher()
    with pytest.raises(LimitExceededError, match="max_automaton_states"):
        all(matcher.accept_token(byte) for byte in b"((" + b"y" * 60)


def test_rollback_fork_and_reset() -> None:
    matcher = compiled(ARITHMETIC, BYTES).matcher()
    start = mask_of(matcher, BYTES)
    for byte in b"(1+(2":
        assert matcher.accept_token(byte)
    here, fork = mask_of(matcher, BYTES), matcher.fork()
    assert not matcher.accept_token(ord("("))
    assert matcher.accept_token(ord(")"))
    matcher.rollback(1)
    assert mask_of(matcher, BYTES) == here == mask_of(fork, BYTES)
    matcher.rollback(5)
    assert mask_of(matcher, BYTES) == start
    with pytest.raises(InvalidInputError):
        matcher.rollback(1)
    fork.reset()
    assert mask_of(fork, BYTES) == start


def test_jump_forward() -> None:
    graph = RuleGraph({"a": any_of(seq(text("begin("), rule("a"), text(")end")), text("x"))}, "a")
    matcher = compiled(graph, BYTES).matcher()
    assert matcher.find_jump_forward_bytes() == b""
    assert matcher.accept_token(ord("b"))
    assert matcher.find_jump_forward_bytes() == b"egin("
    for byte in b"egin(x":
        assert matcher.accept_token(byte)
    assert matcher.find_jump_forward_bytes() == b")end"


def test_unicode() -> None:
    letter = Terminal(lang.chars(((0xE0, 0xFF), (0x4E00, 0x9FFF), (0x1F600, 0x1F64F))))
    graph = RuleGraph({"a": any_of(seq(text("é"), rule("a"), text("日")), letter)}, "a")
    for string in ("é", "éé日", "éé漢日日", "é😀日"):
        assert accepts(graph, string), string
    for string in ("日日", "éa日", "é😀"):
        assert not accepts(graph, string), string
    for seed in range(5):
        check_walk(compiled(graph, BYTES).matcher(), BYTES, random.Random(seed), 12)


def _document(schema: str) -> JsonDocument:
    return JsonDocument(GrammarSpec("json_schema", schema, "compact"))


MARKS = Vocabulary(
    [
        *(bytes([byte]) for byte in range(256)),
        *(b'{"a', b'":', b"}</t>", b'"}</t>', b'}</t><t>{"', b"12</t>", b"<t>{", b"<t>5", b'"a":1', b"}}", b'"x"}'),
        *(b"true</t>", b'"</t>', b'<t>"', b'"]', b'", "', b'"a"]</t>', b'"a"]}</t>', None, None, None),
    ],
    [274],
    {"<|x|>": 275, "<|y|>": 276},
)
TAG, END = text("<t>"), text("</t>")
WITH_DOCUMENTS: dict[str, Expression] = {
    "object": seq(
        TAG, _document('{"properties":{"a":{"type":["integer","object"]}},"additionalProperties":false}'), END
    ),
    "repeated": CountedRepeat(seq(TAG, _document("true"), END), 0, None),
    "number": seq(_document('{"type":["integer","boolean","string"]}'), END),
    "only number": seq(_document('{"type":"integer"}'), any_of(text("5"), END)),
    "ambiguous": any_of(
        seq(TAG, _document('{"type":"object"}'), END),
        seq(TAG, Terminal(lang.repeat(lang.ANY_CHAR, 0)), text("!")),
    ),
    "neighbours": seq(
        _document('{"type":"string"}'),
        _document('{"type":"object"}'),
        CountedRepeat(_document('{"type":["array","null"]}'), 0, 2),
    ),
    "unique": seq(_document('{"type":"array","uniqueItems":true,"items":{"enum":["a","b","c"]}}'), END),
    "unique arrays": seq(_document('{"uniqueItems":true,"type":"array","items":{"enum":[[],[1],[[2]]]}}'), END),
    "excluded": seq(_document('{"type":"string","not":{"enum":["a","ab"]}}'), END),
    "unsatisfiable": any_of(_document('{"type":"string","enum":[1]}'), text("x")),
    "recursive": any_of(seq(text("("), rule("s"), text(")")), _document('{"type":["object","boolean"]}')),
    "tokens around": seq(
        CountedRepeat(
            seq(TokenRef(frozenset({275})), _document('{"type":"integer"}'), TokenRef(frozenset({276}))), 0, None
        ),
        Terminal(lang.repeat(lang.chars(((97, 99),)), 0)),
    ),
    "tokens and texts": any_of(
        seq(TokenRef(frozenset({275, 97})), text("b")), text("abc"), seq(text("("), rule("s"), text(")"))
    ),
    "token loop": CountedRepeat(any_of(TokenRef(frozenset({275, 97, 98})), text("ab")), 0, None),
}


@pytest.mark.parametrize("name", WITH_DOCUMENTS)
def test_documents_and_tokens(name: str) -> None:
    grammar = compiled(RuleGraph({"s": WITH_DOCUMENTS[name]}, "s"), MARKS)
    for seed in range(5):
        check_walk(grammar.matcher(), MARKS, random.Random(seed), 25, b'"]}<!)')


def test_document_may_be_written_whole() -> None:
    grammar = compiled(RuleGraph({"s": WITH_DOCUMENTS["repeated"]}, "s"), MARKS)
    for string in (b'<t>{"a":[1,2,{"b":null}]}</t>', b"<t>12</t><t>-1.5e3</t>", b'<t>"</t>"</t>', b""):
        matcher = grammar.matcher()
        assert all(matcher.accept_token(byte) for byte in string), string
        assert matcher.is_accepting()


def test_tokens_that_can_not_be_named() -> None:
    with pytest.raises(GrammarError, match="ends the text"):
        compiled(RuleGraph({"s": TokenRef(frozenset({274}))}, "s"), MARKS)
    with pytest.raises(GrammarError, match="token 300"):
        compiled(RuleGraph({"s": TokenRef(frozenset({300}))}, "s"), MARKS)


def test_letters_vocabulary_walk() -> None:
    graph = RuleGraph({"s": any_of(seq(text("a"), rule("s"), text("b"), rule("s")), EMPTY)}, "s")
    for seed in range(10):
        check_walk(compiled(graph, LETTERS).matcher(), LETTERS, random.Random(seed), 15, b"b")
