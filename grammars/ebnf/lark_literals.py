r"""Strings, ranges and regexes of the Lark dialect.

Strings have the escapes that lark and llguidance read alike, and lark's escapes that llguidance adopts: `\" \\ \n \r \t
\f \xHH \uHHHH \UHHHHHHHH`. `\b` and `\/` are refused, since lark reads each as two characters, and llguidance as one.
Unknown escapes, which lark takes literally, are refused, too.

Regexes are Python's, matched in full. lark takes the first match of an ordered search, which differs for lazy
quantifiers. A regex with a lazy quantifier is therefore refused if one of its texts begins another one.

The terminals of `%import common.X` have lark's own texts. lark's regexes for quoted strings and for `/* */` are lazy:
they stop at the first end that fits. Here the characters inside are restricted instead.

`%regex {"substring_...": ...}` is a run of adjacent chunks from a list, as in llguidance. `substring_chunks` lists the
chunks. `substring_words` splits a text into words, runs of whitespace and single other characters. `substring_chars`
splits a text into characters. The empty text is included.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import InvalidRegexError, LimitExceededError
from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language
from ..regex.assertions import Piece
from .languages import closed, shortest
from .literals import Escapes, ignoring_case, unescape
from .source import GrammarSource, Lexeme
from .substrings import substrings

_ESCAPES = Escapes(
    {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "\\": "\\", '"': '"'},
    {"x": "[0-9a-fA-F]{2}", "u": "[0-9a-fA-F]{4}", "U": "[0-9a-fA-F]{8}"},
    r"there are \" \\ \n \r \t \f \xHH \uHHHH \UHHHHHHHH",
)

_LAZY = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<lazy>(?:[*+?]|\{[0-9]*,?[0-9]*\})\?)", re.DOTALL)
_PREFIX_BUDGET = 2_000
"""Maximum number of states visited to decide whether a text of a regex begins another one. About 30 us each."""

_DECIMAL = r"(?:[0-9]+\.[0-9]*|\.[0-9]+)"
_FLOAT = rf"(?:[0-9]+[eE][+-]?[0-9]+|{_DECIMAL}(?:[eE][+-]?[0-9]+)?)"
_COMMON = {
    "DIGIT": "[0-9]",
    "HEXDIGIT": "[0-9a-fA-F]",
    "INT": "[0-9]+",
    "SIGNED_INT": "[+-]?[0-9]+",
    "DECIMAL": _DECIMAL,
    "FLOAT": _FLOAT,
    "SIGNED_FLOAT": f"[+-]?{_FLOAT}",
    "NUMBER": f"{_FLOAT}|[0-9]+",
    "SIGNED_NUMBER": f"[+-]?(?:{_FLOAT}|[0-9]+)",
    "ESCAPED_STRING": r'"(?:[^"\\\n]|\\[^\n])*"',
    "LCASE_LETTER": "[a-z]",
    "UCASE_LETTER": "[A-Z]",
    "LETTER": "[a-zA-Z]",
    "WORD": "[a-zA-Z]+",
    "CNAME": "[a-zA-Z_][a-zA-Z0-9_]*",
    "WS_INLINE": r"[ \t]+",
    "WS": r"[ \t\f\r\n]+",
    "CR": r"\r",
    "LF": r"\n",
    "NEWLINE": r"(?:\r?\n)+",
    "SH_COMMENT": r"#[^\n]*",
    "CPP_COMMENT": r"//[^\n]*",
    "C_COMMENT": r"/\*(?:[^*]|\*+[^*/])*\*+/",
    "SQL_COMMENT": r"--[^\n]*",
}
"""Name -> regex of Python."""

COMMON_NAMES = tuple(_COMMON)
"""The names that can be imported from `common`."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")
_KINDS = ("substring_chunks", "substring_words", "substring_chars")


def string_text(source: GrammarSource, lexeme: Lexeme) -> str:
    """Return the text that a string spells, without its flag."""
    end = lexeme.end_pos - (2 if lexeme.value.endswith("i") else 1)
    return unescape(source, lexeme.start_pos + 1, end, _ESCAPES)


def string(source: GrammarSource, lexeme: Lexeme) -> Language:
    """Return the texts of a string, with or without the flag i."""
    spelled = string_text(source, lexeme)
    return ignoring_case(spelled) if lexeme.value.endswith("i") else lang.text(spelled)


