"""What is wrong in a grammar is said with its line, its column, a caret, and what was expected."""

from __future__ import annotations

import time

import pytest

from guided.grammars.ebnf import read_ebnf
from guided.grammars.errors import InvalidGrammarError, InvalidInputError, InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits

ERRORS = [
    # dialect, grammar, line, column, a part of the reason
    ("gbnf", 'root ::= "a"\n  "b"', 2, 3, "a rule goes on in the next line only after | and inside parentheses"),
    ("gbnf", 'root ::= "a" b ::= "c"', 1, 14, "a rule begins in a line of its own"),
    ("gbnf", 'root ::= "a" |\nb ::= "c"', 1, 15, "an alternative is missing here"),
    ("gbnf", 'root ::= a\nb ::= "c"', 1, 10, "the rule a is not defined"),
    ("gbnf", 'root ::= valeu\nvalue ::= "c"', 1, 10, "did you mean value?"),
    ("gbnf", 'rot ::= "a"', 1, 1, "there is no rule root, where texts begin in this dialect; did you mean rot?"),
    ("gbnf", "", 1, 1, "there is no rule root"),
    ("gbnf", 'root ::= "a"\nb ::= "b"\nroot ::= "c"', 3, 1, "the rule root is already defined in line 1"),
    ("gbnf", 'root ::= "a', 1, 10, "a string that does not end"),
    ("gbnf", "root ::= [a-", 1, 10, "a character class that does not end"),
    ("gbnf", 'root ::= ("a"', 1, 14, "the grammar ends where ) was expected"),
    ("gbnf", 'root ::= "a")', 1, 13, "unexpected ); expected "),
    ("gbnf", "root ::= *", 1, 10, "unexpected *; expected "),
    ("gbnf", 'root ::= "a"{,3}', 1, 13, "a repetition is written {2}, {2,} or {2,5}"),
    ("gbnf", 'root ::= "a"{3,2}', 1, 13, "at least 3 and at most 2 times can't both hold"),
    ("gbnf", r'root ::= "\q"', 1, 11, r"unknown escape \q; there are \n"),
    ("gbnf", r'root ::= "\x4"', 1, 11, r"hexadecimal digits are missing after \x"),
    ("gbnf", r'root ::= "\uD800"', 1, 11, "U+D800 is not a character that UTF-8 can encode"),
    ("gbnf", "root ::= [z-a]", 1, 11, "the range z-a is empty"),
    ("gbnf", "root ::= []", 1, 10, "an empty character class"),
    ("gbnf", "root ::= 'a'", 1, 10, "strings are written in double quotes"),
    ("gbnf", "root ::= /a/", 1, 10, "regexes are no part of this dialect"),
    ("gbnf", "root ::= <think>", 1, 10, "a token can only be named in a grammar that is read for a vocabulary"),
    ("gbnf", 'root "a"', 1, 1, "unexpected root; expected a rule (name ::= ...), the end"),
    ("gbnf", 'root ::= "a" $', 1, 14, "unexpected '$'"),
    ("xgrammar", 'root ::= "a" |', 1, 15, "the grammar ends where "),
    ("xgrammar", 'root ::= | "a"', 1, 10, "unexpected |; expected "),
    ("xgrammar", "root ::= ", 1, 9, "the grammar ends where "),
    ("xgrammar", 'root ::= "a" a ::= "b"', 1, 14, "a rule begins in a line of its own"),
    ("xgrammar", 'root ::= "a"++', 1, 14, "unexpected +; expected "),
    ("xgrammar", r"root ::= [\d]", 1, 11, r"unknown escape \d; sets such as \d are written out"),
    ("xgrammar", 'root ::= "a\nb"', 1, 10, "a string that does not end in its line"),
    ("xgrammar", 'root ::= TagDispatch(("<a>", b))', 1, 30, "the rule b is not defined"),
    ("xgrammar", 'root ::= TagDispatch("<a>")', 1, 22, "TagDispatch takes pairs (string, rule), loop_after_dispatch="),
    ("xgrammar", "root ::= TagDispatch(stop=true)", 1, 22, "TagDispatch takes pairs"),
    ("xgrammar", 'root ::= TagDispatch(("ab", root), ("a", root))', 1, 37, "'a' is a part of 'ab'"),
    ("xgrammar", 'root ::= TagDispatch(("", root))', 1, 23, "a tag is not the empty text"),
    ("xgrammar", "root ::= Token()", 1, 10, "Token needs at least one token id"),
    ("xgrammar", 'root ::= Token("a")', 1, 16, "Token takes token ids"),
    ("xgrammar", "root ::= Token(3)", 1, 10, "a token can only be named"),
    ("xgrammar", 'root ::= Regex("a", "b")', 1, 10, "Regex takes one string"),
    ("xgrammar", "root ::= Regex(root)", 1, 16, "Regex takes strings"),
    ("xgrammar", 'root ::= Regex("a(")', 1, 10, "in the regex: missing )"),
    ("xgrammar", 'root ::= Substring("a", 3)', 1, 25, "Substring takes strings"),
    (
        "xgrammar",
        'root ::= a\na[lazy] ::= "(" a ")" | "x"',
        2,
        17,
        "a refers to itself, so it can't be a part of a rule",
    ),
    ("xgrammar", 'root[max_tokens=3] ::= "a"', 1, 6, "the option max_tokens=3 can't be enforced; there are lazy, "),
    ("xgrammar", 'root[lazy, stop="b"] ::= "a"', 1, 12, 'the option stop="b" can\'t be enforced; there are lazy, '),
    ("xgrammar", 'root[lazy=1] ::= "a"', 1, 6, "the option lazy=1 can't be enforced"),
    ("xgrammar", 'root[lazy;] ::= "a"', 1, 6, "options of a rule are written [name, name=value]"),
    ("xgrammar", "root[lazy] ::= a", 1, 16, "the rule a is not defined"),
    ("w3c", "A ::= A 'b' - A", 1, 7, "A refers to itself, so it can't be excluded from or be excluded"),
    ("w3c", "A ::= 'a' - B\nB ::= 'b' C\nC ::= B?", 3, 7, "B refers to itself"),
    ("w3c", "A ::= 'a' /* b", 1, 11, "a comment that does not end"),
    ("w3c", "A ::= 'a\n'", 1, 7, "a string that does not end in its line"),
    ("w3c", "A ::= #20", 1, 7, "a character is written #x and its hexadecimal code"),
    ("w3c", "A ::= #xD800", 1, 7, "U+D800 is not a character"),
    ("w3c", "A ::= 'a'{2}", 1, 10, "this dialect has the quantifiers ? * + only"),
    ("w3c", "A ::= 'a' [ wfc: unique ]", 1, 11, "constraints beside a rule can't be enforced"),
    ("w3c", "A ::= 'a' - ", 1, 12, "the grammar ends where "),
    ("w3c", "/* nothing */", 1, 1, "there is no rule (name ::= ...)"),
    ("lark", "start: foo", 1, 8, "the rule foo is not defined"),
    ("lark", "start: FOO\nFO: /a/", 1, 8, "the terminal FOO is not defined; did you mean FO?"),
    ("lark", "start: INT", 1, 8, "the terminal INT is not defined; write %import common.INT"),
    ("lark", 'start: "a"\n%ignore WS', 2, 9, "the terminal WS is not defined; write %import common.WS"),
    ("lark", "start: Foo", 1, 8, "a name is all lower case (a rule) or all upper case (a terminal)"),
    ("lark", 'a: "b"', 1, 1, "there is no rule start"),
    ("lark", 'start: "a"\nstart: "b"', 2, 1, "the rule start is already defined in line 1"),
    ("lark", 'start: A\nA: "a"\nA: "b"', 3, 1, "the terminal A is already defined in line 2"),
    ("lark", "start: A\nA: B\nB: A", 3, 4, "A refers to itself, so it can't be a part of a terminal"),
    ("lark", "start: A\nA: start", 2, 4, "the rule start can't be a part of a terminal"),
    ("lark", 'start: "a" (', 1, 13, "the grammar ends where "),
    ("lark", 'start: "a" )', 1, 12, "unexpected ); expected "),
    ("lark", 'start:\n  "a"', 2, 3, 'unexpected "a"; expected '),
    ("lark", "start: 'a'", 1, 8, "strings are written in double quotes"),
    ("lark", r'start: "\b"', 1, 9, r"unknown escape \b; there are"),
    ("lark", "start: /a(/", 1, 10, "missing ), unterminated subpattern"),
    ("lark", r"start: /(a)\1/", 1, 12, "backreference"),
    ("lark", "start: /a/l", 1, 8, "the flag l is for bytes"),
    ("lark", "start: /a", 1, 8, "a regex that does not end in its line"),
    ("lark", "start: /x.*?/", 1, 11, "a lazy quantifier can't be enforced where the match could go on"),
    ("lark", 'start: "ab".."c"', 1, 8, "the ends of a range are strings of one character"),
    ("lark", 'start: "c".."a"', 1, 8, "the range is empty"),
    ("lark", 'start: "a"~3..2', 1, 11, "at least 3 and at most 2 times"),
    ("lark", "%declare A\nstart: A", 1, 1, "a declared terminal has no texts; define it"),
    ("lark", "%override A: /a/", 1, 1, "there is nothing to override"),
    (
        "lark",
        "%foo\nstart: A",
        1,
        1,
        "unknown directive; there are %ignore, %import, %json, %lark, %regex and %llguidance",
    ),
    ("lark", "%import python.NAME\nstart: NAME", 1, 16, "only %import common.NAME can be read"),
    ("lark", "%import common.WSP\nstart: WSP", 1, 16, "common has no WSP; did you mean WS?"),
    ("lark", 'start: a{"x"}\na: "b"', 1, 8, "templates can't be read"),
    ("lark", "start: _t\n_t{a}: a", 2, 1, "templates can't be read; write a rule for each use"),
    ("lark", 'start: %json {"type": }', 1, 23, "not JSON: Expecting value"),
    ("lark", 'start: %json {"x-guidance": {"a": 1}}', 1, 8, "x-guidance: a can't be enforced; there are whitespace_"),
    ("lark", 'start: %json {"x-guidance": {"key_separator": "="}}', 1, 8, "can't be enforced; separators are "),
    ("lark", 'start: %lark "a"', 1, 13, "%lark takes a grammar between braces"),
    ("lark", 'start: %lark {\n  start: b\n}\nb: "b"', 2, 10, "the rule b is not defined"),
    ("lark", 'start: %lark {\n  begin: "b"\n}', 1, 15, "there is no rule start"),
    ("lark", 'start: %lark {\n  start: "b" )\n}', 2, 14, "unexpected )"),
    ("lark", 'start: A\nA: %lark {\n  start: "b"\n}', 2, 4, "can't be a part of a terminal"),
    ("lark", "start: /a*.*?b/", 1, 12, "a lazy quantifier can't be enforced where the match could go on"),
    ("lark", "start: /a.*?b+/", 1, 11, "a lazy quantifier can't be enforced where the match could go on"),
    ("lark", 'start: A\nA: %json {"type": "null"}', 2, 4, "an embedded schema can't be a part of a terminal"),
    ("lark", 'start: %regex {"pattern": "a"}', 1, 8, "%regex takes an object with one of the keys"),
    (
        "lark",
        '%llguidance {"allow_invalid_utf8": true}\nstart: "a"',
        1,
        1,
        "the option allow_invalid_utf8 can't be enforced",
    ),
    ("lark", "start[temperature=0.5]: /a/", 1, 7, "the attribute temperature can't be enforced"),
    ("lark", "start[lazy]: a\na: /b/", 1, 14, "the rule a can't be a part of a terminal"),
    ("lark", "start: <|end|>", 1, 8, "a token can only be named"),
    ("lark", "start: @other", 1, 8, "other grammars can't be referred to"),
    ("lark", "start: a & b\na: /x/\nb: /y/", 1, 8, "the rule a can't be a part of a terminal"),
]


