"""The named options of an extraction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict

from ..params.sampling_params import SamplingParams
from .quote_marks import Quotes
from .value_bounds import ValueBounds

Examples = Sequence[tuple[str, Any]]
"""Texts, each with its result: an instance of the type, or the document as plain data."""


class ExtractionOptions(TypedDict, total=False):
    """The options of an extraction.

    params: sampling parameters without a constraint; None: greedy. The params' `sources` are further texts that fields
        may quote. The text that is read has the name "text".
    max_new_tokens: token limit of a document; None: the whole context. Default "auto": the limit in `params`, or, if
        that is None, one computed from the schema and the text's length, see `AnswerBudget`.
    instructions: what to look for, in words, beside the schema.
    confidence: report how sure the model is of each field: `Extraction.confidence`.
    bounds: limits for values that the schema leaves open. Default: `ValueBounds()`; None: no limits.
    progress: show a progress bar on standard error while a list of texts is read.
    quotes: which strings must be quotes of the text. True: all free strings, and numbers and dates must be stated in
        the text. "strings": only the strings. A list of names and JSON pointers: these fields, see `Quotes`. Fields
        marked with `Quote` always must be quotes.
    examples: (text, object) pairs, shown to the model as earlier turns. Each object must fit the schema.
    draft: let the model answer freely first, and write the document with this answer in view. The free answer takes at
        most half of what the prompt leaves of the context. If it fails, so does the text. `Extraction.draft` has it.
    max_retries: how often the model answers again, with the reason, after its type refused a document. With another
        server (engine="openai", `RemoteLLM`) also after a document that does not fit the schema or lacks a quote, and,
        without a reason, after a failure or an answer that broke off. Default: 0; with another server 2.
    end_repetition: end a document that repeats itself as soon as it can be complete, and report it (`OutputCutError`,
        `Completion.ended_repetition`). Default: True. Has no effect with another server.
    allow_cut: accept a document that its token budget has cut. Otherwise it is an OutputCutError, which has the value.
        `Extraction.is_shortened` is True either way.
    """

    params: SamplingParams | None
    max_new_tokens: int | Literal["auto"] | None
    instructions: str | None
    confidence: bool
    bounds: ValueBounds | None
    progress: bool
    quotes: Quotes
    examples: Examples
    draft: bool
    max_retries: int | None
    end_repetition: bool
    allow_cut: bool
