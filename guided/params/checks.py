"""Checks of `SamplingParams`' fields. Each error names the field, the value and the allowed values, in one line."""

from __future__ import annotations

import difflib
import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from guided.grammars.errors import InvalidInputError

MAX_SHOWN_CHARS = 80


def check_number(name: str, value: Any, minimum: float, maximum: float = math.inf) -> None:
    """Check for a finite number in a range; bools are no numbers. Raises InvalidInputError."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    largest = min(maximum, sys.float_info.max)  # Python's integers may be larger than any float
    if is_number and minimum <= value <= largest:
        return
    span = f">= {minimum:g}" if maximum == math.inf else f"in [{minimum:g}, {maximum:g}]"
    raise InvalidInputError(f"{name} must be a finite number {span}, not {shown(value)}")


def check_integer(
    name: str, value: Any, minimum: int, maximum: int | None = None, *, is_optional: bool = False
) -> None:
    """Check for an integer in a range, or None if optional. Raises InvalidInputError."""
    if value is None and is_optional:
        return
    if is_integer(value) and value >= minimum and (maximum is None or value <= maximum):
        return
    span = f">= {minimum}" if maximum is None else f"in [{minimum}, {maximum}]"
    alternative = " or None" if is_optional else ""
    raise InvalidInputError(f"{name} must be an integer {span}{alternative}, not {shown(value)}")


def check_bool(name: str, value: Any, *, is_optional: bool = False) -> None:
    """Check for True or False, or None if optional. Raises InvalidInputError."""
    if isinstance(value, bool) or (value is None and is_optional):
        return
    raise InvalidInputError(f"{name} must be a bool{' or None' if is_optional else ''}, not {shown(value)}")


def check_text(name: str, value: Any) -> None:
    """Check for a string or None. Raises InvalidInputError."""
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(f"{name} must be a string, not {type(value).__name__}")


def check_kind(name: str, value: Any, kind: type) -> None:
    """Check for an instance of a class, or None. Raises InvalidInputError."""
    if value is not None and not isinstance(value, kind):
        raise InvalidInputError(f"{name} must be a {kind.__name__} or None, not {shown(value)}")


def check_one_of(name: str, value: Any, allowed: Sequence[str]) -> None:
    """Check for one of the allowed strings. Raises InvalidInputError."""
    if not isinstance(value, str) or value not in allowed:
        raise InvalidInputError(f"{name} must be {' or '.join(allowed)}, not {shown(value)}")


def check_texts(name: str, value: Any) -> None:
    """Check for a non-empty string, a list of such strings, or None. Raises InvalidInputError."""
    if value is None:
        return
    for i, text in enumerate(
        [value] if isinstance(value, str) else _listed(name, value, "a string or a list of strings")
    ):
        where = name if isinstance(value, str) else f"{name}[{i}]"
        if not isinstance(text, str):
            raise InvalidInputError(f"{where} must be a string, not {shown(text)}")
        if not text:
            raise InvalidInputError(f"{where} is empty; give it at least one character, or leave it out")
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise InvalidInputError(f"{where} holds a lone surrogate, which no text can hold: {shown(text)}")


def check_token_ids(name: str, value: Any, *, may_be_empty: bool = True) -> None:
    """Check for a list of token ids, or None. The model checks later whether its vocabulary has them. Raises
    InvalidInputError.
    """
    if value is None:
        return
    token_ids = _listed(name, value, "a list of token ids")
    if not token_ids and not may_be_empty:
        raise InvalidInputError(f"{name} is empty, which would allow nothing; give at least one token id")
    for i, token_id in enumerate(token_ids):
        check_integer(f"{name}[{i}]", token_id, 0)


def check_words(name: str, value: Any) -> None:
    """Check for a list of words, each a string or token ids, or None. Raises InvalidInputError."""
    if value is None:
        return
    for i, word in enumerate(_listed(name, value, "a list of strings or of lists of token ids")):
        if isinstance(word, str):
            check_texts(f"{name}[{i}]", word)
        else:
            check_token_ids(f"{name}[{i}]", word, may_be_empty=False)


def check_logit_bias(name: str, value: Any, limit: float) -> None:
    """Check for a mapping of token ids to finite biases in [-limit, limit], or None. Raises InvalidInputError."""
    if value is None:
        return
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"{name} must be a dict of token ids and biases, not {shown(value)}")
    for token_id, bias in value.items():
        check_integer(f"{name}: a token id", token_id, 0)
        check_number(f"{name}[{token_id}]", bias, -limit, limit)


def with_token_ids(name: str, value: Any) -> Any:
    """A mapping whose token ids, which JSON may write as strings ("50256"), are integers. Other values are returned
    unchanged.

    Raises InvalidInputError for a string that is no token id, and for an id in both forms.
    """
    if not isinstance(value, Mapping) or not any(isinstance(key, str) for key in value):
        return value
    by_id: dict[Any, Any] = {}
    for key, one in value.items():
        if isinstance(key, str) and not re.fullmatch("[0-9]{1,18}", key):
            raise InvalidInputError(f"{name}: {shown(key)} is no token id")
        token_id = int(key) if isinstance(key, str) else key
        if token_id in by_id:
            raise InvalidInputError(f"{name} has token id {token_id} twice")
        by_id[token_id] = one
    return by_id


def check_list(name: str, value: Any) -> None:
    """Check for a list, or None. Raises InvalidInputError."""
    if value is not None:
        _listed(name, value, "a list")


def check_mapping(name: str, value: Any) -> None:
    """Check for a dict with string keys, or None. Raises InvalidInputError."""
    if value is None:
        return
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise InvalidInputError(f"{name} must be a dict with strings as keys, not {shown(value)}")


def check_sources(name: str, value: Any) -> None:
    """Check for a dict of names and texts, or None. Raises InvalidInputError."""
    check_mapping(name, value)
    for source, text in (value or {}).items():
        if not isinstance(text, str):
            raise InvalidInputError(f"{name}[{source!r}] must be a text, not {shown(text)}")


def is_integer(value: Any) -> bool:
    """True for an int that is no bool."""
    return isinstance(value, int) and not isinstance(value, bool)


def advice_on_unknown(name: str, known: Sequence[str]) -> str:
    """Advice in an error about an unknown name: the most similar known name, or all known names."""
    close = difflib.get_close_matches(name, known, 1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(known)}"


def shown(value: Any, max_chars: int = MAX_SHOWN_CHARS) -> str:
    """A value's repr, cut so that a message stays one readable line. Only the beginning of a large value is read."""
    text = ""
    for piece in _repr_pieces(value, max_chars):
        text += piece
        if len(text) > max_chars:
            return text[: max_chars - 3] + "..."
    return text


def _repr_pieces(value: Any, max_chars: int) -> Iterator[str]:
    """Pieces of repr(value), each not much longer than max_chars. A longer string is cut."""
    if isinstance(value, str | bytes):
        yield repr(value[: max_chars + 1])
    elif type(value) is list or (type(value) is dict and value):
        yield "[" if type(value) is list else "{"
        for i, item in enumerate(value):
            yield ", " if i else ""
            yield from _repr_pieces(item, max_chars)
            if type(value) is dict:
                yield ": "
                yield from _repr_pieces(value[item], max_chars)
        yield "]" if type(value) is list else "}"
    else:
        yield repr(value)


def _listed(name: str, value: Any, expected: str) -> Sequence[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise InvalidInputError(f"{name} must be {expected}, not {shown(value)}")
    return value
