"""Lazy rules commit: what may begin beside one does not go on past the place where its text has ended."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidGrammarError
from tests.backends_table import is_installed
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

VOCABULARY = byte_vocabulary()

TOOLS = r"""
start: (foo | bar)* tail
foo: foo_head %json {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}} "</function>"
bar: bar_head /[0-9]+/ "</function>"
foo_head[lazy]: TEXT "<function=foo>"
bar_head[suffix="<function=bar>"]: TEXT
tail: TEXT
TEXT: /(.|\n)*/
"""
"""As llguidance documents it for tools."""

ELSEWHERE = """
start: item* "|" text tail
item: head "1" | text "2"
tail: "." text | "."
head[lazy]: /[ab]*/ "x"
text: /[abx]+/
"""
"""`text` stands beside a lazy rule and at two other places."""

FIXED = """
start: (call | other)* tail
call: head /[0-9]+/ "."
other: second "x"?
head[lazy]: TEXT "<a"
second[lazy]: TEXT "<b"
tail: TEXT
TEXT: /[<abx0-9.]*/
"""


def is_accepted(grammar: str, text: str, backend: str = "native") -> bool:
    matcher = compile_grammar(VOCABULARY, ebnf=grammar, dialect="lark", backend=backend).matcher()
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("", True),
        ("no call <function=fo", True),
        ('so <function=foo>{"a": 1}</function> and <', True),
        ('<function=foo>{"a": 1}</function><function=bar>12</function>', True),
        ("<function=foo>not json</function>", False),
        ('<function=foo>{"a": 1}</function><function=bar>x</function>', False),
        ('<function=bar>1</function> <function=foo>{"b": 1}</function>', False),
        ("<function=foo>", False),
    ],
)
def test_text_beside_a_lazy_rule_does_not_hold_what_ends_it(text: str, fits: bool) -> None:
    assert is_accepted(TOOLS, text) is fits


@pytest.mark.parametrize(
    ("text", "fits"),
    [("|ab.", True), ("|axb.xx", True), ("ab2ax1|x.", True), ("axb2|x.", False), ("ax2|a.", False), ("|.", False)],
)
def test_a_rule_that_is_used_elsewhere_is_not_restricted_there(text: str, fits: bool) -> None:
    assert is_accepted(ELSEWHERE, text) is fits


@pytest.mark.parametrize("grammar", [FIXED, ELSEWHERE])
def test_llguidance_agrees(grammar: str) -> None:
    if not is_installed("llguidance"):
        pytest.skip("llguidance is not installed; pip install 'guided[backends]'")
    rng = random.Random(0)
    pieces = ["<a", "<b", "<", "a", "x", "1", "12.", "."] if grammar is FIXED else ["a", "b", "x", "1", "2", "|", "."]
    for _ in range(200):
        text = "".join(rng.choice(pieces) for _ in range(rng.randrange(8)))
        assert is_accepted(grammar, text) == is_accepted(grammar, text, "llguidance"), text


def test_the_rest_of_a_grammar_takes_what_it_took() -> None:
    grammar = 'start: head rest\nhead[lazy]: /[a-z]*/ "."\nrest: /[a-z.]*/'
    assert is_accepted(grammar, "ab.cd.e")
    assert not is_accepted(grammar, "abc")


@pytest.mark.parametrize("regex", ["<!--.*?-->", "(<!--.*?-->)", "<!--(.*?)-->"])
@pytest.mark.parametrize("spelling", ["/{}/s", "/(?s:{})/"])
def test_lazy_quantifiers_in_groups(regex: str, spelling: str) -> None:
    grammar = f'start: COMMENT "x"\nCOMMENT: {spelling.format(regex)}'
    assert is_accepted(grammar, "<!-- a\n- -- > -->x")
    assert not is_accepted(grammar, "<!-- a --> -->x")


def test_a_document_beside_a_lazy_rule() -> None:
    assert is_accepted('start: head "1" | %json {"type": "boolean"}\nhead[lazy]: "<" /[a-z]*/ ">"', "true")
    with pytest.raises(InvalidGrammarError, match="a lazy rule may begin where this JSON document does") as caught:
        is_accepted('start: head "1"\n | %json {"type": "object"}\nhead[lazy]: /(.|\\n)*/ ">"', "{}")
    assert caught.value.line == 2
    with pytest.raises(InvalidGrammarError, match="rule 'start' never ends") as caught:
        is_accepted('start: "a" %lark {\n  start: start\n}', "a")
    assert caught.value.line == 2


def test_other_names_of_what_is_there() -> None:
    once = '%llguidance {"ignore_once": true}\n%ignore " "\nstart: "a" "b"'
    assert is_accepted(once, "a b")
    assert not is_accepted(once, "a  b")
    for ebnf, dialect, text in [
        (r'root ::= "a" [a\-z]+ "\-"', "gbnf", "a-z-"),
        ('root ::= "a"{0, -1}', "xgrammar", "aaaa"),
    ]:
        matcher = compile_grammar(VOCABULARY, ebnf=ebnf, dialect=dialect).matcher()
        assert accept_bytes(matcher, text.encode())
        assert matcher.is_accepting()


@pytest.mark.parametrize(
    ("options", "text", "fits"),
    [
        ({}, "[ 1,  1 ]", True),
        ({"whitespace_flexible": False, "lenient": True}, "[1,1]", True),
        ({"whitespace_flexible": False}, "[1, 1]", False),
        ({"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}, "[1, 1]", True),
        ({"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}, "[1,1]", False),
        ({"whitespace_pattern": "[ ]"}, "[ 1 ,1]", True),
        ({"whitespace_pattern": "[ ]"}, "[  1]", False),
    ],
)
def test_options_of_an_embedded_schema(options: Any, text: str, fits: bool) -> None:
    schema = {"x-guidance": options, "type": "array", "items": {"const": 1}}
    grammar = f"start: %json {json.dumps(schema)}"
    assert is_accepted(grammar, text) is fits
    if is_installed("llguidance"):
        assert is_accepted(grammar, text, "llguidance") is fits


@pytest.mark.parametrize("attribute", ["stop", "max_tokens", "stop_capture"])
def test_attributes_of_llguidance_that_are_no_language_are_named(attribute: str) -> None:
    with pytest.raises(InvalidGrammarError, match=f"the attribute {attribute} can't be enforced; .*; "):
        is_accepted(f'start[{attribute}="x"]: /a*/' if attribute != "max_tokens" else "start[max_tokens=3]: /a*/", "a")


def test_a_named_end_token_is_told_with_its_line() -> None:
    end = min(VOCABULARY.eos_token_ids)
    with pytest.raises(InvalidGrammarError, match=f"names token {end}.*, which ends the text") as caught:
        compile_grammar(VOCABULARY, ebnf=f'start: a\na: "x" <[{end}]>', dialect="lark")
    assert caught.value.line == 2
