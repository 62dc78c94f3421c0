"""Shared by requests about a grammar: read one constraint, compile it in a thread, and examine it for a limited
time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from fastapi import Request

from guided.grammars.errors import LimitExceededError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.spec import GrammarKind
from guided.grammars.watch import Watch
from guided.params.sampling_params import SamplingParams

from ..body import read_request
from ..context import context_of
from ..errors import InvalidRequestError, RequestLimitError
from ..generation import compile_aside
from ..limits import check_source
from ..protocol.constraints import Constraint, ConstraintFields, read_quoting_constraint
from ..protocol.unsupported import SHARED_FIELDS, refuse_unsupported
from ..settings import ServerSettings
from ..state import state_of
from ..validation import validate

Result = TypeVar("Result")


class GrammarRequest(ConstraintFields):
    """One constraint, in any of the fields of a chat completion."""

    ways: ClassVar[str] = "response_format, regex, ebnf, choice, structural_tag or all_of"

    model: str | None = None

    def check(self, settings: ServerSettings) -> None:
        """Raise RequestLimitError if the request asks for more than the server allows one request."""


Given = TypeVar("Given", bound=GrammarRequest)


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

        what, param: the work and the request's field, for the message of the RequestLimitError that a longer block
            raises.
        """
        seconds = self.settings.max_check_seconds
        try:
            with Watch("max_check_seconds", seconds, self.cancel):
                yield
        except LimitExceededError as error:
            if error.limit != "max_check_seconds":
                raise
            raise RequestLimitError(f"{what} takes over {seconds:g} seconds", seconds, error.limit, param) from None


async def answer_of_grammar(
    request: Request, kind: type[Given], answer: Callable[[Given, AskedGrammar], Result]
) -> Result:
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
