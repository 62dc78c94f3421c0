"""`Pace`: how much a step may do so that nobody waits long for its end, learned from how long steps took."""

from __future__ import annotations

from collections.abc import Sequence
from operator import add, mul

STEP_S = 0.015  # of a step that others wait for
STEP_ALONE_S = 0.05  # of one that reads a prompt while nobody else is there; who comes meanwhile waits for its end
COST_BESIDE_OTHERS, COST_ALONE = 1.6, 4.0  # times a step without rows, which a step may take in any case
MIN_ROWS = 4
KEPT, KEPT_SURPRISED = 0.9, 0.3  # of what earlier steps weigh, at each new one, and at one
SURPRISE = 0.3  # that took so much more or less than expected
MOST_OF_EXPECTED = 3.0  # times: a step that takes longer was held up by something else
STEADINESS = (5.0, 1e-3, 1e-3, 1e-3)
"""How much each cost stays as it was, where a step weighs 1: texts grow, so rows change; a step without rows seldom."""
FORGETTING = 0.02  # by which guessed tokens are taken to cost what prompts' do, in each step without
NO_COST_S = 1e-7


class Pace:
    """A step costs something whatever it does, and something for each row, token of a prompt and guessed token.

    A row costs much more than a token of a prompt: it has its own keys and values to read, and a token to be drawn.
    Where a pass over all weights is most of the time (a GPU, a large model), small steps would gain nothing, so
    the bounds are multiples of it. The four costs are those that fit the latest steps best (least squares in which
    older steps count less; none is below 0). One thread uses it.
    """

    def __init__(self) -> None:
        self._costs = [0.0] * 4  # seconds of a step, and of each row, token of a prompt and guessed token in it
        self._products = [[0.0] * 4 for _ in range(4)]  # sums over steps of what they had, each with each,
        self._targets = [0.0] * 4  # and with their seconds
        self._has_read = self._has_guessed = False

    def note(self, num_rows: int, num_prompt_tokens: int, seconds: float, num_draft_tokens: int = 0) -> None:
        """A step has cost so much. num_prompt_tokens: without the last one of each row that gets a token.

        num_draft_tokens: that were guessed.
        seconds: of processor time, which on a quiet machine is all of it. A busy one makes every step longer, and by
        wall clock it would seem that it is each step that costs much, and rows little.
        """
        self._has_read |= num_prompt_tokens > 0
        self._has_guessed |= num_draft_tokens > 0
        parts = (1.0, float(num_rows), float(num_prompt_tokens), float(num_draft_tokens))
        expected = _dot(parts, self._costs)
        kept = KEPT
        if expected > 0:
            seconds = min(seconds, MOST_OF_EXPECTED * expected)
            if abs(seconds - expected) >= SURPRISE * expected:
                kept = KEPT_SURPRISED
        costs = self._costs
        self._products = [_faded(row, kept, one, parts) for row, one in zip(self._products, parts, strict=True)]
        self._targets = _faded(self._targets, kept, seconds, parts)
        missing = [target - _dot(row, costs) for target, row in zip(self._targets, self._products, strict=True)]
        change = _solve(self._products, missing)
        self._costs = [max(0.0, cost + one) for cost, one in zip(costs, change, strict=True)]
        if not num_draft_tokens:  # who found guesses dear tries them again
            self._costs[3] += FORGETTING * (self._costs[2] - self._costs[3])

    @property
    def rows_beside_others(self) -> int | None:
        """Rows of a step that others wait for; None: any number, as far as is known."""
        base_s, row_s, _, _ = self._costs
        if row_s < NO_COST_S:
            return None
        return max(MIN_ROWS, int((_seconds_beside_others(base_s) - base_s) / row_s))

    def prompt_tokens(self, num_rows: int, *, has_others: bool) -> int | None:
        """Tokens of prompts that a step of so many rows may read; None as above. has_others: others wait for it."""
        base_s, row_s, token_s, _ = self._costs
        if not self._has_read or token_s < NO_COST_S:
            return None
        bound_s = _seconds_beside_others(base_s) if has_others else max(STEP_ALONE_S, COST_ALONE * base_s)
        left_s = bound_s - base_s - row_s * num_rows
        return max(0, int(left_s / token_s))

    def draft_share(self, num_rows: int) -> float:
        """What one guessed token in a step costs, of what each of so many rows costs with its share of the step."""
        base_s, row_s, prompt_s, draft_s = self._costs
        rows_s = base_s + row_s * num_rows
        return (draft_s if self._has_guessed else prompt_s) * num_rows / rows_s if rows_s else 0.0


def _faded(sums: Sequence[float], kept: float, one: float, parts: Sequence[float]) -> list[float]:
    """The sums, with one more step in them."""
    return [kept * before + one * part for before, part in zip(sums, parts, strict=True)]


def _dot(row: Sequence[float], other: Sequence[float]) -> float:
    total: float = sum(map(mul, row, other))
    return total


def _solve(products: Sequence[Sequence[float]], missing: Sequence[float]) -> list[float]:
    """x of (products + STEADINESS) x = missing, by the symmetric matrix's LDL^T. PERF: a tenth of numpy's calls."""
    (a, b, c, d), (_, e, f, g), (_, _, h, i), (_, _, _, j) = products
    w, x, y, z = missing
    a, e, h, j = map(add, (a, e, h, j), STEADINESS)
    l1, l2, l3 = b / a, c / a, d / a
    e, f, g = e - l1 * b, f - l1 * c, g - l1 * d
    l4, l5 = f / e, g / e
    h, i = h - l2 * c - l4 * f, i - l2 * d - l4 * g
    l6 = i / h
    j -= l3 * d + l5 * g + l6 * i
    x -= l1 * w
    y -= l2 * w + l4 * x
    z -= l3 * w + l5 * x + l6 * y
    z /= j
    y = y / h - l6 * z
    x = x / e - l4 * y - l5 * z
    return [w / a - l1 * x - l2 * y - l3 * z, x, y, z]


def _seconds_beside_others(base_s: float) -> float:
    return max(STEP_S, COST_BESIDE_OTHERS * base_s)
