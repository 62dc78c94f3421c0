"""`RequestReader`: reads callers' requests: prompts become token ids, constraints and tools become grammars."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack, cast

from guided.grammars.errors import GrammarError, InvalidInputError, LimitExceededError
from guided.grammars.limits import DEFAULT_LIMITS, Limits
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.watch import Watch, checkpoint

from ..errors import RequestFieldError
from ..params.limits import RequestLimits
from ..params.sampling_params import SamplingParams
from ..schemas.enforcement import enforcement_of
from ..schemas.python_types import to_json_schema
from ..tools import ToolOptions, ToolUse
from ..tools.definitions import ToolChoice, Tools
from ..tools.plan import ToolPlan, plan_tools
from .expansion import with_word_ids
from .grammars import RequestGrammars
from .options import RequestOptions, check_options
from .prompting import Conversation, Messages, PromptEncoder
from .prompts import Params, Prompt, PromptKind, TextPrompt, is_conversation, is_texts, params_for, prompt_kind
from .request import PromptRequest, check_is_request


class RequestReader:
    """Reads requests for one model. Thread-safe.

    encoder: encodes the model's prompts.
    backend: grammar backend; None: the default.
    limits: limits on one grammar; None: the defaults.
    request_limits: limits on the lists of one request.
    knows_tokens: the model's tokenizer is available here.
    """

    def __init__(
        self,
        encoder: PromptEncoder,
        backend: str | None,
        limits: Limits | None,
        request_limits: RequestLimits,
        *,
        knows_tokens: bool,
    ) -> None:
        self.encoder = encoder
        self.grammars = RequestGrammars(
            encoder.vocabulary,
            backend,
            encoder.json_whitespace,
            limits,
            property_order=encoder.property_order,
            default_values=encoder.json_values,
        )
        self.limits = limits
        self.request_limits = request_limits
        self.knows_tokens = knows_tokens

    def read(
        self,
        prompts: Sequence[Prompt],
        params: Params = None,
        *,
        grammar: CompiledGrammar | None = None,
        deadline_s: float | None = None,
        cancel: threading.Event | None = None,
        **tools: Unpack[ToolOptions],
    ) -> list[PromptRequest]:
        """A request for each prompt, all in one group.

        params: one for all prompts or one for each; None: SamplingParams().
        grammar, deadline_s, cancel, tools: see `RequestOptions`.
        Raises InvalidInputError, ContextLengthError, RequestLimitExceededError and the errors of compiling; TypeError
        for an unknown option.
        """
        check_options(tools, RequestOptions.__annotations__)
        deadline, use = _deadline(deadline_s), _tool_use(**tools)
        all_params = params_for(params, len(prompts))
        distinct = {(id(one), prompt_kind(prompt)): one for prompt, one in zip(prompts, all_params, strict=True)}
        _check_together(distinct.values(), grammar, use)
        for one in distinct.values():
            self.request_limits.check(vars(one))
        group = object() if cancel is None else cancel
        blank = PromptRequest((), SamplingParams(), grammar, deadline, group=group)
        answers = {(key, kind): self._answer(one, blank, use, cancel, kind) for (key, kind), one in distinct.items()}
        return [
            self._with_prompt(answers[id(one), prompt_kind(prompt)], prompt, use)
            for prompt, one in zip(prompts, all_params, strict=True)
        ]

    def complete(self, request: PromptRequest, cancel: threading.Event | None = None) -> PromptRequest:
        """The request with the grammar of its params and the token ids of bad words, if it lacks them.

        A request that `read` has made is returned with the same content. The prompt may still be missing.

        cancel: see `compile`. Raises the errors of `read`.
        """
        check_is_request(request)
        self.request_limits.check(vars(request.params))
        if request.grammar is None and request.tool_plan is None:
            return self._answer(request.params, request, None, cancel, "text")
        if self.knows_tokens:
            return replace(request, params=with_word_ids(request.params, self.encoder.encode_part))
        return request

    def count_text(self, text: str) -> int:
        """Number of tokens of a text as a prompt."""
        self._require_tokenizer("count_tokens")
        return len(self.encoder.encode_text(text))

    def count(
        self, prompt: Prompt, params: SamplingParams | None, tools: Tools | None, cancel: threading.Event | None
    ) -> int:
        """Number of tokens of a prompt as a request. If the prompt shows the schema, the schema is compiled first."""
        self._require_tokenizer("count_prompt_tokens")
        use = None if tools is None else ToolUse.of(tools)
        params = params_for(params, 1)[0]
        plan = self._plan_tools(use, params, prompt_kind(prompt))
        shown = params if plan is None else plan.shown
        if shown.json_schema is not None:
            self.compile(shown, cancel)
        return len(self._encode(prompt, shown, use))

    def _require_tokenizer(self, what: str) -> None:
        """Raise InvalidInputError without a tokenizer. what: the call that needs one."""
        if not self.knows_tokens:
            raise InvalidInputError(f"{what} needs the model's tokenizer, which only the server behind this engine has")

    def compile(self, params: SamplingParams, cancel: threading.Event | None = None) -> CompiledGrammar | None:
        """The grammar of `params`; None without a constraint.

        cancel: an event that may be set from any thread; compiling then raises CompileCancelledError.
        """
        return self.grammars.get(params, cancel)

    def _answer(
        self,
        params: SamplingParams,
        blank: PromptRequest,
        tools: ToolUse | None,
        cancel: threading.Event | None,
        kind: PromptKind,
    ) -> PromptRequest:
        """A request without its prompt, with the caller's grammar or that of its params and tools."""
        plan = None if blank.grammar is not None else self._plan_tools(tools, params, kind)
        if plan is not None:
            plan, grammar = self._compile_plan(plan, cancel, kind)
            params = plan.params
        else:
            grammar = self.compile(params, cancel) if blank.grammar is None else blank.grammar
        if params.sources is not None and (grammar is None or blank.grammar is not None):
            raise RequestFieldError("sources need a grammar that quotes them, such as a json_schema", "sources")
        if params.limits is not None and (grammar is None or blank.grammar is not None):
            raise RequestFieldError("limits apply to a grammar, and these params have none; leave limits out", "limits")
        if params.particles is not None and (grammar is None or plan is not None):
            raise RequestFieldError("particles need a grammar, other than that of tools", "particles")
        if params.return_enforcement and grammar is None:
            message = "return_enforcement needs a grammar, such as a json_schema: there is nothing to enforce"
            raise RequestFieldError(message, "return_enforcement")
        if self.knows_tokens:
            params = with_word_ids(params, self.encoder.encode_part)
        enforcement = enforcement_of(grammar) if params.return_enforcement and grammar is not None else None
        return replace(blank, params=params, grammar=grammar, tool_plan=plan, enforcement=enforcement)

    def _plan_tools(self, tools: ToolUse | None, params: SamplingParams, kind: PromptKind) -> ToolPlan | None:
        if tools is None and kind == "text":
            return None
        return plan_tools(
            ToolUse(()) if tools is None else tools,
            params,
            self.encoder.tool_support.syntax,
            self.encoder.json_whitespace,
            continues=kind == "continued",
        )

    def _compile_plan(
        self, plan: ToolPlan, cancel: threading.Event | None, kind: PromptKind
    ) -> tuple[ToolPlan, CompiledGrammar | None]:
        """The plan and its grammar. Tools that don't compile alone get free arguments (`ToolPlan.with_free_tools`)."""
        compile_one = partial(self.compile, cancel=cancel)
        try:
            return plan, compile_one(plan.params)
        except (GrammarError, LimitExceededError) as error:
            limits = plan.given.limits or self.limits or DEFAULT_LIMITS
            with Watch("max_compile_seconds", limits.max_compile_seconds, cancel):
                use = plan.with_free_tools(error, compile_one)
        changed = self._plan_tools(use, plan.given, kind)
        assert changed is not None
        return self._compile_plan(changed, cancel, kind)

    def _with_prompt(self, answer: PromptRequest, prompt: Prompt, tools: ToolUse | None) -> PromptRequest:
        checkpoint()
        return replace(answer, prompt_token_ids=self._encode(prompt, answer.shown, tools), ended=threading.Event())

    def _encode(self, prompt: Prompt, shown: SamplingParams, tools: ToolUse | None) -> Sequence[int]:
        if tools is not None and not is_conversation(prompt):
            raise InvalidInputError("tools need messages: a chat template has to show them")
        if isinstance(prompt, str):
            return self.encoder.encode_text(prompt)
        if isinstance(prompt, TextPrompt):
            return prompt
        if isinstance(prompt, Sequence) and not prompt:
            raise InvalidInputError("the prompt is an empty list; give it messages, token ids or, in a stream, texts")
        if is_texts(prompt):
            raise InvalidInputError("this takes one prompt, and got a list of texts; generate and stream take lists")
        if not is_conversation(prompt):
            return list(cast("Sequence[int]", prompt))
        # The schema was compiled before, since an invalid one could break a chat template.
        schema = None if shown.json_schema is None else to_json_schema(shown.json_schema, shown.limits or self.limits)
        messages = cast("Messages | Conversation", prompt)
        return self.encoder.encode_chat(messages, schema, thinking=shown.thinking, tools=tools)


