"""`Pace`: how much a step may do so that nobody waits long for its end, learned from how long steps took."""

from __future__ import annotations

from dataclasses import dataclass

STEP_S = 0.015  # of a step that others wait for
STEP_ALONE_S = 0.05  # of one that reads a prompt while nobody else is there; who comes meanwhile waits for its end
COST_BESIDE_OTHERS, COST_ALONE = 1.6, 4.0  # times a step without rows, which a step may take in any case
MIN_ROWS = 4
MIN_SHARE = 0.02  # of a row, which a token is taken to cost at least
LONGER_BESIDE_OTHERS = 0.5  # part of a step by which drafts may make it longer while others wait for it
NEWEST_SHARE = 0.2  # of the last step in a running mean


@dataclass
class _Mean:
    """Of steps with about as many rows. step: the number of the last one."""

    num_rows: float
    seconds: float
    step: int


class Pace:
    """A step costs something whatever it does, something for each row, and something for each token of a prompt.

    A row costs much more than a token of a prompt: it has its own keys and values to read, and a token to be drawn.
    Where a pass over all weights is most of the time (a GPU, a large model), small steps would gain nothing, so
    the bounds are multiples of it. One thread uses it.
    """

    def __init__(self) -> None:
        self._num_steps = 0
        self._means: dict[int, _Mean] = {}  # of steps without prompts, by the bits of the number of rows
        self._line = (0.0, 0.0)  # seconds of a step without rows, and of each row
        self._prompt_s = 0.0  # beyond what the rows of their steps took, and
        self._prompt_tokens = 0.0  # how many tokens were read in that time; older steps count less in both

    def note(self, num_rows: int, num_prompt_tokens: int, seconds: float, num_draft_tokens: int = 0) -> None:
        """A step has cost so much. num_prompt_tokens: without the last one of each row that gets a token.

        num_draft_tokens: that were guessed; they are taken to cost as much as tokens of prompts.

        seconds: of processor time, which on a quiet machine is all of it. A busy one makes every step longer, and by
        wall clock it would seem that it is each step that costs much, and rows little.
        """
        self._num_steps += 1
        if self._prompt_s:
            seconds = max(0.0, seconds - num_draft_tokens * self._prompt_s / self._prompt_tokens)
        if num_prompt_tokens:
            base_s, row_s = self._line
            self._prompt_s += NEWEST_SHARE * (max(0.0, seconds - base_s - row_s * num_rows) - self._prompt_s)
            self._prompt_tokens += NEWEST_SHARE * (num_prompt_tokens - self._prompt_tokens)
            return
        mean = self._means.setdefault(num_rows.bit_length(), _Mean(num_rows, seconds, self._num_steps))
        mean.num_rows += NEWEST_SHARE * (num_rows - mean.num_rows)
        mean.seconds += NEWEST_SHARE * (seconds - mean.seconds)
        mean.step = self._num_steps
        self._line = self._line_through_means()

    @property
    def rows_beside_others(self) -> int | None:
        """Rows of a step that others wait for; None: any number, as far as is known."""
        base_s, row_s = self._line
        if not row_s:
            return None
        return max(MIN_ROWS, int((_seconds_beside_others(base_s) - base_s) / row_s))

    def prompt_tokens(self, num_rows: int, *, has_others: bool) -> int | None:
        """Tokens of prompts that a step of so many rows may read; None as above. has_others: others wait for it."""
        base_s, row_s = self._line
        if not self._prompt_s:
            return None
        bound_s = _seconds_beside_others(base_s) if has_others else max(STEP_ALONE_S, COST_ALONE * base_s)
        left_s = bound_s - base_s - row_s * num_rows
        return max(0, int(left_s / (self._prompt_s / self._prompt_tokens)))

    def token_share(self, num_rows: int) -> float:
        """What one more token in a step costs, of what each of so many rows costs with its share of the step."""
        base_s, row_s = self._line
        rows_s = base_s + row_s * num_rows
        if not self._prompt_s or not rows_s:
            return 0.0
        return self._prompt_s / self._prompt_tokens / (rows_s / num_rows)

    def draft_tokens(self, num_rows: int, *, has_others: bool) -> int:
        """Tokens that may be guessed in a step of so many rows: what makes it twice as long, less beside others."""
        share = self.token_share(num_rows)
        longer = LONGER_BESIDE_OTHERS if has_others else 1.0
        return int(longer * num_rows / max(share, MIN_SHARE))

    def _line_through_means(self) -> tuple[float, float]:
        """Through the cheapest mean and the newest one; through (0, 0) where only one is known.

        Not through all of them: texts grow, and with them what a row costs. No cost of rows where more took no longer.
        """
        cheapest, *others = sorted(self._means.values(), key=lambda mean: mean.seconds)
        if not others:
            return 0.0, cheapest.seconds / cheapest.num_rows
        newest = max(others, key=lambda mean: mean.step)
        if newest.num_rows <= cheapest.num_rows:
            return cheapest.seconds, 0.0
        row_s = (newest.seconds - cheapest.seconds) / (newest.num_rows - cheapest.num_rows)
        return max(0.0, cheapest.seconds - row_s * cheapest.num_rows), row_s


def _seconds_beside_others(base_s: float) -> float:
    return max(STEP_S, COST_BESIDE_OTHERS * base_s)
