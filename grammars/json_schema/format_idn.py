"""Internationalized host names (IDNA 2008, RFC 5890 to 5893) and mail addresses (RFC 6531) as Languages.

A label is what every single rule allows: code points, contexts, the bidi rule, NFC, lengths. Left out, though valid:
A-labels, marks that could compose with what is before them, two reordering marks in a row, and labels that are so long
that the Punycode of other letters of the same number could exceed 63 octets.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from idna import idnadata

from ..regex import algebra as lang
from ..regex import charset
from ..regex.charset import CharSet
from ..regex.ecma import full as language
from .format_hosts import MAX_LABEL, MAX_NAME, hostname, mailbox

_MANY = 1000  # ranges that are longer hold Han or Hangul, which behave all alike
_DOTS = charset.from_chars(".\u3002\uff0e\uff61")
_LETTERS, _DIGITS = charset.from_ranges([(97, 122)]), charset.from_ranges([(48, 57)])
_ARABIC_DIGITS, _PERSIAN_DIGITS = charset.from_ranges([(0x660, 0x669)]), charset.from_ranges([(0x6F0, 0x6F9)])
_HYPHEN, _NON_JOINER, _JOINER = (charset.single(char) for char in "-\u200c\u200d")
_GERESH = charset.from_chars("\u05f3\u05f4")
_MIDDLE_DOT, _KERAIA, _KATAKANA_DOT = (charset.single(char) for char in "\u00b7\u0375\u30fb")

_LOCAL_CHAR = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-"
_LOCAL = f'(?:[{_LOCAL_CHAR}]+(?:\\.[{_LOCAL_CHAR}]+)*|"(?:[ !#-\\[\\]-~\u0080-\U0010ffff]|\\\\[ -~])*")'


def idn_hostname() -> lang.Language:
    """RFC 5890 host names: labels in Unicode and in ASCII."""
    dot = lang.chars(_DOTS)
    left, right = _left_label(), lang.union(_right_label(), _named_label())
    names = lang.union(*(lang.concat(label, lang.repeat(lang.concat(dot, label), 0)) for label in (left, right)))
    return lang.union(hostname(), lang.intersect(names, lang.machine(EncodedLength())))


def idn_email() -> lang.Language:
    """RFC 6531 mailbox. Of the domain's labels only the characters are checked, as its grammar does."""
    beyond = charset.difference(_unpacked(idnadata.codepoint_classes["PVALID"]), charset.from_ranges([(0, 127)]))
    label = lang.chars(charset.union(charset.from_ranges([(48, 57), (65, 90), (97, 122)]), beyond))
    inner = lang.repeat(lang.union(label, lang.text("-")), 0, MAX_LABEL - 2)
    part = lang.concat(label, lang.repeat(lang.concat(inner, label), 0, 1))
    domain = lang.concat(part, lang.repeat(lang.concat(lang.text("."), part), 0))
    return mailbox(language(_LOCAL), lang.intersect(domain, lang.repeat(lang.ANY_CHAR, 1, MAX_NAME)))


def _left_label() -> lang.Language:
    """A label without characters that are written from right to left."""
    classes = _classes()
    marks = charset.union(classes["mark"], classes["virama"], classes["ordered"])
    contextual = charset.union(_NON_JOINER, _JOINER, _MIDDLE_DOT, _KERAIA, _KATAKANA_DOT)
    first = charset.union(_LETTERS, _DIGITS, classes["letter"], _PERSIAN_DIGITS, _KERAIA, _KATAKANA_DOT)
    chars = charset.union(first, marks, contextual, _HYPHEN)
    kana = _scripts("Hiragana", "Katakana", "Han")
    return lang.intersect(
        lang.concat(lang.chars(first), lang.repeat(lang.chars(chars), 0)),
        *_common_rules(),
        _never(charset.complement(charset.single("l")), _MIDDLE_DOT),
        _always_followed(_MIDDLE_DOT, charset.single("l")),
        _always_followed(_KERAIA, _scripts("Greek")),
        lang.union(_without(_KATAKANA_DOT), _with(charset.difference(kana, _KATAKANA_DOT))),
    )


