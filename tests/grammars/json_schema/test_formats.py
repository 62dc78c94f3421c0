import calendar
import json
import random
import warnings
from datetime import date
from pathlib import Path

import idna
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from guided.grammars.json_schema import format_idn, formats
from guided.grammars.regex import algebra as lang
from tests.examples import examples

from .punycode_bound import longest_encoding

CHECKER = Draft202012Validator.FORMAT_CHECKER
SUITE = Path("/work/shared/data/json-schema-test-suite/tests")
NAMES = [name for name in sorted(formats._FORMATS) if name not in ("host-name", "ip-address")]

LIBRARY_IS_STRICTER = {"date", "time", "date-time", "iri", "iri-reference", "uri-template", "relative-json-pointer"}
"""Formats whose RFC and official tests allow more than the checkers behind the `jsonschema` library."""

LEFT_OUT = {
    "hostname": ("xn--",),
    "idn-hostname": ("xn--", "παράδειγμα"),
    "regex": ("(?<", "[]", "[^]", "\\c"),  # valid in ECMA-262, not in Python
}
"""Beginnings of valid strings of the official tests that are left out."""


def belongs(text, name):
    return lang.matches(formats.format_language(name), text)


LONG = [char * 63 for char in "abc"]
GOOD = {
    "date": ["2024-02-29", "2000-02-29", "0000-01-01", "0000-02-29", "0001-01-01", "9999-12-31"],
    "time": [
        "08:30:06Z", "08:30:06.5z", "23:59:59-23:59", "23:59:60Z", "23:59:60.25-00:00", "01:29:60+01:30",
        "15:59:60-08:00",
    ],
    "date-time": [
        "2024-02-29T00:00:00Z", "1963-06-19t08:30:06.28z", "1998-12-31T23:59:60Z", "1999-01-01T00:59:60+01:00",
        "2015-06-30T15:59:60-08:00",
    ],
    "duration": ["P1D", "PT36H", "P2W", "P1Y2M3DT4H5M6S", "P0D"],
    "ipv4": ["0.0.0.0", "255.255.255.255", "192.168.0.1"],
    "ipv6": [
        "::", "::1", "1::", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4",
        "1:2:3:4:5:6:1.2.3.4",
    ],
    "hostname": ["a", "www.example.com", "1host", "a--b", "a" * 63, ".".join([*LONG, "d" * 61])],
    "email": [
        "joe.bloggs@example.com", '"joe bloggs"@example.com', "a@[127.0.0.1]", "a@[IPv6:::1]", "a" * 64 + "@b",
    ],
    "uri": ["http://a", "urn:a:b", "mailto:a@b", "http://[::1]:80/x?y#z", "a:", "file:///etc", "http://u:p@h:/%20"],
    "uri-reference": ["", "a", "/a", "//a", "?q", "#f", "./a:b", "a:b"],
    "iri": ["http://é/ü?ñ#ö", "http://[2001:db8::1]", "a:😀", "a:?\ue000"],
    "iri-reference": ["é", "/é", ""],
    "uri-template": ["", "http://a/{b}", "{+a,b*}{?c:3}", "{a.b}", "é"],
    "uuid": ["2eb8aa08-aa98-11ea-B4AA-73b441d16380"],
    "json-pointer": ["", "/", "/a/b~0~1", "/ \n"],
    "relative-json-pointer": ["0", "1#", "100/a", "0/"],
    "regex": [
        "", "^a+$", "[a-z_.]{2,5}", "(a|b)*?", "(?:a(b(c)))", "(?!a)b", "\\d\\.\\u00e9", "[^\\]]", "a{3,}", "[&|]",
        "a/b", "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$", "[\\w.-]+@[\\w-]+", "x{10,20}",
    ],
    "idn-hostname": ["실례.테스트", "例え。jp", "l·l", "א", "a.א", "א1", "Example.com"],
    "idn-email": ["실례@실례.테스트", "a@b.com", "é.ü@é"],
}  # fmt: skip
BAD = {
    "date": ["2023-02-29", "1900-02-29", "0000-02-30", "2024-13-01", "2024-1-1", ""],
    "time": [
        "08:30:06", "24:00:00Z", "08:30:60Z", "23:59:60+01:00", "01:29:60-01:30", "08:30:06.Z", "08:30Z", "8:30:06Z",
    ],
    "date-time": [
        "2024-02-29 00:00:00Z", "2024-02-29T00:00:00", "1998-12-30T23:59:60Z", "1998-12-31T00:59:60+01:00",
        "1999-01-01T15:59:60-08:00",
    ],
    "duration": ["P", "PT", "P1Y2D", "PT1H2S", "P1W1D", "PT0.5S", "1D", "P1DT"],
    "ipv4": ["256.0.0.1", "01.2.3.4", "1.2.3", "1.2.3.4.5", "1.2.3.4 "],
    "ipv6": [
        "1:2:3:4:5:6:7", "1::2::3", ":::", "12345::", "1:2:3:4:5:6:7:8:9", "fe80::1%eth0", "::1.2.3",
        "1:2:3:4:5:6:7:1.2.3.4", "1:2:3:4:5:6:7:8::",
    ],
    "hostname": [
        "", ".", "a.", "-a", "a-", "a_b", "a..b", "a" * 64, ".".join([*LONG, "d" * 62]), "ab--c", "xn--9n2bp8q",
    ],
    "email": [
        "a", "@b", "a@", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b=c", "a@[127.0.0.300]", "a" * 65 + "@b", "a@b@c",
    ],
    "uri": [
        "", "a", "/a", "//a", "http://a b", "1a:b", "http://[::1", "a:%2", "http://a/\\", "http://é", "http://a:b",
    ],
    "uri-reference": ["1:b", "#a#b", "\\", "%zz", "é"],
    "iri": ["é", "a: ", "a:\ue000", "a:\ufffe"],
    "iri-reference": ["\\é", "%é"],
    "uri-template": ["{", "}", "{}", "{a", "{a,}", "{=a}", "{a:0}", "a b"],
    "uuid": ["2eb8aa08aa9811eab4aa73b441d16380", "2eb8aa08-aa98-11ea-b4aa-73b441d1638g"],
    "json-pointer": ["a", "/~", "/~2", "#/a"],
    "relative-json-pointer": ["", "01", "-1", "/a", "0##", "1#/a"],
    "regex": [
        "(", ")", "[", "*", "a**", "\\", "a{3,2}", "a{20,10}", "\\a", "(?i)a", "[z-a]", "(?<n>a)", "{", "[]", "a|*",
        "x{", "[&&]",
    ],
    "idn-hostname": [
        "", "·", "l·", "a·l", "\u03b1\u0375", "0.א", "aא", "\u0300a", "é-", "ab--é", "Éa", "é" * 40, "e\u0301",
    ],
    "idn-email": ["a", "é@", "@é", "é..a@b", "a@b c"],
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_strings_of_each_format(name):
    assert [text for text in GOOD[name] if not belongs(text, name)] == []
    assert [text for text in BAD[name] if belongs(text, name)] == []


def test_other_names_and_unknown_formats():
    assert formats.format_language("host-name") is formats.format_language("hostname")
    assert formats.format_language("ip-address") is formats.format_language("ipv4")
    for name in ("int32", "double", "color", "url", "DATE", "", "non-blank"):
        assert formats.format_language(name) is None


def test_exactness():
    assert formats.is_exact("ipv6")
    assert not formats.is_exact("regex")


@pytest.mark.skipif(not SUITE.is_dir(), reason="the official JSON Schema test suite is not here")
@pytest.mark.parametrize("draft", ["draft7", "draft2020-12"])
def test_official_suite(draft):
    refused, accepted = [], []
    for path in sorted((SUITE / draft / "optional/format").glob("*.json")):
        for group in json.loads(path.read_text(encoding="utf-8")):
            name = group["schema"]["format"]
            for case in group["tests"]:
                text = case["data"]
                if not isinstance(text, str) or formats.format_language(name) is None:
                    continue
                if belongs(text, name) and not case["valid"]:
                    accepted.append((name, text))
                elif case["valid"] and not belongs(text, name) and not text.startswith(LEFT_OUT.get(name, ())):
                    refused.append((name, text))
    assert accepted == []
    assert refused == []


@pytest.mark.parametrize("name", NAMES)
def test_random_strings_satisfy_the_library(name):
    chooser, conforming = random.Random(name), 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(40):
            text = random_text(formats.format_language(name), chooser)
            if text is None:
                continue
            conforming += 1
            assert name in LIBRARY_IS_STRICTER or CHECKER.conforms(text, name), text
    assert conforming > 10


def random_text(language, chooser):
    """A text that a random walk finds; None when it does not end soon."""
    text = ""
    for _ in range(200):
        if language.nullable and chooser.random() < 0.15:
            return text
        live = [(chars, target) for chars, target in language.transitions() if not lang.is_empty(target)]
        if not live:
            return text
        chars, language = chooser.choice(live)
        text += chr(chooser.randint(*chooser.choice(chars)))
    return None


@given(st.integers(1, 9999), st.integers(0, 13), st.integers(0, 32))
@settings(deadline=None, max_examples=examples(120))
def test_dates_follow_the_calendar(year, month, day):
    valid = 1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1]
    assert belongs(f"{year:04d}-{month:02d}-{day:02d}", "date") == valid
    if valid:
        assert belongs(date(year, month, day).isoformat(), "date")


