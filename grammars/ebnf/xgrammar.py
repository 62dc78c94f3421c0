"""The EBNF of xgrammar, also SGLang's `ebnf`: texts of the rule `root`.

The dialect is GBNF with other names, escapes and line ends, without empty alternatives, and with macros (macros.py).
Options of a rule, `name[lazy, max_chars=80] ::= ...`, are read if they affect its texts (rule_options.py). xgrammar
uses a lookahead `(= ...)` at the end of a rule for speed. The lookahead does not change the language; a note says so.
"""

from __future__ import annotations

from ..regex import algebra as lang
from ..rules.expressions import RuleGraph
from ..watch import paced
from .graph import RuleSet, rule_graph
from .literals import Escapes, char_class
from .macros import MACROS, macro
from .parser import dialect_parser
from .rule_options import RuleOptions, apply_options, read_options
from .scanner import Scanner
from .source import GrammarSource, Lexeme, ParseNode
from .syntax import Node, SyntaxRule
from .syntax_tree import BnfTree, Item

_SYNTAX = r"""
start: rule*
rule: HEAD OPTIONS? DEFINE alternatives lookahead?
lookahead: _AHEAD sequence _CLOSE
?alternatives: sequence (_BAR sequence)*
?sequence: (NAME | STRING | CLASS | macro | group | repeated)+
repeated: (NAME | STRING | CLASS | macro | group) (OP | COUNT)
?group: _OPEN alternatives _CLOSE
      | _OPEN _CLOSE -> nothing
macro: MACRO _OPEN _arguments? _CLOSE
_arguments: argument (_COMMA argument)* _COMMA?
?argument: STRING | INTEGER | NAME
         | NAME _EQUALS argument -> named
         | _OPEN _arguments? _CLOSE -> tuple
"""

_NAME = r"[A-Za-z_.\-][A-Za-z0-9_.\-]*"
_SPACES = r"(?:\s|\#[^\n]*\n)*"

_SCANNER = Scanner(
    {
        "HEAD": (rf"{_NAME}(?=(?:\[[^\]\n]*\])?{_SPACES}::=)", "a rule (name ::= ...)"),
        "OPTIONS": (rf"\[[^\]\n]*\](?={_SPACES}::=)", "options of a rule"),
        "DEFINE": "::=",
        "MACRO": (rf"(?:{'|'.join(MACROS)})(?=\s*\()", "a macro"),
        "NAME": (_NAME, "a rule's name"),
        "STRING": (r'"(?:[^"\\\n]|\\[^\n])*"', "a string"),
        "CLASS": (r"\[(?:[^\]\\\n]|\\[^\n])*\]", "a character class"),
        "OP": (r"[*+?]", "a quantifier"),
        "COUNT": (r"\{\s*[0-9]+\s*(?:,\s*(?:-1|[0-9]*)\s*)?\}", "a quantifier"),
        "INTEGER": (r"[0-9]+", "an integer"),
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
    """Return the graph of an xgrammar grammar. Raises InvalidGrammarError, LimitExceededError."""
    lexemes = _SCANNER.scan(source)
    _check_heads(source, lexemes)
    reader = _XgrammarTree(source)
    rules: RuleSet = dialect_parser(_SYNTAX, _SCANNER).parse(source, lexemes, reader)
    bodies = apply_options(source, rules, reader.options)
    return rule_graph(source, rules.rules, bodies, rules.start("root"), tuple(reader.notes))


def _check_heads(source: GrammarSource, lexemes: list[Lexeme]) -> None:
    for lexeme in paced(lexemes):
        start = lexeme.start_pos
        if lexeme.type == "HEAD" and source.text[source.text.rfind("\n", 0, start) + 1 : start].strip():
            raise source.error("a rule begins in a line of its own", start)


class _XgrammarTree(BnfTree):
    escapes = _STRING_ESCAPES

    def __init__(self, source: GrammarSource) -> None:
        super().__init__(source)
        self.options: dict[str, RuleOptions] = {}

    def rule(self, items: list[Item]) -> SyntaxRule:
        name, options = items[:2]
        if isinstance(options, Lexeme) and options.type == "OPTIONS":
            del items[1]
            self.options[str(name)] = read_options(self.source, str(name), options, self.notes, self.escapes)
        rule = super().rule(items)
        if len(items) > 3:
            self.notes.append(f"the lookahead of rule {rule.name} does not change the language; it is ignored")
        return rule

    def macro(self, items: list[Lexeme | ParseNode]) -> Node:
        """Return the node of a macro."""
        name, *arguments = items
        assert isinstance(name, Lexeme)
        return macro(self.source, name, arguments, self.string_text, self.notes)

    def char_class(self, lexeme: Lexeme) -> lang.Language:
        if lexeme.value == "[^]":
            return lang.ANY_CHAR
        return char_class(self.source, lexeme.start_pos, lexeme.end_pos, _CLASS_ESCAPES.member)
