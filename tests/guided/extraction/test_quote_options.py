"""`Quote`: its options, and those that are refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from guided import Quote
from guided.grammars.errors import InvalidInputError


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"as_": float}, "BeforeValidator.*json_schema_input_type=str"),
        ({"boundaries": "lines"}, "boundaries is 'words' or 'any'"),
        ({"source": ""}, "source is the name of a text"),
        ({"case": "fold"}, "leave 'case' out"),
    ],
)
def test_options_that_nothing_would_read_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises((InvalidInputError, ValueError), match=reason):
        Quote(**options)


def test_the_former_default_of_case_is_taken_and_options_are_named() -> None:
    assert Quote("mail", case="sensitive").keyword == "mail"
    with pytest.raises(TypeError, match="positional"):
        Quote("mail", "any")  # type: ignore[misc]
