"""Internationalized host names (IDNA 2008, RFC 5890 to 5893) and mail addresses (RFC 6531) as Languages.

A label must satisfy all rules: code points, contexts, the bidi rule, NFC, lengths. These valid labels are left out:
A-labels; labels with marks that could compose with the character before; labels with two reordering marks in a row; and
some long labels. A label is too long here if the Punycode of other letters could exceed 63 octets, with the same number
of letters from the same block of Unicode (idn_lengths.py).

The rules distinguish about forty kinds of characters. The automaton is built over one character of each kind, which
takes a few milliseconds. With the sets themselves, of a thousand ranges, each state would take that long.
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
from ..regex.ecma import full as language
from .format_hosts import LETTERS_DIGITS, host_names, mailbox
from .idn_names import InternationalName, Kinds, Table, make_table

_MANY = 1000  # longer ranges of code points hold only Han or Hangul, whose characters the rules treat alike
_LOCAL_CHAR = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-"
_LOCAL = f'(?:[{_LOCAL_CHAR}]+(?:\\.[{_LOCAL_CHAR}]+)*|"(?:[ !#-\\[\\]-~\u0080-\U0010ffff]|\\\\[ -~])*")'


def idn_hostname() -> lang.Language:
    """RFC 5890 host names: labels in Unicode and in ASCII."""
    return lang.machine(InternationalName(_table()))


@cache
def _table() -> Table:
    kinds = Kinds(_sets())
    return make_table(kinds, _names(kinds.representatives))


def _sets() -> dict[str, CharSet]:
    """All sets of characters that the rules use, by name."""
    joining = {f"joining {name}": _joining_types(name) for name in "LDTR"}
    classes = _classes()
    marks = charset.union(*[classes[name] for name in _MARKS])
    unspaced = charset.from_chars(char for char in _members(marks) if unicodedata.bidirectional(char) == "NSM")
    return {
        **classes,
        **joining,
        "nonspacing": unspaced,
        "a to z": charset.from_ranges([(97, 122)]),
        "A to Z": charset.from_ranges([(65, 90)]),
        "l": charset.single("l"),
        "0 to 9": charset.from_ranges([(48, 57)]),
        "arabic digit": charset.from_ranges([(0x660, 0x669)]),
        "persian digit": charset.from_ranges([(0x6F0, 0x6F9)]),
        "hyphen": charset.single("-"),
        "full stop": charset.single("."),
        "dot": charset.from_chars(".\u3002\uff0e\uff61"),
        "non-joiner": charset.single("\u200c"),
        "joiner": charset.single("\u200d"),
        "geresh": charset.from_chars("\u05f3\u05f4"),
        "middle dot": charset.single("\u00b7"),
        "keraia": charset.single("\u0375"),
        "katakana dot": charset.single("\u30fb"),
        "greek": _scripts("Greek"),
        "hebrew": _scripts("Hebrew"),
        "kana": _scripts("Hiragana", "Katakana", "Han"),
    }


def _names(sets: dict[str, CharSet]) -> lang.Language:
    """The names, without the rules about lengths."""
    left, right, ascii_label = _left_label(sets), _right_label(sets), _ascii_label(sets)
    named = lang.intersect(ascii_label, _beginning_with(sets["a to z"]), _without(sets["A to Z"]))
    dot = lang.chars(sets["dot"])
    names = [_separated(label, dot) for label in (left, lang.union(right, named))]
    return lang.union(_separated(ascii_label, lang.chars(sets["full stop"])), *names)


def _separated(label: lang.Language, dot: lang.Language) -> lang.Language:
    return lang.concat(label, lang.repeat(lang.concat(dot, label), 0))


def _ascii_label(sets: dict[str, CharSet]) -> lang.Language:
    """A label of a host name in ASCII (RFC 1123)."""
    ends = charset.union(sets["a to z"], sets["A to Z"], sets["0 to 9"])
    inner = lang.repeat(lang.chars(charset.union(ends, sets["hyphen"])), 0)
    label = lang.concat(lang.chars(ends), lang.union(lang.EMPTY_TEXT, lang.concat(inner, lang.chars(ends))))
    return lang.intersect(label, _reserved_hyphens())


def _beginning_with(chars: CharSet) -> lang.Language:
    return lang.concat(lang.chars(chars), lang.ANYTHING)


def idn_email() -> lang.Language:
    """Mailbox of RFC 6531. As in its grammar, only the characters of the domain's labels are checked."""
    beyond = charset.difference(_unpacked(idnadata.codepoint_classes["PVALID"]), charset.from_ranges([(0, 127)]))
    return mailbox(language(_LOCAL), host_names(charset.union(LETTERS_DIGITS, beyond), may_reserve=True))


