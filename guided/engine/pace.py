"""`Pace`: how many tokens a step may read so that nobody waits long for its end, learned from how long steps took."""

from __future__ import annotations

STEP_S = 0.015  # of a step that others wait for
STEP_ALONE_S = 0.05  # of one that reads a prompt while nobody else is there; who comes meanwhile waits for its end
COST_BESIDE_OTHERS, COST_ALONE = 1.6, 4.0  # times a step of no tokens, which a step may take in any case
MIN_TOKENS = 8
NEWEST_SHARE = 0.2  # of the last step in a running mean


class Pace:
    """Steps of so many tokens took so long; the rest is a straight line through that.

    A step costs something whatever it reads: a pass over all weights. Where that is most of it (a GPU, a large model),
    small steps would gain nothing, so the bounds are multiples of it. One thread uses it.
    """

    def __init__(self) -> None:
        self._means: dict[int, tuple[float, float]] = {}  # bits of the number of tokens -> mean number, mean seconds
        self._line: tuple[float, float] | None = None  # seconds of a step without tokens, and of each token

    def note(self, num_tokens: int, seconds: float) -> None:
        """A step has taken so long."""
        bits = num_tokens.bit_length()
        old_tokens, old_seconds = self._means.get(bits, (num_tokens, seconds))
        self._means[bits] = (
            old_tokens + NEWEST_SHARE * (num_tokens - old_tokens),
            old_seconds + NEWEST_SHARE * (seconds - old_seconds),
        )
        self._line = _line_through(list(self._means.values()))

    @property
    def tokens_beside_others(self) -> int | None:
        """Of a step that others wait for; None: any number, as far as is known."""
        return self._tokens_within(STEP_S, COST_BESIDE_OTHERS)

    @property
    def tokens_alone(self) -> int | None:
        """Of a step that reads prompts while nobody else is there; None as above."""
        return self._tokens_within(STEP_ALONE_S, COST_ALONE)

    def _tokens_within(self, seconds: float, cost: float) -> int | None:
        if self._line is None:
            return None
        base_s, token_s = self._line
        return max(MIN_TOKENS, int((max(seconds, cost * base_s) - base_s) / token_s))


def _line_through(points: list[tuple[float, float]]) -> tuple[float, float] | None:
    """Least squares; None where more tokens take no longer."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    variance = sum((x - mean_x) ** 2 for x, _ in points)
    if not variance:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / variance
    return (max(0.0, mean_y - slope * mean_x), slope) if slope > 0 else None
