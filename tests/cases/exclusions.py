"""Cases that a backend does not do, with what it does instead and why."""

from __future__ import annotations

from collections.abc import Iterable

REFUSED = "refused"
ACCEPTS = "accepts invalid"
REJECTS = "rejects valid"

Exclusions = dict[tuple[str, str], tuple[str, str]]
"""(kind, name of the case) -> (what happens, why)."""

DIALECTS = {"llguidance": ("lark",), "xgrammar": ("gbnf", "xgrammar")}
"""The dialects of EBNF that a backend takes; those that are not here take all of them."""


def _group(kind: str, verdict: str, reason: str, names: Iterable[str]) -> Exclusions:
    return {(kind, name): (verdict, reason) for name in names}


_NO_LOOKAROUND = _group(
    "regex",
    REFUSED,
    "has no lookaround, and word boundaries of ASCII only or none",
    ("lookahead", "lookahead turned round", "lookbehind", "word boundary"),
)

_NO_BYTE_ORDER_MARK = _group(
    "json_schema",
    ACCEPTS,
    r"its \s lacks U+FEFF, which is white space in ECMA-262",
    ("pattern of classes turned round",),
)

_BOTH_EXTRAS = {
    **_NO_BYTE_ORDER_MARK,
    **_group("json_schema", REJECTS, "writes no exponents where a number has bounds", ("positive",)),
    **_group(
        "json_schema",
        REFUSED,
        "its own regex takes days that a month does not have, or second 60 at any time",
        ("format date", "format time", "format date-time"),
    ),
    **_group(
        "json_schema", REFUSED, "uniqueItems is not enforced, even where it changes nothing", ("unique by length",)
    ),
}

