"""Reads log-probabilities in both forms of OpenAI's protocol."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..token_logprobs import TokenLogprob, TokenLogprobs

LOWEST_LOGPROB = -9999.0  # replaces minus infinity
_BYTES = re.compile(r"bytes:((?:\\x[0-9a-f]{2})+)")


def read_logprobs(found: Any) -> tuple[TokenLogprobs, ...]:
    """The log-probabilities of a choice's tokens; () if there are none. Raises ValueError, TypeError or KeyError."""
    if not isinstance(found, Mapping):
        return ()
    if found.get("content") is not None:
        return tuple(_read(entry) for entry in found["content"])
    if found.get("tokens") is not None:
        return tuple(_read_columns(found))
    return ()


def _read(entry: Mapping[str, Any]) -> TokenLogprobs:
    """Read an entry of a chat. Our servers also tell the excluded mass and given tokens."""
    token, is_special = _token(entry)
    top = tuple(
        TokenLogprob(None, *_token(other), _value(other["logprob"])) for other in entry.get("top_logprobs") or ()
    )
    given = tuple(
        TokenLogprob(other["token_id"], *_token(other), _value(other["logprob"]))
        for other in entry.get("given_logprobs") or ()
    )
    return TokenLogprobs(
        None,
        token,
        is_special,
        _value(entry["logprob"]),
        rank=_rank(token, top),
        top=top,
        given=given,
        masked_mass=entry.get("masked_mass"),
        processed_logprob=None if entry.get("processed_logprob") is None else _value(entry["processed_logprob"]),
    )


def _read_columns(found: Mapping[str, Any]) -> list[TokenLogprobs]:
    """Read the older form of text completions: parallel lists."""
    tokens: Sequence[str] = found["tokens"]
    tops = found.get("top_logprobs") or [None] * len(tokens)
    read = []
    for text, value, others in zip(tokens, found["token_logprobs"], tops, strict=True):
        token = _bytes_of(text)
        top = tuple(TokenLogprob(None, _bytes_of(one), False, _value(other)) for one, other in (others or {}).items())
        top = tuple(sorted(top, key=lambda one: -one.logprob))
        read.append(TokenLogprobs(None, token, False, _value(value), rank=_rank(token, top), top=top))
    return read


def _token(entry: Mapping[str, Any]) -> tuple[bytes, bool]:
    """The bytes of a token, and whether it has no text. Without `bytes`, they come from the token's text."""
    if entry.get("bytes") is not None:
        return bytes(entry["bytes"]), False
    return _bytes_of(entry["token"]), "bytes" in entry


def _bytes_of(text: str) -> bytes:
    """The bytes of a token from its text, or from "bytes:..." for a token without text."""
    cut = _BYTES.fullmatch(text)
    return text.encode("utf-8", "replace") if cut is None else bytes.fromhex(cut[1].replace("\\x", ""))


def _value(value: Any) -> float:
    return -math.inf if value <= LOWEST_LOGPROB else float(value)


def _rank(token: bytes, top: Sequence[TokenLogprob]) -> int | None:
    """The rank of a token among the most probable tokens; None if it is not among the given ones."""
    return next((place for place, one in enumerate(top, start=1) if one.token == token), None)
