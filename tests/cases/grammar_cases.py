"""Regexes, choices, EBNF grammars, structural tags, with texts that they allow and refuse. One table for all backends.

JSON Schemas have a table of their own, `json_schema_cases.py`, and so has EBNF, `ebnf_cases.py`; `all_cases` has all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from . import ebnf_cases
from .json_schema_cases import CASES as SCHEMA_CASES


@dataclass(frozen=True, eq=False)
class GrammarCase:
    """A grammar and texts. options: further arguments of `compile_grammar`, such as the dialect."""

    name: str
    kind: str
    source: Any
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        """What `compile_grammar` is called with."""
        return {self.kind: self.source, **self.options}


def _regex(name: str, pattern: str, valid: tuple[str, ...], invalid: tuple[str, ...]) -> GrammarCase:
    return GrammarCase(name, "regex", pattern, valid, invalid)


REGEX_CASES = (
    _regex("alternatives in any order", "a|ab|abc", ("a", "ab", "abc"), ("", "b", "abcd")),
    _regex("lazy", "a*?b??", ("", "a", "aab"), ("ba", "abb")),
    _regex("counts", "(?:ab){2,3}c{2,}", ("ababcc", "abababccc"), ("abcc", "ababc", "ababababcc")),
    _regex("groups", "(?P<year>[0-9]{4})-(0[1-9]|1[0-2])", ("2024-02", "0001-12"), ("2024-13", "24-02", "2024-2")),
    _regex("dot", "a.c", ("abc", "a日c", "a\tc"), ("a\nc", "ac", "abbc")),
    _regex("dot of all", "(?s)a.c", ("abc", "a\nc"), ("ac",)),
    _regex("class turned round", "[^a-y]{2}", ("z日", "\n\n"), ("az", "z")),
    _regex("characters of several bytes", "[é-ű日]+😀?", ("é", "日é", "ű😀"), ("😀", "e", "日😀😀")),
    _regex("escapes", r"\.\\\*\x41\u00e9\n", (".\\*Aé\n",), ("a\\*Aé\n", ".\\*Aé")),
    _regex("empty", "", ("",), ("a", " ")),
    _regex("nothing in a group", "(?:|a)b?", ("", "a", "b", "ab"), ("ba",)),
    _regex("case ignored", "(?i)ab", ("ab", "AB", "aB"), ("a", "abc")),
    _regex("anchors", "^ab$", ("ab",), ("", "a", "ab\n")),
    _regex("digits of all scripts", r"\d+", ("0", "٣", "12"), ("a", "", "²")),
    _regex("words and spaces", r"\w+\s\w+", ("é日 b", "a_1\n2"), ("a", "a-b c", "a  b")),
    _regex("unicode property", r"\p{Lu}\p{Ll}*", ("Éa", "Ab"), ("a", "AB", "1")),
    _regex("lookahead", "(?=.*[0-9])[a-z0-9]{3}", ("a1b", "123"), ("abc", "1", "a1bc")),
    _regex("lookahead turned round", "(?!null$)[a-z]+", ("nul", "nulls", "a"), ("null", "")),
    _regex("lookbehind", "[a-z]+(?<!x)", ("a", "xa"), ("ax", "x")),
    _regex("word boundary", r".*\bcat\b.*", ("cat", "a cat!"), ("cats", "concat")),
)

CHOICE_CASES = (
    GrammarCase("prefixes of each other", "choice", ["no", "not", "nothing"], ("no", "not", "nothing"), ("", "noth")),
    GrammarCase("one", "choice", ["a b"], ("a b",), ("a", "a b ", "")),
    GrammarCase("the empty string", "choice", ["", "a"], ("", "a"), ("aa",)),
    GrammarCase(
        "special characters",
        "choice",
        ['"', "\\n", "\n", "[a]*", "é😀", "\x00"],
        ('"', "\\n", "\n", "[a]*", "é😀", "\x00"),
        ("a", "", "\\"),
    ),
    GrammarCase("two thousand", "choice", [str(n * n) for n in range(2000)], ("0", "49", "3996001"), ("50", "4004001")),
)


def _ebnf(name: str, dialect: str, source: str, valid: tuple[str, ...], invalid: tuple[str, ...]) -> GrammarCase:
    return GrammarCase(f"{name} ({dialect})", "ebnf", source, valid, invalid, {"dialect": dialect})


_GBNF_ARITHMETIC = """root ::= term ([-+] term)*
term ::= factor ([*/] factor)*
factor ::= [0-9]+ | "(" root ")"
"""
_LARK_ARITHMETIC = """start: term (/[-+]/ term)*
term: factor (/[*\\/]/ factor)*
factor: /[0-9]+/ | "(" start ")"
"""
_ARITHMETIC_TEXTS = (("1", "1+2*(3-4)", "((12))/3", "1-1-1"), ("", "1+", "(1", "1)", "+1", "1 + 1"))
_LEFT_TEXTS = (("a", "a+a", "a+a+a"), ("", "+a", "a+", "aa"))

EBNF_CASES = (
    _ebnf("arithmetic", "gbnf", _GBNF_ARITHMETIC, *_ARITHMETIC_TEXTS),
    _ebnf("arithmetic", "xgrammar", _GBNF_ARITHMETIC, *_ARITHMETIC_TEXTS),
    _ebnf("arithmetic", "lark", _LARK_ARITHMETIC, *_ARITHMETIC_TEXTS),
    _ebnf("left recursion", "gbnf", 'root ::= root "+" "a" | "a"', *_LEFT_TEXTS),
    _ebnf("left recursion", "w3c", 'Sum ::= Sum "+" "a" | "a"', *_LEFT_TEXTS),
    _ebnf("left recursion", "lark", 'start: start "+" "a" | "a"', *_LEFT_TEXTS),
    _ebnf(
        "hidden left recursion",
        "gbnf",
        'root ::= n root "b" | "a"\nn ::= "x"?',
        ("a", "ab", "xab", "xabb"),
        ("b", "xa"),
    ),
    _ebnf("nullable rules", "gbnf", 'root ::= a a a\na ::= b*\nb ::= "x"?', ("", "x", "xxxx"), ("y",)),
    _ebnf("ambiguous", "gbnf", 'root ::= ("a" | "aa")+ "b"?', ("a", "aaa", "aab"), ("", "b", "abb")),
    _ebnf("not regular", "gbnf", 'root ::= "" | "a" root "b"', ("", "ab", "aaabbb"), ("a", "aab", "abab")),
    _ebnf("not regular", "lark", 'start: | "a" start "b"', ("", "ab", "aaabbb"), ("a", "aab", "abab")),
    _ebnf("repetition", "gbnf", 'root ::= [a-f]{2,3} "é"{2} [^x]', ("abééy", "fffééé"), ("aééy", "abééx", "abéy")),
    _ebnf("palindromes", "gbnf", 'root ::= "a" root "a" | "b" root "b" | "c"', ("c", "abcba"), ("", "abcab", "abba")),
    _ebnf(
        "terminals that overlap",
        "lark",
        'start: NAME ("=" NUMBER)?\nNAME: /[a-z0-9]+/\nNUMBER: /[0-9]+/',
        ("a=1", "12=3", "1"),
        ("=1", "a=b"),
    ),
    _ebnf("terminals where the longest is wrong", "lark", 'start: A "ab"\nA: /[a-z]+/', ("xab", "abab"), ("ab", "xa")),
    _ebnf("ignored spaces", "lark", 'start: "a" "b"\n%ignore " "', ("ab", "a b", "a   b"), ("a", "a-b")),
)


def _tags(name: str, format: dict[str, Any], valid: tuple[str, ...], invalid: tuple[str, ...]) -> GrammarCase:
    return GrammarCase(name, "structural_tag", {"type": "structural_tag", "format": format}, valid, invalid)


def const(value: str) -> dict[str, Any]:
    """A format of exactly this text."""
    return {"type": "const_string", "value": value}


def tag(begin: Any, content: dict[str, Any], end: Any) -> dict[str, Any]:
    """A tag format."""
    return {"type": "tag", "begin": begin, "content": content, "end": end}


def triggered(triggers: list[str], *tags: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A format of free text with tags in it."""
    return {"type": "triggered_tags", "triggers": triggers, "tags": list(tags), **more}