def char_range(source: GrammarSource, first: Lexeme, last: Lexeme) -> Language:
    """Return one character of a range such as `"a".."z"`."""
    ends = []
    for lexeme in (first, last):
        spelled = string_text(source, lexeme)
        if len(spelled) != 1 or lexeme.value.endswith("i"):
            raise source.error("the ends of a range are strings of one character, without flags", lexeme.start_pos)
        ends.append(ord(spelled))
    if ends[1] < ends[0]:
        raise source.error("the range is empty; its ends are in the wrong order", first.start_pos)
    return lang.chars(cs.from_ranges([(ends[0], ends[1])]))


def regex(source: GrammarSource, lexeme: Lexeme) -> Piece:
    """Return the piece that a regex with its flags matches. Raises InvalidGrammarError at the mistake's place."""
    from ..regex.python_re import piece

    pattern, _, flags = lexeme.value[1:].rpartition("/")
    if "l" in flags:
        raise source.error("the flag l is for bytes; texts are Unicode", lexeme.start_pos)
    prefix = f"(?{''.join(sorted(set(flags)))})" if flags else ""
    try:
        read = piece(prefix + pattern)
    except InvalidRegexError as error:
        position = len(prefix) if error.position is None else error.position
        raise source.error(error.reason, lexeme.start_pos + 1 + max(0, position - len(prefix))) from None
    lazy = next((match for match in _LAZY.finditer(pattern) if match["lazy"]), None)
    if lazy is not None and _ends_at_mark(prefix + pattern):
        return shortest(closed(read))
    if lazy is not None and not _is_prefix_free(closed(read)):
        reason = (
            "a lazy quantifier can't be enforced where the match could go on, unless a text of fixed length ends it; "
            "write what may stand before the end, or put [lazy] behind the name of a rule"
        )
        raise source.error(reason, lexeme.start_pos + 1 + lazy.start())
    return read


def _ends_at_mark(pattern: str) -> bool:
    """Return True if the first match of a regex is also the shortest one.

    This is the case for three parts in a row. No text of the first part begins with another one. The second part is a
    lazy quantifier of a character. The third has a fixed length; the match ends where the third part first occurs.
    """
    from ..regex.pieces import to_piece
    from ..regex.python_parser import parse
    from ..regex.syntax_tree import Concatenation, Repetition, has_order, width

    tree = parse(pattern).tree
    parts = tree.parts if isinstance(tree, Concatenation) else ()
    number = next((i for i, part in enumerate(parts) if isinstance(part, Repetition) and part.is_lazy), None)
    if number is None:
        return False
    loop, before, after = parts[number], Concatenation(parts[:number]), Concatenation(parts[number + 1 :])
    if (
        not isinstance(loop, Repetition)
        or width(loop.body) != (1, 1)
        or len(set(width(after))) > 1
        or width(after)[0] == 0
    ):
        return False
    return not any(map(has_order, (before, loop.body, after))) and _is_prefix_free(closed(to_piece(before)))


def _is_prefix_free(language: Language) -> bool:
    longer = lang.concat(language, lang.repeat(lang.ANY_CHAR, 1))
    try:
        return lang.is_empty(lang.intersect(language, longer), _PREFIX_BUDGET)
    except LimitExceededError as error:
        if error.limit != "max_automaton_states":
            raise
        return False


def common_terminal(name: str) -> Language:
    """Return the Language of one of COMMON_NAMES."""
    from ..regex.python_re import full

    return full(_COMMON[name])


def read_substrings(source: GrammarSource, text: str, offset: int) -> Language:
    """Return the Language of the JSON object of a `%regex`. Raises InvalidGrammarError."""
    value: Any = json.loads(text)
    if not isinstance(value, dict) or len(value) != 1 or next(iter(value)) not in _KINDS:
        raise source.error(f"%regex takes an object with one of the keys {', '.join(_KINDS)}", offset)
    ((kind, argument),) = value.items()
    if kind == "substring_chunks":
        if not (isinstance(argument, list) and all(isinstance(chunk, str) for chunk in argument)):
            raise source.error("substring_chunks is a list of strings", offset)
        return substrings(argument)
    if not isinstance(argument, str):
        raise source.error(f"{kind} is a string", offset)
    return substrings(_WORDS.findall(argument) if kind == "substring_words" else list(argument))