@given(st.integers(0, 95), st.integers(-95, 95))
@settings(deadline=None, max_examples=examples(100))
def test_leap_seconds_are_at_midnight_in_utc(quarter, offset):
    minute, ahead = quarter * 15 + 14, offset * 15
    sign = "-" if ahead < 0 else "+"
    text = f"{clock(minute)}:60{sign}{clock(abs(ahead))}"
    assert belongs(text, "time") == ((minute - ahead) % 1440 == 1439)


def clock(minutes):
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


@given(st.ip_addresses(v=4), st.ip_addresses(v=6))
@settings(deadline=None)
def test_addresses(four, six):
    assert belongs(str(four), "ipv4")
    assert belongs(str(six), "ipv6")
    assert belongs(six.exploded, "ipv6")
    assert belongs(f"http://[{six}]/", "uri")


@given(st.uuids(), st.text(max_size=10))
@settings(deadline=None)
def test_uuids_and_pointers(uuid, key):
    assert belongs(str(uuid), "uuid")
    assert belongs("/" + key.replace("~", "~0").replace("/", "~1"), "json-pointer")


ANY_ORDER = "aelßéñ\u03b1\u03b2\u03b3\u0431\u0434例実あ실례กข"
"""Letters of many scripts that may follow each other in any order."""


