"""The terminals that `%import common.X` names.

Their texts are those of lark's own. Its regexes for quoted strings and for `/* */` are lazy: they end at the first end
that fits; here that is said by what may stand inside.
"""

from __future__ import annotations

from ..regex.algebra import Language

_DECIMAL = r"(?:[0-9]+\.[0-9]*|\.[0-9]+)"
_FLOAT = rf"(?:[0-9]+[eE][+-]?[0-9]+|{_DECIMAL}(?:[eE][+-]?[0-9]+)?)"
_PATTERNS = {
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

NAMES = tuple(_PATTERNS)
"""What can be imported."""


def common_terminal(name: str) -> Language:
    """The Language of one of NAMES."""
    from ..regex.python_re import full

    return full(_PATTERNS[name])
