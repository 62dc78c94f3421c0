"""`GuidedLogitsProcessor`: a grammar for plain `model.generate(...)` of Hugging Face transformers.

    processor = GuidedLogitsProcessor(grammar)
    model.generate(**inputs, logits_processor=LogitsProcessorList([processor]))

Greedy search, sampling, beam search and num_return_sequences work. Rows are identified by their tokens, since beam
search moves and copies rows between steps. Assisted decoding goes back in the text, so it needs `prompt_length`.
Continuous batching (`generate_batch`) is not supported.

`generate` must stop at the grammar's end-of-sequence ids (`grammar.vocabulary.eos_token_ids`). A text cut off by
max_new_tokens is only the beginning of a valid text. If the grammar has fewer texts than there are beams, spare beams
repeat a text with a score of about -1e8. Sampling inside beam search (do_sample with num_beams) may fill spare beams
with candidates of probability 0: a sequence scored -inf does not fit the grammar.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from guided.grammars.bitset import Bitmask, allocate_bitmask
from guided.grammars.errors import BatchMaskError, GuidedError, InvalidInputError, VocabularyMismatchError
from guided.grammars.extras import needed_by
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary

from ..errors import NoAllowedTokenError

with needed_by("guided.integrations.transformers"):
    import torch
    from transformers import LogitsProcessor

    from ..masks import apply_bitmask_inplace

TokenRows = NDArray[np.int64]  # (R, L), C-contiguous

# Identifies a row: index of its grammar, and the bytes of its generated token ids (int64 each).
RowKey = tuple[int, bytes]
_KEY_BYTES_PER_TOKEN = 8


class GuidedLogitsProcessor(LogitsProcessor):
    """Bans every token that the grammar does not allow next.

    A processor can serve several `generate` calls in turn, but not at the same time. With prompt_length None, a call
    continues the running generation if every row is a row of the last call with one more token. Other input starts a
    new generation. Rows that begin with the last prompts and are no longer than the last rows are refused: they could
    be new prompts or a step back. Call `reset()` before new prompts.

    Args:
        grammar: one compiled grammar for all rows, or one for each prompt of the batch; None leaves a prompt free. Rows
            of one prompt (beams, num_return_sequences) share its grammar. All grammars must have the same vocabulary.
        prompt_length: number of leading columns of `input_ids` that are prompt, left padding included. Later columns
            are text of the grammar, also in the first call. None: in a generation's first call, all columns are prompt.

    Raises:
        InvalidInputError: for a negative `prompt_length`.
        VocabularyMismatchError: for grammars of different vocabularies.
    """

    supports_continuous_batching = False

    def __init__(
        self, grammar: CompiledGrammar | Sequence[CompiledGrammar | None], prompt_length: int | None = None
    ) -> None:
        if prompt_length is not None and prompt_length < 0:
            raise InvalidInputError(f"prompt_length must be at least 0, not {prompt_length}")
        self._grammars = (grammar,) if isinstance(grammar, CompiledGrammar) else tuple(grammar)
        self._has_one_for_all = isinstance(grammar, CompiledGrammar)
        self._vocabulary = _common_vocabulary(self._grammars)
        self._given_prompt_length = prompt_length
        self.reset()

    def reset(self) -> None:
        """Forget the running generation, so that the next call starts a new one."""
        self._prompts: TokenRows | None = None
        self._num_columns = 0
        # The rows of the last call. Entries hold for any generation, since a key contains everything that a matcher
        # depends on. None: the row's text has ended or left the grammar, so only its end may follow.
        self._matchers: dict[RowKey, Matcher | None] = {}

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        """The scores, with -inf for every token that its row's grammar bans; the given scores are not changed.

        input_ids: (R, L) integer, any device: prompts and generated tokens.
        scores: (R, V) float.
        Raises VocabularyMismatchError for scores narrower than the grammar's vocabulary, and InvalidInputError for rows
        that can't be assigned to grammars. Raises NoAllowedTokenError if a grammar allows a row nothing, and
        BatchMaskError with the rows whose grammars passed a limit.
        """
        if scores.shape[1] < self._vocabulary.size:
            raise VocabularyMismatchError(
                f"the grammar's vocabulary has {self._vocabulary.size} tokens, but the model's logits only "
                f"{scores.shape[1]} columns; compile the grammar for this model's tokenizer and width"
            )
        rows: TokenRows = np.ascontiguousarray(input_ids.to("cpu", torch.int64).numpy())
        grammar_of_row = self._deal_grammars(len(rows))
        prompt_length = self._begin_step(rows, grammar_of_row)
        keys = _row_keys(rows, grammar_of_row, prompt_length)
        self._matchers = {key: self._matcher_at(key) for key in dict.fromkeys(keys)}
        constrained = [i for i, index in enumerate(grammar_of_row) if index is not None]
        return _mask_rows(scores, constrained, self._fill_bitmask(keys, constrained))

    def _deal_grammars(self, num_rows: int) -> list[int | None]:
        """The index of each row's grammar; None for a free row. Rows of one prompt are adjacent."""
        if self._has_one_for_all:
            return [0] * num_rows
        rows_per_prompt, rest = divmod(num_rows, len(self._grammars))
        if rest or not rows_per_prompt:
            raise InvalidInputError(
                f"{num_rows} rows can't be shared out to {len(self._grammars)} grammars; give one grammar a prompt"
            )
        indices = (i // rows_per_prompt for i in range(num_rows))
        return [None if self._grammars[index] is None else index for index in indices]

    def _begin_step(self, rows: TokenRows, grammar_of_row: list[int | None]) -> int:
        """Number of prompt columns. Also detects the start of a new generation."""
        num_columns = rows.shape[1]
        if self._given_prompt_length is not None:
            if num_columns < self._given_prompt_length:
                raise InvalidInputError(
                    f"the prompts have {num_columns} columns, fewer than prompt_length={self._given_prompt_length}"
                )
            return self._given_prompt_length
        if self._prompts is None or not self._is_next_step(self._prompts, rows, grammar_of_row):
            self._prompts = rows.copy()
        self._num_columns = num_columns
        return int(self._prompts.shape[1])

    def _is_next_step(self, prompts: TokenRows, rows: TokenRows, grammar_of_row: list[int | None]) -> bool:
        prompt_length = prompts.shape[1]
        if rows.shape[1] == prompt_length or not np.array_equal(rows[:, :prompt_length], prompts):
            return False
        if rows.shape[1] <= self._num_columns:
            raise InvalidInputError(
                "the prompts begin with those of the last generate call; call reset() on the GuidedLogitsProcessor "
                "before new prompts, or give it prompt_length (assisted decoding needs that)"
            )
        return all(_parent_key(key) in self._matchers for key in _row_keys(rows, grammar_of_row, prompt_length))

    def _matcher_at(self, key: RowKey) -> Matcher | None:
        """The matcher after these tokens; None if the row's text has ended or left the grammar."""
        if key in self._matchers:
            return self._matchers[key]
        index, history = key
        parent = _parent_key(key)
        if history and parent in self._matchers:
            last_token_id = int(np.frombuffer(history, dtype=np.int64)[-1])
            return _advance(self._matchers[parent], last_token_id)
        return self._replay(index, np.frombuffer(history, dtype=np.int64).tolist())

    def _replay(self, grammar_index: int, token_ids: list[int]) -> Matcher | None:
        """A new matcher advanced through tokens that no earlier call covered: given by the user, or after a step
        back.
        """
        grammar = self._grammars[grammar_index]
        assert grammar is not None
        matcher = grammar.matcher()
        for i, token_id in enumerate(token_ids):
            if matcher.is_terminated():
                return None
            if not matcher.accept_token(token_id):
                raise InvalidInputError(
                    f"the grammar refuses token {token_id}, {i} columns after prompt_length="
                    f"{self._given_prompt_length}; what follows the prompt must be a beginning of its text"
                )
        return None if matcher.is_terminated() else matcher

    def _fill_bitmask(self, keys: list[RowKey], constrained: list[int]) -> Bitmask:
        """The bitmask, int32 (len(keys), W), with one row for each key. Rows with equal keys are filled once.

        constrained: each key's row in the batch.
        """
        bitmask = allocate_bitmask(len(keys), self._vocabulary.size)
        first_rows: dict[RowKey, int] = {}
        errors: dict[int, GuidedError] = {}
        for row, key in enumerate(keys):
            matcher, first_row = self._matchers[key], first_rows.setdefault(key, row)
            if matcher is None:
                bitmask[row] = self._vocabulary.end_row
            elif first_row < row:
                bitmask[row] = bitmask[first_row]
                if constrained[first_row] in errors:
                    errors[constrained[row]] = errors[constrained[first_row]]
            else:
                try:
                    matcher.fill_bitmask(bitmask, row)
                except GuidedError as error:
                    errors[constrained[row]] = error.with_traceback(None)
        if errors:
            raise BatchMaskError(errors)
        if not bitmask.any(axis=1).all():
            row = int(np.argmin(bitmask.any(axis=1)))
            raise NoAllowedTokenError(
                f"the grammar allows no token for constrained row {row}; it can't go on from there"
            )
        return bitmask


def _advance(parent: Matcher | None, token_id: int) -> Matcher | None:
    """A fork of the parent after one more token; None if the text ends or leaves the grammar (finished rows get
    padding).
    """
    if parent is None:
        return None
    matcher = parent.fork()
    if not matcher.accept_token(token_id) or matcher.is_terminated():
        return None
    return matcher


def _row_keys(rows: TokenRows, grammar_of_row: list[int | None], prompt_length: int) -> list[RowKey]:
    """The keys of the rows that have a grammar, in row order."""
    return [(index, rows[i, prompt_length:].tobytes()) for i, index in enumerate(grammar_of_row) if index is not None]


def _parent_key(key: RowKey) -> RowKey:
    index, history = key
    return index, history[:-_KEY_BYTES_PER_TOKEN]


def _mask_rows(scores: torch.Tensor, constrained: list[int], bitmask: Bitmask) -> torch.Tensor:
    """A copy of the scores, with the bitmask's rows applied to the rows `constrained`."""
    masked = scores.clone()
    if len(constrained) == len(masked):
        apply_bitmask_inplace(masked, bitmask)
        return masked
    rows = torch.tensor(constrained, dtype=torch.int64, device=scores.device)
    part = masked[rows]
    apply_bitmask_inplace(part, bitmask)
    masked[rows] = part
    return masked


def _common_vocabulary(grammars: tuple[CompiledGrammar | None, ...]) -> Vocabulary:
    given = [grammar for grammar in grammars if grammar is not None]
    if not given:
        raise InvalidInputError(
            "give at least one compiled grammar; a batch without any needs no GuidedLogitsProcessor"
        )
    vocabulary = given[0].vocabulary
    if any(grammar.vocabulary != vocabulary for grammar in given):
        raise VocabularyMismatchError("the grammars are compiled for different vocabularies; one model has one")
    if not vocabulary.eos_token_ids:
        raise InvalidInputError("the grammar's vocabulary names no end-of-sequence token, so no text could ever end")
    return vocabulary