def _right_label() -> lang.Language:
    """A label that begins with a letter that is written from right to left (RFC 5893, section 2)."""
    classes = _classes()
    marks = charset.union(classes["mark"], classes["virama"], classes["ordered"])
    marks = charset.from_chars(char for char in _members(marks) if unicodedata.bidirectional(char) == "NSM")
    arabic, european = charset.union(classes["arabic number"], _ARABIC_DIGITS), charset.union(_DIGITS, _PERSIAN_DIGITS)
    ends = charset.union(classes["right"], arabic, european, _GERESH)
    chars = charset.union(ends, marks, _HYPHEN, _NON_JOINER)
    return lang.intersect(
        lang.concat(
            lang.chars(classes["right"]),
            lang.union(
                lang.repeat(lang.chars(marks), 0),
                lang.concat(lang.repeat(lang.chars(chars), 0), lang.chars(ends), lang.repeat(lang.chars(marks), 0)),
            ),
        ),
        *_common_rules(),
        lang.union(_without(arabic), _without(european)),
        _never(charset.complement(_scripts("Hebrew")), _GERESH),
    )


def _named_label() -> lang.Language:
    """A label of ASCII that may stand beside those from right to left: it begins with a letter."""
    return lang.intersect(language("[a-z](?:[a-z0-9\\-]*[a-z0-9])?"), *_common_rules())


def _common_rules() -> list[lang.Language]:
    """What holds for labels of both directions."""
    classes = _classes()
    hyphen = lang.text("-")
    return [
        lang.complement(lang.concat(lang.ANYTHING, hyphen)),
        lang.complement(lang.concat(lang.ANY_CHAR, lang.ANY_CHAR, hyphen, hyphen, lang.ANYTHING)),
        _never(classes["ordered"], charset.union(classes["ordered"], classes["virama"])),
        _never(classes["virama"], charset.union(classes["ordered"], classes["virama"])),
        _never(charset.complement(classes["virama"]), _JOINER),
        _joining(classes["virama"]),
    ]


def _joining(viramas: CharSet) -> lang.Language:
    """Texts in which each ZERO WIDTH NON-JOINER is after a virama or between joining letters (RFC 5892, A.1)."""
    any_text, non_joiner = lang.ANYTHING, lang.chars(_NON_JOINER)
    through = lang.repeat(lang.chars(_joining_types("T")), 0)
    before = lang.concat(any_text, lang.chars(_joining_types("L", "D")), through)
    after = lang.concat(through, lang.chars(_joining_types("R", "D")), any_text)
    no_virama = lang.complement(lang.concat(any_text, lang.chars(viramas)))
    apart_before = lang.concat(lang.difference(no_virama, before), non_joiner, any_text)
    apart_after = lang.concat(no_virama, non_joiner, lang.complement(after))
    return lang.complement(lang.union(apart_before, apart_after))


def _never(first: CharSet, second: CharSet) -> lang.Language:
    """Texts in which no character of one set comes right before one of another."""
    return lang.complement(lang.concat(lang.ANYTHING, lang.chars(first), lang.chars(second), lang.ANYTHING))


def _always_followed(first: CharSet, second: CharSet) -> lang.Language:
    """Texts in which characters of one set are always followed by one of another."""
    ends = lang.complement(lang.concat(lang.ANYTHING, lang.chars(first)))
    return lang.intersect(ends, _never(first, charset.complement(second)))


def _without(chars: CharSet) -> lang.Language:
    return lang.repeat(lang.chars(charset.complement(chars)), 0)


def _with(chars: CharSet) -> lang.Language:
    return lang.complement(_without(chars))


@cache
def _classes() -> dict[str, CharSet]:
    """The code points beyond ASCII that RFC 5892 always allows, by what matters here.

    "letter" and "right" can begin a label; "mark", "virama" and "ordered" (marks that normalization may reorder) can't;
    "arabic number" is the bidi class AN. What may compose with the character before it is in none of them.
    """
    found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    ranges = _unpacked(idnadata.codepoint_classes["PVALID"])
    chars = [chr(code) for low, high in ranges if low > 127 and high - low < _MANY for code in range(low, high + 1)]
    composing = {parts[-1] for char in chars for parts in [unicodedata.normalize("NFD", char)] if len(parts) > 1}
    for low, high in ranges:
        if high - low >= _MANY and unicodedata.bidirectional(chr(low)):  # "": newer than Python's tables
            found["letter"].append((low, high))
    for char in chars:
        if char not in composing and unicodedata.is_normalized("NFC", char):
            found[_class_of(char)].append((ord(char), ord(char)))
    return {name: charset.from_ranges(found[name]) for name in ("letter", "right", "arabic number", *_MARKS)}


