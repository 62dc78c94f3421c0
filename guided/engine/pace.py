"""`Pace`: how much a step may do so that nobody waits long for its end, learned from how long steps took."""

from __future__ import annotations

from dataclasses import dataclass

STEP_S = 0.015  # of a step that others wait for
STEP_ALONE_S = 0.05  # of one that reads a prompt while nobody else is there; who comes meanwhile waits for its end
COST_BESIDE_OTHERS, COST_ALONE = 1.6, 4.0  # times a step without rows, which a step may take in any case
MIN_ROWS = 4
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

    def note(self, num_rows: int, num_prompt_tokens: int, seconds: float) -> None:
        """A step has cost so much. num_prompt_tokens: without the last one of each row that gets a token.

        seconds: of processor time, which on a quiet machine is all of it. A busy one makes every step longer, and by
        wall clock it would seem that it is each step that costs much, and rows little.
        """
        self._num_steps += 1
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
    def prompt_token_s(self) -> float:
        """What a token of a prompt costs, in seconds; 0.0 while that is not known."""
        return self._prompt_s / self._prompt_tokens if self._prompt_tokens else 0.0

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
        return max(0, int(left_s / self.prompt_token_s))

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