def _tool_use(
    *,
    tools: Tools | None = None,
    tool_choice: ToolChoice | None = None,
    parallel_tool_calls: bool | None = None,
    repeat_tool_calls: bool | None = None,
) -> ToolUse | None:
    """The options as a `ToolUse`; None without tools."""
    use = ToolUse.of(tools, tool_choice, parallel_tool_calls, repeat_tool_calls)
    return use if use.tools else None


def _deadline(deadline_s: float | None) -> float | None:
    """The deadline as a time of `time.monotonic()`, in seconds; None without one. Raises InvalidInputError."""
    if deadline_s is None:
        return None
    if not isinstance(deadline_s, int | float) or isinstance(deadline_s, bool) or math.isnan(deadline_s):
        raise InvalidInputError(f"deadline_s must be a number of seconds or None, not {deadline_s!r}")
    return time.monotonic() + deadline_s


def _check_together(
    all_params: Iterable[SamplingParams], grammar: CompiledGrammar | None, tools: ToolUse | None
) -> None:
    if grammar is None:
        return
    if any(one.is_constrained or one.ignore_eos for one in all_params):
        raise InvalidInputError("grammar= excludes a constraint and ignore_eos in params")
    if tools is not None:
        raise InvalidInputError("grammar= excludes tools, which make a grammar of their own")