EXCLUSIONS: dict[str, Exclusions] = {
    "outlines_core": {
        **_NO_LOOKAROUND,
        **_group("regex", REFUSED, "reads ^ at the start of all only, where it puts a byte", ("anchors",)),
        **_group("json_schema", REJECTS, "writes signs in all exponents", ("number",)),
        **_group("json_schema", REJECTS, r"writes no escape \u in a string", ("string", "string lengths")),
        **_group(
            "json_schema",
            REFUSED,
            "skips bounds of numbers",
            (
                *("integer range", "negative range", "range over zero", "fractional bounds", "open range"),
                *("open range below", "every integer is a multiple of 1", "not negative", "positive"),
            ),
        ),
        **_group(
            "json_schema",
            REJECTS,
            "takes a pattern for one of the whole string",
            ("pattern anywhere", "pattern with alternatives"),
        ),
        **_NO_BYTE_ORDER_MARK,
        **_group("json_schema", ACCEPTS, r"its \d, \w and \s are those of all scripts", ("pattern of a class",)),
        **_group(
            "json_schema",
            REJECTS,
            "matches a pattern against the JSON text, so that what needs an escape can't be written",
            (
                *("pattern over escapes", "pattern of any character"),
                *("pattern of a complement", "keys with escapes"),
            ),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "its own regex takes days that a month does not have, and times without an offset",
            ("format date", "format time", "format date-time"),
        ),
        **_group("json_schema", REJECTS, "its own regex takes less", ("format uuid", "format email")),
        **_group("json_schema", REFUSED, "refuses formats that it does not know", ("format ipv4", "unknown format")),
        **_group(
            "json_schema",
            REFUSED,
            "skips other keywords beside enum and const",
            ("enum with a type", "enum with bounds", "const and enum", "draft 4 has no const beside anyOf"),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "takes no false inside a schema",
            (
                *("no key may be there", "array without items", "prefix that nothing fits"),
                "anyOf with a branch nobody fits",
            ),
        ),
        **_group("json_schema", REJECTS, "wants all items of prefixItems", ("prefix items", "short prefix")),
        **_group("json_schema", REFUSED, "has no arrays in items", ("draft 7 tuple",)),
        **_group(
            "json_schema",
            REFUSED,
            "follows JSON pointers only, and no escapes in them",
            ("reference to an anchor", "embedded resource", "escaped pointer"),
        ),
        **_group("json_schema", REJECTS, "knows no drafts: const counts in each", ("draft 4 has no const",)),
        **_group(
            "json_schema",
            REFUSED,
            "prefixItems and additionalItems are read in every draft, so the keyword is refused if the draft lacks it",
            ("draft 7 has no prefixItems", "draft 2020-12 has no additionalItems"),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "does not enforce the keyword, not even if it has no effect",
            (
                "unique by length",
                "draft 4 has no const, propertyNames or unevaluatedProperties",
                "draft 4 has no contains",
                "draft 4 has no conditions",
                "draft 7 has no unevaluatedItems or counts of contains",
                "draft 7 has no dependentRequired or dependentSchemas",
                "dependencies are no keyword of draft 2020-12, but may be enforced",
                "keywords that constrain nothing",
            ),
        ),
    },
    "interegular": {
        **_group("regex", REFUSED, "reads ^ and $ nowhere", ("anchors", "lookahead turned round")),
        **_group("regex", REFUSED, "has no lookbehind", ("lookbehind",)),
        **_group("regex", REFUSED, r"has no \b", ("word boundary",)),
        **_group("regex", REFUSED, r"reads \d, \w and \s as ASCII", ("digits of all scripts", "words and spaces")),
        **_group("regex", REFUSED, "ignores the case of ASCII letters otherwise than Python", ("case ignored",)),
        **_group("regex", REFUSED, r"takes \u for a property; has no \p", ("escapes", "unicode property")),
    },
    "llguidance": {
        **_NO_LOOKAROUND,
        **_BOTH_EXTRAS,
        **_group("json_schema", REJECTS, "never writes U+007F in a string", ("string",)),
        **_group("json_schema", REFUSED, "refuses formats that it does not know", ("unknown format",)),
        **_group(
            "json_schema",
            REFUSED,
            "takes oneOf only where it sees that branches exclude each other",
            ("oneOf of values",),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "knows no drafts: other keywords beside $ref count in each",
            ("draft 7 hides what stands beside $ref",),
        ),
        **_group(
            "json_schema",
            REJECTS,
            "knows no drafts: const counts in each",
            (
                "draft 4 has no const",
                "draft 4 has no const, propertyNames or unevaluatedProperties",
                "draft 4 has no const beside anyOf",
            ),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "prefixItems and additionalItems are read in every draft, so the keyword is refused if the draft lacks it",
            ("draft 7 has no prefixItems", "draft 2020-12 has no additionalItems"),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "does not enforce the keyword, even where it changes nothing",
            ("dependencies are no keyword of draft 2020-12, but may be enforced", "keywords that constrain nothing"),
        ),
        **_group(
            "ebnf",
            REJECTS,
            "cuts the text into terminals first, and takes the longest",
            ("terminals where the longest is wrong (lark)",),
        ),
        **_group("ebnf", REFUSED, "takes no comment before a line that begins with a bar", ("lark lines with bars",)),
        **_group("ebnf", REFUSED, "takes one complement only", ("lark not twice",)),
        **_group("ebnf", REFUSED, "has no priorities", ("lark priorities",)),
        **_group("ebnf", REJECTS, "ignores nothing before the first terminal", ("lark ignored at the ends",)),
        **_group("ebnf", ACCEPTS, "does not know the option skip_repetition", ("lark ignored once",)),
        **_group(
            "ebnf", REJECTS, "reads lazy quantifiers as greedy ones", ("lark lazy quantifier before a fixed text",)
        ),
        **_group("ebnf", ACCEPTS, "reads lazy quantifiers as greedy ones", ("lark bounded lazy quantifier",)),
        **_group(
            "ebnf",
            REFUSED,
            "has no lookahead",
            ("lark lookahead in a terminal", "lark lookahead over pieces"),
        ),
        **_group(
            "ebnf",
            REFUSED,
            "takes no rule over several lines but with bars",
            ("lark continued line", "lark lines in parentheses"),
        ),
    },
    "xgrammar": {
        **_NO_LOOKAROUND,
        **_group(
            "regex",
            REFUSED,
            "has no flags, no named groups and no properties",
            ("dot of all", "case ignored", "unicode property", "groups"),
        ),
        **_group("regex", ACCEPTS, "reads the dot as any character, line breaks included", ("dot",)),
        **_group("regex", REJECTS, r"reads \d, \w and \s as ASCII", ("digits of all scripts", "words and spaces")),
        **_BOTH_EXTRAS,
        **_group("json_schema", REFUSED, "takes only whole numbers as bounds of integers", ("fractional bounds",)),
        **_group("json_schema", REFUSED, "skips multipleOf", ("every integer is a multiple of 1",)),
        **_group("json_schema", REJECTS, "counts an escape as several characters", ("string lengths",)),
        **_group(
            "json_schema",
            REJECTS,
            "takes a pattern for one of the whole string",
            ("pattern anywhere", "pattern with alternatives"),
        ),
        **_group(
            "json_schema",
            REJECTS,
            "matches a pattern against the JSON text, so that what needs an escape can't be written",
            ("pattern over escapes", "pattern of any character", "pattern of a class", "pattern of a complement"),
        ),
        **_group("json_schema", REFUSED, "its own regex takes leading zeros", ("format ipv4",)),
        **_group(
            "json_schema", REJECTS, "writes arrays and objects of enum and const without spaces", ("enum", "const")
        ),
        **_group(
            "json_schema",
            REFUSED,
            "skips other keywords beside enum and const",
            ("enum with a type", "enum with bounds", "const and enum", "draft 4 has no const beside anyOf"),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "takes no false inside a schema",
            ("no key may be there", "prefix that nothing fits", "anyOf with a branch nobody fits"),
        ),
        **_group("json_schema", REFUSED, "reads oneOf as anyOf", ("oneOf by type", "oneOf by tag", "oneOf of values")),
        **_group(
            "json_schema",
            REFUSED,
            "follows JSON pointers only, and no escapes in them",
            ("reference to an anchor", "embedded resource", "escaped pointer"),
        ),
        **_group("json_schema", REFUSED, "has no arrays in items", ("draft 7 tuple",)),
        **_group("json_schema", REJECTS, "knows no drafts: const counts in each", ("draft 4 has no const",)),
        **_group(
            "json_schema",
            REFUSED,
            "prefixItems is read in every draft, so it is refused where the draft lacks it",
            ("draft 7 has no prefixItems", "draft 2020-12 has no additionalItems"),
        ),
        **_group(
            "json_schema",
            REFUSED,
            "does not enforce the keyword, not even if it has no effect",
            (
                "draft 4 has no const, propertyNames or unevaluatedProperties",
                "draft 4 has no contains",
                "draft 4 has no conditions",
                "draft 7 has no unevaluatedItems or counts of contains",
                "draft 7 has no dependentRequired or dependentSchemas",
                "dependencies are no keyword of draft 2020-12, but may be enforced",
                "keywords that constrain nothing",
            ),
        ),
        **_group(
            "ebnf",
            REFUSED,
            "has no empty alternatives but the empty string",
            ("gbnf empty alternative", "gbnf empty rule", "gbnf nesting"),
        ),
        **_group("ebnf", REFUSED, "takes one quantifier only", ("gbnf quantifier twice",)),
        **_group("ebnf", REFUSED, "has no escapes of brackets in strings", ("gbnf string escapes",)),
        **_group("ebnf", REFUSED, r"reads more than two digits after \x", ("gbnf two hexadecimal digits only",)),
        **_group("ebnf", REFUSED, "takes no line ends in strings", ("gbnf string over lines",)),
        **_group("ebnf", REFUSED, "takes the dot for a name", ("gbnf any character", "gbnf dot beside a name")),
        **_group("ebnf", REFUSED, "takes no names that begin with a digit", ("gbnf names",)),
        **_group(
            "structural_tag",
            REFUSED,
            "does not check required keys when keys may come in any order",
            ("json_schema with keys in any order",),
        ),
        **_group("structural_tag", REFUSED, "its regexes have no lookaround", ("regex with a lookahead",)),
        **_group(
            "structural_tag",
            REFUSED,
            "lets free text go on where an end string that overlaps itself has begun",
            ("tag ends where its end first begins",),
        ),
        **_group(
            "structural_tag",
            REFUSED,
            "takes no tag that begins with two triggers",
            ("triggers that are prefixes of each other",),
        ),
        **_group(
            "structural_tag",
            REFUSED,
            "takes a trigger for free text while a longer one around it may still come",
            ("a trigger inside another",),
        ),
    },
}