_MARKS = ("mark", "virama", "ordered")


def _class_of(char: str) -> str:
    direction, order = unicodedata.bidirectional(char), unicodedata.combining(char)
    if direction == "":
        return "unassigned"
    if unicodedata.category(char).startswith("M"):
        return "mark" if order == 0 else "virama" if order == 9 else "ordered"
    return {"R": "right", "AL": "right", "AN": "arabic number"}.get(direction, "letter")


def _scripts(*names: str) -> CharSet:
    return _unpacked(item for name in names for item in idnadata.scripts[name])


def _joining_types(*names: str) -> CharSet:
    return _unpacked(item for name in names for item in idnadata.joining_types[name])


def _unpacked(ranges: Iterable[int]) -> CharSet:
    """The set that the idna library keeps as start << 32 | end, with the end outside."""
    return charset.from_ranges((item >> 32, (item & 0xFFFFFFFF) - 1) for item in ranges)


def _members(chars: CharSet) -> list[str]:
    return [chr(code) for low, high in chars for code in range(low, high + 1)]


@dataclass(frozen=True, slots=True)
class EncodedLength:
    """Machine of the names whose labels surely fit in 63 octets, and all of them in 253, when they are A-labels.

    ascii, others: characters read of this label; total: octets of the labels before it, with their dots.
    """

    surely_nonempty: ClassVar[bool] = True
    ascii: int = 0
    others: int = 0
    total: int = 0

    @property
    def nullable(self) -> bool:
        """True when the text may end here."""
        return self.ascii + self.others > 0

    def transitions(self) -> tuple[tuple[CharSet, EncodedLength], ...]:
        """The sets of characters that may follow, each with its machine."""
        after = (
            (_ASCII, EncodedLength(self.ascii + 1, self.others, self.total)),
            (_BEYOND_ASCII, EncodedLength(self.ascii, self.others + 1, self.total)),
        )
        found = [(chars, node) for chars, node in after if node._fits()]
        if self.nullable and self.total + self._octets() + 2 <= MAX_NAME:
            found.append((_DOTS, EncodedLength(0, 0, self.total + self._octets() + 1)))
        return tuple(found)

    def _fits(self) -> bool:
        octets = self._octets()
        return octets <= MAX_LABEL and self.total + octets <= MAX_NAME

    def _octets(self) -> int:
        return longest_encoding(self.ascii, self.others)


_ASCII = charset.from_ranges([(0, 45), (47, 127)])
_BEYOND_ASCII = charset.difference(charset.complement(charset.from_ranges([(0, 127)])), _DOTS)


@cache
def longest_encoding(num_ascii: int, num_others: int) -> int:
    """Octets of the longest A-label of so many ASCII and other characters (of an ASCII label: of itself).

    Punycode (RFC 3492) writes, for each of the others in the order of code points, how far a counter has to advance.
    All advances together are at most the code points below U+10FFFF times the final length, and writing one in d
    digits takes an advance of at least _least_advance(d). So the most digits come from raising the cheapest ones first.
    """
    if num_others == 0:
        return num_ascii
    size = num_ascii + num_others
    budget = 0x110000 * size + size * num_others
    digits = num_others
    for length in range(2, 12):
        price = _least_advance(length) - _least_advance(length - 1)
        affordable = min(num_others, budget // price)
        digits, budget = digits + affordable, budget - affordable * price
    return len("xn--") + num_ascii + (num_ascii > 0) + digits


@cache
def _least_advance(num_digits: int) -> int:
    """The least number that Punycode may write in so many digits, whatever its thresholds (1 to 26) are."""
    if num_digits == 1:
        return 0
    shorter = _least_advance(num_digits - 1)
    return min(threshold + (36 - threshold) * shorter for threshold in range(1, 27))
