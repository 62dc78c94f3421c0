"""Patterns mean what ECMA-262 says; unions with `HttpUrl`; errors that name the field."""

import json
import shutil
import subprocess

import pytest
from jsonschema import Draft202012Validator

import guided
from guided.grammars.errors import LimitExceededError
from guided.grammars.machine.text_places import pointer_at
from guided.grammars.regex import algebra as lang
from tests.fuzz.oracles import found_by_ecma
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

BYTES = byte_vocabulary()
TEXTS = [
    "", "a", "é", "٣", "3", "a b", "a\n", "é\n", "\u2028", "a\u2028b", "-", "foo", "éfoo", "foo é", "xfoo", "\ufeff",
    "\x1c", "a\r", "_", "\u0130", "ab",
]  # fmt: skip
PATTERNS = [
    r"\bfoo\b", r"\Bfoo", r"^\w+$", r"^(?!\d)", r"^\s*$", r"^\S+$", r"^.$", r"a.b", r"a$", r"^(?!.*\W)", r"\D",
    r"[^\w]", r"^[\s\S]$", r"(?<!\w)foo", r"^a(?=\b)",
]  # fmt: skip


def matcher_of(schema, **options):
    return guided.compile_grammar(BYTES, json_schema=schema, whitespace="compact", **options).matcher()


def takes(matcher, value):
    matcher.reset()
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


@pytest.fixture(scope="module")
def found_by_node():
    """For each pattern which of the texts it is found in, by a JavaScript engine."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here")
    script = "const [ps, t] = JSON.parse(process.argv[1]);"
    script += "console.log(JSON.stringify(ps.map(p => t.map(x => new RegExp(p, 'u').test(x)))))"
    done = subprocess.run(
        [node, "-e", script, json.dumps([PATTERNS, TEXTS])], capture_output=True, check=True, timeout=60
    )
    return dict(zip(PATTERNS, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_mean_what_ecma_says(pattern, found_by_node):
    """Also under `not`, and of keys; so for the oracle of the fuzzers."""
    positive = matcher_of({"type": "string", "pattern": pattern})
    negative = matcher_of({"type": "string", "not": {"pattern": pattern}})
    keys = matcher_of({"type": "object", "patternProperties": {pattern: {"const": 1}}})
    for text, is_found in zip(TEXTS, found_by_node[pattern], strict=True):
        assert takes(positive, text) == is_found, text
        assert takes(negative, text) != is_found, text
        assert takes(keys, {text: 1})
        assert takes(keys, {text: 2}) != is_found, text
        assert found_by_ecma(pattern, text) == is_found, text


def test_keys_under_not_and_unevaluated():
    negative = matcher_of({"type": "object", "not": {"patternProperties": {r"^\w$": {"const": 1}}}})
    assert takes(negative, {"a": 2})
    assert not takes(negative, {"é": 2})
    rest = matcher_of({"type": "object", "patternProperties": {r"^\w$": True}, "unevaluatedProperties": False})
    assert takes(rest, {"a": 1})
    assert not takes(rest, {"é": 1})
    assert not takes(rest, {"ab": 1})


def test_not_uri_template():
    """What checkers take though RFC 6570 does not is neither allowed nor denied."""
    matcher = matcher_of({"type": "string", "not": {"format": "uri-template"}})
    for text in ("a\U0005ffff", "\x80", "{,a}", "{=a}", "{a}"):
        assert not takes(matcher, text), text
    assert takes(matcher, "{a")
    assert not takes(matcher_of({"type": "string", "format": "uri-template"}), "{=a}")


def test_not_hostname():
    matcher = matcher_of({"type": "string", "not": {"format": "hostname"}})
    assert [takes(matcher, text) for text in ("", "a b", "a")] == [True, True, False]
    assert takes(matcher_of({"type": "string", "not": {"format": "idn-hostname"}}), "")


URL = {"anyOf": [{"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083}, {"type": "null"}]}
UNION = {
    "oneOf": [
        {
            "type": "object",
            "properties": {"kind": {"const": "i"}, "number": {"type": "integer"}},
            "required": ["number"],
            "additionalProperties": False,
        },
        {
            "type": "object",
            "properties": {"kind": {"const": "o"}, "url": URL},
            "required": ["url"],
            "additionalProperties": False,
        },
    ]
}


def test_a_union_of_closed_objects_with_urls_takes_few_states():
    matcher = matcher_of(UNION, limits=guided.Limits(max_mask_seconds=2))
    assert takes(matcher, {"url": "https://example.com/a"})
    assert takes(matcher, {"kind": "o", "url": None})
    assert not takes(matcher, {"url": "no url"})
    Draft202012Validator(UNION).validate({"url": None})


def test_what_was_asked_for_and_excluded_is_nothing():
    lines = lang.concat(lang.ANYTHING, lang.text("1"), lang.repeat(lang.ANY_CHAR, 2, 9))
    short = lang.repeat(lang.ANY_CHAR, 1, 2083)
    both = lang.intersect(lines, short)
    assert lang.intersect(both, lang.complement(both)) is lang.NOTHING
    assert lang.intersect(both, lang.union(lang.complement(lines), lang.complement(short))) is lang.NOTHING
    long = lang.repeat(lang.ANY_CHAR, 2084)
    assert lang.intersect(lines, lang.complement(both)) is lang.intersect(lines, long)


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("", ""), ('{"a', ""), ('{"a":', "/a"), ('{"a":[1,"x', "/a/1"), ('{"a":{"b/c":"\\"', "/a/b~1c"),
        ('{"a":1,', ""), ('[[],{"a":{}},', "/2"), ('{"a":{"b":1}', "/a"), ('{"a":{"b":1},"c":', "/c"),
    ],
)  # fmt: skip
def test_pointers(text, pointer):
    assert pointer_at(text.encode()) == pointer


def test_a_limit_that_is_met_in_a_document_names_the_field():
    hard = {"type": "string", "pattern": "^(a|b)*a(a|b){16}$"}
    schema = {"type": "object", "properties": {"item": {"type": "object", "properties": {"code": hard}}}}
    matcher = matcher_of(schema, limits=guided.Limits(max_automaton_states=100))

    def write():
        bitmask = guided.allocate_bitmask(1, BYTES.size)
        for byte in b'{"item":{"code":"' + b"abbaababbabaabbbabaaabbabaababba" * 20:
            assert matcher.accept_token(byte)
            matcher.fill_bitmask(bitmask)

    with pytest.raises(LimitExceededError, match="for the value at '/item/code' of the document"):
        write()
