"""values="canonical": numbers and times as writers write them; values="any": every form that is valid."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GrammarInputError, UnsatisfiableError, UnsupportedGrammarError
from tests.grammars.vocabularies import byte_vocabulary, matches, random_walk

VOCABULARY = byte_vocabulary()


def accepts(schema: Any, text: str, values: str) -> bool:
    return matches(compile_grammar(VOCABULARY, json_schema=schema, values=values).matcher(), text)


INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
BOUNDED = {"type": "number", "minimum": -1}
DATE_TIME = {"type": "string", "format": "date-time"}
TIME = {"type": "string", "format": "time"}
DURATION = {"type": "string", "format": "duration"}


@pytest.mark.parametrize(
    ("schema", "text", "is_canonical", "is_any"),
    [
        (INTEGER, "3", True, True),
        (INTEGER, "-3", True, True),
        (INTEGER, "3.0", False, True),
        (INTEGER, "99.000000000000000000", False, True),
        (INTEGER, "-0", False, True),
        (INTEGER, "9" * 308, True, True),
        (INTEGER, "9" * 309, False, True),
        ({"type": "integer", "minimum": 1}, "3.0", False, True),
        ({"type": "integer", "multipleOf": 5}, "15.0", False, True),
        ({"allOf": [INTEGER, {"minimum": 1}]}, "3.0", False, True),
        ({"oneOf": [{"type": "integer", "multipleOf": 3}, {"type": "integer", "multipleOf": 5}]}, "3.0", False, True),
        ({"type": ["integer", "null"]}, "3.0", False, True),
        ({"enum": [1, 2]}, "2", True, True),
        ({"enum": [1, 2]}, "2.0", False, True),
        ({"enum": [1, 2]}, "2e0", False, True),
        ({"enum": [1e-7, -1e-7]}, "-1e-7", True, True),
        ({"enum": [1e-7, -1e-7]}, "1e-07", True, True),
        ({"enum": [1e-7, -1e-7]}, "10e-8", False, False),
        ({"const": 1.5}, "1.5", True, True),
        ({"const": 1.5}, "1.50", False, True),
        ({"type": "number", "multipleOf": 0.01}, "1.25", True, True),
        ({"type": "number", "multipleOf": 0.01}, "1.250", False, True),
        *[(schema, "3.0", True, True) for schema in (NUMBER, BOUNDED)],
        *[(schema, "0.12345678901234567", True, True) for schema in (NUMBER, BOUNDED)],
        *[(schema, "0.123456789012345678", False, True) for schema in (NUMBER, BOUNDED)],
        *[(schema, "123456789.123456789", False, True) for schema in (NUMBER, BOUNDED)],
        *[(NUMBER, text, True, True) for text in ("1e-5", "1e-05", "1e-7", "1E5", "6.022e23")],
        (NUMBER, "1.7976931348623157e308", True, True),
        *[(schema, "5e-324", True, True) for schema in (NUMBER, BOUNDED, {"const": 5e-324}, {"exclusiveMinimum": 0})],
        *[(schema, "4e-324", False, False) for schema in (NUMBER, BOUNDED)],
        *[(BOUNDED, text, True, True) for text in ("1e-5", "1e-05", "1e-7", "1E5", "6.022e23", "1e+21", "1.5E-07")],
        *[(schema, text, False, False) for schema in (NUMBER, BOUNDED) for text in ("44e27967", "1e309", "1e0005")],
        (NUMBER, "12e3", False, True),
        (DATE_TIME, '"2020-01-02T03:04:05Z"', True, True),
        (DATE_TIME, '"2020-01-02T03:04:05.123456789+01:30"', True, True),
        (DATE_TIME, '"2020-01-02t03:04:05Z"', False, True),
        (DATE_TIME, '"0000-01-02T03:04:05Z"', False, True),
        ({"type": "string", "format": "date"}, '"0000-02-29"', False, True),
        (DATE_TIME, '"2020-01-02T03:04:05z"', False, True),
        (DATE_TIME, '"2020-01-02T03:04:05.1234567890Z"', False, True),
        (DATE_TIME, '"1998-12-31T23:59:60Z"', False, True),
        (TIME, '"23:59:59Z"', True, True),
        (TIME, '"23:59:60Z"', False, True),
        (DURATION, '"P1Y2M3DT4H5M6S"', True, True),
        (DURATION, f'"P{"9" * 30}D"', False, True),
        ({"not": DATE_TIME, "type": "string"}, '"2020-01-02t03:04:05z"', False, False),
        ({"not": DATE_TIME, "type": "string"}, '"no time"', True, True),
        ({"type": "number", "minimum": 1e20}, "1e+20", True, True),
        ({"type": "number", "minimum": 1e20}, "1" + "0" * 20, True, True),
    ],
)
def test_what_is_taken(schema: Any, text: str, is_canonical: bool, is_any: bool) -> None:
    assert (accepts(schema, text, "canonical"), accepts(schema, text, "any")) == (is_canonical, is_any)


SCHEMAS: list[Any] = [
    INTEGER,
    NUMBER,
    BOUNDED,
    {"type": "number", "exclusiveMinimum": 0.12345678901234567, "exclusiveMaximum": 0.12345678901234569},
    {"type": "number", "minimum": 1e-30, "maximum": 2e-30},
    {"type": "number", "minimum": 12345678901234567.5, "maximum": 12345678901234569.5},
    {"type": "number", "exclusiveMinimum": 1e300},
    {"type": "number", "not": {"type": "integer"}, "maximum": 10},
    {"type": "number", "multipleOf": 0.125, "exclusiveMinimum": 1},
    {"type": "integer", "multipleOf": 1_000_003, "minimum": -(10**9), "maximum": 10**9},
    {"allOf": [{"type": "number", "minimum": 0.1}, {"maximum": 0.1000000000000000055511151231257827}]},
    {"enum": [1e-9, 1e25, -0.0, 12]},
    {"type": "array", "items": INTEGER, "uniqueItems": True, "minItems": 3},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=json.dumps)
def test_canonical_walks_end_in_finite_numbers_that_any_takes_too(schema: Any) -> None:
    grammar = compile_grammar(VOCABULARY, json_schema=schema, values="canonical")
    for seed in range(6):
        text = random_walk(grammar.matcher(), VOCABULARY, seed)
        assert text is not None
        assert accepts(schema, text.decode(), "any")
        read = json.loads(text)
        assert all(math.isfinite(float(one)) for one in (read if isinstance(read, list) else [read]))


def test_numbers_end() -> None:
    """A walk that writes a digit wherever it may comes to an end."""
    for schema in (INTEGER, NUMBER, BOUNDED, {"type": "number", "exclusiveMinimum": 0, "maximum": 1}):
        matcher = compile_grammar(VOCABULARY, json_schema=schema, values="canonical").matcher()
        for first in (b"0.", b"1."):
            matcher.reset()
            if all(map(matcher.accept_token, first)):
                chooser = random.Random(1)
                length = 0
                while any(matcher.accept_token(digit) for digit in chooser.sample(range(0x30, 0x3A), 10)):
                    length += 1
                    assert length <= 40


def test_schemas_in_other_grammars_have_it_too() -> None:
    tag = {"type": "structural_tag", "format": {"type": "json_schema", "json_schema": INTEGER}}
    for sources in ({"structural_tag": tag}, {"ebnf": 'start: %json {"type": "integer"}'}):
        grammars = [compile_grammar(VOCABULARY, **sources, values=values) for values in ("any", "canonical")]
        assert [matches(grammar.matcher(), "3.0") for grammar in grammars] == [True, False]
    both = [{"json_schema": INTEGER}, {"banned_substrings": ["x"]}]
    assert not matches(compile_grammar(VOCABULARY, all_of=both, values="canonical").matcher(), "3.0")
    own = [{"json_schema": INTEGER, "values": "any"}, {"banned_substrings": ["x"]}]
    assert matches(compile_grammar(VOCABULARY, all_of=own, values="canonical").matcher(), "3.0")


def test_what_can_not_be_asked_for() -> None:
    with pytest.raises(GrammarInputError, match="expected one of any, canonical"):
        compile_grammar(VOCABULARY, json_schema=INTEGER, values="wide")
    with pytest.raises(GrammarInputError, match="regex has none"):
        compile_grammar(VOCABULARY, regex="a", values="canonical")
    with pytest.raises(UnsupportedGrammarError, match="native does"):
        compile_grammar(VOCABULARY, json_schema=INTEGER, values="canonical", backend="llguidance")
    with pytest.raises(UnsatisfiableError):
        compile_grammar(VOCABULARY, json_schema={"type": "number", "exclusiveMinimum": 1, "maximum": 1}, values="any")
