"""`CompletionBuilder`: turns an engine's events into the chunks and the completion of one output."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from guided.grammars.errors import GuidedError
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from ..engines.base import TextPiece, TokenEvent, TokenRun, ToldUsage
from ..engines.token_logprobs import TokenLogprobs
from ..errors import EngineFailureError
from ..params.sampling_params import SamplingParams
from ..params.stopping import Stops
from ..processors.thinking import find_thinking_tokens
from ..requests.finish_reason import FinishReason
from ..requests.request import PromptRequest
from ..tools.call_reader import CallReader
from ..tools.calls import ToolCallDelta
from ..tools.stop_reader import StopReader
from .completion import Completion, CompletionChunk
from .detokenizer import Detokenizer

if TYPE_CHECKING:
    import torch

log = logging.getLogger(__name__)


class CompletionBuilder:
    """Collects the events of one output until its completion is known.

    Token bytes become text, which the reader splits into thoughts, calls and text up to a stop. Without a grammar the
    engine itself ends a text at `SamplingParams.stop_token_ids`. With a grammar this class does: such a token does not
    count in a call, or in a string of a JSON document. Blocks of thinking are told apart by the engine
    (`TokenEvent.is_thought`), or as marked parts of the text by the reader.

    vocabulary: the engine's tokens.
    request: the request of the output. The attribute `request` is the one to give to the engine.
    index: index of the output among those of its prompt.
    calls: reader of the tool calls in the text; None: there are no calls.
    stops: the request's stops, if its outputs share them; None: they are made from its params.
    give: function that `take` calls with each chunk, in order.
    shows_at_end: True: the last chunk is the only one, and has everything.
    completion: attribute; the completion; None until the last event.
    may_end_early: attribute; the text may end before the engine knows it. Then each event must be added as soon as it
        comes.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        request: PromptRequest,
        index: int = 0,
        calls: CallReader | None = None,
        stops: Stops | None = None,
        *,
        give: Callable[[CompletionChunk], None] | None = None,
        shows_at_end: bool = False,
    ) -> None:
        params = request.params
        self.index = index
        self.shows_at_end = shows_at_end
        self.completion: Completion | None = None
        self._vocabulary = vocabulary
        self._give = give
        self._reader = StopReader(reads_json=_is_json(request)) if calls is None else calls
        stops = Stops(params) if stops is None else stops
        may_stop = stops.sought is not None or bool(params.stop_token_ids and request.grammar is not None)
        if may_stop:
            self._reader.seek(stops, params)
        self.may_end_early = may_stop or calls is not None
        self._has_document = request.grammar is not None and self._reader.has_document
        self.request = replace(request, is_read_at_end=shows_at_end and not self.may_end_early)
        is_plain = request.grammar is None and calls is None
        self._detokenizer = Detokenizer(
            vocabulary,
            skips_special=is_plain if params.skip_special_tokens is None else params.skip_special_tokens,
            spaces_special=is_plain and params.spaces_between_special_tokens,
        )
        self._of_thoughts: Detokenizer | None = None
        self._around_thoughts: tuple[int, ...] = ()  # the tokens around a block of thinking, from its first token on
        self._thoughts: list[str] = []
        self._num_pushed = 0  # tokens of the text
        self._num_read = 0  # characters of the text; a token's text begins at the number before it is pushed
        self._stop_token_id: int | None = None  # id of the stop token that has ended the text under a grammar
        self._start_s = time.perf_counter()
        self._first_token_s: float | None = None
        self._last_event_s = self._start_s
        self._texts: list[str] = []
        self._token_ids: list[int] = []
        self._num_given_token_ids = 0
        self._num_thinking_tokens = 0
        self._num_cached_tokens = 0
        self._num_forced_tokens = 0
        self._min_new_tokens_overruled = self._closed_in_budget = False
        self._logprobs: list[TokenLogprobs] = []
        self._prompt_logprobs: tuple[TokenLogprobs | None, ...] | None = None
        self._returned: list[torch.Tensor] = []
        self._prompt_returned: list[torch.Tensor] = []
        self._num_pieces = 0  # pieces of text from an engine that gives texts instead of tokens
        self._usage: ToldUsage | None = None
        self._stop_token: str | int | None = None
        self._unsent: list[tuple[str, str, list[ToolCallDelta]]] = []
        self._unshown: deque[tuple[int, TokenLogprobs]] = deque()  # (position where the token's text begins, logprobs)
        self._num_shown_logprobs = 0

    @property
    def _is_stopped(self) -> bool:
        """True if a stop string or regex, or a stop token under a grammar, has ended the text."""
        return self._stop_token_id is not None or self._reader.match != ""

    @property
    def _is_ended(self) -> bool:
        """True if the text is over: a stop has ended it, or its tool calls are the whole answer."""
        return self._stop_token_id is not None or self._reader.is_ended

    def take(self, event: TokenEvent) -> None:
        """Add an event and pass its chunk to `give`. The method is an engine's sink: an error ends the output."""
        assert self._give is not None
        try:
            chunk = self.add(event)
            if chunk is not None:
                self._give(chunk)
        except Exception as error:
            if not isinstance(error, GuidedError):
                log.exception("an output could not be read")
                error = EngineFailureError("the reader of an output", error)
            self._give(self._failed(error, event.time_s))

    def add(self, event: TokenEvent) -> CompletionChunk | None:
        """Take the output's next event. Returns a chunk with everything that can be shown now; None: nothing can.

        The last event sets `completion`. If the text ends before the engine knows it, at a stop string or after its
        calls, the method also sets the request's `ended`. The engine then makes no more tokens. The engine's last event
        is ignored.
        """
        if self.completion is not None:
            return None
        self._last_event_s = event.time_s
        if self._first_token_s is None and (event.token_id is not None or event.piece is not None):
            self._first_token_s = event.time_s
        text, thinking, finish_reason = "", "", event.finish_reason
        calls: list[ToolCallDelta] = []
        before = "" if event.run is None else self._take_run(event.run)
        if event.token_id is not None:
            if event.is_thought:
                thinking = self._thought(event.token_id)
                self._note(event, event.token_id, is_shown=True)
            else:
                text, calls = self._take(event, event.token_id)
                thinking = self._new_thoughts()
                finish_reason = self._end_early(finish_reason)
        elif event.piece is not None:
            text, thinking, calls = self._take_piece(event.piece)
            self._closed_in_budget |= event.closed_in_budget
            self._min_new_tokens_overruled |= event.min_new_tokens_overruled
            finish_reason = self._end_early(finish_reason)
        if finish_reason is not None:
            rest, more = self._reader.finish()
            text, calls = text + rest, calls + more
            thinking += self._new_thoughts()
        if before:
            text = before + text
        self._texts.append(text)
        if self.shows_at_end and finish_reason is None:
            self._unsent.append((text, thinking, calls))
            return None
        if self._unsent:
            text, thinking, calls = self._with_held(text, thinking, calls)
        if finish_reason is None and not text and not thinking and not calls:
            return None
        logprobs = self._shown_logprobs(is_last=finish_reason is not None)
        done = None if finish_reason is None else self._finish(finish_reason, event)
        self.completion = done
        return CompletionChunk(
            text,
            None if done is None else done.finish_reason,
            None if done is None else done.usage,
            done,
            logprobs,
            self.index,
            thinking,
            self._new_token_ids(),
            tuple(calls),
        )

    def _failed(self, error: Exception, time_s: float) -> CompletionChunk:
        """End the output with an error of its reader, and return the last chunk. Stops the engine's work on it.

        The completion has only the text and the tokens so far: further parts may be what failed.
        """
        self.request.ended.set()
        self.completion = Completion(
            text="".join(self._texts),
            token_ids=tuple(self._token_ids),
            finish_reason="error",
            error=error,
            num_prompt_tokens=len(self.request.prompt_token_ids),
            num_forced_tokens=self._num_forced_tokens,
            elapsed_s=time_s - self._start_s,
        )
        return CompletionChunk(
            "".join([text for text, _, _ in self._unsent]),
            "error",
            self.completion.usage,
            self.completion,
            index=self.index,
            thinking="".join([thinking for _, thinking, _ in self._unsent]),
            token_ids=self._new_token_ids(),
        )

    def result(self) -> Completion:
        """The completion. Raises RuntimeError before the last event."""
        if self.completion is None:
            raise RuntimeError("the engine ended without the request's last event")
        return self.completion

    def _with_held(self, text: str, thinking: str, calls: list[ToolCallDelta]) -> tuple[str, str, list[ToolCallDelta]]:
        """All parts that were held back, followed by the new ones: (text, thinking, pieces of calls)."""
        texts, thoughts, deltas = zip(*self._unsent, (text, thinking, calls), strict=True)
        return "".join(texts), "".join(thoughts), [delta for some in deltas for delta in some]

    def _new_token_ids(self) -> tuple[int, ...]:
        """The token ids that no chunk has had so far."""
        start, self._num_given_token_ids = self._num_given_token_ids, len(self._token_ids)
        return tuple(self._token_ids[start:])

    def _thought(self, token_id: int) -> str:
        """Take a token of a block of thinking. Returns its characters; the tokens around a block have none."""
        if self._of_thoughts is None:
            tokens = find_thinking_tokens(self._vocabulary)
            assert tokens is not None, "the engine has told a block apart by them"
            self._of_thoughts = Detokenizer(self._vocabulary)
            self._around_thoughts = (tokens.begin_token_id, tokens.end_token_id)
        return self._new_thoughts("" if token_id in self._around_thoughts else self._of_thoughts.push(token_id))

    def _new_thoughts(self, told: str = "") -> str:
        """The new thinking of the reader. told: further thinking that was told apart from the text."""
        told = self._reader.take_thoughts() + told
        self._thoughts.append(told)
        return told

    def _take(self, event: TokenEvent, token_id: int) -> tuple[str, list[ToolCallDelta]]:
        is_end = event.finish_reason == "stop"
        if is_end and self.request.grammar is not None:  # the budget may also end the text, with an ordinary token
            is_end = token_id in self._vocabulary.eos_token_ids
        start = self._num_read
        self._num_thinking_tokens += self._reader.is_thinking
        shown = self._push(token_id, is_end=is_end)
        self._note(event, token_id, start, is_shown=not is_end or self._num_read > start)
        return shown

    def _push(self, token_id: int, *, is_end: bool = False) -> tuple[str, list[ToolCallDelta]]:
        """Read a token's text. Returns the characters and the pieces of tool calls that can be shown now.

        is_end: True for an end-of-sequence or stop token, which is text only if the request includes stops.
        """
        params = self.request.params
        self._num_pushed += 1
        may_end = self._num_pushed >= params.min_new_tokens
        is_stop, drops_end = token_id in (params.stop_token_ids or ()), not params.include_stop_str_in_output
        if is_stop and may_end and self.request.grammar is not None and self._counts_here():
            self._stop_token_id, is_end = token_id, True
        if is_end and drops_end and is_stop:
            return "", []
        return self._read(self._detokenizer.push(token_id, is_end=is_end and drops_end), may_end=may_end)

    def _read(self, text: str, *, may_end: bool = True) -> tuple[str, list[ToolCallDelta]]:
        self._num_read += len(text)
        return self._reader.push(text, may_end=may_end)

    def _counts_here(self) -> bool:
        """True if a stop token that comes now ends the text."""
        return self._reader.is_in_text and not self._reader.is_in_string

    def _take_run(self, run: TokenRun) -> str:
        """Take tokens without events of their own, and return their text. Only for texts that can't end early."""
        assert not self.may_end_early
        self._token_ids += run.token_ids
        self._num_forced_tokens += run.num_forced
        return "".join([self._push(token_id)[0] for token_id in run.token_ids])

    def _take_piece(self, piece: TextPiece) -> tuple[str, str, list[ToolCallDelta]]:
        start = self._num_read
        text, calls = self._read(piece.text)
        self._num_pieces += bool(piece.text or piece.thinking)
        self._usage = piece.usage or self._usage
        self._stop_token = piece.stopped_by if piece.stopped_by is not None else self._stop_token
        self._logprobs += piece.logprobs
        self._unshown.extend((start, one) for one in piece.logprobs)
        return text, self._new_thoughts(piece.thinking), calls

    def _end_early(self, finish_reason: FinishReason | None) -> FinishReason | None:
        """The finish reason after new text: "stop" if the text has ended, which also stops the engine's work."""
        if not self._is_ended:
            return finish_reason
        self.request.ended.set()
        return "stop"

    def _note(self, event: TokenEvent, token_id: int, start: int | None = None, *, is_shown: bool) -> None:
        """Keep the data of a token's event.

        start: position in the text where the token's text begins; None: the end of the text so far.
        is_shown: True if the token's text is part of the output.
        """
        self._token_ids.append(token_id)
        self._num_forced_tokens += event.is_forced
        self._num_thinking_tokens += event.is_thought
        self._num_cached_tokens = max(self._num_cached_tokens, event.num_cached_tokens)
        self._min_new_tokens_overruled |= event.min_new_tokens_overruled
        self._closed_in_budget |= event.closed_in_budget
        if event.prompt_returned is not None:
            self._prompt_returned = [event.prompt_returned]
        if event.returned is not None:
            self._returned.append(event.returned)
        if event.prompt_logprobs is not None:
            self._prompt_logprobs = event.prompt_logprobs
        if event.logprobs is not None:
            self._logprobs.append(event.logprobs)
            if is_shown:
                self._unshown.append((self._num_read if start is None else start, event.logprobs))

    def _shown_logprobs(self, *, is_last: bool) -> tuple[TokenLogprobs, ...] | None:
        """The new log-probabilities of tokens whose text has begun to be shown. At the end, if nothing cut the text
        off, those of all tokens that are left.
        """
        if self.request.params.logprobs is None:
            return None
        shown = []
        shows_rest = is_last and not self._is_ended
        while self._unshown and (shows_rest or self._unshown[0][0] < self._reader.num_decided):
            shown.append(self._unshown.popleft()[1])
        self._num_shown_logprobs += len(shown)
        return tuple(shown)

    def _end_of_text(self, finish_reason: FinishReason) -> FinishReason:
        """The finish reason of the completion: "stop" if all calls are complete, even if the model could go on.

        If the budget cut the text, the reason is never "stop". finish_reason: the engine's reason.
        """
        if finish_reason == "error":
            return finish_reason
        if self._closed_in_budget:
            return "length"
        is_whole = self._is_ended or self._reader.has_whole_calls
        return "stop" if is_whole else finish_reason

    def _fits_grammar(self, ended: FinishReason, event: TokenEvent) -> bool | None:
        """The value of `Completion.fits_grammar`. A text that a stop cut counts as not fitting, without a test.

        ended: why the engine makes no more tokens.
        """
        if not self._has_document:
            return None
        is_at_end = ended == "stop" or (ended == "length" and self._reader.has_whole_calls)
        return not self._is_stopped if is_at_end else event.fits_grammar

    def _stopped_by(self, finish_reason: FinishReason) -> str | int | None:
        if finish_reason != "stop":
            return None
        if self._is_stopped:
            return self._reader.match if self._stop_token_id is None else self._stop_token_id
        if self._stop_token is not None:
            return self._stop_token
        last = self._token_ids[-1] if self._token_ids else None
        return last if last in (self.request.params.stop_token_ids or ()) else None

    def _finish(self, ended: FinishReason, event: TokenEvent) -> Completion:
        finish_reason, usage, text = self._end_of_text(ended), self._usage, "".join(self._texts)
        if usage is None:
            usage = ToldUsage(
                num_prompt_tokens=len(self.request.prompt_token_ids),
                num_new_tokens=len(self._token_ids) + self._num_pieces,
                num_cached_tokens=self._num_cached_tokens,
                num_thinking_tokens=self._num_thinking_tokens,
            )
        return Completion(
            text=text,
            token_ids=tuple(self._token_ids),
            num_new_tokens=usage.num_new_tokens if self._usage is not None or self._num_pieces else None,
            finish_reason=finish_reason,
            error=event.error,
            num_prompt_tokens=usage.num_prompt_tokens,
            num_forced_tokens=self._num_forced_tokens,
            elapsed_s=self._last_event_s - self._start_s,
            logprobs=None if self.request.params.logprobs is None else tuple(self._logprobs),
            prompt_logprobs=self._prompt_logprobs,
            fits_grammar=self._fits_grammar(ended, event),
            closed_in_budget=self._closed_in_budget,
            ended_repetition=event.ended_repetition,
            min_new_tokens_overruled=self._min_new_tokens_overruled,
            thinking="".join(self._thoughts),
            stopped_by=self._stopped_by(finish_reason),
            num_thinking_tokens=usage.num_thinking_tokens,
            num_cached_tokens=usage.num_cached_tokens,
            time_to_first_token_s=None if self._first_token_s is None else self._first_token_s - self._start_s,
            tool_calls=self._reader.calls,
            unheld_tools={} if self.request.tool_plan is None else self.request.tool_plan.use.free,
            foreign_calls="" if self.request.tool_plan is None else self.request.tool_plan.foreign_family(text),
            enforcement=self.request.enforcement,
            weight=event.weight,
            grammar_logprob=event.grammar_logprob,
            num_unshown_logprobs=len(self._logprobs) - self._num_shown_logprobs,
            **_tensors("prompt_", self._prompt_returned, self.request.params, self._vocabulary.size),
            **_tensors("", self._returned, self.request.params, self._vocabulary.size),
        )


def _is_json(request: PromptRequest) -> bool:
    """True if the grammar makes the text a JSON document."""

    def is_json(spec: GrammarSpec) -> bool:
        return spec.kind == "json_schema" or any(map(is_json, spec.parts))

    return request.grammar is not None and is_json(request.grammar.spec)


def _tensors(prefix: str, rows: list[torch.Tensor], params: SamplingParams, vocab_size: int) -> dict[str, Any]:
    """Field of `Completion` -> its tensor, for the requested tensors, from rows with one after the other."""
    if not rows:
        return {}
    import torch

    with torch.inference_mode(False):  # callers may use the tensors in training
        joined = torch.cat(rows)
    start = vocab_size if params.return_logits else 0
    parts = {"logits": joined[:, :start]} if params.return_logits else {}
    parts |= {"hidden_states": joined[:, start:]} if params.return_hidden_states else {}
    return {prefix + name: one for name, one in parts.items()}
