"""GBNF, the grammars of llama.cpp: texts of the rule `root`.

A rule goes on in the next line inside parentheses and after `|`. Strings and classes have the escapes of llama.cpp;
`.` is any character, line ends too. Where llama.cpp reads an empty class as the empty text, that is an error here.
"""

from __future__ import annotations

from functools import cache

from lark import Token

from ..regex import algebra as lang
from ..rules.expressions import RuleGraph
from .bnf_tree import WORDS, BnfTree, end_of, start_of
from .graph import rule_graph
from .literals import Escapes, char_class, plain_character, unescape
from .parser import DialectParser
from .scanner import Scanner
from .source import GrammarSource
from .syntax import Node, Text
from .tokens import token_by_name, tokens_by_id

_SYNTAX = r"""
start: rule*
rule: HEAD DEFINE alternatives
?alternatives: sequence (_BAR sequence)*
sequence: item*
?item: atom | atom (OP | COUNT)+ -> repeated
?atom: NAME | STRING | CLASS | ANY | TOKEN | _OPEN alternatives _CLOSE
%declare HEAD DEFINE NAME STRING CLASS ANY TOKEN OP COUNT _BAR _OPEN _CLOSE
"""

_NAME = r"[A-Za-z0-9_-]+"

_SCANNER = Scanner(
    {
        "HEAD": rf"{_NAME}(?=[ \t]*::=)",
        "DEFINE": r"::=",
        "NAME": _NAME,
        "STRING": r'"(?s:[^"\\]|\\.)*"',
        "CLASS": r"\[(?s:[^\]\\]|\\.)*\]",
        "ANY": r"\.",
        "TOKEN": r"!?<[^<>\n]+>",
        "OP": r"[*+?]",
        "COUNT": r"\{[ \t]*[0-9]+[ \t]*(?:,[ \t]*[0-9]*[ \t]*)?\}",
        "_BAR": r"\|",
        "_OPEN": r"\(",
        "_CLOSE": r"\)",
    },
    r"[ \t\r\n]+|#[^\n]*",
    {
        '"': "a string that does not end",
        r"\[": "a character class that does not end",
        r"\{": "a repetition is written {2}, {2,} or {2,5}",
        "<": "a token is written <name> or <[id]>",
        "'": "strings are written in double quotes",
        "/": "regexes are no part of this dialect; comments begin with #",
    },
)

_ESCAPES = Escapes(
    {"t": "\t", "r": "\r", "n": "\n", "\\": "\\", '"': '"', "[": "[", "]": "]"},
    {"x": "[0-9a-fA-F]{2}", "u": "[0-9a-fA-F]{4}", "U": "[0-9a-fA-F]{8}"},
    r"there are \n \r \t \\ \" \[ \] \xHH \uHHHH \UHHHHHHHH",
)


def read_gbnf(source: GrammarSource) -> RuleGraph:
    """The graph of a GBNF grammar. Raises InvalidGrammarError, LimitExceededError."""
    tokens = _SCANNER.scan(source)
    _check_lines(source, tokens)
    rules = _GbnfTree(source).rules(_parser().parse(source, tokens))
    return rule_graph(source, rules.rules, rules.start("root"))


@cache
def _parser() -> DialectParser:
    return DialectParser(_SYNTAX, {**WORDS, "ANY": ".", "TOKEN": "a token"})


def _check_lines(source: GrammarSource, tokens: list[Token]) -> None:
    """Raise where a line ends inside a rule, or a rule begins inside a line."""
    depth, previous = 0, None
    for token in tokens:
        gap = source.text[0 if previous is None else end_of(previous) : start_of(token)]
        if depth == 0 and previous is not None:
            _check_line_end(source, previous, token, "\n" in gap or "\r" in gap)
        depth += {"_OPEN": 1, "_CLOSE": -1}.get(token.type, 0)
        previous = token


def _check_line_end(source: GrammarSource, previous: Token, token: Token, is_new_line: bool) -> None:
    goes_on = previous.type in ("_BAR", "DEFINE")
    if token.type == "HEAD":
        if goes_on:
            raise source.error('an alternative is missing here; write "" for the empty text', end_of(previous))
        if not is_new_line:
            raise source.error("a rule begins in a line of its own", start_of(token))
    elif is_new_line and not goes_on:
        reason = "a rule goes on in the next line only after | and inside parentheses; expected a rule (name ::= ...)"
        raise source.error(reason, start_of(token))


class _GbnfTree(BnfTree):
    def leaf(self, token: Token) -> Node:
        if token.type == "ANY":
            return Text(lang.ANY_CHAR, start_of(token))
        if token.type == "TOKEN":
            return self._token(token)
        return super().leaf(token)

    def string(self, token: Token) -> lang.Language:
        return lang.text(unescape(self.source, start_of(token) + 1, end_of(token) - 1, _ESCAPES))

    def char_class(self, token: Token) -> lang.Language:
        if token.value in ("[]", "[^]"):
            raise self.source.error("an empty character class; write . for any character", start_of(token))
        return char_class(self.source, start_of(token), end_of(token), _member)

    def _token(self, token: Token) -> Node:
        is_negated, name = token.value.startswith("!"), token.value.removeprefix("!")
        if not name.startswith("<["):
            return token_by_name(self.source, name, start_of(token), is_negated)
        digits = name[2:-2]
        if not (name.endswith("]>") and digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise self.source.error("a token is written <name> or <[id]>", start_of(token))
        return tokens_by_id(self.source, [range(int(digits), int(digits) + 1)], start_of(token), is_negated)


def _member(source: GrammarSource, offset: int) -> tuple[str, int]:
    is_escape = source.text[offset] == "\\"
    return _ESCAPES.read(source, offset) if is_escape else plain_character(source, offset)
