"""The EBNF that xgrammar takes, and SGLang's `ebnf` with it: texts of the rule `root`.

GBNF with other names, escapes and line ends, without empty alternatives, and with macros: `TagDispatch`, `Token`,
`ExcludeToken`, `TokenTagDispatch`. A lookahead `(= ...)` at the end of a rule is a hint for xgrammar's speed and does
not change the language; a note says so.
"""

from __future__ import annotations

from functools import cache

from lark import Token

from ..regex import algebra as lang
from ..rules.expressions import RuleGraph
from .bnf_tree import WORDS, BnfTree, end_of, start_of
from .graph import rule_graph
from .literals import Escapes, char_class, plain_character, unescape
from .parser import Branch, DialectParser
from .scanner import Scanner
from .source import GrammarSource
from .syntax import Node, Rule
from .tag_dispatch import macro

_SYNTAX = r"""
start: rule*
rule: HEAD DEFINE alternatives lookahead?
lookahead: _AHEAD sequence _CLOSE
?alternatives: sequence (_BAR sequence)*
sequence: item+
?item: atom | atom (OP | COUNT) -> repeated
?atom: NAME | STRING | CLASS | macro
     | _OPEN alternatives _CLOSE
     | _OPEN _CLOSE -> nothing
macro: MACRO _OPEN _arguments? _CLOSE
_arguments: argument (_COMMA argument)* _COMMA?
?argument: STRING | INTEGER | NAME
         | NAME _EQUALS argument -> named
         | _OPEN _arguments? _CLOSE -> tuple
%declare HEAD DEFINE NAME STRING CLASS MACRO INTEGER OP COUNT _AHEAD _BAR _OPEN _CLOSE _COMMA _EQUALS
"""

_NAME = r"[A-Za-z_.\-][A-Za-z0-9_.\-]*"

_SCANNER = Scanner(
    {
        "HEAD": rf"{_NAME}(?=(?:\s|\#[^\n]*\n)*::=)",
        "DEFINE": r"::=",
        "MACRO": r"(?:TagDispatch|TokenTagDispatch|Token|ExcludeToken)(?=\s*\()",
        "NAME": _NAME,
        "STRING": r'"(?:[^"\\\n]|\\[^\n])*"',
        "CLASS": r"\[(?:[^\]\\\n]|\\[^\n])*\]",
        "OP": r"[*+?]",
        "COUNT": r"\{\s*[0-9]+\s*(?:,\s*[0-9]*\s*)?\}",
        "INTEGER": r"[0-9]+",
        "_BAR": r"\|",
        "_AHEAD": r"\(=",
        "_OPEN": r"\(",
        "_CLOSE": r"\)",
        "_COMMA": ",",
        "_EQUALS": "=",
    },
    r"\s+|#[^\n]*",
    {
        '"': "a string that does not end in its line",
        r"\[": "a character class that does not end in its line",
        r"\{": "a repetition is written {2}, {2,} or {2,5}",
        "'": "strings are written in double quotes",
        "/": "regexes are no part of this dialect; comments begin with #",
        ":": "a rule is written name ::= ...",
    },
)

_SIMPLE = {
    **{char: char for char in "\"\\/'?"},
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "b": "\b",
    "f": "\f",
    "a": "\a",
    "v": "\v",
    "0": "\0",
    "e": "\x1b",
}
_CODED = {"x": "[0-9a-fA-F]+", "u": "[0-9a-fA-F]{4}", "U": "[0-9a-fA-F]{8}"}
_STRING_ESCAPES = Escapes(
    _SIMPLE, _CODED, r"there are \" \\ \/ \' \? \n \r \t \b \f \a \v \0 \e \xHH... \uHHHH \UHHHHHHHH"
)
_CLASS_ESCAPES = Escapes(
    {**_SIMPLE, **{char: char for char in "^$\\.*+?()[]{}|/-"}},
    _CODED,
    "sets such as \\d are written out ([0-9]), and only punctuation can be escaped",
)


def read_xgrammar(source: GrammarSource) -> RuleGraph:
    """The graph of an xgrammar grammar. Raises InvalidGrammarError, LimitExceededError."""
    tokens = _SCANNER.scan(source)
    _check_heads(source, tokens)
    reader = _XgrammarTree(source)
    rules = reader.rules(_parser().parse(source, tokens))
    return rule_graph(source, rules.rules, rules.start("root"), tuple(reader.notes))


@cache
def _parser() -> DialectParser:
    words = {"MACRO": "a macro", "INTEGER": "an integer", "_COMMA": ",", "_EQUALS": "=", "_AHEAD": "(="}
    return DialectParser(_SYNTAX, {**WORDS, **words})


def _check_heads(source: GrammarSource, tokens: list[Token]) -> None:
    for token in tokens:
        start = start_of(token)
        if token.type == "HEAD" and source.text[source.text.rfind("\n", 0, start) + 1 : start].strip():
            raise source.error("a rule begins in a line of its own", start)


class _XgrammarTree(BnfTree):
    def rule(self, branch: Branch) -> Rule:
        rule = super().rule(branch)
        if len(branch.children) > 3:
            self.notes.append(f"the lookahead of rule {rule.name} does not change the language; it is ignored")
        return rule

    def macro(self, items: list[Token | Branch]) -> Node:
        """One of the macros."""
        name, *arguments = items
        assert isinstance(name, Token)
        return macro(self.source, name, arguments, self.string)

    def string(self, token: Token) -> lang.Language:
        return lang.text(unescape(self.source, start_of(token) + 1, end_of(token) - 1, _STRING_ESCAPES))

    def char_class(self, token: Token) -> lang.Language:
        if token.value == "[^]":
            return lang.ANY_CHAR
        return char_class(self.source, start_of(token), end_of(token), _member)


def _member(source: GrammarSource, offset: int) -> tuple[str, int]:
    is_escape = source.text[offset] == "\\"
    return _CLASS_ESCAPES.read(source, offset) if is_escape else plain_character(source, offset)
