"""OpenAI's chat completions: reads, checks and answers `POST /v1/chat/completions`.

`guided.params.conversions.from_openai` defines the sampling fields, `constraints.py` the constraints.
`return_masked_mass` adds to each log-probability the probability that the grammar excluded. `return_token_ids` adds the
ids of prompt and outputs. Known but unsupported fields are refused (`unsupported.py`); unknown ones are tolerated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from guided.engines.token_logprobs import TokenLogprobs
from guided.grammars.vocabulary import Vocabulary
from guided.output.completion import Completion, CompletionChunk
from guided.params.conversions import sent_names
from guided.params.sampling_params import SamplingParams
from guided.requests.prompting import Conversation
from guided.tools import ToolCallDelta, ToolUse

from ..errors import InvalidRequestError
from ..kept_responses import NOTHING_KEPT, KeptResponses
from ..validation import validate
from .base import Call, Prompts, WireFormat
from .citations import Citations, read_documents
from .constraints import read_constraint
from .openai_choices import ChoicesBuilder, ChoicesRequest
from .openai_files import QuotingText
from .openai_logprobs import logprobs_object, prompt_logprobs_list
from .openai_messages import ChatMessage, ContentPart, template_messages
from .pieces import notes_of, whole_chunk
from .sampling import read_params
from .sources import read_sources
from .tool_use import AnyTool, ChoiceField, read_tool_use
from .unsupported import CHAT_FIELDS, refuse_unsupported

THINKING_SWITCHES = ("enable_thinking", "thinking")


class ChatCompletionRequest(ChoicesRequest):
    """A request, with its supported fields."""

    messages: Annotated[list[ChatMessage], Field(min_length=1)]
    tools: list[AnyTool] | None = None
    tool_choice: ChoiceField | None = None
    parallel_tool_calls: bool | None = None
    repeat_tool_calls: bool | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    separate_reasoning: bool | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool | None = None
    return_masked_mass: bool | None = None


def read_call(body: dict[str, Any], _: KeptResponses = NOTHING_KEPT) -> Call:
    """Read and check a request's body. Raises InvalidRequestError with the path of the first wrong field."""
    ignored = refuse_unsupported(body, CHAT_FIELDS)
    request = validate(ChatCompletionRequest, body)
    read = read_documents(request.messages, "messages", _text_part)
    constraint = read_constraint(request, read.citations.constraints)
    separates = request.separate_reasoning is not False
    params = read_params(
        _with_thinking(body, request),
        constraint,
        {"separate_thinking": separates, **read_sources(request.sources, read.plain, read.citations.sources)},
    )
    tools = _read_tools(request)
    _check_together(request, params, tools)
    return Call(
        model=request.model,
        prompts=(_conversation(request, read.shown),),
        params=params,
        is_stream=bool(request.stream),
        make_builder=partial(ChatCompletionBuilder, request, params.n, read.citations),
        tools=tools,
        constraint_param=None if constraint is None else constraint.param,
        sent_names=sent_names(body),
        shows_token_ids=bool(request.return_token_ids),
        ignored=ignored,
    )


def _text_part(text: str) -> ContentPart:
    return ContentPart(type="text", text=text)


def _conversation(request: ChatCompletionRequest, shown: Sequence[ChatMessage]) -> Conversation:
    """The conversation for the model. shown: the messages, with files as text."""
    variables = request.chat_template_kwargs or {}
    effort = None if request.reasoning_effort == "none" else request.reasoning_effort
    continues = bool(request.continue_final_message)
    if continues and request.add_generation_prompt:
        message = "continue_final_message and add_generation_prompt exclude each other"
        raise InvalidRequestError(message, "continue_final_message")
    return Conversation(
        template_messages(shown),
        template_variables={name: value for name, value in variables.items() if name not in THINKING_SWITCHES},
        reasoning_effort=effort,
        add_generation_prompt=request.add_generation_prompt is not False and not continues,
        continue_final_message=continues,
    )


