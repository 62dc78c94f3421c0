"""Texts of long counts: units are counted beside the state. Masks against states for each count, and byte by byte."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.native.general_grammar import GeneralGrammar
from guided.grammars.protocol import Matcher
from guided.grammars.regex import python_re
from guided.grammars.rules import counts
from guided.grammars.rules.counts import count_of
from guided.grammars.rules.expressions import Choice, Expression, JsonDocument, RuleGraph, RuleRef, Sequence, Terminal
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.rules.brute_force import tried_mask
from tests.grammars.vocabularies import byte_vocabulary, mask_of

TOKENS = [
    *("ab", "ba", "aab", "bb;", "abab", "aaaa", "aaaaaaaa", ";;", "a;a", "é", "éé", "aéa", "日本", '";'),
    *("</t>", "</", "a</t", "\n", "a\nb", "{}", "[]", "{};", "a{", "1;"),
]
WORDS = Vocabulary(
    [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in TOKENS), b"a\xc3", b"\xa9a", None],
    [256 + len(TOKENS) + 2],
)
PATTERNS = [
    *(r"a{1,7}", r"[ab]{3,9}", r"\w{1,6}", r".{0,5};", r"x?[ab]{2,8}b", r"[ab]{5}", r"[aé日]{2,7}", r"[ab]{3,}"),
    *(r"([ab]{1,5};){2,4}", r"(?:[^\n]{1,4}\n){1,3}", r"([ab]{5}|a;){3}", r"([a]{2,5}b[é]{1,6};)*"),
    *(r"(a|b;){2,7}", r"(a|bb;)*;[ab]{4,}", r"(é|日本|a){3,6}b", r"(a|ab){2,4}", r"(\"[ab]*\"){2,4}"),
    *(r".{1,6}a.{1,5}", r"([ab]{1,4};?){1,6}", r"[ab]{2,6}|[a;]{3,7}x"),  # several counts at once
    *(r"(?=[ab]{2,6}$)(a|ab)+b", r"(?=.{4,8}$)a(bb)*(;a)?", r"(?=.{3,8}$)(?!.*bb)[ab]+;a*"),
    *(r"(?!ab)\w{2,6};?", r"(?!.*bb)[ab;]{2,7}", r"(?=.{3,})[ab]{1,6}", r"(?=.*a)(?=.*b)[ab;é]{2,7}"),
    *(r"(?=.{2,6}$)[ab]+(;[ab]+)*\n?", r"(?=x?[ab;]{2,5}b$)[ab;x]+", r"(?=.{2,5};\Z)(?!a)[ab;]{3,9}"),
    *(r"(?![\s\S]*</t>)[\s\S]{2,9}" + "@</t>", r"(?![\s\S]*</t>)[\s\S]{0,6}" + "@</t>x"),
]


LONG_TEXT = {
    "format": {"type": "tag", "begin": "The", "content": {"type": "any_text", "max_chars": 2000}, "end": "<end>"}
}


class Uncounted(GeneralGrammar):
    may_count = False


def sequence(pattern: str) -> Expression:
    """The terminals of a pattern, in which @ stands between two."""
    return Sequence(tuple([Terminal(python_re.full(part)) for part in pattern.split("@")]))


def of_rules(kind: type[GeneralGrammar], rules: dict[str, Expression]) -> Matcher:
    return kind(GrammarSpec("ebnf", ""), WORDS, RuleGraph(rules, "s"), Limits()).matcher()


def compare(rules: dict[str, Expression], rng: random.Random, num_texts: int = 12) -> None:
    """Random texts of a grammar with and without counts: masks, jump-forward, completion, rollback."""
    first, other = of_rules(GeneralGrammar, rules), of_rules(Uncounted, rules)
    for _ in range(num_texts):
        taken: list[int] = []
        first.reset()
        other.reset()
        while not first.is_terminated() and len(taken) < 40:
            allowed = mask_of(first, WORDS)
            assert allowed == mask_of(other, WORDS), (rules, taken)
            if rng.random() < 0.2:
                assert allowed == tried_mask(first, WORDS)
                assert first.find_jump_forward_bytes() == other.find_jump_forward_bytes()
                completion, scout = first.find_shortest_completion(), first.fork()
                assert len(WORDS.join(completion)) == len(WORDS.join(other.find_shortest_completion()))
                assert all(map(scout.accept_token, completion))
                assert scout.is_accepting()
            usual = [token for token in allowed if (WORDS.tokens[token] or b"\xff").isascii()]
            token = rng.choice(usual if usual and rng.random() < 0.6 else allowed)
            assert first.accept_token(token)
            assert other.accept_token(token)
            taken.append(token)
        back = rng.randint(0, len(taken))
        first.rollback(back)
        other.rollback(back)
        assert mask_of(first, WORDS) == mask_of(other, WORDS)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_counted_texts_have_the_masks_of_states_for_each_count(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MIN_COUNT", 1)
    compare({"s": sequence(pattern)}, random.Random(pattern))


def test_counts_in_recursive_rules_and_beside_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MIN_COUNT", 1)
    document = JsonDocument(GrammarSpec("json_schema", '{"type": "array", "items": {"type": "integer"}}'))
    nested = Sequence((Terminal(python_re.full("a")), RuleRef("s"), Terminal(python_re.full("b{1,3};"))))
    choices: list[Callable[[], dict[str, Expression]]] = [
        lambda: {"s": Sequence((Terminal(python_re.full(r".{2,5}")), document, Terminal(python_re.full(";?"))))},
        lambda: {"s": Sequence((document, Terminal(python_re.full(r"[^x]{1,4};"))))},
        lambda: {"s": counted_or(nested)},
        lambda: {"s": counted_or(document)},
    ]
    for make in choices:
        compare(make(), random.Random(5))


def counted_or(other: Expression) -> Expression:
    return Choice((Terminal(python_re.full(r"[ab]{2,6}")), Sequence((Terminal(python_re.full(r"b?")), other))))


def test_long_counts_of_everything_that_writes_text() -> None:
    vocabulary = byte_vocabulary()
    tag = {"type": "tag", "begin": "<a>", "content": {"type": "any_text", "max_chars": 4000}, "end": "</a>"}
    schema = {"type": "object", "properties": {"x": {"type": "string", "maxLength": 2000}}, "required": ["x"]}
    xml = {"type": "json_schema", "style": "qwen_xml", "json_schema": schema}
    in_quotes = 'root ::= "\\"" char{0,4000} "\\""\nchar ::= [^"\\\\] | "\\\\" ["\\\\bfnrt]'
    cases = [
        (compile_grammar(vocabulary, regex=r"[\w ,.]{1,500}"), "", "Ünter dem ", 500, ""),
        (compile_grammar(vocabulary, regex=r"\w{1,2000}"), "", "größe1", 2000, ""),
        (compile_grammar(vocabulary, regex=r".{1,4000}"), "", "It was cold. ", 4000, ""),
        (compile_grammar(vocabulary, ebnf=in_quotes), '"', "It was", 4000, '"'),
        (
            compile_grammar(vocabulary, structural_tag={"type": "structural_tag", "format": tag}),
            "<a>",
            "is 5",
            4000,
            "</a>",
        ),
        (
            compile_grammar(vocabulary, structural_tag={"type": "structural_tag", "format": xml}),
            *("<parameter=x>\n", "is 5", 2000, "\n</parameter>"),
        ),
    ]
    for grammar, before, unit, most, after in cases:
        matcher = grammar.matcher()
        text = (unit * most)[:most]
        assert all(map(matcher.accept_token, (before + text).encode()))
        assert not matcher.accept_token(ord("a"))
        completion = matcher.find_shortest_completion()
        assert bytes(completion) == after.encode()
        assert all(map(matcher.accept_token, after.encode()))
        assert matcher.is_accepting()
        matcher.rollback(len(after.encode()) + 1)
        assert matcher.accept_token(text.encode()[-1])
        assert grammar.num_bytes < 20_000_000


@pytest.mark.parametrize(
    "grammar",
    [
        {"regex": r"(?!.*admin)[\w ]{1,2000}"},
        {"regex": r"(?=.*fox)(?=.*dog)[\w ]{10,2000}"},
        {"regex": r"(?=.{1,2000}$)[\w ]+( [\w ]+)*"},
        {"regex": r"(\w{1,800} ){1,400}"},
        {"regex": r"([\w ]{1,40} ){1,90}"},
        {"all_of": [{"regex": r"[\w ]{5,1900}"}, {"banned_substrings": ["admin", "TODO"]}]},
        {"all_of": [{"structural_tag": LONG_TEXT}, {"banned_substrings": ["admin"]}]},
    ],
    ids=str,
)
def test_long_counts_beside_other_conditions(grammar: Any) -> None:
    matcher = compile_grammar(byte_vocabulary(), **grammar).matcher()
    assert all(map(matcher.accept_token, b"The quick fox jumps over a lazy dog and then it sleeps " * 20))
    assert matcher.is_accepting() or matcher.find_shortest_completion()


def test_a_lower_bound_is_reached_in_the_budget() -> None:
    vocabulary = byte_vocabulary()
    matcher = compile_grammar(vocabulary, regex=r"<[a-z]{300,4000}>").matcher()
    assert len(matcher.find_shortest_completion()) == 302
    assert all(map(matcher.accept_token, b"<" + b"a" * 299))
    assert not matcher.fork().accept_token(ord(">"))
    assert len(matcher.find_shortest_completion()) == 2
    assert matcher.accept_token(ord("a"))
    assert len(matcher.find_shortest_completion()) == 1


def test_counts_in_counts_are_not_spelled_out_without_end() -> None:
    pattern = r"\w{1,800} "
    for _ in range(30):
        pattern = f"(?:(?:{pattern}){{1,400}};)"
    rules = counts.with_counts_apart({"s": Terminal(python_re.full(pattern))})
    assert isinstance(rules["s"], Terminal | Sequence)
    matcher = compile_grammar(byte_vocabulary(), regex=pattern).matcher()
    assert all(map(matcher.accept_token, b"ab c "))


def test_what_is_counted() -> None:
    assert count_of(python_re.full(r"a{1,100}")) is None
    assert count_of(python_re.full(r"(?:[ab]{1,90};){1,80}")) is not None
    assert count_of(python_re.full(r"(?:\w{1,90};){1,80}")) is None
    assert count_of(python_re.full(r"a{1,101}")) is not None
