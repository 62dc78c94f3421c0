"""`/v1/grammar/check`: what `guided check` reports of a grammar, as JSON; nothing is generated."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import Request

from guided.grammars.errors import LimitExceededError
from guided.grammars.inspection.match import Acceptor
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


class GrammarCheckRequest(ConstraintFields):
    """One constraint, in any of the fields of a chat completion; and texts to try.

    documents: for each, whether the grammar could have generated exactly it.
    """

    model: str | None = None
    documents: list[str] | None = None


class KeywordReport(Answer):
    """How one keyword of a schema, or a grammar as a whole, is enforced. pointer: JSON pointer of its place."""

    pointer: str
    keyword: str
    enforcement: str


class GrammarCheckAnswer(Answer):
    """kind: of the grammar. compile_s: until it was ready; close to 0 where it was known. documents: allowed or not."""

    kind: Kind
    report: list[KeywordReport]
    documents: list[bool]
    compile_s: float


@router.post("/v1/grammar/check", openapi_extra=posting(GrammarCheckRequest))
async def check_grammar(request: Request) -> GrammarCheckAnswer:
    """Whether a grammar is enforced exactly, and how; what is not is a 400 that says where. Allows what documents?"""
    state = state_of(request)
    given, constraint = await read_request(request, lambda body: _read(body, state.settings))
    llm = state.require(given.model)
    context_of(request).constraint_param = constraint.param
    check = partial(_check, llm, constraint, given.documents or [], state.settings)
    return await compile_aside(request, check)


def _read(body: dict[str, Any], settings: ServerSettings) -> tuple[GrammarCheckRequest, Constraint]:
    refuse_unsupported(body, SHARED_FIELDS)
    given = validate(GrammarCheckRequest, body)
    documents = given.documents or []
    if len(documents) > settings.max_check_documents:
        what = f"{len(documents)} documents"
        raise RequestLimitError(what, settings.max_check_documents, "max_check_documents", "documents")
    num_bytes = sum(len(text.encode()) for text in documents)
    if num_bytes > settings.max_check_bytes:
        what = f"documents of {num_bytes} bytes together"
        raise RequestLimitError(what, settings.max_check_bytes, "max_check_bytes", "documents")
    constraint = read_constraint(given)
    if constraint is None:
        raise InvalidRequestError("give a grammar: response_format, regex, ebnf, choice, structural_tag or all_of")
    check_source(constraint.source, settings, constraint.param)
    return given, constraint


def _check(
    llm: LLM, constraint: Constraint, documents: list[str], settings: ServerSettings, cancel: threading.Event
) -> GrammarCheckAnswer:
    start_s = time.perf_counter()
    arguments: dict[str, Any] = constraint.arguments
    grammar = llm.compile(SamplingParams(**arguments), cancel=cancel)
    assert grammar is not None
    compile_s = time.perf_counter() - start_s
    return GrammarCheckAnswer(
        kind=constraint.kind,
        report=[KeywordReport(**vars(entry)) for entry in grammar.report],
        documents=_try(grammar, documents, settings.max_check_seconds, cancel),
        compile_s=compile_s,
    )


def _try(grammar: CompiledGrammar, documents: list[str], seconds: float, cancel: threading.Event) -> list[bool]:
    """For each document, whether the grammar could have generated it."""
    try:
        with Watch("max_check_seconds", seconds, cancel, is_of_processor=True):
            check = Acceptor(grammar)
            return [check.allows(text.encode()) for text in documents]
    except LimitExceededError as error:
        if error.limit != "max_check_seconds":
            raise
        what = f"trying the documents takes over {seconds:g} seconds"
        raise RequestLimitError(what, seconds, error.limit, "documents") from None
