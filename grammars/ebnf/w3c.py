"""W3C EBNF, the notation of the XML specification: texts of the first rule.

`A - B` is exact; neither side may refer to itself. Strings have no escapes: characters are written `#xN`. Numbers of
productions (`[12] name ::=`) may stand before rules.
"""

from __future__ import annotations

import re

from ..regex import algebra as lang
from ..rules.expressions import RuleGraph, Terminal
from ..watch import paced
from .graph import ExpressionBuilder, RuleSet, rule_graph
from .languages import RegularRules
from .literals import char_class, character, plain_character
from .parser import dialect_parser
from .scanner import Scanner
from .source import GrammarSource, Lexeme
from .syntax import Node
from .syntax_tree import BnfTree

_SYNTAX = r"""
start: rule*
rule: _NUMBER? HEAD DEFINE alternatives
?alternatives: sequence (_BAR sequence)*
?sequence: (NAME | STRING | CLASS | CODE | _group | repeated | excluded)*
excluded: _factor (MINUS _factor)+
_factor: NAME | STRING | CLASS | CODE | _group | repeated
repeated: (NAME | STRING | CLASS | CODE | _group) OP+
_group: _OPEN alternatives _CLOSE
"""

_NAME = r"[A-Za-z_](?:[\w.\-]*\w)?"
_COMMENT = r"/\*(?:[^*]|\*(?!/))*\*/"
_CODE = re.compile(r"#x([0-9a-fA-F]+)")

_SCANNER = Scanner(
    {
        "_NUMBER": (rf"\[[0-9]+[a-z]?\](?=[ \t]+{_NAME}\s*::=)", "a rule (name ::= ...)"),
        "HEAD": (rf"{_NAME}(?=(?:\s|{_COMMENT})*::=)", "a rule (name ::= ...)"),
        "DEFINE": "::=",
        "NAME": (_NAME, "a rule's name"),
        "STRING": (r"\"[^\"\n]*\"|'[^'\n]*'", "a string"),
        "CODE": (_CODE.pattern.replace("(", "(?:"), "#x..."),
        "CLASS": (r"\[(?!\s*(?i:wfc|vc|nsc)\s*:)[^\]\n]*\]", "a character class"),
        "OP": (r"[*+?]", "a quantifier"),
        "MINUS": "-",
        "_BAR": r"\|",
        "_OPEN": r"\(",
        "_CLOSE": r"\)",
    },
    rf"\s+|{_COMMENT}",
    {
        r"[\"']": "a string that does not end in its line",
        r"\[\s*(?i:wfc|vc|nsc)\s*:": "constraints beside a rule can't be enforced; remove them",
        r"\[": "a character class that does not end in its line",
        r"/\*": "a comment that does not end",
        "#": "a character is written #x and its hexadecimal code; comments are written /* ... */",
        r"\{": "this dialect has the quantifiers ? * + only",
        r"\.": "there is no . in this dialect; write a character class",
    },
)


def read_w3c(source: GrammarSource) -> RuleGraph:
    """Return the graph of a grammar in W3C notation. Raises InvalidGrammarError, LimitExceededError."""
    read: RuleSet = dialect_parser(_SYNTAX, _SCANNER).parse(source, _SCANNER.scan(source), _W3cTree(source))
    rules = read.rules
    if not rules:
        raise source.error("there is no rule (name ::= ...)", 0)
    build = ExpressionBuilder(source, rules, RegularRules(source, rules, "excluded from or be excluded"))
    graph = {name: build.expression(rule.body) for name, rule in rules.items()}
    return rule_graph(source, rules, graph, next(iter(rules)))


def has_marks(source: GrammarSource) -> bool:
    """Return True if the text, read as W3C notation, has something that the other dialects write differently."""
    lexemes = _SCANNER.scan(source)
    return any(lexeme.type in ("CODE", "MINUS", "_NUMBER") or lexeme.value.startswith("'") for lexeme in paced(lexemes))


class _W3cTree(BnfTree):
    def other_leaf(self, lexeme: Lexeme) -> Node:
        return Terminal(lang.text(_member(self.source, lexeme.start_pos)[0]))

    def string(self, lexeme: Lexeme) -> lang.Language:
        start, end = lexeme.start_pos + 1, lexeme.end_pos - 1
        return lang.text("".join([plain_character(self.source, offset)[0] for offset in range(start, end)]))

    def char_class(self, lexeme: Lexeme) -> lang.Language:
        if lexeme.value in ("[]", "[^]"):
            raise self.source.error("an empty character class", lexeme.start_pos)
        return char_class(self.source, lexeme.start_pos, lexeme.end_pos, _member)


def _member(source: GrammarSource, offset: int) -> tuple[str, int]:
    code = _CODE.match(source.text, offset)
    if code is None:
        return plain_character(source, offset)
    return character(source, code.group(1), offset), code.end()
