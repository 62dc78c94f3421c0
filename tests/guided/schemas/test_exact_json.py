"""`write_json` and `read_json`: JSON whose numbers stay as they were written."""

from __future__ import annotations

import json

import pytest

from guided.schemas.decimal_places import WrittenFloat
from guided.schemas.exact_json import equality_key, read_json, write_json

TEXTS = [
    '{"ü": 12.50, "exact": 99.123456789012345, "list": [1, 1E5, 1.5, true, null, "a\\n"], "none": {}, "empty": []}',
    "0.10",
    '[{"a": [2.0]}]',
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_read_is_written_as_it_was(text: str) -> None:
    assert write_json(read_json(text)) == text
    assert read_json(text) == json.loads(text)


def test_data_without_such_numbers_are_written_as_ever() -> None:
    data = {"é": [1.5, (2, "x")], "f": [True, None, {}, []], "whole": WrittenFloat("2.5")}
    assert write_json(data) == json.dumps(data, ensure_ascii=False)
    assert write_json({"a": (1, WrittenFloat("2.50"))}) == '{"a": [1, 2.50]}'


def test_data_are_equal_where_their_values_are() -> None:
    key = equality_key(read_json('{"a": [1, 12.50, true, null, "x"], "b": {}}'))
    assert key == equality_key(read_json('{"b": {}, "a": [1.0, 1.25e1, true, null, "x"]}'))
    texts = ["1", "true", '"1"', "[1]", "[true]", "null", "[]", "{}", '{"a": 1}', "1.0000000000000000001"]
    assert len({equality_key(read_json(text)) for text in texts}) == len(texts)


def test_what_is_no_json() -> None:
    with pytest.raises(TypeError, match="not JSON serializable"):
        write_json({"a": [WrittenFloat("2.50"), object()]})
    with pytest.raises(ValueError, match="Expecting value"):
        read_json("[1.50,")