@given(st.text(st.sampled_from(ANY_ORDER + "\u9fa5\ud7a3\U00020000\U0002a6d6"), min_size=1, max_size=12))
@settings(deadline=None, max_examples=examples(120))
def test_longest_encoding_is_never_exceeded(label):
    num_ascii = sum(char.isascii() for char in label)
    encoded = label if num_ascii == len(label) else "xn--" + label.encode("punycode").decode()
    assert len(encoded) <= longest_encoding(num_ascii, len(label) - num_ascii)


@pytest.mark.parametrize(("low", "high", "most"), [*format_idn._SCRIPTS, (0x80, 0xD7A3, format_idn._MOST_MIXED)])
def test_no_letters_make_an_international_label_too_long(low, high, most):
    lengths = [
        longest_encoding(size - others, others, low, high)
        for size in range(1, most + 1)
        for others in range(1, size + 1)
    ]
    assert max(lengths) <= format_idn._MAX_LABEL
    assert format_idn._MAX_LABELS * (format_idn._MAX_LABEL + 1) - 1 <= 253


@given(st.text(st.sampled_from(ANY_ORDER), min_size=1, max_size=6))
@settings(deadline=None)
def test_short_labels_in_unicode_are_taken(label):
    assert belongs(label, "idn-hostname")
    idna.encode(label)


@pytest.mark.parametrize(
    "name",
    [
        "достопримечательность.рф", "münchner-straßenbahn.de", "ελληνικήτηλεόραση.gr", "日本語のドメイン例.jp",
        "한국인터넷진흥원.kr", "אתרישראלי.com", "प्रौद्योगिकी.भारत", ".".join(["a" * 63] * 3 + ["b" * 61]),
        ".".join(["1"] * 32 + ["ip6", "arpa"]),
    ],
)  # fmt: skip
def test_long_labels_in_unicode_are_taken(name):
    assert belongs(name, "idn-hostname")
    idna.encode(name)


def test_bounds_of_international_names():
    assert belongs("實" * 6 + "실" * 5, "idn-hostname")
    assert belongs("я" * 27, "idn-hostname")
    left_out = ["實" * 6 + "실" * 6, "я" * 28, "1" + "я" * 11, "é.b.c.d.e", "\u1200"]
    assert [name for name in left_out if belongs(name, "idn-hostname") or not idna.encode(name)] == []
    assert not belongs(".".join(["a" * 63] * 3 + ["b" * 62]), "idn-hostname")
    assert not belongs("é" * 60, "idn-hostname")
