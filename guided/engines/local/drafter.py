"""`Drafter`: adds guessed tokens, drafts, to a small step, and removes wrong guesses afterwards."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from guided.grammars.errors import GuidedError
from guided.grammars.vocabulary import Vocabulary

from ...grammar_state.state import GrammarState
from ..stats import EngineCounters
from .drafts import FADING, MIN_FREE_MATCH, TokenDraft
from .engine_request import EngineRequest
from .paged import PagedModel
from .quote_guess import quote_guess
from .scheduler import StepPlan
from .slow_rows import StepTime

log = logging.getLogger(__name__)
T = TypeVar("T")
MAX_TAKEN = 256  # maximum number of forced texts in `Drafter._taken`
MAX_TAKEN_BYTES = 16  # maximum length in bytes of a forced text in `Drafter._taken`
MAX_ROWS = 8
"""Maximum number of rows of a step with drafts. PERF: on a CPU, in larger steps a guessed token costs what it saves."""


class Drafter:
    """Adds drafts to steps.

    most: maximum number of tokens of a draft; 0: no drafts.
    step_time: time of the present step for the work of grammars.
    """

    def __init__(
        self, model: PagedModel, vocabulary: Vocabulary, most: int, counters: EngineCounters, step_time: StepTime
    ) -> None:
        self._counters = counters
        self._model = model
        self._tokens = vocabulary.tokens
        self._most = most
        self._step_time = step_time
        self._taken: dict[bytes, dict[int, float]] = {}  # forced bytes -> token that rows took there -> count, fading

    @property
    def is_on(self) -> bool:
        """True if rows may get drafts."""
        return self._most > 0

    def add_to(self, plan: StepPlan) -> None:
        """Give each drawing row a draft, if the step has few rows and there is a guess."""
        if not self._most or len(plan.drawing) + len(plan.joining) > MAX_ROWS:
            return
        for i, (row, chunk) in enumerate(plan.drawing):
            draft = self._draft_of(row, min(self._most, row.num_tokens_left - 1))
            first, num_tokens = len(chunk.token_ids), len(draft.token_ids)
            if not num_tokens or not self._model.reserve(chunk.sequence, first + num_tokens):
                continue
            plan.drafts[row] = draft
            positions = chunk.logit_positions + list(range(first, first + num_tokens))
            read = replace(chunk, token_ids=chunk.token_ids + draft.token_ids, logit_positions=positions)
            plan.drawing[i] = (row, read)
            plan.num_draft_tokens += num_tokens
        self._counters.num_draft_tokens += plan.num_draft_tokens

    def _draft_of(self, row: EngineRequest, most: int) -> TokenDraft:
        """A row's draft: the bytes that its grammar forces, and the continuation of a quote's source. If both are
        empty, the tokens that followed the same bytes earlier in the text.
        """
        draft, grammar = TokenDraft([], len(row.token_ids)), None if row.is_asleep else row.grammar
        if most < 1:
            return draft
        if grammar is None:
            draft.token_ids = row.drafts.propose(self._tokens, row.token_ids, most, MIN_FREE_MATCH)
            return draft
        draft.forced, forced_ids = self._forced_guess(grammar, most)
        draft.num_forced = len(forced_ids)
        guess = forced_ids + self._quote_guess(row, grammar, most - len(forced_ids), forced_ids)
        guess = guess or row.drafts.propose(self._tokens, row.token_ids, most)
        if len(guess) > len(forced_ids):
            guess = self._tried(partial(grammar.allowed_start, guess)) or forced_ids
        draft.token_ids = guess
        return draft

    def settle(self, plan: StepPlan) -> None:
        """After all rows have drawn: count right guesses, and remove keys and values of wrong ones."""
        for row, chunk in plan.drawing:
            draft = plan.drafts.get(row)
            if draft is None:
                continue
            num_right, num_new = draft.num_right(row.token_ids), len(row.token_ids) - draft.start
            if draft.forced:
                self._note_forced(draft, row.token_ids)
            num_tried = min(num_right + 1, num_new, len(draft.token_ids)) - draft.num_forced
            if num_right >= draft.num_forced and num_tried > 0:
                row.drafts.note(num_right - draft.num_forced, num_tried)
            self._counters.num_accepted_draft_tokens += num_right
            if row.sequence is not None and row.sequence is chunk.sequence:
                num_read = min(num_right, num_new - 1)  # a row's newest token is read in its next step
                self._model.truncate(row.sequence, len(draft.token_ids) - num_read)

    def _forced_guess(self, grammar: GrammarState, most: int) -> tuple[bytes, list[int]]:
        """(forced bytes whose tokens the model chooses, a guess at these tokens). (b"", []) if there is no guess."""
        forced, spelled = self._tried(grammar.unspelled) or (b"", ())
        if not forced:
            return b"", []
        usual = self._taken.get(forced, {})
        for guess in ([max(usual, key=usual.__getitem__)] if usual else [], spelled[:most]):
            draft = self._tried(partial(grammar.allowed_start, guess))
            if draft:
                return forced, draft
        return b"", []

    def _note_forced(self, draft: TokenDraft, token_ids: list[int]) -> None:
        """Remember the token that a row took for forced bytes. token_ids: the row's tokens now."""
        if len(self._taken) >= MAX_TAKEN:
            self._taken.clear()
        if len(draft.forced) <= MAX_TAKEN_BYTES and len(token_ids) > draft.start:
            counts, taken = self._taken.setdefault(draft.forced, {}), token_ids[draft.start]
            for token_id in counts:
                counts[token_id] *= FADING
            counts[taken] = counts.get(taken, 0.0) + 1.0

    def _quote_guess(self, row: EngineRequest, grammar: GrammarState, most: int, behind: Sequence[int]) -> list[int]:
        """A guess at the continuation of a quote after the tokens `behind`, with as many tokens as are worth a try."""
        length = row.drafts.worth_length(most)
        return (self._tried(partial(quote_guess, grammar, length, behind)) if length else None) or []

    def _tried(self, find: Callable[[], T]) -> T | None:
        """The result of `find`, which uses a grammar; None if that fails or the step's time is up."""
        if self._step_time.is_over:
            return None
        try:
            with self._step_time.trial():
                return find()
        except GuidedError:  # a limit, or the step's time is up; the row's own draw will meet it again
            return None
        except Exception:
            log.exception("a grammar failed at a draft; its row goes on without")
            return None
