"""`/v1/grammar/match` and `/v1/grammar/sample`: how far a text is one of a grammar's; random texts of a grammar.

Nothing is generated: no model is asked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar

from fastapi import Request
from pydantic import Field

from guided.grammars.errors import LimitExceededError
from guided.grammars.inspection.expected import Expected
from guided.grammars.inspection.match import TextMatch, match_text
from guided.grammars.inspection.samples import MAX_BYTES, sample_texts
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import Kind
from guided.grammars.watch import Watch
from guided.params.sampling_params import SamplingParams

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError, RequestLimitError
from ..generation import compile_aside
from ..limits import check_source
from ..protocol.constraints import Constraint, ConstraintFields, read_constraint
from ..protocol.unsupported import SHARED_FIELDS, refuse_unsupported
from ..settings import ServerSettings
from ..state import state_of
from ..validation import validate
from .base import Answer, keyed_router, posting

if TYPE_CHECKING:
    from guided.llm import LLM

router = keyed_router()
Result = TypeVar("Result")


class GrammarMatchRequest(ConstraintFields):
    """One constraint, in any of the fields of a chat completion, and a text to try."""

    model: str | None = None
    text: str


class GrammarSampleRequest(ConstraintFields):
    """One constraint, and how many texts of it. The same seed gives the same texts.

    max_bytes: at which a text stops growing; one that can't be shorter is longer.
    """

    model: str | None = None
    num: Annotated[int, Field(ge=1)] = 10
    seed: Annotated[int, Field(ge=0)] = 0
    max_bytes: Annotated[int, Field(ge=1)] = MAX_BYTES


class TextPosition(Answer):
    """A place in a text. characters, bytes: before it. line, column: from 1, in characters. found: the character there,
    null at the text's end."""

    characters: int
    bytes: int
    line: int
    column: int
    found: str | None


class OptionAnswer(Answer):
    """One of the things that may come next, see `ExpectedAnswer`."""

    kind: str
    text: str


class ExpectedAnswer(Answer):
    """What may come next, in words and one by one. examples: characters that may come next, some of them."""

    text: str
    options: list[OptionAnswer]
    may_end: bool
    examples: list[str]

    @classmethod
    def of(cls, expected: Expected) -> Self:
        """As an answer has it."""
        return cls(
            text=expected.text,
            options=[OptionAnswer(kind=one.kind, text=one.text) for one in expected.options],
            may_end=expected.may_end,
            examples=list(expected.examples),
        )


class PlaceAnswer(Answer):
    """document: JSON pointer in the document that is written. schema: pointer of the part of the schema that says what
    may stand there; schemas: of all parts that do, through references and branches. rules: of an EBNF grammar, those
    that the text is in, the outermost first."""

    document: str | None
    schema_: Annotated[str | None, Field(serialization_alias="schema")]
    schemas: list[str]
    rules: list[str]

    @classmethod
    def of(cls, expected: Expected) -> Self | None:
        """As an answer has it; None where neither a document nor rules are known."""
        if expected.document is None and not expected.rules:
            return None
        return cls(
            document=expected.document,
            schema_=next(iter(expected.schemas), None),
            schemas=[*expected.schemas],
            rules=[*expected.rules],
        )


class GrammarMatchAnswer(Answer):
    """accepted: the text is one of the grammar's. beginning: it was read to its end, and more must come. stop: where it
    stops otherwise, or where more must come; null where it is accepted. expected, place: what may come there, or behind
    an accepted text."""

    kind: Kind
    accepted: bool
    beginning: bool
    stop: TextPosition | None
    expected: ExpectedAnswer
    place: PlaceAnswer | None
    compile_s: float


class GrammarSampleAnswer(Answer):
    """texts: each is one of the grammar's; they may repeat. Seconds are of this server's work."""

    kind: Kind
    seed: int
    texts: list[str]
    compile_s: float
    sample_s: float


@router.post("/v1/grammar/match", openapi_extra=posting(GrammarMatchRequest))
async def match_grammar(request: Request) -> GrammarMatchAnswer:
    """How far a text is one of a grammar's; where it stops, and what would have been allowed there."""
    state = state_of(request)
    given, constraint = await read_request(request, lambda body: _read_match(body, state.settings))
    llm = state.require(given.model)
    context_of(request).constraint_param = constraint.param
    return await compile_aside(request, partial(_match, llm, constraint, given.text, state.settings))


