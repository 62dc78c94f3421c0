"""`/v1/grammar/diagram`: the rules of a grammar as parts that railroad diagrams are drawn of."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import Request

from guided.params.sampling_params import SamplingParams

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError
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


class GrammarDiagramRequest(ConstraintFields):
    """A regex, EBNF grammar, choice or structural tag, in any of the fields of a chat completion."""

    model: str | None = None


class GrammarDiagramAnswer(Answer):
    """start: the rule where texts begin. rules: by name, each a part.

    A part has a kind: text and characters (`text`), rule (`name`), sequence and choice (`parts`), repeat (`part`,
    `low`, `high`; null: no bound), note (`text`: what can't be drawn, in words).
    """

    start: str
    rules: dict[str, dict[str, Any]]


@router.post("/v1/grammar/diagram", openapi_extra=posting(GrammarDiagramRequest))
async def diagram(request: Request) -> GrammarDiagramAnswer:
    """What a grammar's rules are made of, to draw railroad diagrams; JSON Schemas have no rules and are a 400."""
    state = state_of(request)
    given, constraint = await read_request(request, lambda body: _read(body, state.settings))
    llm = state.require(given.model)
    context_of(request).constraint_param = constraint.param
    return await compile_aside(request, partial(_draw, llm, constraint))


def _read(body: dict[str, Any], settings: ServerSettings) -> tuple[GrammarDiagramRequest, Constraint]:
    refuse_unsupported(body, SHARED_FIELDS)
    given = validate(GrammarDiagramRequest, body)
    constraint = read_constraint(given)
    if constraint is None:
        raise InvalidRequestError("give a grammar: regex, ebnf, choice or structural_tag")
    check_source(constraint.source, settings, constraint.param)
    return given, constraint


def _draw(llm: LLM, constraint: Constraint, cancel: threading.Event) -> GrammarDiagramAnswer:
    from guided.grammars.diagrams import diagram_of

    arguments: dict[str, Any] = constraint.arguments
    grammar = llm.compile(SamplingParams(**arguments), cancel=cancel)
    assert grammar is not None
    found = diagram_of(grammar.spec, grammar.vocabulary)
    return GrammarDiagramAnswer(start=found.start, rules=found.rules)
