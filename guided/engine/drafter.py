"""`Drafter`: gives the rows of a step their drafts where they are worth it, and takes back what was in vain."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from operator import mul
from typing import TypeVar

from guided.grammars.errors import GuidedError
from guided.grammars.vocabulary import Vocabulary

from .drafts import FADING, FORCED_SHARE, Draft, Drafting, worth_depth
from .engine_request import EngineRequest
from .pace import Pace
from .paged import PagedModel
from .row_grammar import RowGrammar
from .scheduler import Plan
from .stats import EngineCounters

log = logging.getLogger(__name__)
T = TypeVar("T")
MAX_TAKEN = 256  # forced bytes that are remembered with the token that was taken,
MAX_TAKEN_BYTES = 16  # of at most so many
MAX_POSITIONS = 512  # of a step with drafts, each of which has a row of logits
FEW_ROWS = 4
"""For which the source of a quote is asked before the row's own text. PERF: a better guess, at 90 us instead of 6."""


class Drafter:
    """Adds drafts to a step, and takes back what was in vain.

    pace: what a guessed token costs. most: tokens of a draft; 0: there are none.
    """

    def __init__(
        self, model: PagedModel, vocabulary: Vocabulary, pace: Pace, most: int, counters: EngineCounters
    ) -> None:
        self._counters = counters
        self._model = model
        self._tokens = vocabulary.tokens
        self._pace = pace
        self._most = most
        self._taken: dict[bytes, dict[int, float]] = {}  # forced bytes -> tokens that rows took then -> how often

    @property
    def is_on(self) -> bool:
        """Rows may get drafts."""
        return self._most > 0

    def add_to(self, plan: Plan) -> None:
        """Give rows that draw a draft each, where one is at hand and worth its cost."""
        if not self._most or not plan.drawing:
            return
        share = self._pace.draft_share(len(plan.drawing) + len(plan.joining))
        if share >= 1.0:  # what is sure costs more than it saves
            return
        left = MAX_POSITIONS - sum(len(chunk.logit_positions) for _, chunk in plan.parts)
        are_forced_worth = share <= FORCED_SHARE
        drafts: dict[int, Draft] = {}
        for i, (row, _) in enumerate(plan.drawing):
            drafting = row.drafting
            if not are_forced_worth and drafting is not None and not drafting.is_worth(share):
                continue
            most = min(self._most, left, row.num_tokens_left - 1)
            forced, draft = self._forced_draft_of(row, most) if are_forced_worth else (b"", [])
            num_forced = len(draft)
            if draft:
                draft = self._longer(row, draft, most, share)
            else:
                draft = self._draft_of(row, most, share, quotes_first=len(plan.drawing) <= FEW_ROWS)
            if draft:
                drafts[i] = Draft(draft, len(row.token_ids), forced, num_forced)
                left -= len(draft)
        self._give(plan, drafts, share)

    def _give(self, plan: Plan, drafts: Mapping[int, Draft], share: float) -> None:
        """Let the rows at these places of `plan.drawing` have their drafts, as far as that is worth it."""
        shares = [_shares(plan.drawing[i][0], draft) for i, draft in drafts.items()]
        depth = worth_depth(shares, share, self._pace.draw_share(len(plan.drawing) + len(plan.joining)))
        for i, draft in drafts.items():
            row, chunk = plan.drawing[i]
            draft.cut(depth)
            num_tokens = len(draft.token_ids)
            if not num_tokens or not self._model.reserve(chunk.sequence, len(chunk.token_ids) + num_tokens):
                continue
            row.draft = draft
            first = len(chunk.token_ids)
            positions = chunk.logit_positions + list(range(first, first + num_tokens))
            read = replace(chunk, token_ids=chunk.token_ids + draft.token_ids, logit_positions=positions)
            plan.drawing[i] = (row, read)
            plan.num_draft_tokens += num_tokens
        self._counters.num_draft_tokens += plan.num_draft_tokens

    def settle(self, plan: Plan) -> None:
        """Every row has drawn: forget what was read in vain."""
        for row, chunk in plan.drawing:
            draft, row.draft = row.draft, None
            if draft is None:
                continue
            num_right, num_new = draft.num_right(row.token_ids), len(row.token_ids) - draft.start
            if draft.forced:
                self._note_forced(draft, row.token_ids)
            if row.drafting is not None and num_right >= draft.num_forced:
                num_tried = min(num_right + 1, num_new, len(draft.token_ids)) - draft.num_forced
                if num_tried > 0:
                    row.drafting.note(num_right - draft.num_forced, num_tried)
            self._counters.num_accepted_draft_tokens += num_right
            if row.sequence is not None and row.sequence is chunk.sequence:
                num_read = min(num_right, num_new - 1)  # a row's newest token is read in its next step
                self._model.truncate(row.sequence, len(draft.token_ids) - num_read)

    def _forced_draft_of(self, row: EngineRequest, most: int) -> tuple[bytes, list[int]]:
        """Bytes that the row's grammar forces, of which the model is to choose the tokens; and a guess at these."""
        grammar = row.grammar
        if most < 1 or grammar is None or row.is_asleep:
            return b"", []
        forced, spelled = self._tried(grammar.unspelled) or (b"", ())
        if not forced:
            return b"", []
        usual = self._taken.get(forced, {})
        for guess in ([max(usual, key=usual.__getitem__)] if usual else [], spelled[:most]):
            draft = self._tried(partial(grammar.allowed_start, list(guess)))
            if draft:
                return forced, draft
        return b"", []

    def _note_forced(self, draft: Draft, token_ids: list[int]) -> None:
        """The row, which has these tokens now, has chosen."""
        if len(self._taken) >= MAX_TAKEN:
            self._taken.clear()
        if len(draft.forced) <= MAX_TAKEN_BYTES and len(token_ids) > draft.start:
            counts, taken = self._taken.setdefault(draft.forced, {}), token_ids[draft.start]
            for token_id in counts:
                counts[token_id] *= FADING
            counts[taken] = counts.get(taken, 0.0) + 1.0

    def _longer(self, row: EngineRequest, draft: list[int], most: int, worth_from: float) -> list[int]:
        """A draft of forced bytes, and inside of a quote how its source goes on behind them."""
        if row.drafting is None:
            row.drafting = Drafting(self._tokens, row.token_ids)
        grammar = row.grammar
        rest = self._quote_guess(row.drafting, grammar, most - len(draft), worth_from, draft) if grammar else []
        return (self._tried(partial(grammar.allowed_start, draft + rest)) or draft) if grammar and rest else draft

    def _draft_of(self, row: EngineRequest, most: int, worth_from: float, *, quotes_first: bool) -> list[int]:
        """quotes_first: a quote's source is asked before the row's own text; else after it."""
        if most < 1:
            return []
        if row.drafting is None:
            row.drafting = Drafting(self._tokens, row.token_ids)
        grammar = None if row.is_asleep else row.grammar
        if grammar is None:
            return row.drafting.propose(most, worth_from)
        of_text = partial(row.drafting.propose, most, worth_from)
        of_quote = partial(self._quote_guess, row.drafting, grammar, most, worth_from)
        draft = of_quote() or of_text() if quotes_first else of_text() or of_quote()
        return (self._tried(partial(grammar.allowed_start, draft)) or []) if draft else []

    def _quote_guess(
        self, drafting: Drafting, grammar: RowGrammar, most: int, worth_from: float, behind: Sequence[int] = ()
    ) -> list[int]:
        """Inside of a quote, how its source goes on behind these tokens, as far as that is worth it."""
        length = drafting.length(most, worth_from)
        return (self._tried(partial(grammar.quote_guess, length, behind)) if length else None) or []

    def _tried(self, find: Callable[[], T]) -> T | None:
        """What `find` finds with a grammar; None where that fails."""
        try:
            return find()
        except GuidedError:  # a limit, or the step's time; where the row draws it meets it again
            return None
        except Exception:
            log.exception("a grammar failed at a draft; its row goes on without")
            return None


def _shares(row: EngineRequest, draft: Draft) -> tuple[float, ...]:
    """How probable it is that the row takes the first token of its draft, the first two, and so on."""
    of_others = FORCED_SHARE if row.drafting is None else row.drafting.share
    num_others = len(draft.token_ids) - draft.num_forced
    return tuple(accumulate([FORCED_SHARE] * draft.num_forced + [of_others] * num_others, mul))
