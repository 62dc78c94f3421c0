r"""Find the sets behind `\p{...}` and case-insensitive matching in ECMA-262 patterns.

General categories and case folding come from `unicodedata` and `str`, so Python's Unicode version applies. Scripts and
other binary properties come from the `regex` package, which transformers needs anyway. Without `regex` they are
unknown.
"""

from __future__ import annotations

import itertools
import sys
import unicodedata
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from . import charset as cs

_CATEGORIES = {
    "Lu": "Uppercase_Letter",
    "Ll": "Lowercase_Letter",
    "Lt": "Titlecase_Letter",
    "LC": "Cased_Letter",
    "Lm": "Modifier_Letter",
    "Lo": "Other_Letter",
    "L": "Letter",
    "Mn": "Nonspacing_Mark",
    "Mc": "Spacing_Mark",
    "Me": "Enclosing_Mark",
    "M": "Mark",
    "Nd": "Decimal_Number",
    "Nl": "Letter_Number",
    "No": "Other_Number",
    "N": "Number",
    "Pc": "Connector_Punctuation",
    "Pd": "Dash_Punctuation",
    "Ps": "Open_Punctuation",
    "Pe": "Close_Punctuation",
    "Pi": "Initial_Punctuation",
    "Pf": "Final_Punctuation",
    "Po": "Other_Punctuation",
    "P": "Punctuation",
    "Sm": "Math_Symbol",
    "Sc": "Currency_Symbol",
    "Sk": "Modifier_Symbol",
    "So": "Other_Symbol",
    "S": "Symbol",
    "Zs": "Space_Separator",
    "Zl": "Line_Separator",
    "Zp": "Paragraph_Separator",
    "Z": "Separator",
    "Cc": "Control",
    "Cf": "Format",
    "Cs": "Surrogate",
    "Co": "Private_Use",
    "Cn": "Unassigned",
    "C": "Other",
}
_CATEGORY_ALIASES = {"punct": "P", "digit": "Nd", "cntrl": "Cc", "Combining_Mark": "M"}
_SHORT_CATEGORIES = {long: short for short, long in _CATEGORIES.items()} | _CATEGORY_ALIASES
_MEMBERS = {"LC": ("Lu", "Ll", "Lt")}
_SCRIPT_KEYS = {
    "Script": "Script",
    "sc": "Script",
    "Script_Extensions": "Script_Extensions",
    "scx": "Script_Extensions",
}
_BINARY_PROPERTIES = frozenset(
    """
    ASCII_Hex_Digit AHex Alphabetic Alpha Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased
    Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash Default_Ignorable_Code_Point DI Deprecated
    Dep Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier EMod Emoji_Modifier_Base EBase
    Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext Grapheme_Base Gr_Base Grapheme_Extend
    Gr_Ext Hex_Digit Hex ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C
    Logical_Order_Exception LOE Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn
    Pattern_White_Space Pat_WS Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm
    Soft_Dotted SD Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS
    White_Space space XID_Continue XIDC XID_Start XIDS
    """.split()  # noqa: SIM905 (a word list, easier to read as text)
)


@lru_cache(maxsize=256)
def property_set(expression: str) -> cs.CharSet | None:
    r"""Return the set of `\p{expression}`, in the exact spelling of ECMA-262; None for an unknown expression."""
    key, has_value, value = expression.partition("=")
    if not has_value:
        if expression == "Any":
            return cs.ALL
        if expression == "ASCII":
            return ((0, 0x7F),)
        if expression == "Assigned":
            return cs.complement(_category("Cn"))
        if expression in _BINARY_PROPERTIES:
            return _ask_regex(expression)
        key, value = "gc", expression
    if key in ("gc", "General_Category"):
        short = _SHORT_CATEGORIES.get(value, value)
        return _category(short) if short in _CATEGORIES else None
    if key in _SCRIPT_KEYS and value.replace("_", "").isalpha() and value[0].isupper():
        return _ask_regex(f"{_SCRIPT_KEYS[key]}={value}")
    return None


@lru_cache(maxsize=256)
def ignore_case(charset: cs.CharSet) -> cs.CharSet:
    """Return the members and every character with the same simple case folding."""
    classes = _case_classes()
    extra = [charset]
    for chars in classes:
        if any(cs.contains(charset, ord(char)) for char in chars):
            extra.append(cs.from_chars(chars))
    return cs.union(*extra) if len(extra) > 1 else charset


def _category(short: str) -> cs.CharSet:
    """Return the characters of a category (two letters) or a group of categories (one letter, or LC)."""
    table = _category_table()
    names = _MEMBERS.get(short) or [name for name in table if name.startswith(short)]
    return cs.union(*[table.get(name, ()) for name in names])


@cache
def _category_table() -> dict[str, cs.CharSet]:
    """Return the characters of each category with two letters."""
    runs: dict[str, list[tuple[int, int]]] = {}
    start = 0
    for name, run in itertools.groupby(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))):
        end = start + sum(1 for _ in run)
        runs.setdefault(name, []).append((start, end - 1))
        start = end
    return {name: cs.from_ranges(pairs) for name, pairs in runs.items()}


@cache
def _case_classes() -> list[str]:
    """Return the groups of at least two characters with the same simple case folding."""
    classes: dict[str, list[str]] = {}
    for low, high in cs.union(*[_category(name) for name in ("L", "M", "N", "S")]):
        for char in map(chr, range(low, high + 1)):
            if char.lower() != char or char.upper() != char or char.casefold() != char:
                classes.setdefault(_simple_fold(char), []).append(char)
    return ["".join({folded, *chars}) for folded, chars in classes.items() if {folded, *chars} != {folded}]


def _simple_fold(char: str) -> str:
    """Return the character's simple folding. When the full folding is longer, the lower case if that folds to the
    same.
    """
    full = char.casefold()
    if len(full) == 1:
        return full
    lower = char.lower()
    return lower if len(lower) == 1 and lower.casefold() == full else char


def _ask_regex(expression: str) -> cs.CharSet | None:
    """Return the set according to the `regex` package; None when the package does not know it or is not installed."""
    try:
        module: Any = import_module("regex")
    except ImportError:
        return None
    try:
        compiled = module.compile(rf"\p{{{expression}}}")
    except module.error:
        return None
    everything = "".join(chr(code) for low, high in cs.ALL for code in range(low, high + 1))
    return cs.from_ranges((ord(match.group()),) * 2 for match in compiled.finditer(everything))
