"""Internationalized host names (IDNA 2008, RFC 5890 to 5893) and mail addresses (RFC 6531) as Languages.

The host names are a subset of the valid ones. The automaton never computes Punycode, since these rules bound the length
of every A-label:

- A name has ASCII labels only (format_hosts.py), or at most four labels, each with at most 62 octets as an A-label.
- A label with more than _MOST_MIXED characters has letters of one of _SCRIPTS and ASCII characters. The first letter is
  one of the script; in Latin labels any letter may be the first.
- A-labels and other scripts are left out.
- Marks are left out if they may compose with the character before them, or if the label is written from right to left.
  Two reordering marks in a row are left out, too.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from idna import idnadata

from ..regex import algebra as lang
from ..regex import charset
from ..regex.charset import CharSet
from ..regex.ecma import full
from .format_hosts import LETTERS_DIGITS, host_label, host_names, hostname, mailbox

_MAX_LABEL, _MAX_LABELS = 62, 4  # with their dots the labels fit in 253 octets
_MOST_MIXED = 11  # characters of a label whose A-label fits, wherever below U+D7A4 its letters are
_LATIN = 0xDF
_SCRIPTS = (
    *[(_LATIN, 0x17F, 22), (0x3AC, 0x3CE, 27), (0x430, 0x45F, 27), (0x561, 0x586, 27), (0x5D0, 0x5F4, 27)],
    *[(0x620, 0x6FF, 20), *[(start, start + 0x7F, 23) for start in range(0x900, 0xF00, 0x80)], (0xF00, 0xFFF, 19)],
    *[(0x10D0, 0x10FF, 27), (0x3041, 0x30FF, 21), (0xAC00, 0xD7A3, 13)],
)
"""(first code point, last one, most characters of a label whose A-label fits, with ASCII ones) of Latin, Greek,
Cyrillic, Armenian, Hebrew, Arabic, Devanagari to Lao, Tibetan, Georgian, Kana, Hangul. The tests prove the numbers.
"""

_ONLY_MIXED = ((0x1E00, 0x1EFF), (0x3005, 0x3007), (0x4E00, 0x9FA5))
"""Ranges of letters of Vietnamese and Han. They are far from each other, so only short labels have them."""

_RULES = (
    "(?!..--).*(?<!-)",
    "(?:[^{reordering}]|[{reordering}](?![{reordering}]))*",
    "(?:[^\u00b7]|(?<=l)\u00b7(?=l))*",
    "(?:[^\u0375]|\u0375(?=[\u03b1-\u03c9]))*",
    "(?:[^\u05f3\u05f4]|(?<=[\u05d0-\u05ea])[\u05f3\u05f4])*",
    "[^\u30fb]*|.*[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fa5].*",
    "(?:[^\u200d]|(?<=[{virama}])\u200d)*",
    "(?:[^\u200c]|(?<=[{virama}])\u200c|(?<=[{before}])\u200c(?=[{after}]))*",
)
"""Patterns of all labels: hyphens, marks, and the rules of RFC 5892, appendix A. {name}: characters of `_sets`."""

_CONTEXTUAL = {
    "letter": charset.from_chars("\u0375\u30fb\u06f0\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9"),
    "right": charset.from_chars("\u05f3\u05f4\u200c"),
    "mark": charset.from_chars("\u00b7\u200c\u200d"),
}
"""Characters that RFC 5892 allows only in some contexts, by where they may stand: as in `_sets`."""

_LOWER, _DIGITS, _HYPHEN = ((97, 122),), ((48, 57),), ((45, 45),)
_EUROPEAN, _ARABIC = (*_DIGITS, (0x6F0, 0x6F9)), ((0x660, 0x669),)
_LOCAL_CHAR = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-"
_LOCAL = f'(?:[{_LOCAL_CHAR}]+(?:\\.[{_LOCAL_CHAR}]+)*|"(?:[ !#-\\[\\]-~\u0080-\U0010ffff]|\\\\[ -~])*")'


def idn_hostname() -> lang.Language:
    """RFC 5890 host names: labels in Unicode and in ASCII."""
    sets, plain = _sets(), charset.union(_LOWER, _DIGITS)
    classes = {name: "".join(f"{chr(low)}-{chr(high)}" for low, high in chars) for name, chars in sets.items()}
    rules = [full(rule.format_map(classes)) for rule in _RULES]
    ascii_label = host_label(plain, _MAX_LABEL)
    left, right = [ascii_label], [lang.intersect(ascii_label, lang.concat(lang.chars(_LOWER), lang.ANYTHING))]
    for first, last, most in (*_SCRIPTS, (0, charset.MAX_CODE_POINT, _MOST_MIXED)):
        letters, rights, marks = [
            charset.intersection(charset.union(sets[name], more), ((first, last),))
            for name, more in _CONTEXTUAL.items()
        ]
        begin = charset.union(letters, plain) if first <= _LATIN else letters
        left.append(lang.intersect(_label(begin, charset.union(marks, plain, _HYPHEN), most), *rules))
        for digits in (_EUROPEAN, _ARABIC):
            right.append(lang.intersect(_label(rights, charset.union(digits, _HYPHEN), most), *rules))
    return lang.union(hostname(), *[_names(lang.union(*labels)) for labels in (left, right)])


def _label(first: CharSet, more: CharSet, most: int) -> lang.Language:
    """Labels of up to `most` characters: one of `first`, then any of both sets."""
    return lang.concat(lang.chars(first), lang.repeat(lang.chars(charset.union(first, more)), 0, most - 1))


def _names(label: lang.Language) -> lang.Language:
    return lang.concat(label, lang.repeat(lang.concat(full("[.\u3002\uff0e\uff61]"), label), 0, _MAX_LABELS - 1))


def idn_email() -> lang.Language:
    """Mailbox of RFC 6531. Only the characters of the domain's labels are checked, as in the RFC's grammar."""
    beyond = charset.difference(_unpacked(idnadata.codepoint_classes["PVALID"]), ((0, 127),))
    return mailbox(full(_LOCAL), host_names(charset.union(LETTERS_DIGITS, beyond), may_reserve=True))


@cache
def _sets() -> dict[str, CharSet]:
    """The characters that labels may always have, by where they may stand; and the sets that _RULES name.

    letter: characters that may begin a label.
    right: the same, written from right to left.
    mark: characters that may not begin a label.
    """
    allowed = _unpacked(idnadata.codepoint_classes["PVALID"])
    ranges = charset.intersection(allowed, charset.from_ranges((*_ONLY_MIXED, *[one[:2] for one in _SCRIPTS])))
    chars = [chr(code) for low, high in ranges for code in range(low, high + 1)]
    composing = {parts[-1] for char in chars for parts in [unicodedata.normalize("NFD", char)] if len(parts) > 1}
    found: defaultdict[str, list[str]] = defaultdict(list)
    for char in chars:
        if char not in composing and unicodedata.is_normalized("NFC", char):
            for name in _names_of_sets(char):
                found[name].append(char)
    joining = {name: _unpacked(idnadata.joining_types[name]) for name in "LDR"}
    return {name: charset.from_chars(chars) for name, chars in found.items()} | {
        "before": charset.union(joining["L"], joining["D"]),
        "after": charset.union(joining["R"], joining["D"]),
    }


def _names_of_sets(char: str) -> list[str]:
    direction, order = unicodedata.bidirectional(char), unicodedata.combining(char)
    if direction in ("R", "AL"):
        return ["right"]
    if not unicodedata.category(char).startswith("M"):
        return ["letter"] if direction else []
    return ["mark", *(["reordering"] if order else []), *(["virama"] if order == 9 else [])]


def _unpacked(ranges: Iterable[int]) -> CharSet:
    """The set of characters in the idna library's ranges: start << 32 | end, without the end itself."""
    return charset.from_ranges((item >> 32, (item & 0xFFFFFFFF) - 1) for item in ranges)
