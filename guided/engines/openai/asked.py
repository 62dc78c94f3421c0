"""`Asked`: the content of a request to another server. Parameters that the server lacks are refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
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
_NOT_THEIRS = "is not in OpenAI's protocol; leave it out, or let base_url be that of a guided server"
Refused = tuple[bool, str, str]  # is it given, the field, and why it is refused


def is_asked(params: SamplingParams, field: str) -> bool:
    """True if the field has an effect: not its default, an empty list, or a top_k that is off."""
    value = getattr(params, field)
    is_off = field == "top_k" and value in (0, -1)
    return not is_off and value != getattr(_DEFAULTS, field) and not (isinstance(value, Sized) and not len(value))


def check_asked(asked: Asked, endpoint: Endpoint) -> None:
    """Raise RequestFieldError or InvalidInputError for fields that the other server lacks or would ignore."""
    _refuse(_refused_everywhere(asked))
    if endpoint.is_guided:
        return
    for fields, params in ((_OURS_ONLY, asked.params), (_OURS_ONLY_OF_ANSWERS, asked.answer)):
        _refuse((is_asked(params, field), field, _NOT_THEIRS) for field in fields)
    _refuse(_refused_by_others(asked))
    if not isinstance(asked.content, str | Conversation):
        raise InvalidInputError(
            "the openai engine takes texts and messages: token ids are known to a guided server alone"
        )


def _refuse(refused: Iterable[Refused]) -> None:
    """Raise RequestFieldError for the first field that is given."""
    for is_given, field, reason in refused:
        if is_given:
            raise RequestFieldError(f"{field} {reason}", field)


def _refused_everywhere(asked: Asked) -> Iterator[Refused]:
    """Fields that no server can serve for this engine."""
    params = asked.params
    has_stops = bool(params.stop_strings or params.stop_patterns)
    has_objects = any(not is_plain(spec) for spec in params.logit_processors or ())
    here = "on the openai engine"
    yield params.limits is not None, "limits", f"can't be given {here}: whoever runs the other server sets them"
    reason = f"can't be had {here}: the other server enforces the grammar"
    yield params.return_enforcement, "return_enforcement", reason
    yield params.prompt_logprobs is not None, "prompt_logprobs", f"can't be had {here}, which streams every answer"
    yield (
        params.min_new_tokens > 0 and has_stops,
        "min_new_tokens",
        f"can't go with stops {here}, which finds them in the text",
    )
    yield has_objects, "logit_processors", f"are names or signed texts {here}: an object can't be sent"
    if asked.is_chat:
        return
    reason = "must be given with a text to continue: the protocol's default is 16"
    yield params.max_new_tokens is None, "max_new_tokens", reason
    is_both = params.logprobs is not None and params.logprobs_mode == "both"
    yield is_both, "logprobs_mode", "'both' can't go with a text to continue; give messages"


def _refused_by_others(asked: Asked) -> Iterator[Refused]:
    """Fields and messages that only a guided server takes."""
    params, content = asked.params, asked.content
    reason = "can't go with a text to continue in OpenAI's protocol; give messages"
    yield not asked.is_chat and asked.answer.json_schema is not None, "json_schema", reason
    has_grammar = asked.answer.is_constrained or asked.tools is not None
    has_penalties = bool(params.frequency_penalty or params.presence_penalty)
    reason = "must be true on the openai engine, whose other side counts every token"
    yield has_grammar and has_penalties and not params.penalize_forced, "penalize_forced", reason
    if isinstance(content, Conversation):
        yield bool(content.template_variables), "chat_template_kwargs", _NOT_THEIRS
        is_open = content.add_generation_prompt or content.continue_final_message
        yield not is_open, "add_generation_prompt", _NOT_THEIRS
        yield content.continue_final_message, "continue_final_message", _NOT_THEIRS
