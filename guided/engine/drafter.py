"""`Drafter`: gives the rows of a step their drafts where they are worth it, and takes back what was in vain."""

from __future__ import annotations

from guided.grammars.vocabulary import Vocabulary

from .drafts import Draft, Drafting
from .engine_request import EngineRequest
from .paged import Chunk, PagedModel
from .scheduler import Plan
from .stats import EngineCounters

TRIED_AGAIN = 64  # steps after which the other way is tried, with drafts or without
NEWEST_SHARE = 0.1  # of the last step in a running mean


class Worth:
    """Whether steps with drafts give more tokens a second than steps without, for each size of batch: it is tried out.

    What a draft costs depends on the model, the device and how many rows share a pass; so does what a pass costs.
    """

    def __init__(self) -> None:
        self._num_steps = 0
        self._token_s: dict[tuple[int, bool], float] = {}  # running means, by the bits of the number of rows
        self._seen: dict[tuple[int, bool], int] = {}  # in which step the last one was

    def allows(self, num_rows: int) -> bool:
        """Whether the next step of so many rows may have drafts."""
        self._num_steps += 1
        without, using = ((num_rows.bit_length(), has_drafts) for has_drafts in (False, True))
        for kind in (without, using):
            if self._num_steps - self._seen.get(kind, -TRIED_AGAIN) >= TRIED_AGAIN:
                return kind is using
        return self._token_s[using] <= self._token_s[without]

    def note(self, num_rows: int, seconds: float, num_tokens: int, *, has_drafts: bool) -> None:
        """A step has taken so long for so many new tokens."""
        kind = (num_rows.bit_length(), has_drafts)
        token_s = seconds / num_tokens
        self._token_s[kind] = self._token_s.get(kind, token_s) * (1 - NEWEST_SHARE) + token_s * NEWEST_SHARE
        self._seen[kind] = self._num_steps


class Drafter:
    """Adds drafts to a step, and takes back what was in vain. most: tokens of a draft; 0: there are none."""

    def __init__(self, model: PagedModel, vocabulary: Vocabulary, most: int, counters: EngineCounters) -> None:
        self._counters = counters
        self._model = model
        self._tokens = vocabulary.tokens
        self._most = most
        self._worth = Worth()

    def add_to(self, plan: Plan) -> None:
        """Give rows that draw a draft each, where one is at hand and drafts are worth their cost."""
        num_rows = len(plan.drawing) + len(plan.joining)
        if not self._most or not plan.drawing or not self._worth.allows(num_rows):
            return
        for i, (row, chunk) in enumerate(plan.drawing):
            draft = self._draft_of(row, min(self._most, row.num_tokens_left - 1))
            if not draft or not self._model.reserve(chunk.sequence, len(chunk.token_ids) + len(draft)):
                continue
            row.draft = Draft(draft, len(row.token_ids))
            last = len(chunk.token_ids) - 1
            positions = list(range(last, last + len(draft) + 1))
            plan.drawing[i] = (row, Chunk(chunk.sequence, chunk.token_ids + draft, positions))
            plan.num_draft_tokens += len(draft)
        self._counters.num_draft_tokens += plan.num_draft_tokens

    def note(self, num_rows: int, seconds: float, num_tokens: int, *, has_drafts: bool) -> None:
        """A step is over. seconds: of processor time, without what it took to read prompts. num_tokens: new ones."""
        if seconds > 0 and num_tokens:
            self._worth.note(num_rows, seconds, num_tokens, has_drafts=has_drafts)

    def settle(self, plan: Plan) -> None:
        """Every row has drawn: forget what was read in vain."""
        for row, chunk in plan.drawing:
            draft, row.draft = row.draft, None
            if draft is None or row.drafting is None:
                continue
            num_right, num_new = draft.num_right(row.token_ids), len(row.token_ids) - draft.start
            row.drafting.note(num_right, min(num_right + 1, num_new, len(draft.token_ids)))
            self._counters.num_accepted_draft_tokens += num_right
            if row.sequence is not None and row.sequence is chunk.sequence:
                num_read = min(num_right, num_new - 1)  # a row's newest token is read in its next step
                self._model.truncate(row.sequence, len(draft.token_ids) - num_read)

    def _draft_of(self, row: EngineRequest, most: int) -> list[int]:
        if most < 1:
            return []
        if row.drafting is None:
            row.drafting = Drafting(self._tokens, row.token_ids)
        draft = row.drafting.propose(most)
        return draft if row.grammar is None or row.is_asleep else row.grammar.allowed_start(draft)
