"""`compile_grammar`: one grammar, checked, handed to the backend asked for. `fill_bitmasks`: masks of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .backends.base import CompiledGrammar, Matcher
from .backends.registry import DEFAULT_BACKEND, get_backend
from .bitset import Bitmask
from .errors import InvalidInputError, LimitExceededError, UnsupportedGrammarError
from .limits import Limits
from .schema_input import read_schema, schema_text
from .spec import GrammarSpec
from .vocabulary import Vocabulary

_PROPERTY_ORDERS = ("schema", "any")


def compile_grammar(
    vocabulary: Vocabulary,
    *,
    json_schema: dict[str, Any] | bool | str | None = None,
    regex: str | None = None,
    backend: str = DEFAULT_BACKEND,
    limits: Limits | None = None,
    whitespace: str = "flexible",
    property_order: str = "schema",
) -> CompiledGrammar:
    """Compile exactly one grammar for a vocabulary.

    json_schema: the schema, or its JSON text. regex: Python `re` syntax; the whole text must match.
    backend: one of `backend_names()`. limits: None is `Limits()`.
    whitespace, property_order: how JSON may be written, see `GrammarSpec`; only with json_schema.
    Raises a `GuidedError` subclass that says what is wrong: InvalidSchemaError, UnsupportedSchemaError,
    InvalidRegexError, UnsatisfiableError, LimitExceededError, UnsupportedGrammarError, UnknownBackendError,
    InvalidInputError.
    """
    if not isinstance(vocabulary, Vocabulary):
        raise InvalidInputError(
            f"vocabulary is a {type(vocabulary).__name__}; make one with Vocabulary.from_tokenizer(...)"
        )
    if not vocabulary.eos_token_ids:
        raise InvalidInputError(
            "the vocabulary names no end-of-sequence token, so no text could end; pass eos_token_ids"
        )
    limits = Limits() if limits is None else limits
    spec = _spec(json_schema, regex, limits, whitespace, property_order)
    chosen = get_backend(backend)
    if spec.kind not in chosen.kinds:
        known = ", ".join(sorted(chosen.kinds))
        raise UnsupportedGrammarError(f"backend {backend!r} does not take {spec.kind}; it takes {known}")
    try:
        return chosen.compile(spec, vocabulary, limits)
    except RecursionError:
        detail = "the Python stack is too short for this grammar here"
        raise LimitExceededError("max_schema_depth", limits.max_schema_depth, "levels", detail) from None


def fill_bitmasks(matchers: Sequence[Matcher], bitmask: Bitmask) -> None:
    """Write the allowed tokens of `matchers[i]` into `bitmask[i]`; other rows stay as they are.

    bitmask: int32 (B, W), B >= len(matchers), W = ceil(vocabulary.size / 32) for the matchers' vocabulary.
    """
    if len(matchers) > len(bitmask):
        raise InvalidInputError(f"{len(matchers)} matchers need as many rows, and the bitmask has {len(bitmask)}")
    for row, matcher in enumerate(matchers):
        matcher.fill_bitmask(bitmask, row)


def _spec(
    json_schema: dict[str, Any] | bool | str | None,
    regex: str | None,
    limits: Limits,
    whitespace: str,
    property_order: str,
) -> GrammarSpec:
    if (json_schema is None) == (regex is None):
        raise InvalidInputError("give exactly one grammar: json_schema=... or regex=...")
    if property_order not in _PROPERTY_ORDERS:
        raise InvalidInputError(f"property_order={property_order!r}; expected one of {', '.join(_PROPERTY_ORDERS)}")
    if json_schema is not None:
        source = schema_text(read_schema(json_schema, limits))
        return GrammarSpec("json_schema", source, whitespace, property_order)
    if not isinstance(regex, str):
        raise InvalidInputError(f"regex is a {type(regex).__name__}; give the pattern as a str")
    if (whitespace, property_order) != ("flexible", "schema"):
        raise InvalidInputError("whitespace and property_order apply to json_schema only; remove them")
    if len(regex.encode("utf-8", "surrogatepass")) > limits.max_regex_bytes:
        raise LimitExceededError("max_regex_bytes", limits.max_regex_bytes, "bytes")
    return GrammarSpec("regex", regex)
