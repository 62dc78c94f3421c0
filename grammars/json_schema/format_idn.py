"""Internationalized host names (IDNA 2008, RFC 5890 to 5893) and mail addresses (RFC 6531) as Languages.

Names are a subset: a label beyond ASCII has letters of one script of `_SCRIPTS`, and ASCII letters, digits and hyphens.
It is so short that its A-label has at most 63 octets, whichever letters these are. A name has up to three labels in
a row that may be such labels; up to 29 characters of ASCII labels stand before them, and as many behind.

Left out, though valid: other scripts and mixed ones, longer labels, A-labels, letters that need a context (RFC 5892,
appendix A), digits beyond ASCII, marks and digits in labels that are written from right to left.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache

from idna import idnadata

from ..regex import algebra as lang
from ..regex import charset
from ..regex.charset import CharSet
from ..regex.ecma import full as language
from .format_hosts import LETTERS_DIGITS, host_names, mailbox

_SCRIPTS = (
    *(
        (0xDF, 0x17F, 20),
        (0x3AC, 0x3CE, 28),
        (0x430, 0x45F, 27),
        (0x561, 0x586, 28),
    ),  # Latin, Greek, Cyrillic, Armenian
    *[(start, start + 0x7F, 23) for start in range(0x900, 0xE00, 0x80)],  # Devanagari to Sinhala
    *((0xE01, 0xE4E, 26), (0xE80, 0xEFF, 23), (0x1000, 0x109F, 22)),  # Thai, Lao, Burmese
    *((0x10D0, 0x10FF, 27), (0x1780, 0x17D3, 25)),  # Georgian, Khmer
    *((0x3041, 0x30FF, 21), (0x3005, 0x9FFF, 12), (0xAC00, 0xD7A3, 13)),  # Kana, Kana and Han, Hangul
)
_RIGHT_TO_LEFT = ((0x5D0, 0x5EA, 28), (0x620, 0x6D5, 22))  # Hebrew, Arabic
"""First and last code point of a script, and how many characters a label may have.

Punycode writes letters in the order of their code points (RFC 3492). A decoder goes through places times code points
and never back, so letters that are close together are cheap. The counts are the largest that always fit.
"""

_MOST_ASCII = 29  # characters of the ASCII labels on each side: 3 * 64 octets and twice 30 are at most 253
_MOST_LABELS = 3
_LOCAL_CHAR = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-"
_LOCAL = f'(?:[{_LOCAL_CHAR}]+(?:\\.[{_LOCAL_CHAR}]+)*|"(?:[ !#-\\[\\]-~\u0080-\U0010ffff]|\\\\[ -~])*")'
_LOWER_DIGITS = charset.from_ranges([(48, 57), (97, 122)])
_HYPHEN = charset.single("-")
_DOT = lang.chars(charset.from_chars(".\u3002\uff0e\uff61"))
_RIGHT = ("R", "AL")  # bidirectional classes of letters


@cache
def idn_hostname() -> lang.Language:
    """RFC 5890 host names: labels in Unicode and in ASCII."""
    left = lang.union(*[_left_label(*script) for script in _SCRIPTS])
    right = lang.union(*[_right_label(*script) for script in _RIGHT_TO_LEFT])
    names = host_names(LETTERS_DIGITS)
    beside_right = lang.intersect(names, language(r"[a-z][0-9a-z-]*(?:\.[a-z][0-9a-z-]*)*"))  # RFC 5893, section 2
    return lang.union(names, _name(left, names), _name(right, beside_right))


def idn_email() -> lang.Language:
    """RFC 6531 mailbox. Of the domain's labels only the characters are checked, as its grammar does."""
    beyond = charset.difference(_valid(), charset.from_ranges([(0, 127)]))
    return mailbox(language(_LOCAL), host_names(charset.union(LETTERS_DIGITS, beyond), may_reserve=True))


def _name(label: lang.Language, names: lang.Language) -> lang.Language:
    """Labels in a row, also ASCII ones; before and behind them names in ASCII."""
    label = lang.union(label, lang.intersect(names, language(r"[^.]*")))
    labels = lang.concat(label, lang.repeat(lang.concat(_DOT, label), 0, _MOST_LABELS - 1))
    beside = lang.intersect(names, lang.repeat(lang.ANY_CHAR, 1, _MOST_ASCII))
    before, behind = lang.concat(beside, _DOT), lang.concat(_DOT, beside)
    return lang.concat(lang.repeat(before, 0, 1), labels, lang.repeat(behind, 0, 1))


def _left_label(low: int, high: int, most_chars: int) -> lang.Language:
    """A label of one script that is written from left to right, with a letter beyond ASCII."""
    valid = [
        chr(code) for code in _valid_codes(low, high) if unicodedata.bidirectional(chr(code)) not in (*_RIGHT, "AN")
    ]
    marks = charset.from_chars(char for char in valid if unicodedata.category(char).startswith("M"))
    reordered = charset.from_chars(char for char in valid if unicodedata.combining(char))
    letters = charset.difference(charset.from_chars(valid), marks)
    first = charset.union(letters, _LOWER_DIGITS)
    inner = lang.chars(charset.union(first, marks, _HYPHEN))
    last = lang.chars(charset.union(first, marks))
    return lang.intersect(
        lang.concat(lang.chars(first), lang.repeat(lang.concat(lang.repeat(inner, 0), last), 0, 1)),
        lang.repeat(lang.ANY_CHAR, 1, most_chars),
        lang.concat(lang.ANYTHING, lang.chars(letters), lang.ANYTHING),
        lang.complement(lang.concat(lang.ANY_CHAR, lang.ANY_CHAR, lang.text("--"), lang.ANYTHING)),
        lang.complement(lang.concat(lang.ANYTHING, lang.chars(reordered), lang.chars(reordered), lang.ANYTHING)),
    )


def _right_label(low: int, high: int, most_chars: int) -> lang.Language:
    """A label of letters of one script that is written from right to left."""
    valid = [chr(code) for code in _valid_codes(low, high) if unicodedata.bidirectional(chr(code)) in _RIGHT]
    return lang.repeat(lang.chars(charset.from_chars(valid)), 1, most_chars)


def _valid_codes(low: int, high: int) -> list[int]:
    """The code points that RFC 5892 always allows and that normalization leaves alone, wherever they stand.

    Without those that are newer than Python's tables.
    """
    codes = [code for start, end in charset.intersection(_valid(), ((low, high),)) for code in range(start, end + 1)]
    known = [code for code in codes if unicodedata.bidirectional(chr(code))]
    return [code for code in known if code not in _composing() and unicodedata.is_normalized("NFC", chr(code))]


@cache
def _composing() -> frozenset[int]:
    """What may compose with the character before it."""
    parts = (unicodedata.normalize("NFD", chr(code)) for start, end in _valid() for code in range(start, end + 1))
    return frozenset(ord(text[-1]) for text in parts if len(text) > 1)


@cache
def _valid() -> CharSet:
    """The code points of the class PVALID, which the idna library keeps as start << 32 | end, with the end outside."""
    packed: Iterable[int] = idnadata.codepoint_classes["PVALID"]
    return charset.from_ranges((item >> 32, (item & 0xFFFFFFFF) - 1) for item in packed)
