"""`/v1/grammar/check`, `/v1/grammar/match` and `/v1/grammar/sample`: how a grammar is enforced, how much of a text it
allows, and random texts of it. No model is asked.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self, TypeVar

from fastapi import Request
from pydantic import Field

from guided.grammars.errors import LimitExceededError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import GrammarKind
from guided.grammars.watch import Watch
from guided.params.sampling_params import SamplingParams
from guided.workbench.inspection.expected import Expected
from guided.workbench.inspection.match import Acceptor, match_text
from guided.workbench.inspection.samples import MAX_BYTES, sample_texts

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError, RequestLimitError
from ..generation import compile_aside
from ..limits import check_number, check_source
from ..protocol.constraints import Constraint, ConstraintFields, read_quoting_constraint
from ..protocol.unsupported import SHARED_FIELDS, refuse_unsupported
from ..settings import ServerSettings
from ..state import state_of
from ..validation import validate
from .base import Answer, keyed_router, posting

router = keyed_router()
Result = TypeVar("Result")


class GrammarRequest(ConstraintFields):
    """A request with one constraint, in any constraint field of a chat completion."""

    ways: ClassVar[str] = "response_format, regex, ebnf, choice, structural_tag or all_of"

    model: str | None = None

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the request asks for more than the server allows one request."""


Given = TypeVar("Given", bound=GrammarRequest)


class GrammarCheckRequest(GrammarRequest):
    """A constraint, in any constraint field of a chat completion, and texts to test.

    documents: texts; the answer says for each whether the grammar allows exactly this text.
    """

    documents: list[str] | None = None

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the documents are too many or too long together."""
        documents = self.documents or []
        num_bytes = sum(len(text.encode()) for text in documents)
        check_number(len(documents), "{} documents", settings, "max_check_documents", "documents")
        check_number(num_bytes, "documents of {} bytes together", settings, "max_check_bytes", "documents")


class GrammarMatchRequest(GrammarRequest):
    """A constraint, in any constraint field of a chat completion, and a text to match."""

    text: str

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the text is too long."""
        check_number(len(self.text.encode()), "a text of {} bytes", settings, "max_check_bytes", "text")


class GrammarSampleRequest(GrammarRequest):
    """A constraint, and the number of its texts to draw. The same seed gives the same texts.

    max_bytes: length in bytes at which a text stops growing. A text is longer if no shorter end exists.
    """

    num: Annotated[int, Field(ge=1)] = 10
    seed: Annotated[int, Field(ge=0)] = 0
    max_bytes: Annotated[int, Field(ge=1)] = MAX_BYTES

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the texts are too many or too long together."""
        check_number(self.num, "{} texts", settings, "max_samples", "num")
        what = f"{self.num} texts of {self.max_bytes} bytes"
        check_number(self.num * self.max_bytes, what, settings, "max_check_bytes", "max_bytes")


class KeywordReport(Answer):
    """How the server enforces one keyword of a schema, or a grammar as a whole. pointer: JSON pointer of its place."""

    pointer: str
    keyword: str
    enforcement: str


class GrammarCheckAnswer(Answer):
    """kind: kind of the grammar. compile_s: seconds of compiling, near 0 if cached. documents: allowed or not, in
    order.
    """

    kind: GrammarKind
    report: list[KeywordReport]
    documents: list[bool]
    compile_s: float


class TextPosition(Answer):
    """A place in a text. characters, bytes: their numbers before the place. line, column: from 1, column in characters.
    found: the character at the place, null at the text's end.
    """

    characters: Annotated[int, Field(validation_alias="num_chars")]
    bytes: Annotated[int, Field(validation_alias="num_bytes")]
    line: int
    column: int
    found: str | None


class OptionAnswer(Answer):
    """A possible next text, or a kind of such texts: an element of `ExpectedAnswer.options`."""

    kind: str
    text: str


class ExpectedAnswer(Answer):
    """The texts that may come next at a place.

    text: a description in words.
    options: the possibilities, one by one.
    may_end: the text may end here.
    examples: some of the characters that may come next.
    """

    text: str
    options: list[OptionAnswer]
    may_end: bool
    examples: list[str]


class PlaceAnswer(Answer):
    """The place in the document that is being written. document: JSON pointer of the place. schemas: JSON pointers of
    the parts of the schema that apply there. schema: the first of these pointers; null for none.
    """

    document: str
    schema_: Annotated[str | None, Field(serialization_alias="schema")]
    schemas: list[str]

    @classmethod
    def of(cls, expected: Expected) -> Self | None:
        """Convert to the answer's format; None outside of documents."""
        if expected.document is None:
            return None
        schemas = [*expected.schemas]
        return cls(document=expected.document, schema_=next(iter(schemas), None), schemas=schemas)


class GrammarMatchAnswer(Answer):
    """The result of matching a text.

    accepted: the grammar allows this text.
    beginning: the text is a proper beginning of an allowed text.
    stop: the position at which matching stopped; null if the text is accepted.
    expected, place: possible next texts at the stop, or after an accepted text, and the place in the document.
    """

    kind: GrammarKind
    accepted: bool
    beginning: bool
    stop: TextPosition | None
    expected: ExpectedAnswer
    place: PlaceAnswer | None
    compile_s: float