@router.post("/v1/grammar/sample", openapi_extra=posting(GrammarSampleRequest))
async def sample_grammar(request: Request) -> GrammarSampleAnswer:
    """Random texts of a grammar, to see what it really allows."""
    state = state_of(request)
    given, constraint = await read_request(request, lambda body: _read_sample(body, state.settings))
    llm = state.require(given.model)
    context_of(request).constraint_param = constraint.param
    return await compile_aside(request, partial(_sample, llm, constraint, given, state.settings))


def _read_match(body: dict[str, Any], settings: ServerSettings) -> tuple[GrammarMatchRequest, Constraint]:
    refuse_unsupported(body, SHARED_FIELDS)
    given = validate(GrammarMatchRequest, body)
    num_bytes = len(given.text.encode("utf-8", "surrogatepass"))
    if num_bytes > settings.max_check_bytes:
        raise RequestLimitError(f"a text of {num_bytes} bytes", settings.max_check_bytes, "max_check_bytes", "text")
    return given, _constraint_of(given, settings)


def _read_sample(body: dict[str, Any], settings: ServerSettings) -> tuple[GrammarSampleRequest, Constraint]:
    refuse_unsupported(body, SHARED_FIELDS)
    given = validate(GrammarSampleRequest, body)
    if given.num > settings.max_samples:
        raise RequestLimitError(f"{given.num} texts", settings.max_samples, "max_samples", "num")
    if given.num * given.max_bytes > settings.max_check_bytes:
        what = f"{given.num} texts of {given.max_bytes} bytes"
        raise RequestLimitError(what, settings.max_check_bytes, "max_check_bytes", "max_bytes")
    return given, _constraint_of(given, settings)


def _constraint_of(given: ConstraintFields, settings: ServerSettings) -> Constraint:
    constraint = read_constraint(given)
    if constraint is None:
        raise InvalidRequestError("give a grammar: response_format, regex, ebnf, choice, structural_tag or all_of")
    check_source(constraint.source, settings, constraint.param)
    return constraint


def _match(
    llm: LLM, constraint: Constraint, text: str, settings: ServerSettings, cancel: threading.Event
) -> GrammarMatchAnswer:
    grammar, compile_s = _compile(llm, constraint, cancel)

    def work() -> TextMatch:
        return match_text(grammar, text)

    found = _in_time(work, settings.max_check_seconds, cancel, "trying the text", "text")
    position = TextPosition(
        characters=found.num_chars, bytes=found.num_bytes, line=found.line, column=found.column, found=found.found
    )
    return GrammarMatchAnswer(
        kind=constraint.kind,
        accepted=found.is_accepted,
        beginning=found.is_beginning,
        stop=None if found.is_accepted else position,
        expected=ExpectedAnswer.of(found.expected),
        place=PlaceAnswer.of(found.expected),
        compile_s=compile_s,
    )


def _sample(
    llm: LLM, constraint: Constraint, given: GrammarSampleRequest, settings: ServerSettings, cancel: threading.Event
) -> GrammarSampleAnswer:
    grammar, compile_s = _compile(llm, constraint, cancel)
    start_s = time.perf_counter()

    def work() -> list[str]:
        return sample_texts(grammar, given.num, seed=given.seed, max_bytes=given.max_bytes)

    texts = _in_time(work, settings.max_check_seconds, cancel, "drawing the texts", "num")
    sample_s = time.perf_counter() - start_s
    return GrammarSampleAnswer(
        kind=constraint.kind, seed=given.seed, texts=texts, compile_s=compile_s, sample_s=sample_s
    )


def _compile(llm: LLM, constraint: Constraint, cancel: threading.Event) -> tuple[CompiledGrammar, float]:
    """The grammar, and until when it was there, in seconds."""
    start_s = time.perf_counter()
    arguments: dict[str, Any] = constraint.arguments
    grammar = llm.compile(SamplingParams(**arguments), cancel=cancel)
    assert grammar is not None
    return grammar, time.perf_counter() - start_s


def _in_time(work: Callable[[], Result], seconds: float, cancel: threading.Event, what: str, param: str) -> Result:
    """What `work` gives, within `max_check_seconds`. what: takes too long, for the error."""
    try:
        with Watch("max_check_seconds", seconds, cancel, is_of_processor=True):
            return work()
    except LimitExceededError as error:
        if error.limit != "max_check_seconds":
            raise
        message = f"{what} takes over {seconds:g} seconds"
        raise RequestLimitError(message, seconds, error.limit, param) from None
