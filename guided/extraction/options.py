"""What an extraction may be told, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from ..params.sampling_params import SamplingParams
from .quote_marks import Quotes
from .value_bounds import ValueBounds

Examples = Sequence[tuple[str, Any]]
"""Texts, each with what it comes to: an instance of the type, or the document as plain data."""


class ExtractionOptions(TypedDict, total=False):
    """What an extraction may be told.

    params: without a constraint; None is greedy. Its `sources` are texts that fields may quote beside the one that is
        read, whose name is "text".
    max_new_tokens: of a document; None is all of the context. Default "auto": as params say, and where these say
        nothing (`max_new_tokens=None`) a bound from the schema and the text's length, see `AnswerBudget`.
    instructions: what to look for, in words, beside the schema.
    confidence: also say how sure the model is of each field: `Extraction.confidence`.
    bounds: of the values that the schema leaves open. Default: `ValueBounds()`; None leaves them open.
    progress: show a bar on standard error while all texts of a list are read.
    quotes: strings that must be quotes of the text: True for all free ones, and numbers and dates must be stated there;
        "strings" for the strings alone; or a list of names and JSON pointers, see `Quotes`. Fields with `Quote` are in
        any case.
    examples: (text, object) pairs, shown to the model as earlier turns. Each object must be what the schema takes.
    max_retries: how often the model is asked again, with the reason, for a document that its type refuses; with another
        server (engine="openai", `RemoteLLM`) also for one that does not fit the schema, or has a value that is no
        quote, and without a reason for an answer that broke off and after a failure of the server.
    end_repetition: end a document that writes the same again and again as soon as it can be whole, and say so
        (`OutputCutError`, `Completion.ended_repetition`). Default: True. With another server it has no effect.
    allow_cut: take a document that its budget of tokens has cut as it is; else that is an OutputCutError, which has its
        value. `Extraction.is_shortened` is True either way.
    """

    params: SamplingParams | None
    max_new_tokens: int | Literal["auto"] | None
    instructions: str | None
    confidence: bool
    bounds: ValueBounds | None
    progress: bool
    quotes: Quotes
    examples: Examples
    max_retries: int
    end_repetition: bool
    allow_cut: bool
