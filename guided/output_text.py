"""The text of one output while it is made: token bytes to characters, ended by its stop strings."""

from __future__ import annotations

from guided.grammars.vocabulary import Vocabulary

from .engine.base import GenerationRequest
from .engine.detokenizer import Detokenizer
from .processors.thinking import find_thinking_tokens
from .stopping import Stops, StopSearch


class OutputText:
    """Grows token by token. What may be the beginning of a stop is held back until that is decided.

    stops: of the request, where its outputs share them; None: made from its params.
    is_stopped: a stop string or regex has ended the text. num_chars: how much of it was given back so far; a token's
    text is at `num_read` before it is pushed, so it is shown as soon as num_chars is larger.
    """

    def __init__(self, vocabulary: Vocabulary, request: GenerationRequest, stops: Stops | None = None) -> None:
        params = request.params
        skips = params.skip_special_tokens
        self._detokenizer = Detokenizer(
            vocabulary,
            skips_special=request.grammar is None if skips is None else skips,
            spaces_special=params.spaces_between_special_tokens,
        )
        stops = Stops(params) if stops is None else stops
        includes_stop = params.include_stop_str_in_output
        self._search = None if stops.is_empty else StopSearch(stops, includes_stop=includes_stop)
        self._drops_end = not includes_stop
        self._stop_token_ids = frozenset(params.stop_token_ids or ())
        self._min_new_tokens = params.min_new_tokens
        self._num_tokens = 0
        self.num_read = 0
        self.num_chars = 0

    @property
    def is_stopped(self) -> bool:
        """See the class."""
        return self._search is not None and self._search.is_stopped

    @property
    def stop(self) -> str:
        """The stop string, or match of a stop regex, that has ended the text; "" while none has."""
        return "" if self._search is None else self._search.match

    def push(self, token_id: int, *, is_end: bool = False) -> str:
        """Take one more token; returns the characters that can be shown now.

        is_end: it is an end-of-sequence or stop token, which is no part of the text unless the request wants it to be.
        """
        self._num_tokens += 1
        if is_end and self._drops_end and token_id in self._stop_token_ids:
            return ""
        text = self._detokenizer.push(token_id, is_end=is_end and self._drops_end)
        self.num_read += len(text)
        if self._search is not None:
            text = self._search.push(text, may_end=self._num_tokens >= self._min_new_tokens)
        self.num_chars += len(text)
        return text

    def flush(self) -> str:
        """What is held back, once no token follows; nothing where a stop has ended the text."""
        text = "" if self._search is None or self._search.is_stopped else self._search.flush()
        self.num_chars += len(text)
        return text


class ThinkingText:
    """What a model thinks, token by token, without the tokens that begin and end a block."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._detokenizer: Detokenizer | None = None
        self._delimiters: frozenset[int] = frozenset()
        self._texts: list[str] = []

    @property
    def text(self) -> str:
        """All of it so far, joined without anything between two blocks."""
        return "".join(self._texts)

    def push(self, token_id: int) -> str:
        """Take one more token that is thought; returns its characters."""
        if self._detokenizer is None:
            tokens = find_thinking_tokens(self._vocabulary)
            self._delimiters = (
                frozenset() if tokens is None else frozenset([tokens.begin_token_id, tokens.end_token_id])
            )
            self._detokenizer = Detokenizer(self._vocabulary)
        text = "" if token_id in self._delimiters else self._detokenizer.push(token_id)
        self._texts.append(text)
        return text