@pytest.mark.parametrize(("dialect", "grammar", "line", "column", "reason"), ERRORS)
def test_place_and_reason(dialect: str, grammar: str, line: int, column: int, reason: str) -> None:
    with pytest.raises(InvalidGrammarError) as caught:
        read_ebnf(grammar, dialect)
    error = caught.value
    assert reason in error.reason
    assert (error.line, error.column) == (line, column)
    message, source_line, caret = str(error).split("\n")
    assert f"(line {line}, column {column})" in message
    assert source_line.strip() == (grammar.split("\n")[line - 1].strip())
    assert caret == " " * (column + 1) + "^"


def test_long_lines_are_cut() -> None:
    with pytest.raises(InvalidGrammarError) as caught:
        read_ebnf("root ::= " + '"a" ' * 1000 + "b " + '"c"' * 1000, "gbnf")
    _, source_line, caret = str(caught.value).split("\n")
    assert caught.value.column == 4010
    assert len(source_line) < 130
    assert source_line[caret.index("^")] == "b"


def test_errors_of_schemas_are_their_own() -> None:
    with pytest.raises(InvalidSchemaError, match="occurs twice"):
        read_ebnf('start: %json {"type": "null", "type": "null"}', "lark")


@pytest.mark.parametrize(
    ("dialect", "grammar", "limit"),
    [
        ("gbnf", "root ::= " + '"a" ' * 300_000, "max_ebnf_bytes"),
        ("lark", "start: " + '"é"' * 300_000, "max_ebnf_bytes"),
        ("gbnf", 'root ::= "a"{1000000}', "max_repeat"),
        ("gbnf", 'root ::= "a"{1' + "0" * 5000 + "}", "max_repeat"),
        ("xgrammar", 'root ::= "a"{3,99999}', "max_repeat"),
        ("lark", 'start: "a"~30000', "max_repeat"),
        ("lark", "start: " + "(" * 500 + '"a"' + ")" * 500, "max_ebnf_depth"),
        ("gbnf", "root ::= " + "(" * 500 + '"a"' + ")" * 500, "max_ebnf_depth"),
        ("gbnf", 'root ::= "a"' + "*" * 500, "max_ebnf_depth"),
        ("w3c", "A ::= 'a'" + "+" * 500, "max_ebnf_depth"),
        (
            "lark",
            "start: A0\n" + "".join(f"A{i}: A{i + 1} A{i + 1}\n" for i in range(60)) + 'A60: "x"',
            "max_ebnf_bytes",
        ),
        (
            "lark",
            "start: A0\n" + "".join(f"A{i}: A{i + 1} A{i + 1}\n" for i in range(60)) + "A60: /a(?=.)/",
            "max_automaton_states",
        ),
        ("lark", "start: %json " + '{"not": ' * 100_000, "max_schema_depth"),
    ],
)
def test_limits_are_found_quickly(dialect: str, grammar: str, limit: str) -> None:
    read_ebnf('root ::= "a"', "gbnf")  # lark is imported
    began = time.process_time()
    with pytest.raises(LimitExceededError) as caught:
        read_ebnf(grammar, dialect)
    assert caught.value.limit == limit
    assert time.process_time() - began < 1.0


def test_limits_can_be_raised() -> None:
    read_ebnf('start: "a"~30000', "lark", Limits(max_repeat=30_000))
    read_ebnf("start: " + "(" * 150 + '"a"' + ")" * 150, "lark", Limits(max_ebnf_depth=150))


def test_long_chains_need_no_stack() -> None:
    read_ebnf("A ::= [a-z]" + " - 'b'" * 3000, "w3c")
    read_ebnf("start: A\nA: " + "~" * 3000 + '"a"' + ' & "a"' * 3000, "lark")
    chain = "\n".join(f"A{index}: A{index + 1}" for index in range(3000))
    read_ebnf(f'start: A0\n{chain}\nA3000: "a"', "lark")
    chain = "\n".join(f"A{index} ::= A{index + 1}" for index in range(3000))
    read_ebnf(f"S ::= A0 - 'b'\n{chain}\nA3000 ::= 'a'", "w3c")


def test_a_source_is_a_string() -> None:
    with pytest.raises(InvalidInputError, match="the grammar is a bytes"):
        read_ebnf(b'root ::= "a"')  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="dialect='ebnf'; expected one of gbnf, xgrammar, w3c, lark"):
        read_ebnf('root ::= "a"', "ebnf")
