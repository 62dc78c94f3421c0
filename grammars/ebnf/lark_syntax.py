"""The Lark dialect's tokens and syntax: lark's own notation, and llguidance's additions to it."""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import refuse_deep
from .parser import dialect_parser
from .scanner import Scanner
from .source import GrammarSource, Lexeme

_SYNTAX = r"""
start: (_item (_NL _item)*)?
_item: rule | terminal | ignore | import | import_all | OPTIONS
rule: _modifier* RULE parameters? _priority? attributes? _COLON alternatives
_modifier: BANG | QUESTION
parameters: _LBRACE RULE (_COMMA RULE)* _RBRACE
_priority: DOT PRIORITY
attributes: _LSQUARE attribute (_COMMA attribute)* _RSQUARE
attribute: RULE (_EQUALS (STRING | REGEXP | TERMINAL | NUMBER))?
terminal: TERMINAL _priority? _COLON alternatives
ignore: IGNORE alternatives
import: IMPORT path (_ARROW TERMINAL)?
import_all: IMPORT path _LPAR TERMINAL (_COMMA TERMINAL)* _RPAR
path: DOT? (RULE | TERMINAL) (DOT (RULE | TERMINAL))*

?alternatives: alias (_BAR alias)*
?alias: conjunction | conjunction _ARROW (RULE | TERMINAL)
?conjunction: sequence (AND sequence)*
?sequence: repeated*
?repeated: atom | atom (OP | QUESTION | COUNT | TIMES)
?atom: unit | NOT+ unit -> negated
?unit: _LPAR alternatives _RPAR
     | _LSQUARE alternatives _RSQUARE -> maybe
     | _value
_value: RULE | TERMINAL | STRING | REGEXP | SPECIAL | JSON | REGEX | GRAMMAR | range | template
range: STRING DOTDOT STRING
template: (RULE | TERMINAL) _LBRACE _value (_COMMA _value)* _RBRACE
"""


def _read_json(source: GrammarSource, end: int) -> int:
    """Return the index where the JSON value after `end` ends."""
    while source.text[end : end + 1].isspace():
        end += 1
    try:
        with refuse_deep(source.limits):
            return json.JSONDecoder().raw_decode(source.text, end)[1]
    except json.JSONDecodeError as error:
        raise source.error(f"not JSON: {error.msg}", error.pos) from None


_NESTED = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"|/(?![/*])(?:[^/\\\n]|\\[^\n])+/|(?://|\#)[^\n]*|[{}]')


def _read_grammar(source: GrammarSource, end: int) -> int:
    """Return the index where the braces after `end` close, whatever stands between them."""
    first = re.compile(r"\s*\{").match(source.text, end, source.end)
    depth = 0
    if first is not None:
        for piece in _NESTED.finditer(source.text, first.end() - 1, source.end):
            depth += {"{": 1, "}": -1}.get(piece[0], 0)
            if piece[0] == "}" and not depth:
                return piece.end()
    raise source.error("%lark takes a grammar between braces", end)