class GrammarSampleAnswer(Answer):
    """texts: texts that the grammar allows; they may repeat. compile_s, sample_s: seconds of the server's work."""

    kind: GrammarKind
    seed: int
    texts: list[str]
    compile_s: float
    sample_s: float


@router.post("/v1/grammar/check", openapi_extra=posting(GrammarCheckRequest))
async def check_grammar(request: Request) -> GrammarCheckAnswer:
    """Checks a grammar: whether and how it is enforced, and which documents it allows. A grammar that can't be enforced
    gets status 400 with the place of the problem.
    """
    return await _answer(request, GrammarCheckRequest, _check)


@router.post("/v1/grammar/match", openapi_extra=posting(GrammarMatchRequest))
async def match_grammar(request: Request) -> GrammarMatchAnswer:
    """Finds how much of a text a grammar allows: where matching stopped, and which texts may come there."""
    return await _answer(request, GrammarMatchRequest, _match)


@router.post("/v1/grammar/sample", openapi_extra=posting(GrammarSampleRequest))
async def sample_grammar(request: Request) -> GrammarSampleAnswer:
    """Draws random texts of a grammar, as examples of texts that it allows."""
    return await _answer(request, GrammarSampleRequest, _sample)


@dataclass(frozen=True)
class AskedGrammar:
    """The compiled grammar of a request.

    compile_s: seconds that compiling took; close to 0 if the grammar was cached.
    cancel: set when the client has left.
    """

    kind: GrammarKind
    compiled: CompiledGrammar
    compile_s: float
    settings: ServerSettings
    cancel: threading.Event

    @contextmanager
    def watched(self, what: str, param: str) -> Iterator[None]:
        """A context manager that limits its block to `max_check_seconds` of processor time.

        what: the work, for the error's message. param: the request's field that the error names.
        Raises RequestLimitError if the block takes longer.
        """
        seconds = self.settings.max_check_seconds
        try:
            with Watch("max_check_seconds", seconds, self.cancel):
                yield
        except LimitExceededError as error:
            if error.limit != "max_check_seconds":
                raise
            raise RequestLimitError(f"{what} takes over {seconds:g} seconds", seconds, error.limit, param) from None


async def _answer(request: Request, kind: type[Given], answer: Callable[[Given, AskedGrammar], Result]) -> Result:
    """Read a body, compile its grammar, and return what `answer` makes of both; `answer` runs in a thread for
    grammars.
    """
    state = state_of(request)

    def read(body: dict[str, Any]) -> tuple[Given, Constraint]:
        refuse_unsupported(body, SHARED_FIELDS)
        given = validate(kind, body)
        given.check(state.settings)
        constraint = read_quoting_constraint(given)
        if constraint is None:
            raise InvalidRequestError(f"give a grammar: {kind.ways}")
        check_source(constraint.source, state.settings, constraint.param)
        return given, constraint

    given, constraint = await read_request(request, read)
    llm = state.require(given.model)
    context_of(request).constraint_param = constraint.param

    def work(cancel: threading.Event) -> Result:
        start_s = time.perf_counter()
        arguments: dict[str, Any] = constraint.arguments
        compiled = llm.compile(SamplingParams(**arguments), cancel=cancel)
        assert compiled is not None
        compile_s = time.perf_counter() - start_s
        return answer(given, AskedGrammar(constraint.kind, compiled, compile_s, state.settings, cancel))

    return await compile_aside(request, work)


def _check(given: GrammarCheckRequest, grammar: AskedGrammar) -> GrammarCheckAnswer:
    with grammar.watched("trying the documents", "documents"):
        acceptor = Acceptor(grammar.compiled)
        documents = [acceptor.allows(text.encode()) for text in given.documents or []]
    report = [KeywordReport.model_validate(entry) for entry in grammar.compiled.report]
    return GrammarCheckAnswer(kind=grammar.kind, report=report, documents=documents, compile_s=grammar.compile_s)


def _match(given: GrammarMatchRequest, grammar: AskedGrammar) -> GrammarMatchAnswer:
    with grammar.watched("trying the text", "text"):
        found = match_text(grammar.compiled, given.text)
    return GrammarMatchAnswer(
        kind=grammar.kind,
        accepted=found.is_accepted,
        beginning=found.is_beginning,
        stop=None if found.is_accepted else TextPosition.model_validate(found),
        expected=ExpectedAnswer.model_validate(found.expected),
        place=PlaceAnswer.of(found.expected),
        compile_s=grammar.compile_s,
    )


def _sample(given: GrammarSampleRequest, grammar: AskedGrammar) -> GrammarSampleAnswer:
    start_s = time.perf_counter()
    with grammar.watched("drawing the texts", "num"):
        texts = sample_texts(grammar.compiled, given.num, seed=given.seed, max_bytes=given.max_bytes)
    sample_s = time.perf_counter() - start_s
    return GrammarSampleAnswer(
        kind=grammar.kind, seed=given.seed, texts=texts, compile_s=grammar.compile_s, sample_s=sample_s
    )
