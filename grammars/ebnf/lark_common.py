"""The terminals that `%import common.X` names, as Languages of our own with the texts that lark's have.

lark's regexes for quoted strings and for `/* */` are lazy: they end at the first end that fits. Here that is said by
what may stand inside.
"""

from __future__ import annotations

from functools import cache

from ..regex import algebra as lang
from ..regex import charset as cs
from ..regex.algebra import Language

NAMES = (
    *("DIGIT", "HEXDIGIT", "INT", "SIGNED_INT", "DECIMAL", "FLOAT", "SIGNED_FLOAT", "NUMBER", "SIGNED_NUMBER"),
    *("ESCAPED_STRING", "LCASE_LETTER", "UCASE_LETTER", "LETTER", "WORD", "CNAME", "WS_INLINE", "WS", "CR", "LF"),
    *("NEWLINE", "SH_COMMENT", "CPP_COMMENT", "C_COMMENT", "SQL_COMMENT"),
)
"""What can be imported."""


@cache
def common_terminals() -> dict[str, Language]:
    """The Language of each of NAMES."""
    return {**_numbers(), **_names(), **_spaces(), **_comments(), "ESCAPED_STRING": _escaped_string()}


def _numbers() -> dict[str, Language]:
    digit, sign = _any_of(("0", "9")), _optional(_any_of("+-"))
    whole = lang.repeat(digit, 1)
    point = lang.text(".")
    decimal = lang.union(lang.concat(whole, point, lang.repeat(digit, 0)), lang.concat(point, whole))
    exponent = lang.concat(_any_of("eE"), sign, whole)
    real = lang.union(lang.concat(whole, exponent), lang.concat(decimal, _optional(exponent)))
    number = lang.union(real, whole)
    return {
        "DIGIT": digit,
        "HEXDIGIT": _any_of(("0", "9"), ("a", "f"), ("A", "F")),
        "INT": whole,
        "SIGNED_INT": lang.concat(sign, whole),
        "DECIMAL": decimal,
        "FLOAT": real,
        "SIGNED_FLOAT": lang.concat(sign, real),
        "NUMBER": number,
        "SIGNED_NUMBER": lang.concat(sign, number),
    }


def _names() -> dict[str, Language]:
    letter = _any_of(("a", "z"), ("A", "Z"))
    return {
        "LCASE_LETTER": _any_of(("a", "z")),
        "UCASE_LETTER": _any_of(("A", "Z")),
        "LETTER": letter,
        "WORD": lang.repeat(letter, 1),
        "CNAME": lang.concat(
            _any_of(("a", "z"), ("A", "Z"), "_"), lang.repeat(_any_of(("a", "z"), ("A", "Z"), ("0", "9"), "_"), 0)
        ),
    }


def _spaces() -> dict[str, Language]:
    return {
        "WS_INLINE": lang.repeat(_any_of(" \t"), 1),
        "WS": lang.repeat(_any_of(" \t\f\r\n"), 1),
        "CR": lang.text("\r"),
        "LF": lang.text("\n"),
        "NEWLINE": lang.repeat(lang.concat(_optional(lang.text("\r")), lang.text("\n")), 1),
    }


def _comments() -> dict[str, Language]:
    rest_of_line = lang.repeat(lang.chars(cs.complement(cs.single("\n"))), 0)
    without_end = lang.complement(lang.concat(lang.ANYTHING, lang.text("*/"), lang.ANYTHING))
    return {
        "SH_COMMENT": lang.concat(lang.text("#"), rest_of_line),
        "CPP_COMMENT": lang.concat(lang.text("//"), rest_of_line),
        "SQL_COMMENT": lang.concat(lang.text("--"), rest_of_line),
        "C_COMMENT": lang.concat(lang.text("/*"), without_end, lang.text("*/")),
    }


def _escaped_string() -> Language:
    plain = lang.chars(cs.complement(cs.from_chars('"\\\n')))
    escaped = lang.concat(lang.text("\\"), lang.chars(cs.complement(cs.single("\n"))))
    return lang.concat(lang.text('"'), lang.repeat(lang.union(plain, escaped), 0), lang.text('"'))


def _any_of(*parts: str | tuple[str, str]) -> Language:
    """One of the characters of the strings and the ranges."""
    sets = [
        cs.from_chars(part) if isinstance(part, str) else cs.from_ranges([(ord(part[0]), ord(part[1]))])
        for part in parts
    ]
    return lang.chars(cs.union(*sets))


def _optional(language: Language) -> Language:
    return lang.repeat(language, 0, 1)
