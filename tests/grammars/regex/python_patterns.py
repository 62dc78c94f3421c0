r"""Patterns of Python's `re`, and strings to try on them: walks through their Languages, mutated walks, random ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from guided.grammars.regex import algebra as lang

# fmt: off
PATTERNS = [
    # literals, classes, escapes
    "", "a", "abc", "[abc]", "[^abc]", "[a-fA-F0-9]", "[]a]", "[^]a]", "[a-]", "[-a]", r"[a\-z]", "[]-a]", r"[\]]",
    ".", "..", "(?s).", r"\d", r"\D", r"\w", r"\W", r"\s", r"\S", r"[\d\s]", r"[^\d\s]", r"[\w-]", r"[\D\d]",
    r"[^\W\d_]", r"\x41\u0042\U00000043", r"\0\07\012", r"\101\141", r"[\0\7\12\101\377]", r"\N{DIGIT ONE}",
    r"[\N{EM DASH}-\N{BULLET}]", r"\a\f\n\r\t\v", r"[\a\b\f\n\r\t\v]", r"\\\.\*\+\?\[\]\(\)\{\}\|\^\$",
    r'\-\_\@\/\"\ ', "\\\xe9", "\xe9+\xdf", "\u65e5\u672c\u8a9e?", "[\u4e00-\u9fa5]+", "{", "}", "]", "a{", "a{b}",
    "a{1", "a{1,", "a{,b}", "{a}", "x{}", "x{}?", "x{}*", "a{1}{", "[{]{2}",
    # alternation and groups
    "a|b", "a|ab|abc", "|a", "a|", "(|a)b", "(?:a|b)(?:c|d)", "(a(b(c)))", r"(?P<year>\d{4})-(?P<month>\d\d)", "()",
    "(?:)", "foo|bar|foobar", "(?:foo|bar)*", "(a|b|)c", "ab(?#a comment)c", "a(?#)*b", "a(?#one)(?#two){2}",
    # quantifiers
    "a*", "a+", "a?", "a{2}", "a{2,}", "a{2,4}", "a{,3}", "a{,}", "a{0}", "a{0,0}b", "a{00002}", "(?:ab)*",
    "(?:ab){2,3}c", "a*?", "a+?", "a??", "a{2,4}?", "a*?b", ".*?b", "(?:a|b)*?c", "(?:a*)*", "(?:a*)+b", "(?:a?){3}",
    "(?:a|b?)+", "(?:|a)+", "(?:a{2}){0,2}b", "(?:a{2,3}){2,3}", "(?:(?:a|b){2})*", "(a+)(a*)", "[ab]*a[ab]{2}",
    "(?:a?b?){2,3}", "a{300}?b?",
    # anchors
    "^a$", "^", "$", "^$", "a$", "a$\n", "a$\n?", r"a\Z", r"\Aa", "a\\Z\n", "$a", "a^b", "a$b", "(?:^a|b)+",
    "(?:a$|b)+", "$\n$", "(?m)^a$", "(?m)^", "(?m)$", "(?m)a$\nb", "(?m)(?:^a\n)*", "(?m)^$\n^$", "(?m:^)a",
    "(?m)\\Aa\n\\Z", "(?m)a\n^b$", "(?m)$.^", "(?ms)$.^", "(?m).*$\n.*", "(?-m:a$)", "(?m)(?-m:a$\n)", "[^a]$",
    "\n*$\n*", "(?:$\n){1,2}",
    # word boundaries
    r"\bab\b", r"\b", r"\B", r"a\Bb", r"a\bb", r"\Ba", r"\B-", r"-\B-", r"\w+\b\W+\b\w+", r"(?:\b\w+\b ?)*",
    r"(?:\bfoo|bar\b)+", r".*\bfoo\b.*", r"(?:\b|a)+-", r"\b\b\ba", "(?a)\xe9\\ba", "\xe9\\ba", "(?a:\\b)\xe9",
    "\\B\xe9\\B", r"(?:a\b)?-?", r"\B\B", r"(?:\B-)*",
    # lookahead
    "(?=a)a", "(?=a).", "(?=.*a)(?=.*b).{2,4}", "(?!a).", "(?!ab)[ab]+", "(?:(?!ab).)*", "(?:(?!--).)+", "a(?=b)b|c",
    "(?=a|b)[^b]", "(?!.*(?:foo|bar)).*", "(?=(?=a).b)ab", "(?!(?!a))a", "(?=a)*b", "(?=a)?b", "(?=a){2}a",
    "(?!a){0}a", "(?=.{3}$)a*b*", "(?=)a", "(?!)a", "(?:a(?=b)|b(?=a|$))+", r"(?=\w+\d)[a-z\d]{2,4}", r"(?!\d+$)\w+",
    r"(?=[^\n]*\d)[^\n]{1,3}", "(?:(?=a)b?)*a", r"(?=.*\bfoo\b).+",
    # lookbehind
    "a(?<=a)", "a(?<=b)", ".(?<!a)", "(?<=a)b|a", ".*(?<!ab)", "(?:a|b(?<=ab))+", "(?<!a)b*", "(?<=^)a", "(?<!^)a|b",
    r".*(?<=\d{2})", r".+(?<=\bfoo)", r".+(?<!\bfoo)", r".*(?<=o\b).*", r".*(?<=a$)\n?", "(?:.(?<=a|b))+",
    r"(?:.(?<!a\b|-))+", "..(?<=(?=a)..)", ".*(?<=(?!a)[ab]).?", r"(?m).*(?<=^a)\n?b?", r"(?s).*(?<=\na)",
    "(?:ab?(?<!b))+", "(?<=)a", "(?<!)a", "(?<=(?<=a)b)c|abc", "a(?<=(?<!b)a)b", r".*(?<=\w)-(?!-).*",
    r"(?:.(?<=\ba)|b)*", ".*(?<=a{2})b", "(?:[ab](?<=a)|b(?<=ab))+",
    r"[a\n]*(?<=a\Z)\n?", r".*(?<=ab\b|ac\b)", r".*(?<!ab\b|a-$)b?", r".*(?<=(?i:a\b))-?",
    # flags
    "(?i)abc", "(?i)[a-c]+", "(?i)[^a]", "(?i)k", "(?i)\u017f", "(?i)\xdf", "(?i)\u01c6", "(?i)[\xdf-\xff]",
    "(?i)stra\xdfe", "(?i)i", "(?i)\u0131", "(?i)\u0130", "(?i)\u03c3", "(?i)[\u03c2]", r"(?i)\w", r"(?i)[\Wk]",
    r"(?i)[\W\d]", "(?ia)k", "(?ia)[\xe9-\xfc]", "(?ia)\xe9", "(?i:a)b", "(?i)a(?-i:b)c", "(?i)[\u1c80-\u1c88]",
    "(?i)\u0390|\u03b0", "(?i)\U00010400", "(?i)[\U00010400x]", "(?i)[\U00010428x]", "(?i)[\U00010400-\U00010410]",
    "(?i)\U00010428|x", "(?i)a|B|c", "(?i)ab|aB", "(?i)[^k-s]",
    "(?i)[-\U00010400]", "(?i)[^\U00010400-]", "(?s).*", "(?s:.).", "(?s)(?-s:.).", r"(?a)\w+",
    r"(?a)\d\D", r"(?a)\s\S", r"(?u)\w", r"(?a)(?u:\w)", r"(?a:\w)\w", "(?i)(?m)(?s)^a.$", "(?im)^a$",
    "(?x) a b # comment\n c", "(?x)a  *", r"(?x)[ #] \# \ ", "(?x) a # \\\nb\n c", "(?x: a b ) c", "(?x)(?-x: a) b",
    "(?x)\n#a\n(?i)a", "(?x)a{1, 2}", "(?x) a | b #", "(?#x)(?i)a", "(?x) ( a ) {2} b", r"(?x)a \  b",
    # things people write
    r"[A-Za-z_]\w*", r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", r"[^@\s]+@[^@\s]+\.[a-z]{2,3}",
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", "#(?:[0-9a-f]{3}){1,2}", "(?i)#[0-9a-f]{6}",
    r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}", r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{4,8}",
    "(?!-)[a-z-]{1,8}(?<!-)", r"\s*(?:\w+\s*=\s*[^,;]*[,;]?)*", "(?:[A-Z][a-z]+ ?)+", "<([a-z]+)>[^<]*</([a-z]+)>",
    r"[+-]?\d{1,3}(?:,\d{3})*", r"/\*(?:(?!\*/).)*\*/", r'"(?:\\.|[^"\\])*"', r"(?:[^,\n]*,)*[^,\n]*",
    r"v?\d+(?:\.\d+){0,2}(?:-[a-z]+)?", r"\$?\d+(?:\.\d\d)?", r"(?m)(?:^- .+$\n?)+", "[[]", "[a[b]", "[a||b]",
    "[a&&b]", "[--a]", "[a~~b]",
]
# fmt: on

SPECIAL = 'aAbBcC01-_. \n\r\t"\\{}()é\u00dfkK\u212asS\u017f\u0130i\u0131\u03c3\u03c2\x1c\x85\u0663\U00010400\U00010428x'


def strings(pattern: str, language: lang.Language, seed: int) -> Iterator[str]:
    """60 or more strings, about a third of which match (if any does). Deterministic."""
    rng = random.Random(seed)
    alphabet = SPECIAL + pattern
    yield from ("", "a", "\n", "ab", "a\n", pattern)
    for _ in range(18):
        found = walk(language, rng)
        yield found
        yield mutated(found, alphabet, rng)
        yield "".join(rng.choices(alphabet, k=rng.randrange(1, 6)))


def walk(language: lang.Language, rng: random.Random) -> str:
    """A text along the Language's transitions, and a shortest way to the end from where the walk has come to."""
    found = ""
    while len(found) < 12 and not (language.nullable and rng.random() < 0.25):
        steps = language.transitions()
        if not steps:
            break
        charset, language = rng.choice(steps)
        low, high = rng.choice(charset)
        found += chr(rng.choice((low, high, rng.randint(low, high))))
    return found + (lang.find_word(language, 3000) or "")


def mutated(text: str, alphabet: str, rng: random.Random) -> str:
    """The text with one to three characters put in, taken out or replaced."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("", rng.choice(alphabet))) + text[at + rng.randrange(2) :]
    return text
