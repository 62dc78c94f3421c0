"""The fit behind `Pace`: what a step, a row, a token of a prompt and a guessed token cost, as a kernel.

Least squares over all steps, of which the k-th last weighs kept**k. The costs are the x that minimises

    sum of weight * (seconds - parts . x)**2  +  sum of STEADINESS * (x - costs before)**2

The sums over steps are kept: a step adds to them, and solves four equations. PERF: in Python it takes 45 us of a step,
whose caches the model has emptied.
"""

from __future__ import annotations

from typing import Any

from guided.grammars.kernels.arrays import Floats

from ..sampler.numba_backend.compiled import exported_short, kernel

NUM_PARTS = 4
TARGETS, PRODUCTS, SIZE = 4, 8, 24
"""In a state: where sums of parts * seconds, and of parts * parts, begin behind the costs; and its length."""
KEPT, KEPT_SURPRISED = 0.9, 0.3  # of what earlier steps weigh, at each new one, and at one
SURPRISE = 0.3  # that took so much more or less than expected
MOST_OF_EXPECTED = 3.0  # times: a step that takes longer was held up by something else
STEADINESS = (5.0, 1e-3, 1e-3, 1e-3)
"""How much each cost stays as it was, where a step weighs 1: texts grow, so rows change; a step without rows seldom."""


@exported_short
def fit_costs(
    state: Floats, num_rows: float, num_prompt_tokens: float, num_draft_tokens: float, seconds: float
) -> None:
    """A step of such parts has taken so long. state: float64 (SIZE,), changed in place; zeros at first.

    No cost becomes less than 0.
    """
    parts = (1.0, num_rows, num_prompt_tokens, num_draft_tokens)
    expected = 0.0
    for i in range(NUM_PARTS):
        expected += parts[i] * state[i]
    kept = KEPT
    if expected > 0.0:
        seconds = min(seconds, MOST_OF_EXPECTED * expected)
        if abs(seconds - expected) >= SURPRISE * expected:
            kept = KEPT_SURPRISED
    for i in range(NUM_PARTS):
        state[TARGETS + i] = kept * state[TARGETS + i] + parts[i] * seconds
        for j in range(NUM_PARTS):
            place = PRODUCTS + NUM_PARTS * i + j
            state[place] = kept * state[place] + parts[i] * parts[j]
    change = _solve(state, _missing(state, 0), _missing(state, 1), _missing(state, 2), _missing(state, 3))
    for i in range(NUM_PARTS):
        state[i] = max(0.0, state[i] + change[i])


@kernel
def _missing(state: Any, part: int) -> Any:
    """What the costs leave of the seconds, weighed by a part."""
    missing = state[TARGETS + part]
    for i in range(NUM_PARTS):
        missing -= state[PRODUCTS + NUM_PARTS * part + i] * state[i]
    return missing


@kernel
def _solve(state: Any, w: float, x: float, y: float, z: float) -> Any:
    """The v of (products + STEADINESS) v = (w, x, y, z), by the symmetric matrix's LDL^T."""
    a, b, c, d = state[PRODUCTS] + STEADINESS[0], state[PRODUCTS + 1], state[PRODUCTS + 2], state[PRODUCTS + 3]
    e, f, g = state[PRODUCTS + 5] + STEADINESS[1], state[PRODUCTS + 6], state[PRODUCTS + 7]
    h, i, j = state[PRODUCTS + 10] + STEADINESS[2], state[PRODUCTS + 11], state[PRODUCTS + 15] + STEADINESS[3]
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
    return w / a - l1 * x - l2 * y - l3 * z, x, y, z
