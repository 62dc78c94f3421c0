"""`StepReader`: turns the events of one request into steps, with the effect of the grammar at each step.

The reader follows the answer with a matcher of its own, in the thread that reads. A watched request therefore costs the
engine no more than a request with log-probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from guided.grammars.bitset import Bitmask, allocate_bitmask, bit
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from guided.workbench.inspection.describe import Describer
from guided.workbench.inspection.expected import Expected

from ...engines.base import TokenEvent
from ...engines.thinking import thinking_of
from ...engines.token_logprobs import TokenLogprob, TokenLogprobs
from ...errors import RequestFieldError, TokenRefusedError
from ...grammar_state.state import GrammarState
from ...output.builder import CompletionBuilder
from ...output.completion import Completion
from ...requests.request import PromptRequest
from .step import GenerationStep, StepKind, TokenChance


class _AnswerGrammar(GrammarState):
    """The state of the answer's grammar.

    bitmask: attribute; the mask of the present state, set by `look`.
    num_allowed: attribute; number of tokens in the mask, set by `look`.
    is_closing: attribute; True if the budget excluded tokens, set by `look`.
    """

    def __init__(self, grammar: CompiledGrammar) -> None:
        super().__init__(grammar)
        self._describer = Describer(grammar)
        self.bitmask: Bitmask = allocate_bitmask(1, grammar.vocabulary.size)
        self.num_allowed = 0
        self.is_closing = False

    def look(self, num_tokens_left: int) -> Expected:
        """Describe the allowed continuations, and set `bitmask`, `num_allowed` and `is_closing`.

        num_tokens_left: number of tokens left in the answer's budget.
        """
        self.matcher.fill_bitmask(self.bitmask)
        self.is_closing = self.restrict(self.bitmask, 0, num_tokens_left)
        self.num_allowed = int(np.bitwise_count(self.bitmask.view(np.uint32)).sum(dtype=np.int64))
        return self._describer.describe(self.matcher, with_examples=False)

    def allows(self, token_id: int) -> bool:
        """True if the mask allows a token."""
        return bool(self.bitmask[0, token_id >> 5] & bit(token_id))


class StepReader:
    """Reads the events of a request in order.

    vocabulary: the engine's tokens.
    request: the request.
    max_new_tokens: maximum number of tokens of the whole answer, including the prefix.
    compile_s: seconds until the grammar was compiled; None: no grammar.
    written_forced: attribute; for each token of the prefix, whether the grammar had forced it.
    Raises RequestFieldError for a prefix that the grammar refuses.
    """

    def __init__(
        self, vocabulary: Vocabulary, request: PromptRequest, max_new_tokens: int, compile_s: float | None
    ) -> None:
        self._vocabulary = vocabulary
        self._request = request
        self._max_new_tokens = max_new_tokens
        self._compile_s = compile_s
        self._builder = CompletionBuilder(vocabulary, request)
        self._grammar = None if request.grammar is None else _AnswerGrammar(request.grammar)
        self._num_tokens = 0
        self.written_forced = self._take_prefix(request.written)

    @property
    def completion(self) -> Completion | None:
        """The whole answer, including its prefix; None before the last step."""
        return self._builder.completion

    def read(self, event: TokenEvent) -> GenerationStep | None:
        """The step of an event; None for an event after the end of the text."""
        if self._builder.completion is not None:
            return None
        if event.token_id is None:
            return self._end_without_token(event)
        token_id, index = event.token_id, self._num_tokens
        expected: Expected | None = None
        kind: StepKind = "drawn"
        grammar = None if event.is_thought else self._grammar
        if grammar is not None:
            expected = grammar.look(self._max_new_tokens - index)
        top_raw, top = self._chances(event, grammar)
        num_allowed = None if grammar is None else grammar.num_allowed
        if grammar is not None:
            kind = self._kind(grammar, is_forced=grammar.accept(token_id))
        self._num_tokens += 1
        chunk = self._builder.add(event)
        logprobs = event.logprobs
        assert logprobs is not None, "a request that is watched asks for them"
        completion = self._builder.completion
        return GenerationStep(
            index=index,
            token_id=token_id,
            token=self._vocabulary.written(token_id),
            text="" if chunk is None else chunk.thinking or chunk.text,
            kind=kind,
            is_thinking=event.is_thought,
            raw_prob=math.exp(logprobs.logprob),
            prob=self._drawn_prob(logprobs),
            rank=logprobs.rank,
            masked_mass=None if grammar is None else logprobs.masked_mass,
            num_allowed=num_allowed,
            top_raw=top_raw,
            top=top,
            expected=expected,
            times=event.times,
            compile_s=self._compile_s if index == len(self._request.written) else None,
            finish_reason="pause" if event.is_pause else None if completion is None else completion.finish_reason,
            fits_grammar=None if completion is None else completion.fits_grammar,
        )

    def _drawn_prob(self, logprobs: TokenLogprobs) -> float | None:
        """The probability of the drawn token in the distribution that it was drawn from; 1.0 at temperature 0."""
        if self._request.params.is_greedy:
            return 1.0
        return None if logprobs.processed_logprob is None else math.exp(logprobs.processed_logprob)

    def _kind(self, grammar: _AnswerGrammar, *, is_forced: bool) -> StepKind:
        if is_forced or (grammar.num_allowed == 1 and not grammar.is_closing):
            return "forced"
        return "closing" if grammar.is_closing else "drawn"

    def _chances(
        self, event: TokenEvent, grammar: _AnswerGrammar | None
    ) -> tuple[tuple[TokenChance, ...], tuple[TokenChance, ...]]:
        """(most probable tokens of the model, most probable tokens of the distribution that the token was drawn
        from).
        """
        assert event.logprobs is not None

        def of(one: TokenLogprob) -> TokenChance:
            assert one.token_id is not None
            is_allowed = grammar is None or grammar.allows(one.token_id)
            return TokenChance.of(one, math.exp(one.logprob), is_allowed=is_allowed)

        drawn_from = [one for one in event.logprobs.processed_top if one.logprob > -math.inf]
        top = tuple(map(of, drawn_from))
        if self._request.params.is_greedy:
            top = tuple(replace(one, prob=1.0) for one in top if one.token_id == event.token_id)
        return tuple(map(of, event.logprobs.top)), top

    def _end_without_token(self, event: TokenEvent) -> GenerationStep:
        self._builder.add(event)
        completion = self._builder.completion
        return GenerationStep(
            self._num_tokens,
            None,
            b"",
            "",
            "drawn",
            finish_reason=event.finish_reason,
            fits_grammar=None if completion is None else completion.fits_grammar,
            error=event.error,
        )

    def _take_prefix(self, token_ids: Sequence[int]) -> tuple[bool, ...]:
        """Follow the tokens of the prefix. Returns for each token whether it was forced. Raises RequestFieldError."""
        thinking, forced = thinking_of(self._request, self._vocabulary), []
        for place, token_id in enumerate(token_ids):
            is_thought = thinking is not None and thinking.accept_token(token_id)
            is_forced = False
            if self._grammar is not None and not is_thought:
                try:
                    is_forced = self._grammar.accept(token_id)
                except TokenRefusedError:
                    shown = self._vocabulary.written(token_id).decode("utf-8", "replace")
                    why = f"the grammar does not allow token {token_id} ({shown!r}) there"
                    raise RequestFieldError(f"prefix_token_ids[{place}]: {why}", "prefix_token_ids") from None
            forced.append(is_forced)
            self._builder.add(TokenEvent(0, token_id, is_forced, is_thought=is_thought))
        self._num_tokens = len(token_ids)
        return tuple(forced)