_SCANNER = Scanner(
    {
        "_NL": (r"(?:\r?\n[ \t]*)+", "a new line"),
        "JSON": (r"%json\b", "%json"),
        "REGEX": (r"%regex\b", "%regex"),
        "GRAMMAR": (r"%lark\b", "%lark"),
        "OPTIONS": (r"%llguidance\b", "%llguidance"),
        "IGNORE": (r"%ignore\b", "%ignore"),
        "IMPORT": (r"%import\b", "%import"),
        "TERMINAL": (r"_*[A-Z](?:[_A-Z0-9]|-(?!>))*(?!\w)", "a terminal's name"),
        "RULE": (r"_*[a-z](?:[_a-z0-9]|-(?!>))*(?!\w)", "a rule's name"),
        "STRING": (r'"(?:[^"\\\n]|\\[^\n])*"i?', "a string"),
        "REGEXP": (r"/(?!/)(?:[^/\\\n]|\\[^\n])+/[imslux]*|/(?!/)(?s:[^/\\]|\\.)+/[imslu]*x[imslux]*", "a regex"),
        "SPECIAL": (r"<[^<>\s]+>", "a token"),
        "PRIORITY": (r"(?<=\.)[+-]?[0-9]+(?=\s*[:\[])", "a priority"),
        "NUMBER": (r"[+-]?[0-9]+(?:\.[0-9]+)?", "a number"),
        "DOTDOT": r"\.\.",
        "DOT": r"\.",
        "_ARROW": r"->",
        "COUNT": (r"\{\s*(?:[0-9]+\s*(?:,\s*[0-9]*\s*)?|,\s*[0-9]+\s*)\}", "a quantifier"),
        "TIMES": (r"~[ \t]*[0-9]+(?:[ \t]*\.\.[ \t]*[0-9]+)?", "a quantifier"),
        "NOT": "~",
        "AND": "&",
        "OP": (r"[*+]", "a quantifier"),
        "QUESTION": (r"\?", "a quantifier"),
        "BANG": "!",
        "_BAR": r"\|",
        "_COLON": (":(?!:)", ":"),
        "_COMMA": ",",
        "_EQUALS": "=",
        "_LPAR": r"\(",
        "_RPAR": r"\)",
        "_LSQUARE": r"\[",
        "_RSQUARE": r"\]",
        "_LBRACE": r"\{",
        "_RBRACE": r"\}",
    },
    r"[ \t\r]+|(?://|\#)[^\n]*|\\[ \t]*\n",
    {
        '"': "a string that does not end in its line",
        "/": "a regex that does not end in its line (with the flag x it may go over several)",
        "'": "strings are written in double quotes",
        r"\w": "a name is all lower case (a rule) or all upper case (a terminal)",
        "<": "a token is written <name> or <[id]>",
        "@": "other grammars can't be referred to; put their rules into this one",
        "%declare": "a declared terminal has no texts; define it",
        r"%(?:override|extend)": "only terminals of common can be imported, so there is nothing to override or extend",
        r"%quote\b": 'quotes are strings of a schema, `%json {"x-quote": ...}`, or the format "quote" of a tag',
        "%": "unknown directive; there are %ignore, %import, %json, %lark, %regex and %llguidance",
        "::": "parametric rules are not read; spell the rules out",
    },
    {"JSON": _read_json, "REGEX": _read_json, "OPTIONS": _read_json, "GRAMMAR": _read_grammar},
)


def parse_lark(source: GrammarSource, builders: object) -> Any:
    """Parse a grammar in the Lark dialect, and return the result of `start` of the builders (`DialectParser.parse`).

    Raises InvalidGrammarError, LimitExceededError.
    """
    return dialect_parser(_SYNTAX, _SCANNER).parse(source, _lines(_SCANNER.scan(source)), builders)


def json_text(lexeme: Lexeme) -> str:
    """Return the JSON text of a directive."""
    return re.sub(r"^%\w+\s*", "", lexeme.value)


def _lines(lexemes: list[Lexeme]) -> list[Lexeme]:
    """Return the tokens without line ends that do not end a rule or directive: those in brackets or before `|`."""
    kept: list[Lexeme] = []
    depth = 0
    for lexeme in lexemes:
        if lexeme.type == "_NL":
            if depth <= 0 and kept and kept[-1].type != "_NL":
                kept.append(lexeme)
            continue
        if lexeme.type == "_BAR" and kept and kept[-1].type == "_NL":
            kept.pop()
        if lexeme.type in ("_LPAR", "_LSQUARE", "_LBRACE"):
            depth += 1
        elif lexeme.type in ("_RPAR", "_RSQUARE", "_RBRACE"):
            depth -= 1
        kept.append(lexeme)
    if kept and kept[-1].type == "_NL":
        kept.pop()
    return kept
