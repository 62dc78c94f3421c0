"""`RemoteJob`: one request while another server works on it. The job checks that server's stream, and converts it to
the events of our engines.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import EndpointAnswerError, EndpointError, NoLogprobsError
from ...requests.finish_reason import FinishReason
from ...requests.request import PromptRequest
from ..base import Sink, TextPiece, TokenEvent, ToldUsage
from ..jobs import EngineJob
from .calls import CallWriter
from .failures import no_answer, of_event
from .logprobs import read_logprobs
from .prompts import MARKS
from .text_check import TextCheck

FINISH_REASONS: Mapping[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "tool_calls": "stop",
    "function_call": "stop",
    "length": "length",
}
THINKING_FIELDS = ("reasoning_content", "reasoning")


class RemoteJob(EngineJob):
    """A request.

    path, body: the path and body of the HTTP request.
    check: checks the text; None: the text is free.
    calls: checks and writes the calls of tools; None: no tools are offered.
    where: the server's address, for messages.
    """

    def __init__(
        self,
        request: PromptRequest,
        sink: Sink,
        index: int,
        *,
        is_bounded: bool,
        path: str,
        body: Mapping[str, Any],
        check: TextCheck | None,
        calls: CallWriter | None,
        where: str,
    ) -> None:
        super().__init__(request, sink, index, is_bounded=is_bounded)
        self.path, self.body = path, body
        self.num_pieces = 0
        self._usage: ToldUsage | None = None
        self._check = check
        self._calls = calls
        self._where = where
        self._ended: FinishReason | None = None
        self._has_text = self._has_logprobs = False
        self._notes: dict[str, Any] = {}

    @property
    def usage(self) -> ToldUsage:
        """The numbers of tokens that the other server tells; otherwise each piece counts as a new token."""
        return self._usage or ToldUsage(
            num_prompt_tokens=0, num_new_tokens=self.num_pieces, num_cached_tokens=0, num_thinking_tokens=0
        )

    def read(self, chunk: object) -> TokenEvent | None:
        """Take an object of the stream; returns the event for its new content. Raises EndpointError."""
        if not isinstance(chunk, Mapping):
            raise no_answer(f"{chunk!r:.80} is no JSON object", self._where)
        if chunk.get("error") is not None:
            raise of_event(chunk["error"], self._where)
        if isinstance(chunk.get("usage"), Mapping):
            self._usage = _read_usage(chunk["usage"])
        choices = chunk.get("choices")
        if not isinstance(choices, list) or not all(isinstance(one, Mapping) for one in choices):
            raise no_answer("it has no choices", self._where)
        if not choices or self._ended is not None:
            return None
        piece = self._read_choice(choices[0])
        if not piece.text and not piece.thinking and not piece.logprobs:
            return None
        self.num_pieces += 1
        return TokenEvent(self.index, None, piece=piece)

    def finish(self) -> TokenEvent:
        """The last event, after the stream has ended. Raises EndpointError if the answer is cut off or wrong."""
        if self._ended is None:
            raise EndpointError(
                "the endpoint's stream ended before its answer did; send the request again", self._where
            )
        text = "" if self._calls is None else self._calls.finish(is_cut=self._ended == "length")
        self._check_whole()
        self.finish_reason = self._ended
        fits = self._check is not None and self._check.is_complete
        stopped_by = self._notes.get("stop_reason")
        return TokenEvent(
            self.index,
            None,
            finish_reason=self._ended,
            fits_grammar=fits,
            closed_in_budget=self._notes.get("closed_in_budget") is True,
            min_new_tokens_overruled=self._notes.get("min_new_tokens_overruled") is True,
            piece=TextPiece(
                text, usage=self._usage, stopped_by=stopped_by if isinstance(stopped_by, str | int) else None
            ),
        )

    def _read_choice(self, choice: Mapping[str, Any]) -> TextPiece:
        part = choice.get("delta", choice.get("message"))
        part = {"content": choice.get("text")} if part is None else part
        if not isinstance(part, Mapping):
            raise no_answer("a choice has no text", self._where)
        if part.get("refusal"):
            raise EndpointAnswerError(f"the model refuses to answer: {part['refusal']!r:.200}", self._where)
        thinking = next((part[name] for name in THINKING_FIELDS if part.get(name)), None)
        text = self._read_text(_text(part.get("content"), self._where))
        if part.get("tool_calls"):
            text += self._read_calls(part["tool_calls"])
        thinking = _text(choice.get("reasoning_content") if thinking is None else thinking, self._where)
        self._read_end(choice)
        return TextPiece(text, thinking, self._read_logprobs(choice))

    def _read_text(self, text: str) -> str:
        if self._check is not None and (self._calls is None or not self._calls.num_calls):
            self._check.push(text)
        self._has_text |= bool(text.strip())
        if self._calls is not None and any(mark in text for mark in MARKS):  # our reader would take it for a call
            message = "the endpoint writes U+FDD0, U+FDD1 or U+FDD2 beside tools; no text may have these noncharacters"
            raise EndpointAnswerError(message, self._where)
        if self._calls is not None and text:
            return self._calls.finish(is_cut=False) + text
        return text

    def _read_calls(self, deltas: Any) -> str:
        if self._calls is None:
            raise EndpointAnswerError("the endpoint calls a tool, and none was offered", self._where)
        if self._has_text and (self._check is not None or self._calls.use.is_required):
            raise EndpointAnswerError(
                "the endpoint wrote text and a call, but the request allows only one of them", self._where
            )
        return self._calls.push(deltas)

    def _read_logprobs(self, choice: Mapping[str, Any]) -> tuple[Any, ...]:
        if self.request.params.logprobs is None:
            return ()
        try:
            found = read_logprobs(choice.get("logprobs"))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise no_answer(f"logprobs that can't be read ({error!r})", self._where) from error
        self._has_logprobs |= bool(found)
        return found

    def _read_end(self, choice: Mapping[str, Any]) -> None:
        reason = choice.get("finish_reason")
        if reason is None or reason == "error":  # an error follows
            return
        if reason == "content_filter":
            raise EndpointAnswerError("the endpoint's content filter ended the answer", self._where)
        if reason not in FINISH_REASONS:
            raise no_answer(f"finish_reason {reason!r:.80}", self._where)
        self._ended = FINISH_REASONS[reason]
        self._notes = dict(choice)

    def _check_whole(self) -> None:
        """Raises EndpointAnswerError if the other server has ended an answer that is not complete."""
        num_calls = 0 if self._calls is None else self._calls.num_calls
        if self.request.params.logprobs is not None and self.num_pieces and not self._has_logprobs:
            cure = "leave out logprobs, or in an extraction give confidence=False"
            raise NoLogprobsError(f"the endpoint gives no log-probabilities; {cure}", self._where)
        if self._ended != "stop" or num_calls:
            return
        if self._calls is not None and self._calls.use.is_required:
            raise EndpointAnswerError("the endpoint calls no tool, and one was asked for", self._where)
        if self._check is not None:
            self._check.finish()


def _text(found: Any, where: str) -> str:
    if not isinstance(found, str | None):
        raise no_answer(f"a text is a {type(found).__name__}", where)
    return found or ""


def _read_usage(usage: Mapping[str, Any]) -> ToldUsage:
    def count(found: Any, name: str) -> int:
        value = found.get(name) if isinstance(found, Mapping) else None
        return value if isinstance(value, int) else 0

    return ToldUsage(
        num_prompt_tokens=count(usage, "prompt_tokens"),
        num_new_tokens=count(usage, "completion_tokens"),
        num_cached_tokens=count(usage.get("prompt_tokens_details"), "cached_tokens"),
        num_thinking_tokens=count(usage.get("completion_tokens_details"), "reasoning_tokens"),
    )
