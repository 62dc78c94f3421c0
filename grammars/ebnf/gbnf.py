"""GBNF, the grammars of llama.cpp: texts of the rule `root`.

A rule continues on the next line inside parentheses and after `|`. Strings and classes have the escapes of llama.cpp;
`.` is any character, including line ends. llama.cpp reads an empty class as the empty text; here it is an error.
"""

from __future__ import annotations

import itertools

from ..regex import algebra as lang
from ..rules.expressions import RuleGraph, Terminal
from ..watch import paced
from .graph import RuleSet, rule_graph
from .literals import Escapes, char_class, token_by_name, tokens_by_id
from .parser import dialect_parser
from .scanner import Scanner
from .source import GrammarSource, Lexeme
from .syntax import Node
from .syntax_tree import BnfTree

_SYNTAX = r"""
start: rule*
rule: HEAD DEFINE alternatives
?alternatives: sequence (_BAR sequence)*
?sequence: (NAME | STRING | CLASS | ANY | TOKEN | _group | repeated)*
repeated: (NAME | STRING | CLASS | ANY | TOKEN | _group) (OP | COUNT)+
_group: _OPEN alternatives _CLOSE
"""

_NAME = r"[A-Za-z0-9_-]+"

_SCANNER = Scanner(
    {
        "HEAD": (rf"{_NAME}(?=[ \t]*::=)", "a rule (name ::= ...)"),
        "DEFINE": "::=",
        "NAME": (_NAME, "a rule's name"),
        "STRING": (r'"(?s:[^"\\]|\\.)*"', "a string"),
        "CLASS": (r"\[(?s:[^\]\\]|\\.)*\]", "a character class"),
        "ANY": r"\.",
        "TOKEN": (r"!?<[^<>\n]+>", "a token"),
        "OP": (r"[*+?]", "a quantifier"),
        "COUNT": (r"\{[ \t]*[0-9]+[ \t]*(?:,[ \t]*[0-9]*[ \t]*)?\}", "a quantifier"),
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
    {"t": "\t", "r": "\r", "n": "\n", "\\": "\\", '"': '"', "[": "[", "]": "]", "-": "-"},
    {"x": "[0-9a-fA-F]{2}", "u": "[0-9a-fA-F]{4}", "U": "[0-9a-fA-F]{8}"},
    r"there are \n \r \t \\ \" \[ \] \- \xHH \uHHHH \UHHHHHHHH",
)


def read_gbnf(source: GrammarSource) -> RuleGraph:
    """Return the graph of a GBNF grammar. Raises InvalidGrammarError, LimitExceededError."""
    lexemes = _SCANNER.scan(source)
    _check_lines(source, lexemes)
    rules: RuleSet = dialect_parser(_SYNTAX, _SCANNER).parse(source, lexemes, _GbnfTree(source))
    return rule_graph(source, rules.rules, rules.bodies(), rules.start("root"))


def _check_lines(source: GrammarSource, lexemes: list[Lexeme]) -> None:
    """Raise InvalidGrammarError if a line ends inside a rule, or a rule begins inside a line."""
    depth, text = 0, source.text
    for previous, lexeme in itertools.pairwise(paced(lexemes)):
        if previous[0] == "_OPEN":
            depth += 1
        elif previous[0] == "_CLOSE":
            depth -= 1
        kind, _, start, _ = lexeme
        end = previous[3]
        if depth == 0 and (kind == "HEAD" or (start > end and text[end:start] != " ")):
            gap = text[end:start]
            _check_line_end(source, previous, lexeme, "\n" in gap or "\r" in gap)


def _check_line_end(source: GrammarSource, previous: Lexeme, lexeme: Lexeme, is_new_line: bool) -> None:
    goes_on = previous.type in ("_BAR", "DEFINE")
    if lexeme.type == "HEAD":
        if goes_on:
            raise source.error('an alternative is missing here; write "" for the empty text', previous.end_pos)
        if not is_new_line:
            raise source.error("a rule begins in a line of its own", lexeme.start_pos)
    elif is_new_line and not goes_on:
        reason = "a rule goes on in the next line only after | and inside parentheses; expected a rule (name ::= ...)"
        raise source.error(reason, lexeme.start_pos)


class _GbnfTree(BnfTree):
    escapes = _ESCAPES

    def other_leaf(self, lexeme: Lexeme) -> Node:
        return Terminal(lang.ANY_CHAR) if lexeme.type == "ANY" else self._token(lexeme)

    def char_class(self, lexeme: Lexeme) -> lang.Language:
        if lexeme.value in ("[]", "[^]"):
            raise self.source.error("an empty character class; write . for any character", lexeme.start_pos)
        return char_class(self.source, lexeme.start_pos, lexeme.end_pos, _ESCAPES.member)

    def _token(self, lexeme: Lexeme) -> Node:
        is_negated, name = lexeme.value.startswith("!"), lexeme.value.removeprefix("!")
        if not name.startswith("<["):
            return token_by_name(self.source, name, lexeme.start_pos, is_negated)
        digits = name[2:-2]
        if not (name.endswith("]>") and digits.isascii() and digits.isdigit() and len(digits) < 20):
            raise self.source.error("a token is written <name> or <[id]>", lexeme.start_pos)
        return tokens_by_id(self.source, [range(int(digits), int(digits) + 1)], lexeme.start_pos, is_negated)
