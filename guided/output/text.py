"""`OutputText`: turns the tokens of one output into its text, separates thinking and tool calls, and finds stops."""

from __future__ import annotations

from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from ..params.stopping import Stops, StopSearch
from ..processors.thinking import find_thinking_tokens
from ..requests.request import PromptRequest
from ..tools.calls import ToolCall, ToolCallDelta
from ..tools.channel_reader import ChannelReader
from ..tools.reader import CallReader
from .detokenizer import Detokenizer


class OutputText:
    """The text of one output, which grows token by token. Characters that may begin a stop or a call are held back
    until that is decided.

    vocabulary: the engine's tokens.
    request: the request of the output.
    reader: extracts the tool calls from the text; None: there are no calls.
    stops: the request's stops, if its outputs share them; None: they are made from its params.
    num_read: attribute; number of characters read. A token's text begins at the value before the token is pushed.
    num_chars: attribute; number of these characters that are decided: shown, or part of a call.

    Without a grammar the engine itself ends a text at `SamplingParams.stop_token_ids`. With a grammar this class does:
    such a token does not count in a call, or in a string of a JSON document.
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        request: PromptRequest,
        reader: CallReader | ChannelReader | None = None,
        stops: Stops | None = None,
    ) -> None:
        params = request.params
        skips = params.skip_special_tokens
        self._vocabulary = vocabulary
        self._thoughts: list[str] = []
        self._thinking_detokenizer: Detokenizer | None = None
        self._delimiters: frozenset[int] = frozenset()
        self._detokenizer = Detokenizer(
            vocabulary,
            skips_special=(request.grammar is None and reader is None) if skips is None else skips,
            spaces_special=request.grammar is None and reader is None and params.spaces_between_special_tokens,
        )
        self._reader = reader
        self._search = self._new_search(request, Stops(params) if stops is None else stops)
        if reader is not None:
            reader.search = self._search
        self._has_grammar = request.grammar is not None
        self._drops_end = not params.include_stop_str_in_output
        self._stop_token_ids = frozenset(params.stop_token_ids or ())
        self._min_new_tokens = params.min_new_tokens
        self._num_tokens = 0
        self._stop_token_id: int | None = None
        self.num_read = 0
        self.num_chars = 0

    @property
    def may_end_early(self) -> bool:
        """True if the text may end, see `is_ended`, while the engine would go on."""
        return self._search is not None or self._reader is not None

    @property
    def is_stopped(self) -> bool:
        """True if a stop string or regex, or a stop token under a grammar, has ended the text."""
        return self._stop_token_id is not None or (self._search is not None and self._search.is_stopped)

    @property
    def is_ended(self) -> bool:
        """True if the text is over: a stop has ended it, or its tool calls are the whole answer."""
        return self.is_stopped or (self._reader is not None and self._reader.is_ended)

    @property
    def stop(self) -> str | int:
        """The stop string, the match of a stop regex or the id of the stop token that ended the text; "": none did."""
        if self._stop_token_id is not None:
            return self._stop_token_id
        return "" if self._search is None else self._search.match

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All tool calls so far."""
        return () if self._reader is None else self._reader.calls

    @property
    def is_thinking(self) -> bool:
        """True if the next characters are thinking, which marks in the text separate."""
        return isinstance(self._reader, ChannelReader) and self._reader.is_thinking

    @property
    def thinking(self) -> str:
        """All thinking so far, without the tokens that begin and end a block. Blocks are joined without a separator."""
        return "".join(self._thoughts)

    def push_thought(self, token_id: int) -> str:
        """Take one more token of a thinking block. Returns its characters."""
        if self._thinking_detokenizer is None:
            tokens = find_thinking_tokens(self._vocabulary)
            self._delimiters = (
                frozenset() if tokens is None else frozenset([tokens.begin_token_id, tokens.end_token_id])
            )
            self._thinking_detokenizer = Detokenizer(self._vocabulary)
        text = "" if token_id in self._delimiters else self._thinking_detokenizer.push(token_id)
        return self.take_thoughts(text)

    def take_thoughts(self, told: str = "") -> str:
        """The new thinking since the last call. told: further thinking that the engine separated from the text."""
        in_text = self._reader.take_thoughts() if isinstance(self._reader, ChannelReader) else ""
        self._thoughts.append(in_text + told)
        return in_text + told

    @property
    def has_whole_calls(self) -> bool:
        """True if there are tool calls and none is cut off."""
        return self._reader is not None and self._reader.has_whole_calls

    def push(self, token_id: int, *, is_end: bool = False) -> tuple[str, list[ToolCallDelta]]:
        """Take one more token. Returns the characters and the pieces of tool calls that can be shown now.

        is_end: True for an end-of-sequence or stop token. It is part of the text only if the request includes stops.
        """
        self._num_tokens += 1
        may_end = self._num_tokens >= self._min_new_tokens
        if self._has_grammar and token_id in self._stop_token_ids and may_end and self._counts_here():
            self._stop_token_id, is_end = token_id, True
        if is_end and self._drops_end and token_id in self._stop_token_ids:
            return "", []
        return self._show(self._detokenizer.push(token_id, is_end=is_end and self._drops_end), may_end=may_end)

    def push_text(self, text: str) -> tuple[str, list[ToolCallDelta]]:
        """Like `push`, for an engine that gives texts instead of tokens: take more characters."""
        return self._show(text, may_end=True)

    def _show(self, text: str, *, may_end: bool) -> tuple[str, list[ToolCallDelta]]:
        self.num_read += len(text)
        if self._reader is not None:
            text, deltas = self._reader.push(text, may_end=may_end)
            self.num_chars = self._reader.num_decided
            return text, deltas
        if self._search is not None:
            text = self._search.push(text, may_end=may_end)
        self.num_chars += len(text)
        return text, []

    def flush(self) -> tuple[str, list[ToolCallDelta]]:
        """The held-back characters and pieces of calls. Call this after the last token. Empty if a stop ended the
        text.
        """
        if self._reader is not None:
            text, deltas = self._reader.finish()
            self.num_chars = self._reader.num_decided
            return text, deltas
        text = "" if self._search is None or self._search.is_stopped else self._search.flush()
        self.num_chars += len(text)
        return text, []

    def _new_search(self, request: PromptRequest, stops: Stops) -> StopSearch | None:
        params = request.params
        if stops.is_empty and not (params.stop_token_ids and request.grammar is not None):
            return None
        is_document = _is_json(request) if self._reader is None else self._reader.reads_json
        return StopSearch(
            stops,
            includes_stop=params.include_stop_str_in_output,
            skips_strings=is_document and not params.stop_in_strings,
        )

    def _counts_here(self) -> bool:
        """True if a stop token that comes now ends the text."""
        is_in_text = self._reader is None or self._reader.is_in_text
        return is_in_text and not (self._search is not None and self._search.is_in_string)


def _is_json(request: PromptRequest) -> bool:
    """True if the grammar makes the text a JSON document."""

    def is_json(spec: GrammarSpec) -> bool:
        return spec.kind == "json_schema" or any(map(is_json, spec.parts))

    return request.grammar is not None and is_json(request.grammar.spec)
