"""Hooks into SGLang, whose backends see only grammars and not the requests that ask for them.

The hooks are installed only if the server's backend is ours: two in `GrammarManager`, and one where a request ends.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from guided.grammars.errors import GuidedError, InvalidInputError

from ..common.engines import SGLANG
from ..common.options import KEY
from .cut_answers import tell_cut, tell_failed
from .grammar_object import GuidedGrammar
from .options import SglangOptions
from .sources import with_options

_FIELDS = ("json_schema", "regex", "ebnf", "structural_tag")


def hook_requests() -> None:
    """Install the hooks; repeated calls do nothing. Raises EngineInternalsError."""
    from sglang.srt.constrained.grammar_manager import GrammarManager
    from sglang.srt.constrained.reasoner_grammar_backend import ReasonerGrammarObject
    from sglang.srt.managers.schedule_batch import Req

    SGLANG.hook(Req, "update_finish_state", ("self", "new_accepted_len"), _tell_how_it_ended)
    SGLANG.hook(GrammarManager, "process_req_with_grammar", ("self", "req"), _read_options)
    SGLANG.hook(GrammarManager, "_apply_request_reasoning_config", ("self", "req"), _join_grammar_to_request)
    reasoner = ReasonerGrammarObject(None, [0])
    for name in ("_thinking_match_history", "_grammar_active", "reasoning_in_grammar"):
        if not hasattr(reasoner, name):
            raise SGLANG.internals_error(f"ReasonerGrammarObject.{name}", "is missing")


def _read_options(process: Callable[..., bool]) -> Callable[..., bool]:
    """Wrap the reading of a request. SGLang identifies a grammar by kind and text, so meanwhile the text also contains
    the options.
    """

    def process_req_with_grammar(self: Any, req: Any) -> bool:
        params = req.sampling_params
        field = next((name for name in _FIELDS if getattr(params, name) is not None), None)
        try:
            options = _options_of(params)
            if field is None and isinstance(params.custom_params, dict) and KEY in params.custom_params:
                raise InvalidInputError(f"custom_params.{KEY} is for a grammar, and the request has none")
        except GuidedError as error:
            req.set_finish_with_abort(str(error))
            return False
        if field is None:
            return process(self, req)
        source = getattr(params, field)
        setattr(params, field, with_options(source, options))
        try:
            return process(self, req)
        finally:
            setattr(params, field, source)

    return process_req_with_grammar


def _join_grammar_to_request(apply: Callable[..., None]) -> Callable[..., None]:
    """Wrap a function called once for each request whose grammar is ready, to pass the request's budget, stops and
    options to it.
    """

    def _apply_request_reasoning_config(self: Any, req: Any) -> None:
        apply(self, req)
        reasoner, grammar = None, req.grammar
        if not isinstance(grammar, GuidedGrammar):
            reasoner, grammar = grammar, getattr(grammar, "grammar", None)
        if isinstance(grammar, GuidedGrammar):
            grammar.belong_to(req, reasoner, closes=_options_of(req.sampling_params).close)

    return _apply_request_reasoning_config


def _tell_how_it_ended(update: Callable[..., None]) -> Callable[..., None]:
    """Wrap a function called after each token of a request and each accepted draft, to correct the finish reason."""

    def update_finish_state(self: Any, new_accepted_len: int = 1) -> None:
        if self.finished():
            return
        update(self, new_accepted_len)
        tell_failed(self)
        tell_cut(self)

    return update_finish_state


def _options_of(params: Any) -> SglangOptions:
    return SglangOptions.read(params.custom_params if isinstance(params.custom_params, dict) else None)