def _with_thinking(body: Mapping[str, Any], request: ChatCompletionRequest) -> dict[str, Any]:
    """The body's fields, with `thinking` set from other fields that mean the same."""
    said: dict[str, Any] = {} if body.get("thinking") is None else {"thinking": body["thinking"]}
    if request.reasoning_effort == "none":
        said["reasoning_effort"] = False
    for name in THINKING_SWITCHES:
        value = (request.chat_template_kwargs or {}).get(name)
        if value is not None:
            said[f"chat_template_kwargs.{name}"] = value
    values = list(said.values())
    if any(value != values[0] for value in values):
        raise InvalidRequestError(f"{' and '.join(said)} exclude each other", next(iter(said)))
    return {**body, "thinking": values[0]} if values else dict(body)


def _read_tools(request: ChatCompletionRequest) -> ToolUse | None:
    return read_tool_use(
        {f"tools[{index}]": tool.model_dump(exclude_none=True) for index, tool in enumerate(request.tools or ())},
        request.tool_choice,
        parallel=request.parallel_tool_calls is not False,
        repeat=request.repeat_tool_calls,
    )


def _check_together(request: ChatCompletionRequest, params: SamplingParams, tools: ToolUse | None) -> None:
    """Check fields that contradict each other or need each other."""
    request.check_stream_options()
    if request.stream and params.prompt_logprobs is not None:
        raise InvalidRequestError("prompt_logprobs can't be streamed; leave out stream", param="prompt_logprobs")
    has_grammar = params.is_constrained or (tools is not None and tools.is_offered)
    if request.return_masked_mass and (params.logprobs is None or not has_grammar):
        raise InvalidRequestError(
            "return_masked_mass needs logprobs=true and a constraint, whose mask it measures",
            param="return_masked_mass",
        )
    tells_apart = has_grammar or params.thinking is not None or params.thinking_budget is not None
    if request.separate_reasoning is False and tells_apart:
        raise InvalidRequestError(
            "separate_reasoning=false can't go with a constraint, tools, thinking or thinking_budget, which tell "
            "thinking apart; leave it out",
            param="separate_reasoning",
        )


