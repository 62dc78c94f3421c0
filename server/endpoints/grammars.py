"""`/v1/grammar/check`: what `guided check` reports of a grammar, as JSON; nothing is generated."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fastapi import Request

from guided.document_check import allows
from guided.errors import GenerationCancelledError
from guided.grammars.backends.base import CompiledGrammar
from guided.grammars.spec import Kind
from guided.sampling_params import SamplingParams

from ..body import read_json_object
from ..context import context_of
from ..errors import InvalidRequestError
from ..generation import compile_aside
from ..limits import check_source
from ..protocol.constraints import Constraint, ConstraintFields, read_constraint
from ..protocol.unsupported import SHARED_FIELDS, refuse_unsupported
from ..state import state_of
from ..validation import validate
from .base import Answer, keyed_router

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


@router.post("/v1/grammar/check")
async def check_grammar(request: Request) -> GrammarCheckAnswer:
    """Whether a grammar is enforced exactly, and how; what is not is a 400 that says where. Allows what documents?"""
    state = state_of(request)
    body = await read_json_object(request, state.settings)
    refuse_unsupported(body, SHARED_FIELDS)
    given = validate(GrammarCheckRequest, body)
    llm = state.require(given.model)
    constraint = read_constraint(given)
    if constraint is None:
        raise InvalidRequestError("give a grammar: response_format, regex, ebnf, choice, structural_tag or all_of")
    context_of(request).constraint_param = constraint.param

    def check(cancel: threading.Event) -> GrammarCheckAnswer:
        check_source(constraint.source, state.settings, constraint.param)
        return _check(llm, constraint, given.documents or [], cancel)

    return await compile_aside(request, check)


def _check(llm: LLM, constraint: Constraint, documents: list[str], cancel: threading.Event) -> GrammarCheckAnswer:
    start_s = time.perf_counter()
    arguments: dict[str, Any] = constraint.arguments
    grammar = llm.compile(SamplingParams(**arguments), cancel=cancel)
    assert grammar is not None
    compile_s = time.perf_counter() - start_s
    return GrammarCheckAnswer(
        kind=constraint.kind,
        report=[KeywordReport(**vars(entry)) for entry in grammar.report],
        documents=list(_allowed(grammar, documents, cancel)),
        compile_s=compile_s,
    )


def _allowed(grammar: CompiledGrammar, documents: list[str], cancel: threading.Event) -> Iterator[bool]:
    for text in documents:
        if cancel.is_set():
            raise GenerationCancelledError
        yield allows(grammar, text.encode())