def _left_label(sets: dict[str, CharSet]) -> lang.Language:
    """Labels without characters that are written from right to left."""
    marks = [sets[name] for name in _MARKS]
    contextual = [sets[name] for name in ("joiner", "non-joiner", "middle dot")]
    first = charset.union(
        *[sets[name] for name in ("a to z", "0 to 9", "letter", "persian digit", "keraia", "katakana dot")]
    )
    chars = charset.union(first, *marks, *contextual, sets["hyphen"])
    kana = charset.difference(sets["kana"], sets["katakana dot"])
    return lang.intersect(
        lang.concat(lang.chars(first), lang.repeat(lang.chars(chars), 0)),
        *_common_rules(sets),
        _never(charset.complement(sets["l"]), sets["middle dot"]),
        _always_followed(sets["middle dot"], sets["l"]),
        _always_followed(sets["keraia"], sets["greek"]),
        lang.union(_without(sets["katakana dot"]), _with(kana)),
    )


def _right_label(sets: dict[str, CharSet]) -> lang.Language:
    """Labels that begin with a letter that is written from right to left (RFC 5893, section 2)."""
    marks = sets["nonspacing"]
    arabic = charset.union(sets["arabic number"], sets["arabic digit"])
    european = charset.union(sets["0 to 9"], sets["persian digit"])
    ends = charset.union(sets["right"], arabic, european, sets["geresh"])
    chars = charset.union(ends, marks, sets["hyphen"], sets["non-joiner"])
    return lang.intersect(
        lang.concat(
            lang.chars(sets["right"]),
            lang.union(
                lang.repeat(lang.chars(marks), 0),
                lang.concat(lang.repeat(lang.chars(chars), 0), lang.chars(ends), lang.repeat(lang.chars(marks), 0)),
            ),
        ),
        *_common_rules(sets),
        lang.union(_without(arabic), _without(european)),
        _never(charset.complement(sets["hebrew"]), sets["geresh"]),
    )


def _common_rules(sets: dict[str, CharSet]) -> list[lang.Language]:
    """The rules that labels of both directions must satisfy."""
    ordered, virama = sets["ordered"], sets["virama"]
    return [
        lang.complement(lang.concat(lang.ANYTHING, lang.text("-"))),
        _reserved_hyphens(),
        _never(charset.union(ordered, virama), charset.union(ordered, virama)),
        _never(charset.complement(virama), sets["joiner"]),
        _joining(sets),
    ]


def _reserved_hyphens() -> lang.Language:
    """Texts without hyphens at both the third and the fourth place."""
    hyphens = lang.text("--")
    return lang.complement(lang.concat(lang.ANY_CHAR, lang.ANY_CHAR, hyphens, lang.ANYTHING))


def _joining(sets: dict[str, CharSet]) -> lang.Language:
    """Texts in which each ZERO WIDTH NON-JOINER is after a virama or between joining letters (RFC 5892, A.1)."""
    any_text, non_joiner = lang.ANYTHING, lang.chars(sets["non-joiner"])
    through = lang.repeat(lang.chars(sets["joining T"]), 0)
    before = lang.concat(any_text, lang.chars(charset.union(sets["joining L"], sets["joining D"])), through)
    after = lang.concat(through, lang.chars(charset.union(sets["joining R"], sets["joining D"])), any_text)
    no_virama = lang.complement(lang.concat(any_text, lang.chars(sets["virama"])))
    apart_before = lang.concat(lang.difference(no_virama, before), non_joiner, any_text)
    apart_after = lang.concat(no_virama, non_joiner, lang.complement(after))
    return lang.complement(lang.union(apart_before, apart_after))


def _never(first: CharSet, second: CharSet) -> lang.Language:
    """Texts in which no character of `first` is directly before a character of `second`."""
    return lang.complement(lang.concat(lang.ANYTHING, lang.chars(first), lang.chars(second), lang.ANYTHING))


def _always_followed(first: CharSet, second: CharSet) -> lang.Language:
    """Texts in which a character of `second` directly follows each character of `first`."""
    ends = lang.complement(lang.concat(lang.ANYTHING, lang.chars(first)))
    return lang.intersect(ends, _never(first, charset.complement(second)))


def _without(chars: CharSet) -> lang.Language:
    return lang.repeat(lang.chars(charset.complement(chars)), 0)


def _with(chars: CharSet) -> lang.Language:
    return lang.complement(_without(chars))


@cache
def _classes() -> dict[str, CharSet]:
    """The code points beyond ASCII that RFC 5892 always allows, in sets by name.

    "letter" and "right" (written from right to left) can begin a label. "mark", "virama" and "ordered" (marks that
    normalization may reorder) can't. "arabic number" is the bidi class AN. No set contains characters that may compose
    with the character before them.
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
    """The set of characters in the idna library's ranges: start << 32 | end, without the end itself."""
    return charset.from_ranges((item >> 32, (item & 0xFFFFFFFF) - 1) for item in ranges)


def _members(chars: CharSet) -> list[str]:
    return [chr(code) for low, high in chars for code in range(low, high + 1)]