class ChatCompletionBuilder(ChoicesBuilder):
    """Builds a `chat.completion`, or its chunks.

    The thinking of a reasoning model is `reasoning_content` beside `content`, as in vLLM and SGLang. Tool calls are
    `tool_calls`. Quotes of cited files are `annotations`.
    """

    id_prefix = "chatcmpl"
    object_name = "chat.completion"
    chunk_name = "chat.completion.chunk"

    def __init__(
        self,
        request: ChatCompletionRequest,
        num_outputs: int,
        citations: Citations,
        prompts: Prompts,
        vocabulary: Vocabulary,
        model: str,
    ) -> None:
        super().__init__(request, num_outputs, prompts, vocabulary, model)
        self._citations = citations
        self._quoting = [QuotingText(citations) for _ in range(num_outputs)]
        self._with_masked_mass = bool(request.return_masked_mass)
        self._with_token_ids = bool(request.return_token_ids)

    def whole(self, completions: Sequence[Completion]) -> dict[str, Any]:
        """The whole answer as a `chat.completion` object."""
        choices = [self._choice(index, completion) for index, completion in enumerate(completions)]
        answer = self._object(self.object_name) | {"choices": choices, "usage": self._usage(completions)}
        prompt_logprobs = completions[0].prompt_logprobs
        if prompt_logprobs is not None:
            answer["prompt_logprobs"] = prompt_logprobs_list(prompt_logprobs)
        return answer | self._prompt_token_ids

    def start(self) -> list[bytes]:
        """A chunk with the role, for each choice."""
        delta = {"role": "assistant", "content": "", "refusal": None}
        first = self._chunk(0, delta, others=self._prompt_token_ids)
        return [first, *[self._chunk(index, delta) for index in range(1, self._num_outputs)]]

    def piece(self, chunk: CompletionChunk) -> list[bytes]:
        """Chunks with the new content, and a finish chunk if the choice ends. The first chunk has the
        log-probabilities.
        """
        deltas: list[dict[str, Any]] = []
        text, annotations = self._quoting[chunk.index].read(chunk)
        if chunk.thinking:
            deltas.append({"reasoning_content": chunk.thinking})
        if text or (chunk.logprobs and not chunk.tool_calls):
            deltas.append({"content": text})
        if annotations:
            deltas.append({"annotations": annotations})
        deltas += [self._call_delta(call) for call in chunk.tool_calls]
        if chunk.token_ids and self._with_token_ids and not deltas and chunk.finish_reason is None:
            deltas.append({})
        events = []
        logprobs, ids = chunk.logprobs, chunk.token_ids
        for delta in deltas:
            events.append(self._chunk(chunk.index, delta, logprobs=logprobs, token_ids=ids))
            logprobs, ids = None, ()
        if chunk.completion is not None:
            self._unfinished.discard(chunk.index)
            reason, notes = self._finish_reason(chunk.completion), notes_of(chunk.completion)
            events.append(self._chunk(chunk.index, {}, reason, token_ids=ids, notes=notes))
        return events

    def _error_chunk(self, index: int) -> bytes:
        return self._chunk(index, {}, "error")

    def _choice(self, index: int, completion: Completion) -> dict[str, Any]:
        message = completion.message | {"refusal": None}
        if self._citations.documents:
            text, message["annotations"] = self._quoting[index].read(whole_chunk(completion))
            message["content"] = text or (None if completion.tool_calls else "")
        choice = {
            "index": index,
            "message": message,
            "logprobs": self._logprobs(completion.shown_logprobs),
            "finish_reason": self._finish_reason(completion),
        }
        choice |= notes_of(completion)
        return choice | ({"token_ids": list(completion.token_ids)} if self._with_token_ids else {})

    def _finish_reason(self, completion: Completion) -> str:
        if completion.tool_calls and completion.finish_reason == "stop":
            return "tool_calls"
        return completion.finish_reason

    def _call_delta(self, delta: ToolCallDelta) -> dict[str, Any]:
        kind, text = ("custom", "input") if delta.is_custom else ("function", "arguments")
        called: dict[str, Any] = {} if delta.name is None else {"name": delta.name}
        called[text] = delta.arguments
        first = {} if delta.id is None else {"id": delta.id, "type": kind}
        return {"tool_calls": [{"index": delta.index, **first, kind: called}]}

    def _chunk(
        self,
        index: int,
        delta: dict[str, Any],
        finish_reason: str | None = None,
        *,
        logprobs: Sequence[TokenLogprobs] | None = None,
        token_ids: Sequence[int] = (),
        others: dict[str, Any] | None = None,
        notes: Mapping[str, Any] | None = None,
    ) -> bytes:
        choice = {"index": index, "delta": delta, "logprobs": self._logprobs(logprobs), "finish_reason": finish_reason}
        choice |= notes or {}
        if self._with_token_ids:
            choice["token_ids"] = list(token_ids)
        return self._chunk_of(choice, others)

    def _logprobs(self, logprobs: Sequence[TokenLogprobs] | None) -> dict[str, Any] | None:
        return None if logprobs is None else logprobs_object(logprobs, with_masked_mass=self._with_masked_mass)

    @property
    def _prompt_token_ids(self) -> dict[str, Any]:
        if not self._with_token_ids:
            return {}
        return {"prompt_token_ids": list(self._prompt_ids[0])}


OPENAI_CHAT = WireFormat(
    name="chat_completions",
    summary="OpenAI's chat completions, whole or streamed",
    read_call=read_call,
    request_model=ChatCompletionRequest,
)
