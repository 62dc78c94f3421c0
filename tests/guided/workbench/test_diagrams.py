"""Diagrams of grammars: what they show is what is enforced, by an oracle that reads them back as a regex of `re`."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest

import guided
from guided.grammars import library
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError, UnsupportedGrammarError
from guided.grammars.regex import charset as cs
from guided.workbench.diagrams import MAX_PARTS, MAX_WORDS, GrammarDiagram, class_text, diagram_of

VOCABULARY = guided.Vocabulary([bytes([byte]) for byte in range(256)] + [None], [256])
IN_WORDS = {
    "any character": r"[\s\S]",
    r"any digit (\d)": r"\d",
    r"a word character (\w)": r"\w",
    r"whitespace (\s)": r"\s",
}
PATTERNS = [
    "",
    "a",
    "ab|ba|",
    "a*b+(ab)?",
    "(a|bb){2,3}",
    "(?i)ab",
    "[^a]b?",
    "[ab-]{2}",
    r"a\.b|.\d",
    r"\w\s?",
    "(a(b(a|b)*)?)+",
    "(aa)*",
    r"(a|é)\n?",
]
TEXTS = ["".join(one) for length in range(5) for one in itertools.product("ab", repeat=length)] + [
    *("A", "aB", "AB", "a.b", "c1", "x", "-a", "--", "é", "aé\n", "a\n", "\n", "7", "a ", "_", "e b", ".b", "1b"),
]


def draw(**arguments: Any) -> GrammarDiagram:
    grammar = compile_grammar(VOCABULARY, **arguments)
    return diagram_of(grammar.spec, grammar.vocabulary)


def as_regex(part: dict[str, Any], rules: dict[str, dict[str, Any]]) -> str:
    """A part as a pattern; rules are put in where they are named, so none may name itself."""
    match part["kind"]:
        case "text":
            return re.escape(part["text"])
        case "characters":
            return IN_WORDS.get(part["text"], part["text"])
        case "rule":
            return f"(?:{as_regex(rules[part['name']], rules)})"
        case "sequence":
            return "".join(f"(?:{as_regex(one, rules)})" for one in part["parts"])
        case "choice":
            return "|".join(f"(?:{as_regex(one, rules)})" for one in part["parts"])
        case "repeat":
            high = "" if part["high"] is None else part["high"]
            return f"(?:{as_regex(part['part'], rules)}){{{part['low']},{high}}}"
    raise AssertionError(part)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_regex_is_drawn_as_it_is(pattern: str) -> None:
    diagram = draw(regex=pattern)
    read_back = as_regex(diagram.rules[diagram.start], diagram.rules)
    for text in TEXTS:
        assert bool(re.fullmatch(read_back, text)) == bool(re.fullmatch(pattern, text)), (text, read_back)


def test_rules_are_drawn_with_their_names() -> None:
    source = 'root ::= greeting " " name{1,2}\ngreeting ::= "Hi" | "Bye"\nname ::= [A-Z] [a-z]*\n'
    diagram = draw(ebnf=source, dialect="gbnf")
    assert list(diagram.rules) == ["root", "greeting", "name"]
    read_back = as_regex(diagram.rules["root"], diagram.rules)
    for text in ("Hi A", "Bye AbBc", "Hi ", "Hi a", "Bye ABC", "HiA", "Hi Abcde"):
        assert bool(re.fullmatch(read_back, text)) == bool(re.fullmatch("(Hi|Bye) ([A-Z][a-z]*){1,2}", text)), text


def test_recursion_is_a_name() -> None:
    diagram = draw(ebnf='start: "(" start ")" | "x"', dialect="lark")
    choice = diagram.rules[diagram.start]
    assert {"kind": "rule", "name": "start"} in choice["parts"][0]["parts"]


@pytest.mark.parametrize("name", library.names())
def test_every_ready_grammar_has_a_diagram(name: str) -> None:
    diagram = draw(**library.get(name).arguments)
    assert next(iter(diagram.rules)) == diagram.start


def test_what_can_not_be_drawn_is_said() -> None:
    assert draw(regex="(?!ab)[ab]+").rules["regex"] == {
        "kind": "note",
        "text": "a text that fits several patterns at once",
    }
    with pytest.raises(UnsupportedGrammarError, match="json_schema"):
        draw(json_schema={"type": "string"})


def test_bounds() -> None:
    many = [f"word {number}" for number in range(MAX_WORDS + 5)]
    parts = draw(choice=many).rules["choice"]["parts"]
    assert len(parts) == MAX_WORDS + 1
    assert parts[-1] == {"kind": "note", "text": "5 more"}
    rules = "\n".join(f'r{number}: "a" "b" | "c" "d"' for number in range(MAX_PARTS // 4))
    with pytest.raises(LimitExceededError, match="parts"):
        draw(ebnf=f"start: r0\n{rules}", dialect="lark")
    deep = "(" * 90 + "a" + "b)?" * 90
    assert "deeper parts" in str(draw(regex=deep).rules["regex"])


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        (cs.from_chars("abc"), "[a-c]"),
        (cs.from_chars("ab"), "[ab]"),
        (cs.from_chars("]-^"), r"[\-\]\^]"),
        (cs.complement(cs.from_chars('"\\')), '[^"\\\\]'),
        (cs.from_ranges([(0, 0x1F)]), r"[\u{0}-\u{1f}]"),
        (cs.ALL, "any character"),
    ],
)
def test_classes(charset: cs.CharSet, text: str) -> None:
    assert class_text(charset) == text