ANY = {"type": "any_text"}
PERSON = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}
F1, F2 = tag("<f=1>", const("x"), "</f>"), tag("<f=2>", const("y"), "</f>")
G = tag("<g>", ANY, "</g>")

STRUCTURAL_TAG_CASES = (
    _tags("const_string", const('a"é'), ('a"é',), ("", 'a"', 'a"éé')),
    _tags(
        "json_schema", {"type": "json_schema", "json_schema": PERSON}, ('{"a":1}', '{ "a": 12}'), ("{}", '{"a":"1"}')
    ),
    _tags(
        "json_schema with bounded whitespace",
        {"type": "json_schema", "json_schema": PERSON, "max_whitespace_cnt": 1},
        ('{"a":1}', '{ "a": 1 }'),
        ('{  "a":1}',),
    ),
    _tags(
        "json_schema with keys in any order",
        {
            "type": "json_schema",
            "json_schema": {
                "type": "object",
                "properties": {"a": {"type": "null"}, "b": {"type": "null"}},
                "required": ["a", "b"],
                "additionalProperties": False,
            },
            "any_order": True,
        },
        ('{"b":null,"a":null}', '{"a":null,"b":null}'),
        ('{"a":null}', '{"a":null,"a":null}'),
    ),
    _tags("any_text", ANY, ("", "a\nb<日>", "😀"), ()),
    _tags(
        "any_text with excludes",
        {"type": "any_text", "excludes": ["<f", "no"]},
        ("", "n o", "<<g", "f"),
        ("no", "a<fb", "nnoo"),
    ),
    _tags("any_text with max_chars", {"type": "any_text", "max_chars": 3}, ("", "日本語", "abc"), ("abcd",)),
    _tags(
        "any_text with max_chars in a tag",
        tag("<a>", {"type": "any_text", "max_chars": 2}, "</a>"),
        ("<a></a>", "<a>xy</a>"),
        ("<a>xyz</a>", "<a>xy"),
    ),
    _tags(
        "grammar",
        {"type": "grammar", "grammar": 'root ::= "a" root "b" | "c"'},
        ("c", "acb", "aacbb"),
        ("", "ac", "acbb"),
    ),
    _tags("regex", {"type": "regex", "pattern": "[a-c]{2}(?:é|1)"}, ("abé", "ca1"), ("ab", "adé")),
    _tags("regex with a lookahead", {"type": "regex", "pattern": "(?!ab)[a-c]{2}"}, ("ac", "bb"), ("ab", "a")),
    _tags("sequence", {"type": "sequence", "elements": [const("a"), const("b")]}, ("ab",), ("a", "b", "ba", "abb")),
    _tags(
        "sequence of free text and text",
        {"type": "sequence", "elements": [{"type": "any_text", "excludes": ["x"]}, const("x")]},
        ("x", "abx"),
        ("", "ab", "xx"),
    ),
    _tags("or", {"type": "or", "elements": [const("a"), const("ab"), G]}, ("a", "ab", "<g>x</g>"), ("", "b", "<g>")),
    _tags("optional", {"type": "optional", "content": const("a")}, ("", "a"), ("aa",)),
    _tags("plus", {"type": "plus", "content": const("ab")}, ("ab", "abab"), ("", "aba")),
    _tags("star", {"type": "star", "content": G}, ("", "<g>x</g>", "<g></g><g>y</g>"), ("<g>", "x")),
    _tags(
        "repeat", {"type": "repeat", "min": 2, "max": 3, "content": const("ab")}, ("abab", "ababab"), ("ab", "abababab")
    ),
    _tags("repeat without bound", {"type": "repeat", "min": 1, "max": -1, "content": const("a")}, ("a", "aaaa"), ("",)),
    _tags(
        "tag",
        tag("<think>", ANY, "</think>"),
        ("<think></think>", "<think>a<b</think>"),
        ("<think>", "<think></think>a"),
    ),
    _tags(
        "tag with several ends",
        tag("<a>", ANY, ["</a>", "</b>", "</a>\n"]),
        ("<a>x</a>", "<a>x</b>", "<a></a>\n"),
        ("<a>x", "<a>x</a></b>", "<a>x</a>\n\n"),
    ),
    _tags(
        "tag with an end that may be empty",
        tag("<a>", const("x"), ["", ";"]),
        ("<a>x", "<a>x;"),
        ("<a>", "<a>x;;"),
    ),
    _tags("tag ends where its end first begins", tag("[", ANY, "aba"), ("[aba", "[xaba"), ("[ababa", "[abaaba", "[ab")),
    _tags(
        "tag around a tag",
        tag("<o>", {"type": "sequence", "elements": [G, ANY]}, "</o>"),
        ("<o><g>a</o></g>b</o>", "<o><g></g></o>"),
        ("<o></o>", "<o><g></g>a</o></o>"),
    ),
    _tags(
        "tag around text and free text",
        tag("<o>", {"type": "or", "elements": [ANY, const("</o>!")]}, "</o>"),
        ("<o>a</o>", "<o></o>!</o>"),
        ("<o></o>?</o>",),
    ),
    _tags(
        "triggered_tags",
        triggered(["<f"], F1, F2),
        ("", "text", "a<f=1>x</f>b", "<f=1>x</f><f=2>y</f>", "a < b", "<"),
        ("<f", "<f=1>x", "<f=1>y</f>", "a<f=3>", "<f=1>x</f><f"),
    ),
    _tags(
        "triggered_tags, at least one",
        triggered(["<f"], F1, F2, at_least_one=True),
        ("<f=1>x</f>", "<f=2>y</f>b<f=1>x</f>"),
        ("", "a", "a<f=1>x</f>"),
    ),
    _tags(
        "triggered_tags, at most one",
        triggered(["<f"], F1, F2, stop_after_first=True),
        ("", "a", "a<f=1>x</f>"),
        ("a<f=1>x</f>b", "<f=1>x</f><f=1>x</f>"),
    ),
    _tags(
        "triggered_tags, exactly one",
        triggered(["<f"], F1, F2, at_least_one=True, stop_after_first=True),
        ("<f=1>x</f>", "<f=2>y</f>"),
        ("", "a<f=1>x</f>", "<f=1>x</f>b"),
    ),
    _tags(
        "triggered_tags with excludes",
        triggered(["<f"], F1, excludes=["q", "a<"]),
        ("a", "b<f=1>x</f>b"),
        ("q", "a<f=1>x</f>", "<f=1>x</f>q"),
    ),
    _tags(
        "triggers that are prefixes of each other",
        triggered(["<f", "<f="], F1, tag("<fa>", const("z"), "</f>")),
        ("<f=1>x</f>", "<fa>z</f>", "a"),
        ("<f=", "<fb", "<f=1>z</f>"),
    ),
    _tags(
        "a trigger that ends another",
        triggered(["ab", "b"], tag("abc", const("x"), "e"), tag("bd", const("x"), "e")),
        ("abcxe", "bdxe", "xbdxe", "aabcxe"),
        ("abdxe", "ab", "b", "be"),
    ),
    _tags(
        "a trigger inside another",
        triggered(["xaby", "ab"], tag("xaby1", const(""), ""), tag("abq", const(""), "")),
        ("xaby1", "xabq", "abq", "xa"),
        ("xab", "xaby", "xaby2", "ab1"),
    ),
    _tags(
        "triggered_tags in a tag",
        tag("<o>", triggered(["<f"], F1), "</o>"),
        ("<o></o>", "<o>a<f=1>x</f>b</o>", "<o>a</o>"),
        ("<o>a", "<o><f</o>", "<o></o></o>", "<o>a<f=1>x</f>"),
    ),
    _tags(
        "at most one in a tag",
        tag("<o>", triggered(["<f"], F1, stop_after_first=True), "</o>"),
        ("<o>a</o>", "<o>a<f=1>x</f></o>"),
        ("<o>a<f=1>x</f>b</o>",),
    ),
    _tags(
        "tags_with_separator",
        {"type": "tags_with_separator", "tags": [F1, G], "separator": ","},
        ("", "<f=1>x</f>", "<g>a</g>,<f=1>x</f>"),
        (",", "<f=1>x</f>,", "<g>a</g><g>a</g>"),
    ),
    _tags(
        "tags_with_separator, at least one",
        {"type": "tags_with_separator", "tags": [F1], "separator": "", "at_least_one": True},
        ("<f=1>x</f>", "<f=1>x</f><f=1>x</f>"),
        ("",),
    ),
    _tags(
        "tags_with_separator, at most one",
        {"type": "tags_with_separator", "tags": [F1], "separator": ",", "stop_after_first": True},
        ("", "<f=1>x</f>"),
        ("<f=1>x</f>,<f=1>x</f>",),
    ),
    _tags(
        "dispatch",
        {"type": "dispatch", "rules": [["<f", const("x")], ["<f", const("y")], ["<g", const("")]]},
        ("", "a<fxb<fy", "<g<g"),
        ("<f", "<fz"),
    ),
    _tags(
        "dispatch once",
        {"type": "dispatch", "rules": [["<f", const("x")]], "loop": False, "excludes": ["q"]},
        ("", "a", "a<fx"),
        ("a<fxb", "q<fx", "<f"),
    ),
    _tags(
        "token of ordinary text",
        {"type": "sequence", "elements": [{"type": "token", "token": 97}, const("b")]},
        ("ab",),
        ("b", "a", "bb"),
    ),
    _tags(
        "tokens up to a token",
        tag(
            {"type": "token", "token": "<"},
            {"type": "any_tokens", "exclude_tokens": ["q"]},
            {"type": "token", "token": ">"},
        ),
        ("<>", "<ab>"),
        ("<", "<q>", "<a>>"),
    ),
    _tags(
        "one token that is not excluded",
        {"type": "exclude_token", "exclude_tokens": ["a", 98]},
        ("c", "<"),
        ("a", "b", "", "cc"),
    ),
    _tags(
        "token_triggered_tags",
        {
            "type": "token_triggered_tags",
            "trigger_tokens": ["@"],
            "tags": [tag({"type": "token", "token": "@"}, const("x"), {"type": "token", "token": ";"})],
            "exclude_tokens": ["!"],
        },
        ("", "ab", "a@x;b", "@x;@x;"),
        ("@", "@y;", "!", "@x;!"),
    ),
    _tags(
        "token_dispatch",
        {"type": "token_dispatch", "rules": [["@", const("x")]], "loop": False},
        ("", "ab", "a@x"),
        ("@", "@xa"),
    ),
    GrammarCase(
        "the older form",
        "structural_tag",
        {
            "structures": [
                {"begin": "<function=f>", "schema": PERSON, "end": "</function>"},
                {"begin": "<function=g>", "schema": '{"type":"null"}', "end": "</function>"},
            ],
            "triggers": ["<function="],
        },
        ("", "a", 'a<function=f>{"a":1}</function>b<function=g>null</function>'),
        ("<function=", "<function=h>", '<function=g>{"a":1}</function>'),
    ),
    GrammarCase(
        "the older form as a response_format",
        "structural_tag",
        {
            "type": "structural_tag",
            "structures": [{"begin": "<t>", "schema": {"type": "boolean"}, "end": ""}],
            "triggers": ["<t"],
        },
        ("", "<t>true<t>falsex"),
        ("<t", "<t>1"),
    ),
)


def all_cases() -> Iterator[GrammarCase]:
    """Every case of every kind."""
    for case in SCHEMA_CASES:
        yield GrammarCase(case.name, "json_schema", case.schema, case.valid, case.invalid)
    for written in ebnf_cases.EBNF_CASES:
        texts = written.accepts, written.rejects
        yield GrammarCase(written.name, "ebnf", written.grammar, *texts, {"dialect": written.dialect})
    yield from (*REGEX_CASES, *CHOICE_CASES, *EBNF_CASES, *STRUCTURAL_TAG_CASES)
