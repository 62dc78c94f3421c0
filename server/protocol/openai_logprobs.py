"""Log-probabilities in OpenAI's format (`choices[i].logprobs`), and those of a prompt in vLLM's format.

A token that is not a whole text is written as in OpenAI's API: "bytes:" and each byte as \\x with two hexadecimal
digits. `bytes` has its raw bytes; joined, they are exactly the text. Special tokens have null there. JSON has no
infinity, so -9999.0 stands for tokens that can't be drawn and for lower values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from guided.engines.token_logprobs import TokenLogprob, TokenLogprobs

LOWEST_LOGPROB = -9999.0


def logprobs_object(logprobs: Sequence[TokenLogprobs], *, with_masked_mass: bool = False) -> dict[str, Any]:
    """The value of `logprobs` in a choice.

    Entries have `given_logprobs` if the request named token ids, and `processed_logprob` with logprobs_mode "both".
    with_masked_mass: add `masked_mass` to each entry.
    """
    content = []
    for one in logprobs:
        entry = _alternative(one) | {"top_logprobs": [_alternative(other) for other in one.top]}
        if one.given:
            entry["given_logprobs"] = [_alternative(other) | {"token_id": other.token_id} for other in one.given]
        if with_masked_mass:
            entry["masked_mass"] = one.masked_mass
        if one.processed_logprob is not None:
            entry["processed_logprob"] = finite(one.processed_logprob)
        content.append(entry)
    return {"content": content, "refusal": None}


def prompt_logprobs_list(logprobs: Sequence[TokenLogprobs | None]) -> list[dict[str, Any] | None]:
    """An object for each prompt token: token id -> log-probability, rank and text; null for the first token."""
    return [None if one is None else _by_token_id(one) for one in logprobs]


def _by_token_id(one: TokenLogprobs) -> dict[str, Any]:
    ranked = [(rank, other) for rank, other in enumerate(one.top, start=1) if other.token_id != one.token_id]
    return {
        str(other.token_id): {"logprob": finite(other.logprob), "rank": rank, "decoded_token": token_text(other.token)}
        for rank, other in [(one.rank, one), *ranked]
    }


def _alternative(one: TokenLogprob) -> dict[str, Any]:
    return {
        "token": token_text(one.token),
        "bytes": None if one.is_special else list(one.token),
        "logprob": finite(one.logprob),
    }


def token_text(token: bytes) -> str:
    """A token's text in OpenAI's format."""
    try:
        return token.decode()
    except UnicodeDecodeError:
        return "bytes:" + "".join(f"\\x{byte:02x}" for byte in token)


def finite(logprob: float) -> float:
    """A value that JSON can hold."""
    return max(logprob, LOWEST_LOGPROB)
