"""`Pace`: how much a step may do so that nobody waits long for its end, learned from how long steps took."""

from __future__ import annotations

import math

import numpy as np

from .pace_kernel import NUM_PARTS, SIZE, fit_costs

STEP_S = 0.015  # of a step that others wait for
STEP_ALONE_S = 0.05  # of one that reads a prompt while nobody else is there; who comes meanwhile waits for its end
COST_BESIDE_OTHERS, COST_ALONE = 1.4, 4.0  # times a step without rows, which a step may take in any case
MIN_ROWS = 4
KEYS_READ = 14  # tokens whose attention takes as long as reading the keys and values that they attend to
FORGETTING = 0.02
"""By which guessed tokens are taken to cost what prompts' do, and further draws nothing, in each step without them."""
NO_COST_S = 1e-7
DRAW_SHARE = 0.1  # of what a further draw is taken to cost, that comes from the latest step


class Pace:
    """A step costs something whatever it does, and something for each row, token of a prompt and guessed token.

    A row costs much more than a token of a prompt: it has its own keys and values to read, and a token to be drawn.
    A token far behind in a long prompt costs more than the first ones, as it attends to all before it: see `work`.
    Where a pass over all weights is most of the time (a GPU, a large model), small steps would gain nothing, so
    the bounds are multiples of it. The four costs are those that fit the latest steps best (least squares in which
    older steps count less; none is below 0). One thread uses it.
    """

    def __init__(self, twice_at: float = math.inf) -> None:
        """twice_at: the position at which a token's attention costs as much as all else of its pass."""
        self._twice_at = twice_at
        self._costs = [0.0] * 4  # seconds of a step, and of each row, token of a prompt and guessed token in it
        self._fit = np.zeros(SIZE)
        self._has_read = self._has_guessed = False
        self._draw_s = 0.0  # of drawing once more in a step, for the rows whose drafts were right so far; 0: not known

    def work(self, num_tokens: int, position: int) -> float:
        """So many tokens of a prompt, the first of them at a position, as tokens of a prompt's beginning."""
        return num_tokens + (num_tokens * (position + num_tokens / 2) + KEYS_READ * position) / self._twice_at

    def note(self, num_rows: int, prompt_work: float, seconds: float, num_draft_tokens: int = 0) -> None:
        """A step has cost so much. prompt_work: of prompts, without the last token of each row that gets a token.

        num_draft_tokens: that were guessed.
        seconds: of processor time, which on a quiet machine is all of it. A busy one makes every step longer, and by
        wall clock it would seem that it is each step that costs much, and rows little.
        """
        self._has_read |= prompt_work > 0
        self._has_guessed |= num_draft_tokens > 0
        fit_costs(self._fit, num_rows, prompt_work, num_draft_tokens, seconds)
        costs = self._costs = self._fit[:NUM_PARTS].tolist()
        if not num_draft_tokens:  # who found guesses dear tries them again
            costs[3] += FORGETTING * (costs[2] - costs[3])
            self._fit[3] = costs[3]
            self._draw_s *= 1 - FORGETTING

    def note_draws(self, num_draws: int, seconds: float) -> None:
        """Rows drew so many times more in a step, which took so long; it is no part of `note`'s seconds."""
        if num_draws:
            each_s = seconds / num_draws
            self._draw_s += (DRAW_SHARE if self._draw_s else 1.0) * (each_s - self._draw_s)

    @property
    def rows_beside_others(self) -> int | None:
        """Rows of a step that others wait for; None: any number, as far as is known."""
        base_s, row_s, _, _ = self._costs
        if row_s < NO_COST_S:
            return None
        return max(MIN_ROWS, int((_seconds_beside_others(base_s) - base_s) / row_s))

    def prompt_tokens(self, num_rows: int, position: int = 0, *, has_others: bool) -> int | None:
        """Tokens of prompts that a step of so many rows may read, from a position on; None as above. has_others: others
        wait for it."""
        base_s, row_s, token_s, _ = self._costs
        if not self._has_read or token_s < NO_COST_S:
            return None
        bound_s = _seconds_beside_others(base_s) if has_others else max(STEP_ALONE_S, COST_ALONE * base_s)
        left_s = bound_s - base_s - row_s * num_rows
        far = position / self._twice_at
        return max(0, int((left_s / token_s - KEYS_READ * far) / (1 + far)))

    def draft_share(self, num_rows: int) -> float:
        """What one guessed token in a step costs, of what each of so many rows costs with its share of the step."""
        base_s, row_s, prompt_s, draft_s = self._costs
        rows_s = base_s + row_s * num_rows
        return (draft_s if self._has_guessed else prompt_s) * num_rows / rows_s if rows_s else 0.0

    def draw_share(self, num_rows: int) -> float:
        """What drawing once more in a step costs, in the same measure; 0 as long as that is not known."""
        base_s, row_s, _, _ = self._costs
        rows_s = base_s + row_s * num_rows
        return self._draw_s * num_rows / rows_s if rows_s else 0.0


def _seconds_beside_others(base_s: float) -> float:
    return max(STEP_S, COST_BESIDE_OTHERS * base_s)
