"""Lazy rules commit: what may begin beside one does not go on past the place where its text has ended."""

from __future__ import annotations

import random

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


@pytest.mark.parametrize("seed", range(4))
def test_llguidance_agrees(seed: int) -> None:
    if not is_installed("llguidance"):
        pytest.skip("llguidance is not installed; pip install 'guided[backends]'")
    rng = random.Random(seed)
    for _ in range(100):
        text = "".join(rng.choice(["<a", "<b", "<", "a", "x", "1", "12.", "."]) for _ in range(rng.randrange(8)))
        assert is_accepted(FIXED, text) == is_accepted(FIXED, text, "llguidance"), text


def test_the_rest_of_a_grammar_takes_what_it_took() -> None:
    grammar = 'start: head rest\nhead[lazy]: /[a-z]*/ "."\nrest: /[a-z.]*/'
    assert is_accepted(grammar, "ab.cd.e")
    assert not is_accepted(grammar, "abc")


def test_a_document_beside_a_lazy_rule() -> None:
    assert is_accepted('start: head "1" | %json {"type": "boolean"}\nhead[lazy]: "<" /[a-z]*/ ">"', "true")
    with pytest.raises(InvalidGrammarError, match="a lazy rule may begin where this JSON document does") as caught:
        is_accepted('start: head "1"\n | %json {"type": "object"}\nhead[lazy]: /(.|\\n)*/ ">"', "{}")
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


@pytest.mark.parametrize("attribute", ["stop", "max_tokens", "stop_capture"])
def test_attributes_of_llguidance_that_are_no_language_are_named(attribute: str) -> None:
    with pytest.raises(InvalidGrammarError, match=f"the attribute {attribute} can't be enforced; .*; "):
        is_accepted(f'start[{attribute}="x"]: /a*/' if attribute != "max_tokens" else "start[max_tokens=3]: /a*/", "a")


def test_a_named_end_token_is_told_with_its_line() -> None:
    end = min(VOCABULARY.eos_token_ids)
    with pytest.raises(InvalidGrammarError, match=f"names token {end}.*, which ends the text") as caught:
        compile_grammar(VOCABULARY, ebnf=f'start: a\na: "x" <[{end}]>', dialect="lark")
    assert caught.value.line == 2
