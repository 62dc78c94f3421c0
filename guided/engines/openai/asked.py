"""`Asked`: the content of a request to another server. Parameters that the server lacks are refused by name."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

from guided.grammars.errors import InvalidInputError

from ...errors import RequestFieldError
from ...integrations.common.processors import is_plain
from ...params.sampling_params import SamplingParams
from ...requests.prompting import Conversation
from ...requests.prompts import TextPrompt
from ...requests.request import PromptRequest
from ...tools.definitions import ToolUse
from .endpoint import Endpoint


@dataclass(frozen=True)
class Asked:
    """A request, in the terms of the protocol.

    content: a text or token ids to continue, or a conversation.
    params: sampling parameters.
    answer: parameters with the constraint of the text.
    tools: the offered tools; None: no tools.
    """

    content: str | list[int] | Conversation
    params: SamplingParams
    answer: SamplingParams
    tools: ToolUse | None

    @classmethod
    def of(cls, request: PromptRequest) -> Asked:
        """The content of an engine's request."""
        prompt, params = request.prompt_token_ids, request.params
        if not isinstance(prompt, TextPrompt):
            return cls(list(prompt), params, params, None)
        plan = request.tool_plan
        if plan is None:
            return cls(prompt.content, params, params, None)
        return cls(prompt.content, params, SamplingParams() if plan.use.is_required else plan.given, plan.use)

    @property
    def is_chat(self) -> bool:
        """True if the request goes to the path of chats; False: to the path of text completions."""
        return isinstance(self.content, Conversation)


OURS = (
    "top_k",
    "min_p",
    "filter_order",
    "repetition_penalty",
    "penalize_forced",
    "min_new_tokens",
    "ignore_eos",
    "logit_bias",
    "bad_words",
    "allowed_token_ids",
    "stop_token_ids",
    "logit_processors",
    "custom_params",
    "thinking",
    "thinking_budget",
    "skip_special_tokens",
    "spaces_between_special_tokens",
    "logprob_token_ids",
    "values",
    "sources",
)
"""Fields of SamplingParams that are not in the protocol; our server has them by the same names."""
_OURS_ONLY = (*(field for field in OURS if field != "penalize_forced"), "logprobs_mode")
_OURS_ONLY_OF_ANSWERS = ("regex", "choice", "ebnf", "structural_tag", "all_of", "whitespace")
_DEFAULTS = SamplingParams()


def is_asked(params: SamplingParams, field: str) -> bool:
    """True if the field has an effect: not its default, an empty list, or a top_k that is off."""
    value = getattr(params, field)
    is_off = field == "top_k" and value in (0, -1)
    return not is_off and value != getattr(_DEFAULTS, field) and not (isinstance(value, Sized) and not len(value))


def check_asked(asked: Asked, endpoint: Endpoint) -> None:
    """Raise RequestFieldError or InvalidInputError for fields that the other server lacks or would ignore."""
    _check_everywhere(asked)
    if endpoint.is_guided:
        return
    for fields, params in ((_OURS_ONLY, asked.params), (_OURS_ONLY_OF_ANSWERS, asked.answer)):
        for field in fields:
            if is_asked(params, field):
                raise RequestFieldError(
                    f"{field} is not in OpenAI's protocol; leave it out, or let base_url be that of a guided server",
                    field,
                )
    if not asked.is_chat and asked.answer.json_schema is not None:
        raise RequestFieldError(
            "json_schema can't go with a text to continue in OpenAI's protocol; give messages", "json_schema"
        )
    has_grammar = asked.answer.is_constrained or asked.tools is not None
    has_penalties = bool(asked.params.frequency_penalty or asked.params.presence_penalty)
    if has_grammar and has_penalties and not asked.params.penalize_forced:
        raise RequestFieldError(
            "penalize_forced must be true on the openai engine, whose other side counts every token", "penalize_forced"
        )
    if not isinstance(asked.content, str | Conversation):
        raise InvalidInputError(
            "the openai engine takes texts and messages: token ids are known to a guided server alone"
        )
    if isinstance(asked.content, Conversation):
        _check_conversation(asked.content)


def _check_everywhere(asked: Asked) -> None:
    params = asked.params
    if params.limits is not None:
        raise RequestFieldError(
            "limits can't be given on the openai engine: whoever runs the other server sets them", "limits"
        )
    if params.return_enforcement:
        message = "return_enforcement can't be had on the openai engine: the other server enforces the grammar"
        raise RequestFieldError(message, "return_enforcement")
    if params.prompt_logprobs is not None:
        raise RequestFieldError(
            "prompt_logprobs can't be had on the openai engine, which streams every answer", "prompt_logprobs"
        )
    if not asked.is_chat and params.max_new_tokens is None:
        raise RequestFieldError(
            "max_new_tokens must be given with a text to continue: the protocol's default is 16", "max_new_tokens"
        )
    if not asked.is_chat and params.logprobs is not None and params.logprobs_mode == "both":
        raise RequestFieldError("logprobs_mode 'both' can't go with a text to continue; give messages", "logprobs_mode")
    if params.min_new_tokens and (params.stop_strings or params.stop_patterns):
        raise RequestFieldError(
            "min_new_tokens can't go with stops on the openai engine, which finds them in the text", "min_new_tokens"
        )
    if any(not is_plain(spec) for spec in params.logit_processors or ()):
        raise RequestFieldError(
            "logit_processors are names or signed texts on the openai engine: an object can't be sent",
            "logit_processors",
        )


def _check_conversation(conversation: Conversation) -> None:
    refused = {
        "chat_template_kwargs": bool(conversation.template_variables),
        "add_generation_prompt": not (conversation.add_generation_prompt or conversation.continue_final_message),
        "continue_final_message": conversation.continue_final_message,
    }
    for field, is_given in refused.items():
        if is_given:
            raise RequestFieldError(
                f"{field} is not in OpenAI's protocol; leave it out, or let base_url be that of a guided server", field
            )
