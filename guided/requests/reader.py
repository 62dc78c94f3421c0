"""`RequestReader`: what callers ask of a model, read: prompts as token ids, constraints and tools as grammars."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from guided.grammars.errors import GrammarError, InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.watch import checkpoint

from ..errors import RequestFieldError
from ..params.limits import RequestLimits
from ..params.sampling_params import SamplingParams
from ..schemas.python_types import to_json_schema
from ..tools import ToolUse
from ..tools.plan import ToolPlan, plan_tools
from .expansion import with_word_ids
from .grammars import RequestGrammars
from .prompting import Conversation, Messages, PromptEncoder
from .request import Request
from .text_prompt import TextPrompt

Params = SamplingParams | Sequence[SamplingParams] | None
Prompt = str | Messages | Conversation | Sequence[int]


class RequestReader:
    """For one model. Any number of threads may use it.

    encoder: of its prompts. grammars: compiles for its vocabulary. limits: on one grammar's schema; None: the usual.
    request_limits: how much the lists of one request may hold. knows_tokens: the model's tokenizer is here.
    """

    def __init__(
        self,
        encoder: PromptEncoder,
        grammars: RequestGrammars,
        limits: Limits | None,
        request_limits: RequestLimits,
        *,
        knows_tokens: bool,
    ) -> None:
        self._encoder = encoder
        self._grammars = grammars
        self._limits = limits
        self._request_limits = request_limits
        self._knows_tokens = knows_tokens

    def read(
        self,
        prompts: Sequence[Prompt],
        params: Params,
        grammar: CompiledGrammar | None = None,
        tools: ToolUse | None = None,
        *,
        deadline: float | None = None,
        cancel: threading.Event | None = None,
    ) -> list[Request]:
        """A request for each prompt, all in one group.

        params: one for all prompts or one for each; None is SamplingParams(). grammar: in place of a constraint in
        params. deadline: see `Request`. cancel: see `compile`; calls with the same event are one group.
        Raises InvalidInputError, ContextLengthError, RequestLimitExceededError and the errors of compiling.
        """
        all_params = _params_for(params, len(prompts))
        distinct = {id(one): one for one in all_params}
        _check_together(distinct.values(), grammar, tools)
        for one in distinct.values():
            self._request_limits.check(vars(one))
        group = object() if cancel is None else cancel
        blank = Request((), SamplingParams(), grammar, deadline, group=group)
        answers = {key: self._answer(one, blank, tools, cancel) for key, one in distinct.items()}
        return [
            self._with_prompt(answers[id(one)], prompt, tools) for prompt, one in zip(prompts, all_params, strict=True)
        ]

    def count(
        self, prompt: Prompt, params: SamplingParams | None, tools: ToolUse | None, cancel: threading.Event | None
    ) -> int:
        """How many tokens the request of a prompt has; its schema is compiled where the prompt shows it."""
        params = SamplingParams() if params is None else params
        plan = self._plan_tools(tools, params)
        shown = params if plan is None else plan.shown
        if shown.json_schema is not None:
            self.compile(shown, cancel)
        return len(self._encode(prompt, shown, tools))

    def compile(self, params: SamplingParams, cancel: threading.Event | None = None) -> CompiledGrammar | None:
        """The grammar of `params`, None without a constraint.

        cancel: set it, from any thread, to have this raise CompileCancelledError soon.
        """
        return self._grammars.get(params, cancel)

    def _answer(
        self, params: SamplingParams, blank: Request, tools: ToolUse | None, cancel: threading.Event | None
    ) -> Request:
        """A request that lacks its prompt, with the caller's grammar or the one of its params and tools."""
        plan = self._plan_tools(tools, params)
        if plan is not None:
            grammar, params = self._compile_plan(plan, cancel), plan.params
        else:
            grammar = self.compile(params, cancel) if blank.grammar is None else blank.grammar
        if params.particles is not None and (grammar is None or plan is not None):
            raise RequestFieldError("particles need a grammar, other than that of tools", "particles")
        if self._knows_tokens:
            params = with_word_ids(params, self._encoder.encode_part)
        return replace(blank, params=params, grammar=grammar, tool_plan=plan)

    def _plan_tools(self, tools: ToolUse | None, params: SamplingParams) -> ToolPlan | None:
        if tools is None:
            return None
        return plan_tools(tools, params, self._encoder.tool_support.syntax, self._encoder.json_whitespace)

    def _compile_plan(self, plan: ToolPlan, cancel: threading.Event | None) -> CompiledGrammar | None:
        compile_one = partial(self.compile, cancel=cancel)
        try:
            return compile_one(plan.params)
        except GrammarError as error:
            raise plan.blame(error, compile_one) from error

    def _with_prompt(self, answer: Request, prompt: Prompt, tools: ToolUse | None) -> Request:
        checkpoint()
        return replace(answer, prompt_token_ids=self._encode(prompt, answer.shown, tools), ended=threading.Event())

    def _encode(self, prompt: Prompt, shown: SamplingParams, tools: ToolUse | None) -> Sequence[int]:
        if tools is not None and not _is_conversation(prompt):
            raise InvalidInputError("tools need messages: a chat template has to show them")
        if isinstance(prompt, str):
            return self._encoder.encode_text(prompt)
        if isinstance(prompt, TextPrompt):
            return prompt
        if isinstance(prompt, Sequence) and not prompt:
            raise InvalidInputError("the prompt is an empty list; give it messages, token ids or, in a stream, texts")
        if is_texts(prompt):
            raise InvalidInputError("this takes one prompt, and got a list of texts; generate and stream take lists")
        if not _is_conversation(prompt):
            return list(cast("Sequence[int]", prompt))
        # The schema was compiled: a chat template can't stand one that is none.
        schema = None if shown.json_schema is None else to_json_schema(shown.json_schema, self._limits)
        messages = cast("Messages | Conversation", prompt)
        return self._encoder.encode_chat(messages, schema, thinking=shown.thinking, tools=tools)


def _params_for(params: Params, num_prompts: int) -> list[SamplingParams]:
    """One SamplingParams for each prompt. Raises InvalidInputError for what is none."""
    if params is None or isinstance(params, SamplingParams):
        return [SamplingParams() if params is None else params] * num_prompts
    if not isinstance(params, Sequence) or not all(isinstance(one, SamplingParams) for one in params):
        raise InvalidInputError(f"params must be SamplingParams or a list of them, not {params!r:.80}")
    if len(params) != num_prompts:
        raise InvalidInputError(f"{len(params)} params for {num_prompts} prompts; give one for all or one for each")
    return list(params)


def is_texts(prompt: Any) -> bool:
    """A list of strings: prompts of their own."""
    return isinstance(prompt, Sequence) and not isinstance(prompt, str) and bool(prompt) and isinstance(prompt[0], str)


def _is_conversation(prompt: Any) -> bool:
    """Neither a text, nor texts, nor token ids."""
    is_list = isinstance(prompt, Sequence) and bool(prompt)
    return not (is_list and isinstance(prompt[0], str | int)) and not isinstance(prompt, str | TextPrompt)


def _check_together(
    all_params: Iterable[SamplingParams], grammar: CompiledGrammar | None, tools: ToolUse | None
) -> None:
    if grammar is None:
        return
    if any(one.is_constrained or one.ignore_eos for one in all_params):
        raise InvalidInputError("grammar= excludes a constraint and ignore_eos in params")
    if tools is not None:
        raise InvalidInputError("grammar= excludes tools, which make a grammar of their own")
